package linalg

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

var syntax = allSyntax()

func allSyntax() text.Syntax {
	out := text.Syntax{
		Generic:   {Parse: parseGeneric, Print: printGeneric},
		Map:       {Parse: parseMap, Print: printMap},
		Reduce:    {Parse: parseReduce, Print: printReduce},
		Transpose: {Parse: parseMove("permutation"), Print: printMove("permutation"), Check: checkMove},
		Broadcast: {Parse: parseMove("dimensions"), Print: printMove("dimensions"), Check: checkMove},
		Index:     {Parse: parseIndex, Print: printIndex, Check: checkPlace},
		Yield:     {Format: "attr-dict ($values^ `:` type($values))?"},
	}
	for _, def := range namedOps {
		out[def] = text.Form{Parse: parseNamed, Print: printNamed, Check: checkNamed}
	}
	return out
}

// memoized is an attribute that MLIR writes down for itself.
const memoized = "linalg.memoized_indexing_maps"

// checkPlace refuses linalg.index where there are no loops.
func checkPlace(p *text.Parser, op *text.Op) {
	g := p.B().Graph()
	for r := p.B().Current(); r != ir.Root; r = g.Parent(r) {
		if def := g.OpenedFor(r); def == nil || IsStructured(def) {
			return
		}
	}
	p.Errorf(op.At, "'linalg.index' op expects to be in the region of an op such as linalg.generic, whose loops it asks for")
}

func parseIndex(p *text.Parser, op *text.Op) {
	op.SetProp("dim", p.Ctx().IntAttr(p.Integer(), ir.I64))
	p.AttrDict(op)
	op.SetTypes(p.ColonType())
	checkPlace(p, op)
}

func printIndex(p *text.Printer, v ir.Value) {
	p.Str(" ")
	p.Int(dimOf(p.Graph(), v))
	p.AttrDict(v, "dim")
	p.Str(" : ")
	p.Type(ir.Index)
}

// operands reads `ins(%a, %b : t, t) outs(%c : t)`.
func operands(p *text.Parser) (ins, outs []ir.Value) {
	group := func() (vs []ir.Value) {
		p.Expect("(")
		if p.Optional(")") {
			return nil
		}
		vs = p.Operands()
		p.CheckTypes(vs, p.ColonTypes())
		p.Expect(")")
		return vs
	}
	if p.Optional("ins") {
		ins = group()
	}
	p.Expect("outs")
	return ins, group()
}

func printOperands(p *text.Printer, ins, outs []ir.Value) {
	group := func(word string, vs []ir.Value) {
		p.Str(" ", word, "(")
		p.Values(vs)
		p.Str(" : ")
		p.Types(typesOf(p.Graph(), vs))
		p.Str(")")
	}
	if len(ins) > 0 {
		group("ins", ins)
	}
	group("outs", outs)
}

// setOperands says what the operands are, in how many of each kind if the op keeps that, and what types tensors give.
func setOperands(p *text.Parser, op *text.Op, ins, outs []ir.Value) {
	op.Args = append(slices.Clone(ins), outs...)
	if slices.Contains(op.Def.Attrs, "operandSegmentSizes") {
		op.SetProp("operandSegmentSizes", p.Ctx().DenseArray(ir.I32, int64(len(ins)), int64(len(outs))))
	}
	op.SetTypes(tensorTypes(p.B().Graph(), outs)...)
}

func tensorTypes(g *ir.Graph, vs []ir.Value) (out []ir.Type) {
	for _, v := range vs {
		if t := g.Type(v); g.Ctx.Info(t).Kind == ir.KindTensor {
			out = append(out, t)
		}
	}
	return out
}

// arrow reads `-> types`, which an op on tensors has.
func arrow(p *text.Parser, op *text.Op) {
	at := p.At()
	var ts []ir.Type
	if p.Peek("->") {
		ts = p.ArrowTypes()
	}
	if len(ts) != len(op.Types) {
		p.Errorf(at, "expected the types of %d results, which are those of the outputs that are tensors, not of %d", len(op.Types), len(ts))
	}
	op.SetTypes(ts...)
}

// inputsOf splits the operands of an op that is there.
func inputsOf(p *text.Printer, v ir.Value) (ins, outs []ir.Value) {
	args := p.Graph().Args(v)
	g := p.Graph()
	s, _ := forms[g.Def(v).Written()](g.Ctx, g.AttrsOf(v), typesOf(g, args))
	return args[:s.Inputs], args[s.Inputs:]
}

