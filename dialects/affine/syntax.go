package affine

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/text"
)

var syntax = text.Syntax{
	Apply:            {Parse: parseIndexOp, Print: printIndexOp},
	Min:              {Parse: parseIndexOp, Print: printIndexOp},
	Max:              {Parse: parseIndexOp, Print: printIndexOp},
	DelinearizeIndex: {Format: "$linear_index `into` ` ` `(` $basis `)` attr-dict `:` type(results)"},
	Load:             {Parse: parseLoad, Print: printLoad, Check: checkAccess(0)},
	Store:            {Parse: parseStore, Print: printStore, Check: checkAccess(1)},
	VectorLoad:       {Parse: parseLoad, Print: printLoad, Check: checkAccess(0)},
	VectorStore:      {Parse: parseStore, Print: printStore, Check: checkAccess(1)},
	Prefetch:         {Parse: parsePrefetch, Print: printPrefetch, Check: checkAccess(0)},
	DmaStart:         {Parse: parseDma, Print: printDma},
	DmaWait:          {Parse: parseDma, Print: printDma},
	For:              {Parse: parseFor, Print: printFor, Check: checkFor},
	If:               {Parse: parseIf, Print: printIf, Check: checkIf},
	Parallel:         {Parse: parseParallel, Print: printParallel, Check: checkParallel},
	Yield:            {Format: "attr-dict ($operands^ `:` type($operands))?"},
}

// checkOperands refuses operands that are no dimensions and symbols: rewriting may make such,
// and folds then leave the dialect, but a text says what it means.
func checkOperands(p *text.Parser, dims int, args []ir.Value) {
	g := p.B().Graph()
	for i, v := range args {
		switch {
		case scoped(p, v):
		case i < dims && !isDim(g, v):
			p.FailUse(v, "is neither a dimension nor a symbol: not the index of an affine loop, not known throughout the function, nor affine.apply of such")
		case i >= dims && !isSymbol(g, v):
			p.FailUse(v, "cannot be used as a symbol: it is not known throughout the function")
		}
	}
}

// scoped reports a value that is known throughout a region of an op that nobody knows: it may be a scope, where that makes a symbol.
func scoped(p *text.Parser, v ir.Value) bool {
	g := p.B().Graph()
	home := g.Home(v)
	for r := p.B().Current(); r != ir.Root; r = g.Parent(r) {
		if def := g.OpenedFor(r); def != nil && !def.Registered() {
			return true
		}
		if r == home {
			return false
		}
	}
	return false
}

// subscripts are as MLIR takes them: symbols of an access may be dimensions.
func subscripts(p *text.Parser, args []ir.Value) { checkOperands(p, len(args), args) }

func checkAccess(k int) func(*text.Parser, *text.Op) {
	return func(p *text.Parser, op *text.Op) {
		if len(op.Args) > k {
			subscripts(p, op.Args[k+1:])
		}
	}
}

// mapOperands reads `(%a, %b)[%c]` for so many dimensions and symbols.
func mapOperands(p *text.Parser, dims, syms int) (out []ir.Value) {
	at := p.At()
	read := func(open, end, what string, want int) {
		n := 0
		p.OptionalList(open, end, func() {
			v := p.Operand()
			p.CheckType(v, ir.Index)
			out = append(out, v)
			n++
		})
		if n != want {
			p.Errorf(at, "%d %s are given, and there are %d", n, what, want)
		}
	}
	if !p.Peek("(") {
		p.Expect("(")
	}
	read("(", ")", "dimensions", dims)
	read("[", "]", "symbols", syms)
	return out
}

func printOperands(p *text.Printer, dims int, args []ir.Value) {
	p.Str("(")
	p.Values(args[:dims])
	p.Str(")")
	if len(args) > dims {
		p.Str("[")
		p.Values(args[dims:])
		p.Str("]")
	}
}

// parseIndexOp reads `#map(%d)[%s]`.
func parseIndexOp(p *text.Parser, op *text.Op) {
	a, m := p.AffineMap()
	op.Args = mapOperands(p, m.Dims, m.Syms)
	p.AttrDict(op)
	op.SetProp("map", a)
}

func printIndexOp(p *text.Printer, v ir.Value) {
	p.Str(" ")
	p.Attr(p.Prop(v, "map"))
	printOperands(p, expr.MapOf(p.Ctx(), p.Prop(v, "map")).Dims, p.Graph().Args(v))
	p.AttrDict(v, "map")
}

// parsePlace reads `%m[%i + 1, ...]`.
func parsePlace(p *text.Parser) (memory ir.Value, m *expr.Map, args []ir.Value) {
	memory = p.Operand()
	var in text.AffineOperands
	m = &expr.Map{}
	p.List("[", "]", func() { m.Results = append(m.Results, p.Affine(&in)) })
	m.Dims, m.Syms = len(in.Dims), len(in.Syms)
	subscripts(p, in.All())
	return memory, m, in.All()
}

// inValues writes expressions with values for dimensions and symbols.
type inValues struct {
	p    *text.Printer
	dims int
	args []ir.Value
}

func (w inValues) Str(s ...string) { w.p.Str(s...) }

func (w inValues) Leaf(op expr.Op, i int) {
	if op == expr.OpDim {
		w.p.Value(w.args[i])
		return
	}
	w.p.Str("symbol(")
	w.p.Value(w.args[w.dims+i])
	w.p.Str(")")
}

func (w inValues) list(exprs []*expr.Expr) {
	for i, e := range exprs {
		if i > 0 {
			w.p.Str(", ")
		}
		e.Write(w)
	}
}

