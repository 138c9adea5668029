// Package order finds the dependences between statements and puts them in a sequential
// order with loops.
//
// Invariants:
//   - Dependences are exact, and so is the check that every element that is read exists.
//     A reference with affine indices reaches a region; parts of it that statements define give dependences.
//     The signs of distances follow from the indices where they are the same for all pairs, else from the
//     integer sets of package poly/depend (solve). An index that is an element of the data needs the least
//     and the greatest of these; where both statements share a loop, or regions do not decide, one walk looks
//     at each iteration. An index without a value reaches the whole extent.
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
