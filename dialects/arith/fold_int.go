package arith

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// chain gives the rule (x . c1) . c2 = x . (c1 . c2) of an op that may promise not to wrap: what both ops promise holds
// of the new one where c1 . c2 does not wrap, which no pattern says.
func chain(d *ir.OpDef, f intFunc) do {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		c2, ok := elementwise.Number(c, 1)
		args, attr, is := elementwise.From(c, 0, d)
		if !ok || !is {
			return 0
		}
		c1, ok := c.Graph().Number(args[1])
		w, small := elementwise.Width(c, 0)
		if !ok || !small || c.Graph().Type(args[0]) != c.Type {
			return 0
		}
		flags := surviving(c, f, c1, c2, OverflowOf(c.Ctx(), c.Attr)&OverflowOf(c.Ctx(), attr))
		k, _ := f(w, c1, c2, 0)
		return elementwise.With(b, c, d, OverflowProps(c.Ctx(), flags), args[0], konst(b, c, k))
	}
}

// surviving lists the promises that hold for x op (c1 op c2) where they did for
// (x op c1) op c2: those under which c1 op c2 itself does not wrap.
func surviving(c *ir.Call, f intFunc, c1, c2 uint64, flags Overflow) Overflow {
	var out Overflow
	w, ok := elementwise.Width(c, 0)
	if !ok {
		return 0
	}
	for _, p := range []Overflow{NSW, NUW} {
		if _, ok := f(w, c1, c2, p); ok {
			out |= flags & p
		}
	}
	return out
}

var addFolds = []ir.Fold{
	{Of: Addi, Needs: ir.Constant, Rule: "addi: x + 0 = x", Is: &pattern{From: &op{Args: in{x, zero}}, To: x}},
	{Of: Subi, Needs: ir.Constant, Rule: "subi: x - 0 = x", Is: &pattern{From: &op{Args: in{x, zero}}, To: x}},
	{Of: Subi, Needs: ir.Same, Rule: "subi: x - x = 0", Is: &pattern{From: &op{Args: in{x, x}}, To: zero}},
	{Of: Addi, Needs: ir.Constant | ir.MadeBy(Addi), Rule: "addi: (x + c1) + c2 = x + (c1 + c2)", Do: chain(Addi, addi)},
	{Of: Addi, Needs: ir.Constant | ir.MadeBy(Subi), Rule: "addi: (x - c1) + c2 = x + (c2 - c1)", Is: &pattern{From: &op{Args: in{&op{Def: Subi, Args: in{x, c1}}, c2}}, To: &op{Def: Addi, Args: in{x, minusFirst}}}},
	{Of: Addi, Needs: ir.Constant | ir.MadeBy(Subi), Rule: "addi: (c1 - x) + c2 = (c1 + c2) - x", Is: &pattern{From: &op{Args: in{&op{Def: Subi, Args: in{c1, x}}, c2}}, To: &op{Def: Subi, Args: in{plus, x}}}},
	{Of: Subi, Needs: ir.Constant | ir.MadeBy(Addi), Rule: "subi: (x + c1) - c2 = x + (c1 - c2)", Is: &pattern{From: &op{Args: in{&op{Def: Addi, Args: in{x, c1}}, c2}}, To: &op{Def: Addi, Args: in{x, minus}}}},
	{Of: Subi, Needs: ir.Constant | ir.MadeBy(Subi), Rule: "subi: (x - c1) - c2 = x + -(c1 + c2)", Is: &pattern{From: &op{Args: in{&op{Def: Subi, Args: in{x, c1}}, c2}}, To: &op{Def: Addi, Args: in{x, minusBoth}}}},
	{Of: Subi, Needs: ir.Constant | ir.MadeBy(Subi), Rule: "subi: (c1 - x) - c2 = (c1 - c2) - x", Is: &pattern{From: &op{Args: in{&op{Def: Subi, Args: in{c1, x}}, c2}}, To: &op{Def: Subi, Args: in{minus, x}}}},
	{Of: Subi, Needs: ir.Constant | ir.MadeBy(Addi), Rule: "subi: c2 - (x + c1) = (c2 - c1) - x", Is: &pattern{From: &op{Args: in{c2, &op{Def: Addi, Args: in{x, c1}}}}, To: &op{Def: Subi, Args: in{minusFirst, x}}}},
	{Of: Subi, Needs: ir.Constant | ir.MadeBy(Subi), Rule: "subi: c2 - (x - c1) = (c1 + c2) - x", Is: &pattern{From: &op{Args: in{c2, &op{Def: Subi, Args: in{x, c1}}}}, To: &op{Def: Subi, Args: in{plus, x}}}},
	{Of: Subi, Needs: ir.Constant | ir.MadeBy(Subi), Rule: "subi: c2 - (c1 - x) = x + (c2 - c1)", Is: &pattern{From: &op{Args: in{c2, &op{Def: Subi, Args: in{c1, x}}}}, To: &op{Def: Addi, Args: in{x, minusFirst}}}},
	{Of: Subi, Needs: ir.MadeBy(Addi), Rule: "subi: (x + y) - x = y", Is: &pattern{From: &op{Args: in{&op{Def: Addi, Args: in{x, y}}, x}}, To: y}},
	{Of: Subi, Needs: ir.MadeBy(Subi), Rule: "subi: x - (x - y) = y", Is: &pattern{From: &op{Args: in{x, &op{Def: Subi, Args: in{x, y}}}}, To: y}},
	{Of: Addi, Needs: ir.MadeBy(Subi), Rule: "addi: (x - y) + y = x", Is: &pattern{From: &op{Args: in{&op{Def: Subi, Args: in{x, y}}, y}}, To: x}},
	{Of: AdduiExtended, Needs: ir.Constant, Rule: "addui_extended: x + 0 = (x, false)", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if !isNum(c, 1, 0) {
			return 0
		}
		return pack(b, c.Args[0], b.Splat(c.Ctx().Results(c.Type)[1], 0))
	}},
	{Of: AdduiExtended, Needs: ir.Constant, Rule: "addui_extended: of constants", Do: extendedConst},
}

