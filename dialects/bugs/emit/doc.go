// Package emit makes the graph of a model: one bugs.model, whose ops are its statements.
//
// Invariants:
//   - Loops stay loops: the graph does not grow with the data.
//   - Only statements that factors or wanted values depend on are there.
//   - Expressions that are arrays become values with extents and a function that makes each element where it
//     is wanted. So arithmetic, transposes, products and reductions need loops and no memory.
//   - Whether a node is data is told where its statement is: for all of it, by ranges of
//     the loop (lowerObservations), or by a mask that is read.
package emit
