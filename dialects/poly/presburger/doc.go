// Package presburger computes with sets of integer tuples and relations between
// them that affine constraints describe, exactly.
//
// A Set or Map is a union of conjunctions of affine equations and inequalities over
// its parameters, its dimensions and integer variables that exist, such as floor(i/3).
// It reads and prints isl's notation:
//
//	s, err := presburger.ParseSet("[N] -> { S[i, j] : 0 <= i < N and j = 2i mod 3 }")
//
// Values do not change and may be shared by goroutines. Integers are int64 as long
// as they fit and big ones beyond that. An operation that may take long stops with
// ErrBudget when its budget of work is used up; it never gives a wrong answer.
//
// # Theory
//
// Conjunctions are kept with equations in echelon form. A variable that exists is
// either a floor of the others or unknown; where a set is subtracted, unknown ones
// are first replaced by floors, by a unimodular transformation of the equations that
// use them and by exact elimination otherwise: Fourier-Motzkin elimination where it
// is exact on integers, else its dark shadow and splinters (Pugh, "A practical
// algorithm for exact array dependence analysis", CACM 1992).
//
// Whether a conjunction has an integer point is decided on the lattice of solutions
// of its equations (Schrijver, "Theory of Linear and Integer Programming", 4.1) by
// the simplex method with branch and bound, and by elimination where that takes long.
//
// Lexicographic optima are parametric integer programs: the lexicographic dual
// simplex method with Gomory cuts and a context of what is known of the parameters,
// which is split where a sign depends on them (Feautrier, "Parametric integer
// programming", 1988).
//
// Points are counted by generating functions of the cones at the parametric vertices
// (Barvinok, "A polynomial time algorithm for counting integral points in polyhedra
// when the dimension is fixed", 1994); see barvinok.go. The names of operations are those of isl (Verdoolaege, "isl:
// an integer set library for the polyhedral model", 2010) where they mean the same.
package presburger
