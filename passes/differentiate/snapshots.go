package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
)

// snapshots lists the memory that a loop which runs again must find as it was: what it writes, or reads while it is written from
// there on. It tells also what it writes; why says, if it is not empty, why it cannot run again.
func (p *plan) snapshots(v ir.Value) (kept []ir.Value, written map[ref]bool, why string) {
	var touched []ir.Value
	written = map[ref]bool{}
	var within func(w ir.Value)
	within = func(w ir.Value) {
		for _, r := range p.g.Regions(w) {
			for _, x := range p.s.Body(r) {
				within(x)
			}
		}
		if len(p.g.Regions(w)) > 0 || why != "" {
			return
		}
		access, ok := p.accesses(p.g.NodeOf(w))
		if why = p.again(v, w); why != "" || !ok {
			return
		}
		for _, x := range access.Accesses {
			if x.Writes {
				written[p.rootOf(x.Memory)] = true
			}
			touched = append(touched, p.whole(x.Memory))
		}
	}
	within(v)
	for _, m := range touched {
		root := p.rootOf(m)
		isHere := p.isInside(p.regionOfRef(refOf(p.g, m)), v)
		switch isKept := written[root] || p.isWrittenFrom(root, p.home[v]); {
		case why != "" || slices.Contains(kept, m):
		case !p.isOneOf(m) && (isHere || isKept):
			why = "writes memory that is one of several, or comes from another function; let it write arguments or memory that is allocated in this function"
		case isKept && !isHere:
			why = p.isCopied(m, v)
			kept = append(kept, m)
		}
	}
	return kept, written, why
}

// again says why an op within a loop cannot run again.
func (p *plan) again(loop, v ir.Value) (why string) {
	if _, ok := ir.As[ir.Allocation](p.g.NodeOf(v)); ok {
		return ""
	}
	frees := slices.ContainsFunc(p.effects(v), func(e ir.Effect) bool { return e.Kind == ir.Free })
	switch {
	case frees && slices.ContainsFunc(p.g.Args(v), func(x ir.Value) bool { return !p.isInside(p.regionOfRef(refOf(p.g, p.whole(x))), loop) }):
		return "frees memory from outside; free it behind the loop"
	case derive.WhyNot(p.g.Ctx, p.g.Def(v)) == derive.Effect:
		return "prints, or may stop the run; move that out of the loop"
	}
	return ""
}

// isOneOf reports memory that is an argument or an allocation.
func (p *plan) isOneOf(m ir.Value) bool {
	if home, _, ok := p.g.Param(m); ok {
		return home == ir.Root
	}
	_, ok := ir.As[ir.Allocation](p.g.NodeOf(m))
	return ok
}

// isCopied asks for what copies of a memory are made with, in each round of the loops around another one. The copies are of one
// size, which is known before all of these run; why says, if it is not empty, that it is not.
func (p *plan) isCopied(m, loop ir.Value) (why string) {
	p.atRounds(p.regionOf(loop))
	p.wantValue(m)
	for _, x := range p.g.Args(m) {
		if !p.isSame(refOf(p.g, x)) {
			return "writes memory whose size changes from round to round; allocate it outside of the loops around"
		}
	}
	return ""
}

// makeSnapshots allocates the copies of memory for a loop apart.
func (x *back) makeSnapshots(v ir.Value, w *apart) {
	for _, m := range w.kept {
		info := x.g.Ctx.Info(x.g.Type(m))
		c, shape := x.count(x.regionOf(v)), slices.Clone(info.Shape)
		var open []ir.Value
		if c != nil {
			shape, open = append([]int64{ir.Dynamic}, shape...), []ir.Value{c.size}
		}
		if x.regionOfRef(refOf(x.g, m)) == ir.Root {
			open = append(open, memref.OpenDims(x.b, x.there[ref{op: m}])...)
		} else {
			for _, size := range x.g.Args(m) {
				open = append(open, x.ahead(nil)(size))
			}
		}
		x.copies[v] = append(x.copies[v], &tape{memory: memref.BuildOwned(x.b, x.g.Ctx.MemRef(shape, info.Elem), 0, open...), count: c})
	}
}

// takeSnapshots copies memory before a loop apart runs.
func (x *back) takeSnapshots(m *ir.Mirror, n ir.Node) {
	for i, t := range x.copies[n.Old()] {
		memory := m.Of(x.g.NodeOf(x.aparts[n.Old()].kept[i]))
		at := x.number(t, x.roundOf(m))
		copyTo(x.b, memory, func(z ir.Value, in []ir.Value) {
			x.b.Op(memref.Store, slices.Concat([]ir.Value{z, t.memory}, at, in)...)
		})
	}
}

// number is where a round has its copy, or nothing if there is only one.
func (x *back) number(t *tape, round func(l *loop) ir.Value) []ir.Value {
	if t.count == nil {
		return nil
	}
	return []ir.Value{t.count.number(x.b, round)}
}

// asBefore has memory hold what it held before a loop apart; what it returns gives the function's memory back what it holds now.
//
// Memory is the function's own, not a copy: so arguments that are the same memory still are.
func (f *frame) asBefore(v ir.Value, w *apart) (putBack func()) {
	var mine, now []ir.Value
	for _, m := range w.kept {
		if f.regionOfRef(refOf(f.g, m)) != ir.Root {
			continue // it is made for this run
		}
		memory := f.value(m)
		mine, now = append(mine, memory), append(now, copyOf(f.b, memory))
	}
	f.fromSnapshots(v, w)
	return func() {
		for i, held := range now {
			copyAll(f.b, held, mine[i])
		}
	}
}

// fromSnapshots fills memory with what it held before a loop apart.
func (f *frame) fromSnapshots(v ir.Value, w *apart) {
	for i, m := range w.kept {
		t, memory := f.copies[v][i], f.value(m)
		round := f.number(t, f.roundNow)
		eachElement(f.b, memory, func(at []ir.Value) {
			z := f.b.Op(memref.Load, slices.Concat([]ir.Value{t.memory}, round, at)...)
			f.b.Op(memref.Store, append([]ir.Value{z, memory}, at...)...)
		})
	}
}
