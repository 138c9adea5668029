package main

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// effects are what an op does when it runs and does not declare.
var effects = []mistake{
	{"effectright", acts(on(ir.Write, 1), func(m *interp.Machine, args []ir.Val) error { return fill(args[1], 5) })},
	{"effectread", acts(on(ir.Read, 1), func(m *interp.Machine, args []ir.Val) error { ints(args[0]).Load(0); return nil })},
	{"effectwrite", acts(on(ir.Read, 0), func(m *interp.Machine, args []ir.Val) error { return fill(args[0], 5) })},
	{"effectother", acts(on(ir.Write, 0), func(m *interp.Machine, args []ir.Val) error { return fill(args[1], 5) })},
	{"effectfree", acts(on(ir.Write, 0), func(m *interp.Machine, args []ir.Val) error { return m.Free(ints(args[0])) })},
	{"effectprint", acts(on(ir.Read, 0), func(m *interp.Machine, args []ir.Val) error {
		m.Emit(interp.Printed{Kind: interp.PrintText, Text: "here\n"})
		return nil
	})},
	{"effectalloc", acts(nil, func(m *interp.Machine, args []ir.Val) error {
		r, err := m.NewMemRef(ir.I32, 4)
		if err == nil {
			m.Owe(r.Buf)
		}
		return err
	})},
	{"effecteval", evalread},
}

// evalread reads memory in an Eval, which is of pure ops.
func evalread(x *extension) {
	x.opIn("$x `,` $y attr-dict `:` type($x) `,` type($y)", func(d *ir.OpDef) {
		d.Infer = func(c *ir.Call) (ir.Type, error) { return ir.I32, nil }
		d.Eval = func(_ *ir.Call, a []ir.Val) (ir.Val, error) { return ints(a[0]).Load(0), nil }
	})
}

// acts adds an op of two memories, with effects, that does something and gives 1.
func acts(declares func(c *ir.Call) []ir.Effect, do func(m *interp.Machine, args []ir.Val) error) func(x *extension) {
	return func(x *extension) {
		d := x.opIn("$x `,` $y attr-dict `:` type($x) `,` type($y)", func(d *ir.OpDef) {
			d.Eval, d.Effects = nil, declares
			d.Infer = func(c *ir.Call) (ir.Type, error) { return ir.I32, nil }
		})
		x.Tables = append(x.Tables, interp.Table{d: func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
			out[0] = ir.Val{Bits: 1}
			return do(m, args)
		}})
	}
}

// on is an effect on the memory of an operand.
func on(kind ir.EffectKind, operand int) func(c *ir.Call) []ir.Effect {
	return func(c *ir.Call) []ir.Effect {
		return []ir.Effect{{Kind: kind, On: c.Builder().ResourceOf(c.Args[operand])}}
	}
}

func ints(memory ir.Val) *interp.Buffer { return memory.Ref.(*interp.MemRef).Buf }

func fill(memory ir.Val, x uint64) error {
	for i := range ints(memory).Len() {
		ints(memory).Store(i, ir.Val{Bits: x})
	}
	return nil
}
