package placement

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// A place is where a base is in the function that is made: on both sides, and the flags which of them hold what was
// written last.
type place struct {
	host, there         ir.Value
	hostHolds, nowThere ir.Value
}

// A mover makes the function with transfers.
type mover struct {
	*function
	places map[*base]*place
}

// rewrite makes the function with transfers.
func (f *function) rewrite(by *placer) *ir.Graph {
	f.eventsIn(ir.Root, by)
	x := &mover{f, map[*base]*place{}}
	rules := ir.Rules{}
	first := f.s.Body(ir.Root)[0]
	rule := func(m *ir.Mirror, n ir.Node) ir.Value {
		if n.Old() == first {
			for _, b := range f.order {
				if b.param {
					x.place(m, b, m.Of(f.g.NodeOf(b.v)))
				}
			}
		}
		v := x.op(m, n)
		if b := f.bases[n.Old()]; b != nil {
			x.place(m, b, v)
		}
		return v
	}
	rules[f.g.Def(first)] = rule
	for v := range f.events {
		rules[f.g.Def(v)] = rule
	}
	for _, b := range f.order {
		if !b.param {
			rules[f.g.Def(b.v)] = rule
		}
	}
	return ir.Rewrite(f.g.Ctx, f.s, rules, nil)
}

// place makes the memory on the device of a base, and its flags.
func (x *mover) place(m *ir.Mirror, b *base, v ir.Value) {
	c, t := m.B.Ctx(), m.B.Graph().Type(v)
	alloc := memref.BuildOwned
	if b.freed {
		alloc = memref.BuildAlloc
	}
	there := alloc(m.B, inSpace(c, t), 0, memref.OpenDims(m.B, v)...)
	x.places[b] = &place{v, there, x.flag(m, true), x.flag(m, false)}
}

// flag makes a flag: one truth value in memory of the stack, which mem2reg promotes.
func (x *mover) flag(m *ir.Mirror, holds bool) ir.Value {
	c := m.B.Ctx()
	attr := c.Props([]ir.NamedAttr{{Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, 0, 0)}}, nil)
	v := m.B.Must(ir.Call{Def: memref.Alloca, Attr: attr, Type: c.MemRef(nil, ir.I1)})
	x.set(m, v, arith.ConstBool(m.B, holds))
	return v
}

// set stores a truth value in a flag.
func (x *mover) set(m *ir.Mirror, flag, v ir.Value) { m.Op(memref.Store, v, flag) }

// op makes an op again, with what it needs before and what it changes behind.
func (x *mover) op(m *ir.Mirror, n ir.Node) ir.Value {
	e := x.events[n.Old()]
	if e == nil {
		return m.Copy(n)
	}
	// A loop that runs no round neither needs nor writes anything.
	runs := x.runs(m, e)
	for _, b := range e.bases {
		if e.does[b].needs() {
			x.fetch(m, x.places[b], e.onDevice, runs)
		}
	}
	var v ir.Value
	if e.onDevice {
		v = x.launch(m, n)
	} else {
		v = m.Copy(n)
	}
	for _, b := range e.bases {
		if e.does[b].writes {
			x.wrote(m, x.places[b], e.onDevice, runs)
		}
	}
	if e.frees != nil {
		m.Op(memref.Dealloc, x.places[e.frees].there)
	}
	return v
}

// runs is whether a loop runs a round, or 0 for what is no loop.
func (x *mover) runs(m *ir.Mirror, e *event) (cond ir.Value) {
	if e.loop == nil {
		return 0
	}
	for k := range e.loop.Indices {
		at := func(b ir.Bound) ir.Value {
			if b.Value == 0 {
				return m.B.Index(b.Const)
			}
			return m.Of(x.g.NodeOf(b.Value))
		}
		one := arith.CmpI(m.B, arith.SLT, at(e.loop.Lower[k]), at(e.loop.Upper[k]))
		if cond != 0 {
			one = m.Op(arith.Andi, cond, one)
		}
		cond = one
	}
	return cond
}

// fetch copies to a side what it does not hold.
func (x *mover) fetch(m *ir.Mirror, p *place, toDevice bool, runs ir.Value) {
	from, to, flag := p.there, p.host, p.hostHolds
	if toDevice {
		from, to, flag = p.host, p.there, p.nowThere
	}
	cond := m.Op(arith.Xori, m.Op(memref.Load, flag), arith.ConstBool(m.B, true))
	if runs != 0 {
		cond = m.Op(arith.Andi, cond, runs)
	}
	// The flag of the source is not touched: after the copy both sides hold what was written last.
	scf.BuildIf(m.B, cond, func() []ir.Value {
		m.Op(memref.Copy, from, to)
		x.set(m, flag, arith.ConstBool(m.B, true))
		return nil
	}, nil)
}

// wrote notes that a side has written.
func (x *mover) wrote(m *ir.Mirror, p *place, onDevice bool, runs ir.Value) {
	mine, other := p.hostHolds, p.nowThere
	if onDevice {
		mine, other = other, mine
	}
	note := func() []ir.Value {
		x.set(m, mine, arith.ConstBool(m.B, true))
		x.set(m, other, arith.ConstBool(m.B, false))
		return nil
	}
	if runs == 0 {
		note()
		return
	}
	scf.BuildIf(m.B, runs, note, nil)
}

// launch makes a launch with memory of the device.
func (x *mover) launch(m *ir.Mirror, n ir.Node) ir.Value {
	l := launchOf(x.function, n)
	args := m.All(n.Args())
	for i, a := range l.args {
		if b := x.bases[x.root(a)]; b != nil {
			args[l.size+i] = x.view(m, a)
		}
	}
	return m.B.Must(ir.Call{Def: device.Launch, Args: args, Attr: n.Attrs(), Loc: m.B.Loc})
}

// view is the device's part of what a view of the host is.
func (x *mover) view(m *ir.Mirror, v ir.Value) ir.Value {
	if b := x.bases[v]; b != nil {
		return x.places[b].there
	}
	n := x.g.NodeOf(v)
	source, _ := ir.As[ir.ViewLike](n)
	args := m.All(n.Args())
	for i, a := range x.g.Args(v) {
		if a == source.Source {
			args[i] = x.view(m, a)
		}
	}
	return m.B.Must(ir.Call{Def: n.Def(), Args: args, Attr: n.Attrs(), Type: inSpace(m.B.Ctx(), n.Type())})
}
