package vector

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/derive"
)

// accessRules are those of reads and writes. Where an op reads, the adjoint of what it gives is added to the shadow; where it writes, the
// shadow's elements are taken, and zeros left. Lanes that are not read have their adjoint from what stands in their place.
var accessRules = derive.Table{
	{Of: Load, Says: "reads: the adjoint is added to the shadow", Back: func(o *derive.Op, shadow, z ir.Value) []ir.Value {
		at := places(o, 1)
		old := o.B.Must(ir.Call{Def: Load, Attr: o.Attr, Args: append([]ir.Value{shadow}, at...), Type: o.Type})
		o.B.OpAttr(Store, o.Attr, append([]ir.Value{sumOf(o, old, z), shadow}, at...)...)
		return nil
	}},
	{Of: Store, Says: "writes: the adjoint is taken from the shadow", Back: func(o *derive.Op, shadow, _ ir.Value) []ir.Value {
		at, t := places(o, 2), o.OperandType(0)
		z := o.B.Must(ir.Call{Def: Load, Attr: o.Attr, Args: append([]ir.Value{shadow}, at...), Type: t})
		o.B.OpAttr(Store, o.Attr, append([]ir.Value{arith.Zero(o.B, t), shadow}, at...)...)
		return []ir.Value{z}
	}},
	{Of: MaskedLoad, Says: "reads: the adjoint of lanes that the mask sets is added to the shadow", Back: maskedRead(MaskedLoad, MaskedStore)},
	{Of: MaskedStore, Says: "writes: the adjoint of lanes that the mask sets is taken from the shadow", Back: maskedWrite(MaskedLoad, MaskedStore)},
	{Of: ExpandLoad, Says: "reads: the adjoint of lanes that the mask sets is added to the shadow", Back: maskedRead(ExpandLoad, CompressStore)},
	{Of: CompressStore, Says: "writes: the adjoint of lanes that the mask sets is taken from the shadow", Back: maskedWrite(ExpandLoad, CompressStore)},
	{Of: Gather, Says: "reads: the adjoint of lanes that the mask sets is added to the shadow, lane after lane", Back: gatherBack},
	{Of: Scatter, Says: "writes: the adjoint of lanes that the mask sets is taken from the shadow, from the last lane to the first", Back: scatterBack},
	{Of: TransferRead, Says: "reads: the adjoint of what lies in bounds is added to the shadow", Back: transferReadBack},
	{Of: TransferWrite, Says: "writes: the adjoint of what lies in bounds is taken from the shadow", Back: transferWriteBack},
}

// sumOf is a sum of adjoints.
func sumOf(o *derive.Op, x, y ir.Value) ir.Value {
	return arith.Float(o.B, arith.Addf, arith.Nsz, x, y)
}

// last is what is given to the last operand alone.
func last(o *derive.Op, z ir.Value) []ir.Value {
	out := make([]ir.Value, o.Operands())
	out[len(out)-1] = z
	return out
}

// notRead is the adjoint of what stands in lanes that the mask leaves out.
func notRead(o *derive.Op, mask, z ir.Value) []ir.Value {
	if !o.Active(o.Operands() - 1) {
		return nil
	}
	return last(o, arith.Choose(o.B, mask, arith.Zero(o.B, o.Type), z))
}

// maskedRead is the way back through a read with a mask.
func maskedRead(read, write *ir.OpDef) func(o *derive.Op, shadow, z ir.Value) []ir.Value {
	return func(o *derive.Op, shadow, z ir.Value) []ir.Value {
		at := append([]ir.Value{shadow}, between(o, 1, o.Operands()-1)...)
		old := o.B.OpAttr(read, o.Attr, append(at[:len(at):len(at)], arith.Zero(o.B, o.Type))...)
		o.B.OpAttr(write, o.Attr, append(at[:len(at):len(at)], sumOf(o, old, z))...)
		return notRead(o, at[len(at)-1], z)
	}
}

// maskedWrite is the way back through a write with a mask.
func maskedWrite(read, write *ir.OpDef) func(o *derive.Op, shadow, _ ir.Value) []ir.Value {
	return func(o *derive.Op, shadow, _ ir.Value) []ir.Value {
		none := arith.Zero(o.B, o.OperandType(o.Operands()-1))
		at := append(append([]ir.Value{shadow}, between(o, 1, o.Operands()-1)...), none)
		z := o.B.OpAttr(read, o.Attr, at...)
		o.B.OpAttr(write, o.Attr, at...)
		return last(o, z)
	}
}

// between are operands, from one to before another.
func between(o *derive.Op, from, to int) (out []ir.Value) {
	for i := from; i < to; i++ {
		out = append(out, o.X(i))
	}
	return out
}

// A lanewise access goes by a vector of indices, lane by lane: several lanes may be one element.
type lanewise struct {
	o           *derive.Op
	at          []ir.Value // the shadow and the indices
	index, mask ir.Value   // lanes
	none        ir.Value   // a lane of zero
	lanes       int
}

func lanesOfAccess(o *derive.Op, shadow ir.Value) *lanewise {
	l := layoutOf(true, o.Operands())
	t := o.OperandType(l.value)
	x := &lanewise{o: o, at: []ir.Value{shadow}, index: flat(o.B, o.X(l.index)), mask: flat(o.B, o.X(l.mask))}
	x.at = append(x.at, between(o, 1, l.index)...)
	x.lanes, _ = lanes(o.B.Ctx(), t)
	x.none = arith.Zero(o.B, o.B.Ctx().Vector([]int64{1}, o.B.Ctx().ElemOrSelf(t)))
	return x
}

