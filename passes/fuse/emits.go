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

// places counts the tuples in the text of a sequence that is known, and in that of loops which
// run where others emit: as many copies of what reads it there would be.
func (p *plan) places(e ir.Value) int {
	g := p.g
	n, i, _ := g.Projection(e)
	sum := 0
	switch g.Def(n) {
	case loop.Emit:
		return 1
	case loop.Seq:
		for _, part := range g.Args(n) {
			sum += p.places(part)
		}
	case arith.Select:
		return p.places(g.Args(n)[1]) + p.places(g.Args(n)[2])
	case scf.If:
		for _, r := range g.Regions(n) {
			sum += p.places(g.Yields(r)[i])
		}
	case loop.For:
		list := loop.Generators(g.NodeOf(n))
		k, _ := loop.GeneratorOf(g, n, i)
		sum = 1
		if given := loop.Split(g, list, g.Yields(g.Regions(n)[0]))[k]; loop.EmitsIn(g, given) {
			// A loop that emits in each round has the places of its body, else one. What runs in its rounds
			// is multiplied by its copies.
			sum = p.places(given[0])
		}
		if j, ok := p.at[n]; ok && p.of[j] >= 0 {
			sum *= p.copies(p.clusters[p.of[j]], p.clusters[p.of[j]].rounds(j))
		}
	}
	return sum
}

// copies counts the places in which a loop would run that runs where a member of a cluster emits.
func (p *plan) copies(c *cluster, in source) int {
	n := 1
	for s := in; s != root && n <= p.limit; s = c.rounds(s.loop) {
		n = ir.Times(n, p.places(p.loops[s.loop].emits[s.gen]))
	}
	return n
}

// fewCopies reports that a loop may run where another emits: there is one such place, or
// what copies for several make is little.
func (p *plan) fewCopies(c *cluster, l int, in source) bool {
	n := p.copies(c, in)
	return n <= 1 || n*p.loops[l].effort.ops <= p.limit
}
