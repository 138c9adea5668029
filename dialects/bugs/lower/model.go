package lower

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// A model is what is known of a bugs.model before a function is made of it: which ops the function needs, what these read and
// write, what stands before the loops that need it, and which sums there are. Nothing of the function changes it.
type model struct {
	g         *ir.Graph
	s         *ir.Schedule
	known     affine.Analysis
	need      map[ir.Value]bool
	params    []ir.Value               // declarations that are arguments
	locals    []ir.Value               // and those that are memory of the function
	writes    map[ir.Region][]ir.Value // declarations that a loop assigns to
	slots     []slot
	invariant map[ir.Value]bool    // ops before the loops that need them
	factors   map[ir.Value]factor  // what each bugs.multivariate is lowered as
	links     map[ir.Value]linkage // what hasLink says; nil: not asked yet
	stable    bool                 // the function is that for large counts and shapes
}

// modelOf is what is known of a bugs.model of which the values of some logical nodes are wanted, for one of its functions.
func modelOf(g *ir.Graph, wanted map[string]bool, stable bool) *model {
	m := &model{g: g, s: ir.ScheduleOf(g), known: affine.Of(g).Certain(), need: map[ir.Value]bool{}, writes: map[ir.Region][]ir.Value{},
		invariant: map[ir.Value]bool{}, factors: map[ir.Value]factor{}, stable: stable}
	m.analyze(wanted)
	m.findEarly(ir.Root, false)
	return m
}

// analyze finds what the function must compute: the factors, the wanted values, and
// what they read; which variables are arguments; and the sums.
func (m *model) analyze(wanted map[string]bool) {
	g := m.g
	assigns := map[ir.Value][]ir.Value{} // by declaration
	var decls []ir.Value
	for v := range m.s.All() {
		switch g.Def(v) {
		case ops.Assign:
			d := g.Args(v)[1]
			assigns[d] = append(assigns[d], v)
		case ops.Compute:
			d := g.Args(v)[0]
			assigns[d] = append(assigns[d], v)
		case ops.Constrain:
			d := ops.Constrained(g, v)
			assigns[d] = append(assigns[d], v)
		case ops.Data, ops.Param, ops.LogicalVar:
			decls = append(decls, v)
		}
	}
	for v := range m.s.All() {
		if g.Def(v) == ops.Multivariate {
			m.factors[v] = inverses{m, assigns}.rewrite(v)
		}
	}
	n := needs{model: m, assigns: assigns}
	for v := range m.s.All() {
		if isFactor(g.Def(v)) || g.Def(v) == ops.Assign && wanted[m.name(g.Args(v)[1])] || g.Def(v) == ops.Constrain && wanted[m.name(ops.Constrained(g, v))] {
			n.mark(v)
		}
	}
	for _, d := range decls {
		switch {
		case g.Def(d) == ops.LogicalVar && !wanted[m.name(d)] && g.Attr(d, "given") == 0:
			if m.need[d] {
				m.locals = append(m.locals, d)
			}
		case m.need[d]:
			m.params = append(m.params, d)
		}
	}
	m.slots = slices.DeleteFunc(m.slotsIn(ir.Root), slot.isHidden)
}

// isFactor reports an op that is a factor of the density.
func isFactor(def *ir.OpDef) bool {
	return def == ops.Stochastic || def == ops.Multivariate || def == ops.Term
}

type needs struct {
	model   *model
	assigns map[ir.Value][]ir.Value
}

// mark needs a value, the loops around it, and what it is made of.
func (n *needs) mark(v ir.Value) {
	stack := []ir.Value{v}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n.model.need[v] {
			continue
		}
		n.model.need[v] = true
		g := n.model.g
		args := n.model.operands(v)
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
		for r := n.model.s.Place(v); r != ir.Root; r = n.model.s.Place(g.Owner(r)) {
			stack = append(stack, g.Owner(r))
		}
	}
}

// operands are what an op is lowered from.
func (m *model) operands(v ir.Value) []ir.Value {
	f, ok := m.factors[v]
	if !ok {
		return m.g.Args(v)
	}
	var out []ir.Value
	for _, p := range f.parts {
		out = append(append(out, p.Array), p.Bounds...)
	}
	return out
}

// slotsIn lists the sums that a region adds to, in order.
func (m *model) slotsIn(r ir.Region) (slots []slot) {
	seen := map[slot]bool{}
	m.eachSlot(r, func(s slot) {
		if !seen[s] {
			seen[s] = true
			slots = append(slots, s)
		}
	})
	return slots
}

// eachSlot tells them as often as there are factors.
func (m *model) eachSlot(r ir.Region, add func(slot)) {
	g := m.g
	for _, v := range m.s.Body(r) {
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
		if m.mayBeLarge(v) {
			add(largeNodes)
		}
		if m.readsByIndex(v) {
			add(badIndices)
		}
		for _, in := range g.Regions(v) {
			m.eachSlot(in, add)
		}
	}
}
