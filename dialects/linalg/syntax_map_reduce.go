package linalg

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text"
)

// A short region is one op: `{ math.exp }` takes all arguments, in order, and is what is yielded.

// parseShort reads `{ op {attributes} }` if that is there: a list of the op's name and its attributes.
func parseShort(p *text.Parser) (short *text.Op) {
	if !p.Optional("{") {
		return nil
	}
	at := p.At()
	name := p.Keyword()
	def := p.Ctx().Lookup(name)
	if def == nil {
		p.Errorf(at, "there is no op '%s' to apply", name)
	}
	short = &text.Op{Def: def, At: at}
	p.AttrDict(short)
	p.Expect("}")
	return short
}

// shortBody adds the region of one op on arguments of these types; rotated says that the outputs' elements come first.
func shortBody(p *text.Parser, op, short *text.Op, elems []ir.Type, inputs int) {
	b := p.B()
	b.Open(ir.Loop, elems...)
	params := b.Params(b.Current())
	args := slices.Concat(params[inputs:], params[:inputs])
	v, err := b.Make(ir.Call{Def: short.Def, Args: args, Attr: shortAttr(p.Ctx(), short), Loc: ir.Loc(short.At + 1)})
	if err == nil && b.Graph().Type(v) != ir.Void {
		b.Op(Yield, b.Results(v)...)
	}
	op.Regions = append(op.Regions, b.Close())
	if err != nil {
		p.Errorf(short.At, "%v", err)
	}
}

// shortAttr are the attributes of the one op, with those that it has anyway.
func shortAttr(c *ir.Context, short *text.Op) ir.Attr {
	var props []ir.NamedAttr
	for _, name := range short.Def.Attrs {
		if a := short.Prop(name); a != 0 {
			props = append(props, ir.NamedAttr{Name: name, Value: a})
		}
	}
	return c.Props(props, nil)
}

// shortOf is the one op of a region that can be written short, or 0: its operands are the arguments in order, outputs first.
func shortOf(g *ir.Graph, v ir.Value, body []ir.Value, inputs int) ir.Value {
	r := g.Regions(v)[0]
	ys := g.Yields(r)
	params := g.Params(r)
	if len(body) != 2 || len(ys) != 1 || ys[0] != body[0] || len(g.Regions(ys[0])) > 0 {
		return 0
	}
	y, order := ys[0], slices.Concat(params[inputs:], params[:inputs])
	if len(g.Ctx.AttrInfo(g.AttrsOf(y)).Attrs) > 0 || !slices.Equal(g.Args(y), order) {
		return 0
	}
	switch g.Def(y) { // what else its attributes and operands do not say
	case arith.Extf, arith.Truncf, arith.Extsi, arith.Extui, arith.Trunci, arith.Sitofp, arith.Uitofp, arith.Fptosi, arith.Fptoui,
		arith.Bitcast, arith.IndexCast, arith.IndexCastui:
		return 0
	}
	return y
}

// printShort prints ` { op {attributes} }`.
func printShort(p *text.Printer, y ir.Value) {
	p.Str(" { ", p.Graph().Def(y).Name)
	p.AttrDict(y)
	p.Str(" }")
}

func parseMap(p *text.Parser, op *text.Op) {
	short := parseShort(p)
	ins, outs := operands(p)
	p.AttrDict(op)
	setOperands(p, op, ins, outs)
	if short != nil {
		elems := lists.Map(ins, func(v ir.Value) ir.Type { return elemOf(p.Ctx(), p.B().Graph().Type(v)) })
		shortBody(p, op, short, elems, len(ins))
		return
	}
	p.Region(op, arguments(p), nil)
}

// arguments reads `(%in: f32, ...)`.
func arguments(p *text.Parser) (params []text.Param) {
	p.List("(", ")", func() { params = append(params, p.Argument()) })
	return params
}

func printArguments(p *text.Printer, v ir.Value) {
	p.Str(" (")
	for i, a := range p.Params(v, 0) {
		if i > 0 {
			p.Str(", ")
		}
		p.ParamName(v, 0, i)
		p.Str(": ")
		p.Type(p.Graph().Type(a))
	}
	p.Str(")")
}

