package arith

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

var fastMathAttrs = []string{"fastmath"}

// floating defines a float op of two operands; f works on float64 and its result
// is rounded to the format of the op, which is a single rounding for + - * and /
// as float64 has more than twice the precision of the others (Figueroa 1995).
func floating(name, doc string, traits ir.Trait, f func(x, y float64) float64) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: "arith." + name, Doc: doc, Args: []string{"lhs", "rhs"}, Attrs: fastMathAttrs,
		Traits: traits | ir.Elementwise, Infer: elementwise.Same(2, elementwise.FloatLike), Poisons: elementwise.NotFinite, Eval: elementwise.FloatEval(func(x []float64) float64 { return f(x[0], x[1]) })})
}

// Float ops.
var (
	Addf = floating("addf", "Sum of two floats.", ir.Commutative, func(x, y float64) float64 { return x + y })
	Subf = floating("subf", "Difference of two floats.", 0, func(x, y float64) float64 { return x - y })
	Mulf = floating("mulf", "Product of two floats.", ir.Commutative, func(x, y float64) float64 { return x * y })
	Divf = floating("divf", "Quotient of two floats.", 0, func(x, y float64) float64 { return x / y })
	Remf = floating("remf", "Remainder of the truncated quotient of two floats, of the sign of the dividend, as C's fmod.", 0, gomath.Mod)

	Maximumf = floating("maximumf", "The greater of two floats; NaN if one is NaN; -0 < +0.", ir.Commutative, maximum)
	Minimumf = floating("minimumf", "The smaller of two floats; NaN if one is NaN; -0 < +0.", ir.Commutative, minimum)
	Maxnumf  = floating("maxnumf", "The greater of two floats; the other one if one is NaN.", ir.Commutative, maxnum)
	Minnumf  = floating("minnumf", "The smaller of two floats; the other one if one is NaN.", ir.Commutative, minnum)

	Negf = ir.Define(&ir.OpDef{Name: "arith.negf", Doc: "A float with its sign flipped, NaN included.", Args: []string{"operand"},
		Attrs: fastMathAttrs, Traits: ir.Elementwise, Infer: elementwise.Same(1, elementwise.FloatLike), Eval: negf, Poisons: elementwise.NotFinite})
)

// maximum is IEEE 754-2019's maximum.
func maximum(x, y float64) float64 {
	switch {
	case gomath.IsNaN(x):
		return x
	case gomath.IsNaN(y):
		return y
	}
	return maxnum(x, y)
}

func minimum(x, y float64) float64 { return -maximum(-x, -y) }

// maxnum is IEEE 754-2008's maxNum; of two zeros it takes +0, which MLIR allows.
func maxnum(x, y float64) float64 {
	switch {
	case gomath.IsNaN(x):
		return y
	case gomath.IsNaN(y) || x > y:
		return x
	case x == y && gomath.Signbit(y):
		return x
	}
	return y
}

func minnum(x, y float64) float64 { return -maxnum(-x, -y) }
