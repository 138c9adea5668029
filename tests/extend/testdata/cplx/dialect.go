// Package main is a dialect of complex numbers, a pass and a backend for it, and
// an irc of its own with them, all outside of irc's repository.
package main

import (
	"math/cmplx"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/text"
)

// The type !cplx.c64 is a pair of f64.
func c64(c *ir.Context) ir.Type { return c.OpaqueType("cplx.c64") }

func isC64(c *ir.Call, i int) bool { return c.ArgType(i) == c64(c.Ctx()) }

// Make takes two floats and gives a complex number.
var Make = ir.Define(&ir.OpDef{Name: "cplx.make", Doc: "The number re + i im.", Args: []string{"re", "im"},
	Infer: func(c *ir.Call) (ir.Type, error) {
		if len(c.Args) != 2 || c.ArgType(0) != ir.F64 || c.ArgType(1) != ir.F64 {
			return 0, c.Errorf("takes two f64")
		}
		return c64(c.Ctx()), nil
	},
	Eval: func(c *ir.Call, a []ir.Val) (ir.Val, error) {
		return ir.Val{Ref: complex(a[0].F64(), a[1].F64())}, nil
	}})

// part defines an op from a complex number to a float.
func part(name, doc string, of func(complex128) float64) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: name, Doc: doc, Args: []string{"z"},
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 1 || !isC64(c, 0) {
				return 0, c.Errorf("takes one !cplx.c64")
			}
			return ir.F64, nil
		},
		Eval: func(c *ir.Call, a []ir.Val) (ir.Val, error) {
			return ir.F64Val(of(a[0].Ref.(complex128))), nil
		}})
}

// binary defines an op on two complex numbers.
func binary(name, doc string, do func(x, y complex128) complex128) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: name, Doc: doc, Args: []string{"x", "y"}, Traits: ir.Commutative,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 2 || !isC64(c, 0) || !isC64(c, 1) {
				return 0, c.Errorf("takes two !cplx.c64")
			}
			return c64(c.Ctx()), nil
		},
		Eval: func(c *ir.Call, a []ir.Val) (ir.Val, error) {
			return ir.Val{Ref: do(a[0].Ref.(complex128), a[1].Ref.(complex128))}, nil
		}})
}

// The other ops.
var (
	Re  = part("cplx.re", "The real part.", func(z complex128) float64 { return real(z) })
	Im  = part("cplx.im", "The imaginary part.", func(z complex128) float64 { return imag(z) })
	Abs = part("cplx.abs", "The absolute value, which only the interpreter has.", cmplx.Abs)
	Add = binary("cplx.add", "The sum.", func(x, y complex128) complex128 { return x + y })
	Mul = binary("cplx.mul", "The product.", func(x, y complex128) complex128 { return x * y })
)

// partOfMake folds part i of a number that was just made.
func partOfMake(i int) func(*ir.Builder, *ir.Call) ir.Value {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		if g := b.Graph(); g.Def(c.Args[0]) == Make {
			return g.Args(c.Args[0])[i]
		}
		return 0
	}
}

// Dialect is all that irc needs to know.
var Dialect = &ir.Dialect{Name: "cplx", Doc: "Complex numbers.",
	Ops: []*ir.OpDef{Make, Re, Im, Abs, Add, Mul},
	Folds: []ir.Fold{
		{Of: Re, Rule: "re(make(x, y)) = x", Do: partOfMake(0)},
		{Of: Im, Rule: "im(make(x, y)) = y", Do: partOfMake(1)},
	},
	Tables: []any{
		text.Syntax{
			Make: {Format: "$re `,` $im attr-dict"},
			Re:   {Format: "$z attr-dict"},
			Im:   {Format: "$z attr-dict"},
			Abs:  {Format: "$z attr-dict"},
			Add:  {Format: "$x `,` $y attr-dict"},
			Mul:  {Format: "$x `,` $y attr-dict"},
		},
		lower.Table{
			{Level: "arith", Rules: ir.Rules{Add: lowerAdd, Mul: lowerMul}},
			gauss,
		},
		lower.Order{"arith": "scf"},
	},
}

// lowerAdd: (a + ib) + (c + id) = (a+c) + i(b+d).
func lowerAdd(m *ir.Mirror, n ir.Node) ir.Value {
	a, b, c, d := parts(m, n)
	return m.Op(Make, arith.AddF(m.B, a, c), arith.AddF(m.B, b, d))
}

// lowerMul: (a + ib)(c + id) = (ac-bd) + i(ad+bc).
func lowerMul(m *ir.Mirror, n ir.Node) ir.Value {
	a, b, c, d := parts(m, n)
	re := arith.SubF(m.B, arith.MulF(m.B, a, c), arith.MulF(m.B, b, d))
	im := arith.AddF(m.B, arith.MulF(m.B, a, d), arith.MulF(m.B, b, c))
	return m.Op(Make, re, im)
}

func parts(m *ir.Mirror, n ir.Node) (a, b, c, d ir.Value) {
	x, y := m.Of(n.Arg(0)), m.Of(n.Arg(1))
	return m.Op(Re, x), m.Op(Im, x), m.Op(Re, y), m.Op(Im, y)
}

// gauss lowers products before the rule above does, where it is asked for: three products
// of floats for four, and more sums.
var gauss = lower.Lowering{Level: "arith", Name: "cplx.gauss", Before: []string{"cplx"},
	Options: []lower.Option{{Name: "gauss", Doc: "products of three products of floats, in inner loops", Default: false}},
	Of:      []*ir.OpDef{Mul},
	New: func(e *lower.Env) ir.Rules {
		return ir.Rules{Mul: func(m *ir.Mirror, n ir.Node) ir.Value {
			if !e.Bool("gauss") || e.Frequency(n) < e.Target.Costs.Trips {
				return 0 // the next rule is asked
			}
			a, b, c, d := parts(m, n)
			x := arith.MulF(m.B, c, arith.AddF(m.B, a, b))
			y := arith.MulF(m.B, a, arith.SubF(m.B, d, c))
			z := arith.MulF(m.B, b, arith.AddF(m.B, c, d))
			return m.Op(Make, arith.SubF(m.B, x, z), arith.AddF(m.B, x, y))
		}}
	}}
