package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

func evalDim(c *ir.Call, a []ir.Val) (ir.Val, error) {
	shape, _, err := c.Ctx().TensorOf(c.ArgType(0), a[0])
	if err != nil {
		return ir.Val{}, err
	}
	return ir.IntVal(shape[c.Ctx().AttrInfo(c.Get("dim")).Int], 64), nil
}

func evalExtract(c *ir.Call, a []ir.Val) (ir.Val, error) {
	x, err := arrayOf(c, a[0], c.ArgType(0))
	if err != nil {
		return ir.Val{}, err
	}
	at := int64(0)
	for d, v := range a[1:] {
		i, err := interp.Index(v)
		if err != nil {
			return ir.Val{}, err
		}
		if i < 0 || i >= x.shape[d] {
			return ir.Val{}, ir.Trapf("index %d outside of dimension %d of extent %d", i, d, x.shape[d])
		}
		at += i * x.strides[d]
	}
	return x.at(at), nil
}

func evalPack(c *ir.Call, a []ir.Val) (ir.Val, error) {
	if r, err := interp.AsMemRef(a[0]); err != nil {
		return ir.Val{}, err
	} else if want := c.Ctx().Info(c.Type).Shape; !fits(r.Sizes, want) {
		return ir.Val{}, ir.Trapf("memory of shape %v is packed as a tensor of shape %v", r.Sizes, want)
	}
	return joinVal(c.Ctx(), c.Type, a), nil
}

func evalUnpack(c *ir.Call, a []ir.Val) (ir.Val, error) {
	return splitVal(c.Ctx(), c.ArgType(0), a[0])[0], nil
}

// fits reports extents that a shape has, or leaves open.
func fits(extents, shape []int64) bool {
	return slices.EqualFunc(extents, shape, func(n, of int64) bool { return of == ir.Dynamic || n == of })
}
