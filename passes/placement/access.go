package placement

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// An access is what something does to a memory.
type access struct {
	reads, writes bool
	whole         bool // what it writes is all of it
}

// needs reports that it depends on what is there.
func (a access) needs() bool { return a.reads || a.writes && !a.whole }

// An event is an op that accesses memory, on one side.
type event struct {
	onDevice bool
	bases    []*base // in the order of the function
	does     map[*base]access
	loop     *ir.LoopLike // it does nothing if this runs no round
	frees    *base
}

// eventsIn finds the events of a region: an op with launches in it, or a branch, is taken apart.
func (f *function) eventsIn(r ir.Region, by *placer) {
	for _, v := range f.s.Body(r) {
		n := f.g.NodeOf(v)
		if n.Def() == device.Launch {
			f.add(v, f.launched(launchOf(f, n), by.kernel(f, n)))
			continue
		}
		if _, branch := ir.As[ir.BranchLike](n); branch || f.around[v] {
			for _, in := range f.g.Regions(v) {
				f.eventsIn(in, by)
			}
			continue
		}
		e := &event{does: map[*base]access{}}
		f.host(v, e.does)
		if n.Def() == memref.Copy {
			if b := f.bases[f.g.Args(v)[1]]; b != nil { // no view of it
				a := e.does[b]
				a.whole = true
				e.does[b] = a
			}
		}
		if l, ok := ir.As[ir.LoopLike](n); ok && len(l.Indices) > 0 && !l.Inclusive {
			e.loop = &l
			for b, a := range e.does {
				if a.writes && !a.reads {
					a.whole = f.covers(v, b.v)
					e.does[b] = a
				}
			}
		}
		if n.Def() == memref.Dealloc {
			e.frees = f.bases[f.root(f.g.Args(v)[0])]
		}
		f.add(v, e)
	}
}

// add notes the event of an op. The order of its memories is that of the function, so that output never
// depends on a map.
func (f *function) add(v ir.Value, e *event) {
	e.bases = slices.SortedFunc(maps.Keys(e.does), func(a, b *base) int { return a.number - b.number })
	if len(e.bases) > 0 || e.frees != nil {
		f.events[v] = e
	}
}

// launched is what a launch does.
func (f *function) launched(l launch, k *kernel) *event {
	e := &event{onDevice: true, does: map[*base]access{}}
	if k == nil {
		return e
	}
	for i, a := range l.args {
		b := f.bases[f.root(a)]
		if b == nil {
			continue
		}
		does := k.does[i]
		does.whole = does.writes && !does.reads && a == b.v && k.overwrites(l, i)
		e.does[b] = both(e.does[b], does)
	}
	return e
}

// both is what two uses of one memory do together.
func both(x, y access) access {
	return access{reads: x.reads || y.reads, writes: x.writes || y.writes, whole: x.whole || y.whole}
}

// host adds what an op of the host and those in it do.
func (f *function) host(v ir.Value, does map[*base]access) {
	n := f.g.NodeOf(v)
	note := func(m ir.Value, a access) {
		if b := f.bases[f.root(m)]; b != nil {
			does[b] = both(does[b], a)
		}
	}
	_, calls := ir.As[ir.CallLike](n)
	list, known := ir.As[ir.AccessLike](n)
	switch {
	// The caller may read its memory afterwards: a return needs all parameters on the host.
	case n.Def() == funcs.Return:
		for _, b := range f.order {
			if b.param {
				does[b] = access{reads: true}
			}
		}
		for _, a := range f.g.Args(v) {
			note(a, access{reads: true})
		}
	case known:
		for _, a := range list.Accesses {
			note(a.Memory, access{reads: a.Reads, writes: a.Writes})
		}
	// A call does what it likes with the memory that it is passed, and with no other.
	case calls:
		for _, a := range f.g.Args(v) {
			note(a, access{reads: true, writes: true})
		}
	}
	for _, r := range f.g.Regions(v) {
		for _, w := range f.s.Body(r) {
			f.host(w, does)
		}
	}
}