func printPlace(p *text.Printer, memory ir.Value, m *expr.Map, args []ir.Value) {
	p.Value(memory)
	p.Str("[")
	inValues{p, m.Dims, args}.list(m.Results)
	p.Str("]")
}

func parseLoad(p *text.Parser, op *text.Op) {
	memory, m, args := parsePlace(p)
	op.Args = append([]ir.Value{memory}, args...)
	p.AttrDict(op)
	op.SetProp("map", m.Attr(p.Ctx()))
	t := p.ColonType()
	p.CheckType(memory, t)
	if op.Def == VectorLoad {
		p.Expect(",")
		op.SetTypes(p.Type())
	}
}

func printLoad(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args := g.Args(v)
	p.Str(" ")
	printPlace(p, args[0], expr.MapOf(p.Ctx(), p.Prop(v, "map")), args[1:])
	p.AttrDict(v, "map")
	p.Str(" : ")
	p.Type(g.Type(args[0]))
	if g.Def(v) == VectorLoad {
		p.Str(", ")
		p.Type(g.Type(v))
	}
}

func parseStore(p *text.Parser, op *text.Op) {
	value := p.Operand()
	p.Expect(",")
	memory, m, args := parsePlace(p)
	op.Args = append([]ir.Value{value, memory}, args...)
	p.AttrDict(op)
	op.SetProp("map", m.Attr(p.Ctx()))
	t := p.ColonType()
	p.CheckType(memory, t)
	if op.Def == VectorStore {
		p.Expect(",")
		p.CheckType(value, p.Type())
	} else if info := p.Ctx().Info(t); info.Kind == ir.KindMemRef {
		p.CheckType(value, info.Elem)
	}
	op.SetTypes()
}

func printStore(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args := g.Args(v)
	p.Str(" ")
	p.Value(args[0])
	p.Str(", ")
	printPlace(p, args[1], expr.MapOf(p.Ctx(), p.Prop(v, "map")), args[2:])
	p.AttrDict(v, "map")
	p.Str(" : ")
	p.Type(g.Type(args[1]))
	if g.Def(v) == VectorStore {
		p.Str(", ")
		p.Type(g.Type(args[0]))
	}
}

func parsePrefetch(p *text.Parser, op *text.Op) {
	c := p.Ctx()
	memory, m, args := parsePlace(p)
	word := func(yes, no string) ir.Attr {
		p.Expect(",")
		w := p.OptionalKeywordOf(yes, no)
		if w == "" {
			p.Errorf(p.At(), "expected '%s' or '%s'", no, yes)
		}
		return c.BoolAttr(w == yes)
	}
	op.SetProp("isWrite", word("write", "read"))
	p.Expect(",")
	p.Expect("locality")
	p.Expect("<")
	op.SetProp("localityHint", c.IntAttr(p.Integer(), ir.I32))
	p.Expect(">")
	op.SetProp("isDataCache", word("data", "instr"))
	p.AttrDict(op)
	op.SetProp("map", m.Attr(c))
	p.CheckType(memory, p.ColonType())
	op.Args = append([]ir.Value{memory}, args...)
	op.SetTypes()
}

func printPrefetch(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args := g.Args(v)
	word := func(name, yes, no string) string {
		if p.Ctx().AttrInfo(p.Prop(v, name)).Int != 0 {
			return yes
		}
		return no
	}
	p.Str(" ")
	printPlace(p, args[0], expr.MapOf(p.Ctx(), p.Prop(v, "map")), args[1:])
	p.Str(", ", word("isWrite", "write", "read"), ", locality<")
	p.Int(p.Ctx().AttrInfo(p.Prop(v, "localityHint")).Int)
	p.Str(">, ", word("isDataCache", "data", "instr"))
	p.AttrDict(v, Prefetch.Attrs...)
	p.Str(" : ")
	p.Type(g.Type(args[0]))
}

// dmaMaps are the maps of a transfer, in the order of its memories.
func dmaMaps(def *ir.OpDef) []string {
	if def == DmaWait {
		return []string{"tag_map"}
	}
	return []string{"src_map", "dst_map", "tag_map"}
}

func parseDma(p *text.Parser, op *text.Op) {
	var memories []ir.Value
	var maps []ir.Attr // not among the properties in MLIR
	for range dmaMaps(op.Def) {
		memory, m, args := parsePlace(p)
		op.Args = append(append(op.Args, memory), args...)
		maps = append(maps, m.Attr(p.Ctx()))
		memories = append(memories, memory)
		p.Expect(",")
	}
	op.Args = append(op.Args, p.Operand())
	if op.Def == DmaStart && p.Optional(",") && !p.Peek(":") {
		op.Args = append(op.Args, p.Operand())
		p.Expect(",")
		op.Args = append(op.Args, p.Operand())
	}
	p.AttrDict(op)
	p.Expect(":")
	for i, name := range dmaMaps(op.Def) {
		op.SetAttr(name, maps[i])
	}
	p.CheckTypes(memories, p.Types())
	op.SetTypes()
}

func printDma(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args := g.Args(v)
	var types []ir.Type
	for _, name := range dmaMaps(g.Def(v)) {
		m := expr.MapOf(p.Ctx(), p.Prop(v, name))
		if len(types) > 0 {
			p.Str(",")
		}
		p.Str(" ")
		printPlace(p, args[0], m, args[1:1+m.Inputs()])
		types = append(types, g.Type(args[0]))
		args = args[1+m.Inputs():]
	}
	p.Str(", ")
	p.Values(args)
	p.AttrDict(v, dmaMaps(g.Def(v))...)
	p.Str(" : ")
	p.Types(types)
}
