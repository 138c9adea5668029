// Package affine is the one analysis of integers: ranges, known bits, strides and
// linear forms of values, with what loops and conditions around them say. With it one
//
//   - asks of a graph that is done (Of) or is being built (In) what a value may be: Analysis.Number, Analysis.Linear;
//   - asks whether a comparison is decided, values differ, or how often a loop runs: Analysis.Decide, Analysis.Differ, Analysis.Trips;
//   - says what the ops of a dialect compute: a table Forms.
//
// A client asks and gets a proof or no answer: what is said of a value holds for
// every run in which the value is there and not poison. Numbers are exact about
// overflow: an op that may wrap is known by its bits only, unless a range shows
// that it does not wrap, or the op promises that (nsw, nuw). A broken promise is
// poison, of which everything may be said; an op that traps on poison is kept in its place by
// ir, whatever is proven here (see ir.OpDef.Harmless). Who wants to know that nothing traps asks Certain, which believes no
// promise.
//
// What an op computes stands in a table of its dialect, Forms. A value of no
// integer type, wider than 64 bits, or of an op in no table is just itself. A vector
// stands for each of its elements.
//
// # Who asks
//
// While a graph is built (In): folds of comparisons and which divisions may trap (arith); which accesses may
// trap, and whether two are of different elements (memref); what a loop says of its index and a condition of
// what it compares (scf, by Index and Know). None of these may believe a condition for a trap: an op that
// cannot trap moves out of it.
//
// Of a graph that is done (Of): the rule that decides comparisons where they stand (arith's
// cleanup), by At; LLVM's checks of indices, divisors and steps, and whether the last step
// of a loop may wrap (backends/llvm), by At and Uppers; rounds and steps of loops (unroll,
// loop-hints, tabulate), by Trips; subscripts and bounds of dependences (passes/dependence),
// by Linear, which it gives to the integer sets as formulas.
//
// Tables stand in arith (forms.go), memref and device: extents and ids of threads. Loops
// and branches are known by their interfaces. dialects/bugs reads subscripts of models,
// which are no ops yet, by itself.
//
// The known bits are those of LLVM's KnownBits; the strides are the congruences of
// Granger (1989), of which each Number has one.
package affine
