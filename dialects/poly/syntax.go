package poly

import (
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	irtext "github.com/irc-lang/irc/ir/text"
)

var syntax = irtext.Syntax{
	SystemOp:  {Parse: parseSystem, Print: printSystem},
	Bind:      {Parse: parseBind, Print: printBind},
	Local:     {Parse: parseLocal, Print: printLocal},
	Statement: {Parse: parseStatement, Print: printStatement},
	At:        {Parse: parseAt, Print: printAt},
	Yield:     {Parse: parseYield, Print: printYield},
}

func quoted(p *irtext.Parser) ir.Attr { return p.Ctx().StringAttr(p.String()) }

func quotedSet(p *irtext.Parser) ir.Attr {
	at := p.At()
	s, err := presburger.ParseSet(p.String())
	if err != nil {
		p.Errorf(at, "%v", err)
	}
	return SetAttr(p.Ctx(), s)
}

func quotedMap(p *irtext.Parser) ir.Attr {
	at := p.At()
	m, err := presburger.ParseMap(p.String())
	if err != nil {
		p.Errorf(at, "%v", err)
	}
	return MapAttr(p.Ctx(), m)
}

// lines reads a schedule tree, a line of YAML in each string.
func lines(p *irtext.Parser) ir.Attr {
	at := p.At()
	var list []string
	p.List("[", "]", func() { list = append(list, p.String()) })
	t, err := parseTree(strings.Join(list, "\n"))
	if err != nil {
		p.Errorf(at, "%v", err)
	}
	return TreeAttr(p.Ctx(), t)
}

// singleQuotes spares the text form the escapes of double ones, where YAML means the same.
func singleQuotes(line string) string {
	if strings.ContainsAny(line, "'\\") {
		return line
	}
	return strings.ReplaceAll(line, "\"", "'")
}

func printQuoted(p *irtext.Printer, a ir.Attr) {
	c := p.Ctx()
	if s, ok := setAttr.Of(c, a); ok {
		p.Quoted(s.Set.String())
		return
	}
	if m, ok := mapAttr.Of(c, a); ok {
		p.Quoted(m.Map.String())
		return
	}
	p.Quoted(stringOf(c, a))
}

// parseSystem reads `(%n = "N", ...) context "..." equations schedule [...] {...}`.
func parseSystem(p *irtext.Parser, op *irtext.Op) {
	var list []ir.Attr
	p.List("(", ")", func() {
		op.Args = append(op.Args, p.Operand())
		p.Expect("=")
		list = append(list, quoted(p))
	})
	op.SetProp("names", p.Ctx().ArrayAttr(list...))
	if p.Optional("context") {
		op.SetProp("context", quotedSet(p))
	}
	if p.Optional("equations") {
		op.SetProp("equations", p.Ctx().UnitAttr())
	}
	if p.Optional("schedule") {
		op.SetProp("schedule", lines(p))
	}
	p.Region(op, nil, Yield)
	p.AttrDict(op)
}

func printSystem(p *irtext.Printer, v ir.Value) {
	g := p.Graph()
	p.Str(" (")
	ns := names(p.Ctx(), g.AttrsOf(v))
	for i, x := range g.Args(v) {
		if i > 0 {
			p.Str(", ")
		}
		p.Value(x)
		p.Str(" = ")
		p.Quoted(ns[i])
	}
	p.Str(")")
	if a := p.Prop(v, "context"); a != 0 {
		p.Str(" context ")
		printQuoted(p, a)
	}
	if p.Prop(v, "equations") != 0 {
		p.Str(" equations")
	}
	if t, ok := treeAttr.Of(p.Ctx(), p.Prop(v, "schedule")); ok {
		p.Str(" schedule [")
		for i, line := range strings.Split(strings.TrimSuffix(t.Tree.String(), "\n"), "\n") {
			if i > 0 {
				p.Str(",")
			}
			p.Newline()
			p.Str("    ")
			p.Quoted(singleQuotes(line))
		}
		p.Str("]")
	}
	p.Region(v, 0, irtext.RegionStyle{Implicit: Yield})
	p.AttrDict(v, "names", "context", "equations", "schedule")
}

// parseBind reads `%m as input "A" in "{ A[i] : ... }" : memref<?xf64>`.
func parseBind(p *irtext.Parser, op *irtext.Op) {
	op.Args = []ir.Value{p.Operand()}
	p.Expect("as")
	at := p.At()
	role := p.OptionalKeywordOf(roleWords...)
	if role == "" {
		p.Errorf(at, "expected input, output or inout")
	}
	op.SetProp("role", p.Ctx().StringAttr(role))
	op.SetProp("name", quoted(p))
	if p.Optional("in") {
		op.SetProp("extent", quotedSet(p))
	}
	if p.Optional("inbounds") {
		op.SetProp("inbounds", p.Ctx().UnitAttr())
	}
	p.AttrDict(op)
	p.CheckType(op.Args[0], p.ColonType())
}

func printBind(p *irtext.Printer, v ir.Value) {
	g := p.Graph()
	p.Str(" ")
	p.Value(g.Args(v)[0])
	p.Str(" as ", stringOf(p.Ctx(), p.Prop(v, "role")), " ")
	p.Quoted(nameOf(g, v))
	printExtent(p, v)
	if p.Prop(v, "inbounds") != 0 {
		p.Str(" inbounds")
	}
	p.AttrDict(v, "role", "name", "extent", "inbounds")
	p.Str(" : ")
	p.Type(g.Type(g.Args(v)[0]))
}

func printExtent(p *irtext.Printer, v ir.Value) {
	if a := p.Prop(v, "extent"); a != 0 {
		p.Str(" in ")
		printQuoted(p, a)
	}
}

