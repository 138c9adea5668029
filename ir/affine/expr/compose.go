package expr

import (
	"cmp"
	"slices"
)

// maxComposed bounds what Replace makes: expressions that are put into each other double.
const maxComposed = 2000

// Replace puts expressions in the place of dimensions and symbols. It gives nil where the
// result is not affine, because it multiplies or divides by a dimension, or is too large.
func (e *Expr) Replace(dims, syms []*Expr) *Expr {
	switch e.Op {
	case OpConst:
		return e
	case OpDim:
		return dims[e.N]
	case OpSym:
		return syms[e.N]
	}
	l := e.L.Replace(dims, syms)
	if l == nil {
		return nil
	}
	r := e.R.Replace(dims, syms)
	if r == nil || l.size+r.size >= maxComposed {
		return nil
	}
	return Make(e.Op, l, r)
}

// Make is an expression of two others, or nil if that is not affine.
func Make(op Op, l, r *Expr) *Expr {
	switch {
	case op == OpAdd:
		return Add(l, r)
	case op == OpMul && (l.Fixed() || r.Fixed()):
		return Mul(l, r)
	case op == OpMul || !r.Fixed():
		return nil
	case op == OpMod:
		return Mod(l, r)
	}
	return div(op, l, r)
}

// Simplify writes an expression in one form: a sum of multiples of dimensions, of symbols, and
// of products, quotients and remainders as they come, and then a number.
func (e *Expr) Simplify() *Expr {
	var s sum
	if !s.add(e, 1) {
		return e
	}
	return s.expr()
}

// sum is a linear combination.
type sum struct {
	terms []multiple
	con   int64
}

type multiple struct {
	of *Expr
	by int64
}

// add adds a multiple of an expression; it gives up where a number does not fit.
func (s *sum) add(e *Expr, by int64) (ok bool) {
	switch {
	case e.Op == OpConst:
		n, ok := mulInt(e.N, by)
		if ok {
			s.con, ok = addInt(s.con, n)
		}
		return ok
	case e.Op == OpAdd:
		return s.add(e.L, by) && s.add(e.R, by)
	case e.Op == OpMul && e.R.IsConst():
		n, ok := mulInt(e.R.N, by)
		return ok && s.add(e.L, n)
	case e.Op == OpMul:
		if e = Mul(e.L.Simplify(), e.R.Simplify()); e.Op != OpMul {
			return s.add(e, by)
		}
	case e.L != nil:
		inner := e.simplifyDivision()
		if inner.Op != e.Op {
			return s.add(inner, by)
		}
		e = inner
	}
	if e.Op == OpMul && e.R.IsConst() || e.IsConst() {
		return s.add(e, by)
	}
	i := slices.IndexFunc(s.terms, func(t multiple) bool { return Equal(t.of, e) })
	if i < 0 {
		s.terms = append(s.terms, multiple{e, by})
		return true
	}
	s.terms[i].by, ok = addInt(s.terms[i].by, by)
	return ok
}

// simplifyDivision simplifies what is divided, and takes out of it the multiples of the divisor.
func (e *Expr) simplifyDivision() *Expr {
	r := e.R.Simplify()
	var s sum
	if !r.IsConst() || r.N < 1 || !s.add(e.L, 1) {
		return Make(e.Op, e.L.Simplify(), r)
	}
	var whole, rest sum // e.L = whole * r + rest
	for _, t := range s.terms {
		switch {
		case t.by%r.N == 0:
			whole.terms = append(whole.terms, multiple{t.of, t.by / r.N})
		case e.Op == OpMod:
			rest.terms = append(rest.terms, multiple{t.of, t.by % r.N})
		default:
			rest.terms = append(rest.terms, t)
		}
	}
	switch {
	case s.con%r.N == 0:
		whole.con = s.con / r.N
	case e.Op == OpMod:
		_, rest.con = floorDiv(s.con, r.N)
	default:
		rest.con = s.con
	}
	q := Make(e.Op, rest.expr(), r)
	if e.Op == OpMod {
		return q
	}
	return Add(whole.expr(), q)
}

// rank orders terms: dimensions, what else has dimensions, symbols, the rest. Add puts what has
// dimensions first too.
func (t multiple) rank() (class, n int64) {
	switch {
	case t.of.Op == OpDim:
		return 0, t.of.N
	case !t.of.Fixed():
		return 1, 0
	case t.of.Op == OpSym:
		return 2, t.of.N
	}
	return 3, 0
}

// expr writes a sum.
func (s *sum) expr() *Expr {
	slices.SortStableFunc(s.terms, func(x, y multiple) int {
		a, i := x.rank()
		b, k := y.rank()
		return cmp.Or(cmp.Compare(a, b), cmp.Compare(i, k))
	})
	out := Const(0)
	for _, t := range s.terms {
		out = Add(out, Mul(t.of, Const(t.by)))
	}
	return Add(out, Const(s.con))
}
