package lower

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Logarithms of what links made. A term x log y is taken apart where y is a product
// of factors that vary in different loops, and log and exp are taken together:
// log(exp e) is e, log(ilogit e) is -log(1 + exp(-e)). That is more accurate than what
// is written, saves most of the logarithms, and where it comes to inf - inf (a factor
// of 0, an infinite predictor) gives NaN, which sends the caller to the reference
// evaluation; it never gives another number.

// takeLog adds x log y to the parts; x is 0 for 1. With part, y is a factor of another
// y: then 0 log 0 may be NaN.
func (l *lowering) takeLog(t *terms, x, y ir.Value, neg, part bool) {
	g, k := l.b.Graph(), l.kit()
	times := func(v ir.Value) ir.Value {
		if x == 0 {
			return v
		}
		return k.Mul(x, v)
	}
	switch args := g.Args(y); g.Def(y) {
	case math.Exp:
		l.take(t, times(args[0]), neg)
		return
	case special.Ilogit:
		t.parts = append(t.parts, addend{times(l.softplus(k.Neg(args[0]))), !neg})
		return
	case arith.Mulf, arith.Divf:
		if l.traits(args[0]) == l.traits(args[1]) && !l.hasExp(y, maxFactors) {
			break
		}
		l.takeLog(t, x, args[0], neg, true)
		l.takeLog(t, x, args[1], neg != (g.Def(y) == arith.Divf), true)
		return
	}
	v := k.Log(y)
	switch {
	case x != 0 && part && !l.traits(y).data:
		v = k.Mul(x, v)
	case x != 0:
		v = k.Xlogy(x, y)
	}
	t.parts = append(t.parts, addend{v, neg})
}

// maxFactors bounds the depth of a product that is looked into.
const maxFactors = 8

// hasExp reports a product with a factor that is an exponential.
func (l *lowering) hasExp(v ir.Value, depth int) bool {
	g := l.b.Graph()
	switch g.Def(v) {
	case math.Exp:
		return true
	case arith.Mulf, arith.Divf:
		return depth > 0 && (l.hasExp(g.Args(v)[0], depth-1) || l.hasExp(g.Args(v)[1], depth-1))
	}
	return false
}

// logIn finds a logarithm as a factor: v = x log y, or 0 where x is 0.
func (l *lowering) logIn(v ir.Value) (x, y ir.Value, ok bool) {
	g := l.b.Graph()
	if g.Def(v) == arith.Select { // what kit.xlogy makes
		zero, isConst := g.Const(g.Args(v)[1])
		cond := g.Args(v)[0]
		if !isConst || zero.F64() != 0 || g.Def(cond) != arith.Cmpf {
			return 0, 0, false
		}
		x, y, ok = l.logIn(g.Args(v)[2])
		return x, y, ok && x != 0 && g.Args(cond)[0] == x
	}
	args := g.Args(v)
	switch {
	case g.Def(v) == math.Log:
		return 0, args[0], true
	case g.Def(v) != arith.Mulf:
	case g.Def(args[1]) == math.Log:
		return args[0], g.Args(args[1])[0], true
	case g.Def(args[0]) == math.Log:
		return args[1], g.Args(args[0])[0], true
	}
	return 0, 0, false
}

// softplus is log(1 + e^x).
func (l *lowering) softplus(x ir.Value) ir.Value { return l.b.Op(special.Log1pexp, x) }

// logitOf finds the predictor of a probability that a logit link made.
func (l *lowering) logitOf(p ir.Value) (eta ir.Value, ok bool) {
	g := l.b.Graph()
	if g.Def(p) != special.Ilogit {
		return 0, false
	}
	return g.Args(p)[0], true
}

// unlessRounded is the term of a binomial node, but NaN where its probability is 1 and
// comes from a logical node in memory, whose predictor is not at hand: it may be one
// that rounds to 1, of which the reference evaluation has 1 - p.
func (l *lowering) unlessRounded(term, old, x ir.Value, p []ir.Value) ir.Value {
	g, k := l.g, l.kit()
	if g.Def(old) != ops.Read || g.Def(g.Args(old)[0]) != ops.LogicalVar || l.b.Graph().Def(p[0]) == special.Ilogit {
		return term
	}
	n := append(p, k.Num(1))[1]
	return k.Valid(k.Or(k.Cmp(arith.OLT, p[0], k.Num(1)), k.Cmp(arith.OGE, x, n)), term)
}

// linked is the density of a node whose parameter a link made; 0 if there is no
// special form. small says that no count is above large.
func (l *lowering) linked(law *family.Law, small bool, x ir.Value, p []ir.Value) ir.Value {
	k, f := l.kit(), law.Ops
	if f.AtLogit != nil {
		if eta, ok := l.logitOf(p[0]); ok {
			return f.AtLogit(k, x, p, eta, l.bySize(small))
		}
	}
	if f.AtExp != nil && l.b.Graph().Def(p[0]) == math.Exp && (small || !l.careful) {
		if sizes := law.Sizes(small); sizes != nil {
			l.large(k.Exceeds(sizes(x, p)...))
		}
		return f.AtExp(k, x, p)
	}
	return 0
}

// bySize chooses between the forms of a density as density does.
func (l *lowering) bySize(small bool) family.BySize[ir.Value, ir.Value] {
	k := l.kit()
	return func(sizes []ir.Value, cond func(ir.Value) ir.Value, careful func() ir.Value, plain ir.Value) ir.Value {
		switch {
		case small || len(sizes) == 0:
			return plain
		case !l.careful:
			l.large(k.Exceeds(sizes...))
			return plain
		}
		return k.Branch(cond(k.Exceeds(sizes...)), careful, func() ir.Value { return plain })
	}
}

// power is x^y for x > 0; 0 if another form is not better: the logarithm leaves the
// loops that x does not vary in. Other x give NaN or the power.
func (l *lowering) power(x, y ir.Value) ir.Value {
	k := l.kit()
	if _, isConst := l.b.Graph().Const(y); isConst || len(l.wanted) > 0 || l.traits(x).level >= l.traits(y).level {
		return 0
	}
	return k.Exp(k.Mul(y, k.Log(x)))
}
