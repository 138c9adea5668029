// Package bind gives names, sizes, iterations and values to a program and its data.
//
// Invariants:
//   - What follows from data is computed in rounds, because bounds may need values and
//     values sizes; a round that settles nothing new ends it.
//   - Compiling does not look at observations: no step is linear in the data where loops
//     have constant bounds.
//   - A loop over a vector is one over its positions (byPosition), and a part that a vector
//     picks is an array of copies (byElement): after that all loops are ranges.
//   - The extents of all parts are checked in every iteration, when the model is bound.
//   - Each mistake is said once, with its place and a way out.
package bind
