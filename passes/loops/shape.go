package loops

import (
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
)

// A row says that a sum of indices of a nest, and of what is the same in all of it, is at least 0.
type row struct {
	coefs []int64
	rest  affinedialect.Point
}

// A shape is the set of iterations of a nest of steps of one, whose bounds are sums of the indices around them: it is where
// all rows hold. Each loop has those of its bounds.
type shape [][]row

// shape is that of a nest, nil if the bounds of each loop are the same in all of it.
func (n *nest) shape() (shape, error) {
	err := n.rectangular()
	if err == nil {
		return nil, nil
	}
	var out shape
	for k, v := range n.loops {
		node := n.g.NodeOf(v)
		if step, _ := n.stepOf(v); node.Def() != affinedialect.For || step != 1 {
			return nil, err
		}
		r := affinedialect.Ranges(node)[0]
		var rows []row
		for i, p := range slices.Concat(r.Lower, r.Upper) {
			x, ok := n.linear(p)
			if !ok {
				return nil, err
			}
			if i < len(r.Lower) { // the index minus the bound
				x, ok = x.times(-1)
				x.coefs[k]++
			} else { // the bound minus the index minus 1
				x.rest, ok = x.rest.Plus(-1, affinedialect.Number(1))
				x.coefs[k]--
			}
			if !ok {
				return nil, err
			}
			rows = append(rows, x)
		}
		out = append(out, rows)
	}
	return out, nil
}

// linear takes the indices of the nest out of an expression.
func (n *nest) linear(p affinedialect.Point) (row, bool) {
	out := row{coefs: make([]int64, len(n.loops))}
	rest, ok := n.take(p, p.Expr, 1, out.coefs)
	if ok {
		out.rest = affinedialect.Point{Expr: rest, Dims: p.Dims, Syms: p.Syms}.Compact()
	}
	return out, ok
}

// take adds the coefficients of the indices in an expression, times a number, and gives the rest of it, times that.
func (n *nest) take(p affinedialect.Point, e *expr.Expr, times int64, coefs []int64) (*expr.Expr, bool) {
	switch e.Op {
	case expr.OpDim:
		for k, v := range n.loops {
			if p.Dims[e.N] == n.g.Params(n.body(v))[0] {
				coefs[k] += times
				return expr.Const(0), true
			}
		}
		if n.isIn(p.Dims[e.N], n.body(n.loops[0])) {
			return nil, false
		}
	case expr.OpAdd:
		l, ok := n.take(p, e.L, times, coefs)
		if !ok {
			return nil, false
		}
		r, ok := n.take(p, e.R, times, coefs)
		if !ok {
			return nil, false
		}
		return expr.Add(l, r), true
	case expr.OpMul:
		if e.R.IsConst() && small(e.R.N) && small(times) {
			return n.take(p, e.L, times*e.R.N, coefs)
		}
		return n.fixed(p, e, times)
	case expr.OpConst, expr.OpSym:
	// Other ops are not linear: no index of the nest may be in them.
	default:
		return n.fixed(p, e, times)
	}
	return expr.Mul(e, expr.Const(times)), true
}

// fixed is an expression, times a number, that has no index of the nest in it.
func (n *nest) fixed(p affinedialect.Point, e *expr.Expr, times int64) (*expr.Expr, bool) {
	dims, syms := make([]bool, len(p.Dims)), make([]bool, len(p.Syms))
	e.Uses(dims, syms)
	for i, used := range dims {
		if used && n.isIn(p.Dims[i], n.body(n.loops[0])) {
			return nil, false
		}
	}
	return expr.Mul(e, expr.Const(times)), true
}

// small bounds coefficients, so that the product of two fits 64 bits.
func small(k int64) bool { return -1<<31 < k && k < 1<<31 }

// times is a row times a number.
func (r row) times(k int64) (row, bool) {
	out := row{coefs: make([]int64, len(r.coefs))}
	ok := true
	for i, c := range r.coefs {
		out.coefs[i] = c * k
		ok = ok && small(out.coefs[i])
	}
	rest, fits := affinedialect.Number(0).Plus(k, r.rest)
	out.rest = rest.Compact()
	return out, ok && fits
}

