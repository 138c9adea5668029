package vector

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/lower"
)

// lowerings: at level vector what is left moves lanes, multiplies and adds, reduces one dimension, or is
// an access that a machine has. Vectors of several dimensions are taken as their lanes, in row-major
// order: shape_cast and shuffle make of them what each step of a sum needs.
var lowerings = lower.Table{
	{Level: "vector", New: func(e *lower.Env) ir.Rules { return limits{int64(straight.In(e))}.rules() }, Options: []lower.Option{straight.Option},
		Of: []*ir.OpDef{MultiReduction, Contract, OuterProduct, Scan, TransferRead, TransferWrite, MatrixMultiply, Mask, CreateMask, ConstantMask, Step}},
	{Level: "vector", Name: "vector.large", Optional: true, New: func(e *lower.Env) ir.Rules { return limits{int64(straight.In(e))}.largeRules() },
		Of: []*ir.OpDef{Transpose, FlatTranspose, Reduction}, Options: []lower.Option{straight.Option}},
}

var straight = lower.Choice("straight", maxStraight, "how many lanes, in all steps of an op, straight-line code computes or moves; more go through loops")

func (l limits) rules() ir.Rules {
	return ir.Rules{
		MultiReduction: func(m *ir.Mirror, n ir.Node) ir.Value { return l.lowerMulti(m.B, n, m.All(n.Args()), 0) },
		Contract:       func(m *ir.Mirror, n ir.Node) ir.Value { return l.lowerContract(m.B, n, m.All(n.Args()), 0) },
		OuterProduct:   func(m *ir.Mirror, n ir.Node) ir.Value { return lowerOuter(m.B, n, m.All(n.Args()), 0) },
		Scan:           func(m *ir.Mirror, n ir.Node) ir.Value { return l.lowerScan(m.B, n, m.All(n.Args())) },
		TransferRead:   func(m *ir.Mirror, n ir.Node) ir.Value { return l.lowerRead(m.B, n, m.All(n.Args()), 0) },
		TransferWrite:  func(m *ir.Mirror, n ir.Node) ir.Value { return l.lowerWrite(m.B, n, m.All(n.Args()), 0) },
		MatrixMultiply: l.lowerMatrixMultiply,
		Mask:           l.lowerMask, CreateMask: lowerCreateMask, ConstantMask: lowerConstant, Step: lowerConstant,
	}
}

// flat is a vector as its lanes; a scalar is one lane.
func flat(b *ir.Builder, v ir.Value) ir.Value {
	c := b.Ctx()
	t := b.Graph().Type(v)
	info := c.Info(t)
	if info.Kind != ir.KindVector {
		return cast(b, Broadcast, v, c.Vector([]int64{1}, t))
	}
	return cast(b, ShapeCast, v, c.Vector([]int64{int64(count(info.Shape))}, info.Elem))
}

// shaped is the inverse of flat.
func shaped(b *ir.Builder, v ir.Value, t ir.Type) ir.Value {
	if b.Ctx().Info(t).Kind != ir.KindVector {
		return b.OpAttr(Extract, positionAttr(b.Ctx(), 0), v)
	}
	return cast(b, ShapeCast, v, t)
}

// cast makes an op of one operand that gives a type.
func cast(b *ir.Builder, def *ir.OpDef, v ir.Value, t ir.Type) ir.Value {
	if b.Graph().Type(v) == t {
		return v
	}
	return b.Must(ir.Call{Def: def, Args: []ir.Value{v}, Type: t})
}

// take makes a vector of lanes of another, both of one dimension.
func take(b *ir.Builder, v ir.Value, lanes []int) ir.Value {
	c := b.Ctx()
	list := lists.Map(lanes, func(k int) ir.Attr { return c.IntAttr(int64(k), ir.I64) })
	return b.OpAttr(Shuffle, c.Props([]ir.NamedAttr{{Name: "mask", Value: c.ArrayAttr(list...)}}, nil), v, v)
}

