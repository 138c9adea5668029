package numbers

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/cf/reason"
	"github.com/irc-lang/irc/ir"
)

// EmitPoison gives LLVM's poison. A memref that is poison has no memory: each of
// its elements lies out of bounds.
func EmitPoison(f *emit.Fn) {
	t := f.G.Type(f.V)
	if f.C.Info(t).Kind != ir.KindMemRef {
		f.Set(&lit.Lit{Typ: f.LLType(t), Text: "poison"})
		return
	}
	parts := []value.Value{&lit.Lit{Typ: lit.Ptr, Text: "null"}}
	for range f.Phis.Carried(t)[1:] {
		parts = append(parts, lit.I64(0))
	}
	v := f.Phis.FromCarried(t, parts)
	v.M.Length, v.M.Inside = lit.I64(0), false
	f.Vals[f.V] = v
}

// EmitFreeze gives LLVM's freeze.
func EmitFreeze(f *emit.Fn) { f.Set(emit.Add(f.B, llir.NewInstFreeze(f.Arg(0)))) }

// EmitAssert stops the program where the condition is false, in unchecked code too.
func EmitAssert(f *emit.Fn) {
	holds := f.Arg(0)
	if n, ok := lit.Number(holds); ok {
		f.StopIf(lit.Bit(n == 0), reason.Of(f.C, f.G.AttrsOf(f.V)))
		return
	}
	f.StopIf(emit.Add(f.B, llir.NewXor(holds, lit.Bit(true))), reason.Of(f.C, f.G.AttrsOf(f.V)))
}
