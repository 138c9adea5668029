package saturate

import (
	"slices"
	"sync"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

// licence makes terms of floats: on the left they ask for flags.
type licence arith.FastMath

// op is a term on the left, of an op that has the flags.
func (l licence) op(def *ir.OpDef, args ...*ir.Term) *ir.Term {
	t := op(def, args...)
	t.Props = func(c *ir.Context, of []ir.Attr) ir.Attr {
		if of[0] == 0 || arith.FastMathOf(c, of[0])&arith.FastMath(l) != arith.FastMath(l) {
			return 0
		}
		return of[0]
	}
	return t
}

// made is an op on the right, with the flags that all have which matched. It promises nothing of NaNs and infinities: they
// may come where they did not before.
func made(def *ir.OpDef, args ...*ir.Term) *ir.Term {
	t := op(def, args...)
	t.Props = func(c *ir.Context, of []ir.Attr) ir.Attr {
		// A sum in another order may be infinite on its way where the first was not: ninf would make it poison.
		flags := arith.Fast &^ (arith.NNan | arith.NInf)
		for _, a := range of {
			flags &= arith.FastMathOf(c, a)
		}
		return arith.FastMathProps(c, flags)
	}
	return t
}

// float is a written number, in the format of the op that it is an operand of.
func float(n float64) *ir.Term {
	return &ir.Term{Is: func(t ir.Type, _ int, _ []uint64) (uint64, bool) {
		if !elementwise.Computable(t) {
			return 0, false
		}
		return ir.FloatToBits(n, t), true
	}}
}

// floatRules are laws of real numbers, each under the flags that allow it.
var floatRules = sync.OnceValue(func() []ir.Fold { return slices.Concat(fieldLaws(), functionLaws()) })

// fieldLaws are those of sums, products and quotients.
func fieldLaws() (out []ir.Fold) {
	add, sub, mul, div := arith.Addf, arith.Subf, arith.Mulf, arith.Divf
	r, rn := licence(arith.Reassoc), licence(arith.Reassoc|arith.Nsz)
	ra := licence(arith.Reassoc | arith.Arcp)
	for _, d := range []*ir.OpDef{add, mul} {
		out = append(out,
			rule(d.Name+" is associative", r.op(d, r.op(d, x, y), z), made(d, x, made(d, y, z))))
	}
	return append(out,
		rule("(x - y) - z = x - (y + z)", r.op(sub, r.op(sub, x, y), z), made(sub, x, made(add, y, z))),
		rule("x - (y - z) = (x - y) + z", r.op(sub, x, r.op(sub, y, z)), made(add, made(sub, x, y), z)),
		rule("(x - y) + z = x + (z - y)", r.op(add, r.op(sub, x, y), z), made(add, x, made(sub, z, y))),
		rule("(x + y) - z = x + (y - z)", r.op(sub, r.op(add, x, y), z), made(add, x, made(sub, y, z))),
		rule("(x + y) - x = y", rn.op(sub, rn.op(add, x, y), x), y),
		rule("(x - y) + y = x", rn.op(add, rn.op(sub, x, y), y), x),
		rule("x*y + x*z = x*(y + z)", rn.op(add, rn.op(mul, x, y), rn.op(mul, x, z)), made(mul, x, made(add, y, z))),
		rule("x*y - x*z = x*(y - z)", rn.op(sub, rn.op(mul, x, y), rn.op(mul, x, z)), made(mul, x, made(sub, y, z))),
		rule("x*y + x = x*(y + 1)", rn.op(add, rn.op(mul, x, y), x), made(mul, x, made(add, y, float(1)))),
		rule("x + x = 2*x", r.op(add, x, x), made(mul, x, float(2))),
		rule("x*x - y*y = (x + y)*(x - y)", rn.op(sub, rn.op(mul, x, x), rn.op(mul, y, y)), made(mul, made(add, x, y), made(sub, x, y))),
		rule("x/z + y/z = (x + y)/z", ra.op(add, ra.op(div, x, z), ra.op(div, y, z)), made(div, made(add, x, y), z)),
		rule("x/z - y/z = (x - y)/z", ra.op(sub, ra.op(div, x, z), ra.op(div, y, z)), made(div, made(sub, x, y), z)),
		rule("(x/y)/z = x/(y*z)", ra.op(div, ra.op(div, x, y), z), made(div, x, made(mul, y, z))),
		rule("x/(y/z) = x*z/y", ra.op(div, x, ra.op(div, y, z)), made(div, made(mul, x, z), y)),
		rule("(x/y)*z = x*z/y", ra.op(mul, ra.op(div, x, y), z), made(div, made(mul, x, z), y)),
		rule("x*y/y = x", licence(arith.Reassoc|arith.NNan).op(div, licence(arith.Reassoc|arith.NNan).op(mul, x, y), y), x),
		rule("x/y*y = x", licence(arith.Reassoc|arith.NNan).op(mul, licence(arith.Reassoc|arith.NNan).op(div, x, y), y), x),
	)
}

// functionLaws are those of exponentials, logarithms, roots and circles. All flags are asked for where an argument that the
// left side refuses, as a negative number under a root, is one that the right side takes.
func functionLaws() []ir.Fold {
	add, sub, mul, div := arith.Addf, arith.Subf, arith.Mulf, arith.Divf
	r, fast := licence(arith.Reassoc), licence(arith.Fast)
	return []ir.Fold{
		rule("exp(x)*exp(y) = exp(x + y)", r.op(mul, r.op(math.Exp, x), r.op(math.Exp, y)), made(math.Exp, made(add, x, y))),
		rule("exp(x)/exp(y) = exp(x - y)", r.op(div, r.op(math.Exp, x), r.op(math.Exp, y)), made(math.Exp, made(sub, x, y))),
		rule("log(x) + log(y) = log(x*y)", fast.op(add, fast.op(math.Log, x), fast.op(math.Log, y)), made(math.Log, made(mul, x, y))),
		rule("log(x) - log(y) = log(x/y)", fast.op(sub, fast.op(math.Log, x), fast.op(math.Log, y)), made(math.Log, made(div, x, y))),
		rule("log(exp(x)) = x", fast.op(math.Log, fast.op(math.Exp, x)), x),
		rule("exp(log(x)) = x", fast.op(math.Exp, fast.op(math.Log, x)), x),
		rule("sqrt(x)*sqrt(x) = x", fast.op(mul, fast.op(math.Sqrt, x), fast.op(math.Sqrt, x)), x),
		rule("sqrt(x)*sqrt(y) = sqrt(x*y)", fast.op(mul, fast.op(math.Sqrt, x), fast.op(math.Sqrt, y)), made(math.Sqrt, made(mul, x, y))),
		rule("sqrt(x*x) = absf(x)", fast.op(math.Sqrt, fast.op(mul, x, x)), made(math.Absf, x)),
		rule("x/sqrt(x) = sqrt(x)", fast.op(div, x, fast.op(math.Sqrt, x)), made(math.Sqrt, x)),
		rule("sin(x)^2 + cos(x)^2 = 1", fast.op(add, fast.op(mul, fast.op(math.Sin, x), fast.op(math.Sin, x)), fast.op(mul, fast.op(math.Cos, x), fast.op(math.Cos, x))), float(1)),
	}
}