func printMap(p *text.Printer, v ir.Value) {
	ins, outs := inputsOf(p, v)
	short := shortOf(p.Graph(), v, p.Body(v, 0), len(ins))
	if short != 0 {
		printShort(p, short)
	}
	printOperands(p, ins, outs)
	p.AttrDict(v)
	if short == 0 {
		printArguments(p, v)
		p.Region(v, 0, text.RegionStyle{})
	}
}

// numbers reads `dimensions = [0, 1]`.
func numbers(p *text.Parser, op *text.Op, name string) {
	p.Expect(name)
	p.Expect("=")
	var ns []int64
	p.List("[", "]", func() { ns = append(ns, p.Integer()) })
	op.SetProp(name, p.Ctx().DenseArray(ir.I64, ns...))
}

func printNumbers(p *text.Printer, v ir.Value, name string) {
	p.Str(" ", name, " = [")
	for i, n := range p.Ctx().Ints(p.Prop(v, name)) {
		if i > 0 {
			p.Str(", ")
		}
		p.Int(n)
	}
	p.Str("]")
}

func parseReduce(p *text.Parser, op *text.Op) {
	short := parseShort(p)
	ins, outs := operands(p)
	numbers(p, op, "dimensions")
	p.AttrDict(op)
	setOperands(p, op, ins, outs)
	if short != nil {
		elems := lists.Map(op.Args, func(v ir.Value) ir.Type { return elemOf(p.Ctx(), p.B().Graph().Type(v)) })
		shortBody(p, op, short, elems, len(ins))
		return
	}
	p.Region(op, arguments(p), nil)
}

func printReduce(p *text.Printer, v ir.Value) {
	ins, outs := inputsOf(p, v)
	short := shortOf(p.Graph(), v, p.Body(v, 0), len(ins))
	if short != 0 {
		printShort(p, short)
	}
	printOperands(p, ins, outs)
	printNumbers(p, v, "dimensions")
	p.AttrDict(v, "dimensions")
	if short == 0 {
		printArguments(p, v)
		p.Region(v, 0, text.RegionStyle{})
	}
}

// parseMove reads transpose and broadcast, which copy.
func parseMove(name string) func(*text.Parser, *text.Op) {
	return func(p *text.Parser, op *text.Op) {
		ins, outs := operands(p)
		numbers(p, op, name)
		p.AttrDict(op)
		setOperands(p, op, ins, outs)
		if len(ins) != 1 || len(outs) != 1 {
			p.Errorf(op.At, "'%s' op takes one input and one init, not %d and %d", op.Def.Name, len(ins), len(outs))
		}
		copyBody(p, op)
	}
}

func copyBody(p *text.Parser, op *text.Op) {
	b, g := p.B(), p.B().Graph()
	b.Open(ir.Loop, elemOf(p.Ctx(), g.Type(op.Args[0])), elemOf(p.Ctx(), g.Type(op.Args[1])))
	b.Op(Yield, b.Params(b.Current())[0])
	op.Regions = append(op.Regions, b.Close())
}

func printMove(name string) func(*text.Printer, ir.Value) {
	return func(p *text.Printer, v ir.Value) {
		ins, outs := inputsOf(p, v)
		printOperands(p, ins, outs)
		printNumbers(p, v, name)
		p.AttrDict(v, name)
	}
}

// checkMove is checkNamed for transpose and broadcast.
func checkMove(p *text.Parser, op *text.Op) {
	if len(op.Regions) != 1 || len(op.Args) != 2 {
		return // Infer says so
	}
	g := p.B().Graph()
	given := op.Regions[0]
	copyBody(p, op)
	if !sameBody(g, given, op.Regions[1]) {
		p.Errorf(op.At, "'%s' op has a region that does more than to copy; as linalg.generic it may", op.Def.Name)
	}
	op.Regions = op.Regions[:1]
}
