package arith

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// cast defines an elementwise conversion. fits says which pairs of element types
// it converts, and poisons whether it may give poison.
func cast(name, doc string, from, to elementwise.Class, attrs []string, fits func(from, to *ir.TypeInfo) bool, poisons func(*ir.Call) bool, f castFunc) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: "arith." + name, Doc: doc, Args: []string{"in"}, Attrs: attrs,
		Traits: ir.Elementwise, Eval: castEval(f), Poisons: poisons, Infer: func(c *ir.Call) (ir.Type, error) {
			if err := elementwise.CheckOperands(c, from); err != nil {
				return 0, err
			}
			if err := elementwise.CheckResult(c, to); err != nil {
				return 0, err
			}
			ctx := c.Ctx()
			x, y := ctx.Info(c.ArgType(0)), ctx.Info(c.Type)
			if !castShapes(ctx, c.ArgType(0), c.Type) {
				return 0, c.Errorf("requires the same shape for all operands and results")
			}
			a, b := ctx.Info(elemOf(ctx, c.ArgType(0))), ctx.Info(elemOf(ctx, c.Type))
			if x.Kind != y.Kind && (x.Kind == ir.KindMemRef || y.Kind == ir.KindMemRef) || !fits(a, b) {
				return 0, c.Errorf("operand type %s and result type %s are cast incompatible", elementwise.Quote(ctx, c.ArgType(0)), elementwise.Quote(ctx, c.Type))
			}
			if err := checkRounding(c); err != nil {
				return 0, err
			}
			return c.Type, elementwise.CheckFlags(c)
		}})
}

// castShapes reports equal shapes; memrefs may differ where an extent is unknown.
func castShapes(c *ir.Context, a, b ir.Type) bool {
	x, y := c.Info(a), c.Info(b)
	if x.Kind == ir.KindMemRef && y.Kind == ir.KindMemRef {
		return elementwise.CompatibleShapes(x, y) && x.Layout == y.Layout && x.Space == y.Space
	}
	return elementwise.SameShape(c, a, b)
}

// elemOf is ElemOrSelf for memrefs too.
func elemOf(c *ir.Context, t ir.Type) ir.Type {
	if info := c.Info(t); info.Kind == ir.KindMemRef {
		return info.Elem
	}
	return c.ElemOrSelf(t)
}

func wider(a, b *ir.TypeInfo) bool    { return a.Width < b.Width }
func narrower(a, b *ir.TypeInfo) bool { return a.Width > b.Width }
func anyPair(_, _ *ir.TypeInfo) bool  { return true }

// oneIndex: exactly one of the types is index.
func oneIndex(a, b *ir.TypeInfo) bool { return (a.Kind == ir.KindIndex) != (b.Kind == ir.KindIndex) }

// sameBits: equal widths; index has none of its own in MLIR.
func sameBits(a, b *ir.TypeInfo) bool {
	return a.Kind != ir.KindIndex && b.Kind != ir.KindIndex && a.Width == b.Width || a == b
}

// Conversions.
var (
	Extui       = cast("extui", "Zero extension to a wider integer.", elementwise.FixedLike, elementwise.FixedLike, nil, wider, nil, extui)
	Extsi       = cast("extsi", "Sign extension to a wider integer.", elementwise.FixedLike, elementwise.FixedLike, nil, wider, nil, extsi)
	Trunci      = cast("trunci", "The low bits of an integer.", elementwise.FixedLike, elementwise.FixedLike, nil, narrower, nil, extui)
	Extf        = cast("extf", "A float in a wider format, exactly.", elementwise.FloatLike, elementwise.FloatLike, fastMathAttrs, wider, elementwise.NotFinite, convf)
	Truncf      = cast("truncf", "A float in a narrower format, rounded to nearest even or by `roundingmode`.", elementwise.FloatLike, elementwise.FloatLike, []string{"roundingmode", "fastmath"}, narrower, elementwise.NotFinite, convf)
	Uitofp      = cast("uitofp", "An unsigned integer as a float, rounded to nearest even.", elementwise.FixedLike, elementwise.FloatLike, nil, anyPair, nil, uitofp)
	Sitofp      = cast("sitofp", "A signed integer as a float, rounded to nearest even.", elementwise.FixedLike, elementwise.FloatLike, nil, anyPair, nil, sitofp)
	Fptoui      = cast("fptoui", "A float as an unsigned integer, towards zero; poison if it does not fit.", elementwise.FloatLike, elementwise.FixedLike, nil, anyPair, tooLarge(false), fptoui)
	Fptosi      = cast("fptosi", "A float as a signed integer, towards zero; poison if it does not fit.", elementwise.FloatLike, elementwise.FixedLike, nil, anyPair, tooLarge(true), fptosi)
	IndexCast   = cast("index_cast", "Between index and integers; to a wider one with the sign.", elementwise.IndexCastable, elementwise.IndexCastable, nil, oneIndex, nil, extsi)
	IndexCastui = cast("index_castui", "Between index and integers; to a wider one with zeros.", elementwise.IndexCastable, elementwise.IndexCastable, nil, oneIndex, nil, extui)
	Bitcast     = cast("bitcast", "The same bits as another type of equal width.", elementwise.BitCastable, elementwise.BitCastable, nil, sameBits, nil, extui)
)

// checkRounding reports a roundingmode that is none.
func checkRounding(c *ir.Call) error {
	if c.Attr == 0 {
		return nil
	}
	if a := c.Get("roundingmode"); a != 0 {
		info := c.Ctx().AttrInfo(a)
		if info.Kind != ir.AttrInt || info.Type != ir.I32 || info.Int < 0 || info.Int > 4 {
			return c.Errorf("attribute 'roundingmode' failed to satisfy constraint: Floating point rounding mode")
		}
	}
	return nil
}
