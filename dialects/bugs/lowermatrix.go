package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// maxRows bounds matrices that are factored.
const maxRows = 4096

// matrixRows bounds the rows of the matrices of a bugs.multivariate by the shapes of
// the arrays that they are parts of; 0 if it has none. All extents are equal.
func matrixRows(g *ir.Graph, v ir.Value) int64 {
	c, args := g.Ctx, g.Args(v)
	ps, _ := operandParts(c.Ints(g.Attr(v, "ranges")), args, func(i int) int { return arrayRank(c, g.Type(args[i])) })
	least, matrix := int64(gomath.MaxInt64), false
	for _, p := range ps {
		matrix = matrix || p.rank() > 1
		for d, ranged := range p.ranged {
			if ranged {
				least = min(least, c.Info(g.Type(p.array)).Shape[d])
			}
		}
	}
	if !matrix {
		return 0
	}
	return least
}

// A factor is that of a symmetric matrix (see cholesky), the logarithm of its
// determinant, and whether it is positive definite.
type factor struct {
	cells
	logDet, ok ir.Value
}

// cells are where a factor is: in memory, or values if the matrix is small.
type cells struct {
	mem  ir.Value
	vals map[[2]ir.Value]ir.Value // by indices, which are constants
}

func (c cells) load(k kit, i, j ir.Value) ir.Value {
	if c.vals != nil {
		return c.vals[[2]ir.Value{i, j}]
	}
	return k.b.Op(memref.Load, c.mem, i, j)
}

func (c cells) store(k kit, x, i, j ir.Value) {
	if c.vals != nil {
		c.vals[[2]ir.Value{i, j}] = x
		return
	}
	k.b.Op(memref.Store, x, c.mem, i, j)
}

// lower is an element of L below the diagonal, pivot one of D.
func (f factor) lower(k kit, i, j ir.Value) ir.Value { return f.load(k, j, i) }
func (f factor) pivot(k kit, i ir.Value) ir.Value    { return f.load(k, i, i) }

// nodeItself stands for the node where parameters are counted from 0.
const nodeItself = -1

// cholesky factors a parameter of the node at hand, unless that was done before.
func (w workspace) cholesky(k kit, param int, a view) factor {
	if f, ok := w.factored[param]; ok {
		return f
	}
	c := cells{mem: w.factor}
	if n, ok := k.b.Graph().Const(a.n); ok && k.straight(int64(n.Bits)) {
		c = cells{vals: map[[2]ir.Value]ir.Value{}}
	}
	logDet, ok := k.cholesky(c, a)
	return factor{c, logDet, ok}
}

func (k kit) sqrt(x ir.Value) ir.Value { return arith.Float(k.b, math.Sqrt, 0, x) }

// cholesky factors a symmetric matrix as L D L', without roots, row by row (Golub and
// Van Loan, Matrix Computations, section 4.1): scratch gets D on the diagonal, the unit
// lower triangle L above it, transposed, and L D below. It gives the logarithm of the
// determinant; ok says whether the matrix is symmetric and positive definite.
func (k kit) cholesky(scratch cells, a view) (logDet, ok ir.Value) {
	b := k.b
	at := func(i, j ir.Value) ir.Value { return scratch.load(k, i, j) }
	// less is x minus the inner product of the first n elements of row r below and of
	// column s above the diagonal.
	less := func(x, r, s, n ir.Value) ir.Value {
		return k.fold(n, []ir.Value{x}, func(m ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.sub(acc[0], k.mul(at(r, m), at(m, s)))}
		})[0]
	}
	out := k.fold(a.n, []ir.Value{k.num(0), k.num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		diag := a.load(k, i, i)
		sym := k.fold(i, []ir.Value{acc[1]}, func(j ir.Value, acc []ir.Value) []ir.Value {
			x, y := a.load(k, i, j), a.load(k, j, i)
			slack := k.mul(k.mul(k.num(symmetrySlack), k.sqrt(diag)), k.sqrt(a.load(k, j, j)))
			near := k.cmp(arith.OLE, k.abs(arith.SubF(b, x, y)), slack)
			c := less(k.add(k.half(x), k.half(y)), i, j, j)
			scratch.store(k, c, i, j)
			scratch.store(k, k.div(c, at(j, j)), j, i)
			return []ir.Value{k.least(acc[0], k.flag(near))}
		})[0]
		pivot := less(diag, i, i, i)
		scratch.store(k, pivot, i, i)
		return []ir.Value{k.plus(acc[0], k.log(pivot)), k.least(sym, k.flag(k.cmp(arith.OGT, pivot, k.mul(k.num(pivotSlack), diag))))}
	})
	return out[0], k.and(k.positive(out[1]), k.isFinite(out[0]))
}

