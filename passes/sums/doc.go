// Package sums splits sums by what their terms depend on.
//
// A sum here is a number that a loop carries and adds to in every round, by additions that
// may be done in any order (the flag reassoc). Its terms are found through additions,
// subtractions, negations, guards (NaN unless a condition holds) and logarithms of products
// that may be taken apart. Each is of a class:
//
//   - fixed: the loop does not change it, or makes it anew in every round as it may trap;
//   - static: arguments that are the same in every call alone decide it (package binding);
//   - varying: all others.
//
// The static terms of sums outside of loops are put together too.
//
// Invariants:
//   - What was carried is added to and not taken away, and nothing but the sum reads it.
//   - A loop that does not run adds nothing.
//   - Outside of loops what others read stays as it is.
//   - What a round adds at once is taken apart no further than maxTerms.
package sums
