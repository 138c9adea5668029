package lower

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// logitOf finds the predictor of a probability that a logit link made.
func (l *lowering) logitOf(p ir.Value) (eta ir.Value, ok bool) {
	g := l.b.Graph()
	if g.Def(p) != special.Ilogit {
		return 0, false
	}
	return g.Args(p)[0], true
}

// unlessRounded is the term of a binomial node, but NaN where its probability p is so near to 1
// that 1 - p has lost digits, or so near to 0 that p has, and comes from a logical node in memory that a
// logit link makes, whose predictor is not at hand: the reference evaluation has it, and so both.
func (l *lowering) unlessRounded(term, old, x ir.Value, p []ir.Value) ir.Value {
	g, k := l.g, l.kit()
	if g.Def(old) != ops.Read || !l.hasLogit(g.Args(old)[0]) || l.b.Graph().Def(p[0]) == special.Ilogit {
		return term
	}
	n := append(p, k.Num(1))[1]
	low := k.Or(k.Cmp(arith.OGE, p[0], k.Num(leastNormal)), k.Cmp(arith.OLE, x, k.Num(0)))
	high := k.Or(k.Cmp(arith.OLT, p[0], k.Num(1-lostDigits)), k.Cmp(arith.OGE, x, n))
	return k.Valid(k.And(low, high), term)
}

// lostDigits is the 1 - p below which it is known to less than about 2^-32 of itself, and its
// logarithm to less than 2^-36.
const lostDigits = 1.0 / (1 << 20)

// leastNormal is the least p that has all of its digits.
const leastNormal = 0x1p-1022

// hasLogit reports a logical node of which some elements are made by a logit link, or by ilogit, or are those of
// such a node as they are.
func (l *lowering) hasLogit(node ir.Value) bool {
	if l.logits == nil {
		l.logits = map[ir.Value]bool{}
		for found := -1; found < len(l.logits); {
			found = len(l.logits)
			l.s.Walk(func(v ir.Value) {
				if l.g.Def(v) == ops.Assign && l.makesLogit(v) {
					l.logits[l.g.Args(v)[1]] = true
				}
			})
		}
	}
	return l.logits[node]
}

func (l *lowering) makesLogit(assign ir.Value) bool {
	g := l.g
	if a := g.Attr(assign, "link"); a != 0 {
		return g.Ctx.AttrInfo(a).Str == "logit"
	}
	x := g.Args(assign)[0]
	return g.Def(x) == special.Ilogit || g.Def(x) == ops.Read && l.logits[g.Args(x)[0]]
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
