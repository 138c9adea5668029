package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/hash"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// A group that is in no cache is waited for in each round of a loop, unless it was asked for
// some rounds before. That is done where the keys of a later round are known without a run of
// the body: where all of them are elements of arrays at the loop's index.

// prefetch looks at the keys of a batch before it runs.
type prefetch struct {
	s     *bucketer
	keys  []view   // the arrays whose elements they are
	known ir.Value // how many rounds have keys
	list  ir.Value // i32: of which the rounds are these, if not 0
	words ir.Value // memory for the keys of two batches, if they are kept
}

// lookAhead is what looks at the keys of a bucket in a loop of a size; nil if they are not known.
func (d down) lookAhead(n ir.Node, size ir.Value, s *bucketer, given []ir.Value) *prefetch {
	if !s.tab.CanPrefetch() {
		return nil
	}
	k, a := d.kit(), &prefetch{s: s}
	if a.keys, a.known = d.keysRead(n, size, s, given); a.keys == nil {
		return nil
	}
	if w := s.tab.Keys.SavedWords(); w > 0 && tupleOf(n.Graph(), given) != nil {
		a.words = k.Alloc(ir.I64, k.Index(int64(2*batchRounds*w)))
	}
	return a
}

// keysRead are the arrays whose elements are the keys of a bucket in a loop of a size, and how many rounds have some; nil if that is not
// known.
func (d down) keysRead(n ir.Node, size ir.Value, s *bucketer, given []ir.Value) (keys []view, known ir.Value) {
	known = size
	for _, v := range keysGiven(n.Graph(), given, len(s.types)) {
		x, ok := d.elementsRead(n, v)
		if !ok {
			return nil, 0
		}
		keys, known = append(keys, x), d.kit().Min(known, x.n)
	}
	return keys, known
}

// knowRanges says of the tables of the buckets of a loop how the range of their keys is found.
func (d down) knowRanges(n ir.Node, size ir.Value, items []item) {
	for _, it := range items {
		s, ok := it.s.(*bucketer)
		if !ok || !s.batched || !s.tab.CanPrefetch() {
			continue
		}
		keys, known := d.keysRead(n, size, s, it.given)
		if c := d.B.Ctx(); len(keys) == 1 && (c.IsInt(keys[0].elem) || keys[0].elem == ir.Index) {
			s.tab.Range = func() (low, high, rows ir.Value) {
				low, high = hash.Range(d.B, known, func(i ir.Value) ir.Value { return d.arrays.element(keys[0], i) })
				return low, high, known
			}
		}
	}
}

// place is where the key of round i is kept.
func (a *prefetch) place(d down, i ir.Value) ir.Value {
	k := d.kit()
	return k.Mul(k.And(i, k.Index(2*batchRounds-1)), k.Index(int64(a.s.tab.Keys.SavedWords())))
}

// ask looks at the keys of the batch that begins at a round.
func (a *prefetch) ask(d down, from ir.Value) {
	k := d.kit()
	look := func() {
		k.Each(from, k.Min(k.Add(from, k.Index(batchRounds)), a.known), func(i ir.Value) {
			var keys []ir.Value
			at := i
			if a.list != 0 {
				at = k.Widen(k.Load(a.list, i), ir.Index)
			}
			for _, x := range a.keys {
				keys = append(keys, d.arrays.element(x, at))
			}
			key := a.s.tab.Keys.Of(d.B, d.arrays.keyValues(a.s.types, keys))
			if a.words != 0 {
				a.s.tab.Keys.Save(d.B, key, a.words, a.place(d, i))
			}
			a.s.tab.Prefetch(d.B, key)
		})
	}
	if a.words != 0 {
		look()
	} else {
		k.IfOnly(a.s.tab.PrefetchPays(d.B), look)
	}
}

// round says where the key of round i is.
func (a *prefetch) round(d down, i ir.Value) {
	if a.words != 0 {
		a.s.keys = savedKey{a.words, a.place(d, i)}
	}
}

// end frees memory.
func (a *prefetch) end(d down) {
	if a.words != 0 {
		d.kit().Free(a.words)
		a.s.keys = savedKey{}
	}
}

// keysGiven are the first values of a tuple that a loop gives, or may give; nil if there is
// more than one.
func keysGiven(g *ir.Graph, given []ir.Value, n int) []ir.Value {
	if !loop.EmitsIn(g, given) {
		return given[:n]
	}
	v, i, _ := g.Projection(given[0])
	switch g.Def(v) {
	case loop.Emit:
		return g.Args(v)[:n]
	case scf.If:
		var keys []ir.Value
		for _, r := range g.Regions(v) {
			if y := g.Yields(r)[i]; g.Def(y) != loop.None {
				if keys != nil {
					return nil
				}
				keys = keysGiven(g, []ir.Value{y}, n)
			}
		}
		return keys
	}
	return nil
}

// elementsRead is the array, from outside of a loop, whose element at the loop's index a value
// is, or a field of that.
func (d down) elementsRead(n ir.Node, v ir.Value) (view, bool) {
	g, s := n.Graph(), d.Schedule()
	var path []string
	for ; g.Def(v) == loop.Field; v = g.Args(v)[0] {
		path = append(path, g.Ctx.AttrInfo(g.Attr(v, "name")).Str)
	}
	body := n.Region(0).Old()
	if g.Def(v) != loop.At || g.Args(v)[1] != g.Params(body)[0] || s.Depth(s.Place(g.Args(v)[0])) >= s.Depth(body) {
		return view{}, false
	}
	x := d.arrays.view(d.Of(g.NodeOf(g.Args(v)[0])))
	for _, name := range slices.Backward(path) {
		x.elem, x.parts = columnOf(d.B.Ctx(), x.elem, x.parts, name)
	}
	return x, true
}