// plus adds k times another row; it is false if a coefficient is not small.
func (r row) plus(k int64, s row) (row, bool) {
	out, ok := s.times(k)
	for i, c := range r.coefs {
		out.coefs[i] += c
		ok = ok && small(out.coefs[i])
	}
	rest, fits := r.rest.Plus(1, out.rest)
	out.rest = rest.Compact()
	return out, ok && fits
}

// implies reports that where r holds s does: s is r and a number more.
func (r row) implies(s row) bool {
	if !slices.Equal(r.coefs, s.coefs) {
		return false
	}
	d, ok := s.rest.Plus(-1, r.rest)
	return ok && d.Compact().Expr.IsConst() && d.Expr.N >= 0
}

// maxRows bounds the conditions that eliminations make.
const maxRows = 64

// ordered gives each loop, if they stand in an order, the rows that say what it runs over: those that have its index and no later
// one. What is said of outer loops alone is found by eliminating the inner ones (Fourier and Motzkin), which may say too
// little of integers; then an inner loop has no iterations.
func (s shape) ordered(order []int) (shape, bool) {
	all := slices.Concat(s...)
	out := make(shape, len(order))
	for k := len(order) - 1; k >= 0; k-- {
		x := order[k]
		var with, without []row
		for _, r := range all {
			if r.coefs[x] != 0 {
				with = append(with, r)
			} else {
				without = append(without, r)
			}
		}
		out[x] = needed(with, without)
		// A positive coefficient bounds the index from below, a negative one from above: each such pair
		// eliminates it.
		for _, a := range with {
			for _, b := range with {
				if a.coefs[x] <= 0 || b.coefs[x] >= 0 {
					continue
				}
				r, ok := a.times(-b.coefs[x])
				if ok {
					r, ok = r.plus(a.coefs[x], b)
				}
				if !ok || len(without) > maxRows {
					return nil, false
				}
				if !slices.ContainsFunc(without, func(o row) bool { return o.implies(r) }) {
					without = append(without, r)
				}
			}
		}
		all = without
	}
	return out, true
}

// needed leaves out rows that follow from another one and what is said of outer loops.
func needed(with, outer []row) []row {
	out := slices.Clone(with)
	for i := len(out) - 1; i >= 0; i-- {
		follows := func(j int, r row) bool {
			if j == i {
				return false
			}
			if r.implies(out[i]) {
				return true
			}
			return slices.ContainsFunc(outer, func(o row) bool {
				sum, ok := r.plus(1, o)
				return ok && sum.implies(out[i])
			})
		}
		// One row goes at a time, by rows that still stand: two equal ones do not remove each other.
		for j, r := range out {
			if follows(j, r) {
				out = slices.Delete(out, i, i+1)
				break
			}
		}
	}
	return out
}

// spanBy is what the loop over index x runs over by its rows; value is another index, with the coefficient that it has.
func (n *nest) spanBy(m *ir.Mirror, rows []row, x int, value func(k int, coef int64) affinedialect.Point) span {
	out := span{step: 1}
	for _, r := range rows {
		c := r.coefs[x]
		p := r.rest.Map(func(v ir.Value) ir.Value { return m.Of(n.g.NodeOf(v)) })
		for k, coef := range r.coefs {
			if k != x && coef != 0 {
				p, _ = p.Plus(coef, value(k, coef))
			}
		}
		if c > 0 { // x >= ceil(-p / c)
			low, _ := affinedialect.Number(c-1).Plus(-1, p)
			if c > 1 {
				low = low.FloorDiv(c)
			}
			out.lower = append(out.lower, low)
			continue
		}
		if c < -1 {
			p = p.FloorDiv(-c)
		}
		p, _ = p.Plus(1, affinedialect.Number(1))
		out.upper = append(out.upper, p)
	}
	return out
}
