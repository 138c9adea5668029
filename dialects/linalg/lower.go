package linalg

import (
	"slices"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/linalg/tensors"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/lower"
)

// Level is what the ops on memory become: loops of affine.
const Level = "affine"

var reassoc = lower.Choice("reassoc", false, "what reductions of floats combine may be combined in any order: fastmath<reassoc,contract>; "+
	"products, convolutions and what works element by element on tensors of known extents become ops of ten")

var lowerings = lower.Table{{Level: Level, Of: append(Structured(), Index), New: rules,
	Options: []lower.Option{reassoc.Option}}}

func rules(e *lower.Env) ir.Rules {
	out := ir.Rules{Index: lowerIndex}
	for _, def := range Structured() {
		out[def] = func(m *ir.Mirror, n ir.Node) ir.Value { return lowerStructured(m, n, reassoc.In(e)) }
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

// lowerStructured makes loops: in their innermost it loads the elements, computes and stores. Tensors are the memory that holds
// them by then; what an output becomes is written where Destination says.
func lowerStructured(m *ir.Mirror, n ir.Node, reassoc bool) ir.Value {
	g := n.Graph()
	s, err := StructureOf(g, n.Old())
	if err != nil {
		return 0
	}
	if reassoc {
		if v := raised(m, n, s); v != 0 {
			return v
		}
	}
	args := memories(m, s, n)
	from, _ := s.Extents()
	extents := lists.Map(from, func(p place) affine.Point { return tensors.Extent(m.B, args[p.operand], p.dim) })
	loops := tensors.Loops
	if reassoc && isContraction(g.Ctx, s, n) {
		loops = tensors.ContractionLoops
	}
	loops(m.B, extents, func(at []ir.Value) {
		var elems []ir.Value
		for i, v := range args[:s.Args] {
			if shaped(m.B.Ctx(), m.B.Graph().Type(v)) {
				v = tensors.Load(m.B, v, s.Maps[i], at)
			}
			elems = append(elems, v)
		}
		stack := indicesOf(m)
		*stack = append(*stack, at)
		ys := m.Body(n.Region(0), elems...)
		*stack = (*stack)[:len(*stack)-1]
		for i, y := range ys {
			if acc := s.Inputs + i; reassoc && acc < s.Args && slices.Contains(s.Reduction, true) {
				y = free(m.B, y, elems[acc])
			}
			tensors.Store(m.B, y, args[s.Inputs+i], s.Maps[s.Inputs+i], at)
		}
	})
	var results []ir.Value
	for i, a := range n.Args()[s.Inputs:] {
		if g.Ctx.Info(a.Type()).Kind == ir.KindTensor {
			results = append(results, tensors.FromMemory(m.B, args[s.Inputs+i]))
		}
	}
	return m.B.Pack(results...)
}

// isContraction reports sums of products of two, as of matrices, by the kinds of the loops; what is in the body shows whether it is one.
func isContraction(c *ir.Context, s *Structure, n ir.Node) bool {
	k := len(s.Reduction) - 3
	if k < 0 || s.Inputs != 2 || s.Outputs() != 1 || s.Reduction[k] || s.Reduction[k+1] || !s.Reduction[k+2] {
		return false
	}
	elem := c.Info(n.Arg(2).Type()).Elem
	return elem == ir.F32 || elem == ir.F64
}

// memories are the operands, tensors as memory: that of outputs may be written.
func memories(m *ir.Mirror, s *Structure, n ir.Node) (args []ir.Value) {
	params := n.Region(0).Params()
	for i, a := range n.Args() {
		if m.B.Ctx().Info(a.Type()).Kind != ir.KindTensor {
			args = append(args, m.Of(a))
			continue
		}
		if i < s.Inputs {
			args = append(args, tensors.Memory(m, a))
			continue
		}
		keeps := i < s.Args && params[i].NumUses() > 0
		if _, all := s.Maps[i].Permuted(); !all {
			keeps = true
		}
		args = append(args, tensors.Destination(m, n, a, keeps))
	}
	return args
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
