package buffers

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// receive makes result i of an op the owner of what it is handed on some way. Of what a region
// hands on, so many values come before the results.
func (a *analysis) receive(v ir.Value, i, first int, hs ...handed) {
	var owners []int
	k := key{v, i}
	o := a.ledger.owner(k, a.here())
	for _, h := range hs {
		owners = append(owners, h.of...)
		for _, j := range h.with {
			owners = append(owners, a.ledger.owner(key{v, j - first}, a.here()))
		}
		a.ledger.gain(o, h)
	}
	if a.ledger.owners[o].flag&yes != 0 {
		owners = append(owners, o)
	}
	a.set(k, owners)
}

// gain notes that an owner is handed something on some way.
func (l *ledger) gain(o int, h handed) {
	l.learn(o, h.flag)
	switch x := &l.owners[o]; {
	case h.free == nil:
	case x.free == nil:
		// The first path decides what frees the memory. Where another path needs another op, nothing frees
		// it.
		x.free, l.more = h.free, true
	case x.free != h.free:
		l.keep("what frees it depends on the run", o)
	}
}

// isBranch reports an op that runs at most once each of its regions, which yield its results.
func (b *body) isBranch(v ir.Value) bool {
	g := b.g
	if !g.Def(v).Has(ir.Carries) || g.Def(v).Effects != nil {
		return false
	}
	for _, r := range g.Regions(v) {
		if k := g.KindOf(r); k != ir.Once && k != ir.Branch || len(g.Yields(r)) != g.Results(v) {
			return false
		}
	}
	return true
}

// branches: an owner that is used here for the last time, and that one of the branches may
// yield, moves into the op. Each branch moves it on or gives it back.
func (a *analysis) branches(v ir.Value) {
	g := a.body.g
	for _, r := range g.Regions(v) {
		for _, y := range g.Yields(r) { // what is known before the regions are
			a.grab(v, a.of(y))
		}
	}
	taken := a.taken(v)
	results := make([][]handed, g.Results(v))
	for _, r := range g.Regions(v) {
		for _, o := range taken {
			a.inside[use{r, o}] = true
			a.in[r] = append(a.in[r], o)
		}
		a.region(r)
		for i, h := range a.hands(r, g.Yields(r)) {
			if h.from != none {
				a.plan.store(g.Term(r), h, key{v, i})
				results[i] = append(results[i], h)
			}
		}
		a.end(r)
	}
	for i, hs := range results {
		for _, h := range hs {
			a.take(v, h.of)
		}
		if len(hs) > 0 {
			a.receive(v, i, 0, hs...)
			a.plan.slot(v, key{v, i}, handed{from: borrowed, flag: no})
		}
	}
}

// taken lists the owners that move into an op.
func (a *analysis) taken(v ir.Value) (out []int) {
	for _, o := range a.ledger.into[v] {
		if !a.ledger.moves[move{o, v}] || a.gone[use{a.here(), o}] {
			continue
		}
		// What this walk has learnt disproves the move: it is refused for good, and the analysis starts
		// again.
		if !a.owns(a.here(), o) || !a.lastUse(o, v, false) {
			a.ledger.try(o, v, false)
			continue
		}
		a.gone[use{a.here(), o}] = true
		out = append(out, o)
	}
	return out
}

// grab moves owners at once into an op that may hand them on as they are.
func (a *analysis) grab(v ir.Value, owners []int) {
	for _, o := range owners {
		m := move{o, v}
		if _, tried := a.ledger.moves[m]; !tried && a.owns(a.here(), o) && !a.gone[use{a.here(), o}] && a.ledger.owners[o].kept == "" && a.lastUse(o, v, false) {
			a.ledger.moves[m] = true
			a.ledger.into[v] = append(a.ledger.into[v], o)
		}
	}
}

// take moves owners that an op's branches may yield into it, from the next round on, if it
// is their last use.
func (a *analysis) take(v ir.Value, owners []int) {
	for _, o := range owners {
		if a.owns(a.here(), o) && !a.gone[use{a.here(), o}] && a.ledger.owners[o].kept == "" && a.lastUse(o, v, false) {
			a.ledger.try(o, v, true)
		}
	}
}

// isChoice reports an op that gives one of two memories by a condition.
func (b *body) isChoice(v ir.Value) bool {
	return b.g.Def(v) == arith.Select && b.isMemory(v) && b.g.Type(b.g.Args(v)[0]) == ir.I1
}

// choice is a conditional without regions: what it takes over and does not choose is given
// back behind it.
func (a *analysis) choice(v ir.Value) {
	args := a.body.g.Args(v)
	a.hideStart(args[1])
	a.hideStart(args[2])
	a.grab(v, a.of(args[1]))
	a.grab(v, a.of(args[2]))
	taken := a.taken(v)
	var hs [2]handed
	var dead [2][]int
	for side := range hs {
		mine, other := args[1+side], a.of(args[2-side])
		h := handed{from: borrowed, flag: no}
		// A side gives back all that moved in, but for the owner whose memory it chooses.
		dead[side] = slices.Clone(taken)
		for _, o := range a.of(mine) {
			switch {
			case !slices.Contains(taken, o):
				h.of = append(h.of, o)
			case a.body.base(mine) != a.ledger.owners[o].at || slices.Contains(other, o) || h.from >= 0:
				a.ledger.try(o, v, false)
			default:
				dead[side] = slices.DeleteFunc(dead[side], func(x int) bool { return x == o })
				if x := &a.ledger.owners[o]; x.kept == "" && x.flag&yes != 0 {
					h.from, h.flag, h.free = o, x.flag, x.free
				}
			}
		}
		a.take(v, h.of)
		hs[side] = h
	}
	a.receive(v, 0, 0, hs[:]...)
	for side := range dead {
		dead[side] = slices.DeleteFunc(dead[side], func(o int) bool { x := &a.ledger.owners[o]; return x.kept != "" || x.flag&yes == 0 || x.free == nil })
	}
	a.plan.choices[v] = chosen{hs, dead}
	a.plan.slot(v, key{v, 0}, handed{from: borrowed, flag: no})
}
