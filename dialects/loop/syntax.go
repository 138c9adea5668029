package loop

import (
	"github.com/irc-lang/irc/ir"
	irtext "github.com/irc-lang/irc/ir/text"
)

var predicates = []string{"eq", "ne", "lt", "le", "gt", "ge"}

var syntax = irtext.Syntax{
	For:      {Parse: parseFor, Print: printFor},
	Yield:    {Format: "attr-dict ($values^ `:` type($values))?"},
	Emit:     {Format: "attr-dict ($values^ `:` type($values))?"},
	None:     {Format: "attr-dict `:` type($result)"},
	Seq:      {Format: "$parts attr-dict `:` type($result)"},
	At:       {Format: "$array `[` $index `]` attr-dict `:` type($array)"},
	Len:      {Format: "$array attr-dict `:` type($array)"},
	Slice:    {Format: "$array `[` $from `to` $to `]` attr-dict `:` type($array)"},
	Sort:     {Parse: parseSort, Print: printSort},
	Struct:   {Format: "$fields attr-dict `:` type($result)"},
	Field:    {Format: "$record `[` $name `]` attr-dict `:` type($record)", Attrs: named},
	Zip:      {Format: "$columns attr-dict `:` type($result)"},
	Column:   {Format: "$array `[` $name `]` attr-dict `:` type($array)", Attrs: named},
	Keys:     {Format: "$buckets (`[` $index^ `]`)? attr-dict `:` type($buckets)", Attrs: map[string]irtext.AttrForm{"index": irtext.Number(ir.I64)}},
	Rekey:    {Format: "$buckets attr-dict `:` type($buckets) `to` type($result)"},
	Find:     {Format: "$buckets `,` $keys attr-dict `:` type($buckets)"},
	Pack:     {Format: "$parts attr-dict `:` functional-type(operands, results)"},
	Unpack:   {Format: "$value attr-dict `:` type($value)"},
	Constant: {Format: "$value attr-dict", Attrs: map[string]irtext.AttrForm{"value": {Parse: parseText, Print: printText}}},
	Compare:  {Format: "$predicate `,` $lhs `,` $rhs attr-dict", Attrs: map[string]irtext.AttrForm{"predicate": irtext.Enum(predicates...)}},
}

var named = map[string]irtext.AttrForm{"name": {
	Parse: func(p *irtext.Parser) ir.Attr { return p.Ctx().StringAttr(p.String()) },
	Print: func(p *irtext.Printer, a ir.Attr) { p.Quoted(p.Ctx().AttrInfo(a).Str) },
}}

func parseText(p *irtext.Parser) ir.Attr { return stringAttr.Attr(p.Ctx(), text{p.String()}) }

func printText(p *irtext.Printer, a ir.Attr) {
	t, _ := stringAttr.Of(p.Ctx(), a)
	p.Quoted(t.Bytes)
}

// parseFor reads `%i < %n -> generators {...} combine(%a: T, %b: T) {...}`.
func parseFor(p *irtext.Parser, op *irtext.Op) {
	i := p.ArgumentName()
	i.Type = ir.Index
	p.Expect("<")
	op.Args = []ir.Value{p.Operand()}
	p.CheckType(op.Args[0], ir.Index)
	p.Expect("->")
	list := parseGenerators(p, op)
	op.SetProp("generators", listAttr(p.Ctx(), list))
	p.Region(op, []irtext.Param{i}, nil)
	for _, x := range Regional(list) {
		if at := p.At(); !p.Optional("combine") {
			p.Errorf(at, "expected the region by which a %s combines two tuples: combine(%%a: %s, %%b: %s) {...}", x.Kind, spell(p.Ctx(), x.Types...), spell(p.Ctx(), x.Types...))
		}
		var params []irtext.Param
		p.List("(", ")", func() { params = append(params, p.Argument()) })
		p.Region(op, params, nil)
	}
	p.AttrDict(op)
}

// parseGenerators reads generators with commas in between.
func parseGenerators(p *irtext.Parser, op *irtext.Op) []Generator {
	list := []Generator{parseGenerator(p, op)}
	for p.Optional(",") {
		list = append(list, parseGenerator(p, op))
	}
	return list
}

// parseGenerator reads `collect(T)`, `reduce(add : T)`, `reduce(%zero : T)`, `bucket(K, [G])`.
func parseGenerator(p *irtext.Parser, op *irtext.Op) (g Generator) {
	at := p.At()
	switch p.OptionalKeywordOf(kindWords...) {
	case "collect":
		g.Kind = CollectKind
	case "emit":
		g.Kind = EmitKind
	case "reduce":
		g.Kind = ReduceKind
	case "scan":
		g.Kind = ScanKind
	case "bucket":
		g.Kind = BucketKind
	default:
		p.Errorf(at, "expected a generator: collect, reduce, scan, bucket or emit")
	}
	p.Expect("(")
	if g.Kind == ReduceKind || g.Kind == ScanKind {
		parseCombine(p, op, &g)
	}
	parseTypes(p, op, &g)
	p.Expect(")")
	if _, err := generatorAttr.Make(p.Ctx(), g.parts(p.Ctx())); err != nil {
		p.Errorf(at, "%v", err)
	}
	return g
}

