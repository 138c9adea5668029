package buffers

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// isLoop reports a loop that says where the values come from that it carries, and whose
// results are what its first region ends with: behind a condition, or without one what the
// last round gave, or the first values if there was none.
func (b *body) isLoop(v ir.Value) bool {
	g := b.g
	l, ok := ir.As[ir.LoopLike](g.NodeOf(v))
	def := g.Def(v)
	if !ok || l.Parallel || def.Feeds == nil || !def.Has(ir.Carries) || def.Effects != nil {
		return false
	}
	extra := len(g.Yields(g.Regions(v)[0])) - g.Results(v)
	return extra == 1 || extra == 0 && len(l.Inits) == g.Results(v)
}

// loop: what it carries belongs to the round that has it. A round gives back what it does
// not carry on.
func (a *analysis) loop(v ir.Value) {
	g := a.body.g
	rs, results := g.Regions(v), make([][]handed, g.Results(v))
	// The terminator of the first region has an operand more if that is the condition, which comes first.
	extra := len(g.Yields(rs[0])) - len(results)
	inits := a.inits(v)
	// Without a condition the loop may run no round: the results are then the first values.
	if extra == 0 {
		for i, h := range inits[len(inits)-len(results):] {
			results[i] = append(results[i], h)
		}
	}
	for k, r := range rs {
		a.params(v, k, inits)
		a.region(r)
		for i, h := range a.hands(r, g.Yields(r)) {
			if h.from == none {
				continue
			}
			for _, p := range a.body.fed(v, k, i) {
				a.pass(p, h)
				for _, j := range h.with {
					a.lend(p, a.body.fed(v, k, j))
				}
				a.plan.store(g.Term(r), h, p)
				if k == 0 && i >= extra {
					a.plan.same[key{v, i - extra}] = p
				}
			}
			if k == 0 && i >= extra {
				results[i-extra] = append(results[i-extra], h)
			}
		}
		a.end(r)
	}
	for i, hs := range results {
		if len(hs) > 0 && hs[0].from != none {
			a.receive(v, i, extra, hs...)
		}
	}
}

// lend says that a parameter may be the memory that others own, which are handed to the same
// round.
func (a *analysis) lend(to key, owners []key) {
	for _, k := range owners {
		if a.body.g.Home(k.node) == a.body.g.Home(to.node) {
			a.ledger.carries(to, a.ledger.owner(k, a.body.g.Home(k.node)))
		}
	}
}

// fed lists the parameters of a loop that get what region k ends with as operand i.
func (b *body) fed(v ir.Value, k, i int) (out []key) {
	for at, r := range b.g.Regions(v) {
		for j, p := range b.g.Params(r) {
			if slices.Contains(b.g.Def(v).Feeds(len(b.g.Args(v)), at, j), ir.Source{Yields: true, Region: k, Index: i}) {
				out = append(out, key{p, 0})
			}
		}
	}
	return out
}

// inits is what each operand hands to a loop. One moves if nothing else of the loop may be
// its memory, nor anything behind the loop.
func (a *analysis) inits(v ir.Value) []handed {
	args := a.body.g.Args(v)
	out := make([]handed, len(args))
	for i, x := range args {
		out[i] = handed{from: none, flag: no}
		if !a.body.isMemory(x) {
			continue
		}
		out[i].from = borrowed
		a.hideStart(x)
		for _, o := range a.of(x) {
			alone := !slices.ContainsFunc(args[:i], func(y ir.Value) bool { return slices.Contains(a.of(y), o) }) &&
				!slices.ContainsFunc(args[i+1:], func(y ir.Value) bool { return slices.Contains(a.of(y), o) })
			if w := &a.ledger.owners[o]; out[i].from == borrowed && alone && a.owns(a.here(), o) && !a.gone[use{a.here(), o}] && a.body.base(x) == w.at && w.kept == "" && a.lastUse(o, v, true) {
				out[i].from, out[i].flag, out[i].free = o, w.flag, w.free
				a.gone[use{a.here(), o}] = true
			} else {
				out[i].of = append(out[i].of, o)
			}
		}
	}
	return out
}

// params says whose memory the parameters of region k may be.
func (a *analysis) params(v ir.Value, k int, inits []handed) {
	r := a.body.g.Regions(v)[k]
	for j, p := range a.body.g.Params(r) {
		if !a.body.isMemory(p) {
			continue
		}
		to := key{p, 0}
		o := a.ledger.owner(to, r)
		h := handed{from: borrowed, flag: no}
		for _, src := range a.body.g.Def(v).Feeds(len(inits), k, j) {
			if !src.Yields {
				h = inits[src.Index]
				a.pass(to, h)
			}
		}
		a.plan.slot(v, to, h)
		owners := slices.Clone(a.ledger.carry[to])
		if a.ledger.owners[o].flag&yes != 0 {
			owners = append(owners, o)
		}
		a.set(to, owners)
	}
}

// pass adds what a loop hands to a parameter.
func (a *analysis) pass(to key, h handed) {
	o := a.ledger.owner(to, a.body.g.Home(to.node))
	a.ledger.gain(o, h)
	a.ledger.carries(to, h.of...)
}

// carries notes owners whose memory a parameter may be.
func (l *ledger) carries(to key, owners ...int) {
	for _, x := range owners {
		if !slices.Contains(l.carry[to], x) {
			l.carry[to], l.more = append(l.carry[to], x), true
		}
	}
}
