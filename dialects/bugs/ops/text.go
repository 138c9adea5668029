package ops

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// word writes a string attribute without a type.
var word = text.AttrForm{
	Parse: func(p *text.Parser) ir.Attr { return p.Ctx().StringAttr(p.String()) },
	Print: func(p *text.Printer, a ir.Attr) { p.Quoted(p.Ctx().AttrInfo(a).Str) },
}

func words(names ...string) map[string]text.AttrForm {
	out := map[string]text.AttrForm{}
	for _, n := range names {
		out[n] = word
	}
	return out
}

var declarationForm = text.Form{Format: "$name attr-dict `:` type($result)", Name: declaredName, Attrs: words("name")}

// Syntax is how the ops are written.
var Syntax = text.Syntax{
	ModelOp: {Format: "$sym_name (`values` $values^)? attr-dict-with-keyword $body", Regions: []string{"body"},
		Attrs: map[string]text.AttrForm{"sym_name": text.SymbolName()}, Terminator: Yield},
	Data: declarationForm, Param: declarationForm,
	LogicalVar: {Format: "$name (`given` $given^)? (`holes` $holes^)? attr-dict `:` type($result)", Name: declaredName,
		Attrs: map[string]text.AttrForm{"name": word, "given": {Unit: true}, "holes": {Unit: true}}},
	For: {Parse: parseFor, Print: printFor},
	Stochastic: {Format: "$node `[` $indices `]` `is` $dist `(` $args `)` (`lower` $lower^)? (`upper` $upper^)? (`mask` $mask^)?" +
		" `observed` $observed `name` $name attr-dict `:` type($node)", Attrs: words("dist", "observed", "name")},
	Term: {Format: "$value `name` $name attr-dict", Attrs: words("name")},
	Assign: {Format: "$node `[` $indices `]` `=` $value (`link` $link^)? `name` $name attr-dict `:` type($node)",
		Attrs: words("link", "name")},
	Read:    {Format: "$node `[` $indices `]` attr-dict `:` type($node)"},
	Reduce:  {Format: "$kind $node `[` $bounds `]` attr-dict `:` type($node)", Attrs: words("kind")},
	IndexOf: {Format: "$x (`checked` $checked^)? attr-dict", Attrs: map[string]text.AttrForm{"checked": {Unit: true}}},
	Yield:   {Format: "attr-dict"},
}

// declaredName suggests the variable's own name for its declaration.
func declaredName(g *ir.Graph, v ir.Value) string {
	if a := g.Attr(v, "name"); a != 0 {
		return g.Ctx.AttrInfo(a).Str
	}
	return ""
}

func parseFor(p *text.Parser, op *text.Op) {
	iv := p.ArgumentName()
	iv.Type = ir.Index
	p.Expect("=")
	lower := p.Operand()
	p.Expect("to")
	op.Args = []ir.Value{lower, p.Operand()}
	for _, v := range op.Args {
		p.CheckType(v, ir.Index)
	}
	if p.Optional("reverse") {
		op.SetProp("reverse", p.Ctx().UnitAttr())
	}
	p.Region(op, []text.Param{iv}, Yield)
	p.AttrDict(op)
}

func printFor(p *text.Printer, v ir.Value) {
	args := p.Graph().Args(v)
	p.Str(" ")
	p.ParamName(v, 0, 0)
	p.Str(" = ")
	p.Value(args[0])
	p.Str(" to ")
	p.Value(args[1])
	if p.Graph().Attr(v, "reverse") != 0 {
		p.Str(" reverse")
	}
	p.Region(v, 0, text.RegionStyle{Implicit: Yield})
	p.AttrDict(v, "reverse")
}
