package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

// pivot finds the row from c on with the largest element of column c, and exchanges it
// with row c in all of the matrices. It gives the element and whether rows changed.
func (k kit) pivot(c ir.Value, a view, others ...view) (x, moved ir.Value) {
	b := k.b
	best := k.fold(a.n, []ir.Value{k.num(-1), c}, func(i ir.Value, acc []ir.Value) []ir.Value {
		y := k.abs(a.load(k, i, c))
		better := k.and(arith.CmpI(b, arith.SGE, i, c), k.cmp(arith.OGT, y, acc[0]))
		return []ir.Value{k.pick(better, y, acc[0]), arith.Choose(b, better, i, acc[1])}
	})
	row := best[1]
	for _, m := range append([]view{a}, others...) {
		k.each(b.Index(0), a.n, func(j ir.Value) {
			x, y := m.load(k, c, j), m.load(k, row, j)
			m.store(k, y, c, j)
			m.store(k, x, row, j)
		})
	}
	return a.load(k, c, c), arith.CmpI(b, arith.NE, row, c)
}

// lowerInverse is the elimination of Gauss and Jordan with partial pivoting (Golub and
// Van Loan, Matrix Computations, section 3.4): NaN for a singular matrix.
func lowerInverse(k kit, w workspace, out view, p []view) ir.Value {
	n, b := p[0].n, k.b
	a := w.matrix(k, 0, n)
	k.copy(a, p[0])
	k.eachOf(out, func(i []ir.Value) {
		out.store(k, arith.Choose(b, arith.CmpI(b, arith.EQ, i[0], i[1]), k.num(1), k.num(0)), i...)
	})
	ok := k.fold(n, []ir.Value{k.num(1)}, func(c ir.Value, acc []ir.Value) []ir.Value {
		x, _ := k.pivot(c, a, out)
		for _, m := range []view{a, out} {
			k.each(b.Index(0), n, func(j ir.Value) { m.store(k, k.div(m.load(k, c, j), x), c, j) })
		}
		k.each(b.Index(0), n, func(i ir.Value) {
			f := arith.Choose(b, arith.CmpI(b, arith.EQ, i, c), k.num(0), a.load(k, i, c))
			for _, m := range []view{a, out} {
				k.each(b.Index(0), n, func(j ir.Value) {
					m.store(k, k.sub(m.load(k, i, j), k.mul(f, m.load(k, c, j))), i, j)
				})
			}
		})
		fine := k.and(k.isFinite(x), k.positive(k.abs(x)))
		return []ir.Value{k.least(acc[0], k.flag(fine))}
	})[0]
	k.eachOf(out, func(i []ir.Value) { out.store(k, k.valid(k.positive(ok), out.load(k, i...)), i...) })
	return 0
}

// lowerLogDet sums the logarithms of the pivots: NaN for a negative determinant, -Inf
// for a singular matrix.
func lowerLogDet(k kit, w workspace, _ view, p []view) ir.Value {
	n, b := p[0].n, k.b
	a := w.matrix(k, 0, n)
	k.copy(a, p[0])
	acc := k.fold(n, []ir.Value{k.num(0), k.num(1)}, func(c ir.Value, acc []ir.Value) []ir.Value {
		x, moved := k.pivot(c, a)
		safe := k.pick(k.positive(k.abs(x)), x, k.num(1))
		k.each(arith.AddI(b, c, b.Index(1)), n, func(i ir.Value) {
			f := k.div(a.load(k, i, c), safe)
			k.each(c, n, func(j ir.Value) {
				a.store(k, k.sub(a.load(k, i, j), k.mul(f, a.load(k, c, j))), i, j)
			})
		})
		sign := k.pick(k.cmp(arith.OLT, x, k.num(0)), k.neg(acc[1]), acc[1])
		return []ir.Value{k.plus(acc[0], k.log(k.abs(x))), arith.Choose(b, moved, k.neg(sign), sign)}
	})
	singular := k.cmp(arith.OEQ, acc[0], k.num(gomath.Inf(-1)))
	return k.valid(k.or(k.positive(acc[1]), singular), acc[0])
}

// times is out = x y for square matrices; out is neither of them.
func (k kit) times(out, x, y view) {
	k.eachOf(out, func(i []ir.Value) {
		s := k.fold(x.n, []ir.Value{k.num(0)}, func(m ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.add(acc[0], k.mul(x.load(k, i[0], m), y.load(k, m, i[1])))}
		})[0]
		out.store(k, s, i...)
	})
}

// expTerms is up to which power of a matrix with a norm of at most a half its series is
// summed: the rest is below 1e-25.
const expTerms = 18

// lowerMatrixExp scales the matrix by a power of 2, sums the series, and squares as
// often (Moler and Van Loan 2003, Nineteen dubious ways, method 3).
func lowerMatrixExp(k kit, w workspace, out view, p []view) ir.Value {
	n, b := p[0].n, k.b
	a, term, next := w.matrix(k, 0, n), w.matrix(k, 1, n), w.matrix(k, 2, n)
	norm := k.fold(n, []ir.Value{k.num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		row := k.fold(n, []ir.Value{k.num(0)}, func(j ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.add(acc[0], k.abs(p[0].load(k, i, j)))}
		})
		return []ir.Value{arith.Float(b, arith.Maximumf, 0, acc[0], row[0])}
	})[0]
	many := k.add(arith.Float(b, math.Ceil, 0, arith.Float(b, math.Log2, 0, norm)), k.num(1))
	many = k.pick(k.between(many, k.num(0), k.num(1030)), many, k.num(0))
	scale := arith.Float(b, math.Exp2, 0, k.neg(many))
	k.eachOf(a, func(i []ir.Value) {
		one := arith.Choose(b, arith.CmpI(b, arith.EQ, i[0], i[1]), k.num(1), k.num(0))
		a.store(k, k.mul(p[0].load(k, i...), scale), i...)
		term.store(k, one, i...)
		out.store(k, one, i...)
	})
	k.each(b.Index(1), b.Index(expTerms+1), func(m ir.Value) {
		k.times(next, term, a)
		k.eachOf(out, func(i []ir.Value) {
			x := k.div(next.load(k, i...), k.toFloat(m))
			term.store(k, x, i...)
			out.store(k, k.add(out.load(k, i...), x), i...)
		})
	})
	k.each(b.Index(0), k.toIndex(many), func(ir.Value) {
		k.times(next, out, out)
		k.copy(out, next)
	})
	return 0
}

