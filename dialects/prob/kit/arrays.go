package kit

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
)

// Arrays computes formulas of vectors and matrices, whose indices I count from 0: in Go
// (Floats), or by making loops over memory (ArrayOps).
type Arrays[T, B, I any] interface {
	Calc[T, B]
	Index(n int64) I
	IndexAdd(i, j I) I
	IndexSub(i, j I) I
	IndexMin(i, j I) I
	IndexMax(i, j I) I
	Equal(i, j I) B
	ToFloat(i I) T
	ToIndex(x T) I
	// Fold runs body for i from 0 up to n, n excluded, over values that it carries on; Each
	// carries none.
	Fold(n I, inits []T, body func(i I, acc []T) []T) []T
	Each(lo, hi I, body func(i I))
	// LessProducts is x - a(0) b(0) - ... - a(n-1) b(n-1), in this order.
	LessProducts(x T, n I, a, b func(m I) T) T
	// PlusProducts is x + a(0) b(0) + ... + a(n-1) b(n-1), in any order.
	PlusProducts(x T, n I, a, b func(m I) T) T
	// Least and Most are NaN where one of the two is.
	Least(x, y T) T
	Most(x, y T) T
	// Exceeds says that the careful form of a formula is to be taken: of ops where a number
	// is Large, in Go always.
	Exceeds(xs ...T) B
	// Matrix and Vector are new memory for n by n and n elements, with unknown contents.
	Matrix(n I) Part[T, I]
	Vector(n I) Part[T, I]
	// Factor is Cholesky in memory of its own.
	Factor(a Part[T, I]) Factored[T, B, I]
}

// A Part is a number, a vector or a matrix, with indices from 0.
type Part[T, I any] interface {
	Number() T
	Len() I // the first extent
	Load(at ...I) T
	Store(x T, at ...I)
}

// Conditions are carried through loops as numbers, 1 and 0: the least of all tells
// whether each held. NaN is no condition's number, and Least keeps it.
//
// Flag is a condition as a number.
func Flag[T, B, I any](k Arrays[T, B, I], p B) T { return k.Pick(p, k.Num(1), k.Num(0)) }

// IsNumber holds for what is not NaN.
func IsNumber[T, B any](k Calc[T, B], x T) B { return k.Holds(arith.OEQ, x, x) }

// NumberOr is x, or another number where x is NaN.
func NumberOr[T, B any](k Calc[T, B], x T, other float64) T {
	return k.Pick(IsNumber(k, x), x, k.Num(other))
}

// LogAdd is log(e^x + e^y).
func LogAdd[T, B, I any](k Arrays[T, B, I], x, y T) T {
	top := k.Most(x, y)
	some := k.Holds(arith.OGT, top, k.Num(-Inf))
	d := k.Pick(some, k.Neg(k.Abs(k.Sub(x, y))), k.Num(0))
	return k.Pick(some, k.Add(top, k.Fn(special.Log1pexp, d)), top)
}

// Weights is the sum of probabilities that need no normalising, and whether they are
// valid.
func Weights[T, B, I any](k Arrays[T, B, I], p Part[T, I]) (total T, ok B) {
	out := k.Fold(p.Len(), []T{k.Num(0), k.Num(0)}, func(i I, acc []T) []T {
		x := p.Load(i)
		return []T{k.Plus(acc[0], x), k.Least(acc[1], x)}
	})
	ok = k.And(k.Holds(arith.OGE, out[1], k.Num(0)), k.And(Positive(k, out[0]), IsFinite(k, out[0])))
	return out[0], ok
}

// CountBelow is the number of elements strictly below t; NaN where one is NaN.
func CountBelow[T, B, I any](k Arrays[T, B, I], t T, cuts Part[T, I]) T {
	acc := k.Fold(cuts.Len(), []T{k.Num(0), k.Num(Inf)}, func(i I, acc []T) []T {
		c := cuts.Load(i)
		return []T{k.Add(acc[0], Flag(k, k.Holds(arith.OLT, c, t))), k.Least(acc[1], c)}
	})
	return Valid(k, k.And(IsNumber(k, t), IsNumber(k, acc[1])), acc[0])
}

// A Factored is the factor of a symmetric matrix (see Cholesky), the logarithm of its
// determinant, and whether it is positive definite.
type Factored[T, B, I any] struct {
	Cells  Part[T, I]
	LogDet T
	OK     B
}

// Lower is an element of L below the diagonal, Pivot one of D.
func (f Factored[T, B, I]) Lower(i, j I) T { return f.Cells.Load(j, i) }

func (f Factored[T, B, I]) Pivot(i I) T { return f.Cells.Load(i, i) }

