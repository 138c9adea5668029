package tensor

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	dmath "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
)

// specOfOp is that of an einsum that is being differentiated.
func specOfOp(o *derive.Op) *Spec {
	c := o.B.Ctx()
	var shapes [][]int64
	for i := range o.Operands() {
		shapes = append(shapes, Shape(c, o.OperandType(i)))
	}
	s, err := ParseSpec(c.AttrInfo(c.Get(o.Attr, "spec")).Str, shapes...)
	if err != nil {
		panic(err) // it was built
	}
	return s
}

// einsumTangent is the sum of the einsums in which one operand is its tangent.
func einsumTangent(o *derive.Op, d []ir.Value) ir.Value {
	var sum ir.Value
	for i := range d {
		if d[i] == 0 {
			continue
		}
		args := make([]ir.Value, len(d))
		for j := range args {
			if args[j] = d[i]; j != i {
				args[j] = o.X(j)
			}
		}
		term := o.B.Must(ir.Call{Def: Einsum, Args: args, Attr: o.Attr, Type: o.Type, Loc: o.B.Loc})
		if sum == 0 {
			sum = term
		} else {
			sum = plus(o.B, sum, term)
		}
	}
	return sum
}

// einsumBack gives each operand an einsum of the adjoint and the other operands.
func einsumBack(o *derive.Op, z ir.Value) []ir.Value {
	s, out := specOfOp(o), make([]ir.Value, o.Operands())
	for i := range out {
		if o.Active(i) {
			out[i] = factorBack(o, s, i, z)
		}
	}
	return out
}

// factorBack is what operand i gets: sums of products over the indices that it does not have. Along those that it alone has, all
// elements get the same; off a diagonal they get nothing.
func factorBack(o *derive.Op, s *Spec, i int, z ir.Value) ir.Value {
	c := o.B.Ctx()
	elem := Elem(c, o.Type)
	back := &Spec{Names: s.Names, Extents: s.Extents, In: [][]int{s.Out}}
	args := []ir.Value{z}
	for j := range o.Operands() {
		if j != i {
			back.In, args = append(back.In, s.In[j]), append(args, withElem(o.B, o.X(j), elem))
		}
	}
	for _, x := range s.In[i] {
		isElsewhere := slices.ContainsFunc(back.In, func(in []int) bool { return slices.Contains(in, x) })
		if x != Stretched && isElsewhere && !slices.Contains(back.Out, x) {
			back.Out = append(back.Out, x)
		}
	}
	y := guarded(o, back, elem, args)
	shape, own := Shape(c, o.OperandType(i)), make([]int64, len(s.In[i]))
	var diagonal [][2]int
	for d, x := range s.In[i] {
		own[d] = 1
		switch first := slices.Index(s.In[i], x); {
		case x == Stretched || !slices.Contains(back.Out, x) && first == d:
		case first != d:
			diagonal = append(diagonal, [2]int{first, d})
		default:
			own[d] = s.Extents[x]
		}
	}
	y = stretchedTo(o.B, reshaped(o.B, y, own, nil), shape)
	for _, p := range diagonal {
		y = pointwise(o.B, []ir.Value{y, placesAlong(o.B, shape, p[0]), placesAlong(o.B, shape, p[1])}, func(xs []ir.Value) ir.Value {
			on := o.B.OpAttr(arith.Cmpi, arith.PredicateI(c, arith.EQ), xs[1], xs[2])
			return arith.Choose(o.B, on, xs[0], arith.Zero(o.B, elem))
		})
	}
	return withElem(o.B, y, Elem(c, o.OperandType(i)))
}

// guarded is the einsum of an adjoint and factors. If adjoints that are 0 have to give 0, and only then, it matters whether all
// factors are finite: then 0 times each is 0, and the products need no guard.
func guarded(o *derive.Op, s *Spec, elem ir.Type, args []ir.Value) ir.Value {
	plain := func() []ir.Value { return []ir.Value{BuildEinsum(o.B, s, elem, args...)} }
	if !o.Guarded() || len(args) == 1 {
		return plain()[0]
	}
	finite := o.B.Const(ir.I1, ir.Val{Bits: 1})
	for _, x := range args[1:] {
		finite = o.B.Op(arith.Andi, finite, isFinite(o.B, x))
	}
	return o.B.Results(scf.BuildIf(o.B, finite, plain, func() []ir.Value {
		return []ir.Value{BuildEinsum(o.B, &Spec{Names: s.Names, Extents: s.Extents, In: [][]int{all(s)}, Out: s.Out}, elem, guardedTerms(o, s, args))}
	}))[0]
}

// isFinite reports a tensor without infinities and NaN.
func isFinite(b *ir.Builder, x ir.Value) ir.Value {
	c, rank := b.Ctx(), len(Shape(b.Ctx(), b.Graph().Type(x)))
	size := pointwise(b, []ir.Value{x}, func(xs []ir.Value) ir.Value { return b.Op(dmath.Absf, xs[0]) })
	dims := make([]int64, rank)
	for d := range dims {
		dims[d] = int64(d)
	}
	attr := c.With(c.With(0, "kind", c.IntAttr(ByMax, ir.I64)), "dims", Ints(c, dims...))
	most := b.Op(Extract, b.OpAttr(Reduce, attr, size))
	return arith.CmpF(b, arith.OLT, most, arith.ConstFloat(b, b.Graph().Type(most), math.Inf(1)))
}

// all lists the indices of a spec.
func all(s *Spec) (out []int) {
	for x := range s.Names {
		if slices.ContainsFunc(s.In, func(in []int) bool { return slices.Contains(in, x) }) {
			out = append(out, x)
		}
	}
	return out
}

// guardedTerms are the products at all places, and 0 where the first factor is.
func guardedTerms(o *derive.Op, s *Spec, args []ir.Value) ir.Value {
	indices := all(s)
	placed := make([]ir.Value, len(args))
	for k, x := range args {
		// Diagonals and the order of the dimensions are an einsum's; stretched dimensions have one element.
		one := &Spec{Names: s.Names, Extents: s.Extents, In: [][]int{s.In[k]}}
		own := make([]int64, len(indices))
		for d, i := range indices {
			if own[d] = 1; slices.Contains(s.In[k], i) {
				one.Out, own[d] = append(one.Out, i), s.Extents[i]
			}
		}
		if slices.Contains(s.In[k], Stretched) {
			var shape []int64
			in := slices.DeleteFunc(slices.Clone(s.In[k]), func(i int) bool { return i == Stretched })
			for _, i := range in {
				shape = append(shape, s.Extents[i])
			}
			x, one.In = reshaped(o.B, x, shape, nil), [][]int{in}
		}
		placed[k] = reshaped(o.B, BuildEinsum(o.B, one, Elem(o.B.Ctx(), o.B.Graph().Type(x)), x), own, nil)
	}
	return pointwise(o.B, placed, func(xs []ir.Value) ir.Value {
		y := xs[0]
		for _, x := range xs[1:] {
			y = times(o.B, y, x)
		}
		zero := arith.Zero(o.B, o.B.Graph().Type(y))
		return arith.Choose(o.B, arith.CmpF(o.B, arith.OEQ, xs[0], zero), zero, y)
	})
}
