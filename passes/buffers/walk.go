package buffers

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// region walks the ops of a region, and plans what it gives back at its owners' last uses.
func (a *analysis) region(r ir.Region) {
	body := a.body.s.Body(r)
	a.path = append(a.path, place{r, -1})
	for i, v := range body {
		a.path[len(a.path)-1].at = i
		a.op(v)
	}
	if r == ir.Root {
		a.returned()
	}
	a.path = a.path[:len(a.path)-1]
}

// end plans what a region gives back, when it is known what it moves on. What is never used
// goes at once.
func (a *analysis) end(r ir.Region) {
	body := a.body.s.Body(r)
	if len(body) == 0 {
		return
	}
	for _, o := range a.in[r] {
		x := &a.ledger.owners[o]
		if !a.owns(r, o) || a.gone[use{r, o}] || x.kept != "" || x.flag&yes == 0 || x.free == nil {
			continue
		}
		at, used := a.last[use{r, o}]
		switch {
		case used:
			a.plan.drop(body[at], o)
		case a.body.g.IsOp(x.at.node) && !a.inside[use{r, o}]:
			a.plan.drop(x.at.node, o)
		default:
			a.plan.dropFirst(body[0], o)
		}
	}
}

// op notes what an op does with memory.
func (a *analysis) op(v ir.Value) {
	g := a.body.g
	def := g.Def(v)
	if def.Has(ir.Terminator) {
		a.others(v)
		return
	}
	for _, x := range g.Args(v) {
		a.touch(a.of(x))
	}
	n := g.NodeOf(v)
	if alloc, ok := ir.As[ir.Allocation](n); ok {
		a.allocation(v, alloc)
		return
	}
	if view, ok := ir.As[ir.ViewLike](n); ok {
		a.set(key{v, 0}, slices.Clone(a.of(view.Source)))
		return
	}
	if call, ok := ir.As[ir.CallLike](n); ok && !g.Def(v).Has(ir.NoCapture) {
		a.call(v, call)
		return
	}
	switch {
	case len(g.Regions(v)) > 0 && a.body.isBranch(v):
		a.branches(v)
	case len(g.Regions(v)) > 0 && a.body.isLoop(v):
		a.loop(v)
	case a.body.isChoice(v):
		a.choice(v)
	default:
		a.plain(v)
	}
}

// allocation: what is marked is an owner; what another allocation takes over is freed.
func (a *analysis) allocation(v ir.Value, alloc ir.Allocation) {
	if alloc.From != 0 {
		a.ledger.keep("the program frees it", a.of(alloc.From)...)
	}
	if !a.wanted(v, alloc) {
		return
	}
	o := a.ledger.owner(key{v, 0}, a.here())
	a.ledger.owners[o].free = alloc.Free
	a.ledger.learn(o, yes)
	a.set(key{v, 0}, []int{o})
	if a.foreign > 0 {
		a.ledger.keep("it is allocated where it is not known when that runs", o)
	}
}

// wanted reports an allocation that is ours to give back.
func (a *analysis) wanted(v ir.Value, alloc ir.Allocation) bool {
	return alloc.Free != nil && (a.f.all || a.body.g.Attr(v, memref.OwnedAttr) != 0)
}

// plain is an op that is no more to this pass than what it does with its operands: one that
// may keep them, or gives memory that may be theirs, lets them escape.
func (a *analysis) plain(v ir.Value) {
	g := a.body.g
	def := g.Def(v)
	for i, x := range g.Args(v) {
		if owners := a.of(x); len(owners) > 0 {
			if why := a.escapes(v, i); why != "" {
				a.ledger.keep(why, owners...)
			}
		}
	}
	a.others(v)
	if def.Has(ir.Isolated) || !a.body.givesMemory(v) || def.Refs == nil {
		return
	}
	refs := def.Refs(a.body.args.Of(v))
	var owners []int
	for _, x := range refs.Alias {
		owners = append(owners, a.of(x)...)
	}
	a.set(key{v, 0}, owners)
}

// escapes says how an op lets operand i escape, "" if it does not.
func (a *analysis) escapes(v ir.Value, i int) string {
	g := a.body.g
	x := g.Args(v)[i]
	def := g.Def(v)
	if a.body.frees(v) {
		return "the program frees it"
	}
	if access, ok := ir.As[ir.AccessLike](g.NodeOf(v)); ok && !a.body.givesMemory(v) {
		for _, e := range access.Accesses {
			if e.Stored == x {
				return "it is stored"
			}
		}
		return ""
	}
	switch {
	case def.Has(ir.NoCapture) && !a.body.givesMemory(v):
		return ""
	case def.Refs != nil && g.Results(v) == 1:
		if refs := def.Refs(a.body.args.Of(v)); slices.Contains(refs.Alias, x) && len(g.Regions(v)) == 0 && def.Effects == nil {
			return ""
		}
	}
	return def.Name + " may keep it"
}

// frees reports an op that gives memory back.
func (b *body) frees(v ir.Value) bool {
	def := b.g.Def(v)
	return def.Effects != nil && slices.ContainsFunc(def.Effects(b.args.Of(v)), func(e ir.Effect) bool { return e.Kind == ir.Free })
}

// givesMemory reports an op with a result that may refer to memory.
func (b *body) givesMemory(v ir.Value) bool {
	c := b.g.Ctx
	for _, t := range c.Results(b.g.Type(v)) {
		if k := c.Info(t).Kind; k == ir.KindMemRef || k == ir.KindOpaque || k == ir.KindTensor {
			return true
		}
	}
	return false
}

// others walks the regions of an op of which no more is known than their kinds. What they
// yield escapes.
func (a *analysis) others(v ir.Value) {
	g := a.body.g
	for _, r := range g.Regions(v) {
		// The ops of such a region run nobody knows when: no place behind them is certainly later.
		hidden := g.KindOf(r) == ir.Barrier || g.KindOf(r) == ir.Lambda || !g.Def(v).Registered()
		if hidden {
			a.foreign++
		}
		a.region(r)
		for _, y := range g.Yields(r) {
			a.ledger.keep(g.Def(v).Name+" takes it", a.of(y)...)
		}
		a.end(r)
		if hidden {
			a.foreign--
		}
	}
}
