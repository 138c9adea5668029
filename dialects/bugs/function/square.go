package function

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// pivot finds the row from c on with the largest element of column c, and exchanges it
// with row c in all of the matrices. It gives the element and whether rows changed.
func pivotRow(k kit.Ops, c ir.Value, a kit.View, others ...kit.View) (x, moved ir.Value) {
	b := k.B
	best := k.Fold(a.N, []ir.Value{k.Num(-1), c}, func(i ir.Value, acc []ir.Value) []ir.Value {
		y := k.Abs(a.Load(k, i, c))
		better := k.And(arith.CmpI(b, arith.SGE, i, c), k.Cmp(arith.OGT, y, acc[0]))
		return []ir.Value{k.Pick(better, y, acc[0]), arith.Choose(b, better, i, acc[1])}
	})
	row := best[1]
	for _, m := range append([]kit.View{a}, others...) {
		k.Each(b.Index(0), a.N, func(j ir.Value) {
			x, y := m.Load(k, c, j), m.Load(k, row, j)
			m.Store(k, y, c, j)
			m.Store(k, x, row, j)
		})
	}
	return a.Load(k, c, c), arith.CmpI(b, arith.NE, row, c)
}

// lowerInverse is the elimination of Gauss and Jordan with partial pivoting (Golub and
// Van Loan, Matrix Computations, section 3.4): NaN for a singular matrix.
func lowerInverse(k kit.Ops, w kit.Workspace, out kit.View, p []kit.View) ir.Value {
	n, b := p[0].N, k.B
	a := w.Matrix(k, n)
	k.Copy(a, p[0])
	k.EachOf(out, func(i []ir.Value) {
		out.Store(k, arith.Choose(b, arith.CmpI(b, arith.EQ, i[0], i[1]), k.Num(1), k.Num(0)), i...)
	})
	ok := k.Fold(n, []ir.Value{k.Num(1)}, func(c ir.Value, acc []ir.Value) []ir.Value {
		x, _ := pivotRow(k, c, a, out)
		for _, m := range []kit.View{a, out} {
			k.Each(b.Index(0), n, func(j ir.Value) { m.Store(k, k.Div(m.Load(k, c, j), x), c, j) })
		}
		k.Each(b.Index(0), n, func(i ir.Value) {
			f := arith.Choose(b, arith.CmpI(b, arith.EQ, i, c), k.Num(0), a.Load(k, i, c))
			for _, m := range []kit.View{a, out} {
				k.Each(b.Index(0), n, func(j ir.Value) {
					m.Store(k, k.Sub(m.Load(k, i, j), k.Mul(f, m.Load(k, c, j))), i, j)
				})
			}
		})
		fine := k.And(k.IsFinite(x), k.Positive(k.Abs(x)))
		return []ir.Value{k.Least(acc[0], k.Flag(fine))}
	})[0]
	k.EachOf(out, func(i []ir.Value) { out.Store(k, k.Valid(k.Positive(ok), out.Load(k, i...)), i...) })
	return 0
}

// lowerLogDet sums the logarithms of the pivots: NaN for a negative determinant, -Inf
// for a singular matrix.
func lowerLogDet(k kit.Ops, w kit.Workspace, _ kit.View, p []kit.View) ir.Value {
	n, b := p[0].N, k.B
	a := w.Matrix(k, n)
	k.Copy(a, p[0])
	acc := k.Fold(n, []ir.Value{k.Num(0), k.Num(1)}, func(c ir.Value, acc []ir.Value) []ir.Value {
		x, moved := pivotRow(k, c, a)
		safe := k.Pick(k.Positive(k.Abs(x)), x, k.Num(1))
		k.Each(arith.AddI(b, c, b.Index(1)), n, func(i ir.Value) {
			f := k.Div(a.Load(k, i, c), safe)
			k.Each(c, n, func(j ir.Value) {
				a.Store(k, k.Sub(a.Load(k, i, j), k.Mul(f, a.Load(k, c, j))), i, j)
			})
		})
		sign := k.Pick(k.Cmp(arith.OLT, x, k.Num(0)), k.Neg(acc[1]), acc[1])
		return []ir.Value{k.Plus(acc[0], k.Log(k.Abs(x))), arith.Choose(b, moved, k.Neg(sign), sign)}
	})
	singular := k.Cmp(arith.OEQ, acc[0], k.Num(gomath.Inf(-1)))
	return k.Valid(k.Or(k.Positive(acc[1]), singular), acc[0])
}

