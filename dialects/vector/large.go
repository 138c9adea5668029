package vector

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Straight-line code for vectors of many lanes takes a compiler longer than its length: a machine has few registers, and what does
// not fit into them is moved back and forth. So what takes many steps, or moves lanes across many registers, is done in loops
// over memory on the stack, some lanes at a time, in the order that it has as straight-line code. Its length does not depend
// on how many lanes there are.

// limits are where straight-line code ends.
type limits struct {
	straightLine int64 // how many lanes it computes or moves across rows, in all steps
}

const (
	// maxStraight is how many lanes, in all steps, straight-line code computes or moves across rows.
	maxStraight = 512
	// chunkBytes is what a loop takes of a vector at a time: a few registers, whose sums do not wait for each other.
	chunkBytes = 256
	// maxOrdered is how many lanes straight-line code combines one after the other.
	maxOrdered = 64
	// orderedLanes are those that a loop combines one after the other at a time.
	orderedLanes = 16
	// tileLanes is the side of the squares that a transposition goes by.
	tileLanes = 8
)

// chunkOf is how many lanes of a type a loop takes at a time.
func chunkOf(c *ir.Context, elem ir.Type) int64 {
	return chunkBytes / max(1, int64(c.Info(elem).Width+7)/8)
}

// A buffer is a vector in memory, as its lanes in row-major order.
type buffer struct {
	b     *ir.Builder
	m     ir.Value
	elem  ir.Type
	lanes int64
}

// newBuffer reserves memory for a number of lanes.
func newBuffer(b *ir.Builder, elem ir.Type, lanes int64) *buffer {
	m := b.Must(ir.Call{Def: memref.Alloca, Type: b.Ctx().MemRef([]int64{lanes}, elem)})
	return &buffer{b: b, m: m, elem: elem, lanes: lanes}
}

// spill puts a vector into memory.
func spill(b *ir.Builder, v ir.Value) *buffer {
	v = flat(b, v)
	t := b.Graph().Type(v)
	m := newBuffer(b, b.Ctx().ElemOrSelf(t), shapeOf(b.Ctx(), t)[0])
	m.store(b.Index(0), v)
	return m
}

// promised is the attribute of an access whose place is known to lie in its memory.
func promised(b *ir.Builder) ir.Attr {
	return b.Ctx().WithDiscardable(0, memref.InBoundsAttr, b.Ctx().UnitAttr())
}

// load reads lanes from a place on.
func (m *buffer) load(at ir.Value, lanes int64) ir.Value {
	t := m.b.Ctx().Vector([]int64{lanes}, m.elem)
	return m.b.Must(ir.Call{Def: Load, Args: []ir.Value{m.m, at}, Attr: promised(m.b), Type: t})
}

// all are the lanes.
func (m *buffer) all() ir.Value { return m.load(m.b.Index(0), m.lanes) }

// store writes lanes from a place on.
func (m *buffer) store(at, v ir.Value) {
	m.b.Must(ir.Call{Def: Store, Args: []ir.Value{v, m.m, at}, Attr: promised(m.b)})
}

// place is the number of the lane at a point, of whose numbers those that are 0 stand for 0.
func place(b *ir.Builder, at []ir.Value, strides []int) ir.Value {
	out := b.Index(0)
	for d, x := range at {
		if x != 0 {
			out = arith.AddI(b, out, arith.MulI(b, x, b.Index(int64(strides[d]))))
		}
	}
	return out
}

// carry calls do for the numbers up to n, so many at a time, with what it gave before; the last time with those that are
// left.
func carry(b *ir.Builder, n, step int64, vs []ir.Value, do func(at ir.Value, step int64, vs []ir.Value) []ir.Value) []ir.Value {
	full := n / step * step
	switch {
	case full == step:
		vs = do(b.Index(0), step, vs)
	case full > 0:
		v := scf.BuildFor(b, b.Index(0), b.Index(full), b.Index(step), vs, func(at ir.Value, vs []ir.Value) []ir.Value { return do(at, step, vs) })
		vs = b.Results(v)
	}
	if full < n {
		vs = do(b.Index(full), n-full, vs)
	}
	return vs
}

