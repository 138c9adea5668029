package main

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
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
	{"ruleresults", func(x *extension) { // the op has two
		d := x.opIn("$x `,` $y attr-dict `:` type($x)", func(d *ir.OpDef) {
			d.Infer = func(c *ir.Call) (ir.Type, error) {
				t, err := inferTwo(c)
				return c.Ctx().Multi(t, t), err
			}
			d.Eval = func(_ *ir.Call, a []ir.Val) (ir.Val, error) { return ir.Val{Ref: ir.Vector(a)}, nil }
		})
		x.lowered(d, func(m *ir.Mirror, n ir.Node) ir.Value { return m.Op(arith.Addi, m.All(n.Args())...) })
	}},
	{"partstypes", func(x *extension) { x.bits(func(l *ir.TypeLowering) { l.Parts = only(ir.I16) }) }},
	{"partspack", func(x *extension) {
		x.bits(func(l *ir.TypeLowering) {
			l.Pack = func(_ *ir.Builder, _ ir.Type, parts []ir.Value) ir.Value { return parts[0] }
		})
	}},
	{"partssplit", func(x *extension) { x.bits(func(l *ir.TypeLowering) { l.Split, l.Join = nil, nil }) }},
	{"partsarray", func(x *extension) { // types become their parts before rules of the level are asked
		x.bits(nil)
		fill := ir.Define(&ir.OpDef{Name: "partsarray.zero", Doc: "Stores 0.", Args: []string{"to"}, Effects: memref.WritesArg(0),
			Infer: func(*ir.Call) (ir.Type, error) { return ir.Void, nil }})
		x.Ops = append(x.Ops, fill)
		x.Tables = append(x.Tables, lower.Table{{Level: "arith", Rules: ir.Rules{fill: func(m *ir.Mirror, n ir.Node) ir.Value { return m.B.Pack() }}}})
	}},
	{"ruleinner", func(x *extension) { // what it gives is made in a region
		x.rule(func(m *ir.Mirror, n ir.Node) (v ir.Value) {
			m.B.Region(ir.Loop, []ir.Type{ir.I32}, func(p []ir.Value) { v = m.Op(arith.Addi, p[0], p[0]) })
			return v
		})
	}},
}

func only(t ir.Type) func(*ir.Context, ir.Type) []ir.Type {
	return func(*ir.Context, ir.Type) []ir.Type { return []ir.Type{t} }
}

func bitsType(c *ir.Context, dialect string) ir.Type {
	t, err := c.DefinedType(c.TypeDefNamed(dialect+".t"), nil)
	if err != nil {
		panic(err)
	}
	return t
}

// bits adds a type whose values are those of an i32, which it becomes at level arith, and ops to it and from it.
func (x *extension) bits(change func(*ir.TypeLowering)) {
	def := ir.DefineType(&ir.TypeDef[ir.Unit]{Name: x.Name + ".t"})
	x.Types = []ir.Defined{def}
	raw := ir.Define(&ir.OpDef{Name: x.Name + ".raw", Doc: "The bits.", Args: []string{"x"}, Eval: first,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 1 || !def.Is(c.Ctx(), c.ArgType(0)) {
				return 0, c.Errorf("takes one")
			}
			return ir.I32, nil
		}})
	pack := ir.Define(&ir.OpDef{Name: x.Name + ".pack", Doc: "Of the bits.", Args: []string{"bits"}, Eval: first,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 1 || c.ArgType(0) != ir.I32 {
				return 0, c.Errorf("takes an i32")
			}
			return bitsType(c.Ctx(), x.Name), nil
		}})
	l := ir.TypeLowering{
		Parts:  only(ir.I32),
		Unpack: func(b *ir.Builder, v ir.Value) []ir.Value { return []ir.Value{b.Op(raw, v)} },
		Pack:   func(b *ir.Builder, _ ir.Type, parts []ir.Value) ir.Value { return b.Op(pack, parts...) },
		Split:  func(_ *ir.Context, _ ir.Type, v ir.Val) []ir.Val { return []ir.Val{v} },
		Join:   func(_ *ir.Context, _ ir.Type, parts []ir.Val) ir.Val { return parts[0] },
	}
	if change != nil {
		change(&l)
	}
	x.Ops = append(x.Ops, raw, pack)
	x.Folds = []ir.Fold{{Of: raw, Rule: "raw(pack(x)) = x", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if g := b.Graph(); g.Def(c.Args[0]) == pack {
			return g.Args(c.Args[0])[0]
		}
		return 0
	}}}
	x.Tables = append(x.Tables, ir.TypeLowerings{"arith": {def: l}}, lower.Order{"arith": "scf"})
}
