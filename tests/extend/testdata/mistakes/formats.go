package main

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// formats are mistakes in how ops, types and attributes are written.
var formats = []mistake{
	{"format", func(x *extension) { x.opIn("$x `,` $z attr-dict `:` type($x)", nil) }},
	{"formatmissing", func(x *extension) { x.opIn("$x attr-dict `:` type($x)", nil) }},
	{"formatanchor", func(x *extension) { x.opIn("$x `,` $y (`flag` $note)? attr-dict `:` type($x)", note) }},
	{"formatliteralanchor", func(x *extension) { x.opIn("$x `,` $y (`flag`^ $note)? attr-dict `:` type($x)", note) }},
	{"formatalways", func(x *extension) { x.opIn("$x (`,` $y^)? attr-dict `:` type($x)", nil) }},
	{"formatnodict", func(x *extension) { x.opIn("$x `,` $y `:` type($x)", nil) }},
	{"formatnotype", func(x *extension) {
		x.opIn("$x `,` $y attr-dict", func(d *ir.OpDef) { d.Infer = func(c *ir.Call) (ir.Type, error) { return c.Type, nil } })
	}},
	{"formatasks", func(x *extension) {
		x.opIn("$x `,` $y attr-dict `:` type($x)", func(d *ir.OpDef) {
			d.Infer = func(c *ir.Call) (ir.Type, error) {
				if len(c.Args) != 2 || !c.Ctx().IsInt(c.Type) {
					return 0, c.Errorf("takes two operands, and gives an integer")
				}
				return c.Type, nil
			}
		})
	}},
	{"formatambig", func(x *extension) {
		x.opIn("$x `;` $y attr-dict `:` type($x)", func(d *ir.OpDef) { d.Args, d.Infer = []string{"x...", "y..."}, inferMany })
	}},
	{"formatquote", func(x *extension) { x.opIn("$x `, $y attr-dict : type($x)", nil) }},
	{"formatcomma", func(x *extension) { x.opIn("$x, $y attr-dict `:` type($x)", nil) }},
	{"formatdirective", func(x *extension) { x.opIn("$x `,` $y attrs-dict `:` type($x)", nil) }},
	{"formatfunctional", func(x *extension) { x.opIn("$x `,` $y attr-dict `:` functional-type($x, results)", nil) }},
	{"formatopen", func(x *extension) { x.opIn("$x `,` $y (`flag` $note^ attr-dict `:` type($x)", note) }},
	{"formatcustom", func(x *extension) { x.opIn("custom<Pair>($x, $y) attr-dict `:` type($x)", nil) }},
	{"formattypo", func(x *extension) {
		x.opIn("$lhs `,` $rhs attr-dict `:` type($lsh)", func(d *ir.OpDef) { d.Args = []string{"lhs", "rhs"} })
	}},
	{"formatregions", func(x *extension) {
		x.opIn("$x `,` $y attr-dict `:` type($x)", func(d *ir.OpDef) {
			d.Bodies, d.Eval = []ir.RegionKind{ir.Once}, nil
			d.Traits = ir.TextOnly
		})
	}},
	{"formatattrs", func(x *extension) {
		x.opWith(text.Form{Format: "$x `,` $y (`flag` $note^)? attr-dict `:` type($x)", Attrs: map[string]text.AttrForm{"nota": text.Enum("a", "b")}}, note)
	}},
	{"formatparse", func(x *extension) {
		x.opWith(text.Form{Format: "$x `,` $y attr-dict `:` type($x)", Parse: func(*text.Parser, *text.Op) {}}, nil)
	}},
	{"formatnoprint", func(x *extension) { x.opWith(text.Form{Parse: func(*text.Parser, *text.Op) {}}, nil) }},
	{"formatend", func(x *extension) {
		end := ir.Define(&ir.OpDef{Name: "formatend.end", Doc: "Ends nothing.", Infer: inferTwo, Eval: first})
		x.Ops = append(x.Ops, end)
		x.lowers(end)
		x.opWith(text.Form{Format: "$x `,` $y attr-dict `:` type($x)", Terminator: end}, nil)
	}},
	{"typename", func(x *extension) { x.Types = []ir.Defined{ir.DefineType(&ir.TypeDef[ir.Unit]{Name: "worse.t"})} }},
	{"typeformat", func(x *extension) {
		x.Types = []ir.Defined{ir.DefineType(&ir.TypeDef[ir.Unit]{Name: "typeformat.t", Format: "`<` $n `>`"})}
	}},
	{"typelost", func(x *extension) {
		x.Types = []ir.Defined{ir.DefineType(&ir.TypeDef[sized]{Name: "typelost.t", Format: "`<` $n `>`", Params: sizedParams})}
	}},
	{"typedirective", func(x *extension) {
		x.Types = []ir.Defined{ir.DefineType(&ir.TypeDef[sized]{Name: "typedirective.t", Format: "`<` $n `x` type($elem) `>`", Params: sizedParams})}
	}},
	{"typemade", func(x *extension) { x.Types = []ir.Defined{&ir.TypeDef[ir.Unit]{Name: "typemade.t"}} }},
	{"typetwice", func(x *extension) {
		x.Types = []ir.Defined{ir.DefineType(&ir.TypeDef[ir.Unit]{Name: "typetwice.t"}), ir.DefineType(&ir.TypeDef[ir.Unit]{Name: "typetwice.t", Doc: "Another."})}
	}},
	{"typewords", func(x *extension) {
		x.Types = []ir.Defined{ir.DefineType(&ir.TypeDef[sized]{Name: "typewords.t", Params: []ir.Param[sized]{ir.WordParam("kind", nil, func(t *sized) *int64 { return &t.N })}})}
	}},
	{"typeparams", func(x *extension) {
		x.Types = []ir.Defined{ir.DefineType(&ir.TypeDef[sized]{Name: "typeparams.t", Params: []ir.Param[sized]{
			ir.IntParam("n", func(t *sized) *int64 { return &t.N }), ir.TypeParam("n", func(t *sized) *ir.Type { return &t.Elem })}})}
	}},
	{"typeunlisted", func(x *extension) { // text takes it for a word
		x.op(nil)
		ir.DefineType(&ir.TypeDef[sized]{Name: "typeunlisted.t", Params: sizedParams})
	}},
	{"attrunlisted", func(x *extension) {
		x.op(nil)
		ir.DefineAttr(&ir.AttrDef[sized]{Name: "attrunlisted.a", Params: sizedParams})
	}},
	{"attrvalue", func(x *extension) {
		x.Attrs = []ir.Defined{ir.DefineAttr(&ir.AttrDef[sized]{Name: "attrvalue.a", Params: sizedParams,
			ValueType: func(*ir.Context, sized) ir.Type { return ir.I64 },
			Value:     func(_ *ir.Context, a sized) ir.Val { return ir.IntVal(a.N, 64) }})}
	}},
	{"attrname", func(x *extension) { x.Attrs = []ir.Defined{ir.DefineAttr(&ir.AttrDef[ir.Unit]{Name: "worse.a"})} }},
}

// note gives the op an attribute that may be absent.
func note(d *ir.OpDef) { d.Attrs = []string{"note"} }

// inferMany takes operands of one type.
func inferMany(c *ir.Call) (ir.Type, error) {
	for i := range c.Args {
		if c.ArgType(i) != c.ArgType(0) {
			return 0, c.Errorf("takes operands of one type")
		}
	}
	if len(c.Args) == 0 {
		return 0, c.Errorf("takes operands")
	}
	return c.ArgType(0), nil
}

// sized is the Go value of a type with two parameters.
type sized struct {
	N    int64
	Elem ir.Type
}

var sizedParams = []ir.Param[sized]{
	ir.IntParam("n", func(t *sized) *int64 { return &t.N }),
	ir.TypeParam("elem", func(t *sized) *ir.Type { return &t.Elem }),
}
