package vector

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/text"
)

// subscripts reads `%m[%i, %j]`.
func subscripts(p *text.Parser) []ir.Value {
	out := []ir.Value{p.Operand()}
	p.List("[", "]", func() {
		v := p.Operand()
		p.CheckType(v, ir.Index)
		out = append(out, v)
	})
	return out
}

func printSubscripts(p *text.Printer, vs []ir.Value) {
	p.Value(vs[0])
	p.Str("[")
	p.Values(vs[1:])
	p.Str("]")
}

// rest reads what transfers have behind their operands, and fills in what it leaves out. The
// operands of each segment are so many.
func rest(p *text.Parser, op *text.Op, memory ir.Value, segments []int64, order func(ts []ir.Type) (memory, vector ir.Type)) ir.Type {
	c := p.Ctx()
	p.AttrDict(op)
	at := p.At()
	ts := p.ColonTypes()
	if len(ts) != 2 {
		p.Errorf(at, "expected the types of memory and vector")
	}
	mt, vt := order(ts)
	p.CheckType(memory, mt)
	rank, n := len(c.Info(mt).Shape), len(shapeOf(c, vt))-len(shapeOf(c, c.Info(mt).Elem))
	if op.Prop("permutation_map") == 0 {
		if n < 0 || n > rank {
			p.Errorf(at, "expected a custom permutation_map when rank(source) != rank(destination): %d and %d", rank, n)
		}
		op.SetProp("permutation_map", minor(rank, n).Attr(c))
	}
	if op.Prop("in_bounds") == 0 {
		results := 0
		if c.AttrInfo(op.Prop("permutation_map")).Kind == ir.AttrMap {
			results = len(expr.MapOf(c, op.Prop("permutation_map")).Results)
		}
		op.SetProp("in_bounds", c.ArrayAttr(slices.Repeat([]ir.Attr{c.BoolAttr(false)}, results)...))
	}
	op.SetProp("operandSegmentSizes", c.DenseArray(ir.I32, segments...))
	return vt
}

func parseTransferRead(p *text.Parser, op *text.Op) {
	op.Args = subscripts(p)
	n := int64(len(op.Args) - 1)
	p.Expect(",")
	op.Args = append(op.Args, p.Operand())
	mask := int64(0)
	if p.Optional(",") {
		op.Args = append(op.Args, p.Operand())
		mask = 1
	}
	t := rest(p, op, op.Args[0], []int64{1, n, 1, mask}, func(ts []ir.Type) (ir.Type, ir.Type) { return ts[0], ts[1] })
	op.SetTypes(t)
}

func parseTransferWrite(p *text.Parser, op *text.Op) {
	v := p.Operand()
	p.Expect(",")
	op.Args = append([]ir.Value{v}, subscripts(p)...)
	n := int64(len(op.Args) - 2)
	mask := int64(0)
	if p.Optional(",") {
		op.Args = append(op.Args, p.Operand())
		mask = 1
	}
	t := rest(p, op, op.Args[1], []int64{1, 1, n, mask}, func(ts []ir.Type) (ir.Type, ir.Type) { return ts[1], ts[0] })
	p.CheckType(v, t)
}

func printTransferRead(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args, seg := g.Args(v), p.Ctx().Ints(p.Prop(v, "operandSegmentSizes"))
	p.Str(" ")
	printSubscripts(p, args[:1+seg[1]])
	p.Str(", ")
	p.Values(args[1+seg[1]:])
	printRest(p, v, g.Type(args[0]), g.Type(v), g.Type(args[0]), g.Type(v))
}

func printTransferWrite(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args, seg := g.Args(v), p.Ctx().Ints(p.Prop(v, "operandSegmentSizes"))
	p.Str(" ")
	p.Value(args[0])
	p.Str(", ")
	printSubscripts(p, args[1:2+seg[2]])
	if seg[3] == 1 {
		p.Str(", ")
		p.Value(args[2+seg[2]])
	}
	printRest(p, v, g.Type(args[1]), g.Type(args[0]), g.Type(args[0]), g.Type(args[1]))
}

// printRest leaves out the map of the last dimensions, and in_bounds where none is.
func printRest(p *text.Printer, v ir.Value, memory, vector ir.Type, ts ...ir.Type) {
	c := p.Ctx()
	elide := []string{"operandSegmentSizes"}
	m := expr.MapOf(c, p.Prop(v, "permutation_map"))
	if n := len(m.Results); n <= m.Dims && m.String() == minor(m.Dims, n).String() {
		elide = append(elide, "permutation_map")
	}
	if !slices.ContainsFunc(c.AttrInfo(p.Prop(v, "in_bounds")).List, func(a ir.Attr) bool { return c.AttrInfo(a).Int != 0 }) {
		elide = append(elide, "in_bounds")
	}
	p.AttrDict(v, elide...)
	p.Str(" : ")
	p.Types(ts)
}