// BuildInParts computes something on each lane of vectors of one shape, that gives one of type t: of many lanes a loop takes some
// at a time, so that a long computation is there once for them all. do gets the type of a part, and the parts.
func BuildInParts(b *ir.Builder, args []ir.Value, t ir.Type, do func(t ir.Type, parts []ir.Value) ir.Value) ir.Value {
	c := b.Ctx()
	lanes, ok := lanes(c, t)
	if !ok || c.Info(t).Kind != ir.KindVector || lanes <= maxStraight {
		return do(t, args)
	}
	in, out := make([]*buffer, len(args)), newBuffer(b, c.ElemOrSelf(t), int64(lanes))
	for i, x := range args {
		in[i] = spill(b, x)
	}
	carry(b, out.lanes, chunkOf(c, out.elem), nil, func(at ir.Value, lanes int64, _ []ir.Value) []ir.Value {
		parts := lists.Map(in, func(m *buffer) ir.Value { return m.load(at, lanes) })
		out.store(at, do(c.Vector([]int64{lanes}, out.elem), parts))
		return nil
	})
	return shaped(b, out.all(), t)
}

// nest goes through the points of dimensions in row-major order; at gets their numbers.
func nest(b *ir.Builder, extents []int64, dims []int, at, vs []ir.Value, do func(vs []ir.Value) []ir.Value) []ir.Value {
	if len(dims) == 0 {
		return do(vs)
	}
	return carry(b, extents[dims[0]], 1, vs, func(i ir.Value, _ int64, vs []ir.Value) []ir.Value {
		at[dims[0]] = i
		return nest(b, extents, dims[1:], at, vs, do)
	})
}

// lowerFlatTranspose: a matrix column by column is one with rows and columns exchanged row by row.
func (l limits) lowerFlatTranspose(m *ir.Mirror, n ir.Node) ir.Value {
	b, c := m.B, m.B.Ctx()
	rows, columns := c.AttrInfo(n.Attr("rows")).Int, c.AttrInfo(n.Attr("columns")).Int
	out := l.inSquares(b, cast(b, ShapeCast, m.Of(n.Arg(0)), c.Vector([]int64{columns, rows}, c.ElemOrSelf(n.Type()))), []int64{1, 0})
	if out == 0 {
		return 0
	}
	return cast(b, ShapeCast, out, n.Type())
}

// An operand of a fold is a vector with dimensions of a space.
type operand struct {
	v    ir.Value
	dims []int
}

// masked are the operands of a fold, and behind them its mask, unless that is 0.
func (s *space) masked(mask ir.Value, operands ...operand) []operand {
	if mask == 0 {
		return operands
	}
	return append(operands, operand{mask, s.all()})
}

// large reports a fold that goes by loops.
func (l limits) large(s *space) bool { return len(s.whole) > 0 && product(s.extents) > l.straightLine }

// largeRules are those of ops that may stay.
func (l limits) largeRules() ir.Rules {
	return ir.Rules{
		Transpose: func(m *ir.Mirror, n ir.Node) ir.Value {
			return l.inSquares(m.B, m.Of(n.Arg(0)), m.B.Ctx().Ints(n.Attr("permutation")))
		},
		FlatTranspose: l.lowerFlatTranspose,
		Reduction:     func(m *ir.Mirror, n ir.Node) ir.Value { return l.inOrder(m.B, n.Attrs(), m.All(n.Args())) },
	}
}

// lastly permutes an operand so that a dimension is its last one, if it has it.
func (l limits) lastly(b *ir.Builder, s *space, o operand, last int) operand {
	k := slices.Index(o.dims, last)
	if k < 0 || k == len(o.dims)-1 {
		return o
	}
	perm, dims := make([]int64, 0, len(o.dims)), []int{}
	for i, d := range o.dims {
		if i != k {
			perm, dims = append(perm, int64(i)), append(dims, d)
		}
	}
	perm, dims = append(perm, int64(k)), append(dims, last)
	shape := pick(s.extents, o.dims)
	v := cast(b, ShapeCast, o.v, b.Ctx().Vector(shape, b.Ctx().ElemOrSelf(b.Graph().Type(o.v))))
	return operand{l.transposed(b, v, perm), dims}
}

// transposed is a transposition, lowered if it is large.
func (l limits) transposed(b *ir.Builder, v ir.Value, perm []int64) ir.Value {
	c := b.Ctx()
	if out := l.inSquares(b, v, perm); out != 0 {
		return out
	}
	return b.OpAttr(Transpose, c.Props([]ir.NamedAttr{{Name: "permutation", Value: c.DenseArray(ir.I64, perm...)}}, nil), v)
}

