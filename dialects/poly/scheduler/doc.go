// Package scheduler finds schedules: for the instances of statements and the dependences
// between them, a schedule tree that respects these. It is one of affine functions, the
// rows of each statement. Package schedule has a checker that proves what is found here.
//
//	r, err := scheduler.Schedule(scheduler.Problem{Domain: d, Validity: m, Proximity: m, Coincidence: m}, scheduler.Options{})
//
// # Rows
//
// A row has to satisfy a dependence weakly, that is not to order a sink before its source,
// or strongly: after it. That it does so on all of a polyhedron is said by Farkas' lemma;
// here its multipliers are gone from the start: dependences are kept as vertices, rays and
// lines, at each of which the row gives one linear constraint on its coefficients
// (presburger.Generators). What a row that satisfies a dependence weakly leaves of it is
// the face on which the distance is 0, which is those generators that have it. The
// coefficients are those of an integer program, of which only constraints that bind become
// part (presburger.LexProgram).
//
// # Algorithms
//
//   - Pluto: bands of rows that all satisfy weakly what there is, independent of each
//     other, with a bound u.n + w on the distances that is minimized: Bondhugula and others, "Automatic
//     transformations for communication-minimized parallelization and locality optimization in the polyhedral
//     model", CC 2008. Coefficients may be negative, as in Pluto+ (Acharya and Bondhugula, 2015): that a row
//     is not zero on the directions that are left is decided by branching on the first of them, and its sign.
//     Where there is no such row the strongly connected components are distributed, and one of them gets a
//     row of Feautrier's.
//   - Feautrier: each row satisfies strongly as many dependences as any can ("Some
//     efficient solutions to the affine scheduling problem", parts I and II, 1992).
//   - ILP: all rows by one integer program (Pouchet and others, POPL 2011; Yang, Atkinson
//     and Carbin, POPL 2021, section 3.3), for small problems.
//   - Sequential: strongly connected components one after the other at each level, in them
//     one loop with small coefficients, or the original order where there is one. Where arrays are to be kept
//     small, a component in which values go round takes others into its loop: those that live with it for a
//     bounded number of iterations. Each gets the row with the shortest lifetimes: of a recurrence that is
//     kept for one answer only the last round is left (compare Darte and Huard, 2005, whose fusion is by
//     whole loops).
//
// Where there is no schedule FindCycle looks for instances that wait for each other.
//
// A search has a budget of work; when it is used up the sequential schedule is the answer,
// and a note says so.
package scheduler
