// Package main is a dialect of complex numbers, a pass and a backend for it, and
// an irc of its own with them, all outside of irc's repository.
package main

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/text"
)

// Make takes two floats and gives a complex number.
var Make = ir.Define(&ir.OpDef{Name: "cplx.make", Doc: "The number re + i im.", Args: []string{"re", "im"},
	Infer: func(c *ir.Call) (ir.Type, error) {
		if len(c.Args) != 2 || c.ArgType(0) != c.ArgType(1) {
			return 0, c.Errorf("takes two floats of one type")
		}
		t, err := numberType.Make(c.Ctx(), number{c.ArgType(0)})
		if err != nil {
			return 0, c.Errorf("makes a number that %v", err)
		}
		return t, nil
	},
	Eval: func(c *ir.Call, a []ir.Val) (ir.Val, error) { return pair(a[0], a[1]), nil }})

// Constant is a number that is known. Ops on such numbers are folded by their Eval.
var Constant = ir.Define(&ir.OpDef{Name: "cplx.constant", Doc: "A number that is known.",
	Attrs: []string{"value"}, Traits: ir.ConstantLike,
	Infer: func(c *ir.Call) (ir.Type, error) {
		a, ok := literalAttr.Of(c.Ctx(), c.Get("value"))
		if !ok {
			return 0, c.Errorf("has a value #cplx.value<re, im : type>")
		}
		return numberType.Type(c.Ctx(), number{a.Elem}), nil
	}})

// part defines an op from a complex number to a float, its part i.
func part(name, doc string, i int) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: name, Doc: doc, Args: []string{"z"},
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 1 || elemOf(c, 0) == ir.NoType {
				return 0, c.Errorf("takes one !cplx.number")
			}
			return elemOf(c, 0), nil
		},
		Eval: func(c *ir.Call, a []ir.Val) (ir.Val, error) { return a[0].Ref.(ir.Vector)[i], nil }})
}

// binary defines an op on two complex numbers. do gets their parts as float64s; round
// gives each step the precision of their type.
func binary(name, doc string, do func(a, b, c, d float64, round func(float64) float64) (re, im float64)) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: name, Doc: doc, Args: []string{"x", "y"}, Traits: ir.Commutative,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 2 || elemOf(c, 0) == ir.NoType || c.ArgType(0) != c.ArgType(1) {
				return 0, c.Errorf("takes two !cplx.number of one type")
			}
			return c.ArgType(0), nil
		},
		Eval: func(c *ir.Call, v []ir.Val) (ir.Val, error) {
			x, y, t := v[0].Ref.(ir.Vector), v[1].Ref.(ir.Vector), elemOf(c, 0)
			re, im := do(x[0].Float(t), x[1].Float(t), y[0].Float(t), y[1].Float(t), func(x float64) float64 { return ir.FloatVal(x, t).Float(t) })
			return pair(ir.FloatVal(re, t), ir.FloatVal(im, t)), nil
		}})
}

// The other ops.
var (
	Re  = part("cplx.re", "The real part.", 0)
	Im  = part("cplx.im", "The imaginary part.", 1)
	Add = binary("cplx.add", "The sum.", func(a, b, c, d float64, _ func(float64) float64) (re, im float64) { return a + c, b + d })
	Mul = binary("cplx.mul", "The product.", func(a, b, c, d float64, round func(float64) float64) (re, im float64) {
		return round(a*c) - round(b*d), round(a*d) + round(b*c)
	})
)

// Abs has no lowering.
var Abs = ir.Define(&ir.OpDef{Name: "cplx.abs", Doc: "The absolute value, which only the interpreter has.", Args: []string{"z"},
	Infer: Re.Infer,
	Eval: func(c *ir.Call, a []ir.Val) (ir.Val, error) {
		z, t := a[0].Ref.(ir.Vector), elemOf(c, 0)
		return ir.FloatVal(math.Hypot(z[0].Float(t), z[1].Float(t)), t), nil
	}})

// partOfMake folds part i of a number that was just made.
func partOfMake(i int) func(*ir.Builder, *ir.Call) ir.Value {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		if g := b.Graph(); g.Def(c.Args[0]) == Make {
			return g.Args(c.Args[0])[i]
		}
		return 0
	}
}

