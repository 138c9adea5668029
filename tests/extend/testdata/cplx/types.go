package main

import (
	"errors"

	"github.com/irc-lang/irc/ir"
)

// number is the Go value of the type !cplx.number<elem>: a pair of floats.
type number struct{ Elem ir.Type }

var numberType = ir.DefineType(&ir.TypeDef[number]{Name: "cplx.number", Doc: "A complex number of two floats of one type.",
	Params: []ir.Param[number]{ir.TypeParam("elem", func(t *number) *ir.Type { return &t.Elem })},
	Verify: func(c *ir.Context, t number) error {
		if t.Elem != ir.F32 && t.Elem != ir.F64 {
			return errors.New("is made of f32 or f64")
		}
		return nil
	}})

// elemOf is the element type of operand i, or NoType if that is no complex number.
func elemOf(c *ir.Call, i int) ir.Type {
	t, _ := numberType.Of(c.Ctx(), c.ArgType(i))
	return t.Elem
}

// literal is the Go value of the attribute #cplx.value<re, im : elem>.
type literal struct {
	Re, Im float64
	Elem   ir.Type
}

var literalAttr = ir.DefineAttr(&ir.AttrDef[literal]{Name: "cplx.value", Doc: "A complex number that is known.",
	Format: "`<` $re `,` $im `:` $elem `>`",
	Params: []ir.Param[literal]{
		ir.FloatParam("re", func(a *literal) *float64 { return &a.Re }),
		ir.FloatParam("im", func(a *literal) *float64 { return &a.Im }),
		ir.TypeParam("elem", func(a *literal) *ir.Type { return &a.Elem }),
	},
	Verify: func(c *ir.Context, a literal) error {
		_, err := numberType.Make(c, number{a.Elem})
		return err
	},
	ValueType: func(c *ir.Context, a literal) ir.Type { return numberType.Type(c, number{a.Elem}) },
	Value: func(_ *ir.Context, a literal) ir.Val {
		return pair(ir.FloatVal(a.Re, a.Elem), ir.FloatVal(a.Im, a.Elem))
	},
	FromValue: func(c *ir.Context, t ir.Type, v ir.Val) (literal, bool) {
		n, ok := numberType.Of(c, t)
		z := v.Ref.(ir.Vector)
		return literal{z[0].Float(n.Elem), z[1].Float(n.Elem), n.Elem}, ok
	}})

// pair is a number of a running program.
func pair(re, im ir.Val) ir.Val { return ir.Val{Ref: ir.Vector{re, im}} }

// typeLowerings: from level arith on a number is its two parts.
var typeLowerings = ir.TypeLowerings{"arith": {numberType: {
	Parts: func(c *ir.Context, t ir.Type) []ir.Type {
		n, _ := numberType.Of(c, t)
		return []ir.Type{n.Elem, n.Elem}
	},
	Unpack: func(b *ir.Builder, z ir.Value) []ir.Value { return []ir.Value{b.Op(Re, z), b.Op(Im, z)} },
	Pack:   func(b *ir.Builder, _ ir.Type, parts []ir.Value) ir.Value { return b.Op(Make, parts...) },
	Fields: []string{"re", "im"},
}, vectorType: *vectorParts}}
