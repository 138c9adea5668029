package tensor

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
	"github.com/irc-lang/irc/ir/lists"
)

// derivatives of ops on tensors of known extents. An adjoint of a tensor is a tensor. What a rule says is for whole tensors, so
// that products stay products; ops without a rule have one as loops.
var derivatives = derive.Table{
	{Of: Einsum, Says: "d einsum(x, y, ...) = einsum(dx, y, ...) + einsum(x, dy, ...) + ...", Tangent: einsumTangent, Transpose: einsumBack},
	{Of: Map, Says: "d map(f; x, ...) = map(df; x, ..., dx, ...)", Map: mapAgain, Transpose: mapBack},
	{Of: Transpose, Says: "d transpose(x) = transpose(dx)", Tangent: ofTangents(Transpose), Transpose: func(o *derive.Op, z ir.Value) []ir.Value {
		order := o.B.Ctx().Ints(o.B.Ctx().Get(o.Attr, "perm"))
		back := make([]int64, len(order))
		for i, d := range order {
			back[d] = int64(i)
		}
		return []ir.Value{BuildTranspose(o.B, z, back...)}
	}},
	{Of: Reshape, Says: "d reshape(x) = reshape(dx)", Tangent: ofTangents(Reshape), Transpose: func(o *derive.Op, z ir.Value) []ir.Value {
		return []ir.Value{reshaped(o.B, z, Shape(o.B.Ctx(), o.OperandType(0)), nil)}
	}},
	{Of: Fill, Says: "d fill(x) = fill(dx)", Tangent: ofTangents(Fill), Transpose: func(o *derive.Op, z ir.Value) []ir.Value {
		return []ir.Value{o.B.Op(Extract, sumTo(o.B, z, nil))}
	}},
	{Of: Extract, Says: "d extract(x, i, ...) = extract(dx, i, ...)", Tangent: ofTangents(Extract), Transpose: extractBack},
	{Of: Slice, Says: "d slice(x) = slice(dx), where starts are constants", Tangent: ofTangents(Slice), Transpose: sliceBack, Only: isConstantSlice},
	{Of: Pad, Says: "d pad(x, v) = pad(dx, dv)", Tangent: ofTangents(Pad), Transpose: padBack},
	{Of: Concat, Says: "d concat(x, ...) = concat(dx, ...)", Tangent: ofTangents(Concat), Transpose: concatBack},
	{Of: Softmax, Says: "y = softmax(x): dy = y (dx - sum(y dx))", Tangent: func(o *derive.Op, d []ir.Value) ir.Value { return softmaxBack(o, d[0]) },
		Transpose: func(o *derive.Op, z ir.Value) []ir.Value { return []ir.Value{softmaxBack(o, z)} }},
	{Of: LogSumExp, Says: "d logsumexp(x) = sum(softmax(x) dx)", Tangent: logSumExpTangent, Transpose: logSumExpBack},
	{Of: LayerNorm, Says: "y = layer_norm(x, s, b), n = (x - mean) r: dy = s r (dx - mean(dx) - n mean(n dx)) + n ds + db", Tangent: layerNormTangent, Transpose: layerNormBack},
	{Of: Pack, Says: "reads: the adjoint is added to the shadow", Back: func(o *derive.Op, shadow, z ir.Value) []ir.Value {
		o.B.Op(Write, arith.Float(o.B, arith.Addf, smooth, z, o.B.Op(Pack, shadow)), shadow)
		return nil
	}},
	{Of: Write, Says: "writes: the adjoint is taken from the shadow", Back: func(o *derive.Op, shadow, _ ir.Value) []ir.Value {
		z := o.B.Op(Pack, shadow)
		o.B.Op(Write, arith.Zero(o.B, o.OperandType(0)), shadow)
		return []ir.Value{z, 0}
	}},
}

