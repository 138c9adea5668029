// Package passes lists the passes: one file each, one row each. A row says why
// the pass stands where it does; the order of the list is the usual order.
//
// Common subexpressions, dead code, code motion, store-to-load forwarding and
// dead stores need no pass: they follow from how graphs are built and scheduled.
// The passes of those names rebuild the graph, which is all that is left to do,
// and count what came of it.
package passes

import (
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/binding"
	"github.com/irc-lang/irc/passes/buffers"
	"github.com/irc-lang/irc/passes/dependence"
	"github.com/irc-lang/irc/passes/differentiate"
	"github.com/irc-lang/irc/passes/fuse"
	"github.com/irc-lang/irc/passes/grid"
	"github.com/irc-lang/irc/passes/loops"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/placement"
	"github.com/irc-lang/irc/passes/polyhedral"
	"github.com/irc-lang/irc/passes/polyhedral/contractions"
	"github.com/irc-lang/irc/passes/polyhedral/expand"
	"github.com/irc-lang/irc/passes/polyhedral/keyed"
	"github.com/irc-lang/irc/passes/polyhedral/raise"
	"github.com/irc-lang/irc/passes/polyhedral/reductions"
	"github.com/irc-lang/irc/passes/promote"
	"github.com/irc-lang/irc/passes/rewrite"
	"github.com/irc-lang/irc/passes/roofline"
	"github.com/irc-lang/irc/passes/saturate"
)

// All lists the passes, in the order in which they usually run.
func All() pass.List {
	return pass.List{
		basic.VerifyInfo, roofline.Info, basic.StripInfo, basic.CanonicalizeInfo, rewrite.Info, simplifyTensorsInfo, inlineInfo, differentiate.Info, saturate.Info, inferEffectsInfo, basic.SymbolDCEInfo, basic.DCEInfo, basic.CSEInfo,
		splitEffectsInfo, promote.SROAInfo, promote.Mem2RegInfo, speculateInfo, licmInfo, binding.SplitSumsInfo, binding.FactorSumsInfo, binding.SpecializeInfo, binding.VersionPowersInfo, loops.UpliftInfo, buffers.ReuseInfo, buffers.StackInfo, buffers.ArenaInfo, buffers.FreeInfo, binding.TabulateInfo, superwordInfo,
		loops.DistributeInfo, loops.ReverseInfo, loops.FuseInfo, loops.SkewInfo, loops.InterchangeInfo, loops.TileInfo, loops.UnrollJamInfo, loops.CollapseInfo, loops.StripInfo, loops.PeelInfo,
		loops.ParallelizeInfo, loops.VectorizeInfo,
		lowerAffineInfo, binding.VersionBoundsInfo, loopHintsInfo, unrollInfo, grid.Info, grid.LoopInfo, outlineInfo, placement.Info, dependence.PassInfo, fuse.PassInfo,
		polyhedral.DependencesInfo, raise.Info, expand.Info, reductions.Info, keyed.Info, polyhedral.ScheduleInfo, polyhedral.TileInfo, polyhedral.ContractInfo, polyhedral.CodegenInfo, outlineLoopsInfo, contractions.Info,
		basic.OpStatsInfo,
	}
}
