package lowering

import (
	"github.com/irc-lang/irc/dialects/loop/hash"
	"github.com/irc-lang/irc/ir"
)

// batchRounds is how many rounds of a loop with buckets are a batch. In one no table grows, so
// that it stands still in its rounds; and the groups of the next are asked for before it.
const batchRounds = 16

// batches are how a loop with buckets runs.
type batches struct {
	buckets []*bucketer
	ahead   []*prefetch
}

// newBatches looks for the buckets of a loop that can be served by batches.
func (d down) newBatches(n ir.Node, size ir.Value, items []item) (b batches) {
	for _, it := range items {
		s, ok := it.s.(*bucketer)
		if !ok || !s.batched {
			continue
		}
		b.buckets = append(b.buckets, s)
		if a := d.lookAhead(n, size, s, it.given); a != nil {
			b.ahead = append(b.ahead, a)
		}
	}
	return b
}

// run makes the loop over batches of the rounds from one up to size, in which run makes one over rounds. With groups that are
// asked for ahead, a batch runs when the keys of the next have been looked at.
func (b batches) run(d down, from, size ir.Value, items []item, run func(from, to ir.Value)) {
	k := d.kit()
	first, step, end := from, k.Index(batchRounds), size
	if len(b.ahead) > 0 {
		end = k.Add(size, step)
	}
	setStates(items, k.ForStep(first, end, step, statesOf(items), func(at ir.Value, carried []ir.Value) []ir.Value {
		setStates(items, carried)
		for _, s := range b.buckets {
			s.reserve(d)
		}
		from := at
		if len(b.ahead) > 0 {
			from = k.Sub(at, step)
		}
		for _, a := range b.ahead {
			a.ask(d, at)
		}
		run(k.Max(from, first), k.Min(k.Add(from, step), size))
		return statesOf(items)
	}))
}

// end frees memory.
func (b batches) end(d down) {
	for _, a := range b.ahead {
		a.end(d)
	}
}

// round begins in a batch.
func (b batches) round(d down, i ir.Value) {
	for _, a := range b.ahead {
		a.round(d, i)
	}
}

// A savedKey says where the key of a round is, if it was looked at ahead.
type savedKey struct{ words, at ir.Value }

// key makes a key of values, or takes the one that was.
func (s *bucketer) key(d down, vals []ir.Value) hash.Key {
	if s.keys.words != 0 {
		return s.tab.Keys.Saved(d.B, vals, s.keys.words, s.keys.at)
	}
	return s.tab.Keys.Of(d.B, vals)
}
