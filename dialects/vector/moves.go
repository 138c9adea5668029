package vector

import (
	"maps"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// A move is an op that only moves lanes.
type move struct {
	c    *ir.Context
	attr ir.Attr
	in   []ir.Type
	out  []ir.Type // of the results
}

// nowhere is the lane from which poison comes.
const nowhere = -1

// A mover says, of each lane of result i, which lane it is: those of all operands counted one behind
// the other. ok is false for what is known only when it runs.
type mover func(m *move, i int) (from func(lane int) int, ok bool)

// movers are the ops that only move lanes.
var movers = map[*ir.OpDef]mover{
	Broadcast: broadcastLanes, Splat: broadcastLanes, FromElements: sameLanes, ShapeCast: sameLanes, Shuffle: shuffleLanes, Transpose: transposeLanes,
	Extract: extractLanes, Insert: insertLanes, ExtractStridedSlice: sliceLanes, InsertStridedSlice: insertSliceLanes,
	Interleave: interleaveLanes, Deinterleave: deinterleaveLanes, FlatTranspose: flatTransposeLanes,
}

// Moves says of an op that only moves lanes, for each result, which lane of its operands a lane is:
// all lanes are counted one behind the other, and -1 stands for poison. ok is false for other ops.
func Moves(g *ir.Graph, v ir.Value) (from []func(lane int) int, ok bool) {
	do := movers[g.Def(v)]
	if do == nil {
		return nil, false
	}
	m := &move{c: g.Ctx, attr: g.AttrsOf(v), out: g.Ctx.Results(g.Type(v))}
	for _, a := range g.Args(v) {
		m.in = append(m.in, g.Type(a))
	}
	return m.all(do)
}

// movesOf is Moves for an op that is being made or run.
func movesOf(c *ir.Call, do mover) (from []func(int) int, ok bool) {
	m := &move{c: c.Ctx(), attr: c.Attr, out: c.Ctx().Results(c.Type)}
	for i := range c.Args {
		m.in = append(m.in, c.ArgType(i))
	}
	return m.all(do)
}

func (m *move) all(do mover) (from []func(int) int, ok bool) {
	for _, t := range slices.Concat(m.in, m.out) {
		if _, ok := lanes(m.c, t); !ok {
			return nil, false
		}
	}
	for i := range m.out {
		f, ok := do(m, i)
		if !ok {
			return nil, false
		}
		from = append(from, f)
	}
	return from, true
}

func (m *move) shape(i int) []int64 { return shapeOf(m.c, m.in[i]) }
func (m *move) result() []int64     { return shapeOf(m.c, m.out[0]) }
func (m *move) lanes(i int) int     { return count(m.shape(i)) }

// evalMove is the Eval of an op that only moves lanes.
func evalMove(do mover) func(*ir.Call, []ir.Val) (ir.Val, error) {
	return func(c *ir.Call, args []ir.Val) (ir.Val, error) {
		from, ok := movesOf(c, do)
		if !ok {
			return ir.Val{}, tooLong
		}
		return moved(c, args, from), nil
	}
}

// moved puts results together.
func moved(c *ir.Call, args []ir.Val, from []func(int) int) ir.Val {
	x := c.Ctx()
	var all ir.Vector
	for i, a := range args {
		n, _ := lanes(x, c.ArgType(i))
		all = append(all, lanesOf(a, n)...)
	}
	types := x.Results(c.Type)
	out := make(ir.Vector, len(types))
	for r, f := range from {
		n, _ := lanes(x, types[r])
		lanes := make(ir.Vector, n)
		for i := range lanes {
			if k := f(i); k == nowhere {
				lanes[i].Ref = ir.Poison
			} else {
				lanes[i] = all[k]
			}
		}
		out[r] = valOf(x, types[r], lanes)
	}
	if len(out) == 1 {
		return out[0]
	}
	return ir.Val{Ref: out}
}

// after counts on from a number.
func after(first int) func(int) int { return func(k int) int { return first + k } }

func sameLanes(*move, int) (func(int) int, bool) { return after(0), true }

// broadcastLanes repeats the operand in leading dimensions and where its extent is 1.
func broadcastLanes(m *move, _ int) (func(int) int, bool) {
	shape, strides, out := m.shape(0), stridesOf(m.shape(0)), stridesOf(m.result())
	lead := len(out) - len(shape)
	return func(k int) (from int) {
		for d, s := range out {
			if d >= lead && shape[d-lead] != 1 {
				from += k / s * strides[d-lead]
			}
			k %= s
		}
		return from
	}, true
}

// shuffleLanes takes rows of both operands in the order of the mask.
func shuffleLanes(m *move, _ int) (func(int) int, bool) {
	row := 1
	if s := m.shape(0); len(s) > 1 {
		row = count(s[1:])
	}
	mask := listOf(m.c, m.c.Get(m.attr, "mask"))
	return func(k int) int { return int(mask(k/row))*row + k%row }, true
}

func transposeLanes(m *move, _ int) (func(int) int, bool) {
	perm, strides, out := m.c.Ints(m.c.Get(m.attr, "permutation")), stridesOf(m.shape(0)), stridesOf(m.result())
	return func(k int) (from int) {
		for d, s := range out {
			from += k / s * strides[perm[d]]
			k %= s
		}
		return from
	}, true
}

// position is the first lane of what stands at a static position of a vector; ok is false for one
// that is known only when it runs.
func (m *move) position(shape []int64) (first int, ok bool) {
	strides := stridesOf(shape)
	for d, p := range m.c.Ints(m.c.Get(m.attr, "static_position")) {
		if p == ir.Dynamic {
			return 0, false
		}
		first += int(p) * strides[d]
	}
	return first, true
}

func extractLanes(m *move, _ int) (func(int) int, bool) {
	first, ok := m.position(m.shape(0))
	return after(first), ok
}

// insertLanes is operand 1 but where operand 0 stands.
func insertLanes(m *move, _ int) (func(int) int, bool) {
	n := m.lanes(0)
	first, ok := m.position(m.shape(1))
	return func(k int) int {
		if k >= first && k < first+n {
			return k - first
		}
		return n + k
	}, ok
}

// Movers lists the ops that only move lanes, but for extract and insert at positions that are known
// only when the program runs.
func Movers() []*ir.OpDef {
	out := slices.Collect(maps.Keys(movers))
	slices.SortFunc(out, func(x, y *ir.OpDef) int { return strings.Compare(x.Name, y.Name) })
	return out
}
