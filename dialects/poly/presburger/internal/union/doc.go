// Package union has relations: a union of conjunctions in each of some named spaces, over
// the same parameters.
//
// Columns are the parameters, the tuple in, the tuple out, in this order. A relation is
// not changed once it is made. An operation on two aligns their parameters first, and has
// the budget of the first.
package union
