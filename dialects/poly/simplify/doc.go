// Package simplify lowers the complexity of reductions: of equations over polyhedral domains it
// makes others that compute the same with fewer instances.
//
// # One reduction
//
// A reduction X[f(x)] += E(x) over a domain D shares work along a vector r where E(x) = E(x - r):
// its share space is the kernel of what E reads (Gautam and Rajopadhye, "Simplifying reductions",
// POPL 2006). Let D' be D moved by r. Then X[a] has what X[a - f(r)] has, and what is in D alone
// besides, without what is in D' alone:
//
//	X[a]    += X[a - f(r)]   over a in f(D and D')       what is reused, or copied
//	X[f(x)] += E(x)          over x in D \ D'            what is added
//	X[f(x)] += -E(x - r)     over x in D' \ D            what is subtracted, where f(x) reuses
//
// These are equations like all others, so that no case has to be told from another. The
// difference of D and D' lies along the facets of D: those whose constraint grows along r are
// added, those whose constraint falls are subtracted; a facet whose constraint does not vary
// within an answer (a boundary) gives nothing to subtract, as no answer beyond it is asked for.
// Only an operator with an inverse can subtract. What is added and subtracted is reduced again, by a vector
// of its own. So each face of D has a vector (lemma 5.3 of Yang, Atkinson and Carbin, "Simplifying dependent
// reductions in the polyhedral model", POPL 2021). Where nothing is added or subtracted all answers along r
// are equal, and one is kept.
//
// # What enables it
//
// A reduction is taken apart into an inner and an outer one (decomposition); factors that are the
// same for an answer are taken out (distributivity); sums of sums are separated (same operator), and
// products of sums of integers are multiplied out first, which loses digits of floats; what is the
// same for all of an answer is counted, a multiple or a power of it (higher-order operator), or taken
// once (idempotence); a reduction over answers that nothing else reads becomes one with theirs
// (composition), where that costs less: it is the inverse of decomposition, so that a sum can be
// taken apart in another way than it is written; cases by affine conditions become domains; a domain is split where an operator
// without inverse has one direction on either side (Narmour, Yuki and Rajopadhye, 2025); windows that
// move on and stay as long are a suffix of one block of data and a prefix of the next (van Herk, 1992). A search
// takes the plan of the least complexity; it stops where a plan costs no more than to write the
// answers down.
//
// # Reductions that depend on each other
//
// A vector of reuse makes X[a] wait for X[a - f(r)]. It is taken if the elements of all arrays can
// still be put in an order (package scheduler). If not, the reduction may accumulate in a temporary,
// whose elements X then takes (listings 6 and 7 of the same paper): then elements of the temporary wait
// for each other, and those of X for them. If that has no order either there is a cycle, which is told.
package simplify