// parseTypes reads the types of a generator, and of a bucket the generators of its groups.
func parseTypes(p *irtext.Parser, op *irtext.Op, g *Generator) {
	for {
		if g.Kind == BucketKind && p.Peek("[") {
			p.List("[", "]", func() { g.Inner = append(g.Inner, parseGenerator(p, op)) })
			return
		}
		g.Types = append(g.Types, p.Type())
		if !p.Optional(",") {
			return
		}
	}
}

// parseCombine reads `add reassoc :` or the identities of a region, `%a, %b :`.
func parseCombine(p *irtext.Parser, op *irtext.Op, g *Generator) {
	at := p.At()
	if v, ok := p.OptionalOperand(); ok {
		for op.Args = append(op.Args, v); p.Optional(","); {
			op.Args = append(op.Args, p.Operand())
		}
	} else {
		w := p.OptionalKeywordOf(combineWords[ByAdd:]...)
		if w == "" {
			p.Errorf(at, "a %s combines by add, mul, min, max, and, or, xor, or by a region, and then has its identity here: '%s(%%zero : f64) {...} combine(%%a: f64, %%b: f64) {...}'", g.Kind, g.Kind)
		}
		for i := range combineWords {
			if combineWords[i] == w {
				g.By = Combine(i)
			}
		}
	}
	g.Reassoc = p.Optional("reassoc")
	p.Expect(":")
}

func printFor(p *irtext.Printer, v ir.Value) {
	g := p.Graph()
	p.Str(" ")
	p.ParamName(v, 0, 0)
	p.Str(" < ")
	args := g.Args(v)
	p.Value(args[0])
	p.Str(" -> ")
	list := Generators(g.NodeOf(v))
	rest := args[1:]
	for i, x := range list {
		if i > 0 {
			p.Str(", ")
		}
		rest = printGenerator(p, x, rest)
	}
	p.Region(v, 0, irtext.RegionStyle{})
	for i := 1; i < len(g.Regions(v)); i++ {
		p.Str(" combine(")
		for j, x := range p.Params(v, i) {
			if j > 0 {
				p.Str(", ")
			}
			p.ParamName(v, i, j)
			p.Str(": ")
			p.Type(g.Type(x))
		}
		p.Str(")")
		p.Region(v, i, irtext.RegionStyle{})
	}
	p.AttrDict(v, "generators")
}

// printGenerator prints a generator and returns the identities that are left.
func printGenerator(p *irtext.Printer, x Generator, rest []ir.Value) []ir.Value {
	p.Str(x.Kind.String(), "(")
	if x.Kind == ReduceKind || x.Kind == ScanKind {
		if x.By == ByRegion {
			p.Values(rest[:len(x.Types)])
			rest = rest[len(x.Types):]
		} else {
			p.Str(x.By.String())
		}
		if x.Reassoc {
			p.Str(" reassoc")
		}
		p.Str(" : ")
	}
	p.Types(x.Types)
	if len(x.Inner) > 0 {
		p.Str(", [")
		for i, y := range x.Inner {
			if i > 0 {
				p.Str(", ")
			}
			rest = printGenerator(p, y, rest)
		}
		p.Str("]")
	}
	p.Str(")")
	return rest
}

// parseSort reads `%a asc, %b desc : types`.
func parseSort(p *irtext.Parser, op *irtext.Op) {
	var down []int64
	for {
		op.Args = append(op.Args, p.Operand())
		d := int64(0)
		if p.OptionalKeywordOf("asc", "desc") == "desc" {
			d = 1
		}
		down = append(down, d)
		if !p.Optional(",") {
			break
		}
	}
	op.SetProp("descending", p.Ctx().DenseArray(ir.I64, down...))
	p.AttrDict(op)
	p.CheckTypes(op.Args, p.ColonTypes())
}

func printSort(p *irtext.Printer, v ir.Value) {
	g := p.Graph()
	down := Descending(g.Ctx, g.AttrsOf(v), len(g.Args(v)))
	p.Str(" ")
	for i, a := range g.Args(v) {
		if i > 0 {
			p.Str(", ")
		}
		p.Value(a)
		if down[i] {
			p.Str(" desc")
		} else {
			p.Str(" asc")
		}
	}
	p.AttrDict(v, "descending")
	p.Str(" : ")
	p.Types(typesOf(g, g.Args(v)))
}

// Descending says of each key of a sort whether the largest comes first.
func Descending(c *ir.Context, attrs ir.Attr, n int) []bool {
	out := make([]bool, n)
	if a := c.Get(attrs, "descending"); a != 0 {
		for i, x := range c.Ints(a) {
			out[i] = x != 0
		}
	}
	return out
}
