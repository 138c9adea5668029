package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
)

// Extend pads with elements of the operand.
var Extend = ir.Define(&ir.OpDef{Name: "ten.extend", Doc: "The operand with so many elements before and behind each dimension, which repeat its own: the nearest of its rim (edge); what stands as far on the other side of the first or the last one (reflect); or what follows if the operand stands there again and again (wrap). There is something to repeat: edge wants an element in such a dimension, reflect more elements than are added at a side, wrap as many. As ONNX Pad in modes edge, reflect and wrap with pads that are not negative.",
	Args: []string{"operand"}, Attrs: []string{"mode", "low", "high"}, Traits: ir.Partial, Infer: takes(1, inferExtend), Traps: einsumTraps})

// The ways in which ten.extend goes on.
const (
	ByEdge = iota
	ByReflection
	ByWrapping
)

var modes = []string{"edge", "reflect", "wrap"}

// ModeOf is how a ten.extend goes on.
func ModeOf(c *ir.Context, attrs ir.Attr) int { return int(c.AttrInfo(c.Get(attrs, "mode")).Int) }

// LeastExtent is how many elements a dimension has at least that gets so many more, in a mode.
func LeastExtent(mode int, low, high int64) int64 {
	most := max(low, high)
	switch {
	case most == 0:
		return 0
	case mode == ByEdge:
		return 1
	case mode == ByReflection:
		return most + 1
	}
	return most
}

func inferExtend(c *ir.Call) (ir.Type, error) {
	k := c.Get("mode")
	if k == 0 || c.Ctx().KindOf(k) != ir.AttrInt || c.Ctx().AttrInfo(k).Int < 0 || c.Ctx().AttrInfo(k).Int >= int64(len(modes)) {
		return 0, c.Errorf("has an attribute mode: edge, reflect or wrap")
	}
	from := c.Ctx().Info(c.ArgType(0))
	shape, low, high, err := padded(c, from.Shape)
	if err != nil {
		return 0, err
	}
	mode := ModeOf(c.Ctx(), c.Attr)
	for d, n := range from.Shape {
		if least := LeastExtent(mode, low[d], high[d]); n != ir.Dynamic && n < least {
			return 0, c.Errorf("extends dimension %d by %d and %d elements in mode %s, which wants %d there, of which there are %d", d, low[d], high[d], modes[mode], least, n)
		}
	}
	return result(c, shape, from.Elem)
}

// padded is a shape with the elements that low and high add.
func padded(c *ir.Call, from []int64) (shape, low, high []int64, err error) {
	shape = slices.Clone(from)
	for _, side := range []struct {
		name string
		to   *[]int64
	}{{"low", &low}, {"high", &high}} {
		list, err := intsOf(c, side.name)
		if err != nil {
			return nil, nil, nil, err
		}
		if len(list) != len(shape) {
			return nil, nil, nil, c.Errorf("says %s of %d dimensions of %d", side.name, len(list), len(shape))
		}
		for d, n := range list {
			if n < 0 || n > mostPad {
				return nil, nil, nil, c.Errorf("pads dimension %d by %d elements, not by 0 to %d", d, n, mostPad)
			}
			if shape[d] != ir.Dynamic {
				shape[d] += n
			}
		}
		*side.to = list
	}
	return shape, low, high, nil
}

func runExtend(m *interp.Machine, o *interp.Op, a array, args, out []ir.Val) error {
	c := o.Call.Ctx()
	mode, low, high := ModeOf(c, o.G.AttrsOf(o.V)), c.Ints(o.G.Attr(o.V, "low")), c.Ints(o.G.Attr(o.V, "high"))
	shape := slices.Clone(a.shape)
	for d, n := range a.shape {
		if least := LeastExtent(mode, low[d], high[d]); n < least {
			return ir.Trapf("dimension %d, of %d elements, is extended by %d and %d", d, n, low[d], high[d])
		}
		shape[d] += low[d] + high[d]
	}
	return made(m, o, out, shape, func(elems ir.Vector) error {
		strides, _, _ := strided.RowMajor(shape)
		for i := range elems {
			from := int64(0)
			for d, n := range a.shape {
				from += repeated(mode, int64(i)/strides[d]%shape[d]-low[d], n) * a.strides[d]
			}
			elems[i] = a.at(from)
		}
		return nil
	})
}

// repeated is which of n elements stands at a place before, among or behind them.
func repeated(mode int, i, n int64) int64 {
	switch {
	case i >= 0 && i < n:
		return i
	case mode == ByEdge:
		return min(max(i, 0), n-1)
	case mode == ByReflection && i < 0:
		return -i
	case mode == ByReflection:
		return 2*(n-1) - i
	}
	return (i + n) % n
}