// build combines values by a kind.
func (k *kind) build(b *ir.Builder, x, y ir.Value) ir.Value {
	elem := b.Ctx().ElemOrSelf(b.Graph().Type(x))
	switch def := k.op(b.Ctx(), elem); {
	case b.Ctx().IsFloat(elem):
		return arith.Float(b, def, 0, x, y)
	case def == arith.Addi || def == arith.Muli:
		return arith.Int(b, def, 0, x, y)
	default:
		return b.Op(def, x, y)
	}
}

// buildContracted combines the accumulator with a product, as contracted does.
func (k *kind) buildContracted(b *ir.Builder, acc, x, y ir.Value) ir.Value {
	if k.name == "add" && b.Ctx().IsFloat(b.Ctx().ElemOrSelf(b.Graph().Type(x))) {
		return b.Op(FMA, x, y, acc)
	}
	return k.build(b, kinds[1].build(b, x, y), acc)
}

// where is a value, or another one in the lanes that a mask leaves out; without a mask it is the value.
func where(b *ir.Builder, mask, yes, no ir.Value) ir.Value {
	if mask == 0 {
		return yes
	}
	return arith.Choose(b, mask, yes, no)
}

func maskAt(b *ir.Builder, mask ir.Value, lanes []int) ir.Value {
	if mask == 0 {
		return 0
	}
	return take(b, flat(b, mask), lanes)
}

// lowerMulti combines, for each point of the reduced dimensions, what stands there for all lanes of the
// result. What has but one lane is a reduction.
func (l limits) lowerMulti(b *ir.Builder, n ir.Node, args []ir.Value, mask ir.Value) ir.Value {
	c, g := b.Ctx(), b.Graph()
	s, k := multiSpace(shapeOf(c, g.Type(args[0])), intsOf(c, n.Attr("reduction_dims"))), kindOf(c, n.Attrs())
	src := flat(b, args[0])
	if len(s.parallel) == 0 {
		return l.lowerReduction(b, k, src, args[1], mask)
	}
	acc := flat(b, args[1])
	if l.large(s) {
		return shaped(b, l.loops(b, s, acc, s.masked(mask, operand{src, s.all()}), func(acc ir.Value, xs []ir.Value) ir.Value {
			return where(b, optional(xs, 1), k.build(b, xs[0], acc), acc)
		}), n.Type())
	}
	for r := range count(s.reduced()) {
		lanes := s.lanes(s.all(), r)
		acc = where(b, maskAt(b, mask, lanes), k.build(b, take(b, src, lanes), acc), acc)
	}
	return shaped(b, acc, n.Type())
}

// lowerReduction reduces lanes, those left out by a mask as if they were neutral; acc may be 0.
func (l limits) lowerReduction(b *ir.Builder, k *kind, v, acc, mask ir.Value) ir.Value {
	c := b.Ctx()
	if mask != 0 {
		t := b.Graph().Type(v)
		elem := c.ElemOrSelf(t)
		v = where(b, flat(b, mask), v, b.Splat(t, k.neutral(c, elem).Bits))
	}
	args := []ir.Value{v}
	if acc != 0 {
		args = append(args, acc)
	}
	attr := c.Props([]ir.NamedAttr{{Name: "kind", Value: kindAttr(c, k.name)}, {Name: "fastmath", Value: elementwise.FastMathAttr(c, 0)}}, nil)
	if out := l.inOrder(b, attr, args); out != 0 {
		return out
	}
	return b.OpAttr(Reduction, attr, args...)
}

