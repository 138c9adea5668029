package nvgpu

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

var syntax = text.Syntax{
	MmaSync:  {Format: "`(` $matrixA `,` $matrixB `,` $matrixC `)` attr-dict `:` `(` type($matrixA) `,` type($matrixB) `,` type($matrixC) `)` `->` type($result)"},
	Ldmatrix: {Format: "$srcMemref `[` $indices `]` attr-dict `:` type($srcMemref) `->` type($result)"},
	AsyncCopy: {Format: "$src `[` $srcIndices `]` `,` $dst `[` $dstIndices `]` `,` $dstElements (`,` $srcElements^)? attr-dict `:` type($src) `to` type($dst)",
		Attrs: map[string]text.AttrForm{"dstElements": {Parse: parseIndex, Print: printNumber}}},
	AsyncGroup: {Format: "$inputTokens attr-dict"},
	AsyncWait:  {Format: "$asyncDependencies attr-dict"},
}

func parseIndex(p *text.Parser) ir.Attr      { return p.Ctx().IntAttr(p.Integer(), ir.Index) }
func printNumber(p *text.Printer, a ir.Attr) { p.Int(p.Ctx().AttrInfo(a).Int) }
