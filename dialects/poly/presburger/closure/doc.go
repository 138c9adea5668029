// Package closure computes the transitive closure of a relation between integer tuples:
// the pairs that one or more steps of the relation lead from and to.
//
// A closure of affine relations need not be affine, so the answer is a relation that
// holds it, and a flag that says whether it is the closure itself. The flag is a proof:
// it is set only where every pair of the answer was shown to be a path.
//
//	closure, exact := closure.Of(m)
//	powers, exact := closure.Power(m) // { [k] -> [x -> y] }: y is k steps from x
//
// # Theory
//
// The relation is taken apart into conjunctions, and these into strongly connected
// components: a path goes through the components in their order. So the closure is put together from theirs
// (Verdoolaege, Cohen and Beletska, "Transitive closures of affine integer tuple relations and their
// overapproximations", SAS 2011, section 5). For a component the following are tried until one is exact; what
// they give otherwise is intersected.
//
//   - It is transitive already.
//   - Paths: the differences of the pairs of conjunction i are a set, and k steps of it
//     lie in k times its constraints ("d-form" and translations: Kelly, Pugh, Rosser and
//     Shpeisman, "Transitive closure of infinite graphs and its applications", 1996). A
//     constraint with parameters stays if it holds for several steps where it does for
//     one. The sums, by their lengths, are then checked: those of length 1 are in the
//     relation, those of length k one step after one of length k - 1 (SAS 2011, section 4).
//   - Squaring: what does not grow any more is exact.
//   - Conjunctions that commute are closed one after the other (SAS 2011, section 5.1).
//   - Several sets of points that the relation leads between are the states of an
//     automaton (Floyd and Warshall, Kleene; SAS 2011, section 5.2).
//   - One conjunction with an exact closure is closed first and the others with that
//     between their steps (Kelly and others 1996, section 4.2).
//
// An operation that takes too long ends its method. All that is left then is that a path
// goes from the domain to the range.
package closure
