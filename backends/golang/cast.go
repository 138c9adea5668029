package golang

import (
	"fmt"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/ir"
)

// converted is an expression as one of a scalar type.
func converted(typ string, x source.Expr) source.Expr {
	return source.Made(source.Primary, typ+"("+x.Text+")", x)
}

func (f *function) noMemory() {
	if f.IsMemory(f.TypeOf(0)) {
		f.Refuse("converts memory", "load, convert and store the elements")
	}
}

// resize extends or truncates the operand.
func resize(withSign bool) func(*function) {
	return func(f *function) {
		f.noMemory()
		t := f.Type()
		typ, from, to := f.Scalar(f.G, f.V, t), f.WidthOf(0), f.Width(t)
		x := f.Arg(0)
		switch {
		case x.Constant && from > 1 && to > 1 && (withSign || to <= from):
			f.Give(f.e.Integer(ir.IntVal(x.Num, to).Int(to), to))
		case from == 1 && to == 1:
			f.Set(x)
		case from == 1:
			one := f.e.Integer(1, to)
			if withSign {
				one = f.e.Integer(-1, to)
			}
			f.setIf(x, one)
		case to == 1:
			f.Set(compare("!=", source.Binary(source.Product, "&", f.value(0), f.Number(1)), f.Number(0)))
		case to < from:
			f.Set(wrapped(converted(typ, f.value(0)), to))
		case withSign:
			f.Set(converted(typ, x))
		default:
			f.Set(converted(typ, f.unsigned(0, f.value(0))))
		}
	}
}

// setIf gives the current op a number if a condition holds, else 0.
func (f *function) setIf(cond, x source.Expr) {
	n := f.Code.Variable("t")
	f.Code.Var(source.Field{Type: f.e.Scalar(f.Type()), Name: n}, 0)
	f.Code.Line("if %s {", cond.Text)
	f.Code.Block(func() { f.Code.Assign(n, x) })
	f.Code.Line("}")
	f.Give(source.Name(n))
}

// emitBitcast is the same bits under another type.
func emitBitcast(f *function) {
	f.noMemory()
	from, to := f.TypeOf(0), f.Type()
	f.Scalar(f.G, f.V, to)
	w := f.WidthOf(0)
	if f.Ctx.IsFloat(from) {
		w = f.Width(to)
	}
	switch {
	case f.Ctx.IsFloat(from) == f.Ctx.IsFloat(to):
		f.Set(f.Arg(0))
	case f.Ctx.IsFloat(to):
		f.Set(source.Called(fmt.Sprintf("math.Float%dfrombits", w), unsigned(f.value(0), w, "u"+f.e.Scalar(from))))
	default:
		f.setUnsigned(source.Called(fmt.Sprintf("math.Float%dbits", w), f.Arg(0)))
	}
}

func emitIntToFloat(withSign bool) func(*function) {
	return func(f *function) {
		typ, x := f.Scalar(f.G, f.V, f.Type()), f.value(0)
		switch {
		case f.WidthOf(0) == 1 && withSign:
			f.setIf(x, f.Number(-1))
		case f.WidthOf(0) == 1:
			f.setIf(x, f.Number(1))
		case withSign:
			f.Set(converted(typ, x))
		default:
			f.Set(converted(typ, f.unsigned(0, x)))
		}
	}
}

// emitFloatToInt gives 0 for what does not fit, which is poison.
func emitFloatToInt(withSign bool) func(*function) {
	return func(f *function) {
		w, name := f.Width(f.Type()), "toInt"
		if w == 1 {
			f.Refuse("converts to a number of one bit", "compare instead")
		}
		typ := f.Scalar(f.G, f.V, f.Type())
		if !withSign {
			name = "toUint"
		}
		x := source.Called(f.e.helper(name), f.inFloat64(0), f.Number(int64(w)))
		f.Set(wrapped(converted(typ, x), w))
	}
}

func emitExtf(f *function) {
	f.Set(converted(f.Scalar(f.G, f.V, f.Type()), f.value(0)))
}

// emitTruncf rounds to nearest even, as Go does.
func emitTruncf(f *function) {
	if a := f.G.Attr(f.V, "roundingmode"); a != 0 && f.Ctx.AttrInfo(a).Int != 0 {
		f.Refuse("has a rounding mode other than to_nearest_even", "leave it out")
	}
	emitExtf(f)
}
