package affine

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/interp"
)

// takesPoison: what divides by nothing does not trap on poison, and gives poison.
var takesPoison = interp.TakesPoison{Apply: true, Min: true, Max: true, DelinearizeIndex: true}

// numbers reads the operands of a map; ok is false if one is poison.
func numbers(a []ir.Val) (out []int64, ok bool) {
	for _, v := range a {
		if v.Ref != nil {
			return nil, false
		}
		out = append(out, int64(v.Bits))
	}
	return out, true
}

// at are the results of expressions at a point; a number that does not fit is poison.
func at(exprs []*expr.Expr, dims int, a []ir.Val) ([]ir.Val, error) {
	out := make([]ir.Val, len(exprs))
	ns, known := numbers(a)
	for i, e := range exprs {
		switch {
		case known:
			n, err := e.Eval(ns[:dims], ns[dims:])
			switch err {
			case nil:
				out[i] = ir.Val{Bits: uint64(n)}
			case expr.ErrOverflow:
				out[i] = ir.Val{Ref: ir.Poison}
			default:
				return nil, ir.Trapf("%v", err)
			}
		case mayDivide(e):
			return nil, ir.Trapf("an affine expression may divide by poison")
		default:
			out[i] = ir.Val{Ref: ir.Poison}
		}
	}
	return out, nil
}

func evalApply(c *ir.Call, a []ir.Val) (ir.Val, error) {
	m := expr.MapOf(c.Ctx(), c.Get("map"))
	vs, err := at(m.Results, m.Dims, a)
	if err != nil {
		return ir.Val{}, err
	}
	return vs[0], nil
}

func evalMin(c *ir.Call, a []ir.Val) (ir.Val, error) {
	return evalExtreme(c, a, func(x, y int64) bool { return x < y })
}

func evalMax(c *ir.Call, a []ir.Val) (ir.Val, error) {
	return evalExtreme(c, a, func(x, y int64) bool { return x > y })
}

func evalExtreme(c *ir.Call, a []ir.Val, better func(x, y int64) bool) (ir.Val, error) {
	m := expr.MapOf(c.Ctx(), c.Get("map"))
	vs, err := at(m.Results, m.Dims, a)
	if err != nil {
		return ir.Val{}, err
	}
	return extreme(vs, better), nil
}

// extreme is the best of values, or poison if one is.
func extreme(vs []ir.Val, better func(x, y int64) bool) ir.Val {
	best := vs[0]
	for _, v := range vs {
		if v.Ref != nil {
			return v
		}
		if better(int64(v.Bits), int64(best.Bits)) {
			best = v
		}
	}
	return best
}

// delinearized are the expressions of the indices in a box: dimension 0 is the number, and the
// symbols are the sizes.
func delinearized(n int) []*expr.Expr {
	out := make([]*expr.Expr, n)
	rest := expr.Dim(0)
	for i := range n {
		stride := expr.Const(1)
		for k := i + 1; k < n; k++ {
			stride = expr.Mul(stride, expr.Sym(k))
		}
		out[i], rest = expr.FloorDiv(rest, stride), expr.Mod(rest, stride)
	}
	return out
}

func evalDelinearize(c *ir.Call, a []ir.Val) (ir.Val, error) {
	vs, err := at(delinearized(len(a)-1), 1, a)
	if len(vs) == 1 {
		return vs[0], err
	}
	return ir.Val{Ref: ir.Vector(vs)}, err
}

// mayDivide reports an expression that may divide by a number that is not positive.
func mayDivide(e *expr.Expr) bool {
	if e.L == nil {
		return false
	}
	if e.Op != expr.OpAdd && e.Op != expr.OpMul && (!e.R.IsConst() || e.R.N <= 0) {
		return true
	}
	return mayDivide(e.L) || mayDivide(e.R)
}

func anyDivides(m *expr.Map) bool {
	return slices.ContainsFunc(m.Results, mayDivide)
}

func divides(c *ir.Call) bool { return anyDivides(expr.MapOf(c.Ctx(), c.Get("map"))) }

func boundsTrap(c *ir.Call) bool {
	b := boundsOf(c.Ctx(), c.Attr, c.Args)
	return anyDivides(b.lower) || anyDivides(b.upper) || tooFar(c, b.lower, b.lowerArgs) || tooFar(c, b.upper, b.upperArgs)
}

// isInit: the values that a loop carries may be poison.
func isInit(c *ir.Call, i int) bool {
	b := boundsOf(c.Ctx(), c.Attr, c.Args)
	return i >= len(b.lowerArgs)+len(b.upperArgs)
}

// tooFar reports results of a map that may not fit in 64 bits, which are poison.
func tooFar(c *ir.Call, m *expr.Map, args []ir.Value) bool {
	return affine.In(c.Builder()).Overflows(m.Results, args[:m.Dims], args[m.Dims:])
}

func overflows(c *ir.Call) bool { return tooFar(c, expr.MapOf(c.Ctx(), c.Get("map")), c.Args) }

func boxTraps(c *ir.Call) bool {
	b, ok := boxOf(c.Ctx(), c.Attr, c.Args)
	return !ok || anyDivides(b.lower) || anyDivides(b.upper) || tooFar(c, b.lower, b.lowerArgs) || tooFar(c, b.upper, b.upperArgs)
}

func conditionTraps(c *ir.Call) bool {
	s := expr.SetOf(c.Ctx(), c.Get("condition"))
	m := &expr.Map{Results: s.Exprs(), Dims: s.Dims}
	return anyDivides(m) || tooFar(c, m, c.Args)
}

// basisTraps: the first size is not looked at.
func basisTraps(c *ir.Call) bool {
	for i := 2; i < len(c.Args); i++ {
		if v, ok := c.Const(i); !ok || v.Ref != nil || int64(v.Bits) <= 0 {
			return true
		}
	}
	return false
}
