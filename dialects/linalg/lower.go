package linalg

import (
	"slices"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lower"
)

// Level is what the ops on memory become: loops of affine.
const Level = "affine"

var lowerings = lower.Table{{Level: Level, Of: append(Structured(), Index), New: rules,
	Options: []lower.Option{{Name: "reassoc", Doc: "what reductions of floats combine may be combined in any order: fastmath<reassoc,contract>", Default: false}}}}

func rules(e *lower.Env) ir.Rules {
	out := ir.Rules{Index: lowerIndex}
	for _, def := range Structured() {
		out[def] = func(m *ir.Mirror, n ir.Node) ir.Value { return lowerStructured(m, n, e.Bool("reassoc")) }
	}
	return out
}

// loopsKey is what rules know each other by: the indices of the loops that ops around have become, innermost last.
type loopsKey struct{}

func indicesOf(m *ir.Mirror) *[][]ir.Value {
	return m.Once(loopsKey{}, func() any { return new([][]ir.Value) }).(*[][]ir.Value)
}

func lowerIndex(m *ir.Mirror, n ir.Node) ir.Value {
	at := *indicesOf(m)
	if len(at) == 0 {
		return 0
	}
	return at[len(at)-1][dimOf(n.Graph(), n.Old())]
}

// lowerStructured makes loops of an op on memory: in their innermost it loads the elements, computes and stores.
func lowerStructured(m *ir.Mirror, n ir.Node, reassoc bool) ir.Value {
	g := n.Graph()
	s, err := StructureOf(g, n.Old())
	if err != nil || len(g.Ctx.Results(n.Type())) > 0 {
		return 0 // tensors
	}
	args := m.All(n.Args())
	from, _ := s.Extents()
	extents := make([]affine.Point, len(from))
	for d, p := range from {
		extents[d] = extent(m.B, args[p.operand], p.dim)
	}
	nest(m.B, extents, nil, func(at []ir.Value) {
		var elems []ir.Value
		for i, v := range args[:s.Args] {
			elems = append(elems, element(m.B, v, s.Maps[i], at))
		}
		stack := indicesOf(m)
		*stack = append(*stack, at)
		ys := m.Body(n.Region(0), elems...)
		*stack = (*stack)[:len(*stack)-1]
		for i, y := range ys {
			v, f := args[s.Inputs+i], s.Maps[s.Inputs+i]
			if acc := s.Inputs + i; reassoc && acc < s.Args && slices.Contains(s.Reduction, true) {
				y = free(m.B, y, elems[acc])
			}
			access(m.B, affine.Store, []ir.Value{y, v}, f, at)
		}
	})
	return m.B.Pack()
}

// extent is that of a dimension of memory.
func extent(b *ir.Builder, memory ir.Value, dim int) affine.Point {
	if n := b.Ctx().Info(b.Graph().Type(memory)).Shape[dim]; n != ir.Dynamic {
		return affine.Number(n)
	}
	return affine.Just(b.Op(memref.Dim, memory, b.Index(int64(dim))))
}

// nest makes loops from zero, and what body makes of their indices in the innermost.
func nest(b *ir.Builder, extents []affine.Point, at []ir.Value, body func(at []ir.Value)) {
	if len(at) == len(extents) {
		body(at)
		return
	}
	args, attr := affine.ForOf(b, 0, []affine.Point{affine.Number(0)}, []affine.Point{extents[len(at)]}, 1, nil)
	r := b.Region(ir.Loop, []ir.Type{ir.Index}, func(p []ir.Value) {
		b.Enter(affine.For, attr, args, 0, p)
		nest(b, extents, append(slices.Clone(at), p[0]), body)
		b.Op(affine.Yield)
	})
	b.Must(ir.Call{Def: affine.For, Args: args, Attr: attr, Regions: []ir.Region{r}})
}

// element is what an operand gives to a point.
func element(b *ir.Builder, v ir.Value, f *expr.Map, at []ir.Value) ir.Value {
	if !shaped(b.Ctx(), b.Graph().Type(v)) {
		return v
	}
	return access(b, affine.Load, []ir.Value{v}, f, at)
}

func access(b *ir.Builder, def *ir.OpDef, args []ir.Value, f *expr.Map, at []ir.Value) ir.Value {
	return b.Must(ir.Call{Def: def, Args: append(args, at...), Attr: b.Ctx().With(0, "map", f.Attr(b.Ctx()))})
}

// free is a value that combines what was there with something, in any order, where it does.
func free(b *ir.Builder, y, acc ir.Value) ir.Value {
	g, any := b.Graph(), arith.FastMathProps(b.Ctx(), arith.Reassoc|arith.Contract)
	switch g.Def(y) {
	case arith.Addf, arith.Mulf, arith.Maximumf, arith.Minimumf, arith.Maxnumf, arith.Minnumf:
	default:
		return y
	}
	args := slices.Clone(g.Args(y))
	if (args[0] == acc) == (args[1] == acc) {
		return y
	}
	for i, a := range args {
		if g.Def(a) == arith.Mulf && g.Def(y) == arith.Addf {
			args[i] = b.OpAttr(arith.Mulf, any, g.Args(a)...)
		}
	}
	return b.OpAttr(g.Def(y), any, args...)
}
