// Package model is a program bound to its data: variables, statements, the dependences
// between them and the order in which they run, as data that others fill and read.
//
// Invariants:
//   - A variable's elements are stored row by row and known by their position; what is
//     known of them is a bit set (Mask), or nothing where all is, and its values may be the
//     memory that the data were read into: nobody writes it.
//   - An iteration of a statement is a number. Loops with constant bounds are a box
//     (Domain), of which it is the position; others are packed integers, linear in what is
//     there.
//   - A left side whose indices are loop variables plus or minus constants defines a
//     rectangular region, in which an element tells its iteration (LeftSide); who defines
//     the elements of a variable is a list of such regions (Owners). Classes are counted
//     from these, not stored.
//   - Package bind fills in names, sizes and values; package order the edges and the order.
//     After that a model does not change.
package model
