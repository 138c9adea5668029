package vector

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A transfer is lowered row by row of what it touches in memory: a row without gaps is a load or a
// store of a vector, with a mask where a lane may lie out of bounds, and any other goes element by
// element. Those of many lanes are gone through in loops.

// rowsOf is a transfer that is being lowered.
type rowsOf struct {
	*transfer
	limits
	b       *ir.Builder
	memory  ir.Value
	indices []ir.Value
	mask    ir.Value // of all lanes, in the order of memory, or 0
	order   []int    // dimensions of the vector as they stand in memory
	shape   []int64  // extents in that order
	proved  bool     // what is accessed is tested to be in bounds, in all dimensions
	loops   bool     // over rows, which have one element each if they have gaps
}

// A row of a transfer is known by its position, or where loops go through rows by its first lane.
type row struct {
	at    []int64
	first ir.Value
}

func (l limits) newRows(b *ir.Builder, x *transfer, memory ir.Value, indices []ir.Value, masks ...ir.Value) *rowsOf {
	r := &rowsOf{transfer: x, limits: l, b: b, memory: memory, indices: indices, order: x.order()}
	r.shape = pick(x.shape, r.order)
	r.loops = product(r.shape) > l.straightLine
	r.proved = len(r.order) == len(indices)
	for _, d := range r.order {
		r.proved = r.proved && !x.inBounds[d]
	}
	for _, m := range masks {
		switch {
		case m == 0:
		case r.mask == 0:
			r.mask = m
		default:
			r.mask = b.Op(arith.Andi, r.mask, m)
		}
	}
	return r
}

// over is the number of dimensions in which rows differ.
func (r *rowsOf) over() int {
	if r.loops && !r.gapless() {
		return len(r.shape)
	}
	return max(len(r.shape)-1, 0)
}

// columns is the number of lanes of a row, 1 of no dimensions.
func (r *rowsOf) columns() int64 { return product(r.shape[r.over():]) }

// gapless reports rows without gaps.
func (r *rowsOf) gapless() bool {
	last := len(r.order) - 1
	return last >= 0 && r.dims[r.order[last]] == len(r.indices)-1 && unitStride(r.b.Ctx(), r.b.Graph().Type(r.memory))
}

// each calls do with the indices of the first element of each row, the mask of its lanes, or 0, and which row it is.
func (r *rowsOf) each(do func(at []ir.Value, mask ir.Value, of row)) {
	b, shape := r.b, r.shape[:r.over()]
	maskOf := r.cut(r.mask)
	one := func(p []ir.Value, of row) {
		at := append([]ir.Value(nil), r.indices...)
		var inside ir.Value // whether the row is
		for k, x := range p {
			d := r.dims[r.order[k]]
			at[d] = arith.AddI(b, at[d], x)
			if !r.inBounds[r.order[k]] {
				inside = r.both(inside, arith.CmpI(b, arith.ULT, at[d], r.extent(d)))
			}
		}
		do(at, r.rowMask(at, inside, maskOf(of)), of)
	}
	if !r.loops {
		points(shape, func(_ int, p []int) {
			at, of := make([]ir.Value, len(p)), row{at: make([]int64, len(p))}
			for k, x := range p {
				at[k], of.at[k] = b.Index(int64(x)), int64(x)
			}
			one(at, of)
		})
		return
	}
	at, dims := make([]ir.Value, len(shape)), make([]int, len(shape))
	for d := range dims {
		dims[d] = d
	}
	nest(b, shape, dims, at, nil, func([]ir.Value) []ir.Value {
		one(at, row{first: place(b, at, stridesOf(r.shape))})
		return nil
	})
}

// cut gives the rows of a vector in the order of memory; of 0 they are 0.
func (r *rowsOf) cut(v ir.Value) func(row) ir.Value {
	b := r.b
	switch {
	case v == 0:
		return func(row) ir.Value { return 0 }
	case r.loops:
		m := spill(b, v)
		return func(of row) ir.Value { return m.load(of.first, r.columns()) }
	}
	return func(of row) ir.Value {
		if len(of.at) == 0 {
			return v
		}
		return b.OpAttr(Extract, positionAttr(b.Ctx(), of.at...), v)
	}
}

