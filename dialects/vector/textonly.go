package vector

import "github.com/irc-lang/irc/ir"

// Ops that are read, checked and printed, and neither run nor compiled.
var (
	Print = ir.Define(&ir.OpDef{
		Name: "vector.print", Doc: "Prints a value, or punctuation.",
		Args: []string{"source?"}, Attrs: []string{"punctuation", "stringLiteral"}, Traits: ir.TextOnly, Infer: inferPrint,
		Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.World}} }})

	MatrixMultiply = ir.Define(&ir.OpDef{
		Name: "vector.matrix_multiply", Doc: "The product of two matrices, each column by column in a vector of one dimension.",
		Args: []string{"lhs", "rhs"}, Attrs: []string{"lhs_columns", "lhs_rows", "rhs_columns"}, Traits: ir.TextOnly, Infer: inferMatrixMultiply})

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

func inferPrint(c *ir.Call) (ir.Type, error) {
	if err := operands(c, 0, 1); err != nil {
		return 0, err
	}
	if len(c.Args) == 1 && c.Get("stringLiteral") != 0 {
		return 0, c.Errorf("prints a value or a string, not both")
	}
	return ir.Void, nil
}

// extent is a property that is a positive number.
func extent(c *ir.Call, name string) (int64, error) {
	a := c.Get(name)
	if a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrInt || c.Ctx().AttrInfo(a).Int < 1 {
		return 0, c.Errorf("requires attribute '%s', a positive number", name)
	}
	return c.Ctx().AttrInfo(a).Int, nil
}

func inferMatrixMultiply(c *ir.Call) (ir.Type, error) {
	if err := operands(c, 2, 2); err != nil {
		return 0, err
	}
	var n [3]int64
	for i, name := range []string{"lhs_rows", "lhs_columns", "rhs_columns"} {
		var err error
		if n[i], err = extent(c, name); err != nil {
			return 0, err
		}
	}
	for i, t := range []ir.Type{c.ArgType(0), c.ArgType(1), c.Type} {
		info, err := isVector(c, []string{"operand #0", "operand #1", "result"}[i], t)
		if err != nil {
			return 0, err
		}
		if want := []int64{n[0], n[1], n[0]}[i] * []int64{n[1], n[2], n[2]}[i]; len(info.Shape) != 1 || info.Shape[0] != want {
			return 0, c.Errorf("takes vectors of one dimension with as many lanes as its matrices have elements, and %s has not %d", quote(c, t), want)
		}
	}
	return c.Type, nil
}

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
