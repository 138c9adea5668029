package lower

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir"
)

// analyze finds what the function must compute: the factors, the wanted values, and
// what they read; which variables are arguments; and the sums.
func (l *lowering) analyze(wanted map[string]bool) {
	g := l.g
	assigns := map[ir.Value][]ir.Value{} // by declaration
	var decls []ir.Value
	for v := range l.s.All() {
		switch g.Def(v) {
		case ops.Assign:
			d := g.Args(v)[1]
			assigns[d] = append(assigns[d], v)
		case ops.Compute, ops.Constrain:
			d := g.Args(v)[0]
			assigns[d] = append(assigns[d], v)
		case ops.Data, ops.Param, ops.LogicalVar:
			decls = append(decls, v)
		}
	}
	for v := range l.s.All() {
		if g.Def(v) == ops.Multivariate {
			l.factors[v] = inverses{l, assigns}.rewrite(v)
		}
	}
	n := needs{l: l, assigns: assigns}
	for v := range l.s.All() {
		if isFactor(g.Def(v)) || g.Def(v) == ops.Assign && wanted[l.name(g.Args(v)[1])] {
			n.mark(v)
		}
	}
	for _, d := range decls {
		switch {
		case g.Def(d) == ops.LogicalVar && !wanted[l.name(d)] && g.Attr(d, "given") == 0:
			if l.need[d] {
				l.locals = append(l.locals, d)
			}
		case l.need[d]:
			l.params = append(l.params, d)
		}
	}
	l.slots = slices.DeleteFunc(l.slotsIn(ir.Root), slot.isHidden)
}

// isFactor reports an op that is a factor of the density.
func isFactor(def *ir.OpDef) bool {
	return def == ops.Stochastic || def == ops.Multivariate || def == ops.Term
}

type needs struct {
	l       *lowering
	assigns map[ir.Value][]ir.Value
}

// mark needs a value, the loops around it, and what it is made of.
func (n *needs) mark(v ir.Value) {
	stack := []ir.Value{v}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n.l.need[v] {
			continue
		}
		n.l.need[v] = true
		g := n.l.g
		args := n.l.operands(v)
		stack = append(stack, args...)
		if _, _, ok := g.Param(v); ok {
			continue
		}
		switch g.Def(v) {
		case ops.Fold:
			stack = append(stack, g.Term(g.Regions(v)[0]))
		case ops.Assign:
		case ops.Stochastic:
			stack = append(stack, n.assigns[args[0]]...)
		case ops.Compute:
			for _, a := range args[1:] {
				stack = append(stack, n.assigns[a]...)
			}
		default:
			for _, a := range args {
				stack = append(stack, n.assigns[a]...)
			}
		}
		for r := n.l.s.Place(v); r != ir.Root; r = n.l.s.Place(g.Owner(r)) {
			stack = append(stack, g.Owner(r))
		}
	}
}

// operands are what an op is lowered from.
func (l *lowering) operands(v ir.Value) []ir.Value {
	f, ok := l.factors[v]
	if !ok {
		return l.g.Args(v)
	}
	var out []ir.Value
	for _, p := range f.parts {
		out = append(append(out, p.Array), p.Bounds...)
	}
	return out
}

// slotsIn lists the sums that a region adds to, in order.
func (l *lowering) slotsIn(r ir.Region) (slots []slot) {
	seen := map[slot]bool{}
	l.eachSlot(r, func(s slot) {
		if !seen[s] {
			seen[s] = true
			slots = append(slots, s)
		}
	})
	return slots
}

// eachSlot tells them as often as there are factors.
func (l *lowering) eachSlot(r ir.Region, add func(slot)) {
	g := l.g
	for _, v := range l.s.Body(r) {
		if isFactor(g.Def(v)) {
			name := g.Ctx.AttrInfo(g.Attr(v, "name")).Str
			obs := "none"
			if g.Def(v) != ops.Term {
				obs = g.Ctx.AttrInfo(g.Attr(v, "observed")).Str
			}
			if obs != "none" {
				add(slot{name, true})
			}
			if obs != "all" {
				add(slot{name, false})
			}
		}
		if l.mayBeLarge(v) {
			add(largeNodes)
		}
		if l.readsByIndex(v) {
			add(badIndices)
		}
		for _, in := range g.Regions(v) {
			l.eachSlot(in, add)
		}
	}
}