// pack is Builder.Pack, or 0 if one of the values is.
func pack(b *ir.Builder, vs ...ir.Value) ir.Value {
	for _, v := range vs {
		if v == 0 {
			return 0
		}
	}
	return b.Pack(vs...)
}

// extendedConst folds constants of an op with two results.
func extendedConst(b *ir.Builder, c *ir.Call) ir.Value {
	x, ok := c.Const(0)
	y, ok2 := c.Const(1)
	if !ok || !ok2 {
		return 0
	}
	out, err := c.Def.Eval(c, []ir.Val{x, y})
	if err != nil {
		return 0
	}
	vals := make([]ir.Value, 2)
	for i, t := range c.Ctx().Results(c.Type) {
		a := c.Ctx().AttrOf(out.Ref.(ir.Vector)[i], t)
		if a == 0 {
			return 0
		}
		vals[i] = b.ConstAttr(t, a)
	}
	return b.Pack(vals...)
}

var mulFolds = []ir.Fold{
	{Of: Muli, Needs: ir.Constant, Rule: "muli: x * 0 = 0", Is: &pattern{From: &op{Args: in{x, zero}}, To: zero}},
	{Of: Muli, Needs: ir.Constant, Rule: "muli: x * 1 = x", Is: &pattern{From: &op{Args: in{x, one}}, To: x}},
	{Of: Muli, Needs: ir.Constant | ir.MadeBy(Muli), Rule: "muli: (x * c1) * c2 = x * (c1 * c2)", Do: chain(Muli, muli)},
	{Of: MuluiExtended, Needs: ir.Constant, Rule: "mului_extended: x * 0 = (0, 0)", Do: bothZero},
	{Of: MulsiExtended, Needs: ir.Constant, Rule: "mulsi_extended: x * 0 = (0, 0)", Do: bothZero},
	{Of: MuluiExtended, Needs: ir.Constant, Rule: "mului_extended: x * 1 = (x, 0)", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if !isNum(c, 1, 1) {
			return 0
		}
		return pack(b, c.Args[0], b.Splat(c.ArgType(0), 0))
	}},
	{Of: MuluiExtended, Needs: ir.Constant, Rule: "mului_extended: of constants", Do: extendedConst},
	{Of: MulsiExtended, Needs: ir.Constant, Rule: "mulsi_extended: of constants", Do: extendedConst},
}

func bothZero(b *ir.Builder, c *ir.Call) ir.Value {
	if !isNum(c, 1, 0) {
		return 0
	}
	z := b.Splat(c.ArgType(0), 0)
	return pack(b, z, z)
}

