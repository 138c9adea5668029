// Package depend analyses dependences between the statements of affine programs, on
// the integer sets of package presburger, exactly and with symbolic sizes.
//
// # Direction and distance
//
// A Tester decides whether instances of two statements may access the same element,
// and with which direction vectors in the loops around both:
//
//	t := depend.NewTester("N")
//	a, err := t.Access(domain, write) // { S[i] -> A[i] }
//	b, err := t.Access(domain, read)  // { S[i] -> A[i - 1] }
//	d, err := t.Test(a, b, 1)         // (1): carried by the loop, at distance 1
//
// The question is one of integer points. Its equations are solved over the integers
// first, by substitution and Euclid's algorithm, which is the GCD test where they have
// no solution. Distances become variables in place of the iterations of one side. All others are eliminated
// (Fourier and Motzkin), which is exact where a coefficient is one. The signs are found loop by loop (Burke
// and Cytron, "Interprocedural dependence analysis and parallelization", 1986). Where an elimination is not
// exact, the real shadow proves independence and the dark shadow dependence (Pugh, "The Omega test", 1991);
// what is between is left to presburger, as are coefficients beyond 31 bits. The cheap exact tests decide
// nearly all cases of programs: Maydan, Hennessy and Lam, "Efficient and exact data dependence analysis",
// 1991; Goff, Kennedy and Tseng, "Practical dependence testing", 1991.
//
// # Flow
//
// Accesses.Flow tells which write a value comes from, for each read: the last one
// before it that accesses the same element (Feautrier, "Dataflow analysis of array and
// scalar references", 1991; Pugh and Wonnacott, "An exact method for analysis of
// value-based array data dependences", 1993). Sources of a sink are looked for from
// the deepest loop outward: at each level those in the same iteration of the loops
// around it and an earlier one of it; parametric integer programming takes the lexicographic maximum of time
// of these; sinks that have one are done. A source that may be done, or not, is one besides the last that is
// (Verdoolaege, "isl: an integer set library for the polyhedral model", 2010, whose union_access_info gives
// the same relations, but where instances of one statement share a time: there isl takes one of them for the
// last, here each may be).
package depend
