package scf

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

var syntax = text.Syntax{
	Condition:     {Format: "`(` $condition `)` attr-dict ($args^ `:` type($args))?"},
	Yield:         {Format: "attr-dict ($results^ `:` type($results))?"},
	ReduceReturn:  {Format: "$result attr-dict `:` type($result)"},
	ExecuteRegion: {Parse: parseExecuteRegion, Print: printExecuteRegion, Blocks: true, Ends: endsExecuteRegion},
	For:           {Parse: parseFor, Print: printFor},
	Forall:        {Parse: parseForall, Print: printForall},
	InParallel:    {Parse: parseInParallel, Print: printInParallel},
	If:            {Parse: parseIf, Print: printIf},
	IndexSwitch:   {Parse: parseSwitch, Print: printSwitch},
	Parallel:      {Parse: parseParallel, Print: printParallel, Check: checkSteps},
	Reduce:        {Parse: parseReduce, Print: printReduce},
	While:         {Parse: parseWhile, Print: printWhile},
}

// arrow reads `-> types` if it is there, as the types of op.
func arrow(p *text.Parser, op *text.Op) []ir.Type {
	var ts []ir.Type
	if p.Peek("->") {
		ts = p.ArrowTypes()
	}
	op.SetTypes(ts...)
	return ts
}

// printArrow prints the types of results in parentheses.
func printArrow(p *text.Printer, v ir.Value) {
	if ts := p.Ctx().Results(p.Graph().Type(v)); len(ts) > 0 {
		p.Str(" -> (")
		p.Types(ts)
		p.Str(")")
	}
}

// implicit is the terminator that an op without results leaves out.
func implicit(g *ir.Graph, v ir.Value, t *ir.OpDef) *ir.OpDef {
	if g.Results(v) > 0 {
		return nil
	}
	return t
}

// initList reads `(%a = %x, ...)`.
func initList(p *text.Parser) (names []text.Param, inits []ir.Value) {
	p.List("(", ")", func() {
		names = append(names, p.ArgumentName())
		p.Expect("=")
		inits = append(inits, p.Operand())
	})
	return names, inits
}

// printInits prints `(%a = %x, ...)` of the parameters of region i from first on.
func printInits(p *text.Printer, v ir.Value, first int, inits []ir.Value) {
	p.Str("(")
	for i, x := range inits {
		if i > 0 {
			p.Str(", ")
		}
		p.ParamName(v, 0, first+i)
		p.Str(" = ")
		p.Value(x)
	}
	p.Str(")")
}

// typed gives named parameters their types.
func typed(p *text.Parser, names []text.Param, ts []ir.Type, at int) {
	if len(names) != len(ts) {
		p.Errorf(at, "%d values are named, but %d types are given", len(names), len(ts))
	}
	for i := range names {
		names[i].Type = ts[i]
	}
}

func parseFor(p *text.Parser, op *text.Op) {
	at := p.At()
	iv := p.ArgumentName()
	p.Expect("=")
	lower := p.Operand()
	p.Expect("to")
	upper := p.Operand()
	p.Expect("step")
	op.Args = []ir.Value{lower, upper, p.Operand()}
	params := []text.Param{iv}
	var inits []ir.Value
	if p.Optional("iter_args") {
		var names []text.Param
		names, inits = initList(p)
		typed(p, names, arrow(p, op), at)
		params = append(params, names...)
	}
	params[0].Type = ir.Index
	if p.Peek(":") {
		params[0].Type = p.ColonType()
	}
	for _, v := range op.Args {
		p.CheckType(v, params[0].Type)
	}
	for i, v := range inits {
		p.CheckType(v, params[i+1].Type)
	}
	op.Args = append(op.Args, inits...)
	var end *ir.OpDef
	if len(inits) == 0 {
		end = Yield
	}
	p.Region(op, params, end)
	p.AttrDict(op)
}

func printFor(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args := g.Args(v)
	p.Str(" ")
	p.ParamName(v, 0, 0)
	p.Str(" = ")
	p.Value(args[0])
	p.Str(" to ")
	p.Value(args[1])
	p.Str(" step ")
	p.Value(args[2])
	if len(args) > 3 {
		p.Str(" iter_args")
		printInits(p, v, 1, args[3:])
		printArrow(p, v)
	}
	if t := g.Type(args[0]); t != ir.Index {
		p.Str(" : ")
		p.Type(t)
	}
	p.Region(v, 0, text.RegionStyle{Implicit: implicit(g, v, Yield)})
	p.AttrDict(v)
}