// Cholesky factors a symmetric matrix as L D L', without roots, row by row (Golub and
// Van Loan, Matrix Computations, section 4.1): scratch gets D on the diagonal, the unit
// lower triangle L above it, transposed, and L D below. OK says whether the matrix is
// symmetric and positive definite.
func Cholesky[T, B, I any](k Arrays[T, B, I], scratch, a Part[T, I]) Factored[T, B, I] {
	diagonal := func(i I) T { return a.Load(i, i) }
	same := func(x, y, _, _ T) B { return k.Holds(arith.OEQ, x, y) }
	f, alike := cholesky(k, scratch, a, func(I) I { return k.Index(0) }, diagonal, same)
	// Most matrices are symmetric to the last digit, which takes no roots to see.
	one := k.Num(1)
	near := k.Branch(Positive(k, alike), func() T { return one }, func() T {
		return k.Fold(a.Len(), []T{one}, func(i I, acc []T) []T {
			return k.Fold(i, acc, func(j I, acc []T) []T {
				return []T{k.Least(acc[0], Flag(k, mirrored(k, a.Load(i, j), a.Load(j, i), diagonal(i), diagonal(j))))}
			})
		})[0]
	})
	f.OK = k.And(f.OK, Positive(k, near))
	return f
}

// EnvelopeCholesky is Cholesky in place of a matrix of which row and column i are 0 before
// element first[i], at most i: what is there is neither read nor written (George and Liu,
// Computer Solution of Large Sparse Positive Definite Systems, 1981, chapter 4). diagonal
// gets that of the matrix.
func EnvelopeCholesky[T, B, I any](k Arrays[T, B, I], a, first, diagonal Part[T, I]) Factored[T, B, I] {
	k.Each(k.Index(0), a.Len(), func(i I) { diagonal.Store(a.Load(i, i), i) })
	near := func(x, y, d, e T) B { return mirrored(k, x, y, d, e) }
	f, alike := cholesky(k, a, a, func(i I) I { return k.ToIndex(first.Load(i)) }, func(i I) T { return diagonal.Load(i) }, near)
	f.OK = k.And(f.OK, Positive(k, alike))
	return f
}

// mirrored says that x and y are close enough for mirrored elements in the rows of the diagonal
// elements d and e.
func mirrored[T, B, I any](k Arrays[T, B, I], x, y, d, e T) B {
	return k.Holds(arith.OLE, k.Abs(k.Minus(x, y)), k.Mul(k.Mul(k.Num(SymmetrySlack), k.Sqrt(d)), k.Sqrt(e)))
}

// cholesky begins each row at first, and scratch may be the matrix itself, whose diagonal
// elements are given. alike is 1 if near holds of all mirrored elements and their diagonal elements,
// and OK is about the pivots alone.
func cholesky[T, B, I any](k Arrays[T, B, I], scratch, a Part[T, I], first func(i I) I, diagonal func(i I) T, near func(x, y, d, e T) B) (f Factored[T, B, I], alike T) {
	// less is x minus the inner product of elements from to n of row r below and of column s
	// above the diagonal.
	less := func(x T, r, s, from, n I) T {
		at := func(m I) I { return k.IndexAdd(from, m) }
		return k.LessProducts(x, k.IndexSub(n, from), func(m I) T { return scratch.Load(r, at(m)) }, func(m I) T { return scratch.Load(at(m), s) })
	}
	one := k.Num(1)
	out := k.Fold(a.Len(), []T{one, one, one, one}, func(i I, acc []T) []T {
		diag, from := diagonal(i), first(i)
		alike := k.Fold(k.IndexSub(i, from), []T{acc[0]}, func(m I, acc []T) []T {
			j := k.IndexAdd(from, m)
			x, y := a.Load(i, j), a.Load(j, i)
			pair := k.Least(acc[0], Flag(k, near(x, y, diag, diagonal(j))))
			c := less(k.Add(Half(k, x), Half(k, y)), i, j, k.IndexMax(from, first(j)), j)
			scratch.Store(c, i, j)
			scratch.Store(k.Div(c, scratch.Load(j, j)), j, i)
			return []T{pair}
		})[0]
		pivot := less(diag, i, i, from, i)
		scratch.Store(pivot, i, i)
		definite := k.Holds(arith.OGT, pivot, k.Mul(k.Num(PivotSlack), diag))
		det := k.Mul(acc[2], pivot)
		return []T{alike, k.Least(acc[1], Flag(k, definite)), det, k.Least(acc[3], Flag(k, k.Holds(arith.OGE, det, k.Num(leastDet))))}
	})
	f.Cells = scratch
	f.LogDet = logDet(k, f, a.Len(), out[2], Positive(k, out[3]))
	f.OK = k.And(Positive(k, out[1]), IsFinite(k, f.LogDet))
	return f, out[0]
}

// leastDet and mostDet are between which a product of pivots has kept all of its digits.
const leastDet, mostDet = 1e-290, 1e290

// logDet is the logarithm of a product of pivots, which was never too small if large holds; where it
// became too small or too large, the sum of theirs.
func logDet[T, B, I any](k Arrays[T, B, I], f Factored[T, B, I], n I, det T, large B) T {
	kept := k.And(large, k.Holds(arith.OLE, det, k.Num(mostDet)))
	return k.Branch(kept, func() T { return k.Log(det) }, func() T {
		return k.Fold(n, []T{k.Num(0)}, func(i I, acc []T) []T { return []T{k.Plus(acc[0], k.Log(f.Pivot(i)))} })[0]
	})
}
