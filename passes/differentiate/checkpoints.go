package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/digraph"
	"github.com/irc-lang/irc/ir/lists"
)

// A loop with checkpoints keeps its state in a few rounds alone: what it carries, and the memory that it writes. The way back
// runs from the last of these to the round that it is about, and keeps states in between as long as there is room. A round is a
// function of its own, as is a loop apart; the round that the way back is about is recorded alone.
//
// In which rounds there are checkpoints follows from how many are left and how many rounds there are to go: with c checkpoints, the
// one to begin with among them, r runs of each round are enough for (c+r choose c) rounds.
//
// Source: A. Griewank and A. Walther, Algorithm 799: Revolve (2000).

// mostCheckpoints is how many a loop may have.
const mostCheckpoints = 1 << 20

// findStepped chooses a loop that has checkpoints: the outermost one around something that is recorded in each round.
func (p *plan) findStepped() {
	if p.checkpoints == 0 || p.more != nil || p.err != nil {
		return
	}
	choose := func(r ir.Region) {
		if ls := p.loopsAround(r); len(ls) > 0 && p.more == nil && !slices.ContainsFunc(ls[0].Carried, p.isUnkept) {
			p.more = func() { p.isStepped[ls[0].n.Old()] = true }
		}
	}
	for _, r := range p.allRegions() {
		for _, way := range p.hand[r] {
			if way == recorded {
				choose(r)
			}
		}
		for _, v := range p.s.Body(r) {
			if p.aparts[v] != nil {
				choose(r)
			}
		}
	}
}

// isUnkept reports a value that cannot be in memory.
func (p *plan) isUnkept(v ir.Value) bool { return p.bytes(ref{op: v}) == digraph.Endless }

// stepped plans a loop with checkpoints.
func (p *plan) stepped(n ir.Node, l *loop) {
	if !p.hasAdjoints(n.Old()) {
		return
	}
	kept, written, why := p.snapshots(n.Old())
	if why != "" {
		p.fail(n.Old(), "has no checkpoints: the way back runs its rounds again, and it %s; or leave checkpoint= out", why)
		return
	}
	w := &apart{free: p.free(n.Old(), false), kept: kept, written: written, steps: l}
	p.wantBounds(l.LoopLike)
	for _, x := range l.Inits {
		p.wantValue(x)
	}
	g := p.step(n, w.free)
	var active []ir.Value
	for _, k := range l.carries {
		active = append(active, g.Params(ir.Root)[len(w.free)+1+k])
	}
	p.byItself(n.Old(), w, g, active, 0)
}

// step is a round: a function of what is free, the index, and what is carried into it, that gives what it hands on.
func (p *plan) step(n ir.Node, free []ir.Value) *ir.Graph {
	b := ir.NewBuilder(p.g.Ctx)
	outer := map[ir.Value]ir.Value{}
	for _, x := range free {
		outer[x] = b.Param(p.g.Type(x))
	}
	args := lists.Map(n.Region(0).ParamTypes(), b.Param)
	b.Op(funcs.Return, ir.Insert(b, p.s, n.Region(0).Old(), outer, nil, args...)...)
	return b.Finish()
}

// keeper holds the checkpoints of a loop.
type keeper struct {
	*frame
	n      ir.Node
	l      *loop
	states []*tape    // of each carried value, by checkpoint
	memory []ir.Value // that the loop writes
	copies []ir.Value // of each of these, by checkpoint
	rounds ir.Value   // the number of the round of each checkpoint
	index  func(round ir.Value) ir.Value
	outer  map[ir.Value]ir.Value
}

