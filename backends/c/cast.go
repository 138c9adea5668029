package c

import (
	"fmt"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/ir"
)

// resize extends or truncates the operand.
func resize(withSign bool) func(*function) {
	return func(f *function) {
		if f.IsMemory(f.TypeOf(0)) {
			f.Fail("converts memory, which is not printed as C; load, convert and store the elements")
		}
		x, from, t := f.Arg(0), f.WidthOf(0), f.G.Type(f.V)
		to := f.Width(t)
		typ := f.Scalar(f.G, f.V, t)
		switch {
		case x.Constant && from > 1 && to > 1 && withSign:
			f.Give(integer(ir.IntVal(x.Num, to).Int(to), to))
		case from == to:
			f.Give(x)
		case to == 1:
			f.Set(source.Binary(source.Equality, "!=", source.Binary(source.BitAnd, "&", x, f.Number(1)), f.Number(0)))
		case from == 1 && withSign:
			f.Set(source.Made(source.Unary, "-"+cast(typ, x).In(source.Unary), x))
		case from == 1 || to < from:
			f.Set(cast(typ, x))
		case withSign:
			f.Set(cast(typ, signed(x, from)))
		case to >= 32:
			out := cast("u"+typ, unsigned(x, from))
			out.Unsigned = true
			f.Set(out)
		default:
			f.Set(cast(typ, unsigned(x, from)))
		}
	}
}

// emitBitcast is the same bits under another type.
func emitBitcast(f *function) {
	from, to := f.TypeOf(0), f.G.Type(f.V)
	if f.IsMemory(from) {
		f.Fail("converts memory, which is not printed as C; load, convert and store the elements")
	}
	x := f.Arg(0)
	switch {
	case from == to || !f.Ctx.IsFloat(from) && !f.Ctx.IsFloat(to):
		f.Give(x)
	default:
		f.Set(source.Called(f.e.helper("irc_bits_"+f.suffix(to)+"_"+f.suffix(from)), signed(x, f.Width(from))))
	}
}

func emitIntToFloat(withSign bool) func(*function) {
	return func(f *function) {
		x, w, typ := f.Arg(0), f.WidthOf(0), f.Scalar(f.G, f.V, f.Type())
		switch {
		case w == 1 && withSign:
			f.Set(source.Made(source.Unary, "-"+cast(typ, x).In(source.Unary), x))
		case withSign:
			f.Set(cast(typ, signed(x, w)))
		default:
			f.Set(cast(typ, unsigned(x, w)))
		}
	}
}

// emitFloatToInt gives 0 for what does not fit, which is poison.
func emitFloatToInt(withSign bool) func(*function) {
	return func(f *function) {
		w, sign := f.Width(f.G.Type(f.V)), "i"
		if w == 1 {
			f.Fail("converts to a number of one bit, which is not printed as C; compare instead")
		}
		if !withSign {
			sign = "u"
		}
		f.Scalar(f.G, f.V, f.Type())
		out := source.Called(f.e.helper(fmt.Sprintf("irc_to_%s%d_%s", sign, w, f.suffix(f.TypeOf(0)))), f.Arg(0))
		out.Unsigned = !withSign && w >= 32
		if !withSign {
			out = f.normal(out, w)
		}
		f.Set(out)
	}
}

func emitExtf(f *function) { f.Set(cast(f.Scalar(f.G, f.V, f.Type()), f.Arg(0))) }

// emitTruncf rounds to nearest even, as C does unless it was told otherwise.
func emitTruncf(f *function) {
	if a := f.G.Attr(f.V, "roundingmode"); a != 0 && f.Ctx.AttrInfo(a).Int != 0 {
		f.Fail("has a rounding mode other than to_nearest_even, which is not printed as C")
	}
	emitExtf(f)
}
