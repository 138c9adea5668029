package vector

import "github.com/irc-lang/irc/ir"

// Ops that are read, checked and printed, and neither run nor compiled.
var (
	TypeCast = ir.Define(&ir.OpDef{
		Name: "vector.type_cast", Doc: "Memory as one vector of all of its elements.",
		Args: []string{"memref"}, Traits: ir.TextOnly | ir.View | ir.NoCapture, Infer: inferTypeCast})

	VScale = ir.Define(&ir.OpDef{
		Name: "vector.vscale", Doc: "By how much vectors scale.",
		Traits: ir.TextOnly, Infer: func(c *ir.Call) (ir.Type, error) { return ir.Index, operands(c, 0, 0) }})

	ScalableInsert = ir.Define(&ir.OpDef{
		Name: "vector.scalable.insert", Doc: "A scalable vector with another part.",
		Args: []string{"source", "dest"}, Attrs: []string{"pos"}, Traits: ir.TextOnly, Infer: inferScalableInsert})

	ScalableExtract = ir.Define(&ir.OpDef{
		Name: "vector.scalable.extract", Doc: "A part of a scalable vector.",
		Args: []string{"source"}, Attrs: []string{"pos"}, Traits: ir.TextOnly, Infer: inferScalableExtract})
)

func inferTypeCast(c *ir.Call) (ir.Type, error) {
	if err := operands(c, 1, 1); err != nil {
		return 0, err
	}
	x := c.Ctx()
	from, to := x.Info(c.ArgType(0)), x.Info(c.Type)
	if from.Kind != ir.KindMemRef || to.Kind != ir.KindMemRef || from.Unranked || to.Unranked {
		return 0, c.Errorf("casts a ranked memref to one")
	}
	if len(to.Shape) != 0 || to.Elem != x.Vector(from.Shape, from.Elem) {
		return 0, c.Errorf("expects a memref of one vector of all elements, not %s", quote(c, c.Type))
	}
	return c.Type, nil
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
	if err := operands(c, 2, 2); err != nil {
		return 0, err
	}
	return c.ArgType(1), scalablePart(c, c.ArgType(0), c.ArgType(1))
}

func inferScalableExtract(c *ir.Call) (ir.Type, error) {
	if err := operands(c, 1, 1); err != nil {
		return 0, err
	}
	return c.Type, scalablePart(c, c.Type, c.ArgType(0))
}