// divFolds may remove a trap, never add one.
var divFolds = []ir.Fold{
	{Of: Divui, Needs: ir.Constant, Rule: "divui: x / 1 = x", Is: &pattern{From: &op{Args: in{x, one}}, To: x}},
	{Of: Divsi, Needs: ir.Constant, Rule: "divsi: x / 1 = x", Is: &pattern{From: &op{Args: in{x, signedOne}}, To: x}},
	{Of: Ceildivui, Needs: ir.Constant, Rule: "ceildivui: x / 1 = x", Is: &pattern{From: &op{Args: in{x, one}}, To: x}},
	{Of: Ceildivsi, Needs: ir.Constant, Rule: "ceildivsi: x / 1 = x", Is: &pattern{From: &op{Args: in{x, signedOne}}, To: x}},
	{Of: Floordivsi, Needs: ir.Constant, Rule: "floordivsi: x / 1 = x", Is: &pattern{From: &op{Args: in{x, signedOne}}, To: x}},
	{Of: Remui, Needs: ir.Constant, Rule: "remui: x mod 1 = 0", Is: &pattern{From: &op{Args: in{x, one}}, To: zero}},
	{Of: Remsi, Needs: ir.Constant, Rule: "remsi: x mod 1 = 0", Is: &pattern{From: &op{Args: in{x, signedOne}}, To: zero}},
	{Of: Divui, Needs: ir.MadeBy(Muli), Rule: "divui: (x * y) / y = x if nuw", Is: &pattern{From: &op{Args: in{&op{Def: Muli, Args: in{x, y}, Props: nuw, Text: "nuw"}, y}}, To: x}},
	{Of: Divsi, Needs: ir.MadeBy(Muli), Rule: "divsi: (x * y) / y = x if nsw", Is: &pattern{From: &op{Args: in{&op{Def: Muli, Args: in{x, y}, Props: nsw, Text: "nsw"}, y}}, To: x}},
}

var extremaFolds = []ir.Fold{
	{Of: Maxui, Needs: ir.Constant, Rule: "maxui: max(x, 0) = x", Is: &pattern{From: &op{Args: in{x, zero}}, To: x}},
	{Of: Maxui, Needs: ir.Constant, Rule: "maxui: max(x, -1) = -1", Is: &pattern{From: &op{Args: in{x, ones}}, To: ones}},
	{Of: Minui, Needs: ir.Constant, Rule: "minui: min(x, -1) = x", Is: &pattern{From: &op{Args: in{x, ones}}, To: x}},
	{Of: Minui, Needs: ir.Constant, Rule: "minui: min(x, 0) = 0", Is: &pattern{From: &op{Args: in{x, zero}}, To: zero}},
	{Of: Maxsi, Needs: ir.Constant, Rule: "maxsi: max(x, least) = x", Is: &pattern{From: &op{Args: in{x, least}}, To: x}},
	{Of: Maxsi, Needs: ir.Constant, Rule: "maxsi: max(x, greatest) = greatest", Is: &pattern{From: &op{Args: in{x, greatest}}, To: greatest}},
	{Of: Minsi, Needs: ir.Constant, Rule: "minsi: min(x, greatest) = x", Is: &pattern{From: &op{Args: in{x, greatest}}, To: x}},
	{Of: Minsi, Needs: ir.Constant, Rule: "minsi: min(x, least) = least", Is: &pattern{From: &op{Args: in{x, least}}, To: least}},
	{Of: Maxui, Needs: ir.Same, Rule: "maxui: max(x, x) = x", Is: idempotent},
	{Of: Maxsi, Needs: ir.Same, Rule: "maxsi: max(x, x) = x", Is: idempotent},
	{Of: Minui, Needs: ir.Same, Rule: "minui: min(x, x) = x", Is: idempotent},
	{Of: Minsi, Needs: ir.Same, Rule: "minsi: min(x, x) = x", Is: idempotent},
	{Of: Andi, Needs: ir.Same, Rule: "andi: x & x = x", Is: idempotent},
	{Of: Ori, Needs: ir.Same, Rule: "ori: x | x = x", Is: idempotent},
	{Of: Maximumf, Needs: ir.Same, Rule: "maximumf: max(x, x) = x", Is: idempotent},
	{Of: Minimumf, Needs: ir.Same, Rule: "minimumf: min(x, x) = x", Is: idempotent},
	{Of: Maxnumf, Needs: ir.Same, Rule: "maxnumf: max(x, x) = x", Is: idempotent},
	{Of: Minnumf, Needs: ir.Same, Rule: "minnumf: min(x, x) = x", Is: idempotent},
}

// idempotent is that of ops of x with itself.
var idempotent = &pattern{From: &op{Args: in{x, x}}, To: x}
