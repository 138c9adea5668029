// Package roofline counts what loops do at least, and what that takes on a target at least: no order of their iterations,
// and no way to compile them, is faster (Williams, Waterman and Patterson, "Roofline: an insightful visual performance model
// for multicore architectures", 2009).
//
// Operations are those on numbers that the loops compute, each once for every value of the indices that it depends on: what
// the same does in all rounds of a loop counts as done once. An operation depends on the index of a loop if an operand does, or
// if it reads memory that the loop writes.
//
// Memory is the distinct elements that are read before the loops write them, and those that are written. Of them may be in a
// cache before the loops begin, or still after they have ended, as many as it holds; the rest passes from behind it.
//
// Sets of iterations and of elements are polyhedra, counted by Barvinok's algorithm (dialects/poly/presburger). What is executed under a bound or a
// condition that is not affine counts as nothing, and the count says so: a bound stays one.
package roofline