// lowerContract multiplies, for each point of the reduced dimensions, what stands there for all lanes of
// the result.
func (l limits) lowerContract(b *ir.Builder, n ir.Node, args []ir.Value, mask ir.Value) ir.Value {
	c, g := b.Ctx(), b.Graph()
	s, k := contractionOf(c, n.Attrs(), g.Type(args[0]), g.Type(args[1])), kindOf(c, n.Attrs())
	elem := c.ElemOrSelf(n.Type())
	lhs, rhs, acc := widen(b, flat(b, args[0]), elem), widen(b, flat(b, args[1]), elem), flat(b, args[2])
	if l.large(s.space) {
		return shaped(b, l.loops(b, s.space, acc, s.masked(mask, operand{lhs, s.lhs}, operand{rhs, s.rhs}), func(acc ir.Value, xs []ir.Value) ir.Value {
			return where(b, optional(xs, 2), k.buildContracted(b, acc, xs[0], xs[1]), acc)
		}), n.Type())
	}
	at := s.at()
	for r := range count(s.reduced()) {
		points := s.lanes(s.all(), r)
		ls, rs := make([]int, len(points)), make([]int, len(points))
		for i, p := range points {
			ls[i], rs[i] = at(p)
		}
		acc = where(b, maskAt(b, mask, points), k.buildContracted(b, acc, take(b, lhs, ls), take(b, rhs, rs)), acc)
	}
	return shaped(b, acc, n.Type())
}

// widen converts lanes to a wider type of elements.
func widen(b *ir.Builder, v ir.Value, elem ir.Type) ir.Value {
	c := b.Ctx()
	t := b.Graph().Type(v)
	if c.ElemOrSelf(t) == elem {
		return v
	}
	def := arith.Extsi
	if c.IsFloat(elem) {
		def = arith.Extf
	}
	return arith.Cast(b, def, v, elementwise.WithElem(c, t, elem))
}

func lowerOuter(b *ir.Builder, n ir.Node, args []ir.Value, mask ir.Value) ir.Value {
	c := b.Ctx()
	lhs, rhs := flat(b, args[0]), flat(b, args[1])
	m, _ := lanes(c, b.Graph().Type(rhs))
	total, _ := lanes(c, n.Type())
	ls, rs := make([]int, total), make([]int, total)
	for i := range total {
		ls[i], rs[i] = i/m, i%m
	}
	x, y := take(b, lhs, ls), take(b, rhs, rs)
	if len(args) == 2 {
		return shaped(b, kinds[1].build(b, x, y), n.Type())
	}
	acc := flat(b, args[2])
	k := kindOf(c, n.Attrs())
	if mask != 0 {
		mask = flat(b, mask)
	}
	return shaped(b, where(b, mask, k.buildContracted(b, acc, x, y), acc), n.Type())
}

// lowerScan goes through the slices of the reduced dimension.
func (l limits) lowerScan(b *ir.Builder, n ir.Node, args []ir.Value) ir.Value {
	c := b.Ctx()
	shape := shapeOf(c, b.Graph().Type(args[0]))
	dim := c.AttrInfo(n.Attr("reduction_dim")).Int
	inclusive := c.AttrInfo(n.Attr("inclusive")).Int != 0
	s, k := multiSpace(shape, []int64{dim}), kindOf(c, n.Attrs())
	if product(shape) > l.straightLine {
		return l.scanned(b, s, k, n, args, inclusive)
	}
	src, acc, out := flat(b, args[0]), flat(b, args[1]), args[0]
	thin := append([]int64(nil), shape...)
	thin[dim] = 1
	slice := c.Vector(thin, c.ElemOrSelf(b.Graph().Type(args[0])))
	var before ir.Value
	for r := range int(shape[dim]) {
		x := take(b, src, s.lanes(s.all(), r))
		switch {
		case r == 0 && inclusive:
			acc = x
		case inclusive:
			acc = k.build(b, acc, x)
		case r > 0:
			acc = k.build(b, acc, before)
		}
		before = x
		offsets := make([]int64, len(shape))
		offsets[dim] = int64(r)
		out = insertSlice(b, shaped(b, acc, slice), out, offsets)
	}
	return b.Pack(out, shaped(b, acc, b.Graph().Type(args[1])))
}