// location is what dmnorm and dmt share: the squared distance of x from p[0] in the
// metric of p[1], half the logarithm of its determinant, and validity.
func (k kit) location(w workspace, x view, p []view) (q, half, ok ir.Value) {
	b := k.b
	f := w.cholesky(k, 1, p[1])
	n := p[1].n // as the factor has; the node has as many elements
	zero, one := k.num(0), k.num(1)
	// Row j of the transposed triangle times x - mu, squared, never gives less than 0.
	out := k.fold(n, []ir.Value{zero, one}, func(j ir.Value, acc []ir.Value) []ir.Value {
		z := func(i ir.Value) ir.Value { return k.sub(x.load(k, i), p[0].load(k, i)) }
		next := arith.AddI(b, j, b.Index(1))
		s := k.fold(arith.SubI(b, n, next), []ir.Value{z(j)}, func(m ir.Value, acc []ir.Value) []ir.Value {
			i := arith.AddI(b, next, m)
			return []ir.Value{k.add(acc[0], k.mul(f.lower(k, i, j), z(i)))}
		})[0]
		finite := k.flag(k.isFinite(p[0].load(k, j)))
		return []ir.Value{k.add(acc[0], k.quadratic(f.pivot(k, j), s)), k.least(acc[1], finite)}
	})
	return out[0], k.half(f.logDet), k.and(f.ok, k.positive(out[1]))
}

// isNumber holds for what is not NaN.
func (k kit) isNumber(x ir.Value) ir.Value { return k.cmp(arith.OEQ, x, x) }

func lowerMultinormal(k kit, w workspace, x view, p []view) ir.Value {
	q, half, ok := k.location(w, x, p)
	c := k.sub(half, k.mul(k.num(0.5*log2Pi), k.toFloat(p[1].n)))
	return k.valid(ok, k.sub(c, k.half(k.numberOr(q, gomath.Inf(1)))))
}

// numberOr is x, or another number where x is NaN.
func (k kit) numberOr(x ir.Value, other float64) ir.Value {
	return arith.Choose(k.b, k.isNumber(x), x, k.num(other))
}

func lowerMultiStudent(k kit, w workspace, x view, p []view) ir.Value {
	q, half, ok := k.location(w, x, p)
	df, n := p[2].scalar, k.toFloat(x.n)
	m := k.half(k.add(df, n))
	c := k.sub(k.sub(k.lgamma(m), k.lgamma(k.half(df))), k.half(k.mul(n, k.log(k.mul(df, k.num(gomath.Pi))))))
	ok = k.and(ok, k.and(k.positive(df), k.isFinite(df)))
	return k.valid(ok, k.within(k.isNumber(q), k.sub(k.add(c, half), k.mul(m, k.log1p(k.div(q, df))))))
}

func lowerWishart(k kit, w workspace, x view, p []view) ir.Value {
	b, df, n := k.b, p[1].scalar, k.toFloat(x.n)
	r := w.cholesky(k, 0, p[0])
	f := w.cholesky(k, nodeItself, x)
	one := k.num(1)
	out := k.fold(x.n, []ir.Value{k.num(0), k.num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		trace := k.fold(x.n, acc[:1], func(j ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.add(acc[0], k.mul(p[0].load(k, i, j), x.load(k, i, j)))}
		})[0]
		return []ir.Value{trace, k.plus(acc[1], k.lgamma(k.half(k.sub(df, k.toFloat(i)))))}
	})
	c := k.sub(k.half(k.mul(df, k.sub(r.logDet, k.mul(n, k.num(gomath.Ln2))))), out[1])
	c = k.sub(c, k.mul(k.num(0.25*gomath.Log(gomath.Pi)), k.mul(n, k.sub(n, one))))
	body := k.half(k.sub(k.mul(k.sub(k.sub(df, n), one), f.logDet), out[0]))
	valid := k.and(r.ok, k.and(k.cmp(arith.OGT, df, arith.SubF(b, n, one)), k.isFinite(df)))
	return k.valid(valid, k.add(c, k.within(f.ok, body)))
}
