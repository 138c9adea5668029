package device

import (
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

var idForm = text.Form{Format: "$dimension attr-dict",
	Attrs: map[string]text.AttrForm{"dimension": {Parse: parseDimension, Print: printDimension}}}

var syntax = text.Syntax{
	Kernel: {Parse: funcs.ParseFunction, Print: funcs.PrintFunction},
	Return: {Format: "attr-dict"},
	Launch: {Format: "$kernel `blocks` `(` $grid `)` `threads` `(` $block `)` (`args` `(` $operands^ `:` type($operands) `)`)? attr-dict"},

	ThreadID: idForm, BlockID: idForm, BlockDim: idForm, GridDim: idForm,

	Shuffle: {Format: "$mode $value `,` $lane attr-dict `:` type($value)", Attrs: map[string]text.AttrForm{"mode": {Parse: parseMode, Print: printDimension}}},

	Barrier:   {Format: "attr-dict"},
	Shared:    {Format: "attr-dict `:` type($result)"},
	AtomicCAS: {Format: "$expected `,` $desired `,` $memref `[` $indices `]` attr-dict `:` type($memref)"},
}

func parseDimension(p *text.Parser) ir.Attr {
	at := p.At()
	d := p.OptionalKeywordOf(dimensions...)
	if d == "" {
		p.Errorf(at, "expected x, y or z")
	}
	return p.Ctx().StringAttr(d)
}

func parseMode(p *text.Parser) ir.Attr {
	at := p.At()
	m := p.OptionalKeywordOf(modes...)
	if m == "" {
		p.Errorf(at, "expected xor, up, down or idx")
	}
	return p.Ctx().StringAttr(m)
}

func printDimension(p *text.Printer, a ir.Attr) { p.Str(p.Ctx().AttrInfo(a).Str) }