func insertSlice(b *ir.Builder, part, whole ir.Value, offsets []int64) ir.Value {
	c := b.Ctx()
	list := func(ns []int64) ir.Attr {
		out := lists.Map(ns, func(x int64) ir.Attr { return c.IntAttr(x, ir.I64) })
		return c.ArrayAttr(out...)
	}
	ones := make([]int64, len(offsets))
	for i := range ones {
		ones[i] = 1
	}
	return b.OpAttr(InsertStridedSlice, c.Props([]ir.NamedAttr{{Name: "offsets", Value: list(offsets)}, {Name: "strides", Value: list(ones)}}, nil), part, whole)
}

// lowerCreateMask compares, in each dimension, the numbers of the lanes with the operand.
func lowerCreateMask(m *ir.Mirror, n ir.Node) ir.Value {
	b, c := m.B, m.B.Ctx()
	shape := shapeOf(c, n.Type())
	lanes, ok := lanes(c, n.Type())
	if !ok {
		return 0
	}
	var out ir.Value
	for d := range n.Args() {
		at := make(ir.Vector, lanes)
		points(shape, func(i int, p []int) {
			if len(p) > 0 {
				at[i].Bits = uint64(p[d])
			}
		})
		t := c.Vector([]int64{int64(lanes)}, ir.Index)
		set := arith.CmpI(b, arith.SLT, b.Const(t, ir.Val{Ref: at}), cast(b, Broadcast, m.Of(n.Arg(d)), t))
		if out == 0 {
			out = set
		} else {
			out = b.Op(arith.Andi, out, set)
		}
	}
	return shaped(b, out, n.Type())
}

// lowerConstant is the value of an op without operands.
func lowerConstant(m *ir.Mirror, n ir.Node) ir.Value {
	eval := evalStep
	if n.Def() == ConstantMask {
		eval = evalConstantMask
	}
	v, err := eval(ir.CallsOf(n.Graph()).Of(n.Old()), nil)
	if err != nil {
		return 0
	}
	return m.B.Const(n.Type(), v)
}

// lowerMask lowers the op that is masked together with the mask.
func (l limits) lowerMask(m *ir.Mirror, n ir.Node) ir.Value {
	b, g := m.B, n.Graph()
	args := m.All(n.Args())
	v, _ := inner(g, n.Region(0).Old())
	chosen := func(x ir.Value) ir.Value {
		if len(args) == 1 || b.Graph().Type(x) != b.Graph().Type(args[1]) || shapeOf(b.Ctx(), b.Graph().Type(x)) == nil {
			return x
		}
		return arith.Choose(b, args[0], x, args[1])
	}
	if v == 0 || !slices.Contains(maskable, g.Def(v)) {
		ys := m.Body(n.Region(0))
		for i, y := range ys {
			ys[i] = chosen(y)
		}
		return b.Pack(ys...)
	}
	in := g.NodeOf(v)
	operands := m.All(in.Args())
	switch mask := args[0]; in.Def() {
	case Reduction:
		acc := ir.Value(0)
		if len(operands) > 1 {
			acc = operands[1]
		}
		return chosen(l.lowerReduction(b, kindOf(b.Ctx(), in.Attrs()), operands[0], acc, mask))
	case MultiReduction:
		return chosen(l.lowerMulti(b, in, operands, mask))
	case Contract:
		return chosen(l.lowerContract(b, in, operands, mask))
	case OuterProduct:
		return chosen(lowerOuter(b, in, operands, mask))
	case Gather:
		k := len(operands) - 2
		operands[k] = b.Op(arith.Andi, operands[k], mask)
		return chosen(b.OpAttr(Gather, in.Attrs(), operands...))
	case TransferWrite:
		return l.lowerWrite(b, in, operands, mask)
	}
	return chosen(l.lowerRead(b, in, operands, args[0]))
}
