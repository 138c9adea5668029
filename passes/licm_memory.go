package passes

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/passes/basic"
)

// What a loop's round allocates and fills is the same in each round if what fills it depends
// on nothing that the loop changes. Memory of a round's own has no contents at its
// beginning, so that all that writes it, moved together, does so once as it did in each
// round, whatever it reads of it in between: a matrix that is factored where it stands, too.
//
// An op that may trap leaves a loop, too, where the loop surely runs and nothing that is
// seen outside comes before it in a round.

// hoisted is what leaves the loops of a graph: of each loop, in order.
type hoisted struct {
	before map[ir.Value][]ir.Value
	moves  map[ir.Value]bool
}

// findHoisted finds it; nil if nothing does.
func findHoisted(s *ir.Schedule) *hoisted {
	g := s.Graph()
	if g.IsVerbatim() {
		return nil
	}
	x := &hoisted{before: map[ir.Value][]ir.Value{}, moves: map[ir.Value]bool{}}
	var effects func(ir.Value) []ir.Effect
	var walk func(r ir.Region)
	walk = func(r ir.Region) {
		for _, v := range s.Body(r) {
			if x.moves[v] {
				continue // what is in it comes next
			}
			if body, runs, ok := countedLoop(g, v); ok && allocates(s, body) {
				// Effects are of the whole graph: they are computed at the first loop that allocates.
				if effects == nil {
					effects = g.Effects()
				}
				if ops := newInvariant(s, body, runs, effects).find(); len(ops) > 0 {
					x.before[v] = ops
					for _, op := range ops {
						x.moves[op] = true
					}
				}
			}
			for _, in := range g.Regions(v) {
				walk(in)
			}
		}
	}
	walk(ir.Root)
	if len(x.before) == 0 {
		return nil
	}
	return x
}

// countedLoop is the body of a loop over indices, round by round, and whether it runs at all.
func countedLoop(g *ir.Graph, v ir.Value) (body ir.Region, runs, ok bool) {
	if len(g.Regions(v)) != 1 || g.KindOf(g.Regions(v)[0]) != ir.Loop {
		return 0, false, false
	}
	l, ok := ir.As[ir.LoopLike](g.NodeOf(v))
	if !ok || l.Parallel || len(l.Indices) != 1 {
		return 0, false, false
	}
	trips, known := affine.Of(g).Trips(l, 0)
	return l.Body, known && trips > 0, true
}

// allocates reports a region with an allocation directly in it.
func allocates(s *ir.Schedule, r ir.Region) bool {
	return slices.ContainsFunc(s.Body(r), func(v ir.Value) bool {
		_, ok := ir.As[ir.Allocation](s.Graph().NodeOf(v))
		return ok
	})
}

// invariant looks for what leaves one loop.
type invariant struct {
	s       *ir.Schedule
	g       *ir.Graph
	body    ir.Region
	runs    bool
	effects map[ir.Value][]ir.Effect
	moves   map[ir.Value]bool // as far as is known
}

// newInvariant supposes that all ops of a body leave, but for terminators, opaque ops, symbols, and ops that
// the schedule copies.
func newInvariant(s *ir.Schedule, body ir.Region, runs bool, effects func(ir.Value) []ir.Effect) *invariant {
	x := &invariant{s: s, g: s.Graph(), body: body, runs: runs, effects: map[ir.Value][]ir.Effect{}, moves: map[ir.Value]bool{}}
	for _, v := range s.Body(body) {
		x.effects[v] = effects(v)
		x.moves[v] = x.g.Def(v).Traits&(ir.Terminator|ir.Opaque|ir.Symbol) == 0 && len(s.Copies(v)) == 0
	}
	return x
}

// find supposes that all ops leave, and takes back those that cannot until the others can.
func (x *invariant) find() (out []ir.Value) {
	ops := x.s.Body(x.body)
	// This is a greatest fixed point: moves only shrinks, and each iteration but the last takes an op out.
	for again := true; again; {
		again = false
		seen := false // something that is seen outside
		for _, v := range ops {
			if x.moves[v] && !(x.dependsOnMovesOnly(v) && x.keepsMemory(v) && (!x.g.IsPartial(v) || x.runs && !seen)) {
				x.moves[v], again = false, true
			}
			seen = seen || !x.moves[v] && x.isSeen(v)
		}
	}
	// The schedule moves what writes nothing by itself: only memory that is filled is worth a rebuild.
	useful := false
	for _, v := range ops {
		if x.moves[v] {
			out = append(out, v)
			useful = useful || slices.ContainsFunc(x.effects[v], ir.Effect.Writes)
		}
	}
	if !useful {
		return nil
	}
	return out
}

// isSeen reports an op that does more than to use memory.
func (x *invariant) isSeen(v ir.Value) bool {
	return slices.ContainsFunc(x.effects[v], func(e ir.Effect) bool { return e.On == ir.World || e.On == ir.IO })
}

