// Package ops defines the ops of the dialect: what they are called, which operands they
// have, what they touch, and their text.
//
// Invariants:
//   - An op is known by its definition, never by the text of its name.
//   - Indices count from 1, and a loop includes its last index.
//   - Memory of a variable is made by Data, Param, LogicalVar or Temporary alone, and two
//     of these never overlap.
//   - What an op does is elsewhere: package run interprets them, package lower makes loops
//     and memory of them.
package ops
