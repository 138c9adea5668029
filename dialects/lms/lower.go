package lms

import "github.com/irc-lang/irc/ir"

// Lower are the rules that make loops of the ops on whole arrays; an element is
// read from where it stands by then.
var Lower = ir.Rules{
	Zeros: func(m *ir.Mirror, n ir.Node) ir.Value {
		return build(m, m.Of(n.Arg(0)), func(ir.Value) ir.Value { return m.B.Const(ir.I64, ir.Val{}) })
	},
	Plus: func(m *ir.Mirror, n ir.Node) ir.Value {
		x, y := m.Of(n.Arg(0)), m.Of(n.Arg(1))
		size := m.B.Must(ir.Call{Def: m.B.Ctx().Lookup("arith.minsi"), Args: []ir.Value{m.Op(Len, x), m.Op(Len, y)}})
		return build(m, size, func(i ir.Value) ir.Value {
			return m.B.Must(ir.Call{Def: m.B.Ctx().Lookup("arith.addi"), Args: []ir.Value{m.Op(Read, x, i), m.Op(Read, y, i)}})
		})
	},
}

func build(m *ir.Mirror, n ir.Value, element func(i ir.Value) ir.Value) ir.Value {
	r := m.B.Region(ir.Loop, []ir.Type{ir.I64}, func(p []ir.Value) { m.Op(Yield, element(p[0])) })
	return m.B.Must(ir.Call{Def: Arr, Args: []ir.Value{n}, Regions: []ir.Region{r}})
}
