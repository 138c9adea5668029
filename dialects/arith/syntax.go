package arith

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// The declarative formats of arith and math (MLIR's ODS).
const (
	overflowFormat = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)"
	castFormat     = "$in attr-dict `:` type($in) `to` type($out)"
)

var syntax = arithSyntax()

func arithSyntax() text.Syntax {
	s := text.Syntax{
		Constant:      {Format: "attr-dict $value"},
		Negf:          elementwise.WithFastMath(elementwise.UnaryFloat),
		AdduiExtended: {Format: "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)", Results: []string{"sum", "overflow"}},
		MuluiExtended: {Format: "$lhs `,` $rhs attr-dict `:` type($lhs)", Results: []string{"low", "high"}},
		MulsiExtended: {Format: "$lhs `,` $rhs attr-dict `:` type($lhs)", Results: []string{"low", "high"}},
		Extf: {Format: "$in (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)", Results: []string{"out"},
			Attrs: map[string]text.AttrForm{"fastmath": elementwise.FastMathNoDefault()}},
		Truncf: {Format: "$in ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)", Results: []string{"out"},
			Attrs: map[string]text.AttrForm{"fastmath": elementwise.FastMathNoDefault(),
				"roundingmode": text.EnumOf(ir.I32, "to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away")}},
		Cmpi: {Format: "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)",
			Attrs: map[string]text.AttrForm{"predicate": text.Enum(cmpiNames...)}},
		Cmpf: {Format: "$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)",
			Attrs: map[string]text.AttrForm{"predicate": text.Enum(cmpfNames...), "fastmath": elementwise.FastMathForm()}},
		Select: {Parse: parseSelect, Print: printSelect},
	}
	for _, d := range []*ir.OpDef{Addi, Subi, Muli, Shli} {
		s[d] = text.Form{Format: overflowFormat, Attrs: map[string]text.AttrForm{"overflowFlags": elementwise.OverflowForm()}}
	}
	for _, d := range []*ir.OpDef{Shrui, Shrsi, Andi, Ori, Xori, Maxsi, Maxui, Minsi, Minui,
		Divui, Divsi, Ceildivui, Ceildivsi, Floordivsi, Remui, Remsi} {
		s[d] = text.Form{Format: elementwise.BinaryInt}
	}
	for _, d := range []*ir.OpDef{Addf, Subf, Mulf, Divf, Remf, Maximumf, Minimumf, Maxnumf, Minnumf} {
		s[d] = elementwise.WithFastMath(elementwise.BinaryFloat)
	}
	for _, d := range []*ir.OpDef{Extui, Extsi, Trunci, Uitofp, Sitofp, Fptoui, Fptosi, IndexCast, IndexCastui, Bitcast} {
		s[d] = text.Form{Format: castFormat, Results: []string{"out"}}
	}
	return s
}

// arith.select names the type of its condition only where that is not i1.
func parseSelect(p *text.Parser, op *text.Op) {
	cond := p.Operand()
	p.Expect(",")
	yes := p.Operand()
	p.Expect(",")
	no := p.Operand()
	p.AttrDict(op)
	t := p.ColonType()
	condType := ir.I1
	if p.Optional(",") {
		condType, t = t, p.Type()
	}
	p.CheckTypes([]ir.Value{cond, yes, no}, []ir.Type{condType, t, t})
	op.Args = []ir.Value{cond, yes, no}
	op.SetTypes(t)
}

func printSelect(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args := g.Args(v)
	p.Str(" ")
	p.Values(args)
	p.AttrDict(v)
	p.Str(" : ")
	if t := g.Type(args[0]); t != ir.I1 {
		p.Type(t)
		p.Str(", ")
	}
	p.Type(g.Type(v))
}
