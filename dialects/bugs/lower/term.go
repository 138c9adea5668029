package lower

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// loose are the flags of sums of terms, which are added in any order.
const loose = kit.Fused | arith.Reassoc

// addTo adds a term to a sum. The pass split-sums finds what of it leaves which loop, and
// what data alone decides: its additions may be done in any order.
func (l *lowering) addTo(s slot, term ir.Value) {
	g := l.b.Graph()
	x := (&terms{lowering: l}).loosen(term)
	if c, ok := g.Const(x); ok && c.F64() == 0 {
		return
	}
	if c, ok := g.Const(l.sums[s]); ok && c.F64() == 0 {
		l.sums[s] = x
		return
	}
	l.sums[s] = arith.Float(l.b, arith.Addf, loose, l.sums[s], x)
}

// terms takes a term apart.
type terms struct {
	*lowering
	taken int
}

// maxTerms bounds the parts of one term, of which several may have one in common.
const maxTerms = 64

// loosen makes a term of which the parts are added in any order. What data alone decides
// stays as it is.
//
// Where a comparison of data bounds what is finite, it is a part by itself: -Inf, which a
// density of 0 adds. Logarithms of what links made are taken together with these.
func (t *terms) loosen(v ir.Value) ir.Value {
	g, k := t.b.Graph(), t.kit()
	if t.taken++; t.taken > maxTerms || t.isData(v) {
		return v
	}
	if l, ok := t.logIn(v); ok {
		return t.log(l, false)
	}
	args := g.Args(v)
	switch def := g.Def(v); def {
	case arith.Addf, arith.Subf:
		x := t.loosen(args[0])
		return arith.Float(t.b, def, loose, x, t.loosen(args[1]))
	case arith.Negf:
		return k.Neg(t.loosen(args[0]))
	case arith.Select:
		switch other, isConst := g.Const(args[2]); {
		case isConst && gomath.IsNaN(other.F64()):
			return k.Valid(args[0], t.loosen(args[1]))
		case isConst && other.F64() == -function.Inf && t.isData(args[0]):
			return arith.Float(t.b, arith.Addf, loose, t.loosen(args[1]), k.Within(args[0], k.Num(0)))
		}
	}
	return v
}

// A product is x log y, or log y without x. Where x is 0 it is 0 if unlessZero says so.
type product struct {
	x, y       ir.Value
	unlessZero bool
}

// log makes x log y. log(exp e) is e, and log(ilogit e) is -log(1 + exp(-e)), also where they
// are factors of y. That is more accurate than what is written, saves most of the logarithms,
// and where it comes to inf - inf (a factor of 0, an infinite predictor) gives NaN, which sends
// the caller to the reference evaluation; it never gives another number. So do the logarithms
// of other factors, if split-sums takes them apart. With part, y is a factor of another y: then
// 0 log 0 may be NaN.
func (t *terms) log(l product, part bool) ir.Value {
	g, k := t.b.Graph(), t.kit()
	times := func(v ir.Value) ir.Value {
		if l.x == 0 {
			return v
		}
		return k.Mul(l.x, v)
	}
	args := g.Args(l.y)
	switch def := g.Def(l.y); {
	case def == math.Exp:
		return t.loosen(times(args[0]))
	case def == special.Ilogit:
		return k.Neg(times(t.softplus(k.Neg(args[0]))))
	case (def == arith.Mulf || def == arith.Divf) && t.hasExp(l.y, maxFactors):
		a, b := t.log(product{l.x, args[0], l.unlessZero}, true), t.log(product{l.x, args[1], l.unlessZero}, true)
		if def == arith.Divf {
			return arith.Float(t.b, arith.Subf, loose, a, b)
		}
		return arith.Float(t.b, arith.Addf, loose, a, b)
	}
	v := times(t.logOfFactors(l.y))
	if !l.unlessZero || part && !t.isData(l.y) {
		return v
	}
	return arith.Choose(t.b, k.Cmp(arith.OEQ, l.x, k.Num(0)), k.Num(0), v)
}

// logOfFactors is log y, which may be taken apart if y is a product.
func (t *terms) logOfFactors(y ir.Value) ir.Value {
	if def := t.b.Graph().Def(y); def != arith.Mulf && def != arith.Divf {
		return t.kit().Log(y)
	}
	c := t.b.Ctx()
	return t.b.OpAttr(math.Log, c.WithDiscardable(arith.FastMathProps(c, 0), math.Factors, c.UnitAttr()), y)
}

// maxFactors bounds the depth of a product that is looked into.
const maxFactors = 8

// hasExp reports a product with a factor that is an exponential.
func (t *terms) hasExp(v ir.Value, depth int) bool {
	g := t.b.Graph()
	switch g.Def(v) {
	case math.Exp:
		return true
	case arith.Mulf, arith.Divf:
		return depth > 0 && (t.hasExp(g.Args(v)[0], depth-1) || t.hasExp(g.Args(v)[1], depth-1))
	}
	return false
}

// logIn finds a logarithm as a factor.
func (t *terms) logIn(v ir.Value) (l product, ok bool) {
	g := t.b.Graph()
	args := g.Args(v)
	switch def := g.Def(v); {
	case def == arith.Select: // what kit.Xlogy makes
		zero, isConst := g.Const(args[1])
		if !isConst || zero.F64() != 0 || g.Def(args[0]) != arith.Cmpf {
			return l, false
		}
		l, ok = t.logIn(args[2])
		l.unlessZero = true
		return l, ok && l.x != 0 && g.Args(args[0])[0] == l.x
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