// both is where two conditions hold, each of which may be 0.
func (r *rowsOf) both(x, y ir.Value) ir.Value {
	switch {
	case x == 0:
		return y
	case y == 0:
		return x
	}
	return r.b.Op(arith.Andi, x, y)
}

func (r *rowsOf) extent(d int) ir.Value { return r.b.Op(memref.Dim, r.memory, r.b.Index(int64(d))) }

// rowMask is the mask of a row: where the given one is set, if the row is inside, and the lane in bounds.
func (r *rowsOf) rowMask(at []ir.Value, inside, out ir.Value) ir.Value {
	b, n := r.b, r.columns()
	if last := len(r.order) - 1; last >= r.over() && !r.inBounds[r.order[last]] {
		d, t := r.dims[r.order[last]], b.Ctx().Vector([]int64{n}, ir.Index)
		lanes := make(ir.Vector, n)
		for i := range lanes {
			lanes[i].Bits = uint64(i)
		}
		places := arith.AddI(b, cast(b, Broadcast, at[d], t), b.Const(t, ir.Val{Ref: lanes}))
		out = r.both(out, arith.CmpI(b, arith.ULT, places, cast(b, Broadcast, r.extent(d), t)))
	}
	if inside != 0 {
		inside = cast(b, Broadcast, inside, b.Ctx().Vector([]int64{n}, ir.I1))
	}
	return r.both(out, inside)
}

// access makes an access, which is known to be in bounds if all of its indices were compared with the
// extents.
func (r *rowsOf) access(def *ir.OpDef, t ir.Type, masked bool, args ...ir.Value) ir.Value {
	attr := ir.Attr(0)
	if masked && r.proved {
		attr = r.b.Ctx().WithDiscardable(0, memref.InBoundsAttr, r.b.Ctx().UnitAttr())
	}
	return r.b.Must(ir.Call{Def: def, Args: args, Attr: attr, Type: t})
}

// lane is the mask of a lane of a row, or 0.
func (r *rowsOf) lane(mask ir.Value, k int64) ir.Value {
	if mask == 0 {
		return 0
	}
	return r.b.OpAttr(Extract, positionAttr(r.b.Ctx(), k), mask)
}

// place are the indices of an element of a row.
func (r *rowsOf) place(at []ir.Value, k int64) []ir.Value {
	out := append([]ir.Value{r.memory}, at...)
	if last := len(r.order) - 1; last >= 0 {
		d := 1 + r.dims[r.order[last]]
		out[d] = arith.AddI(r.b, out[d], r.b.Index(k))
	}
	return out
}

// ofScalars reports memory whose elements are scalars, those of a vector of type t.
func (r *rowsOf) ofScalars(t ir.Type) bool {
	c := r.b.Ctx()
	m := c.Info(r.b.Graph().Type(r.memory))
	return m.Kind == ir.KindMemRef && m.Elem == c.ElemOrSelf(t)
}

// lowerRead reads row by row, in the order of memory, permutes what was read and repeats it; mask may be
// 0, and the op's own comes on top of it.
func (l limits) lowerRead(b *ir.Builder, n ir.Node, args []ir.Value, mask ir.Value) ir.Value {
	c := b.Ctx()
	seg := c.Ints(n.Attr("operandSegmentSizes"))
	at := int(seg[1]) + 1
	r := l.newRows(b, transferOf(c, n.Attrs(), n.Type()), args[0], args[1:at], mask, optional(args, at+1))
	if !r.ofScalars(n.Type()) {
		return 0
	}
	pad := args[at]
	elem := b.Graph().Type(pad)
	rowType := c.Vector([]int64{r.columns()}, elem)
	if r.loops {
		out := newBuffer(b, elem, product(r.shape))
		r.each(func(at []ir.Value, mask ir.Value, of row) { out.store(of.first, r.readRow(at, mask, pad, rowType)) })
		return r.spread(shaped(b, out.all(), c.Vector(r.shape, elem)), n.Type())
	}
	out := cast(b, Broadcast, pad, c.Vector(orOne(r.shape), elem))
	r.each(func(at []ir.Value, mask ir.Value, of row) {
		v := r.readRow(at, mask, pad, rowType)
		if len(of.at) == 0 {
			out = v
		} else {
			out = b.OpAttr(Insert, positionAttr(c, of.at...), v, out)
		}
	})
	return r.spread(out, n.Type())
}

