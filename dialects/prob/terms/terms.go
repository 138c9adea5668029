// Package terms writes log densities as sums whose terms may be added to others in any order.
package terms

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Loose are the flags of sums of terms, which are added in any order.
const Loose = kit.Fused | arith.Reassoc

// Terms writes a log density so that its terms may be added to others in any order: its outermost
// sums, through the conditions on its value. Within a factor the order stays. The passes of package sums
// find what of it leaves which loop.
type Terms struct {
	K kit.Ops
	// IsData reports a value that is the same in every call, which stays as it is; nil: none is known. Where such a
	// condition bounds what is finite, it is a part by itself: -Inf, which a density of 0 adds.
	IsData func(v ir.Value) bool
	// Logs says that logarithms may be taken apart, too, and those of what links made together with these.
	// That is more accurate than what is written, and saves most of the logarithms. Where it comes to inf -
	// inf (a factor of 0, an infinite predictor) it gives NaN, which the caller has to handle; it never gives
	// another number.
	Logs bool

	taken int
}

// maxTerms bounds the parts of one term, of which several may have one in common.
const maxTerms = 64

// Of is the term v so written.
func (t *Terms) Of(v ir.Value) ir.Value {
	g, k := t.K.B.Graph(), t.K
	if t.taken++; t.taken > maxTerms || t.isData(v) {
		return v
	}
	if t.Logs {
		if l, ok := t.logIn(v); ok {
			return t.log(l, false)
		}
	}
	args := g.Args(v)
	switch def := g.Def(v); def {
	case arith.Addf, arith.Subf:
		x := t.Of(args[0])
		return arith.Float(k.B, def, Loose, x, t.Of(args[1]))
	case arith.Negf:
		return k.Neg(t.Of(args[0]))
	case arith.Select:
		switch other, isConst := g.Const(args[2]); {
		case !isConst:
		case gomath.IsNaN(other.F64()):
			return k.Valid(args[0], t.Of(args[1]))
		case gomath.IsInf(other.F64(), 0) && t.IsData == nil:
			return arith.Choose(k.B, args[0], t.Of(args[1]), args[2])
		case gomath.IsInf(other.F64(), -1) && t.isData(args[0]):
			return arith.Float(k.B, arith.Addf, Loose, t.Of(args[1]), k.Within(args[0], k.Num(0)))
		}
	}
	return v
}

func (t *Terms) isData(v ir.Value) bool { return t.IsData != nil && t.IsData(v) }

// A product is x log y, or log y without x. Where x is 0 it is 0 if unlessZero says so.
type product struct {
	x, y       ir.Value
	unlessZero bool
}

// log makes x log y. log(exp e) is e, and log(ilogit e) is -log(1 + exp(-e)), also where they
// are factors of y. With part, y is a factor of another y: then 0 log 0 may be NaN.
func (t *Terms) log(l product, part bool) ir.Value {
	g, k := t.K.B.Graph(), t.K
	times := func(v ir.Value) ir.Value {
		if l.x == 0 {
			return v
		}
		return k.Mul(l.x, v)
	}
	args := g.Args(l.y)
	switch def := g.Def(l.y); {
	case def == math.Exp:
		return t.Of(times(args[0]))
	case def == special.Ilogit:
		return k.Neg(times(k.Fn(special.Log1pexp, k.Neg(args[0]))))
	case (def == arith.Mulf || def == arith.Divf) && t.hasExp(l.y, maxFactors):
		a, b := t.log(product{l.x, args[0], l.unlessZero}, true), t.log(product{l.x, args[1], l.unlessZero}, true)
		if def == arith.Divf {
			return arith.Float(k.B, arith.Subf, Loose, a, b)
		}
		return arith.Float(k.B, arith.Addf, Loose, a, b)
	}
	v := times(t.logOfFactors(l.y))
	if !l.unlessZero || part && !t.isData(l.y) {
		return v
	}
	return arith.Choose(k.B, k.Cmp(arith.OEQ, l.x, k.Num(0)), k.Num(0), v)
}

// logOfFactors is log y, which may be taken apart if y is a product.
func (t *Terms) logOfFactors(y ir.Value) ir.Value {
	b := t.K.B
	if def := b.Graph().Def(y); def != arith.Mulf && def != arith.Divf {
		return t.K.Log(y)
	}
	c := b.Ctx()
	return b.OpAttr(math.Log, c.WithDiscardable(arith.FastMathProps(c, 0), math.Factors, c.UnitAttr()), y)
}

// maxFactors bounds the depth of a product that is looked into.
const maxFactors = 8

// hasExp reports a product with a factor that is an exponential.
func (t *Terms) hasExp(v ir.Value, depth int) bool {
	g := t.K.B.Graph()
	switch g.Def(v) {
	case math.Exp:
		return true
	case arith.Mulf, arith.Divf:
		return depth > 0 && (t.hasExp(g.Args(v)[0], depth-1) || t.hasExp(g.Args(v)[1], depth-1))
	}
	return false
}

func (t *Terms) isZero(v ir.Value) bool {
	c, ok := t.K.B.Graph().Const(v)
	return ok && c.F64() == 0
}

// logIn finds a logarithm as a factor.
func (t *Terms) logIn(v ir.Value) (l product, ok bool) {
	g := t.K.B.Graph()
	args := g.Args(v)
	switch def := g.Def(v); {
	case def == arith.Select: // what kit.Xlogy makes
		if !t.isZero(args[1]) || g.Def(args[0]) != arith.Cmpf || arith.PredicateOfF(g.Ctx, g.AttrsOf(args[0])) != arith.OEQ {
			return l, false
		}
		l, ok = t.logIn(args[2])
		l.unlessZero = true
		return l, ok && l.x != 0 && g.Args(args[0])[0] == l.x && t.isZero(g.Args(args[0])[1])
	case def == math.Log:
		return product{y: args[0]}, true
	case def != arith.Mulf:
	case g.Def(args[1]) == math.Log:
		return product{x: args[0], y: g.Args(args[1])[0]}, true
	case g.Def(args[0]) == math.Log:
		return product{x: args[1], y: g.Args(args[0])[0]}, true
	}
	return l, false
}
