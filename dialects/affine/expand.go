package affine

import (
	"math/bits"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
)

// expansion writes affine expressions in ops of arith.
type expansion struct {
	b          *ir.Builder
	dims, syms []ir.Value
}

// expand takes the operands of a map apart.
func expand(b *ir.Builder, dims int, args []ir.Value) expansion {
	return expansion{b, args[:dims], args[dims:]}
}

func (x expansion) all(exprs []*expr.Expr) []ir.Value {
	return lists.Map(exprs, x.value)
}

// value computes an expression.
func (x expansion) value(e *expr.Expr) ir.Value {
	switch e.Op {
	case expr.OpConst:
		return x.b.Index(e.N)
	case expr.OpDim:
		return x.dims[e.N]
	case expr.OpSym:
		return x.syms[e.N]
	case expr.OpAdd:
		if e.R.Op == expr.OpMul && e.R.R.Is(-1) {
			return arith.SubI(x.b, x.value(e.L), x.value(e.R.L))
		}
		return arith.AddI(x.b, x.value(e.L), x.value(e.R))
	case expr.OpMul:
		return arith.MulI(x.b, x.value(e.L), x.value(e.R))
	}
	l := x.value(e.L)
	if e.R.IsConst() && e.R.N > 0 {
		return x.byConstant(e.Op, l, e.R.N)
	}
	r := x.value(e.R)
	switch e.Op {
	case expr.OpFloorDiv:
		return x.b.Op(arith.Floordivsi, l, r)
	case expr.OpCeilDiv:
		return x.b.Op(arith.Ceildivsi, l, r)
	}
	return x.mod(l, r)
}

// byConstant divides by a positive number: by a shift or a mask where that is a power of two,
// and without a sign where what is divided has none.
func (x expansion) byConstant(op expr.Op, l ir.Value, by int64) ir.Value {
	r := x.b.Index(by)
	if by&(by-1) == 0 && op == expr.OpFloorDiv {
		return x.b.Op(arith.Shrsi, l, x.b.Index(int64(bits.TrailingZeros64(uint64(by)))))
	}
	if by&(by-1) == 0 && op == expr.OpMod {
		return x.b.Op(arith.Andi, l, x.b.Index(by-1))
	}
	unsigned := affine.In(x.b).Number(l).Low >= 0
	switch {
	case op == expr.OpCeilDiv:
		return x.b.Op(arith.Ceildivsi, l, r)
	case op == expr.OpFloorDiv && unsigned:
		return x.b.Op(arith.Divui, l, r)
	case op == expr.OpFloorDiv:
		return x.b.Op(arith.Floordivsi, l, r)
	case unsigned:
		return x.b.Op(arith.Remui, l, r)
	}
	return x.mod(l, r)
}

// mod is what is left of l, which is not below 0.
func (x expansion) mod(l, r ir.Value) ir.Value {
	rem := x.b.Op(arith.Remsi, l, r)
	below := arith.CmpI(x.b, arith.SLT, rem, x.b.Index(0))
	return arith.Choose(x.b, below, arith.AddI(x.b, rem, r), rem)
}

// extreme is the least or the greatest of expressions.
func (x expansion) extreme(op *ir.OpDef, exprs []*expr.Expr) ir.Value {
	v := x.value(exprs[0])
	for _, e := range exprs[1:] {
		v = x.b.Op(op, v, x.value(e))
	}
	return v
}

// holds is the truth value of a set of constraints.
func (x expansion) holds(cs []expr.Constraint) ir.Value {
	all := arith.ConstBool(x.b, true)
	for i, c := range cs {
		if v := x.constraint(c); i == 0 {
			all = v
		} else {
			all = x.b.Op(arith.Andi, all, v)
		}
	}
	return all
}

func (x expansion) constraint(c expr.Constraint) ir.Value {
	p := arith.SGE
	if c.Equal {
		p = arith.EQ
	}
	l, r, strict := sides(c.Expr)
	if strict && !c.Equal {
		return arith.CmpI(x.b, arith.SGT, x.value(l), x.value(r))
	}
	if strict {
		l, r = c.Expr, expr.Const(0)
	}
	return arith.CmpI(x.b, p, x.value(l), x.value(r))
}

// sides writes e >= 0 as l >= r, or as l > r if strict, where neither side computes anything:
// so nothing is computed that could leave 64 bits where e does not.
func sides(e *expr.Expr) (l, r *expr.Expr, strict bool) {
	zero := expr.Const(0)
	rest, con := e, int64(0)
	if e.Op == expr.OpAdd && e.R.IsConst() {
		rest, con = e.L, e.R.N
	}
	negated := func(e *expr.Expr) *expr.Expr {
		if e.Op == expr.OpMul && e.R.Is(-1) && e.L.L == nil {
			return e.L
		}
		return nil
	}
	switch n := negated(rest); {
	case con == -1<<63:
	case rest.L == nil && !rest.IsConst(): // x + c >= 0
		return rest, expr.Const(-con), false
	case n != nil: // c - x >= 0
		return expr.Const(con), n, false
	case rest.Op == expr.OpAdd && (con == 0 || con == -1):
		if n := negated(rest.R); n != nil && rest.L.L == nil {
			return rest.L, n, con == -1
		}
		if n := negated(rest.L); n != nil && rest.R.L == nil {
			return rest.R, n, con == -1
		}
	}
	return e, zero, false
}