// newKeeper allocates them.
func (f *frame) newKeeper(n ir.Node, w *apart) *keeper {
	k := &keeper{frame: f, n: n, l: w.steps, outer: map[ir.Value]ir.Value{}}
	c := f.b.Ctx()
	room := func(shape []int64, elem ir.Type, open []ir.Value) ir.Value {
		return memref.BuildOwned(f.b, c.MemRef(append([]int64{int64(f.checkpoints)}, shape...), elem), 0, open...)
	}
	k.rounds = room(nil, ir.Index, nil)
	for _, x := range k.l.Carried {
		k.states = append(k.states, tapeOf(f.b, f.g.Type(x), f.b.Index(int64(f.checkpoints))))
	}
	for _, m := range w.kept {
		if !w.written[f.rootOf(m)] {
			continue
		}
		memory := f.value(m)
		info := c.Info(f.g.Type(m))
		k.memory = append(k.memory, memory)
		k.copies = append(k.copies, room(info.Shape, info.Elem, memref.OpenDims(f.b, memory)))
	}
	for _, x := range w.free {
		k.outer[x] = f.value(x)
	}
	return k
}

// keep makes a checkpoint of the state before a round.
func (k *keeper) keep(slot, round ir.Value, state []ir.Value) {
	b := k.b
	b.Op(memref.Store, round, k.rounds, slot)
	for i, x := range state {
		k.states[i].store(b, x, slot)
	}
	for i, m := range k.memory {
		copyTo(b, m, func(z ir.Value, at []ir.Value) {
			b.Op(memref.Store, append([]ir.Value{z, k.copies[i], slot}, at...)...)
		})
	}
}

// restore goes back to a checkpoint.
func (k *keeper) restore(slot ir.Value) (round ir.Value, state []ir.Value) {
	b := k.b
	for i, m := range k.memory {
		eachElement(b, m, func(at []ir.Value) {
			z := b.Op(memref.Load, append([]ir.Value{k.copies[i], slot}, at...)...)
			b.Op(memref.Store, append([]ir.Value{z, m}, at...)...)
		})
	}
	return b.Op(memref.Load, k.rounds, slot), lists.Map(k.states, func(t *tape) ir.Value { return t.load(b, slot) })
}

// advance runs the loop from the last checkpoint, the one before used, to a round, and keeps states on the way. It returns how many
// checkpoints there are then, and the state.
func (k *keeper) advance(used, target ir.Value) (now ir.Value, state []ir.Value) {
	b, one := k.b, k.b.Index(1)
	most := b.Index(int64(k.checkpoints))
	round, state := k.restore(arith.SubI(b, used, one))
	out := b.Results(scf.BuildWhile(b, append([]ir.Value{used, round}, state...), func(in []ir.Value) (ir.Value, []ir.Value) {
		return arith.CmpI(b, arith.SLT, in[1], target), in
	}, func(in []ir.Value) []ir.Value {
		used, round, free := in[0], in[1], arith.SubI(b, most, in[0])
		next := arith.AddI(b, round, k.stride(arith.SubI(b, target, round), free))
		state := b.Results(scf.BuildFor(b, round, next, one, in[2:], func(at ir.Value, state []ir.Value) []ir.Value {
			return ir.Insert(b, k.s, k.n.Region(0).Old(), k.outer, nil, append([]ir.Value{k.index(at)}, state...)...)
		}))
		isKept := arith.CmpI(b, arith.SLT, next, target)
		used = b.Results(scf.BuildIf(b, isKept, func() []ir.Value {
			k.keep(used, next, state)
			return []ir.Value{arith.AddI(b, used, one)}
		}, func() []ir.Value { return []ir.Value{used} }))[0]
		return append([]ir.Value{used, next}, state...)
	}))
	return out[0], out[2:]
}

