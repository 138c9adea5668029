package reduce

import (
	"slices"
	"strconv"

	"github.com/irc-lang/irc/ir"
)

// Weights of the score: an op that computes is worth more than any number of
// constants that it may leave behind, and those more than what their values are.
const (
	weighOp    = 1000
	weighConst = 40
	weighValue = 5 // a result, a parameter, a region, an attribute
)

// score orders programs: smaller is better.
func score(g *ir.Graph) int {
	n := weighParams(g, ir.Root)
	for _, s := range sites(g) {
		if s.def().Has(ir.ConstantLike) {
			n += weighConst
		} else {
			n += weighOp
		}
		for _, a := range s.args() {
			n += rank(s.g, a)
		}
		for _, t := range s.types() {
			n += weighValue + weighType(g.Ctx, t)
		}
		for _, r := range s.g.Regions(s.v) {
			n += weighParams(s.g, r)
		}
		for _, c := range s.g.Children(s.v) {
			n += weighParams(c, ir.Root)
		}
		props, attrs := s.named()
		for _, e := range slices.Concat(props, attrs) {
			n += weighAttr(g.Ctx, e.Value)
		}
		n += weighValue * (len(props) + len(attrs))
	}
	return n
}

func weighParams(g *ir.Graph, r ir.Region) int {
	n := weighValue
	if g.HasBlock(r) {
		n += weighValue
	}
	for _, p := range g.Params(r) {
		n += weighValue + weighType(g.Ctx, g.Type(p))
	}
	return n
}

// rank orders what an operand may be: least is what depends on least.
func rank(g *ir.Graph, v ir.Value) int {
	n, _, _ := g.Projection(v)
	r, _, param := g.Param(n)
	switch {
	case param && r == ir.Root:
		return 1
	case g.Def(n).Has(ir.ConstantLike):
		return 2
	case param:
		return 3
	}
	return 4
}

// weighAttr is 0 for 0, 1 for 1, and grows with how much there is to read.
func weighAttr(c *ir.Context, a ir.Attr) int {
	info := c.AttrInfo(a)
	switch info.Kind {
	case ir.AttrInt:
		return digits(float64(info.Int))
	case ir.AttrFloat:
		return digits(ir.BitsToFloat(info.Bits, info.Type))
	case ir.AttrDense:
		if info.Splat {
			return weighConst/2 + nonzero(info.Str)
		}
		return weighConst
	case ir.AttrDict, ir.AttrArray:
		n := 0
		for _, x := range info.List {
			n += weighAttr(c, x)
		}
		for _, e := range info.Dict {
			n += weighValue + weighAttr(c, e.Value)
		}
		return n
	}
	return 0
}

func nonzero(s string) int {
	for i := range len(s) {
		if s[i] != 0 {
			return 1
		}
	}
	return 0
}

// digits grows with the length of a number's text; NaN and infinities are in between.
func digits(x float64) int {
	switch x {
	case 0:
		return 0
	case 1:
		return 1
	}
	return min(2+len(strconv.FormatFloat(x, 'g', -1, 64)), weighConst/2-1)
}

// weighType is less for fewer bits, fewer extents and less of a layout.
func weighType(c *ir.Context, t ir.Type) int {
	info := c.Info(t)
	switch info.Kind {
	case ir.KindInteger, ir.KindFloat:
		return min(info.Width/16, 8)
	case ir.KindVector, ir.KindTensor, ir.KindMemRef:
		n := 2 + weighType(c, info.Elem)
		for _, x := range info.Shape {
			switch x {
			case 1:
				n++
			case ir.Dynamic:
				n += 3
			default:
				n += 2
			}
		}
		if info.Layout != 0 {
			n += 3
		}
		if info.Space != 0 {
			n++
		}
		return n
	case ir.KindTuple:
		return 2 + len(info.Types)
	}
	return 0
}