// loops folds: some lanes of the last dimension of the result at a time, for each the reduced points in their order. step gets the
// accumulator and the lanes of the operands; of one without that dimension all are the same.
func (l limits) loops(b *ir.Builder, s *space, acc ir.Value, operands []operand, step func(acc ir.Value, xs []ir.Value) ir.Value) ir.Value {
	c := b.Ctx()
	outer, last, n := s.parallel, -1, int64(1)
	if k := len(outer) - 1; k >= 0 {
		outer, last = outer[:k], outer[k]
		n = s.extents[last]
	}
	mem, strides := make([]*buffer, len(operands)), make([][]int, len(operands))
	width := chunkOf(c, c.ElemOrSelf(b.Graph().Type(acc)))
	for i, o := range operands {
		o = l.lastly(b, s, o, last)
		mem[i], strides[i] = spill(b, o.v), make([]int, len(s.extents))
		for k, stride := range stridesOf(pick(s.extents, o.dims)) {
			strides[i][o.dims[k]] = stride
		}
	}
	accStrides := make([]int, len(s.extents))
	for k, stride := range stridesOf(s.kept()) {
		accStrides[s.parallel[k]] = stride
	}
	out, at := spill(b, acc), make([]ir.Value, len(s.extents))
	chunk := func(i ir.Value, lanes int64) {
		if last >= 0 {
			at[last] = i
		}
		to := place(b, at, accStrides)
		inner := append([]ir.Value(nil), at...)
		vs := nest(b, s.extents, s.whole, inner, []ir.Value{out.load(to, lanes)}, func(vs []ir.Value) []ir.Value {
			xs := make([]ir.Value, len(mem))
			for k, m := range mem {
				from := place(b, inner, strides[k])
				if last >= 0 && strides[k][last] == 1 {
					xs[k] = m.load(from, lanes)
				} else {
					xs[k] = cast(b, Broadcast, m.load(from, 1), c.Vector([]int64{lanes}, m.elem))
				}
			}
			return []ir.Value{step(vs[0], xs)}
		})
		out.store(to, vs[0])
	}
	nest(b, s.extents, outer, at, nil, func([]ir.Value) []ir.Value {
		return carry(b, n, width, nil, func(i ir.Value, lanes int64, _ []ir.Value) []ir.Value { chunk(i, lanes); return nil })
	})
	return out.all()
}

// inSquares transposes by squares of the dimensions that are the last ones before and after; 0 leaves a transposition as it
// is, which is small, or moves no lane within a row.
func (l limits) inSquares(b *ir.Builder, v ir.Value, perm []int64) ir.Value {
	c := b.Ctx()
	t := b.Graph().Type(v)
	shape, n := shapeOf(c, t), len(perm)
	if lanes, ok := lanes(c, t); !ok || int64(lanes) <= l.straightLine || int(perm[n-1]) == n-1 {
		return 0
	}
	to := make([]int64, n)
	strides, outStrides := stridesOf(shape), make([]int, n)
	for i, p := range perm {
		to[i] = shape[p]
	}
	for i, stride := range stridesOf(to) {
		outStrides[perm[i]] = stride
	}
	in := spill(b, v)
	out := newBuffer(b, in.elem, in.lanes)
	row, col := int(perm[n-1]), n-1 // the dimensions of a square
	var outer []int
	for d := range shape {
		if d != row && d != col && shape[d] > 1 {
			outer = append(outer, d)
		}
	}
	at := make([]ir.Value, n)
	nest(b, shape, outer, at, nil, func([]ir.Value) []ir.Value {
		overlapping(b, shape[row], func(i ir.Value, rows int64) {
			overlapping(b, shape[col], func(j ir.Value, cols int64) {
				at[row], at[col] = i, j
				square(in, out, place(b, at, strides), place(b, at, outStrides), []int64{rows, cols}, strides[row], outStrides[col])
			})
		})
		return nil
	})
	return shaped(b, out.all(), c.Vector(to, in.elem))
}

