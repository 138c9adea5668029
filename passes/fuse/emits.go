package fuse

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// known reports that all tuples of a conditional generator can be seen.
func (l *member) known(x *region, gen int) bool {
	return l.conditional(gen) && loop.Known(x.g, l.emits[gen])
}

// places counts the tuples in the text of a sequence that is known: as many copies of what
// reads it there would be.
func places(g *ir.Graph, e ir.Value) int {
	n, i, _ := g.Projection(e)
	sum := 0
	switch g.Def(n) {
	case loop.Emit:
		return 1
	case loop.Seq:
		for _, p := range g.Args(n) {
			sum += places(g, p)
		}
	case arith.Select:
		return places(g, g.Args(n)[1]) + places(g, g.Args(n)[2])
	case scf.If:
		for _, r := range g.Regions(n) {
			sum += places(g, g.Yields(r)[i])
		}
	case loop.For:
		list := loop.Generators(g.NodeOf(n))
		k, _ := loop.GeneratorOf(g, n, i)
		given := loop.Split(g, list, g.Yields(g.Regions(n)[0]))[k]
		if _, ok := loop.TupleOf(g.Ctx, g.Type(given[0])); ok {
			return places(g, given[0])
		}
		return 1
	}
	return sum
}

// fewCopies reports that a loop may run where another emits: there is one such place, or
// what copies for several make is little.
func (p *plan) fewCopies(c *cluster, l int, in source) bool {
	n := 1
	for s := in; s != root; s = c.rounds(s.loop) {
		n *= places(p.g, p.loops[s.loop].emits[s.gen])
		if n > 1 && n*p.loops[l].ops > p.limit {
			return false
		}
	}
	return true
}
