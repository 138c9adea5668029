package tensors

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
)

// under gives elements another shape, if there are as many.
func under(o *interp.Op, out []ir.Val, a array, shape []int64) error {
	if _, n, ok := strided.RowMajor(shape); !ok || n != int64(len(a.elems)) {
		return ir.Trapf("%d elements under the shape %v", len(a.elems), shape)
	}
	array{shape, a.elems}.give(o, out)
	return nil
}

func runCast(_ *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error {
	if to := o.G.Ctx.Info(o.G.Type(o.V)).Shape; !compatible(a.shape, to) {
		return ir.Trapf("tensor.cast of a tensor of shape %v to another one", a.shape)
	}
	a.give(o, out)
	return nil
}

func runExpand(_ *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error {
	shape, err := shapeOf(o, args[1:])
	if err != nil {
		return err
	}
	gs, _ := groups(o.G.Ctx, o.G.Attr(o.V, "reassociation"), len(shape))
	for d, g := range gs {
		n := int64(1)
		for _, k := range g {
			n = ir.Times(n, shape[k])
		}
		if n != a.shape[d] {
			return ir.Trapf("dimension %d is %d, and is to be expanded to %d", d, a.shape[d], n)
		}
	}
	return under(o, out, a, shape)
}

func runCollapse(_ *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error {
	gs, _ := groups(o.G.Ctx, o.G.Attr(o.V, "reassociation"), len(a.shape))
	shape := make([]int64, len(gs))
	for d, g := range gs {
		shape[d] = 1
		for _, k := range g {
			shape[d] *= a.shape[k]
		}
	}
	return under(o, out, a, shape)
}

func runReshape(_ *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error {
	s, err := at(o, args, 1)
	if err != nil {
		return err
	}
	elem := o.G.Ctx.Info(o.Call.ArgType(1)).Elem
	shape := make([]int64, len(s.elems))
	for d, n := range s.elems {
		if n.Ref != nil {
			return ir.Trapf("the extent of dimension %d is poison", d)
		}
		shape[d] = n.Int(o.G.Ctx.Info(elem).Width)
	}
	if to := o.G.Ctx.Info(o.G.Type(o.V)).Shape; !compatible(shape, to) {
		return ir.Trapf("tensor.reshape to %v, which its type is not", shape)
	}
	return under(o, out, a, shape)
}

func runDim(_ *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error {
	d, err := interp.Index(args[1])
	if err != nil {
		return err
	}
	if d < 0 || d >= int64(len(a.shape)) {
		return ir.Trapf("tensor.dim %d of a tensor of rank %d", d, len(a.shape))
	}
	out[0] = ir.Val{Bits: uint64(a.shape[d])}
	return nil
}

func runRank(_ *interp.Machine, o *interp.Op, _, out []ir.Val) error {
	out[0] = ir.Val{Bits: uint64(len(o.G.Ctx.Info(o.Call.ArgType(0)).Shape))}
	return nil
}
