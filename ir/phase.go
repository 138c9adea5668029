package ir

import (
	"slices"
)

// delayed is a rewrite that waits for its phase.
type delayed struct {
	phase string
	rule  func(m *Mirror, n Node) Value
}

// Delay registers a rewrite of one node for a phase. Until the phase runs the
// node keeps its level, so every rule of that level has had its chance; a rule
// registered while the phase runs applies in its next iteration. A second one
// for the same node and phase is dropped. The rule gets v as it is by then, so for
// an op that may fold as it is built it must look at n.Def(). (LMS, "Delayed Rewriting".)
func (b *Builder) Delay(v Value, phase string, rule func(m *Mirror, n Node) Value) {
	b.keepDelayed(v, []delayed{{phase, rule}})
}

func (b *Builder) keepDelayed(v Value, ds []delayed) {
	if b.g.delayed == nil {
		b.g.delayed = map[Value][]delayed{}
	}
	for _, d := range ds {
		if !slices.ContainsFunc(b.g.delayed[v], func(x delayed) bool { return x.phase == d.phase }) {
			b.g.delayed[v] = append(b.g.delayed[v], d)
		}
	}
}

// same reports that v is the op of a call, not what it folded to: a rewrite that
// waits is for that op alone.
func (g *Graph) same(v Value, c *Call) bool {
	args := g.Args(v)
	return g.Def(v) == c.Def && g.nodes[v].attr == c.Attr && len(args) == len(c.Args) &&
		(slices.Equal(args, c.Args) || c.Def.Has(Commutative) && args[0] == c.Args[1] && args[1] == c.Args[0])
}

// A Phase lowers: it applies rules until none of the ops they are for is left.
type Phase struct {
	Name     string
	Rules    Rules
	Types    func(*Mirror, Type) Type
	Illegal  func(*OpDef) bool // ops that must be gone when the phase ends
	Schedule ScheduleOptions   // of the graphs that rules see
}

// Run applies a phase to a graph and its children until its rules change nothing,
// or bring back what there was before. What is left although it is
// illegal is an error that names the op.
func (p *Phase) Run(g *Graph) (*Graph, error) {
	seen := map[uint64]bool{} // fingerprints of what was rewritten
	for p.applies(g) {
		s := NewSchedule(g, p.Schedule)
		if f := s.Fingerprint(); seen[f] {
			break
		} else {
			seen[f] = true
		}
		m := &Mirror{s: s, g: g, rules: p.Rules, types: p.Types, phase: p.Name}
		g = m.run(g.Ctx)
		if m.ran == 0 {
			break
		}
	}
	if p.Illegal == nil {
		return g, nil
	}
	return g, p.check(g)
}

// applies reports that a graph, or one in it, has something that the phase may rewrite.
func (p *Phase) applies(g *Graph) bool {
	if p.Types != nil {
		return true
	}
	for _, ds := range g.delayed {
		if slices.ContainsFunc(ds, func(d delayed) bool { return d.phase == p.Name }) {
			return true
		}
	}
	for v := Value(1); int(v) < len(g.nodes); v++ {
		if p.Rules[g.Def(v)] != nil || slices.ContainsFunc(g.Children(v), p.applies) {
			return true
		}
	}
	return false
}

func (p *Phase) check(g *Graph) error {
	for n := range g.All() {
		if p.Illegal(n.Def()) {
			return n.g.LeftOver(n.v, "phase "+p.Name)
		}
	}
	return nil
}
