package lower

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// inverseLinks are the ops of the inverses of links.
var inverseLinks = map[*ir.OpDef]functions.Link{special.Ilogit: functions.LogitLink, special.Phi: functions.ProbitLink,
	special.Icloglog: functions.CloglogLink, math.Exp: functions.LogLink}

// chanceOf finds the predictor of a probability that a link made, or that is 1 less such a one.
func (l *lowering) chanceOf(p ir.Value) (c functions.Chance[ir.Value], ok bool) {
	g := l.b.Graph()
	if q, is := lessThanOne(g, p); is {
		p, c.Other = q, true
	}
	c.Link = inverseLinks[g.Def(p)]
	if c.Link == functions.NoLink {
		return c, false
	}
	c.Eta = g.Args(p)[0]
	return c, true
}

// lessThanOne is q where a value is 1 - q.
func lessThanOne(g *ir.Graph, v ir.Value) (q ir.Value, ok bool) {
	if g.Def(v) != arith.Subf {
		return 0, false
	}
	args := g.Args(v)
	one, isConst := g.Const(args[0])
	return args[1], isConst && one.F64() == 1
}

// unlessRounded is the term of a node whose parameter is a probability p, but NaN where p is so near to 1
// that 1 - p has lost digits, or so near to 0 that p has, and comes from a logical node in memory that a
// link makes, whose predictor is not at hand: the reference evaluation has it, and so both.
// The mass between bounds has
// what the density has at some x.
func (l *lowering) unlessRounded(law *family.Law, term, old, x ir.Value, p []ir.Value, truncated bool) ir.Value {
	g, k := l.model.g, l.kit()
	how := linkedAsIs
	if q, is := lessThanOne(g, old); is {
		old, how = q, linkedLess
	}
	how = l.model.rounds(old, how)
	if _, at := l.chanceOf(p[0]); at || how == notLinked {
		return term
	}
	least := leastNormal
	if how == linkedLess {
		least = lostDigits
	}
	if truncated {
		x = k.Num(gomath.NaN())
	}
	none, all := law.Ops.Without(k, x, p)
	low := k.Or(k.Cmp(arith.OGE, p[0], k.Num(least)), none)
	high := k.Or(k.Cmp(arith.OLT, p[0], k.Num(1-lostDigits)), all)
	return k.Valid(k.And(low, high), term)
}

// unlessWeightsRounded is the term of a node whose first parameter is weights, but NaN where one of these
// that it is the logarithm of may have lost digits.
func (l *lowering) unlessWeightsRounded(law *family.Joint, term ir.Value, w kit.Workspace, views []kit.View, weights ir.Value) ir.Value {
	how := l.model.hasLink(weights)
	if l.model.g.Def(weights) == ops.Data && l.model.g.Attr(weights, ops.LinkedAttr) != 0 {
		how = linkedLess
	}
	if how == notLinked {
		return term
	}
	least := leastNormal
	if how == linkedLess {
		least = lostDigits
	}
	k := l.kit()
	return k.Valid(k.Cmp(arith.OGE, apply.LeastWeightOps(law, k, w, views[0], views[1:]), k.Num(least)), term)
}

// rounds says whether a link may have made a parameter, or a number that is 1 less it, how.
// Of constants nobody knows: a link at one of them is one.
func (m *model) rounds(old ir.Value, how linkage) linkage {
	g := m.g
	if _, isConst := g.Const(old); isConst {
		return linkedLess
	}
	switch {
	case g.Def(old) != ops.Read:
		return notLinked
	case g.Def(g.Args(old)[0]) == ops.Data && g.Attr(g.Args(old)[0], ops.LinkedAttr) != 0:
		return linkedLess
	case m.hasLink(g.Args(old)[0]) == notLinked:
		return notLinked
	}
	return max(how, m.hasLink(g.Args(old)[0]))
}

// lostDigits is the 1 - p below which it is known to less than about 2^-32 of itself, and its
// logarithm to less than 2^-36.
const lostDigits = 1.0 / (1 << 20)

// leastNormal is the least p that has all of its digits.
const leastNormal = 0x1p-1022

// linkage says what of a logical node links make.
type linkage uint8

const (
	notLinked  linkage = iota
	linkedAsIs         // some elements, by a link or by the inverse of one, or as another such node is
	linkedLess         // some elements are 1 less such a number: their digits are lost next to 0
)

// hasLink says what of a node links make.
func (m *model) hasLink(node ir.Value) linkage {
	if m.links == nil {
		m.links = map[ir.Value]linkage{}
		for changed := true; changed; {
			changed = false
			for v := range m.s.All() {
				if m.g.Def(v) != ops.Assign {
					continue
				}
				if how, node := m.makesLink(v), m.g.Args(v)[1]; how > m.links[node] {
					m.links[node], changed = how, true
				}
			}
		}
	}
	return m.links[node]
}

func (m *model) makesLink(assign ir.Value) linkage {
	g := m.g
	if g.Attr(assign, "link") != 0 {
		return linkedAsIs
	}
	x, how := g.Args(assign)[0], linkedAsIs
	if q, is := lessThanOne(g, x); is {
		x, how = q, linkedLess
	}
	switch {
	case inverseLinks[g.Def(x)] != functions.NoLink:
		return how
	case g.Def(x) == ops.Read && m.links[g.Args(x)[0]] != notLinked:
		return max(how, m.links[g.Args(x)[0]])
	}
	return notLinked
}

// linked is the density of a node whose parameter a link made; 0 if there is no
// special form. small says that no count is above large.
func (l *lowering) linked(law *family.Law, small bool, x ir.Value, p []ir.Value) ir.Value {
	k, f := l.kit(), law.Ops
	if f.AtExp != nil && l.b.Graph().Def(p[0]) == math.Exp && (small || !l.model.stable) {
		if sizes := apply.Sizes(law, small); sizes != nil {
			l.sums.large(k.Exceeds(sizes(x, p)...))
		}
		return f.AtExp(k, x, p)
	}
	if f.AtLink != nil {
		if c, ok := l.chanceOf(p[0]); ok {
			return f.AtLink(k, x, p, c, l.bySize(small))
		}
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
		case !l.model.stable:
			l.sums.large(k.Exceeds(sizes...))
			return plain
		}
		return k.Branch(cond(k.Exceeds(sizes...)), careful, func() ir.Value { return plain })
	}
}