// overlapping calls do with the sides of tiles that cover the numbers up to n: the last one may overlap the one before, so that
// all are alike.
func overlapping(b *ir.Builder, n int64, do func(at ir.Value, side int64)) {
	side := min(n, tileLanes)
	carry(b, (n+side-1)/side, 1, nil, func(i ir.Value, _ int64, _ []ir.Value) []ir.Value {
		do(b.Op(arith.Minui, arith.MulI(b, i, b.Index(side)), b.Index(n-side)), side)
		return nil
	})
}

// square transposes rows of columns, whose places are a stride apart.
func square(in, out *buffer, from, to ir.Value, shape []int64, stride, outStride int) {
	b := in.b
	var v ir.Value
	for i := range shape[0] {
		row := in.load(arith.AddI(b, from, b.Index(i*int64(stride))), shape[1])
		if v == 0 {
			v = row
		} else {
			v = BuildJoin(b, v, row)
		}
	}
	for j := range shape[1] {
		lanes := make([]int, shape[0])
		for i := range lanes {
			lanes[i] = i*int(shape[1]) + int(j)
		}
		out.store(arith.AddI(b, to, b.Index(j*int64(outStride))), take(b, v, lanes))
	}
}

// inOrder is a reduction of many lanes, some of which a loop takes at a time; 0 leaves one that is short, or whose order is
// free.
func (l limits) inOrder(b *ir.Builder, attr ir.Attr, args []ir.Value) ir.Value {
	c := b.Ctx()
	v, rest := args[0], args[1:]
	elem := c.ElemOrSelf(b.Graph().Type(v))
	lanes, ok := lanes(c, b.Graph().Type(v))
	if !ok || int64(lanes) <= max(orderedLanes, min(maxOrdered, l.straightLine)) || !c.IsFloat(elem) || !kindOf(c, attr).ordered(c, attr, elem) {
		return 0
	}
	m := spill(b, v)
	first := b.OpAttr(Reduction, attr, append([]ir.Value{m.load(b.Index(0), orderedLanes)}, rest...)...)
	return carry(b, int64(lanes)-orderedLanes, orderedLanes, []ir.Value{first}, func(at ir.Value, some int64, vs []ir.Value) []ir.Value {
		return []ir.Value{b.OpAttr(Reduction, attr, m.load(arith.AddI(b, at, b.Index(orderedLanes)), some), vs[0])}
	})[0]
}

// ordered reports a reduction of floats that a machine does lane by lane.
func (k *kind) ordered(c *ir.Context, attr ir.Attr, elem ir.Type) bool {
	switch k.name {
	case "minimumf", "maximumf":
		return elem == ir.BF16
	case "minnumf", "maxnumf":
		return true
	}
	return elem == ir.BF16 || arith.FastMathOf(c, attr)&arith.Reassoc == 0
}

// scanned goes through the reduced dimension in a loop, of which it writes a slice each time.
func (l limits) scanned(b *ir.Builder, s *space, k *kind, n ir.Node, args []ir.Value, inclusive bool) ir.Value {
	c := b.Ctx()
	dim := s.whole[0]
	perm, back := []int64{int64(dim)}, make([]int64, len(s.extents))
	for d := range s.extents {
		if d != dim {
			back[d] = int64(len(perm))
			perm = append(perm, int64(d))
		}
	}
	src := l.transposed(b, args[0], perm)
	in, init := spill(b, src), spill(b, args[1])
	out := newBuffer(b, in.elem, in.lanes)
	slice := b.Index(init.lanes)
	carry(b, init.lanes, chunkOf(c, in.elem), nil, func(at ir.Value, lanes int64, _ []ir.Value) []ir.Value {
		acc := init.load(at, lanes)
		if inclusive {
			acc = in.load(at, lanes)
		}
		out.store(at, acc)
		vs := carry(b, s.extents[dim]-1, 1, []ir.Value{acc}, func(r ir.Value, _ int64, vs []ir.Value) []ir.Value {
			before := arith.AddI(b, arith.MulI(b, r, slice), at)
			after := arith.AddI(b, before, slice)
			from := before
			if inclusive {
				from = after
			}
			acc := k.build(b, vs[0], in.load(from, lanes))
			out.store(after, acc)
			return []ir.Value{acc}
		})
		init.store(at, vs[0])
		return nil
	})
	v := l.transposed(b, shaped(b, out.all(), b.Graph().Type(src)), back)
	return b.Pack(v, shaped(b, init.all(), b.Graph().Type(args[1])))
}
