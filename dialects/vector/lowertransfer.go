package vector

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// A transfer is lowered row by row of what it touches in memory: a row without gaps is a load or a
// store of a vector, with a mask where a lane may lie out of bounds, and any other goes element by
// element.

// rowsOf is a transfer that is being lowered.
type rowsOf struct {
	*transfer
	b       *ir.Builder
	memory  ir.Value
	indices []ir.Value
	mask    ir.Value // of all lanes, in the order of memory, or 0
	order   []int    // dimensions of the vector as they stand in memory
	shape   []int64  // extents in that order
	proved  bool     // what is accessed is tested to be in bounds, in all dimensions
}

func newRows(b *ir.Builder, x *transfer, memory ir.Value, indices []ir.Value, masks ...ir.Value) *rowsOf {
	r := &rowsOf{transfer: x, b: b, memory: memory, indices: indices, order: x.order()}
	r.shape = pick(x.shape, r.order)
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

// columns is the number of lanes of a row, 1 of no dimensions.
func (r *rowsOf) columns() int64 {
	if len(r.shape) == 0 {
		return 1
	}
	return r.shape[len(r.shape)-1]
}

// gapless reports rows without gaps.
func (r *rowsOf) gapless() bool {
	last := len(r.order) - 1
	return last >= 0 && r.dims[r.order[last]] == len(r.indices)-1 && unitStride(r.b.Ctx(), r.b.Graph().Type(r.memory))
}

// each calls do with the indices of the first element of each row, the mask of its lanes, or 0, and its
// position among the rows.
func (r *rowsOf) each(do func(at []ir.Value, mask ir.Value, row []int64)) {
	b := r.b
	points(r.shape[:max(len(r.shape)-1, 0)], func(_ int, p []int) {
		at, row := append([]ir.Value(nil), r.indices...), make([]int64, len(p))
		var inside ir.Value // whether the row is
		for k, x := range p {
			d := r.dims[r.order[k]]
			row[k] = int64(x)
			at[d] = arith.AddI(b, at[d], b.Index(int64(x)))
			if !r.inBounds[r.order[k]] {
				inside = r.both(inside, arith.CmpI(b, arith.ULT, at[d], r.extent(d)))
			}
		}
		do(at, r.rowMask(at, inside, row), row)
	})
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
func (r *rowsOf) rowMask(at []ir.Value, inside ir.Value, row []int64) ir.Value {
	b, n := r.b, r.columns()
	var out ir.Value
	if r.mask != 0 {
		out = r.mask
		if len(row) > 0 {
			out = b.OpAttr(Extract, positionAttr(b.Ctx(), row...), r.mask)
		}
	}
	if last := len(r.order) - 1; last >= 0 && !r.inBounds[r.order[last]] {
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
func lowerRead(b *ir.Builder, n ir.Node, args []ir.Value, mask ir.Value) ir.Value {
	c := b.Ctx()
	seg := c.Ints(n.Attr("operandSegmentSizes"))
	at := int(seg[1]) + 1
	r := newRows(b, transferOf(c, n.Attrs(), n.Type()), args[0], args[1:at], mask, optional(args, at+1))
	if !r.ofScalars(n.Type()) {
		return 0
	}
	pad := args[at]
	elem := b.Graph().Type(pad)
	rowType := c.Vector([]int64{r.columns()}, elem)
	out := cast(b, Broadcast, pad, c.Vector(orOne(r.shape), elem))
	r.each(func(at []ir.Value, mask ir.Value, row []int64) {
		v := r.readRow(at, mask, pad, rowType)
		if len(row) == 0 {
			out = v
		} else {
			out = b.OpAttr(Insert, positionAttr(c, row...), v, out)
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
		v = b.OpAttr(Transpose, c.Props([]ir.NamedAttr{{Name: "permutation", Value: c.DenseArray(ir.I64, perm...)}}, nil), v)
	}
	return cast(b, Broadcast, cast(b, ShapeCast, v, c.Vector(thin, elem)), t)
}

// lowerWrite permutes a vector into the order of memory and writes it row by row.
func lowerWrite(b *ir.Builder, n ir.Node, args []ir.Value, mask ir.Value) ir.Value {
	c := b.Ctx()
	seg := c.Ints(n.Attr("operandSegmentSizes"))
	at := int(seg[2]) + 2
	t := b.Graph().Type(args[0])
	r := newRows(b, transferOf(c, n.Attrs(), t), args[1], args[2:at], mask, optional(args, at))
	if !r.ofScalars(t) {
		return 0
	}
	v := args[0]
	if len(r.order) == 0 {
		v = flat(b, v)
	} else {
		perm := make([]int64, len(r.order))
		for i, d := range r.order {
			perm[i] = int64(d)
		}
		v = b.OpAttr(Transpose, c.Props([]ir.NamedAttr{{Name: "permutation", Value: c.DenseArray(ir.I64, perm...)}}, nil), v)
	}
	r.each(func(at []ir.Value, mask ir.Value, row []int64) {
		x := v
		if len(row) > 0 {
			x = b.OpAttr(Extract, positionAttr(c, row...), v)
		}
		r.writeRow(at, mask, x)
	})
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