// do makes an access of one lane, with a value or what stands in its place.
func (x *lanewise) do(def *ir.OpDef, lane int, v ir.Value) ir.Value {
	one := []int{lane}
	return x.o.B.OpAttr(def, x.o.Attr, append(x.at[:len(x.at):len(x.at)], take(x.o.B, x.index, one), take(x.o.B, x.mask, one), v)...)
}

func gatherBack(o *derive.Op, shadow, z ir.Value) []ir.Value {
	x, zs := lanesOfAccess(o, shadow), flat(o.B, z)
	for k := range x.lanes {
		x.do(Scatter, k, sumOf(o, x.do(Gather, k, x.none), take(o.B, zs, []int{k})))
	}
	return notRead(o, o.X(o.Operands()-2), z)
}

func scatterBack(o *derive.Op, shadow, _ ir.Value) []ir.Value {
	x := lanesOfAccess(o, shadow)
	var all ir.Value
	for k := x.lanes - 1; k >= 0; k-- {
		z := x.do(Gather, k, x.none)
		x.do(Scatter, k, x.none)
		if all == 0 {
			all = z
		} else {
			all = BuildJoin(o.B, z, all)
		}
	}
	return last(o, shaped(o.B, all, o.OperandType(o.Operands()-1)))
}

// A part is what a transfer reads or writes, as a vector that has each dimension of memory at most once.
type part struct {
	o        *derive.Op
	t        ir.Type
	attr     ir.Attr
	at, mask []ir.Value
	memory   ir.Value
	to       []int // of each lane of the op's vector, the lane here
	lanes    int
}

func partOf(o *derive.Op, vector ir.Type, shadow ir.Value, indices, mask []ir.Value) *part {
	c := o.B.Ctx()
	x := transferOf(c, o.Attr, vector)
	m := *expr.MapOf(c, c.Get(o.Attr, "permutation_map"))
	p := &part{o: o, at: indices, mask: mask, memory: shadow}
	var shape []int64
	var results []*expr.Expr
	var inside []ir.Attr
	var kept []int
	for i, d := range x.dims {
		if d != nowhere {
			shape, results, kept = append(shape, x.shape[i]), append(results, m.Results[i]), append(kept, i)
			inside = append(inside, c.AttrInfo(c.Get(o.Attr, "in_bounds")).List[i])
		}
	}
	m.Results = results
	p.attr = c.With(c.With(o.Attr, "permutation_map", m.Attr(c)), "in_bounds", c.ArrayAttr(inside...))
	// The elements of memory may be vectors themselves.
	whole := shapeOf(c, vector)
	for i := len(x.dims); i < len(whole); i++ {
		shape, kept = append(shape, whole[i]), append(kept, i)
	}
	p.t, p.lanes = c.Vector(shape, c.ElemOrSelf(vector)), count(shape)
	strides := stridesOf(shape)
	p.to = make([]int, count(whole))
	points(whole, func(lane int, at []int) {
		for k, d := range kept {
			p.to[lane] += at[d] * strides[k]
		}
	})
	return p
}

// segments says how many operands are what.
func (p *part) segments(n ...int64) ir.Attr {
	return p.o.B.Ctx().With(p.attr, "operandSegmentSizes", p.o.B.Ctx().DenseArray(ir.I32, n...))
}

// read reads the part, with a number where it is out of bounds.
func (p *part) read(padding float64) ir.Value {
	elem := p.o.B.Ctx().Info(p.o.B.Graph().Type(p.memory)).Elem
	args := append(append([]ir.Value{p.memory}, p.at...), p.o.B.Splat(elem, ir.FloatToBits(padding, p.o.B.Ctx().ElemOrSelf(elem))))
	return p.o.B.Must(ir.Call{Def: TransferRead, Attr: p.segments(1, int64(len(p.at)), 1, int64(len(p.mask))), Args: append(args, p.mask...), Type: p.t})
}

// write writes it.
func (p *part) write(v ir.Value) {
	args := append(append([]ir.Value{v, p.memory}, p.at...), p.mask...)
	p.o.B.OpAttr(TransferWrite, p.segments(1, 1, int64(len(p.at)), int64(len(p.mask))), args...)
}

func transferReadBack(o *derive.Op, shadow, z ir.Value) []ir.Value {
	seg := o.B.Ctx().Ints(o.B.Ctx().Get(o.Attr, "operandSegmentSizes"))
	pad := int(seg[0] + seg[1])
	p := partOf(o, o.Type, shadow, between(o, 1, pad), between(o, pad+1, o.Operands()))
	zs := added(o.B, flat(o.B, z), p.to, p.lanes)
	old, other := p.read(0), ir.Value(0)
	if o.Active(pad) {
		other = p.read(1)
	}
	p.write(sumOf(o, old, shaped(o.B, zs, p.t)))
	if other == 0 {
		return nil
	}
	// What lies out of bounds differs with the padding.
	out := arith.CmpF(o.B, arith.ONE, flat(o.B, old), flat(o.B, other))
	out = arith.Choose(o.B, out, zs, arith.Zero(o.B, o.B.Graph().Type(zs)))
	sum := make([]ir.Value, o.Operands())
	elem := o.OperandType(pad)
	n := count(shapeOf(o.B.Ctx(), elem))
	to := make([]int, p.lanes)
	for lane := range to {
		to[lane] = lane % n
	}
	sum[pad] = shaped(o.B, added(o.B, out, to, n), elem)
	return sum
}

func transferWriteBack(o *derive.Op, shadow, _ ir.Value) []ir.Value {
	seg := o.B.Ctx().Ints(o.B.Ctx().Get(o.Attr, "operandSegmentSizes"))
	end := int(seg[0] + seg[1] + seg[2])
	p := partOf(o, o.OperandType(0), shadow, between(o, 2, end), between(o, end, o.Operands()))
	z := p.read(0)
	p.write(arith.Zero(o.B, p.t))
	return []ir.Value{z}
}
