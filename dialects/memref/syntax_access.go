package memref

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/text"
)

func parseGenericAtomic(p *text.Parser, op *text.Op) {
	op.Args = p.Subscripted()
	p.CheckType(op.Args[0], p.ColonType())
	p.Region(op, nil, nil)
	p.AttrDict(op)
}

func printGenericAtomic(p *text.Printer, v ir.Value) {
	g := p.Graph()
	p.Str(" ")
	p.Subscripted(g.Args(v))
	p.Str(" : ")
	p.Type(g.Type(g.Args(v)[0]))
	p.Region(v, 0, text.RegionStyle{Args: true})
	p.AttrDict(v)
}

func parsePrefetch(p *text.Parser, op *text.Op) {
	c := p.Ctx()
	op.Args = p.Subscripted()
	p.Expect(",")
	write := p.OptionalKeywordOf("write", "read")
	if write == "" {
		p.Errorf(p.At(), "expected 'read' or 'write'")
	}
	p.Expect(",")
	p.Expect("locality")
	p.Expect("<")
	hint := p.Integer()
	p.Expect(">")
	p.Expect(",")
	data := p.OptionalKeywordOf("data", "instr")
	if data == "" {
		p.Errorf(p.At(), "expected 'data' or 'instr'")
	}
	p.AttrDict(op)
	op.SetProp("isWrite", c.BoolAttr(write == "write"))
	op.SetProp("localityHint", c.IntAttr(hint, ir.I32))
	op.SetProp("isDataCache", c.BoolAttr(data == "data"))
	p.CheckType(op.Args[0], p.ColonType())
	op.SetTypes()
}

func printPrefetch(p *text.Printer, v ir.Value) {
	g := p.Graph()
	word := func(name, yes, no string) string {
		if p.Ctx().AttrInfo(p.Prop(v, name)).Int != 0 {
			return yes
		}
		return no
	}
	p.Str(" ")
	p.Subscripted(g.Args(v))
	p.Str(", ", word("isWrite", "write", "read"), ", locality<")
	p.Int(p.Ctx().AttrInfo(p.Prop(v, "localityHint")).Int)
	p.Str(">, ", word("isDataCache", "data", "instr"))
	p.AttrDict(v, Prefetch.Attrs...)
	p.Str(" : ")
	p.Type(g.Type(g.Args(v)[0]))
}

func parseDmaStart(p *text.Parser, op *text.Op) {
	op.Args = p.Subscripted()
	from := 0
	p.Expect(",")
	to := len(op.Args)
	op.Args = append(op.Args, p.Subscripted()...)
	p.Expect(",")
	op.Args = append(op.Args, p.Operand())
	p.Expect(",")
	tag := len(op.Args)
	op.Args = append(op.Args, p.Subscripted()...)
	for p.Optional(",") {
		op.Args = append(op.Args, p.Operand())
	}
	p.AttrDict(op)
	ts := p.ColonTypes()
	if len(ts) != 3 {
		p.Errorf(p.At(), "expected the types of source, destination and tag")
	}
	for i, at := range []int{from, to, tag} {
		p.CheckType(op.Args[at], ts[i])
	}
	op.SetTypes()
}

func printDmaStart(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args := g.Args(v)
	rank := func(m ir.Value) int { return len(p.Ctx().Info(g.Type(m)).Shape) }
	var types []ir.Type
	next := func() {
		n := 1 + rank(args[0])
		p.Subscripted(args[:n])
		types = append(types, g.Type(args[0]))
		args = args[n:]
		if len(args) > 0 {
			p.Str(", ")
		}
	}
	p.Str(" ")
	next()
	next()
	p.Value(args[0])
	p.Str(", ")
	args = args[1:]
	next()
	p.Values(args)
	p.AttrDict(v)
	p.Str(" : ")
	p.Types(types)
}

// parseTranspose reads `%m (i, j) -> (j, i)`: the names are those of the map.
func parseTranspose(p *text.Parser, op *text.Op) {
	op.Args = []ir.Value{p.Operand()}
	at := p.At()
	var dims []string
	p.List("(", ")", func() { dims = append(dims, p.Keyword()) })
	p.Expect("->")
	var perm []int
	p.List("(", ")", func() {
		at, name := p.At(), p.Keyword()
		d := slices.Index(dims, name)
		if d < 0 {
			p.Errorf(at, "'%s' is none of the dimensions", name)
		}
		perm = append(perm, d)
	})
	if len(perm) != len(dims) {
		p.Errorf(at, "expected a permutation of the dimensions")
	}
	p.AttrDict(op)
	op.SetProp("permutation", expr.Permutation(perm).Attr(p.Ctx()))
	p.CheckType(op.Args[0], p.ColonType())
	p.Expect("to")
	op.SetTypes(p.Type())
}

func printTranspose(p *text.Printer, v ir.Value) {
	g := p.Graph()
	p.Str(" ")
	p.Value(g.Args(v)[0])
	p.Str(" ")
	p.Str(p.Ctx().AttrInfo(p.Prop(v, "permutation")).Str)
	p.AttrDict(v, "permutation")
	p.Str(" : ")
	p.Type(g.Type(g.Args(v)[0]))
	p.Str(" to ")
	p.Type(g.Type(v))
}