// times is out = x y for square matrices; out is neither of them.
func times(k kit.Ops, out, x, y kit.View) {
	k.EachOf(out, func(i []ir.Value) {
		s := k.Fold(x.N, []ir.Value{k.Num(0)}, func(m ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.Add(acc[0], k.Mul(x.Load(k, i[0], m), y.Load(k, m, i[1])))}
		})[0]
		out.Store(k, s, i...)
	})
}

// expTerms is up to which power of a matrix with a norm of at most a half its series is
// summed: the rest is below 1e-25.
const expTerms = 18

// lowerMatrixExp scales the matrix by a power of 2, sums the series, and squares as
// often (Moler and Van Loan 2003, Nineteen dubious ways, method 3).
func lowerMatrixExp(k kit.Ops, w kit.Workspace, out kit.View, p []kit.View) ir.Value {
	n, b := p[0].N, k.B
	a, term, next := w.Matrix(k, n), w.Matrix(k, n), w.Matrix(k, n)
	norm := k.Fold(n, []ir.Value{k.Num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		row := k.Fold(n, []ir.Value{k.Num(0)}, func(j ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.Add(acc[0], k.Abs(p[0].Load(k, i, j)))}
		})
		return []ir.Value{arith.Float(b, arith.Maximumf, 0, acc[0], row[0])}
	})[0]
	many := k.Add(arith.Float(b, math.Ceil, 0, arith.Float(b, math.Log2, 0, norm)), k.Num(1))
	many = k.Pick(k.Between(many, k.Num(0), k.Num(1030)), many, k.Num(0))
	scale := arith.Float(b, math.Exp2, 0, k.Neg(many))
	k.EachOf(a, func(i []ir.Value) {
		one := arith.Choose(b, arith.CmpI(b, arith.EQ, i[0], i[1]), k.Num(1), k.Num(0))
		a.Store(k, k.Mul(p[0].Load(k, i...), scale), i...)
		term.Store(k, one, i...)
		out.Store(k, one, i...)
	})
	k.Each(b.Index(1), b.Index(expTerms+1), func(m ir.Value) {
		times(k, next, term, a)
		k.EachOf(out, func(i []ir.Value) {
			x := k.Div(next.Load(k, i...), k.ToFloat(m))
			term.Store(k, x, i...)
			out.Store(k, k.Add(out.Load(k, i...), x), i...)
		})
	})
	k.Each(b.Index(0), k.ToIndex(many), func(ir.Value) {
		times(k, next, out, out)
		k.Copy(out, next)
	})
	return 0
}

// maxSweeps bounds the sweeps of Jacobi's method, of which ten are many.
const maxSweeps = 60

