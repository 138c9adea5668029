// Package binding computes once what is the same in every call of a function, or in every round of a loop.
//
// Three questions are asked, each in one place:
//
//   - Times: what is the same in every call. An argument of a function with the attribute func.static is: a
//     number, or all that memory holds. What such arguments alone decide is static, the rest
//     dynamic: binding-time analysis (Jones, Gomard and Sestoft 1993, chapter 5), by the
//     forward slice of what is dynamic. Memory of the function's own is static if all that it stores there
//     is, by code that every call reaches. Beside that it may only read elements.
//   - nest: what stands in a loop, what of it can be made again elsewhere, and of which values it is made (sources).
//   - versions: which loops are copied under a condition that is asked once before.
//
// The passes are their clients.
//
// # specialize-data
//
// It makes two functions of one (Knoblock and Ruf 1996, Data
// Specialization): a setup that computes, once, static values into a buffer, and what is
// left, which reads them. Unlike partial evaluation it needs no values of the arguments, and
// makes no code for them.
//
//   - What is computed ahead is computed in every call of the function, in code that it
//     always reaches: a setup stops only where every call would.
//   - What is computed ahead has no effect but to fill static memory, and reads only that and memory of
//     static arguments. What it reads from memory that a loop fills varies in that loop.
//   - Static memory that nothing left of the function reads is not filled by it.
//   - Both functions come of one graph and one list of values, so they agree on the buffer.
//
// # split-sums, factor-sums
//
// A sum is a number that a loop carries and adds to in every round, by additions that
// may be done in any order (the flag reassoc). Its terms are found through additions,
// subtractions, negations, guards (NaN unless a condition holds) and logarithms of products
// that may be taken apart. Each is of a class:
//
//   - fixed: the loop does not change it, or makes it anew in every round as it may trap;
//   - static: arguments that are the same in every call alone decide it;
//   - varying: all others.
//
// The static terms of sums outside of loops are put together too.
//
// The pass factor-sums takes fixed factors out of sums of static values too. Then a log density of data with
// the same parameters is a function of their sufficient statistics. That is done for all laws whose log
// densities are sums of such products, and for squares of differences (normal laws), around the mean of the
// data; statistics says why no digits are lost. Laws whose terms mix a datum with a parameter otherwise keep
// their loops: lgamma(x + r), |x - m|, log(1 + (x - m)^2), x^k, limits that are parameters, and squares with
// weights.
//
//   - What was carried is added to and not taken away, and nothing but the sum reads it.
//   - A loop that does not run adds nothing.
//   - Outside of loops what others read stays as it is.
//   - What a round adds at once is taken apart no further than maxTerms.
//   - A factored sum that is not finite is what its loop says.
//
// # version-powers, version-bounds
//
// They ask before a loop what holds for all of its rounds: that bases of powers have a logarithm, that indices are in bounds.
//
// # tabulate
//
// A function of one loop variable, or of an element that an index picks, is computed once for each value before a nest.
package binding
