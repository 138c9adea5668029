// Package scf is MLIR's dialect of structured control flow: loops, conditionals
// and their terminators, with the meaning they have there. With it one
//
//   - builds loops: BuildFor, BuildWhile, BuildParallel;
//   - builds conditionals: BuildIf, BuildRareIf;
//   - reads them, of any dialect, by the interfaces of ir: LoopLike, BranchLike.
//
// What a loop or conditional does to memory is what its regions do. A loop whose
// step is not known to be positive, and every scf.while, may trap or not end, so
// neither is moved to where it would run more often.
package scf

import "github.com/irc-lang/irc/ir"

// LanesAttr is the discardable attribute of an scf.for that says how many rounds are to be
// taken together, in vectors, 1 for a loop that is to have none: a hint, which changes nothing of
// what the loop means.
const LanesAttr = "irc.lanes"

// MaskedAttr is the discardable attribute of a loop with LanesAttr whose last iterations are to be a vector
// too, with a mask. They are fewer than a vector has lanes: else they run one by one.
const MaskedAttr = "irc.masked"

// RareAttr is the discardable attribute of an scf.if whose first region seldom runs: a hint,
// too. What is carried past it is there at once, where a choice of two values would wait for both.
const RareAttr = "irc.rare"

// Dialect is the scf dialect.
var Dialect = &ir.Dialect{
	Name: "scf", Clean: true,
	Doc: "Structured control flow: loops, conditionals and their terminators.",
	Ops: []*ir.OpDef{Condition, ExecuteRegion, For, Forall, InParallel, If, IndexSwitch,
		Parallel, Reduce, ReduceReturn, While, Yield},
	Folds:    folds,
	Cleanups: prune,
	Tables:   tables,
}