// lowerEigenValues is Jacobi's cyclic method (Golub and Van Loan, section 8.5): the
// eigenvalues of a symmetric matrix, the largest first; NaN for another.
func lowerEigenValues(k kit.Ops, w kit.Workspace, out kit.View, p []kit.View) ir.Value {
	n, b := p[0].N, k.B
	a := w.Matrix(k, n)
	norm := k.Fold(n, []ir.Value{k.Num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		row := k.Fold(n, []ir.Value{k.Num(0)}, func(j ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.Add(acc[0], k.Abs(p[0].Load(k, i, j)))}
		})
		return []ir.Value{arith.Float(b, arith.Maximumf, 0, acc[0], row[0])}
	})[0]
	ok := k.Fold(n, []ir.Value{k.Flag(k.IsFinite(norm))}, func(i ir.Value, acc []ir.Value) []ir.Value {
		return k.Fold(n, acc, func(j ir.Value, acc []ir.Value) []ir.Value {
			x, y := p[0].Load(k, i, j), p[0].Load(k, j, i)
			a.Store(k, k.Add(k.Half(x), k.Half(y)), i, j)
			near := k.Cmp(arith.OLE, k.Abs(arith.SubF(b, x, y)), k.Mul(k.Num(kit.SymmetrySlack), norm))
			return []ir.Value{k.Least(acc[0], k.Flag(near))}
		})
	})[0]
	k.Repeat([]ir.Value{k.Num(0)}, func(s []ir.Value) ir.Value {
		off := k.Fold(n, []ir.Value{k.Num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
			return k.Fold(i, acc, func(j ir.Value, acc []ir.Value) []ir.Value {
				return []ir.Value{arith.Float(b, arith.Maximumf, 0, acc[0], k.Abs(a.Load(k, i, j)))}
			})
		})[0]
		small := k.Cmp(arith.OGT, off, k.Mul(k.Num(1e-18), norm))
		return k.And(k.And(small, k.Positive(ok)), k.Cmp(arith.OLT, s[0], k.Num(maxSweeps)))
	}, func(s []ir.Value) []ir.Value {
		k.Each(b.Index(1), n, func(q ir.Value) {
			k.Each(b.Index(0), q, func(p ir.Value) { rotate(k, a, p, q) })
		})
		return []ir.Value{k.Add(s[0], k.Num(1))}
	})
	// Each position gets the largest of the rest.
	k.Each(b.Index(0), n, func(i ir.Value) {
		best := k.Fold(n, []ir.Value{k.Num(gomath.Inf(-1)), i}, func(j ir.Value, acc []ir.Value) []ir.Value {
			x := a.Load(k, j, j)
			better := k.And(arith.CmpI(b, arith.SGE, j, i), k.Cmp(arith.OGT, x, acc[0]))
			return []ir.Value{k.Pick(better, x, acc[0]), arith.Choose(b, better, j, acc[1])}
		})
		x, y := a.Load(k, i, i), a.Load(k, best[1], best[1])
		a.Store(k, x, best[1], best[1])
		a.Store(k, y, i, i)
		out.Store(k, k.Valid(k.Positive(ok), y), i)
	})
	return 0
}

// rotate makes element (p, q) of a symmetric matrix zero.
func rotate(k kit.Ops, a kit.View, p, q ir.Value) {
	app, aqq, apq := a.Load(k, p, p), a.Load(k, q, q), a.Load(k, p, q)
	some := k.Positive(k.Abs(apq))
	theta := k.Div(k.Sub(aqq, app), k.Mul(k.Num(2), k.Pick(some, apq, k.Num(1))))
	size := k.Abs(theta)
	// 1/(size + sqrt(size^2 + 1)), which is 0 for a size whose square overflows.
	t := k.Div(k.Num(1), k.Add(size, k.Sqrt(k.Add(k.Mul(size, size), k.Num(1)))))
	t = k.Pick(k.Cmp(arith.OLT, theta, k.Num(0)), k.Neg(t), t)
	t = k.Pick(some, t, k.Num(0))
	c := k.Div(k.Num(1), k.Sqrt(k.Add(k.Mul(t, t), k.Num(1))))
	s := k.Mul(t, c)
	k.Each(k.B.Index(0), a.N, func(i ir.Value) {
		x, y := a.Load(k, i, p), a.Load(k, i, q)
		a.Store(k, k.Sub(k.Mul(c, x), k.Mul(s, y)), i, p)
		a.Store(k, k.Add(k.Mul(s, x), k.Mul(c, y)), i, q)
	})
	k.Each(k.B.Index(0), a.N, func(i ir.Value) {
		x, y := a.Load(k, p, i), a.Load(k, q, i)
		a.Store(k, k.Sub(k.Mul(c, x), k.Mul(s, y)), p, i)
		a.Store(k, k.Add(k.Mul(s, x), k.Mul(c, y)), q, i)
	})
}