// noDerivative are ops without rules, as far as they are of floats.
var noDerivative = derive.Without{Argmax: derive.Steps, Iota: derive.Steps, Dim: derive.Steps, Reduce: derive.Loops, Conv: derive.Loops, Pool: derive.Loops, Extend: derive.Loops,
	Gather: derive.Loops, GatherElements: derive.Loops, Scatter: derive.Loops, ScatterElements: derive.Loops, Relu: derive.Loops, Gelu: derive.Loops, Unpack: derive.Loops}

// accesses: a pack reads all of a memory, and a write writes it.
var accesses = ir.Interface[ir.AccessLike]{
	Pack: func(n ir.Node) ir.AccessLike {
		return ir.AccessLike{Accesses: []ir.Access{{Memory: n.Arg(0).Old(), Reads: true}}}
	},
	Write: func(n ir.Node) ir.AccessLike {
		return ir.AccessLike{Accesses: []ir.Access{{Memory: n.Arg(1).Old(), Writes: true, Stored: n.Arg(0).Old()}}}
	},
}

// smooth is what licences the arithmetic of derivatives has: it stands for real numbers.
const smooth = arith.Contract | arith.Nsz | arith.Reassoc

// ofTangents is the op itself, of tangents in the place of floats.
func ofTangents(of *ir.OpDef) func(o *derive.Op, d []ir.Value) ir.Value {
	return func(o *derive.Op, d []ir.Value) ir.Value {
		c, args := o.B.Ctx(), make([]ir.Value, o.Operands())
		for i := range args {
			switch t := o.OperandType(i); {
			case d[i] != 0:
				args[i] = d[i]
			case c.IsFloat(c.ElemOrSelf(t)):
				args[i] = arith.Zero(o.B, t)
			default:
				args[i] = o.X(i)
			}
		}
		return o.B.Must(ir.Call{Def: of, Args: args, Attr: o.Attr, Type: o.Type, Loc: o.B.Loc})
	}
}

// withElem is a tensor with its elements in another type of floats.
func withElem(b *ir.Builder, x ir.Value, elem ir.Type) ir.Value {
	c := b.Ctx()
	from := Elem(c, b.Graph().Type(x))
	if from == elem {
		return x
	}
	return BuildMap(b, c.Tensor(Shape(c, b.Graph().Type(x)), elem), []ir.Value{x}, func(xs []ir.Value) ir.Value {
		if c.ElemSize(from) < c.ElemSize(elem) {
			return arith.Cast(b, arith.Extf, xs[0], elem)
		}
		return arith.Cast(b, arith.Truncf, xs[0], elem)
	})
}

// pointwise is a map of floats of one type.
func pointwise(b *ir.Builder, args []ir.Value, body func(xs []ir.Value) ir.Value) ir.Value {
	c := b.Ctx()
	shape, _, _, _ := Broadcast(lists.Map(args, func(x ir.Value) []int64 { return Shape(c, b.Graph().Type(x)) })...)
	return BuildMap(b, c.Tensor(shape, Elem(c, b.Graph().Type(args[0]))), args, body)
}

func times(b *ir.Builder, x, y ir.Value) ir.Value { return arith.Float(b, arith.Mulf, smooth, x, y) }
func plus(b *ir.Builder, x, y ir.Value) ir.Value  { return arith.Float(b, arith.Addf, smooth, x, y) }
func minus(b *ir.Builder, x, y ir.Value) ir.Value { return arith.Float(b, arith.Subf, smooth, x, y) }

// sumTo is the sum of a tensor over all dimensions but some.
func sumTo(b *ir.Builder, x ir.Value, keep []int) ir.Value {
	c := b.Ctx()
	info := c.Info(b.Graph().Type(x))
	s := &Spec{Extents: info.Shape, In: [][]int{nil}, Out: keep}
	for d := range info.Shape {
		s.Names, s.In[0] = append(s.Names, letter(d)), append(s.In[0], d)
	}
	if len(keep) == len(info.Shape) {
		return x
	}
	return BuildEinsum(b, s, info.Elem, x)
}

