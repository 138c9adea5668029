package vector

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
)

// derivatives of ops on vectors: moves of lanes, which are linear; sums and products of lanes (derivefold.go); and accesses
// to memory (deriveaccess.go).
var derivatives = append(derive.Table{
	moves(Broadcast, "d broadcast(x) = broadcast(dx)"),
	moves(Splat, "d splat(x) = splat(dx)"),
	moves(FromElements, "d from_elements(x, ...) = from_elements(dx, ...)"),
	moves(ShapeCast, "d shape_cast(x) = shape_cast(dx)"),
	moves(Shuffle, "d shuffle(x, y) = shuffle(dx, dy)"),
	moves(Transpose, "d transpose(x) = transpose(dx)"),
	moves(ExtractStridedSlice, "d extract_strided_slice(x) = extract_strided_slice(dx)"),
	moves(InsertStridedSlice, "d insert_strided_slice(x, y) = insert_strided_slice(dx, dy)"),
	moves(Interleave, "d interleave(x, y) = interleave(dx, dy)"),
	moves(FlatTranspose, "d flat_transpose(x) = flat_transpose(dx)"),
	{Of: Extract, Says: "d extract(x, i) = extract(dx, i)", Tangent: sameOfTangents(Extract), Transpose: inserted(Insert)},
	{Of: ExtractElement, Says: "d extractelement(x, i) = extractelement(dx, i)", Tangent: sameOfTangents(ExtractElement), Transpose: inserted(InsertElement)},
	{Of: Insert, Says: "d insert(x, y, i) = insert(dx, dy, i)", Tangent: sameOfTangents(Insert), Transpose: extracted(Insert, Extract)},
	{Of: InsertElement, Says: "d insertelement(x, y, i) = insertelement(dx, dy, i)", Tangent: sameOfTangents(InsertElement), Transpose: extracted(InsertElement, ExtractElement)},
	{Of: FMA, Says: "d(a b + c) = b da + a db + dc", Partials: []derive.Partial{
		func(o *derive.Op) ir.Value { return o.X(1) },
		func(o *derive.Op) ir.Value { return o.X(0) },
		func(o *derive.Op) ir.Value { return ones(o.B, o.Type) },
	}},
	combines(Reduction, "d reduction(x, a) = by the rule of what combines, lane after lane; of a sum reduction(dx, da)"),
	combines(MultiReduction, "d multi_reduction(x, a) = by the rule of what combines; of a sum multi_reduction(dx, da)"),
	combines(Contract, "d contract(x, y, a) = contract(dx, y, 0) + contract(x, dy, da), where products are added up"),
	combines(OuterProduct, "d outerproduct(x, y, a) = outerproduct(dx, y) + outerproduct(x, dy) + da, where products are added up"),
	combines(MatrixMultiply, "d matrix_multiply(x, y) = matrix_multiply(dx, y) + matrix_multiply(x, dy)"),
}, accessRules...)

// noDerivative are ops without rules.
var noDerivative = derive.Without{Bitcast: derive.Bits, Print: derive.Effect}

// ones has 1 in each lane.
func ones(b *ir.Builder, t ir.Type) ir.Value {
	return b.Splat(t, ir.FloatToBits(1, b.Ctx().ElemOrSelf(t)))
}

// sameOfTangents is the op itself, of tangents in the place of floats.
func sameOfTangents(of *ir.OpDef) func(o *derive.Op, d []ir.Value) ir.Value {
	return func(o *derive.Op, d []ir.Value) ir.Value {
		args := make([]ir.Value, len(d))
		for i, x := range d {
			switch t := o.OperandType(i); {
			case x != 0:
				args[i] = x
			case o.B.Ctx().IsFloat(o.B.Ctx().ElemOrSelf(t)):
				args[i] = arith.Zero(o.B, t)
			default:
				args[i] = o.X(i)
			}
		}
		return o.B.Must(ir.Call{Def: of, Args: args, Attr: o.Attr, Type: o.Type})
	}
}

