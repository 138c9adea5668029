// Package formula makes float ops of one type, as formulas of math and special need them.
package formula

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
)

// F makes ops of floats, or of vectors of them, of type T, with licences Fast.
type F struct {
	B    *ir.Builder
	T    ir.Type
	Fast arith.FastMath
}

// Derivative makes ops for the derivative of one: they stand for real numbers, as in arith's rules.
func Derivative(o *derive.Op) F {
	own := arith.FastMathOf(o.B.Ctx(), o.Attr) & (arith.Reassoc | arith.Arcp | arith.Afn)
	return F{B: o.B, T: o.Type, Fast: arith.Contract | arith.Nsz | own}
}

// Num is a number, in every lane.
func (f F) Num(x float64) ir.Value {
	return f.B.Splat(f.T, ir.FloatToBits(x, f.B.Ctx().ElemOrSelf(f.T)))
}

// Op is an op that takes no licences.
func (f F) Op(d *ir.OpDef, x ...ir.Value) ir.Value { return f.B.Op(d, x...) }

// Fn is an op that takes them.
func (f F) Fn(d *ir.OpDef, x ...ir.Value) ir.Value { return arith.Float(f.B, d, f.Fast, x...) }

// Add is x + y.
func (f F) Add(x, y ir.Value) ir.Value { return f.Fn(arith.Addf, x, y) }

// Sub is x - y.
func (f F) Sub(x, y ir.Value) ir.Value { return f.Fn(arith.Subf, x, y) }

// Mul is x * y.
func (f F) Mul(x, y ir.Value) ir.Value { return f.Fn(arith.Mulf, x, y) }

// Div is x / y.
func (f F) Div(x, y ir.Value) ir.Value { return f.Fn(arith.Divf, x, y) }

// Inv is 1 / x.
func (f F) Inv(x ir.Value) ir.Value { return f.Div(f.Num(1), x) }

// Neg is -x.
func (f F) Neg(x ir.Value) ir.Value { return f.Fn(arith.Negf, x) }

// Pick is x where c holds, else y.
func (f F) Pick(c, x, y ir.Value) ir.Value { return arith.Choose(f.B, c, x, y) }

// Cmp compares.
func (f F) Cmp(p arith.CmpFPredicate, x, y ir.Value) ir.Value { return arith.CmpF(f.B, p, x, y) }