func parseIf(p *text.Parser, op *text.Op) {
	op.Args = []ir.Value{p.Operand()}
	p.CheckType(op.Args[0], ir.I1)
	var end *ir.OpDef
	if len(arrow(p, op)) == 0 {
		end = Yield
	}
	p.Region(op, nil, end)
	if p.Optional("else") {
		p.Region(op, nil, end)
	} else {
		p.NoRegion(op)
	}
	p.AttrDict(op)
}

func printIf(p *text.Printer, v ir.Value) {
	style := text.RegionStyle{Implicit: implicit(p.Graph(), v, Yield)}
	p.Str(" ")
	p.Value(p.Graph().Args(v)[0])
	printArrow(p, v)
	p.Region(v, 0, style)
	if p.HasBody(v, 1) {
		p.Str(" else")
		p.Region(v, 1, style)
	}
	p.AttrDict(v)
}

func parseExecuteRegion(p *text.Parser, op *text.Op) {
	arrow(p, op)
	p.Region(op, nil, nil)
	p.AttrDict(op)
}

// endsExecuteRegion is the yield of a region that control never leaves.
func endsExecuteRegion(_ *ir.Context, op *text.Op) (*ir.OpDef, []ir.Type) { return Yield, op.Types }

func printExecuteRegion(p *text.Printer, v ir.Value) {
	p.ArrowTypes(p.Ctx().Results(p.Graph().Type(v)))
	p.Region(v, 0, text.RegionStyle{})
	p.AttrDict(v)
}

func parseWhile(p *text.Parser, op *text.Op) {
	at := p.At()
	var names []text.Param
	if p.Peek("(") {
		names, op.Args = initList(p)
	}
	p.Expect(":")
	in, out := p.FunctionType()
	typed(p, names, in, at)
	p.CheckTypes(op.Args, in)
	op.SetTypes(out...)
	p.Region(op, names, nil)
	p.Expect("do")
	p.Region(op, nil, nil)
	p.AttrDictWithKeyword(op)
}

func printWhile(p *text.Printer, v ir.Value) {
	g := p.Graph()
	if len(g.Args(v)) > 0 {
		p.Str(" ")
		printInits(p, v, 0, g.Args(v))
	}
	p.Str(" : ")
	p.FunctionType(typesOf(g, g.Args(v)), p.Ctx().Results(g.Type(v)))
	p.Region(v, 0, text.RegionStyle{})
	p.Str(" do")
	p.Region(v, 1, text.RegionStyle{Args: true})
	p.AttrDictWithKeyword(v)
}

func parseSwitch(p *text.Parser, op *text.Op) {
	op.Args = []ir.Value{p.Operand()}
	p.CheckType(op.Args[0], ir.Index)
	p.AttrDict(op)
	if p.Optional("->") { // without parentheses, unlike the others
		op.SetTypes(p.Types()...)
	} else {
		op.SetTypes()
	}
	var end *ir.OpDef
	if len(op.Types) == 0 {
		end = Yield
	}
	start := p.At()
	cases, early := skipCases(p)
	op.SetProp("cases", p.Ctx().DenseArray(ir.I64, cases...))
	if early { // the default region stands last in the text and first in the op
		p.Region(op, nil, end)
	}
	for p.Back(start); p.Optional("case"); p.Region(op, nil, end) {
		p.Integer()
	}
	p.Expect("default")
	if !early || !p.SkipRegion() {
		p.Region(op, nil, end)
		p.Errorf(start, "the braces of the cases do not match")
	}
}

// skipCases moves past the cases of a switch to its default region, if all is
// written as it should be. Else there is an error to be found, in the order of the
// text.
func skipCases(p *text.Parser) (cases []int64, ok bool) {
	for p.Optional("case") {
		n, ok := p.OptionalInteger()
		if !ok || !p.SkipRegion() {
			return cases, false
		}
		cases = append(cases, n)
	}
	return cases, p.Optional("default")
}

func printSwitch(p *text.Printer, v ir.Value) {
	g := p.Graph()
	style := text.RegionStyle{Implicit: implicit(g, v, Yield)}
	p.Str(" ")
	p.Value(g.Args(v)[0])
	p.AttrDict(v, "cases")
	if ts := p.Ctx().Results(g.Type(v)); len(ts) > 0 {
		p.Str(" -> ")
		p.Types(ts)
	}
	for i, n := range p.Ctx().Ints(p.Prop(v, "cases")) {
		p.Newline()
		p.Str("case ")
		p.Int(n)
		p.Region(v, i+1, text.RegionStyle{}) // mlir-opt wants the terminator of a case
	}
	p.Newline()
	p.Str("default")
	p.Region(v, 0, style)
}
