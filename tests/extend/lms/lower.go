package lms

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// The levels of vectors: what zeros and plus give. At VectorLevel rules see sums of
// whole vectors; those that are left become arrays at ArrayLevel, each a loop that makes its elements. ("Delayed
// Rewriting and Multi-Level IR" of the LMS document.)
const (
	VectorLevel = "lms.vectors"
	ArrayLevel  = "lms.arrays"
)

var fused = lower.Choice("fuse", true, "makes an element where it is read, where that costs no more than to keep it")

var lowerings = lower.Table{
	{Level: VectorLevel, Optional: true, Of: []*ir.OpDef{Plus, Read, Len, scf.If}, New: vectorRules},
	{Level: ArrayLevel, Of: []*ir.OpDef{Zeros, Plus}, New: arrayRules,
		Options: []lower.Option{fused.Option}},
}

// arrayRules make arrays of vectors.
func arrayRules(e *lower.Env) ir.Rules {
	return ir.Rules{
		Zeros: func(m *ir.Mirror, n ir.Node) ir.Value {
			return build(m, m.Of(n.Arg(0)), func(ir.Value) ir.Value { return m.B.Const(ir.I64, ir.Val{}) })
		},
		Plus: func(m *ir.Mirror, n ir.Node) ir.Value {
			x, y := m.Of(n.Arg(0)), m.Of(n.Arg(1))
			size := m.Op(arith.Minsi, m.Op(Len, x), m.Op(Len, y))
			return build(m, size, func(i ir.Value) ir.Value {
				return arith.AddI(m.B, element(e, m, x, i), element(e, m, y, i))
			})
		},
	}
}

// build makes an array of elements.
func build(m *ir.Mirror, n ir.Value, element func(i ir.Value) ir.Value) ir.Value {
	r := m.B.Region(ir.Loop, []ir.Type{ir.I64}, func(p []ir.Value) { m.Op(Yield, element(p[0])) })
	return m.B.Must(ir.Call{Def: Arr, Args: []ir.Value{n}, Regions: []ir.Region{r}})
}

// element reads an element that is there: no index of a sum is past the end of its
// operands. A read that a user wrote has to trap there, so no rule for all reads can tell them
// apart; this one takes its rule along. In the next iteration of the phase, when its
// vector is an array, it may become what makes the element.
func element(e *lower.Env, m *ir.Mirror, x, i ir.Value) ir.Value {
	v := m.Op(Read, x, i)
	if fused.In(e) && m.B.Graph().Def(v) == Read {
		m.B.Delay(v, ArrayLevel, func(m *ir.Mirror, n ir.Node) ir.Value { return fuse(e, m, n) })
	}
	return v
}
