package main

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// rewrites are mistakes in what rules make of ops.
var rewrites = []mistake{
	{"ruletype", func(x *extension) {
		x.rule(func(m *ir.Mirror, n ir.Node) ir.Value { return arith.ConstF64(m.B, 1) })
	}},
	{"ruleself", func(x *extension) { // it makes the op again, and the phase leaves it
		d := x.op(nil)
		x.lowered(d, func(m *ir.Mirror, n ir.Node) ir.Value { return m.Op(d, m.All(n.Args())...) })
	}},
	{"rulegrow", func(x *extension) {
		d := x.op(nil)
		x.lowered(d, func(m *ir.Mirror, n ir.Node) ir.Value {
			a := m.All(n.Args())
			return m.Op(d, m.Op(arith.Addi, a[0], a[1]), a[1])
		})
	}},
	{"ruledouble", func(x *extension) { // of one op it makes two, of these four
		d := x.op(nil)
		x.lowered(d, func(m *ir.Mirror, n ir.Node) ir.Value {
			a := m.All(n.Args())
			return m.Op(arith.Addi, m.Op(d, m.Op(arith.Muli, a[0], a[1]), a[1]), m.Op(d, m.Op(arith.Subi, a[0], a[1]), a[0]))
		})
	}},
	{"rulemix", func(x *extension) { // it gives an old value
		x.rule(func(m *ir.Mirror, n ir.Node) ir.Value { return n.Arg(1).Old() })
	}},
	{"ruleold", func(x *extension) { // it makes an op of old values
		x.rule(func(m *ir.Mirror, n ir.Node) ir.Value { return m.Op(arith.Addi, n.Arg(0).Old(), n.Arg(1).Old()) })
	}},
	{"ruleinner", func(x *extension) { // what it gives is made in a region
		x.rule(func(m *ir.Mirror, n ir.Node) (v ir.Value) {
			m.B.Region(ir.Loop, []ir.Type{ir.I32}, func(p []ir.Value) { v = m.Op(arith.Addi, p[0], p[0]) })
			return v
		})
	}},
}