func (k kit) toIndex(x ir.Value) ir.Value {
	return arith.Cast(k.b, arith.IndexCast, arith.Cast(k.b, arith.Fptosi, x, ir.I64), ir.Index)
}

// maxSweeps bounds the sweeps of Jacobi's method, of which ten are many.
const maxSweeps = 60

// lowerEigenValues is Jacobi's cyclic method (Golub and Van Loan, section 8.5): the
// eigenvalues of a symmetric matrix, the largest first; NaN for another.
func lowerEigenValues(k kit, w workspace, out view, p []view) ir.Value {
	n, b := p[0].n, k.b
	a := w.matrix(k, 0, n)
	norm := k.fold(n, []ir.Value{k.num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		row := k.fold(n, []ir.Value{k.num(0)}, func(j ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.add(acc[0], k.abs(p[0].load(k, i, j)))}
		})
		return []ir.Value{arith.Float(b, arith.Maximumf, 0, acc[0], row[0])}
	})[0]
	ok := k.fold(n, []ir.Value{k.flag(k.isFinite(norm))}, func(i ir.Value, acc []ir.Value) []ir.Value {
		return k.fold(n, acc, func(j ir.Value, acc []ir.Value) []ir.Value {
			x, y := p[0].load(k, i, j), p[0].load(k, j, i)
			a.store(k, k.add(k.half(x), k.half(y)), i, j)
			near := k.cmp(arith.OLE, k.abs(arith.SubF(b, x, y)), k.mul(k.num(symmetrySlack), norm))
			return []ir.Value{k.least(acc[0], k.flag(near))}
		})
	})[0]
	k.repeat([]ir.Value{k.num(0)}, func(s []ir.Value) ir.Value {
		off := k.fold(n, []ir.Value{k.num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
			return k.fold(i, acc, func(j ir.Value, acc []ir.Value) []ir.Value {
				return []ir.Value{arith.Float(b, arith.Maximumf, 0, acc[0], k.abs(a.load(k, i, j)))}
			})
		})[0]
		small := k.cmp(arith.OGT, off, k.mul(k.num(1e-18), norm))
		return k.and(k.and(small, k.positive(ok)), k.cmp(arith.OLT, s[0], k.num(maxSweeps)))
	}, func(s []ir.Value) []ir.Value {
		k.each(b.Index(1), n, func(q ir.Value) {
			k.each(b.Index(0), q, func(p ir.Value) { k.rotate(a, p, q) })
		})
		return []ir.Value{k.add(s[0], k.num(1))}
	})
	// Each position gets the largest of the rest.
	k.each(b.Index(0), n, func(i ir.Value) {
		best := k.fold(n, []ir.Value{k.num(gomath.Inf(-1)), i}, func(j ir.Value, acc []ir.Value) []ir.Value {
			x := a.load(k, j, j)
			better := k.and(arith.CmpI(b, arith.SGE, j, i), k.cmp(arith.OGT, x, acc[0]))
			return []ir.Value{k.pick(better, x, acc[0]), arith.Choose(b, better, j, acc[1])}
		})
		x, y := a.load(k, i, i), a.load(k, best[1], best[1])
		a.store(k, x, best[1], best[1])
		a.store(k, y, i, i)
		out.store(k, k.valid(k.positive(ok), y), i)
	})
	return 0
}

// rotate makes element (p, q) of a symmetric matrix zero.
func (k kit) rotate(a view, p, q ir.Value) {
	app, aqq, apq := a.load(k, p, p), a.load(k, q, q), a.load(k, p, q)
	some := k.positive(k.abs(apq))
	theta := k.div(k.sub(aqq, app), k.mul(k.num(2), k.pick(some, apq, k.num(1))))
	size := k.abs(theta)
	// 1/(size + sqrt(size^2 + 1)), which is 0 for a size whose square overflows.
	t := k.div(k.num(1), k.add(size, k.sqrt(k.add(k.mul(size, size), k.num(1)))))
	t = k.pick(k.cmp(arith.OLT, theta, k.num(0)), k.neg(t), t)
	t = k.pick(some, t, k.num(0))
	c := k.div(k.num(1), k.sqrt(k.add(k.mul(t, t), k.num(1))))
	s := k.mul(t, c)
	k.each(k.b.Index(0), a.n, func(i ir.Value) {
		x, y := a.load(k, i, p), a.load(k, i, q)
		a.store(k, k.sub(k.mul(c, x), k.mul(s, y)), i, p)
		a.store(k, k.add(k.mul(s, x), k.mul(c, y)), i, q)
	})
	k.each(k.b.Index(0), a.n, func(i ir.Value) {
		x, y := a.load(k, p, i), a.load(k, q, i)
		a.store(k, k.sub(k.mul(c, x), k.mul(s, y)), p, i)
		a.store(k, k.add(k.mul(s, x), k.mul(c, y)), q, i)
	})
}