// stride is how far to run before the next checkpoint, with some left and so many rounds to the one that the way back is about:
// all of them, if none is left.
//
// The rounds are one more, l, and with those left there are c checkpoints. With r the least number of runs that are enough for
// them, choose(c+r-1, c) rounds can be left to r-1 runs, and choose(c+r-2, c-1) are left to what comes behind.
func (k *keeper) stride(distance, left ir.Value) ir.Value {
	b, one := k.b, k.b.Index(1)
	c, l := arith.AddI(b, left, one), arith.AddI(b, distance, one)
	none := arith.CmpI(b, arith.EQ, left, b.Index(0))
	return b.Results(scf.BuildIf(b, none, func() []ir.Value { return []ir.Value{distance} }, func() []ir.Value {
		// What r runs are enough for, what r-1 are, and r.
		reach := b.Results(scf.BuildWhile(b, []ir.Value{one, one, b.Index(0)}, func(in []ir.Value) (ir.Value, []ir.Value) {
			return arith.CmpI(b, arith.SLT, in[0], l), in
		}, func(in []ir.Value) []ir.Value {
			r := arith.AddI(b, in[2], one)
			return []ir.Value{b.Op(arith.Divsi, arith.MulI(b, in[0], arith.AddI(b, c, r)), r), in[0], r}
		}))
		before, r := reach[1], reach[2]
		behind := b.Op(arith.Divsi, arith.MulI(b, before, c), arith.SubI(b, arith.AddI(b, c, r), one))
		return []ir.Value{b.Op(arith.Minsi, before, arith.SubI(b, l, behind))}
	}))[0]
}

// stepped goes back through a loop with checkpoints.
func (f *frame) stepped(n ir.Node, w *apart) {
	b, l, outside := f.b, w.steps, f.captured[n.Old()]
	zero, one := b.Index(0), b.Index(1)
	rounds, index := f.rounds(l, f.value)
	putBack := f.asBefore(n.Old(), w)
	k := f.newKeeper(n, w)
	k.index = index
	k.keep(zero, zero, lists.Map(l.Inits, f.value))
	inits := []ir.Value{one}
	for _, c := range l.carries {
		r := ref{n.Old(), c}
		z := f.take(r)
		if z == 0 {
			z = arith.Zero(b, r.typeOf(f.g))
		}
		inits = append(inits, f.leaves(z, f.arms.clean(r), f.arms.top))
	}
	inits = append(inits, f.adjoints(outside)...)
	res := b.Results(scf.BuildFor(b, zero, rounds, one, inits, func(i ir.Value, in []ir.Value) []ir.Value {
		target := arith.SubI(b, arith.SubI(b, rounds, one), i)
		used, state := k.advance(in[0], target)
		out := f.round(n, w, append([]ir.Value{index(target)}, state...), in[1:])
		// The checkpoint before this round has served.
		top := arith.SubI(b, used, one)
		served := arith.CmpI(b, arith.EQ, b.Op(memref.Load, k.rounds, top), target)
		return append([]ir.Value{arith.Choose(b, served, top, used)}, out...)
	}))
	for i, c := range outside {
		f.adj[c] = res[1+len(l.carries)+i]
	}
	for i, c := range l.carries {
		f.add(l.Inits[c], res[1+i])
	}
	putBack()
}

// round goes back through a round of what is given: adjoints are of what is carried out of it, and of values from outside so far.
func (f *frame) round(n ir.Node, w *apart, args, adjoints []ir.Value) (out []ir.Value) {
	carries := w.steps.carries
	seeds, of := make([]ir.Value, len(w.g.Yields(ir.Root))), []int(nil)
	for i, c := range carries {
		seeds[c], of = adjoints[i], append(of, len(w.free)+1+c)
	}
	for i, v := range w.free {
		if f.active(v) {
			of = append(of, i)
		}
	}
	out = f.backThrough(n, w, args, seeds, of)
	for i, z := range out {
		switch {
		case i >= len(carries) && z != 0:
			out[i] = arith.Float(f.b, arith.Addf, real, adjoints[i], z)
		case i >= len(carries):
			out[i] = adjoints[i]
		case z == 0:
			out[i] = arith.Zero(f.b, f.b.Graph().Type(adjoints[i]))
		}
	}
	return out
}