// unstretched is an adjoint at all places of what tensors are stretched to, for one of a shape: the sum over the places of each element.
func unstretched(b *ir.Builder, z ir.Value, shape []int64) ir.Value {
	all := Shape(b.Ctx(), b.Graph().Type(z))
	var keep []int
	for d, n := range shape {
		if at := len(all) - len(shape) + d; n == all[at] {
			keep = append(keep, at)
		}
	}
	return reshaped(b, sumTo(b, z, keep), shape, nil)
}

// stretchedTo is a tensor at all places of a shape.
func stretchedTo(b *ir.Builder, x ir.Value, shape []int64) ir.Value {
	c := b.Ctx()
	if slices.Equal(Shape(c, b.Graph().Type(x)), shape) {
		return x
	}
	zero := arith.Zero(b, c.Tensor(shape, Elem(c, b.Graph().Type(x))))
	return pointwise(b, []ir.Value{x, zero}, func(xs []ir.Value) ir.Value { return xs[0] })
}

// withDim is a tensor with one more dimension, of extent 1.
func withDim(b *ir.Builder, x ir.Value, d int) ir.Value {
	return reshaped(b, x, slices.Insert(slices.Clone(Shape(b.Ctx(), b.Graph().Type(x))), d, 1), nil)
}

func mapAgain(o *derive.Op, more []ir.Value, body func(xs []ir.Value) ir.Value) ir.Value {
	var args []ir.Value
	for i := range o.Operands() {
		args = append(args, o.X(i))
	}
	args = append(args, more...)
	params := lists.Map(args, func(a ir.Value) ir.Type { return Elem(o.B.Ctx(), o.B.Graph().Type(a)) })
	r := o.B.Region(ir.Loop, params, func(xs []ir.Value) {
		o.B.Enter(Map, 0, args, 0, xs)
		o.B.Op(Yield, body(xs))
	})
	return o.B.Must(ir.Call{Def: Map, Args: args, Regions: []ir.Region{r}, Loc: o.B.Loc})
}

func mapBack(o *derive.Op, z ir.Value) []ir.Value {
	out := make([]ir.Value, o.Operands())
	for i := range out {
		out[i] = unstretched(o.B, z, Shape(o.B.Ctx(), o.OperandType(i)))
	}
	return out
}

// extractBack: zeros, and the adjoint at the element.
func extractBack(o *derive.Op, z ir.Value) []ir.Value {
	c := o.B.Ctx()
	out, shape := make([]ir.Value, o.Operands()), Shape(c, o.OperandType(0))
	number := func(x ir.Value) ir.Value {
		return o.B.Must(ir.Call{Def: Fill, Args: []ir.Value{x}, Type: c.Tensor([]int64{}, o.B.Graph().Type(x)), Loc: o.B.Loc})
	}
	args := []ir.Value{number(z)}
	for d := range shape {
		args = append(args, placesAlong(o.B, shape, d), number(o.X(1+d)))
	}
	out[0] = pointwise(o.B, args, func(xs []ir.Value) ir.Value {
		y := xs[0]
		for d := range shape {
			here := o.B.OpAttr(arith.Cmpi, arith.PredicateI(c, arith.EQ), xs[1+2*d], xs[2+2*d])
			y = arith.Choose(o.B, here, y, arith.Zero(o.B, o.Type))
		}
		return y
	})
	return out
}

// placesAlong are the places along a dimension of a shape, stretched along the others.
func placesAlong(b *ir.Builder, shape []int64, d int) ir.Value {
	c, own := b.Ctx(), slices.Repeat([]int64{1}, len(shape))
	own[d] = shape[d]
	return b.Must(ir.Call{Def: Iota, Attr: c.With(0, "dim", c.IntAttr(int64(d), ir.I64)), Type: c.Tensor(own, ir.Index), Loc: b.Loc})
}

// isConstantSlice reports one whose starts are constants.
func isConstantSlice(n ir.Node) bool {
	g := n.Graph()
	return !slices.ContainsFunc(n.Args()[1:], func(x ir.Node) bool { _, ok := g.Const(x.Old()); return !ok })
}

