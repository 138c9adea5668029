package lowering

import (
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// An accumulator is a generator that is being lowered. Its state are the values that loops
// carry and conditionals give.
type accumulator interface {
	// begin makes what is there before the first round of a loop of a size, each of which
	// emits at most some tuples; -1 if nobody knows how many.
	begin(d down, size ir.Value, most int, exact bool)
	round(i ir.Value) // of that loop begins
	add(d down, tuple []ir.Value)
	state() []ir.Value
	set(state []ir.Value)
	results(d down) []ir.Value
}

// newAccumulator takes the identities and regions that the generator needs from the front of
// the lists.
func (d down) newAccumulator(g loop.Generator, ids *[]ir.Value, regions *[]ir.Block) accumulator {
	switch g.Kind {
	case loop.CollectKind:
		return &collector{types: g.Types}
	case loop.BucketKind:
		return d.newBucketer(g, ids, regions)
	}
	r := newReducer(g, ids, regions)
	if g.Kind == loop.ScanKind {
		return &scanner{reducer: r, steps: collector{types: g.Types}}
	}
	return r
}

// collector fills arrays. Where each round gives one element, that is the element of its
// number; where the number has a bound there is memory for as many at once, which is not
// touched before it is used; else the memory grows.
type collector struct {
	types []ir.Type
	cols  []*store
	count ir.Value
	index ir.Value // of the round
	exact bool
	grows bool
}

func (s *collector) begin(d down, size ir.Value, most int, exact bool) {
	k := d.kit()
	s.exact, s.grows = exact, most < 0 || most > maxEmits
	n := size
	switch {
	case s.grows:
		n = k.Index(firstRoom)
	case most != 1:
		n = k.Mul(size, k.Index(int64(most)))
	}
	s.cols = d.arrays.stores(s.types, n, !s.grows)
	s.count = k.Index(0)
}

// A body that emits up to maxEmits tuples a round gets memory for as many; one that grows
// begins with room for firstRoom.
const (
	maxEmits  = 4
	firstRoom = 16
)

func (s *collector) round(i ir.Value) { s.index = i }

func (s *collector) add(d down, tuple []ir.Value) {
	vs := d.arrays.explodeAll(s.types, tuple)
	at := s.count
	if s.exact {
		at = s.index
	}
	if s.grows {
		for _, c := range s.cols {
			d.arrays.reserve(c, d.kit().Next(at))
		}
	}
	d.arrays.put(s.cols, at, vs)
	if !s.exact {
		s.count = d.kit().Next(at)
	}
}

// state: memory that does not grow is no part of it.
func (s *collector) state() (out []ir.Value) {
	if !s.exact {
		out = append(out, s.count)
	}
	for _, c := range s.cols {
		if s.grows || c.inner != nil {
			out = append(out, storeState([]*store{c})...)
		}
	}
	return out
}

func (s *collector) set(state []ir.Value) {
	if !s.exact {
		s.count, state = state[0], state[1:]
	}
	for _, c := range s.cols {
		if s.grows || c.inner != nil {
			state = setStores([]*store{c}, state)
		}
	}
}

func (s *collector) results(d down) []ir.Value {
	parts := make([]ir.Value, 0, len(s.cols))
	if s.exact {
		for _, c := range s.cols {
			parts = append(parts, c.mem)
			if c.inner != nil {
				parts = append(parts, d.arrays.filled(c.inner, c.total)...)
			}
		}
	} else {
		parts = d.arrays.filled(s.cols, s.count)
	}
	return d.arrays.wholes(arraysOf(d.B.Ctx(), s.types), parts)
}

func arraysOf(c *ir.Context, types []ir.Type) []ir.Type {
	return lists.Map(types, func(t ir.Type) ir.Type { return loop.Array(c, t) })
}

// reducer carries what it has combined, as parts.
type reducer struct {
	g       loop.Generator
	zero    []ir.Value // identities, if it combines by a region
	combine ir.Block
	acc     []ir.Value
}

func newReducer(g loop.Generator, ids *[]ir.Value, regions *[]ir.Block) *reducer {
	r := &reducer{g: g}
	if g.IsRegional() {
		n := len(g.Types)
		r.zero, r.combine = (*ids)[:n:n], (*regions)[0]
		*ids, *regions = (*ids)[n:], (*regions)[1:]
	}
	return r
}

// identity lists the parts that it begins with.
func (r *reducer) identity(d down) []ir.Value {
	if r.g.IsRegional() {
		return d.arrays.allParts(r.zero)
	}
	return lists.Map(r.g.Types, func(t ir.Type) ir.Value { return d.B.Const(t, r.g.By.Identity(d.B.Ctx(), t)) })
}

func (r *reducer) begin(d down, _ ir.Value, _ int, _ bool) { r.acc = r.identity(d) }

func (r *reducer) round(ir.Value) {}

func (r *reducer) add(d down, tuple []ir.Value) { r.acc = r.combined(d, r.acc, tuple) }

// combined is what has been combined, and a tuple.
func (r *reducer) combined(d down, acc, tuple []ir.Value) []ir.Value {
	if r.g.IsRegional() {
		if cond, takesNew, ok := r.picks(d); ok {
			return r.picked(d, cond, takesNew, acc, tuple)
		}
		return d.arrays.allParts(d.Body(r.combine, append(d.arrays.wholes(r.g.Types, acc), tuple...)...))
	}
	return r.g.CombineNamed(d.B, acc, tuple)
}

func (r *reducer) state() []ir.Value { return r.acc }

func (r *reducer) set(state []ir.Value) { r.acc = state }

func (r *reducer) results(d down) []ir.Value { return d.arrays.wholes(r.g.Types, r.acc) }

// scanner collects what a reducer has after each tuple.
type scanner struct {
	*reducer
	steps collector
}

// canMask: what has been combined so far is no step of its own.
func (s *scanner) canMask() bool { return false }

func (s *scanner) begin(d down, size ir.Value, most int, exact bool) {
	s.reducer.begin(d, size, most, exact)
	s.steps.begin(d, size, most, exact)
}

func (s *scanner) round(i ir.Value) { s.steps.round(i) }

func (s *scanner) add(d down, tuple []ir.Value) {
	s.reducer.add(d, tuple)
	s.steps.add(d, d.arrays.wholes(s.g.Types, s.acc))
}

func (s *scanner) state() []ir.Value {
	return append(append([]ir.Value(nil), s.acc...), s.steps.state()...)
}

func (s *scanner) set(state []ir.Value) {
	n := len(s.acc)
	s.acc = state[:n:n]
	s.steps.set(state[n:])
}

func (s *scanner) results(d down) []ir.Value { return s.steps.results(d) }

// within is a generator in an inner loop, whose rounds are none of its own.
type within struct{ accumulator }

func (within) round(ir.Value) {}

func (s within) canMask() bool {
	m, ok := s.accumulator.(maskable)
	return ok && m.canMask()
}

func (s within) addMasked(d down, cond ir.Value, tuple []ir.Value) {
	s.accumulator.(maskable).addMasked(d, cond, tuple)
}
