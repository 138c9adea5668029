package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

// Conv is a convolution over any number of dimensions.
var Conv = ir.Define(&ir.OpDef{Name: "ten.conv", Doc: "The convolution (cross-correlation) of a batch of images, N x C x D..., by kernels, M x C/groups x K...: element (n, m, o...) of the result, N x M x O..., is the sum over c and k of x[n, c, o * stride + k * dilation - low] w[m, c, k]. There c is of the group of m. Elements outside of the image are 0. As ONNX Conv without bias, with pads that are not negative.",
	Args: []string{"image", "kernel"}, Attrs: []string{"low", "high", "strides", "dilations", "groups"}, Traits: ir.Partial, Infer: takes(2, inferConv), Traps: einsumTraps})

// A Window says how a convolution goes over its image.
type Window struct {
	Low, High, Strides, Dilations []int64
	Groups                        int64
}

// WindowOf reads the attributes of a convolution or of a pooling.
func WindowOf(c *ir.Context, attrs ir.Attr) Window {
	list := func(name string) []int64 { return c.Ints(c.Get(attrs, name)) }
	w := Window{list("low"), list("high"), list("strides"), list("dilations"), 1}
	if a := c.Get(attrs, "groups"); a != 0 {
		w.Groups = c.AttrInfo(a).Int
	}
	return w
}

// Padded reports that there is a pad.
func (w Window) Padded() bool {
	return slices.ContainsFunc(slices.Concat(w.Low, w.High), func(n int64) bool { return n != 0 })
}

// extent is that of the result in spatial dimension d, of an image and a kernel that is no longer than it with its pads.
func (w Window) extent(d int, image, kernel int64) (n int64, ok bool) {
	left := image + w.Low[d] + w.High[d] - w.Dilations[d]*(kernel-1) - 1
	if kernel < 1 || left < 0 {
		return 0, false
	}
	return left/w.Strides[d] + 1, true
}

// over is the extent that a type says of the result, in spatial dimension d.
func (w Window) over(c *ir.Call, d int, image, kernel int64) (int64, error) {
	if kernel > mostWindow {
		return 0, c.Errorf("has a kernel of extent %d", kernel)
	}
	if image == ir.Dynamic {
		return image, nil
	}
	n, ok := w.extent(d, image, kernel)
	if !ok {
		return 0, c.Errorf("has a kernel of extent %d with dilation %d for %d elements and their pads", kernel, w.Dilations[d], image)
	}
	return n, nil
}

// mostWindow bounds strides, dilations and extents of kernels, so that places do not overflow.
const mostWindow = 1 << 30

// checkWindow checks the attributes that say how a window goes over images of some number of dimensions.
func checkWindow(c *ir.Call, rank int) error {
	for _, name := range []string{"low", "high", "strides", "dilations"} {
		least := int64(0)
		if name == "strides" || name == "dilations" {
			least = 1
		}
		list, err := intsOf(c, name)
		if err != nil {
			return err
		}
		if len(list) != rank || slices.ContainsFunc(list, func(n int64) bool { return n < least }) {
			return c.Errorf("has %s %v, not %d numbers from %d on", name, list, rank, least)
		}
		if n := slices.Max(append(list, 0)); n > mostWindow {
			return c.Errorf("has %s %v: %d is over %d, the most there may be", name, list, n, mostWindow)
		}
	}
	return nil
}

func inferConv(c *ir.Call) (ir.Type, error) {
	x, w := c.Ctx().Info(c.ArgType(0)), c.Ctx().Info(c.ArgType(1))
	rank := len(x.Shape) - 2
	if rank < 1 || len(w.Shape) != len(x.Shape) || x.Elem != w.Elem {
		return 0, c.Errorf("takes an image N x C x D... and a kernel M x C x K... of elements of one type, not %s and %s", spell(c.Ctx(), c.ArgType(0)), spell(c.Ctx(), c.ArgType(1)))
	}
	if err := checkWindow(c, rank); err != nil {
		return 0, err
	}
	if a := c.Get("groups"); a == 0 || c.Ctx().KindOf(a) != ir.AttrInt || c.Ctx().AttrInfo(a).Int < 1 {
		return 0, c.Errorf("has an attribute groups, a positive number")
	}
	win := WindowOf(c.Ctx(), c.Attr)
	if isOpen(w.Shape) || x.Shape[1] == ir.Dynamic {
		return 0, c.Errorf("takes an image whose channels are known, and a kernel whose extents are")
	}
	if x.Shape[1] != w.Shape[1]*win.Groups || w.Shape[0]%win.Groups != 0 {
		return 0, c.Errorf("has %d groups of the %d channels of the image, and kernels of %d channels for %d", win.Groups, x.Shape[1], w.Shape[1], w.Shape[0])
	}
	shape := []int64{x.Shape[0], w.Shape[0]}
	for d := range rank {
		o, err := win.over(c, d, x.Shape[2+d], w.Shape[2+d])
		if err != nil {
			return 0, err
		}
		shape = append(shape, o)
	}
	elem := x.Elem
	if c.Type != ir.NoType && Takes(c.Ctx(), c.Type) && widens(c.Ctx(), elem, Elem(c.Ctx(), c.Type)) {
		elem = Elem(c.Ctx(), c.Type)
	}
	return result(c, shape, elem)
}

func runConv(m *interp.Machine, o *interp.Op, x array, args, out []ir.Val) error {
	w, err := at(o, args, 1)
	if err != nil {
		return err
	}
	c := o.Call.Ctx()
	win := WindowOf(c, o.G.AttrsOf(o.V))
	shape := []int64{x.shape[0], w.shape[0]}
	for d := range win.Low {
		n, ok := win.extent(d, x.shape[2+d], w.shape[2+d])
		if !ok {
			return ir.Trapf("a kernel of extent %d for %d elements and their pads", w.shape[2+d], x.shape[2+d])
		}
		shape = append(shape, n)
	}
	return made(m, o, out, shape, func(elems ir.Vector) error {
		terms, _ := product(w.shape[1:])
		elem, i := Elem(c, o.G.Type(o.V)), 0
		place := make([]int64, len(shape))
		for i < len(elems) {
			if err := m.Spend(terms); err != nil {
				return err
			}
			s := newSum(c, elem, ByAdd)
			win.at(c, s, x, w, place)
			elems[i] = s.value()
			i++
			lists.NextPoint(place, shape)
		}
		return nil
	})
}

// at sums up one element of the result.
func (win Window) at(c *ir.Context, s *sum, x, w array, place []int64) {
	group := place[1] / (w.shape[0] / win.Groups)
	k := make([]int64, len(w.shape)-1) // channel and place in the kernel
	for {
		from, by, inside := place[0]*x.strides[0]+(group*w.shape[1]+k[0])*x.strides[1], place[1]*w.strides[0]+k[0]*w.strides[1], true
		for d := range win.Low {
			i := place[2+d]*win.Strides[d] + k[1+d]*win.Dilations[d] - win.Low[d]
			inside = inside && i >= 0 && i < x.shape[2+d]
			from, by = from+i*x.strides[2+d], by+k[1+d]*w.strides[2+d]
		}
		if inside && w.shape[1] > 0 {
			y, z := x.at(from), w.at(by)
			s.poison = s.poison || y.IsPoison() || z.IsPoison()
			if !s.poison {
				a, n := read(c, y, x.elem)
				b, m := read(c, z, w.elem)
				s.combine(a*b, n*m)
			}
		}
		if !lists.NextPoint(k, w.shape[1:]) {
			return
		}
	}
}
