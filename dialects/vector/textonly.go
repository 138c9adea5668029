package vector

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/ir/text/textonly"
)

// Ops that are read, checked and printed, and neither run nor compiled.
var (
	TypeCast = ir.Define(&ir.OpDef{
		Name: "vector.type_cast", Doc: "Memory as one vector of all of its elements.",
		Args: []string{"memref"}, Traits: ir.TextOnly | ir.View | ir.NoCapture, Infer: takes(1, 1, inferTypeCast)})

	VScale = ir.Define(&ir.OpDef{
		Name: "vector.vscale", Doc: "By how much vectors scale.",
		Traits: ir.TextOnly, Infer: func(c *ir.Call) (ir.Type, error) { return ir.Index, operands(c, 0, 0) }})

	ScalableInsert = ir.Define(&ir.OpDef{
		Name: "vector.scalable.insert", Doc: "A scalable vector with another part.",
		Args: []string{"source", "dest"}, Attrs: []string{"pos"}, Traits: ir.TextOnly, Infer: takes(2, 2, inferScalableInsert)})

	ScalableExtract = ir.Define(&ir.OpDef{
		Name: "vector.scalable.extract", Doc: "A part of a scalable vector.",
		Args: []string{"source"}, Attrs: []string{"pos"}, Traits: ir.TextOnly, Infer: takes(1, 1, inferScalableExtract)})
)

func inferTypeCast(c *ir.Call) (ir.Type, error) {
	x := c.Ctx()
	from, to := x.Info(c.ArgType(0)), x.Info(c.Type)
	if from.Kind != ir.KindMemRef || to.Kind != ir.KindMemRef || from.Unranked || to.Unranked {
		return 0, c.Errorf("casts a ranked memref to one")
	}
	if whole, part := lanesIn(x, to), lanesIn(x, from); x.Info(to.Elem).Kind != ir.KindVector || whole.Elem != part.Elem || !slices.Equal(whole.Shape, part.Shape) {
		return 0, c.Errorf("expects a memref of vectors with the dimensions and elements of %s, not %s", quote(c, c.ArgType(0)), quote(c, c.Type))
	}
	return c.Type, nil
}

// lanesIn is memory of vectors as one of their elements.
func lanesIn(x *ir.Context, m *ir.TypeInfo) ir.TypeInfo {
	return ir.TypeInfo{Shape: slices.Concat(m.Shape, shapeOf(x, m.Elem)), Elem: x.ElemOrSelf(m.Elem)}
}

// scalablePart checks vectors of one dimension, a part and the whole.
func scalablePart(c *ir.Call, part, whole ir.Type) error {
	p, err := isVector(c, "part", part)
	if err != nil {
		return err
	}
	w, err := isVector(c, "scalable vector", whole)
	switch {
	case err != nil:
		return err
	case len(p.Shape) != 1 || len(w.Shape) != 1 || scales(w) == 0 || p.Elem != w.Elem:
		return c.Errorf("has a scalable vector of one dimension and a part of it, not %s and %s", quote(c, whole), quote(c, part))
	case c.Get("pos") == 0 || c.Ctx().AttrInfo(c.Get("pos")).Kind != ir.AttrInt:
		return c.Errorf("requires attribute 'pos'")
	}
	if n := c.Ctx().AttrInfo(c.Get("pos")).Int; n < 0 || n%p.Shape[0] != 0 {
		return c.Errorf("position must be a multiple of the source length: %d of %d", n, p.Shape[0])
	}
	return nil
}

func inferScalableInsert(c *ir.Call) (ir.Type, error) {
	return c.ArgType(1), scalablePart(c, c.ArgType(0), c.ArgType(1))
}

func inferScalableExtract(c *ir.Call) (ir.Type, error) {
	return c.Type, scalablePart(c, c.Type, c.ArgType(0))
}

// Ops that MLIR has and that are no more than their form here.
var onlyOps, onlySyntax = textonly.Define("vector",
	textonly.Op{Name: "reshape", Doc: "The lanes of a vector, in row-major order, in another shape.", Args: []string{"vector", "input_shape...", "output_shape..."},
		Attrs: []string{"fixed_vector_sizes", "operandSegmentSizes"},
		Form:  text.Form{Format: "$vector `,` `[` $input_shape `]` `,` `[` $output_shape `]` `,` $fixed_vector_sizes attr-dict `:` type($vector) `to` type($result)"}},
	textonly.Op{Name: "warp_execute_on_lane_0", Doc: "Runs its region on the first thread of a warp, and spreads what that gives over all.", Args: []string{"laneid", "args..."},
		Attrs: []string{"warp_size"}, Form: text.Form{Parse: parseWarp, Print: printWarp}},
)

// parseWarp reads `(%lane)[32] args(%v : vector<4xf32>) -> (vector<1xf32>) { ... }`.
func parseWarp(p *text.Parser, op *text.Op) {
	p.Expect("(")
	op.Args = append(op.Args, p.Operand())
	p.Expect(")")
	p.Expect("[")
	op.SetProp("warp_size", p.Ctx().IntAttr(p.Integer(), ir.I64))
	p.Expect("]")
	if p.Optional("args") {
		p.Expect("(")
		vs := p.Operands()
		p.CheckTypes(vs, p.ColonTypes())
		p.Expect(")")
		op.Args = append(op.Args, vs...)
	}
	op.SetTypes()
	if p.Peek("->") {
		op.SetTypes(p.ArrowTypes()...)
	}
	p.Region(op, nil, Yield)
	p.AttrDict(op)
}

func printWarp(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args, results := g.Args(v), p.Ctx().Results(g.Type(v))
	p.Str("(")
	p.Value(args[0])
	p.Str(")[")
	p.Int(p.Ctx().AttrInfo(p.Prop(v, "warp_size")).Int)
	p.Str("]")
	if len(args) > 1 {
		p.Str(" args(")
		p.Values(args[1:])
		p.Str(" : ")
		p.Types(typesOf(g, args[1:]))
		p.Str(")")
	}
	if len(results) > 0 {
		p.Str(" -> (")
		p.Types(results)
		p.Str(")")
	}
	p.Region(v, 0, text.RegionStyle{Args: true, Implicit: Yield})
	p.AttrDict(v, "warp_size")
}

func typesOf(g *ir.Graph, vs []ir.Value) []ir.Type {
	return lists.Map(vs, g.Type)
}
