// Package order finds the dependences between statements and puts them in a sequential
// order with loops.
//
// The analysis calls Depend, CheckStrict, Decide and CheckObserved in this order. Sequence writes the order as text.
//
// Terms:
//   - An instance is one iteration of a statement. A dependence vector has, for each loop that two statements share,
//     the sign of the reader's loop variable minus the definer's. A positive sign is a read from an earlier iteration.
//   - The level of a loop is its depth, from 0. The level of an instance, from 1, is the length of the longest chain
//     of instances that ends with it (levels.go).
//   - A Component is a strongly connected component of statements. A Cluster is a loop or a
//     statement as it stands in the text, or several that depend on each other in a circle.
//   - A schedule gives each instance a time (affine.go). A round is a fixed number of times (interleaving.go).
//
// Invariants:
//   - Dependences are exact, and so is the check that every element that is read exists.
//     A reference with affine indices reaches a region; parts of it that statements define give dependences.
//     The signs of distances follow from the indices where they are the same for all pairs, else from the
//     integer sets of package poly/depend (solve). An index that is an element of the data needs the least
//     and the greatest of these; where both statements share a loop, or regions do not decide, one walk looks
//     at each iteration. An index that a node without a value gives reaches the whole extent.
//   - Each element is defined before it is read. A program that is in order stays as it is;
//     one that is not is changed as little as its dependences let it: a loop is taken apart
//     only where some direction of it respects no dependence, or where loops need each
//     other. What is taken apart is ordered by Allen and Kennedy's loop distribution with
//     fusion (Linear, Merge).
//   - Statements that need each other run in one loop, forward or backward; else they take
//     turns in a loop over an affine schedule (takeTurns); else their instances run by
//     level, in an order computed from the data, in code of constant size (byInstance). So
//     only an element that depends on itself has no order: an error, or, if it is
//     stochastic, a warning, since at a point its value is given.
//   - Model.Why tells each decision.
package order
