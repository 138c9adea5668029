package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// An update adds terms to an element of memory. On the way back the element's adjoint stays where it is, and each term
// gets it: nothing is written, so the rounds of a loop of updates may run in any order.
type update struct {
	terms []term
	read  ir.Value // of the element
}

// A term is what an update adds, or subtracts.
type term struct {
	value ir.Value
	minus bool
	sum   ir.Value // the op that adds it
}

// updater finds the stores that are updates.
type updater struct{ *plan }

// find notes them in the plan.
func (p updater) find() {
	for _, r := range p.allRegions() {
		for _, v := range p.s.Body(r) {
			if u := p.updateOf(v); u != nil {
				p.updates[v] = u
				p.inUpdate[u.read] = true
				for _, t := range u.terms {
					p.inUpdate[t.sum] = true
				}
			}
		}
	}
}

// updateOf is the update that a store is, or nil.
func (p updater) updateOf(store ir.Value) *update {
	to, ok := p.single(store)
	if !ok || !to.Writes || to.Stored == 0 || !p.activeMemory(to.Memory) {
		return nil
	}
	u := &update{}
	for v := to.Stored; ; {
		if _, _, isParam := p.g.Param(v); isParam || len(p.uses.Of(v)) != 1 || p.regionOf(v) != p.regionOf(store) {
			return nil
		}
		if from, ok := p.single(v); ok {
			if u.read = v; !from.Reads || from.Memory != to.Memory || !slices.Equal(from.Indices, to.Indices) || len(u.terms) == 0 || p.isBetween(v, store, to.Memory) {
				return nil
			}
			return u
		}
		def, args := p.g.Def(v), p.g.Args(v)
		if def != arith.Addf && def != arith.Subf || args[0] == args[1] {
			return nil
		}
		t := term{value: args[1], minus: def == arith.Subf, sum: v}
		next := args[0]
		if def == arith.Addf && !p.leadsTo(next, to) {
			next, t.value = args[1], args[0]
		}
		u.terms, v = append(u.terms, t), next
	}
}

// single is what an op does to one element of memory, if that is all that it does.
func (p *plan) single(v ir.Value) (a ir.Access, ok bool) {
	if _, _, isParam := p.g.Param(v); isParam {
		return a, false
	}
	l, is := ir.As[ir.AccessLike](p.g.NodeOf(v))
	if !is || len(l.Accesses) != 1 {
		return a, false
	}
	a = l.Accesses[0]
	return a, a.Reads != a.Writes && len(a.First) == 0 && len(a.Indices) == len(p.g.Ctx.Info(p.g.Type(a.Memory)).Shape)
}

// leadsTo reports a sum that begins with a read of an element, by its first terms.
func (p updater) leadsTo(v ir.Value, to ir.Access) bool {
	for {
		if from, ok := p.single(v); ok {
			return from.Reads && from.Memory == to.Memory && slices.Equal(from.Indices, to.Indices)
		}
		if def := p.g.Def(v); def != arith.Addf && def != arith.Subf {
			return false
		}
		v = p.g.Args(v)[0]
	}
}

// isBetween reports something that may write to a memory between two ops of a region.
func (p updater) isBetween(read, store, memory ir.Value) bool {
	body := p.s.Body(p.regionOf(store))
	for _, v := range body[p.order[read]+1 : p.order[store]] {
		if len(p.g.Regions(v)) > 0 {
			return true
		}
		for _, e := range p.effects(v) {
			if e.Kind != ir.Write && e.Kind != ir.Free {
				continue
			}
			x, ok := p.single(v)
			if !ok || p.rootOf(x.Memory) == p.rootOf(memory) {
				return true
			}
		}
	}
	return false
}

// isReadIn reports a read of memory, in the regions of an op, that is not that of an update.
func (p *plan) isReadIn(owner ir.Value, memory ref) bool {
	for _, r := range p.g.Regions(owner) {
		for _, v := range p.s.Body(r) {
			if access, ok := p.accesses(p.g.NodeOf(v)); ok && !p.inUpdate[v] {
				if slices.ContainsFunc(access.Accesses, func(x ir.Access) bool { return x.Reads && p.rootOf(x.Memory) == memory }) {
					return true
				}
			}
			if p.isReadIn(v, memory) {
				return true
			}
		}
	}
	return false
}

// update gives the adjoint of the element to the terms.
func (f *frame) update(u *update, z ir.Value) {
	for _, t := range u.terms {
		v := ref{op: t.sum}
		f.taken[v] = z
		give := z
		if t.minus {
			give = arith.NegF(f.b, z)
		}
		f.give(t.value, give, f.arms.clean(v))
	}
}

// isIndependent reports a loop of which no round needs on the way back what another one leaves in a shadow: by dependences.
//
// A read adds to the shadow, an update reads it, and any other write does both. Sums may be in any order.
func (p *plan) isIndependent(l *loop) bool {
	v := l.n.Old()
	x := p.elementsAt(p.home[v])
	if x == nil {
		return false
	}
	for i, a := range x.List {
		level := slices.Index(a.Loops, v)
		if level < 0 || p.inUpdate[a.Op] || !p.activeMemory(a.Memory) {
			continue
		}
		for k, b := range x.List[:i+1] {
			agree := !a.Writes && !b.Writes || p.updates[a.Op] != nil && p.updates[b.Op] != nil
			if agree || p.inUpdate[b.Op] || !slices.Contains(b.Loops, v) || p.rootOf(a.Memory) != p.rootOf(b.Memory) {
				continue
			}
			if x.mayBeCarried(k, i, level) {
				return false
			}
		}
	}
	return true
}