func sliceBack(o *derive.Op, z ir.Value) []ir.Value {
	c, out := o.B.Ctx(), make([]ir.Value, o.Operands())
	to, steps := Shape(c, o.Type), c.Ints(c.Get(o.Attr, "steps"))
	if slices.Contains(to, 0) {
		out[0] = arith.Zero(o.B, o.OperandType(0))
		return out
	}
	var low, high []int64
	for d, n := range Shape(c, o.OperandType(0)) {
		start, _ := o.B.Graph().Const(o.X(1 + d))
		z = spread(o.B, z, d, steps[d])
		low = append(low, int64(start.Bits))
		high = append(high, n-low[d]-Shape(c, o.B.Graph().Type(z))[d])
	}
	out[0] = padded0(o.B, z, low, high)
	return out
}

// spread is a tensor with step-1 zeros between the elements of a dimension.
func spread(b *ir.Builder, x ir.Value, d int, step int64) ir.Value {
	shape := slices.Clone(Shape(b.Ctx(), b.Graph().Type(x)))
	if step == 1 || shape[d] == 1 {
		return x
	}
	high := make([]int64, len(shape)+1)
	high[d+1] = step - 1
	x = padded0(b, withDim(b, x, d+1), make([]int64, len(high)), high)
	apart, last := slices.Clone(shape), slices.Clone(shape)
	apart[d] *= step
	last[d] = apart[d] - (step - 1)
	return part(b, reshaped(b, x, apart, nil), make([]int64, len(shape)), last)
}

// padded0 is a tensor with zeros around.
func padded0(b *ir.Builder, x ir.Value, low, high []int64) ir.Value {
	c := b.Ctx()
	attr := c.With(c.With(0, "low", Ints(c, low...)), "high", Ints(c, high...))
	return b.OpAttr(Pad, attr, x, arith.Zero(b, Elem(c, b.Graph().Type(x))))
}

// part is a tensor of a shape, from some indices on.
func part(b *ir.Builder, x ir.Value, from, shape []int64) ir.Value {
	c := b.Ctx()
	attr := c.With(0, "steps", Ints(c, slices.Repeat([]int64{1}, len(shape))...))
	attr = c.With(attr, "operandSegmentSizes", c.DenseArray(ir.I32, 1, int64(len(shape)), 0))
	args := append([]ir.Value{x}, lists.Map(from, b.Index)...)
	return b.Must(ir.Call{Def: Slice, Args: args, Attr: attr, Type: c.Tensor(shape, Elem(c, b.Graph().Type(x))), Loc: b.Loc})
}

func padBack(o *derive.Op, z ir.Value) []ir.Value {
	c := o.B.Ctx()
	inside := part(o.B, z, c.Ints(c.Get(o.Attr, "low")), Shape(c, o.OperandType(0)))
	if !o.Active(1) {
		return []ir.Value{inside, 0}
	}
	// All but what is inside.
	ones := o.B.Splat(o.OperandType(0), ir.FloatToBits(1, Elem(c, o.Type)))
	is := padded0(o.B, ones, c.Ints(c.Get(o.Attr, "low")), c.Ints(c.Get(o.Attr, "high")))
	rim := pointwise(o.B, []ir.Value{z, is}, func(xs []ir.Value) ir.Value {
		zero := arith.Zero(o.B, Elem(c, o.Type))
		return arith.Choose(o.B, arith.CmpF(o.B, arith.OEQ, xs[1], zero), xs[0], zero)
	})
	return []ir.Value{inside, o.B.Op(Extract, sumTo(o.B, rim, nil))}
}

func concatBack(o *derive.Op, z ir.Value) []ir.Value {
	c, out := o.B.Ctx(), make([]ir.Value, o.Operands())
	dim, from := c.AttrInfo(c.Get(o.Attr, "dim")).Int, make([]int64, len(Shape(c, o.Type)))
	for i := range out {
		shape := Shape(c, o.OperandType(i))
		out[i] = part(o.B, z, slices.Clone(from), shape)
		from[dim] += shape[dim]
	}
	return out
}