// reOfMul makes no more of a product than the part that is used. Where something else needs
// the product too, that would compute it twice.
func reOfMul(m *ir.Mirror, n ir.Node) ir.Value {
	product := n.Arg(0)
	if product.Def() != Mul || product.NumUses() != 1 {
		return 0
	}
	a, b, c, d := parts(m, product)
	return arith.SubF(m.B, arith.MulF(m.B, a, c), arith.MulF(m.B, b, d))
}

// Dialect is all that irc needs to know.
var Dialect = &ir.Dialect{Name: "cplx", Doc: "Complex numbers.", Clean: true,
	Types: []ir.Defined{numberType, vectorType},
	Attrs: []ir.Defined{literalAttr},
	Ops:   []*ir.OpDef{Make, Constant, Re, Im, Abs, Add, Mul, Norm, Repeat, Yield, ReAll, ImAll, Gather, Dot},
	Folds: []ir.Fold{
		{Of: Re, Rule: "re(make(x, y)) = x", Do: partOfMake(0)},
		{Of: Im, Rule: "im(make(x, y)) = y", Do: partOfMake(1)},
		{Of: ReAll, Rule: "re_all(gather(x, y)) = x", Do: arrayOfGather(0)},
		{Of: ImAll, Rule: "im_all(gather(x, y)) = y", Do: arrayOfGather(1)},
	},
	Cleanups: []ir.Cleanup{
		{Of: Re, Rule: "re(x * y) = re x * re y - im x * im y, if nothing else uses the product", Do: reOfMul},
	},
	Tables: []any{
		text.Syntax{
			Make:     {Format: "$re `,` $im attr-dict `:` type($re)"},
			Constant: {Format: "$value attr-dict", Attrs: map[string]text.AttrForm{"value": text.DefinedForm(literalAttr)}},
			Re:       {Format: "$z attr-dict"},
			Im:       {Format: "$z attr-dict"},
			Abs:      {Format: "$z attr-dict"},
			Add:      {Format: "$x `,` $y attr-dict"},
			Mul:      {Format: "$x `,` $y attr-dict"},
			Norm:     {Format: "$x `,` $y attr-dict `:` type($x)"},
			Repeat:   {Format: "$times `times` $init regions attr-dict", Attrs: map[string]text.AttrForm{"times": text.Number(ir.I64)}},
			Yield:    {Format: "$z attr-dict"},
			Dot:      {Format: "$x `,` $y attr-dict"},
		},
		lower.Table{
			{Level: "arith", Rules: ir.Rules{Add: lowerAdd, Mul: lowerMul, Norm: lowerNorm, Repeat: lowerRepeat, Dot: lowerDot}},
			gauss,
		},
		lower.Order{"arith": "scf"},
		typeLowerings,
		interp.Table{Repeat: runRepeat, Dot: runDot},
		loops,
		derivatives,
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

// few is an option: `lower{to=arith gauss=true}` sets it.
var few = lower.Choice("gauss", false, "products of three products of floats, in inner loops")

// gauss lowers products before the rule above does, where it is asked for: three products
// of floats for four, and more sums.
var gauss = lower.Lowering{Level: "arith", Name: "cplx.gauss", Before: []string{"cplx"},
	Options: []lower.Option{few.Option},
	Of:      []*ir.OpDef{Mul},
	New: func(e *lower.Env) ir.Rules {
		return ir.Rules{Mul: func(m *ir.Mirror, n ir.Node) ir.Value {
			if !few.In(e) || e.Frequency(n) < e.Target.Costs.Trips {
				return 0 // the next rule is asked
			}
			a, b, c, d := parts(m, n)
			x := arith.MulF(m.B, c, arith.AddF(m.B, a, b))
			y := arith.MulF(m.B, a, arith.SubF(m.B, d, c))
			z := arith.MulF(m.B, b, arith.AddF(m.B, c, d))
			return m.Op(Make, arith.SubF(m.B, x, z), arith.AddF(m.B, x, y))
		}}
	}}