// dependsOnMovesOnly reports an op all of whose operands, and those of ops in it, are there
// before the loop.
func (x *invariant) dependsOnMovesOnly(v ir.Value) bool {
	for _, a := range x.g.Args(v) {
		if !x.isBefore(a) {
			return false
		}
	}
	for _, r := range x.g.Regions(v) {
		for _, in := range x.s.Body(r) {
			if !x.dependsOnMovesOnly(in) {
				return false
			}
		}
	}
	return true
}

// isBefore reports a value that is there before the loop, if what moves does, or is made in
// an op that is asked about.
func (x *invariant) isBefore(a ir.Value) bool {
	if r, _, ok := x.g.Param(a); ok {
		return r != x.body
	}
	if n, _, ok := x.g.Projection(a); ok {
		a = n
	}
	return x.moves[a] || x.s.Place(a) != x.body
}

// keepsMemory reports an op that reads nothing that the loop changes, and writes only memory
// of a round whose contents leave the loop as a whole.
func (x *invariant) keepsMemory(v ir.Value) bool {
	if alloc, ok := ir.As[ir.Allocation](x.g.NodeOf(v)); ok {
		return alloc.From == 0 && x.leaves(v)
	}
	if x.gives(v) {
		return false
	}
	for _, e := range x.effects[v] {
		if alloc, own := x.g.Allocated(e.On); own && x.moves[alloc] && e.Kind != ir.Free {
			continue
		}
		if e.Writes() || x.changes(e.On) {
			return false
		}
	}
	return true
}

// gives reports an op of which a result is memory that a region of its own may have allocated: each
// round gets another, and may give it back.
func (x *invariant) gives(v ir.Value) bool {
	if !slices.ContainsFunc(x.g.Ctx.Results(x.g.Type(v)), func(t ir.Type) bool { return x.g.Ctx.Info(t).Kind == ir.KindMemRef }) {
		return false
	}
	var inside func(v ir.Value) bool
	inside = func(v ir.Value) bool {
		return slices.ContainsFunc(x.g.Regions(v), func(r ir.Region) bool {
			return allocates(x.s, r) || slices.ContainsFunc(x.s.Body(r), inside)
		})
	}
	return inside(v)
}

// changes reports that what stays in the loop may write a resource.
func (x *invariant) changes(on ir.Resource) bool {
	for v, effects := range x.effects {
		if !x.moves[v] && slices.ContainsFunc(effects, func(e ir.Effect) bool { return e.Writes() && x.g.MayAlias(e.On, on) }) {
			return true
		}
	}
	return false
}

// leaves reports memory of a round all of whose writers leave the loop, and that is read there
// behind the last of them only.
func (x *invariant) leaves(alloc ir.Value) bool {
	own, read := false, false
	for _, v := range x.s.Body(x.body) {
		for _, e := range x.effects[v] {
			root, ok := x.g.Allocated(e.On)
			switch {
			case ok && root != alloc || !ok && !x.g.MayAlias(e.On, ir.Memory):
			case !ok: // it may be any memory, but none that nobody keeps
			case e.Writes() && (read || !x.moves[v] || e.Kind == ir.Free):
				return false
			default:
				own = own || e.Writes()
				read = read || !x.moves[v]
			}
		}
	}
	return own
}

// hoist makes what leaves a loop before it.
func (x *hoisted) hoist(m *ir.Mirror, n ir.Node) ir.Value {
	if x.moves[n.Old()] {
		return m.Of(n) // made before the loop that it was in
	}
	ops := x.before[n.Old()]
	if ops == nil {
		return 0
	}
	for _, v := range ops {
		op := n.Graph().NodeOf(v)
		m.Set(op, m.Copy(op))
	}
	return m.Copy(n)
}

// hoistMemory takes memory of a round's own out of loops; n is how many allocations.
func hoistMemory(g *ir.Graph) (made *ir.Graph, n int) {
	found := map[*ir.Graph]*hoisted{}
	rules := ir.Rules{}
	for g := range g.Nested() {
		x := findHoisted(ir.ScheduleOf(g))
		if x == nil {
			continue
		}
		found[g] = x
		// The definitions are listed first. One rule then serves them all, as hoist tells loops from ops that
		// move.
		for v := range x.before {
			rules[g.Def(v)] = nil
		}
		for v := range x.moves {
			rules[g.Def(v)] = nil
			if _, ok := ir.As[ir.Allocation](g.NodeOf(v)); ok {
				n++
			}
		}
	}
	if len(found) == 0 {
		return g, 0
	}
	for def := range rules {
		rules[def] = func(m *ir.Mirror, n ir.Node) ir.Value {
			if x := found[n.Graph()]; x != nil {
				return x.hoist(m, n)
			}
			return 0
		}
	}
	return basic.Rebuild(g, rules), n
}
