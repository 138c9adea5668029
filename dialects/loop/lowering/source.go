package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// source answers questions about the graph that is lowered: where its ops stand, what they cost, and what they may do. It builds nothing.
type source struct{ s *ir.Schedule }

// inLoop reports an op in the body of a loop.
func (src source) inLoop(n ir.Node) bool {
	g, s := n.Graph(), src.s
	for r := s.Place(n.Old()); r != ir.Root; r = s.Place(g.Owner(r)) {
		if g.NodeOf(g.Owner(r)).Def() != scf.If {
			return true
		}
	}
	return false
}

// opsIn counts the ops of a region; a loop in it is too many.
func (src source) opsIn(r ir.Region) (ops int) {
	g := src.s.Graph()
	for _, v := range src.s.Body(r) {
		def := g.Def(v)
		switch {
		case def.Has(ir.Terminator) || def.Has(ir.ConstantLike) || def == loop.Emit || def == loop.None:
			continue
		case def == loop.For || def == scf.For || def == scf.While || def == loop.Sort:
			return maxTwice + 1
		}
		ops++
		for _, in := range g.Regions(v) {
			ops += src.opsIn(in)
		}
	}
	return ops
}

// mayTrap reports a region in which an op may.
func (src source) mayTrap(r ir.Region) bool {
	g := src.s.Graph()
	return slices.ContainsFunc(src.s.Body(r), func(v ir.Value) bool {
		return g.MayTrap(v) || slices.ContainsFunc(g.Regions(v), src.mayTrap)
	})
}

// cheap reports a region that may run in any case: it has no effects, never traps and takes
// few operations.
func (src source) cheap(r ir.Region) bool {
	g := src.s.Graph()
	ops := 0
	for _, v := range src.s.Body(r) {
		def := g.Def(v)
		switch {
		case def.Has(ir.Terminator) || def.Has(ir.ConstantLike) || def == loop.Emit || def == loop.None:
		case len(g.Regions(v)) > 0, !g.IsPure(v), g.IsPartial(v), def == arith.Divf:
			return false
		case g.Ctx.DialectOf(def) != g.Ctx.DialectOf(arith.Addf) && def != loop.At:
			ops += 8 // a function
		default:
			ops++
		}
	}
	return ops <= maxMasked
}

// writes reports an op whose regions write or print.
func writes(n ir.Node) bool {
	for _, r := range n.Graph().Regions(n.Old()) {
		if !loop.Quiet(n.Graph(), r) {
			return true
		}
	}
	return false
}
