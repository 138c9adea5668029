package arith

import "github.com/irc-lang/irc/ir"

// Constant is arith.constant; ir makes its constants with it.
var Constant = ir.Define(&ir.OpDef{Name: "arith.constant", Doc: "A constant integer, float, vector or tensor: the property `value`.",
	Attrs: []string{"value"}, Traits: ir.ConstantLike, Infer: inferConstant})

func inferConstant(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 0 {
		return 0, c.Errorf("expected 0 operands, but found %d", len(c.Args))
	}
	v := c.Get("value")
	if v == 0 {
		return 0, c.Errorf("requires attribute 'value'")
	}
	ctx := c.Ctx()
	kind, t := ctx.KindOf(v), ctx.TypeOf(v)
	switch kind {
	case ir.AttrInt, ir.AttrFloat, ir.AttrDense, ir.AttrDenseText, ir.AttrOther, ir.AttrOpaque, ir.AttrString, ir.AttrUnit:
	default:
		return 0, c.Errorf("attribute 'value' failed to satisfy constraint: TypedAttr instance")
	}
	if t == ir.NoType && kind == ir.AttrString || kind == ir.AttrUnit {
		t = ir.None
	}
	if t == ir.NoType {
		t = c.Type // a dialect's own attribute: its type is not known here
	}
	if t == ir.NoType {
		return 0, c.Errorf("needs its result type")
	}
	if c.Type != ir.NoType && c.Type != t {
		return 0, c.Errorf("failed to verify that all of {value, result} have same type")
	}
	if ti := ctx.Info(t); ti.Kind == ir.KindInteger && ti.Sign != ir.Signless {
		return 0, c.Errorf("integer return type must be signless")
	}
	if ti := ctx.Info(t); ti.Kind == ir.KindVector && ti.Scalable != nil && kind == ir.AttrDense && !ctx.AttrInfo(v).Splat {
		return 0, c.Errorf("initializing scalable vectors with elements attribute is not supported unless it's a vector splat")
	}
	return t, nil
}
