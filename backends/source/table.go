package source

import (
	"sync"

	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
)

// nothing is an op that says something to a compiler alone.
func nothing(f *Function) {}

// shared says how ops are printed that every language prints alike. Constants and terminators are
// with what has them.
var shared = sync.OnceValue(func() map[*ir.OpDef]func(*Function) {
	return map[*ir.OpDef]func(*Function){
		cf.Assert: emitAssert, ub.Poison: emitPoison, ub.Freeze: emitFreeze,

		scf.For: emitFor, scf.If: emitIf, scf.While: emitWhile, scf.Parallel: emitParallel, scf.IndexSwitch: emitSwitch,
		scf.ExecuteRegion: emitOnce, memref.AllocaScope: emitOnce,

		memref.Load: emitLoad, memref.Store: emitStore, memref.GetGlobal: emitGetGlobal,
		memref.Prefetch: nothing, memref.AssumeAlignment: nothing, memref.Dim: emitDim, memref.Rank: emitRank,
		memref.Cast: emitSameView, memref.MemorySpaceCast: emitSameView, memref.ReinterpretCast: emitReinterpret,
		memref.Subview: emitSubview, memref.ExpandShape: emitExpand, memref.CollapseShape: emitCollapse, memref.Transpose: emitTranspose,
	}
})