// orOne is a shape, or that of one lane.
func orOne(shape []int64) []int64 {
	if len(shape) == 0 {
		return []int64{1}
	}
	return shape
}

// optional is the operand at a place, or 0.
func optional(args []ir.Value, i int) ir.Value {
	if i < len(args) {
		return args[i]
	}
	return 0
}

func (r *rowsOf) readRow(at []ir.Value, mask, pad ir.Value, t ir.Type) ir.Value {
	b := r.b
	if r.gapless() {
		from := append([]ir.Value{r.memory}, at...)
		if mask == 0 {
			return r.access(Load, t, false, from...)
		}
		return r.access(MaskedLoad, t, true, append(from, mask, cast(b, Broadcast, pad, t))...)
	}
	row := cast(b, Broadcast, pad, t)
	for k := range r.columns() {
		from := r.place(at, k)
		load := func() ir.Value { return r.access(memref.Load, ir.NoType, mask != 0, from...) }
		var x ir.Value
		if set := r.lane(mask, k); set == 0 {
			x = load()
		} else {
			x = scf.BuildIf(b, set, func() []ir.Value { return []ir.Value{load()} }, func() []ir.Value { return []ir.Value{pad} })
		}
		row = b.OpAttr(Insert, positionAttr(b.Ctx(), k), x, row)
	}
	return row
}

// spread brings what was read in the order of memory into that of the vector, and repeats it.
func (r *rowsOf) spread(v ir.Value, t ir.Type) ir.Value {
	b, c := r.b, r.b.Ctx()
	elem := c.ElemOrSelf(t)
	perm, thin := make([]int64, 0, len(r.order)), make([]int64, len(r.dims))
	for d, from := range r.dims {
		if thin[d] = 1; from == nowhere {
			continue
		}
		thin[d] = r.transfer.shape[d]
		for k, o := range r.order {
			if o == d {
				perm = append(perm, int64(k))
			}
		}
	}
	if len(perm) > 0 {
		v = r.limits.transposed(b, v, perm)
	}
	return cast(b, Broadcast, cast(b, ShapeCast, v, c.Vector(thin, elem)), t)
}

// lowerWrite permutes a vector into the order of memory and writes it row by row.
func (l limits) lowerWrite(b *ir.Builder, n ir.Node, args []ir.Value, mask ir.Value) ir.Value {
	c := b.Ctx()
	seg := c.Ints(n.Attr("operandSegmentSizes"))
	at := int(seg[2]) + 2
	t := b.Graph().Type(args[0])
	r := l.newRows(b, transferOf(c, n.Attrs(), t), args[1], args[2:at], mask, optional(args, at))
	if !r.ofScalars(t) {
		return 0
	}
	v := args[0]
	if len(r.order) == 0 {
		v = flat(b, v)
	} else {
		perm := lists.Map(r.order, func(d int) int64 { return int64(d) })
		v = r.limits.transposed(b, v, perm)
	}
	rowOf := r.cut(v)
	r.each(func(at []ir.Value, mask ir.Value, of row) { r.writeRow(at, mask, rowOf(of)) })
	return b.Pack()
}

func (r *rowsOf) writeRow(at []ir.Value, mask, v ir.Value) {
	b := r.b
	if r.gapless() {
		if to := append([]ir.Value{r.memory}, at...); mask == 0 {
			r.access(Store, ir.NoType, false, append([]ir.Value{v}, to...)...)
		} else {
			r.access(MaskedStore, ir.NoType, true, append(to, mask, v)...)
		}
		return
	}
	for k := range r.columns() {
		x := b.OpAttr(Extract, positionAttr(b.Ctx(), k), v)
		store := func() []ir.Value {
			r.access(memref.Store, ir.NoType, mask != 0, append([]ir.Value{x}, r.place(at, k)...)...)
			return nil
		}
		if set := r.lane(mask, k); set == 0 {
			store()
		} else {
			scf.BuildIf(b, set, store, nil)
		}
	}
}
