// Package lower makes func.func @logdensity of a bugs.model, over loops and memory.
//
// Invariants:
//   - A term without meaning is NaN inside of the function; the status says so, and sends
//     the caller to the reference, which decides. What is inf - inf in the forms used here is
//     NaN too; they never give another number.
//   - The density is a sum of terms that may be added in any order, and logarithms in it may be
//     split: only the dialect knows that, as NaN sends its caller to the reference, so terms are
//     written so (terms.Terms). What of a term a loop does not change, and what data alone decides, is found by passes: split-sums and
//     specialize-data, for which arguments of data alone have the attribute func.static.
//   - A logical node is memory: each assignment stores, and each read loads. What a load reads is the value
//     itself where the same element was stored before. That is in the same iteration of a loop, or outside of
//     loops that are said not to write it (scf.BuildForWriting): construction sees to that, and mem2reg
//     removes memory of which no load is left. So a law sees the link that made its parameter.
//   - Large counts and shapes go to @logdensity_careful (large_counts.go).
//   - Of many statements of one law outside of loops a long formula is a function, which they call (shared.go).
//   - A law of the inverse of a matrix is lowered as one of that matrix where there is one (inverse.go).
//   - A reduction over a slice that grows with a loop is carried by the loop (running.go).
//   - Reads whose index comes from data are checked.
package lower
