package arith

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// recast makes cast d of x to the result type; x itself where that is its type.
func recast(b *ir.Builder, c *ir.Call, d *ir.OpDef, x ir.Value) ir.Value {
	if c.Graph().Type(x) == c.Type {
		return x
	}
	attr := ir.Attr(0)
	if d == c.Def {
		attr = c.Attr
	}
	return elementwise.With(b, c, d, attr, x)
}

func widthOf(c *ir.Call, t ir.Type) int { return c.Ctx().Info(elemOf(c.Ctx(), t)).Width }

// truncated: the low bits of an extension are those of x, extended or cut.
func truncated(ext *ir.OpDef) do {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		args, _, ok := elementwise.From(c, 0, ext)
		if !ok {
			return 0
		}
		x := args[0]
		if widthOf(c, c.Graph().Type(x)) < widthOf(c, c.Type) {
			return elementwise.With(b, c, ext, 0, x)
		}
		return recast(b, c, Trunci, x)
	}
}

// thereAndBack gives the rule that a cast to index and back is x where index has room.
func thereAndBack(d *ir.OpDef) do {
	return func(_ *ir.Builder, c *ir.Call) ir.Value {
		args, _, ok := elementwise.From(c, 0, d)
		if !ok || widthOf(c, c.ArgType(0)) < widthOf(c, c.Type) {
			return 0
		}
		return elementwise.Keep(c, args[0])
	}
}

// indexOf: an extension before a cast to index that extends alike is not needed.
func indexOf(ext, cast *ir.OpDef) do {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		args, _, ok := elementwise.From(c, 0, ext)
		if !ok || widthOf(c, c.ArgType(0)) > 64 {
			return 0
		}
		return elementwise.With(b, c, cast, 0, args[0])
	}
}

var castFolds = []ir.Fold{
	{Of: Extui, Needs: ir.MadeBy(Extui), Rule: "extui: extui(extui(x)) = extui(x)", Is: &pattern{From: &op{Args: in{&op{Args: in{x}}}}, To: &op{Args: in{x}, Props: same}}},
	{Of: Extsi, Needs: ir.MadeBy(Extsi), Rule: "extsi: extsi(extsi(x)) = extsi(x)", Is: &pattern{From: &op{Args: in{&op{Args: in{x}}}}, To: &op{Args: in{x}, Props: same}}},
	{Of: Extsi, Needs: ir.MadeBy(Extui), Rule: "extsi: extsi(extui(x)) = extui(x)", Is: &pattern{From: &op{Args: in{&op{Def: Extui, Args: in{x}}}}, To: &op{Def: Extui, Args: in{x}}}},
	{Of: Trunci, Needs: ir.MadeBy(Trunci), Rule: "trunci: trunci(trunci(x)) = trunci(x)", Is: &pattern{From: &op{Args: in{&op{Args: in{x}}}}, To: &op{Args: in{x}, Props: same}}},
	{Of: Trunci, Needs: ir.MadeBy(Extui), Rule: "trunci: trunci(extui(x)) = x, extended or cut", Do: truncated(Extui)},
	{Of: Trunci, Needs: ir.MadeBy(Extsi), Rule: "trunci: trunci(extsi(x)) = x, extended or cut", Do: truncated(Extsi)},
	{Of: Extf, Needs: ir.MadeBy(Extf), Rule: "extf: extf(extf(x)) = extf(x)", Is: &pattern{From: &op{Args: in{&op{Args: in{x}}}}, To: &op{Args: in{x}, Props: same}}},
	{Of: Truncf, Needs: ir.MadeBy(Extf), Rule: "truncf: truncf(extf(x)) = x", Is: &pattern{From: &op{Args: in{&op{Def: Extf, Args: in{x}}}}, To: x}},
	{Of: IndexCast, Needs: ir.MadeBy(IndexCast), Rule: "index_cast: to a type with room and back = x", Do: thereAndBack(IndexCast)},
	{Of: IndexCastui, Needs: ir.MadeBy(IndexCastui), Rule: "index_castui: to a type with room and back = x", Do: thereAndBack(IndexCastui)},
	{Of: IndexCast, Needs: ir.MadeBy(Extsi), Rule: "index_cast: index_cast(extsi(x)) = index_cast(x)", Do: indexOf(Extsi, IndexCast)},
	{Of: IndexCastui, Needs: ir.MadeBy(Extui), Rule: "index_castui: index_castui(extui(x)) = index_castui(x)", Do: indexOf(Extui, IndexCastui)},
	{Of: Bitcast, Rule: "bitcast: bitcast(x) = x", Is: &pattern{From: &op{Args: in{x}}, To: x}},
	{Of: Bitcast, Needs: ir.MadeBy(Bitcast), Rule: "bitcast: bitcast(bitcast(x)) = bitcast(x)", Is: &pattern{From: &op{Args: in{&op{Args: in{x}}}}, To: &op{Args: in{x}, Props: same}}},
}
