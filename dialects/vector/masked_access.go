package vector

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"slices"
)

// operandsOf says where the operands of an access with a mask are: the value stored or passed
// through is the last, before it the mask, and before that of some the indices of the lanes.
type operandsOf struct{ index, mask, value int }

func layoutOf(indexed bool, n int) operandsOf {
	o := operandsOf{index: -1, mask: n - 2, value: n - 1}
	if indexed {
		o.index = n - 3
	}
	return o
}

// end is the operand behind the indices.
func (o operandsOf) end() int {
	if o.index >= 0 {
		return o.index
	}
	return o.mask
}

// inferMasked checks an access with a mask. What it gives or stores is a vector like the last
// operand.
func inferMasked(f maskForm) func(*ir.Call) (ir.Type, error) {
	return func(c *ir.Call) (ir.Type, error) {
		least := 3
		if f.indexed {
			least = 4
		}
		if err := operands(c, least, -1); err != nil {
			return 0, err
		}
		t := c.ArgType(len(c.Args) - 1)
		if err := f.check(c, layoutOf(f.indexed, len(c.Args)), t); err != nil {
			return 0, err
		}
		if f.write {
			t = ir.Void
		}
		return t, nil
	}
}

// check checks the operands of an access of vectors of type t.
func (f maskForm) check(c *ir.Call, o operandsOf, t ir.Type) error {
	m, err := memory(c, 0, c.Args[1:o.end()], f.indexed && !f.write)
	if err != nil {
		return err
	}
	info, err := isVector(c, "value", t)
	if err != nil {
		return err
	}
	if err := isMask(c, "mask", c.ArgType(o.mask), info.Shape); err != nil {
		return err
	}
	switch {
	case info.Elem != m.Elem:
		return c.Errorf("base and vector must have the same element type, not %s and %s", quote(c, m.Elem), quote(c, info.Elem))
	case f.indexed:
		return f.lanes(c, m, c.ArgType(o.index), info)
	case f.packed && len(info.Shape) != 1:
		return c.Errorf("takes vectors of one dimension, not %s", quote(c, t))
	}
	return slice(c, m, c.ArgType(0), t)
}

// lanes checks the vector of indices of gather and scatter.
func (f maskForm) lanes(c *ir.Call, m *ir.TypeInfo, t ir.Type, value *ir.TypeInfo) error {
	info, err := isVector(c, "index vector", t)
	switch {
	case err != nil:
		return err
	case !c.Ctx().IsInt(info.Elem):
		return c.Errorf("index vector must be one of integers or index, but is %s", quote(c, t))
	case !slices.Equal(info.Shape, value.Shape):
		return c.Errorf("expected the index vector to have the shape of the value, and it is %s", quote(c, t))
	case len(m.Shape) == 0:
		return c.Errorf("takes memory of one dimension or more")
	case f.write && len(info.Shape) != 1:
		return c.Errorf("takes vectors of one dimension, not of %d", len(info.Shape))
	}
	return nil
}

// maskLanes reads a mask that says which elements are accessed.
func maskLanes(v ir.Val, n int) ([]bool, error) {
	out := make([]bool, n)
	for i, b := range lanesOf(v, n) {
		if b.Ref != nil {
			return nil, ir.Trapf("lane %d of the mask is poison", i)
		}
		out[i] = b.Bool()
	}
	return out, nil
}

// off says which lanes a mask leaves out.
func off(mask []bool) func(i int) (bool, error) {
	return func(i int) (bool, error) { return !mask[i], nil }
}

// placesOf finds the elements that an access with a mask touches, -1 for the lanes left out.
func placesOf(m *interp.Machine, o *interp.Op, args []ir.Val, and ir.Vector) (*interp.MemRef, []int, operandsOf, error) {
	at := layoutOf(o.Def == Gather || o.Def == Scatter, len(args))
	r, err := memoryOf(o, args, 0)
	if err == nil {
		err = noPoison(args[1:at.end()])
	}
	if err != nil {
		return nil, nil, at, err
	}
	t := o.Call.ArgType(at.value)
	n, ok := lanes(o.G.Ctx, t)
	if !ok {
		return nil, nil, at, tooLong
	}
	if err := m.Spend(int64(n)); err != nil {
		return nil, nil, at, err
	}
	mask, err := maskLanes(args[at.mask], n)
	if err == nil && and != nil {
		var more []bool
		if more, err = maskLanes(ir.Val{Ref: and}, n); err == nil {
			for i := range mask {
				mask[i] = mask[i] && more[i]
			}
		}
	}
	if err != nil {
		return nil, nil, at, err
	}
	var places []int
	switch {
	case at.index >= 0:
		places, err = gathered(o, r, args[1:at.end()], args[at.index], o.Call.ArgType(at.index), mask)
	case o.Def == ExpandLoad || o.Def == CompressStore:
		places, err = packed(r, args[1:at.end()], mask)
	default:
		places, err = elements(r, args[1:at.end()], shapeOf(o.G.Ctx, t), off(mask))
	}
	return r, places, at, err
}

// gathered are the elements whose last index has a lane of a vector added.
func gathered(o *interp.Op, r *interp.MemRef, indices []ir.Val, lanes ir.Val, t ir.Type, mask []bool) ([]int, error) {
	w := o.G.Ctx.Info(o.G.Ctx.ElemOrSelf(t)).Width
	out, at := make([]int, len(mask)), make([]ir.Val, len(indices))
	for i, x := range lanesOf(lanes, len(mask)) {
		if out[i] = nowhere; !mask[i] {
			continue
		}
		if x.Ref != nil {
			return nil, ir.Trapf("index %d of the lanes is poison", i)
		}
		copy(at, indices)
		at[len(at)-1].Bits += uint64(x.Int(w))
		var err error
		if out[i], err = r.At(at); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// packed are elements one behind the other, for the lanes that a mask leaves.
func packed(r *interp.MemRef, indices []ir.Val, mask []bool) ([]int, error) {
	out, at := make([]int, len(mask)), append([]ir.Val(nil), indices...)
	for i, set := range mask {
		if out[i] = nowhere; !set {
			continue
		}
		var err error
		if out[i], err = r.At(at); err != nil {
			return nil, err
		}
		at[len(at)-1].Bits++
	}
	return out, nil
}

// gather reads the elements of the lanes that its mask and another one leave; of the others it
// gives those of its last operand.
func gather(m *interp.Machine, o *interp.Op, args []ir.Val, and ir.Vector) (ir.Val, error) {
	r, places, at, err := placesOf(m, o, args, and)
	if err != nil {
		return ir.Val{}, err
	}
	out := append(ir.Vector(nil), lanesOf(args[at.value], len(places))...)
	for i, p := range places {
		if p != nowhere {
			out[i] = r.Buf.Load(p)
		}
	}
	return ir.Val{Ref: out}, nil
}

func runMaskedRead(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	v, err := gather(m, o, args, nil)
	out[0] = v
	return err
}

// runMaskedWrite writes from the first lane to the last.
func runMaskedWrite(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	r, places, at, err := placesOf(m, o, args, nil)
	if err != nil {
		return err
	}
	for i, x := range lanesOf(args[at.value], len(places)) {
		if places[i] != nowhere {
			r.Buf.Store(places[i], x)
		}
	}
	return nil
}