// moves is the rule of an op that only moves lanes: the adjoint of each lane goes where the lane came from.
func moves(of *ir.OpDef, says string) *derive.Rule {
	return &derive.Rule{Of: of, Says: says, Tangent: sameOfTangents(of), Transpose: func(o *derive.Op, z ir.Value) []ir.Value {
		m := &move{c: o.B.Ctx(), attr: o.Attr, out: []ir.Type{o.Type}}
		for i := range o.Operands() {
			m.in = append(m.in, o.OperandType(i))
		}
		from, ok := m.all(movers[of])
		if !ok {
			panic("a vector of a known shape has lanes")
		}
		n, _ := lanes(m.c, o.Type)
		out, first := make([]ir.Value, len(m.in)), 0
		for i, t := range m.in {
			if k := m.lanes(i); o.Active(i) {
				to := make([]int, n)
				for lane := range to {
					if to[lane] = from[0](lane) - first; to[lane] < 0 || to[lane] >= k {
						to[lane] = nowhere
					}
				}
				out[i] = shaped(o.B, added(o.B, flat(o.B, z), to, k), t)
			}
			first += m.lanes(i)
		}
		return out
	}}
}

// added is a vector of n lanes to which each lane of another is added at a place, or nowhere.
func added(b *ir.Builder, v ir.Value, to []int, n int) ir.Value {
	elem := b.Ctx().ElemOrSelf(b.Graph().Type(v))
	if n == 1 { // it is a sum
		var some []int
		for lane, k := range to {
			if k == 0 {
				some = append(some, lane)
			}
		}
		if len(some) > 1 {
			return flat(b, BuildReduction(b, arith.Addf, arith.Reassoc, take(b, v, some), arith.Zero(b, elem)))
		}
	}
	// Shuffles take one lane to each place, as long as there is one: lane len(to) is a zero.
	none := arith.Zero(b, b.Ctx().Vector([]int64{int64(len(to))}, elem))
	var sum ir.Value
	for rest := append([]int(nil), to...); ; {
		from, any := make([]int, n), false
		for k := range from {
			from[k] = len(to)
		}
		for lane, k := range rest {
			if k != nowhere && from[k] == len(to) {
				from[k], rest[lane], any = lane, nowhere, true
			}
		}
		switch part := BuildShuffle(b, v, none, from); {
		case sum == 0:
			sum = part
		case !any:
			return sum
		default:
			sum = arith.Float(b, arith.Addf, arith.Reassoc, sum, part)
		}
	}
}

// inserted is the transpose of an op that reads at a place: its adjoint stands there, among zeros.
func inserted(insert *ir.OpDef) func(o *derive.Op, z ir.Value) []ir.Value {
	return func(o *derive.Op, z ir.Value) []ir.Value {
		args := append([]ir.Value{z, arith.Zero(o.B, o.OperandType(0))}, places(o, 1)...)
		out := make([]ir.Value, o.Operands())
		out[0] = o.B.OpAttr(insert, o.Attr, args...)
		return out
	}
}

// extracted is the transpose of an op that replaces what stands at a place: that gets the adjoint there, and the rest all others.
func extracted(insert, extract *ir.OpDef) func(o *derive.Op, z ir.Value) []ir.Value {
	return func(o *derive.Op, z ir.Value) []ir.Value {
		at := places(o, 2)
		out := make([]ir.Value, o.Operands())
		if o.Active(0) {
			out[0] = o.B.Must(ir.Call{Def: extract, Attr: o.Attr, Args: append([]ir.Value{z}, at...), Type: o.OperandType(0)})
		}
		if o.Active(1) {
			out[1] = o.B.OpAttr(insert, o.Attr, append([]ir.Value{arith.Zero(o.B, o.OperandType(0)), z}, at...)...)
		}
		return out
	}
}

// places are the operands that say where, from one on.
func places(o *derive.Op, first int) []ir.Value { return between(o, first, o.Operands()) }