// parseLocal reads `"A" in "{ A[i] : ... }" stored "{ A[i] -> [i mod 2] }" : f64`.
func parseLocal(p *irtext.Parser, op *irtext.Op) {
	op.SetProp("name", quoted(p))
	p.Expect("in")
	extent := quotedSet(p)
	op.SetProp("extent", extent)
	if p.Optional("stored") {
		op.SetProp("storage", quotedMap(p))
	}
	p.AttrDict(op)
	at := p.At()
	elem := p.ColonType()
	s, _ := setAttr.Of(p.Ctx(), extent)
	t, err := arrayType.Make(p.Ctx(), array{int64(s.Set.Tuple().Len()), elem})
	if err != nil {
		p.Errorf(at, "!poly.array %v", err)
	}
	op.SetTypes(t)
}

func printLocal(p *irtext.Printer, v ir.Value) {
	p.Str(" ")
	p.Quoted(nameOf(p.Graph(), v))
	printExtent(p, v)
	if a := p.Prop(v, "storage"); a != 0 {
		p.Str(" stored ")
		printQuoted(p, a)
	}
	p.AttrDict(v, "name", "extent", "storage")
	p.Str(" : ")
	p.Type(elemOf(p.Graph(), v))
}

// parseStatement reads
//
//	"S" over "{ S[i] : ... }" add %B at "{ S[i] -> B[i] }" reading %A at "...", ... after "{ S[i] -> T[j] : ... }" do (%i: index, %x: f64) {...}
func parseStatement(p *irtext.Parser, op *irtext.Op) {
	op.SetProp("name", quoted(p))
	p.Expect("over")
	op.SetProp("domain", quotedSet(p))
	at := p.At()
	operator := p.OptionalKeywordOf(operatorWords...)
	if operator == "" {
		p.Errorf(at, "expected how the statement puts a value into its target: set, add, mul, max, min, and, or")
	}
	op.SetProp("operator", p.Ctx().StringAttr(operator))
	op.Args = []ir.Value{p.Operand()}
	p.Expect("at")
	op.SetProp("write", quotedMap(p))
	var reads []ir.Attr
	if p.Optional("reading") {
		for {
			op.Args = append(op.Args, p.Operand())
			p.Expect("at")
			reads = append(reads, quotedMap(p))
			if !p.Optional(",") {
				break
			}
		}
	}
	op.SetProp("reads", p.Ctx().ArrayAttr(reads...))
	if p.Optional("after") {
		op.SetProp("after", quotedMap(p))
	}
	p.Expect("do")
	var params []irtext.Param
	p.List("(", ")", func() { params = append(params, p.Argument()) })
	p.Region(op, params, nil)
	p.AttrDict(op)
}

func printStatement(p *irtext.Printer, v ir.Value) {
	g := p.Graph()
	args := g.Args(v)
	p.Str(" ")
	printQuoted(p, p.Prop(v, "name"))
	p.Str(" over ")
	printQuoted(p, p.Prop(v, "domain"))
	p.Str(" ", stringOf(p.Ctx(), p.Prop(v, "operator")), " ")
	p.Value(args[0])
	p.Str(" at ")
	printQuoted(p, p.Prop(v, "write"))
	for i, r := range p.Ctx().AttrInfo(p.Prop(v, "reads")).List {
		p.Str([]string{" reading ", ", "}[min(i, 1)])
		p.Value(args[i+1])
		p.Str(" at ")
		printQuoted(p, r)
	}
	if a := p.Prop(v, "after"); a != 0 {
		p.Str(" after ")
		printQuoted(p, a)
	}
	p.Str(" do (")
	for j, x := range p.Params(v, 0) {
		if j > 0 {
			p.Str(", ")
		}
		p.ParamName(v, 0, j)
		p.Str(": ")
		p.Type(g.Type(x))
	}
	p.Str(")")
	p.Region(v, 0, irtext.RegionStyle{})
	p.AttrDict(v, "name", "domain", "operator", "write", "reads", "after")
}

// parseAt reads `%A[%i, %j] : !poly.array<2 x f64>`.
func parseAt(p *irtext.Parser, op *irtext.Op) {
	op.Args = []ir.Value{p.Operand()}
	p.List("[", "]", func() {
		v := p.Operand()
		p.CheckType(v, ir.Index)
		op.Args = append(op.Args, v)
	})
	p.AttrDict(op)
	p.CheckType(op.Args[0], p.ColonType())
}

func printAt(p *irtext.Printer, v ir.Value) {
	args := p.Graph().Args(v)
	p.Str(" ")
	p.Value(args[0])
	p.Str("[")
	p.Values(args[1:])
	p.Str("]")
	p.AttrDict(v)
	p.Str(" : ")
	p.Type(p.Graph().Type(args[0]))
}

// parseYield reads nothing, or `%x : f64`, or with the element that it goes to `%x at %i, %j : f64`.
func parseYield(p *irtext.Parser, op *irtext.Op) {
	p.AttrDict(op)
	v, ok := p.OptionalOperand()
	if !ok {
		return
	}
	op.Args = []ir.Value{v}
	if p.Optional("at") {
		for {
			k := p.Operand()
			p.CheckType(k, ir.Index)
			op.Args = append(op.Args, k)
			if !p.Optional(",") {
				break
			}
		}
	}
	p.CheckType(v, p.ColonType())
}

func printYield(p *irtext.Printer, v ir.Value) {
	args := p.Graph().Args(v)
	p.AttrDict(v)
	if len(args) == 0 {
		return
	}
	p.Str(" ")
	p.Value(args[0])
	if len(args) > 1 {
		p.Str(" at ")
		p.Values(args[1:])
	}
	p.Str(" : ")
	p.Type(p.Graph().Type(args[0]))
}
