// Package eval evaluates a model in Go: expressions that must be known while it is
// compiled, and the whole program at a point, which is the reference.
//
// Invariants:
//   - There is one evaluator of expressions, Frame: bounds, sizes, transformed data and the
//     reference use it. A Compiler makes functions of the loop variables for walks over
//     many iterations, and leaves to a Frame what it does not know, so both say the same.
//   - What has no value yet is ErrUnknown, never a guess.
//   - Visit goes through the program in its order, simulates, fills initial values, and finds
//     the words for what is wrong with a node; the compiled density says NaN there and asks
//     it.
//   - Random numbers belong to nodes, not to a sequence: docs/simulation.md.
//   - Laws come from package prob; nothing here is keyed by the name of one.
package eval
