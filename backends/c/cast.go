package c

import (
	"fmt"

	"github.com/irc-lang/irc/ir"
)

// resize extends or truncates the operand.
func resize(withSign bool) func(*function) {
	return func(f *function) {
		if f.isMemory(f.typeOf(0)) {
			f.fail("converts memory, which is not printed as C; load, convert and store the elements")
		}
		x, from, t := f.arg(0), f.widthOf(0), f.g.Type(f.v)
		to := f.width(t)
		typ := f.scalar(f.g, f.v, t)
		switch {
		case x.constant && from > 1 && to > 1 && withSign:
			f.vals[f.v] = val{x: integer(ir.IntVal(x.num, to).Int(to), to)}
		case from == to:
			f.vals[f.v] = val{x: x}
		case to == 1:
			f.set(binary(equality, "!=", binary(bitAnd, "&", x, number(1)), number(0)))
		case from == 1 && withSign:
			f.set(made(unary, "-"+cast(typ, x).in(unary), x))
		case from == 1 || to < from:
			f.set(cast(typ, x))
		case withSign:
			f.set(cast(typ, signed(x, from)))
		case to >= 32:
			out := cast("u"+typ, unsigned(x, from))
			out.unsigned = true
			f.set(out)
		default:
			f.set(cast(typ, unsigned(x, from)))
		}
	}
}

// emitBitcast is the same bits under another type.
func emitBitcast(f *function) {
	from, to := f.typeOf(0), f.g.Type(f.v)
	if f.isMemory(from) {
		f.fail("converts memory, which is not printed as C; load, convert and store the elements")
	}
	x := f.arg(0)
	switch {
	case from == to || !f.ctx.IsFloat(from) && !f.ctx.IsFloat(to):
		f.vals[f.v] = val{x: x}
	default:
		f.set(called(f.helper("irc_bits_"+f.suffix(from)+"_"+f.suffix(to)), signed(x, f.width(from))))
	}
}

func emitIntToFloat(withSign bool) func(*function) {
	return func(f *function) {
		x, w, typ := f.arg(0), f.widthOf(0), f.scalar(f.g, f.v, f.g.Type(f.v))
		switch {
		case w == 1 && withSign:
			f.set(made(unary, "-"+cast(typ, x).in(unary), x))
		case withSign:
			f.set(cast(typ, signed(x, w)))
		default:
			f.set(cast(typ, unsigned(x, w)))
		}
	}
}

// emitFloatToInt gives 0 for what does not fit, which is poison.
func emitFloatToInt(withSign bool) func(*function) {
	return func(f *function) {
		w, sign := f.width(f.g.Type(f.v)), "i"
		if w == 1 {
			f.fail("converts to a number of one bit, which is not printed as C; compare instead")
		}
		if !withSign {
			sign = "u"
		}
		f.scalar(f.g, f.v, f.g.Type(f.v))
		x := f.arg(0)
		if f.typeOf(0) == ir.F32 {
			x = cast("double", x)
		}
		out := called(f.helper(fmt.Sprintf("irc_to_%s%d", sign, w)), x)
		out.unsigned = !withSign && w >= 32
		if !withSign {
			out = f.normal(out, w)
		}
		f.set(out)
	}
}

func emitExtf(f *function) { f.set(cast(f.scalar(f.g, f.v, f.g.Type(f.v)), f.arg(0))) }

// emitTruncf rounds to nearest even, as C does unless it was told otherwise.
func emitTruncf(f *function) {
	if a := f.g.Attr(f.v, "roundingmode"); a != 0 && f.ctx.AttrInfo(a).Int != 0 {
		f.fail("has a rounding mode other than to_nearest_even, which is not printed as C")
	}
	emitExtf(f)
}
