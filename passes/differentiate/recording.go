package differentiate

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// run builds the function's own run, which records what the plan says, and returns its results.
func (x *back) run(args []ir.Value) []ir.Value {
	rules := ir.Rules{}
	for _, r := range x.allRegions() {
		for _, v := range x.s.Body(r) {
			if v != x.g.Term(r) {
				rules[x.g.Def(v)] = x.op
			}
		}
	}
	for i, p := range x.g.Params(ir.Root) {
		x.there[ref{op: p}] = args[i]
	}
	return ir.Insert(x.b, x.s, ir.Root, nil, rules, args...)
}

// allRegions lists the regions whose ops are scheduled, the function's own first.
func (p *plan) allRegions() []ir.Region {
	out := []ir.Region{ir.Root}
	for i := 0; i < len(out); i++ {
		for _, v := range p.s.Body(out[i]) {
			out = append(out, p.g.Regions(v)...)
		}
	}
	return out
}

// op copies an op and records what it gives.
func (x *back) op(m *ir.Mirror, n ir.Node) ir.Value {
	v, r := n.Old(), x.regionOf(n.Old())
	if r == ir.Root && !x.isStacked {
		x.makeTapes(n)
	}
	x.takeSnapshots(m, n)
	var w ir.Value
	switch l, ok := ir.As[ir.LoopLike](n); {
	case x.calls[v] != nil:
		w = x.recordingCall(m, n, x.calls[v])
	case x.isStacked && n.NumRegions() > 0:
		w = x.stackedOp(m, n)
	case n.Def() == scf.While && x.aparts[v] != nil:
		w = x.whileOf(m, n)
	case ok && x.recordsCarried(l):
		w = x.loopOf(m, n, l)
	default:
		w = m.Copy(n)
	}
	for _, k := range x.results(v) {
		if r == ir.Root {
			x.there[k] = x.b.Result(w, k.i)
		} else if x.hand[r][k] == recorded && !x.isStacked {
			m.Set(n, w)
			x.record(m, k, x.b.Result(w, k.i))
		}
	}
	return w
}

// recordsCarried reports a loop of which what it carries is recorded.
func (x *back) recordsCarried(l ir.LoopLike) bool {
	for _, c := range l.Carried {
		if x.hand[l.Body][ref{op: c}] == recorded {
			return true
		}
	}
	return false
}

// loopOf makes a loop again that records what it carries into each round.
func (x *back) loopOf(m *ir.Mirror, n ir.Node, l ir.LoopLike) ir.Value {
	old := n.Region(0)
	call := ir.Call{Def: n.Def(), Args: m.All(n.Args()), Attr: n.Attrs(), Type: n.Type(), Loc: x.b.Loc}
	call.Regions = []ir.Region{m.RegionWith(old, old.Kind(), nil, func(params []ir.Value) {
		x.b.Enter(call.Def, call.Attr, call.Args, 0, params)
		for i, p := range x.g.Params(l.Body) {
			m.Set(x.g.NodeOf(p), params[i])
		}
		for _, c := range l.Carried {
			if r := (ref{op: c}); x.hand[l.Body][r] == recorded {
				x.record(m, r, m.Of(x.g.NodeOf(c)))
			}
		}
		ys := m.Body(old, params...)
		term, _ := old.Term()
		x.b.Must(ir.Call{Def: term.Def(), Args: ys, Attr: term.Attrs(), Loc: x.b.Loc})
	})}
	return x.b.Must(call)
}

// whileOf makes a while loop again that counts its rounds.
func (x *back) whileOf(m *ir.Mirror, n ir.Node) ir.Value {
	k := n.NumArgs()
	all := x.b.Results(scf.BuildWhile(x.b, append(m.All(n.Args()), x.b.Index(0)), func(in []ir.Value) (ir.Value, []ir.Value) {
		y := m.Body(n.Region(0), in[:k]...)
		return y[0], append(y[1:], in[k])
	}, func(in []ir.Value) []ir.Value {
		last := len(in) - 1
		return append(m.Body(n.Region(1), in[:last]...), arith.AddI(x.b, in[last], x.b.Index(1)))
	}))
	last := len(all) - 1
	x.store(m, x.ranTapes[n.Old()], all[last])
	return x.b.Pack(all[:last]...)
}

// ran is how often a while loop ran.
func (f *frame) ran(v ir.Value) ir.Value {
	t := f.ranTapes[v]
	return f.b.Op(memref.Load, t.memory, t.count.number(f.b, f.roundNow))
}

// record stores a value in its tape.
func (x *back) record(m *ir.Mirror, r ref, v ir.Value) { x.store(m, x.tapes[r], v) }

// store writes to a tape.
func (x *back) store(m *ir.Mirror, t *tape, v ir.Value) {
	t.store(x.b, v, t.count.number(x.b, x.roundOf(m)))
}

// roundOf is the number of the round of a loop that is being made again.
func (x *back) roundOf(m *ir.Mirror) func(l *loop) ir.Value {
	return func(l *loop) ir.Value { return x.round(l, func(v ir.Value) ir.Value { return m.Of(x.g.NodeOf(v)) }) }
}

// initial is what a memory held before a nest, that has a place in the function's own region.
type initial struct {
	memory ir.Value
	home   int
}

// copyInitial copies the memory from which a value is read that is no longer there.
func (x *back) copyInitial(k ref) {
	from := x.rereadOf(k)
	at := initial{from.memory, x.home[k.op]}
	if !from.initial || x.initials[at] != 0 {
		return
	}
	x.initials[at] = copyOf(x.b, x.there[ref{op: from.memory}])
}

// makeTapes allocates the tapes of what is recorded inside of an op of the function's own region.
func (x *back) makeTapes(n ir.Node) {
	var inside func(v ir.Value)
	inside = func(v ir.Value) {
		if w := x.aparts[v]; w != nil {
			x.makeSnapshots(v, w)
			if x.g.Def(v) == scf.While {
				x.ranTapes[v] = x.newTape(ir.Index, x.regionOf(v))
			}
		}
		for _, r := range x.g.Regions(v) {
			for _, k := range x.inOrder(r) {
				switch x.hand[r][k] {
				case recorded:
					x.tapes[k] = x.newTape(k.typeOf(x.g), r)
				case stored:
					x.copyInitial(k)
				}
			}
			for _, w := range x.s.Body(r) {
				inside(w)
			}
		}
	}
	inside(n.Old())
}
