// Package function holds what the functions and operators of the language mean: in Go on
// numbers and arrays, and as ops.
//
// Invariants:
//   - A function has one row: by the table's name (syntax.LookupFunction), never by how a
//     program spells it.
//   - Each is written once in Go and once as ops, and tests hold the two to each other.
//   - The tables are constants. Rows that follow from the distributions (pnorm, qgamma,
//     logdensity.t ...) are made on first use, from package prob's laws, into a table of
//     their own.
//
// Functions that must see all of an array (Array: sort, inverse, ...) read parts in memory
// and write a temporary; the others are made element by element, without memory.
package function
