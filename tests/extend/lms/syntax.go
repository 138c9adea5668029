package lms

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

var syntax = text.Syntax{
	P: {Format: "$name (`(` $args^ `:` type($args) `)`)? attr-dict `:` type($result)",
		Attrs: map[string]text.AttrForm{"name": {Parse: parseName, Print: printName}}},
	Print:   {Format: "$value attr-dict"},
	Yield:   {Format: "$value attr-dict"},
	App:     {Format: "$fun (`(` $args^ `:` type($args) `)`)? attr-dict"},
	Var:     {Format: "$init attr-dict `:` type($init)"},
	Get:     {Format: "$var attr-dict `:` type($result)"},
	Set:     {Format: "$var `,` $value attr-dict `:` type($value)"},
	NewMut:  {Format: "$n attr-dict"},
	MutCopy: {Format: "$a attr-dict"},
	Read:    {Format: "$a `[` $i `]` attr-dict"},
	Write:   {Format: "$a `[` $i `]` `,` $value attr-dict"},
	Len:     {Format: "$a attr-dict"},
	Lit:     {Format: "$elements attr-dict `:` type($elements)"},
	At:      {Format: "$a `[` $i `]` attr-dict"},
	Clone:   {Format: "$a attr-dict `:` type($a)"},
	Zeros:   {Format: "$n attr-dict"},
	Plus:    {Format: "$a `,` $b attr-dict"},
	Fun:     {Parse: parseFun, Print: printFun},
	Arr:     {Parse: parseBuild, Print: printBuild},
	Sum:     {Parse: parseBuild, Print: printBuild},
}

// parseName reads a string without the type that could follow one.
func parseName(p *text.Parser) ir.Attr { return p.Ctx().StringAttr(p.String()) }

func printName(p *text.Printer, a ir.Attr) { p.Quoted(p.Ctx().AttrInfo(a).Str) }

// parseFun reads `(%x: i64, ...) {...}`.
func parseFun(p *text.Parser, op *text.Op) {
	var params []text.Param
	p.List("(", ")", func() { params = append(params, p.Argument()) })
	p.Region(op, params, nil)
	p.AttrDict(op)
}

func printFun(p *text.Printer, v ir.Value) {
	p.Str("(")
	for i, x := range p.Params(v, 0) {
		if i > 0 {
			p.Str(", ")
		}
		p.ParamName(v, 0, i)
		p.Str(": ")
		p.Type(p.Graph().Type(x))
	}
	p.Str(")")
	p.Region(v, 0, text.RegionStyle{})
	p.AttrDict(v)
}

// parseBuild reads `%i < %n {...}`.
func parseBuild(p *text.Parser, op *text.Op) {
	i := p.ArgumentName()
	i.Type = ir.I64
	p.Expect("<")
	op.Args = []ir.Value{p.Operand()}
	p.Region(op, []text.Param{i}, nil)
	p.AttrDict(op)
}

func printBuild(p *text.Printer, v ir.Value) {
	p.Str(" ")
	p.ParamName(v, 0, 0)
	p.Str(" < ")
	p.Value(p.Graph().Args(v)[0])
	p.Region(v, 0, text.RegionStyle{})
	p.AttrDict(v)
}
