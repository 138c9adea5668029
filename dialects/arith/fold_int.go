package arith

import "github.com/irc-lang/irc/ir"

// chain gives a rule on an op with the constant c2 as operand cAt whose other
// operand is an inner op with the constant c1 as operand innerAt: f makes what it
// is equal to of the rest, x. flags are the promises that both ops make.
func chain(inner *ir.OpDef, cAt, innerAt int, f combine) do {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		c2, ok := Number(c, cAt)
		args, attr, is := From(c, 1-cAt, inner)
		if !ok || !is {
			return 0
		}
		c1, ok := NumberOf(c.Graph(), args[innerAt])
		x := args[1-innerAt]
		if !ok || c.Graph().Type(x) != c.Type {
			return 0
		}
		return f(b, c, x, c1, c2, OverflowOf(c.Ctx(), c.Attr)&OverflowOf(c.Ctx(), attr))
	}
}

// intOp makes an integer op with promises f.
func intOp(b *ir.Builder, c *ir.Call, d *ir.OpDef, f Overflow, args ...ir.Value) ir.Value {
	if len(d.Attrs) == 0 {
		return with(b, c, d, 0, args...)
	}
	return with(b, c, d, OverflowProps(c.Ctx(), f), args...)
}

// surviving lists the promises that hold for x op (c1 op c2) where they did for
// (x op c1) op c2: those under which c1 op c2 itself does not wrap.
func surviving(c *ir.Call, f intFunc, c1, c2 uint64, flags Overflow) Overflow {
	var out Overflow
	w, ok := width(c, 0)
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

type combine = func(b *ir.Builder, c *ir.Call, x ir.Value, c1, c2 uint64, flags Overflow) ir.Value

// plus and minus make x + k and k - x, with k = s1*c1 + s2*c2.
func plus(s1, s2 uint64) combine {
	return func(b *ir.Builder, c *ir.Call, x ir.Value, c1, c2 uint64, flags Overflow) ir.Value {
		var keep Overflow
		if s1 == 1 && s2 == 1 {
			keep = surviving(c, addi, c1, c2, flags)
		}
		return intOp(b, c, Addi, keep, x, konst(b, c, s1*c1+s2*c2))
	}
}

func minus(s1, s2 uint64) combine {
	return func(b *ir.Builder, c *ir.Call, x ir.Value, c1, c2 uint64, _ Overflow) ir.Value {
		return intOp(b, c, Subi, 0, konst(b, c, s1*c1+s2*c2), x)
	}
}

const neg = ^uint64(0) // -1 as a factor

var addFolds = []ir.Fold{
	{Of: Addi, Needs: ir.Constant, Rule: "addi: x + 0 = x", Do: Operand(0, rightIs(0))},
	{Of: Subi, Needs: ir.Constant, Rule: "subi: x - 0 = x", Do: Operand(0, rightIs(0))},
	{Of: Subi, Needs: ir.Same, Rule: "subi: x - x = 0", Do: number(0, bothSame)},
	{Of: Addi, Needs: ir.Constant | ir.MadeBy(Addi), Rule: "addi: (x + c1) + c2 = x + (c1 + c2)", Do: chain(Addi, 1, 1, plus(1, 1))},
	{Of: Addi, Needs: ir.Constant | ir.MadeBy(Subi), Rule: "addi: (x - c1) + c2 = x + (c2 - c1)", Do: chain(Subi, 1, 1, plus(neg, 1))},
	{Of: Addi, Needs: ir.Constant | ir.MadeBy(Subi), Rule: "addi: (c1 - x) + c2 = (c1 + c2) - x", Do: chain(Subi, 1, 0, minus(1, 1))},
	{Of: Subi, Needs: ir.Constant | ir.MadeBy(Addi), Rule: "subi: (x + c1) - c2 = x + (c1 - c2)", Do: chain(Addi, 1, 1, plus(1, neg))},
	{Of: Subi, Needs: ir.Constant | ir.MadeBy(Subi), Rule: "subi: (x - c1) - c2 = x + -(c1 + c2)", Do: chain(Subi, 1, 1, plus(neg, neg))},
	{Of: Subi, Needs: ir.Constant | ir.MadeBy(Subi), Rule: "subi: (c1 - x) - c2 = (c1 - c2) - x", Do: chain(Subi, 1, 0, minus(1, neg))},
	{Of: Subi, Needs: ir.Constant | ir.MadeBy(Addi), Rule: "subi: c2 - (x + c1) = (c2 - c1) - x", Do: chain(Addi, 0, 1, minus(neg, 1))},
	{Of: Subi, Needs: ir.Constant | ir.MadeBy(Subi), Rule: "subi: c2 - (x - c1) = (c2 + c1) - x", Do: chain(Subi, 0, 1, minus(1, 1))},
	{Of: Subi, Needs: ir.Constant | ir.MadeBy(Subi), Rule: "subi: c2 - (c1 - x) = x + (c2 - c1)", Do: chain(Subi, 0, 0, plus(neg, 1))},
	{Of: Subi, Needs: ir.MadeBy(Addi), Rule: "subi: (x + y) - x = y and (y + x) - x = y", Do: func(_ *ir.Builder, c *ir.Call) ir.Value {
		args, _, ok := From(c, 0, Addi)
		switch {
		case ok && args[0] == c.Args[1]:
			return Keep(c, args[1])
		case ok && args[1] == c.Args[1]:
			return Keep(c, args[0])
		}
		return 0
	}},
	{Of: Subi, Needs: ir.MadeBy(Subi), Rule: "subi: x - (x - y) = y", Do: func(_ *ir.Builder, c *ir.Call) ir.Value {
		if args, _, ok := From(c, 1, Subi); ok && args[0] == c.Args[0] {
			return Keep(c, args[1])
		}
		return 0
	}},
	{Of: Addi, Needs: ir.MadeBy(Subi), Rule: "addi: (x - y) + y = x and y + (x - y) = x", Do: func(_ *ir.Builder, c *ir.Call) ir.Value {
		for i := range 2 {
			if args, _, ok := From(c, i, Subi); ok && args[1] == c.Args[1-i] {
				return Keep(c, args[0])
			}
		}
		return 0
	}},
	{Of: AdduiExtended, Needs: ir.Constant, Rule: "addui_extended: x + 0 = (x, false)", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if !isNum(c, 1, 0) {
			return 0
		}
		return pack(b, c.Args[0], Splat(b, c.Ctx().Results(c.Type)[1], 0))
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
	{Of: Muli, Needs: ir.Constant, Rule: "muli: x * 0 = 0", Do: number(0, rightIs(0))},
	{Of: Muli, Needs: ir.Constant, Rule: "muli: x * 1 = x", Do: Operand(0, rightIs(1))},
	{Of: Muli, Needs: ir.Constant | ir.MadeBy(Muli), Rule: "muli: (x * c1) * c2 = x * (c1 * c2)", Do: chain(Muli, 1, 1,
		func(b *ir.Builder, c *ir.Call, x ir.Value, c1, c2 uint64, flags Overflow) ir.Value {
			return intOp(b, c, Muli, surviving(c, muli, c1, c2, flags), x, konst(b, c, c1*c2))
		})},
	{Of: MuluiExtended, Needs: ir.Constant, Rule: "mului_extended: x * 0 = (0, 0)", Do: bothZero},
	{Of: MulsiExtended, Needs: ir.Constant, Rule: "mulsi_extended: x * 0 = (0, 0)", Do: bothZero},
	{Of: MuluiExtended, Needs: ir.Constant, Rule: "mului_extended: x * 1 = (x, 0)", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if !isNum(c, 1, 1) {
			return 0
		}
		return pack(b, c.Args[0], Splat(b, c.ArgType(0), 0))
	}},
	{Of: MuluiExtended, Needs: ir.Constant, Rule: "mului_extended: of constants", Do: extendedConst},
	{Of: MulsiExtended, Needs: ir.Constant, Rule: "mulsi_extended: of constants", Do: extendedConst},
}

func bothZero(b *ir.Builder, c *ir.Call) ir.Value {
	if !isNum(c, 1, 0) {
		return 0
	}
	z := Splat(b, c.ArgType(0), 0)
	return pack(b, z, z)
}

// divFolds may remove a trap, never add one.
var divFolds = []ir.Fold{
	{Of: Divui, Needs: ir.Constant, Rule: "divui: x / 1 = x", Do: Operand(0, rightIs(1))},
	{Of: Divsi, Needs: ir.Constant, Rule: "divsi: x / 1 = x", Do: Operand(0, signedOne)},
	{Of: Ceildivui, Needs: ir.Constant, Rule: "ceildivui: x / 1 = x", Do: Operand(0, rightIs(1))},
	{Of: Ceildivsi, Needs: ir.Constant, Rule: "ceildivsi: x / 1 = x", Do: Operand(0, signedOne)},
	{Of: Floordivsi, Needs: ir.Constant, Rule: "floordivsi: x / 1 = x", Do: Operand(0, signedOne)},
	{Of: Remui, Needs: ir.Constant, Rule: "remui: x mod 1 = 0", Do: number(0, rightIs(1))},
	{Of: Remsi, Needs: ir.Constant, Rule: "remsi: x mod 1 = 0", Do: number(0, signedOne)},
	{Of: Divui, Needs: ir.MadeBy(Muli), Rule: "divui: (x * y) / y = x where x * y does not wrap", Do: divMul(NUW)},
	{Of: Divsi, Needs: ir.MadeBy(Muli), Rule: "divsi: (x * y) / y = x where x * y does not wrap", Do: divMul(NSW)},
}

// signedOne: 1 is -1 in i1, by which no division is certain.
func signedOne(c *ir.Call) bool {
	w, _ := width(c, 1)
	return w > 1 && isNum(c, 1, 1)
}

func divMul(promise Overflow) do {
	return func(_ *ir.Builder, c *ir.Call) ir.Value {
		args, attr, ok := From(c, 0, Muli)
		if !ok || OverflowOf(c.Ctx(), attr)&promise == 0 {
			return 0
		}
		switch c.Args[1] {
		case args[1]:
			return Keep(c, args[0])
		case args[0]:
			return Keep(c, args[1])
		}
		return 0
	}
}

var extremaFolds = append([]ir.Fold{
	{Of: Maxui, Needs: ir.Constant, Rule: "maxui: max(x, 0) = x", Do: Operand(0, rightIs(0))},
	{Of: Maxui, Needs: ir.Constant, Rule: "maxui: max(x, greatest) = greatest", Do: Operand(1, rightOnes)},
	{Of: Minui, Needs: ir.Constant, Rule: "minui: min(x, greatest) = x", Do: Operand(0, rightOnes)},
	{Of: Minui, Needs: ir.Constant, Rule: "minui: min(x, 0) = 0", Do: Operand(1, rightIs(0))},
	{Of: Maxsi, Needs: ir.Constant, Rule: "maxsi: max(x, least) = x", Do: Operand(0, rightLeast)},
	{Of: Maxsi, Needs: ir.Constant, Rule: "maxsi: max(x, greatest) = greatest", Do: Operand(1, rightGreatest)},
	{Of: Minsi, Needs: ir.Constant, Rule: "minsi: min(x, greatest) = x", Do: Operand(0, rightGreatest)},
	{Of: Minsi, Needs: ir.Constant, Rule: "minsi: min(x, least) = least", Do: Operand(1, rightLeast)},
}, idempotent()...)

func rightLeast(c *ir.Call) bool {
	w, ok := width(c, 1)
	return ok && isNum(c, 1, 1<<(w-1)&mask(w))
}

func rightGreatest(c *ir.Call) bool {
	w, ok := width(c, 1)
	return ok && isNum(c, 1, mask(w)>>1)
}

// idempotent lists the rules for ops of x with itself.
func idempotent() []ir.Fold {
	var out []ir.Fold
	for _, d := range []*ir.OpDef{Maxui, Maxsi, Minui, Minsi, Andi, Ori, Maximumf, Minimumf, Maxnumf, Minnumf} {
		out = append(out, ir.Fold{Of: d, Needs: ir.Same, Rule: d.Name[6:] + ": of x and x = x", Do: Operand(0, bothSame)})
	}
	return out
}
