package affine

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
)

// operands are the values of an affine expression, and how many ops are looked through for one.
type operands struct {
	dims, syms []ir.Value
	depth      int
}

// Extreme is what is known of the least (MinSigned) or greatest (MaxSigned) of affine expressions
// of index values. What does not fit in 64 bits is poison, a promise like that of an op.
func (a Analysis) Extreme(op Op, exprs []*expr.Expr, dims, syms []ir.Value) Number {
	d := depth
	if a.kept == nil {
		d = shallow
	}
	return a.extreme(op, exprs, operands{dims, syms, d})
}

// Overflows reports that one of affine expressions of index values, or a part of it, may not fit in
// 64 bits.
func (a Analysis) Overflows(exprs []*expr.Expr, dims, syms []ir.Value) bool {
	a.certain = true
	o := operands{dims, syms, depth}
	if a.kept == nil {
		o.depth = shallow
	}
	return slices.ContainsFunc(exprs, func(e *expr.Expr) bool { return a.overflows(e, o) })
}

func (a Analysis) overflows(e *expr.Expr, o operands) bool {
	if e.L == nil {
		return false
	}
	if a.overflows(e.L, o) || a.overflows(e.R, o) {
		return true
	}
	switch e.Op {
	case expr.OpAdd:
		return !Fits(Add, a.expression(e.L, o), a.expression(e.R, o), false)
	case expr.OpMul:
		return !Fits(Mul, a.expression(e.L, o), a.expression(e.R, o), false)
	}
	return !e.R.IsConst() || e.R.N <= 0
}

func (a Analysis) extreme(op Op, exprs []*expr.Expr, o operands) Number {
	n := a.expression(exprs[0], o)
	for _, e := range exprs[1:] {
		n = combine(op, n, a.expression(e, o), false)
	}
	return n
}

// expression is what is known of an affine expression.
func (a Analysis) expression(e *expr.Expr, o operands) Number {
	switch e.Op {
	case expr.OpConst:
		return Just(64, e.N)
	case expr.OpDim:
		return a.number(o.dims[e.N], o.depth)
	case expr.OpSym:
		return a.number(o.syms[e.N], o.depth)
	}
	x, y := a.expression(e.L, o), a.expression(e.R, o)
	switch e.Op {
	case expr.OpAdd:
		return add(x, y, !a.certain)
	case expr.OpMul:
		return mul(x, y, !a.certain)
	}
	by, ok := y.Const()
	switch {
	case !ok || by <= 0:
		return Any(64)
	case e.Op == expr.OpMod && x.Within(0, by-1):
		return x
	case e.Op == expr.OpMod:
		return between(64, 0, by-1)
	}
	q := expr.FloorDiv
	if e.Op == expr.OpCeilDiv {
		q = expr.CeilDiv
	}
	quotient := func(n int64) int64 { return q(expr.Const(n), expr.Const(by)).N }
	return between(64, quotient(x.Low), quotient(x.High))
}

// linearMap is the form of an affine expression, if it is linear.
func (a Analysis) linearMap(e *expr.Expr, o operands, sums *int) (l Linear, ok bool) {
	switch {
	case e.Op == expr.OpConst:
		return Linear{Width: 64, Const: uint64(e.N)}, true
	case e.Op == expr.OpDim:
		return a.linear(o.dims[e.N], o.depth, sums), true
	case e.Op == expr.OpSym:
		return a.linear(o.syms[e.N], o.depth, sums), true
	case e.Op == expr.OpAdd:
		x, ok1 := a.linearMap(e.L, o, sums)
		y, ok2 := a.linearMap(e.R, o, sums)
		return x.Plus(1, y), ok1 && ok2
	case e.Op == expr.OpMul && e.R.IsConst():
		x, ok := a.linearMap(e.L, o, sums)
		return Linear{Width: 64}.Plus(uint64(e.R.N), x), ok
	}
	return l, false
}
