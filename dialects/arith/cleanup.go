package arith

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// cleanups see where an op stands: a fold may be asked before the place is known.
var cleanups = []ir.Cleanup{
	{Of: Cmpi, Rule: "cmpi: decided by the conditions and the loops around", Do: decided},
}

// aroundKey is what the affine analysis of a graph that is rebuilt is kept by.
type aroundKey struct{}

func decided(m *ir.Mirror, n ir.Node) ir.Value {
	s, v := m.Schedule(), n.Old()
	if s.Place(v) == ir.Root || len(s.Copies(v)) > 0 || n.Type() != ir.I1 {
		return 0
	}
	known := m.Once(aroundKey{}, func() any { return affine.Of(n.Graph()) }).(affine.Analysis).At(s.Place(v))
	holds, ok := known.Decide(predicateOf(n.Graph(), v), n.Arg(0).Old(), n.Arg(1).Old())
	if !ok {
		return 0
	}
	return m.B.Const(ir.I1, ir.BoolVal(holds))
}
