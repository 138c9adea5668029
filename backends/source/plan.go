package source

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// A plan says which ops become part of the expression that uses them: those with one use, in
// the same region. One that reads memory or may trap has to be computed where it stands as
// seen from writes and from what may trap for another reason, so nothing between it and the
// statement that it ends up in may act.
type plan struct {
	uses   map[ir.Value]int
	user   map[ir.Value]ir.Value
	at     map[ir.Value]place
	folded map[ir.Value]bool
}

// A place is a position in the body of a region, and how many ops before it act.
type place struct {
	region    ir.Region
	pos, acts int
}

func newPlan(g *ir.Graph, s *ir.Schedule) *plan {
	p := &plan{map[ir.Value]int{}, map[ir.Value]ir.Value{}, map[ir.Value]place{}, map[ir.Value]bool{}}
	var all []ir.Value
	var walk func(r ir.Region)
	walk = func(r ir.Region) {
		acts := 0
		for pos, v := range s.Body(r) {
			all = append(all, v)
			p.at[v] = place{r, pos, acts}
			for _, a := range g.Args(v) {
				if n, _, ok := g.Projection(a); ok {
					a = n
				}
				p.uses[a]++
				p.user[a] = v
			}
			if !foldable(g, v) {
				acts++
			}
			for _, inner := range g.Regions(v) {
				walk(inner)
			}
		}
	}
	walk(ir.Root)
	ends := map[ir.Value]place{} // of the statement that an op is part of
	again := map[ir.Value]bool{} // it may be evaluated not once
	for i := len(all) - 1; i >= 0; i-- {
		v := all[i]
		ends[v] = p.at[v]
		u, here := p.user[v], p.at[v]
		if p.uses[v] != 1 || !foldable(g, v) || p.at[u].region != here.region || !takes(g, u, v) {
			continue
		}
		end := p.at[u]
		if p.folded[u] {
			end = ends[u]
		}
		again[v] = again[u] || !once(g, u, v)
		if reads(g, v) && (end.acts != here.acts || again[v]) {
			again[v] = false
			continue
		}
		p.folded[v], ends[v] = true, end
	}
	return p
}

// foldable reports an op that can be an expression: it has one result and no region, and
// does nothing but compute or read.
func foldable(g *ir.Graph, v ir.Value) bool {
	def := g.Def(v)
	if def == memref.Load {
		return true
	}
	d := g.Ctx.DialectOf(def)
	return d != nil && len(g.Regions(v)) == 0 && g.Results(v) == 1 && def.Effects == nil && !def.Has(ir.Terminator) &&
		(d.Name == "arith" || d.Name == "math" || d.Name == "special" || def == memref.Dim) && g.Ctx.Info(g.Type(v)).Kind != ir.KindMemRef
}

// reads reports a foldable op whose place matters: it reads memory or may trap.
func reads(g *ir.Graph, v ir.Value) bool {
	return g.Def(v) == memref.Load || g.IsPartial(v) || g.Def(v).Has(ir.Partial)
}

// takes reports that an op can have another in an operand of its text: one that is written
// once.
func takes(g *ir.Graph, u, v ir.Value) bool {
	def := g.Def(u)
	switch def {
	case scf.Parallel, scf.Forall, scf.Reduce:
		return false // each bound is checked before the first loop
	case scf.For:
		return g.Args(u)[2] != v // the step is checked, and added
	}
	return g.Ctx.DialectOf(def) != nil
}

// once reports that an operand is evaluated exactly once: not in an arm of a conditional
// expression, nor in each round of a loop.
func once(g *ir.Graph, u, v ir.Value) bool {
	switch g.Def(u) {
	case arith.Select:
		return g.Args(u)[0] == v
	case scf.For:
		return g.Args(u)[1] != v
	}
	return true
}
