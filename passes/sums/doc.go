// Package sums splits sums by what their terms depend on, and factors them.
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
// The pass factor-sums takes fixed factors out of sums of static values too, so that a log
// density of data with the same parameters is a function of their sufficient statistics.
// That is done for all laws whose log densities are sums of such products, and for squares of
// differences (normal laws), around the mean of the data; statistics says why no digits are
// lost. Laws whose terms mix a datum with a parameter otherwise keep their loops: lgamma(x + r), |x - m|,
// log(1 + (x - m)^2), x^k, limits that are parameters, and squares with weights.
//
// Invariants:
//   - What was carried is added to and not taken away, and nothing but the sum reads it.
//   - A loop that does not run adds nothing.
//   - Outside of loops what others read stays as it is.
//   - What a round adds at once is taken apart no further than maxTerms.
//   - A factored sum that is not finite is what its loop says.
package sums
