// Package presburger computes with sets of integer tuples, relations between them and
// functions on them that affine constraints describe, exactly.
//
// A Set or Map is a union of conjunctions of affine equations and inequalities over
// its parameters, its dimensions and integer variables that exist, such as floor(i/3).
// A PwAff or PwMultiAff is a function that is quasi-affine, that is affine with floors,
// on each of disjoint sets. All read and print isl's notation:
//
//	s, err := presburger.ParseSet("[N] -> { S[i, j] : 0 <= i < N and j = 2i mod 3 }")
//	f, err := presburger.ParsePwAff("[N] -> { S[i, j] -> [min(i, N - j)] }")
//
// A program makes them without a text: SetOf and MapOf of rows of numbers, SetWhere of a
// Formula.
//
// Values do not change and may be shared by goroutines. Integers are int64 as long
// as they fit and big ones beyond that. An operation that may take long stops with
// ErrBudget when its budget of work is used up (see Set.WithBudget); it never gives a
// wrong answer. Names are those of isl where they mean the same (Verdoolaege, "isl: an
// integer set library for the polyhedral model", 2010; "Presburger formulas and
// polyhedral compilation", 2016). The command irc sets calls every operation.
//
// # What there is
//
//   - sets and maps: Intersect, Union, Subtract, Complement, products, Apply, Compose,
//     Inverse, Domain, Range, Deltas, lexicographic orders, ProjectOut, Fix, wrapping
//   - questions: IsEmpty, IsSubset, IsEqual, IsDisjoint, IsBounded, IsSingleValued,
//     IsInjective, Contains, Sample
//   - other texts for the same points: Gist, Coalesce, RemoveRedundancies,
//     DetectEqualities, MakeDisjoint; larger ones: AffineHull, LatticeHull, SimpleHull,
//     PolyhedralHull
//   - optima: LexMin and LexMax, DimMin and DimMax as functions of the parameters;
//     MinVal and MaxVal (integer programs), LPMin and LPMax (linear ones)
//   - functions: arithmetic, Min, Max, Cond, comparison as sets, Pullback, Eval,
//     AsMap and AsPwMultiAff
//   - points: Points in order, Card as a function of the parameters and its Complexity,
//     Vertices of polytopes and their Chambers
//   - generators: Generators of the rational relaxation (vertices, rays, lines), and
//     Coefficients of the affine functions that are at least 0 on it (Farkas' lemma)
//   - directions: LinealitySpace, Kernel, HermiteNormalForm, SmithNormalForm
//
// # Theory
//
// Conjunctions are kept with equations in echelon form. A variable that exists is
// either a floor of the others or unknown; where a set is subtracted, unknown ones are first replaced by
// floors. That is done by a unimodular transformation of the equations that use them, by their least values
// where bounds give these, and by exact elimination otherwise: Fourier-Motzkin elimination where it is exact
// on integers, else its dark shadow and splinters (Pugh, "A practical algorithm for exact array dependence
// analysis", CACM 1992).
//
// Whether a conjunction has an integer point is decided on the lattice of solutions of its equations
// (Schrijver, "Theory of Linear and Integer Programming", 4.1). The method is the simplex method with branch
// and bound, and by elimination where that takes long. An integer program asks for points below the middle of
// what is left between the rational optimum and the best point, so it ends on unbounded sets as well.
//
// Lexicographic optima are parametric integer programs: the lexicographic dual
// simplex method with Gomory cuts and a context of what is known of the parameters. It is split where a sign
// depends on them (Feautrier, "Parametric integer programming", 1988). A single-valued map is converted to a
// function by reading values off its equations and bounds, and by such a program where that is not enough.
//
// The generators of a polyhedron are found by the double description method (Fukuda and
// Prodon, "Double description method revisited", 1996). A LexProgram is an integer
// program whose constraints are added as it goes, for problems that have more of them
// than bind: schedulers ask one for coefficients (see package scheduler).
//
// A hull of integer points starts from one point. For the affine hull each equation
// of it is tried at points found off it (Karr, "Affine relationships among variables
// of a program", 1976); for the lattice hull differences of points are generators,
// kept in Hermite normal form (Cohen, "A Course in Computational Algebraic Number
// Theory", 2.4), until no point is left. The polyhedral hull is a projection (Balas,
// "Disjunctive programming", 1979). Directions in which a set goes on are those
// of the cones of its conjunctions; a kernel is a lattice of moves, of the dimensions
// and of the floors with them.
//
// The vertices of a parametric polytope are choices of constraints whose solution
// satisfies the others on an activity domain; chambers are where these overlap
// (Loechner and Wilde, "Parameterized polyhedra and their vertices", 1997). Points are
// counted by generating functions of the cones at the parametric vertices (Barvinok, "A
// polynomial time algorithm for counting integral points in polyhedra when the
// dimension is fixed", 1994; Verdoolaege and others, "Counting integer points in
// parametric polytopes using Barvinok's rational functions", 2007); see internal/count.
// The order of growth of a count is read off its polynomials, with fractions in the
// place of floors; see Complexity.
package presburger
