package binding

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
)

// logTerm is x log y, or log y without x, for a product y of factors. Where x is 0 it is 0
// if unlessZero says so.
type logTerm struct {
	x          ir.Value
	flags      arith.FastMath // of the product with x
	unlessZero bool
	over       []ir.Value // numerators of y
	under      []ir.Value // and denominators
}

// maxFactors bounds the factors of a product.
const maxFactors = 8

// takeLog takes a term apart that is a logarithm of a product, times a number: factors that
// vary alike stay in one logarithm. log(a b) is log a + log b but for rounding and overflow,
// and but for factors that are both negative, for which it is NaN: the logarithm has to
// allow that, and NaN for 0 log 0. What is static keeps to 0: it would be NaN in every call.
func (x *sum) takeLog(v ir.Value, neg bool) bool {
	l, ok := x.logIn(v)
	if !ok {
		return false
	}
	var parts [numClasses]*logTerm
	for i, list := range [][]ir.Value{l.over, l.under} {
		for _, f := range list {
			c := x.classOf(f)
			if l.x != 0 {
				c = x.classOf(f, l.x)
			}
			if parts[c] == nil {
				parts[c] = &logTerm{x: l.x, flags: l.flags, unlessZero: l.unlessZero}
			}
			if i == 0 {
				parts[c].over = append(parts[c].over, f)
			} else {
				parts[c].under = append(parts[c].under, f)
			}
		}
	}
	if parts[fixed] == nil && parts[static] == nil {
		return false
	}
	for c, p := range parts {
		if p != nil {
			p.unlessZero = p.unlessZero && c == int(static)
			x.terms[c] = append(x.terms[c], term{neg: neg, log: p})
		}
	}
	return true
}

// logIn finds a logarithm of a product as a factor, which may be taken apart.
func (x *sum) logIn(v ir.Value) (l logTerm, ok bool) {
	g := x.g
	args := g.Args(v)
	switch g.Def(v) {
	case arith.Select: // 0 where x is 0
		zero, isConst := g.Const(args[1])
		if !isConst || zero.Float(g.Type(v)) != 0 || g.Def(args[0]) != arith.Cmpf || arith.PredicateOfF(g.Ctx, g.AttrsOf(args[0])) != arith.OEQ {
			return l, false
		}
		l, ok = x.logIn(args[2])
		other, isConst := g.Const(g.Args(args[0])[1])
		l.unlessZero = true
		return l, ok && l.x != 0 && g.Args(args[0])[0] == l.x && isConst && other.Float(g.Type(v)) == 0
	case arith.Mulf:
		for i, a := range args {
			if g.Def(a) == math.Log {
				l, ok = x.logIn(a)
				l.x, l.flags = args[1-i], x.flagsOf(v)
				return l, ok
			}
		}
	case math.Log:
		if g.Attr(v, math.Factors) == 0 {
			return l, false
		}
		l.factors(g, args[0], false)
		return l, len(l.over)+len(l.under) > 1 && len(l.over)+len(l.under) <= maxFactors
	}
	return l, false
}

// factors lists those of a product.
func (l *logTerm) factors(g *ir.Graph, v ir.Value, under bool) {
	if d := g.Def(v); (d == arith.Mulf || d == arith.Divf) && len(l.over)+len(l.under) <= maxFactors {
		l.factors(g, g.Args(v)[0], under)
		l.factors(g, g.Args(v)[1], under != (d == arith.Divf))
		return
	}
	if under {
		l.under = append(l.under, v)
	} else {
		l.over = append(l.over, v)
	}
}

// make makes the term.
func (l *logTerm) make(b *ir.Builder, of func(ir.Value) ir.Value) ir.Value {
	product := func(vs []ir.Value) (p ir.Value) {
		for i, v := range vs {
			if y := of(v); i == 0 {
				p = y
			} else {
				p = arith.MulF(b, p, y)
			}
		}
		return p
	}
	y, under := product(l.over), product(l.under)
	var v ir.Value
	switch {
	case y == 0: // log(1/d)
		v = arith.NegF(b, arith.Float(b, math.Log, 0, under))
	case under == 0:
		v = arith.Float(b, math.Log, 0, y)
	default:
		v = arith.Float(b, math.Log, 0, arith.DivF(b, y, under))
	}
	if l.x == 0 {
		return v
	}
	x := of(l.x)
	v = arith.Float(b, arith.Mulf, l.flags, x, v)
	if l.unlessZero {
		zero := arith.ConstFloat(b, b.Graph().Type(v), 0)
		v = arith.Choose(b, arith.CmpF(b, arith.OEQ, x, zero), zero, v)
	}
	return v
}
