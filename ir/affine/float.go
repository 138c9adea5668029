package affine

import (
	"math"

	"github.com/irc-lang/irc/ir"
)

// A Range is what is known of a float of 64 bits: that it is at least Low and at most High, or, if NaN, that it may be NaN too.
type Range struct {
	low, high float64
	nan       bool
}

// A FloatForm says what an op is to this package that has to do with floats: one of the following.
type FloatForm struct {
	// Monotone is a function of one float that never falls, and is NaN only of NaN: a rounding.
	Monotone func(x float64) float64
	// Compare is what a comparison of floats holds of, unless it is poison of some.
	Compare func(g *ir.Graph, v ir.Value) (Order, bool)
}

// FloatForms is a dialect's table of them.
type FloatForms map[*ir.OpDef]FloatForm

// Order is a set of the four ways in which two floats are to one another.
type Order uint8

// The ways, of x to y.
const (
	equal Order = 1 << iota
	greater
	less
	unordered // one of them is NaN
)

// anyFloat is what is known of all.
func anyFloat() Range { return Range{math.Inf(-1), math.Inf(1), true} }

// floats is how many ops one after the other are looked through for a float.
const floats = 4

// float is what is known of a float.
func (a Analysis) float(v ir.Value, depth int) Range {
	switch x, ok := a.g.Const(v); {
	case a.g.Type(v) != ir.F64:
		return anyFloat()
	case ok && math.IsNaN(x.F64()):
		return anyFloat()
	case ok:
		return Range{low: x.F64(), high: x.F64()}
	case depth == 0 || !a.g.IsOp(v):
		return anyFloat()
	}
	args := a.g.Args(v)
	if f, _ := formOf(a.g, v); f.Op == Select && a.g.Type(args[0]) == ir.I1 {
		x, y := a.chosen(args[1], args[0], true, depth-1), a.chosen(args[2], args[0], false, depth-1)
		return Range{min(x.low, y.low), max(x.high, y.high), x.nan || y.nan}
	}
	if f := a.floatForm(v); f.Monotone != nil {
		x := a.float(args[0], depth-1)
		return Range{f.Monotone(x.low), f.Monotone(x.high), x.nan}
	}
	return anyFloat()
}

// floatForm is the form of a value's op, which may be empty.
func (a Analysis) floatForm(v ir.Value) FloatForm {
	d := a.g.Ctx.DialectOf(a.g.Def(v))
	if d == nil {
		return FloatForm{}
	}
	return ir.Table[FloatForms](d)[a.g.Def(v)]
}

// chosen is what is known of a float where a truth value is, or is not.
func (a Analysis) chosen(v, on ir.Value, holds bool, depth int) Range {
	r, left := a.float(v, depth), conjuncts
	a.narrow(&r, v, on, holds, &left)
	return r
}

// narrow takes from a range of v what contradicts a truth value: a comparison with a constant, or several, of which not all
// are looked at.
func (a Analysis) narrow(r *Range, v, on ir.Value, holds bool, left *int) {
	if *left--; *left < 0 || !a.g.IsOp(on) || a.g.Type(on) != ir.I1 {
		return
	}
	args := a.g.Args(on)
	switch f, _ := formOf(a.g, on); {
	case f.Op == And && holds, f.Op == Or && !holds:
		a.narrow(r, v, args[0], holds, left)
		a.narrow(r, v, args[1], holds, left)
		return
	case f.Op != unknown:
		return
	}
	f := a.floatForm(on)
	if f.Compare == nil {
		return
	}
	o, ok := f.Compare(a.g, on)
	if !ok {
		return
	}
	if !holds {
		o ^= equal | greater | less | unordered
	}
	c, ok := a.g.Const(args[1]) // the second, as folds have it
	if args[0] != v || !ok || a.g.Type(v) != ir.F64 || math.IsNaN(c.F64()) {
		return
	}
	r.nan = r.nan && o&unordered != 0
	if o&greater == 0 {
		r.high = min(r.high, c.F64())
	}
	if o&less == 0 {
		r.low = max(r.low, c.F64())
	}
}

// FloatFits reports a float of which the whole part is a number of w bits with a sign.
func (a Analysis) FloatFits(v ir.Value, w int) bool {
	r := a.float(v, floats)
	most := math.Ldexp(1, w-1)
	return w > 0 && w <= 64 && !r.nan && math.Trunc(r.low) >= -most && math.Trunc(r.high) < most
}

// whole is what is known of a float that became an integer with a sign, of w bits: one that does not fit is poison.
func (r Range) whole(w int) Number {
	low, high := math.Trunc(r.low), math.Trunc(r.high)
	if most := math.Ldexp(1, w-1); r.nan || !(low >= -most && high < most && low <= high) {
		return Any(w)
	}
	return between(w, int64(low), int64(high))
}
