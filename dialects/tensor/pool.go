package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/lists"
)

// Pool is a pooling over any number of dimensions.
var Pool = ir.Define(&ir.OpDef{Name: "ten.pool", Doc: "What the elements under a window that goes over a batch of images, N x C x D..., are together: element (n, c, o...) of the result, N x C x O..., is taken of x[n, c, o * stride + k * dilation - low] over the places k of the window. It is the greatest (max), the least (min) or the sum (add). Those outside of the image do not count; average is the sum divided by how many are inside, padded_average by how many places the window has. Of no elements max and min are the identity, the average is NaN. As ONNX MaxPool without Indices, and AveragePool with count_include_pad=0 or 1; ceil_mode=0, pads not negative. The elements of a sum may be wider than those of the operand.",
	Args: []string{"image"}, Attrs: []string{"kind", "window", "low", "high", "strides", "dilations"}, Traits: ir.Partial, Infer: takes(1, inferPool), Traps: einsumTraps})

// The ways in which ten.pool combines; those of ten.reduce that it has are called as there.
const (
	PoolMax = iota
	PoolMin
	PoolAdd
	PoolAverage
	PoolPaddedAverage
)

var poolKinds = []string{"max", "min", "add", "average", "padded_average"}

// CombinerOf is how a pooling of a kind combines elements: ByAdd, ByMin or ByMax.
func CombinerOf(kind int) int { return []int{ByMax, ByMin, ByAdd, ByAdd, ByAdd}[kind] }

func inferPool(c *ir.Call) (ir.Type, error) {
	x := c.Ctx().Info(c.ArgType(0))
	rank := len(x.Shape) - 2
	if rank < 1 {
		return 0, c.Errorf("takes an image N x C x D..., not %s", spell(c.Ctx(), c.ArgType(0)))
	}
	k := c.Get("kind")
	if k == 0 || c.Ctx().KindOf(k) != ir.AttrInt || c.Ctx().AttrInfo(k).Int < 0 || c.Ctx().AttrInfo(k).Int >= int64(len(poolKinds)) {
		return 0, c.Errorf("has an attribute kind: max, min, add, average or padded_average")
	}
	kind := KindOf(c.Ctx(), c.Attr)
	if kind >= PoolAverage && !c.Ctx().IsFloat(x.Elem) {
		return 0, c.Errorf("averages floats, not %s: add them up, and divide as is wanted", spell(c.Ctx(), x.Elem))
	}
	window, err := intsOf(c, "window")
	if err != nil {
		return 0, err
	}
	if err := checkWindow(c, rank); err != nil {
		return 0, err
	}
	if len(window) != rank || slices.ContainsFunc(window, func(n int64) bool { return n < 1 }) {
		return 0, c.Errorf("has a window %v, not %d numbers from 1 on", window, rank)
	}
	w := WindowOf(c.Ctx(), c.Attr)
	shape := slices.Clone(x.Shape[:2])
	for d := range rank {
		n, err := w.over(c, d, x.Shape[2+d], window[d])
		if err != nil {
			return 0, err
		}
		shape = append(shape, n)
	}
	elem := x.Elem
	if kind == PoolAdd && c.Type != ir.NoType && Takes(c.Ctx(), c.Type) && widens(c.Ctx(), elem, Elem(c.Ctx(), c.Type)) {
		elem = Elem(c.Ctx(), c.Type)
	}
	return result(c, shape, elem)
}

func runPool(m *interp.Machine, o *interp.Op, x array, args, out []ir.Val) error {
	c, attrs := o.Call.Ctx(), o.G.AttrsOf(o.V)
	w, window := WindowOf(c, attrs), c.Ints(c.Get(attrs, "window"))
	shape := slices.Clone(x.shape[:2])
	for d, k := range window {
		n, ok := w.extent(d, x.shape[2+d], k)
		if !ok {
			return ir.Trapf("a window of extent %d for %d elements and their pads", k, x.shape[2+d])
		}
		shape = append(shape, n)
	}
	return made(m, o, out, shape, func(elems ir.Vector) error {
		kind, places := KindOf(c, attrs), int64(0)
		if places, _ = product(window); places == 0 || places > ir.MaxElements {
			places = ir.MaxElements
		}
		strides, _, _ := strided.RowMajor(shape)
		place := make([]int64, len(shape))
		for i := range elems {
			if err := m.Spend(places); err != nil {
				return err
			}
			for d := range place {
				place[d] = int64(i) / strides[d] % shape[d]
			}
			s := newSum(c, Elem(c, o.G.Type(o.V)), CombinerOf(kind))
			n := w.under(c, s, x, window, place)
			if kind == PoolPaddedAverage {
				n = places
			}
			if kind >= PoolAverage {
				s.x /= float64(n)
			}
			elems[i] = s.value()
		}
		return nil
	})
}

// under combines the elements that are under a window, and counts them.
func (w Window) under(c *ir.Context, s *sum, x array, window, place []int64) (n int64) {
	base := place[0]*x.strides[0] + place[1]*x.strides[1]
	k := make([]int64, len(window))
	for {
		from, inside := base, true
		for d := range window {
			i := place[2+d]*w.Strides[d] + k[d]*w.Dilations[d] - w.Low[d]
			inside = inside && i >= 0 && i < x.shape[2+d]
			from += i * x.strides[2+d]
		}
		if inside {
			n++
			if v := x.at(from); v.IsPoison() {
				s.poison = true
			} else {
				a, b := read(c, v, x.elem)
				s.combine(a, b)
			}
		}
		if !lists.NextPoint(k, window) {
			return n
		}
	}
}

// BuildPool makes a pooling of a window that goes as w says, with elements of the given type.
func BuildPool(b *ir.Builder, kind int, x ir.Value, window []int64, w Window, elem ir.Type) ir.Value {
	c := b.Ctx()
	attr := c.With(0, "kind", c.IntAttr(int64(kind), ir.I64))
	for _, a := range []struct {
		name string
		list []int64
	}{{"window", window}, {"low", w.Low}, {"high", w.High}, {"strides", w.Strides}, {"dilations", w.Dilations}} {
		attr = c.With(attr, a.name, Ints(c, a.list...))
	}
	from := Shape(c, b.Graph().Type(x))
	shape := slices.Clone(from[:2])
	for d, k := range window {
		n := from[2+d]
		if n != ir.Dynamic {
			n, _ = w.extent(d, n, k)
		}
		shape = append(shape, n)
	}
	return b.Must(ir.Call{Def: Pool, Args: []ir.Value{x}, Attr: attr, Type: c.Tensor(shape, elem), Loc: b.Loc})
}