func parseGeneric(p *text.Parser, op *text.Op) {
	p.AliasedDict(op)
	op.SetProp("iterator_types", iteratorsOfText(p.Ctx(), op.Prop("iterator_types")))
	ins, outs := operands(p)
	setOperands(p, op, ins, outs)
	if p.Optional("attrs") {
		p.Expect("=")
		p.AttrDict(op)
	}
	p.Region(op, nil, nil)
	arrow(p, op)
}

// iteratorsOfText makes of ["parallel", "reduction"] what the generic form has; what is no such list stays.
func iteratorsOfText(c *ir.Context, a ir.Attr) ir.Attr {
	if a == 0 || c.KindOf(a) != ir.AttrArray {
		return a
	}
	var list []ir.Attr
	for _, e := range c.AttrInfo(a).List {
		if c.KindOf(e) != ir.AttrString {
			return a
		}
		list = append(list, c.OpaqueAttr(iteratorPrefix+c.AttrInfo(e).Str+">"))
	}
	return c.ArrayAttr(list...)
}

func printGeneric(p *text.Printer, v ir.Value) {
	c := p.Ctx()
	p.Str(" {")
	if a := p.Prop(v, "doc"); a != 0 {
		p.Str("doc = ")
		p.Attr(a)
		p.Str(", ")
	}
	p.Str("indexing_maps = ")
	p.Attr(p.Prop(v, "indexing_maps"))
	p.Str(", iterator_types = [")
	for i, e := range c.AttrInfo(p.Prop(v, "iterator_types")).List {
		if i > 0 {
			p.Str(", ")
		}
		p.Quoted(strings.TrimSuffix(strings.TrimPrefix(c.AttrInfo(e).Str, iteratorPrefix), ">"))
	}
	p.Str("]")
	if a := p.Prop(v, "library_call"); a != 0 {
		p.Str(", library_call = ")
		p.Attr(a)
	}
	p.Str("}")
	ins, outs := inputsOf(p, v)
	printOperands(p, ins, outs)
	if a := p.Graph().AttrsOf(v); len(c.AttrInfo(a).Attrs) > 0 {
		p.Str(" attrs =")
		p.AttrDict(v, Generic.Attrs...)
	}
	p.Region(v, 0, text.RegionStyle{Args: true})
	p.ArrowTypes(c.Results(p.Graph().Type(v)))
}

func parseNamed(p *text.Parser, op *text.Op) {
	at := op.At
	p.AttrDict(op)
	ins, outs := operands(p)
	setOperands(p, op, ins, outs)
	arrow(p, op)
	n := named[op.Def]
	if want := len(n.space().operands) - 1; len(ins) != want || len(outs) != 1 {
		p.Errorf(at, "'%s' op takes %d inputs and one output, not %d and %d", op.Def.Name, want, len(ins), len(outs))
	}
	canonicalBody(p, op)
}

// canonicalBody adds the region that a named op has.
func canonicalBody(p *text.Parser, op *text.Op) {
	n := named[op.Def]
	var props []ir.NamedAttr
	for _, name := range n.Attrs {
		if a := op.Prop(name); a != 0 {
			props = append(props, ir.NamedAttr{Name: name, Value: a})
		}
	}
	r, err := n.buildBody(p.B(), p.Ctx().Props(props, nil), typesOf(p.B().Graph(), op.Args))
	if err != nil {
		p.Errorf(op.At, "'%s' op %v", op.Def.Name, err)
	}
	op.Regions = append(op.Regions, r)
}

func printNamed(p *text.Printer, v ir.Value) {
	p.AttrDict(v, "operandSegmentSizes")
	ins, outs := inputsOf(p, v)
	printOperands(p, ins, outs)
	p.ArrowTypes(p.Ctx().Results(p.Graph().Type(v)))
}

// checkNamed refuses a region, in the generic form, that is not what the op's name says.
func checkNamed(p *text.Parser, op *text.Op) {
	op.SetAttr(memoized, 0)
	n := named[op.Def]
	if len(op.Regions) != 1 || len(op.Args) != len(n.space().operands) {
		return // Infer says so
	}
	given, g := op.Regions[0], p.B().Graph()
	if foreign(g, given) {
		return // text only: nobody knows what it computes
	}
	canonicalBody(p, op)
	if own := op.Regions[1]; !sameBody(g, given, own) {
		p.Errorf(op.At, "'%s' op has a region that does not compute what the name says; as linalg.generic it may", op.Def.Name)
	}
	op.Regions = op.Regions[:1]
}