// parseContract reads `{indexing_maps = ..., iterator_types = ["parallel", ...], kind = ...} %x, %y, %z`.
func parseContract(p *text.Parser, op *text.Op) {
	c := p.Ctx()
	at := p.At()
	p.AliasedDict(op)
	if a := op.Prop("iterator_types"); a != 0 && c.AttrInfo(a).Kind == ir.AttrArray {
		var list []ir.Attr
		for _, e := range c.AttrInfo(a).List {
			if word := c.AttrInfo(e).Str; c.AttrInfo(e).Kind == ir.AttrString {
				if word != "parallel" && word != "reduction" {
					p.Errorf(at, "unexpected iterator type '%s': there are parallel and reduction", word)
				}
				e = c.OpaqueAttr(iteratorPrefix + word + ">")
			}
			list = append(list, e)
		}
		op.SetProp("iterator_types", c.ArrayAttr(list...))
	}
	defaultKind(p, op)
	op.Args = []ir.Value{p.Operand()}
	for range 2 {
		p.Expect(",")
		op.Args = append(op.Args, p.Operand())
	}
	p.AttrDict(op)
	ts := p.ColonTypes()
	p.Expect("into")
	result := p.Type()
	if len(ts) == 3 && ts[2] == result {
		ts = ts[:2] // that of the accumulator may be said twice
	}
	p.CheckTypes(op.Args, append(ts, result))
}

func defaultKind(p *text.Parser, op *text.Op) {
	if op.Prop("kind") == 0 {
		op.SetProp("kind", kindAttr(p.Ctx(), "add"))
	}
}

func printContract(p *text.Printer, v ir.Value) {
	g, c := p.Graph(), p.Ctx()
	args := g.Args(v)
	var words []ir.Attr
	for _, e := range c.AttrInfo(p.Prop(v, "iterator_types")).List {
		words = append(words, c.StringAttr(strings.TrimSuffix(strings.TrimPrefix(c.AttrInfo(e).Str, iteratorPrefix), ">")))
	}
	p.Str(" ")
	p.Attr(c.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: []ir.NamedAttr{
		{Name: "indexing_maps", Value: p.Prop(v, "indexing_maps")},
		{Name: "iterator_types", Value: c.ArrayAttr(words...)},
		{Name: "kind", Value: p.Prop(v, "kind")}}}))
	p.Str(" ")
	p.Values(args)
	p.AttrDict(v, Contract.Attrs...)
	p.Str(" : ")
	p.Types([]ir.Type{g.Type(args[0]), g.Type(args[1])})
	p.Str(" into ")
	p.Type(g.Type(v))
}

func parseOuterProduct(p *text.Parser, op *text.Op) {
	op.Args = []ir.Value{p.Operand()}
	p.Expect(",")
	op.Args = append(op.Args, p.Operand())
	if p.Optional(",") {
		op.Args = append(op.Args, p.Operand())
	}
	p.AttrDict(op)
	defaultKind(p, op)
	p.CheckTypes(op.Args[:2], p.ColonTypes())
}

// printOuterProduct writes the kind only where there is something to combine with.
func printOuterProduct(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args := g.Args(v)
	p.Str(" ")
	p.Values(args)
	if k := KindOf(p.Ctx(), g.AttrsOf(v)); len(args) == 2 || k != nil && k.Name == "add" {
		p.AttrDict(v, "kind")
	} else {
		p.AttrDict(v)
	}
	p.Str(" : ")
	p.Types([]ir.Type{g.Type(args[0]), g.Type(args[1])})
}

// parseMask reads `%m, %passthru { op } : mask -> type`.
func parseMask(p *text.Parser, op *text.Op) {
	op.Args = []ir.Value{p.Operand()}
	if p.Optional(",") {
		op.Args = append(op.Args, p.Operand())
	}
	p.RegionOf(op, Yield)
	p.AttrDict(op)
	p.CheckType(op.Args[0], p.ColonType())
	var ts []ir.Type
	if p.Peek("->") {
		ts = p.ArrowTypes()
	}
	op.SetTypes(ts...)
}

func printMask(p *text.Printer, v ir.Value) {
	g := p.Graph()
	p.Str(" ")
	p.Values(g.Args(v))
	p.Region(v, 0, text.RegionStyle{Implicit: Yield, Inline: true})
	p.AttrDict(v)
	p.Str(" : ")
	p.Type(g.Type(g.Args(v)[0]))
	if ts := p.Ctx().Results(g.Type(v)); len(ts) > 0 {
		p.Str(" -> ")
		p.Types(ts)
	}
}
