package c

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// fits reports that an operation on the operands of the current op, as numbers, gives one of
// its type: then C's signed arithmetic computes it.
func (f *function) fits(do func(a, b int64) (int64, bool)) bool {
	known := f.Known.At(f.Region)
	args := f.G.Args(f.V)
	x, y := known.Number(args[0]), known.Number(args[1])
	if x.Width == 0 || y.Width == 0 {
		return false
	}
	for _, a := range []int64{x.Low, x.High} {
		for _, b := range []int64{y.Low, y.High} {
			n, ok := do(a, b)
			if w := uint(64 - x.Width); !ok || n<<w>>w != n {
				return false
			}
		}
	}
	return true
}

func sumFits(a, b int64) (int64, bool) {
	n := a + b
	return n, (n > a) == (b > 0) || b == 0
}

func differenceFits(a, b int64) (int64, bool) {
	n := a - b
	return n, (n < a) == (b > 0) || b == 0
}

func productFits(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	n := a * b
	return n, n/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
}

// emitSum is a sum, difference or product.
func emitSum(prec int, op string, fits func(a, b int64) (int64, bool)) func(*function) {
	return func(f *function) {
		x, y, w := f.Arg(0), f.Arg(1), f.WidthOf(0)
		switch {
		case w == 1 && op == "*":
			f.Set(source.Binary(source.BitAnd, "&", x, y))
		case w == 1:
			f.Set(source.Binary(source.Equality, "!=", x, y))
		case f.fits(fits):
			f.Set(source.Binary(prec, op, signed(x, w), signed(y, w)))
		default:
			f.Set(modular(prec, op, x, y, w))
		}
	}
}

// emitBits is an operation on each bit.
func emitBits(prec int, op string) func(*function) {
	return func(f *function) {
		x, y, w := f.Arg(0), f.Arg(1), f.WidthOf(0)
		if w == 1 && op == "^" {
			switch {
			case y.Constant && y.Num != 0:
				f.Set(source.Negated(x))
			default:
				f.Set(source.Binary(source.Equality, "!=", x, y))
			}
			return
		}
		if w == 1 && !x.Acts && !y.Acts { // where nothing can happen, it does not matter what is looked at
			op, prec := map[string]string{"&": "&&", "|": "||"}[op], map[string]int{"&": source.LogicalAnd, "|": source.LogicalOr}[op]
			f.Set(source.Binary(prec, op, within(x, prec), within(y, prec)))
			return
		}
		out := source.Binary(prec, op, x, y)
		out.Unsigned = x.Unsigned || y.Unsigned
		f.Set(out)
	}
}

// within puts parentheses around "and" within "or", which compilers warn of.
func within(x source.Expr, prec int) source.Expr {
	if prec == source.LogicalOr && x.Prec == source.LogicalAnd {
		x.Text, x.Prec = "("+x.Text+")", source.Primary
	}
	return x
}

// emitShift shifts by the amount modulo the width: by more it is poison.
func emitShift(op string, withSign bool) func(*function) {
	return func(f *function) {
		x, y, w := f.Arg(0), f.Arg(1), f.WidthOf(0)
		if w == 1 { // by 0, or poison
			f.Set(x)
			return
		}
		if y.Constant {
			y = f.Number(y.Num & int64(w-1))
		} else {
			y = source.Binary(source.BitAnd, "&", y, f.Number(int64(w-1)))
		}
		switch {
		case withSign:
			f.Set(source.Binary(source.Shift, op, wide(signed(x, w), w), y))
		case w < 32 && op == "<<":
			f.Set(cast(fmt.Sprintf("int%d_t", w), source.Binary(source.Shift, op, cast("uint32_t", x), y)))
		case w < 32:
			f.Set(cast(fmt.Sprintf("int%d_t", w), source.Binary(source.Shift, op, unsigned(x, w), y)))
		default:
			out := source.Binary(source.Shift, op, unsigned(x, w), y)
			out.Unsigned = true
			f.Set(out)
		}
	}
}

// emitExtreme is the greater or smaller of two integers.
func emitExtreme(helper string, withSign bool) func(*function) {
	return func(f *function) {
		x, y, w := f.Arg(0), f.Arg(1), f.WidthOf(0)
		if w == 1 {
			and := (helper == "min") == !withSign // true is -1 as signed
			if and {
				f.Set(source.Binary(source.BitAnd, "&", x, y))
			} else {
				f.Set(source.Binary(source.BitOr, "|", x, y))
			}
			return
		}
		if withSign {
			f.Set(source.Called(f.integerHelper(helper, w, "i"), signed(x, w), signed(y, w)))
			return
		}
		out := source.Called(f.integerHelper(helper, w, "u"), x, y)
		out.Unsigned = w >= 32
		f.Set(f.normal(out, w))
	}
}

// normal gives an expression without sign of 8 or 16 bits its sign.
func (f *function) normal(x source.Expr, w int) source.Expr {
	if w >= 32 {
		return x
	}
	return cast(fmt.Sprintf("int%d_t", w), x)
}

// integerHelper is irc_NAME_i32 and the like.
func (f *function) integerHelper(name string, w int, sign string) string {
	return f.e.helper(fmt.Sprintf("irc_%s_%s%d", name, sign, w))
}

// emitDivision is a division, before which stands what it traps on: zero and, with sign, overflow, unless the
// divisor is known to be neither.
func emitDivision(name, op string, withSign bool) func(*function) {
	return func(f *function) {
		x, y, w := f.Arg(0), f.Arg(1), f.WidthOf(0)
		if w == 1 {
			f.Fail("divides numbers of one bit, which is not printed as C; extend them first")
		}
		t := f.TypeOf(0)
		known := f.Known.At(f.Region)
		by, of := known.Number(f.G.Args(f.V)[1]), known.Number(f.G.Args(f.V)[0])
		least := int64(-1) << (w - 1)
		x, y = signed(x, w), signed(y, w)
		if !f.Unchecked && !by.Nonzero() {
			y = f.HoistedOf(y, t)
			f.CheckOnce(source.Binary(source.Equality, "==", y, f.Number(0)), "division by zero")
		}
		if withSign && !f.Unchecked && (by.Width == 0 || by.Has(-1)) && (of.Width == 0 || of.Has(least)) {
			x, y = f.HoistedOf(x, t), f.HoistedOf(y, t)
			f.CheckOnce(source.Binary(source.LogicalAnd, "&&", source.Binary(source.Equality, "==", y, f.Number(-1)), source.Binary(source.Equality, "==", x, integer(least, w))), "signed overflow")
		}
		var out source.Expr
		switch {
		case op != "" && withSign:
			out = source.Binary(source.Product, op, x, y)
		case op != "":
			out = source.Binary(source.Product, op, unsigned(x, w), unsigned(y, w))
		case withSign:
			out = source.Called(f.integerHelper(name, w, "i"), x, y)
		default:
			out = source.Called(f.integerHelper(name, w, "u"), unsigned(x, w), unsigned(y, w))
		}
		if !withSign {
			out.Unsigned = w >= 32
			out = f.normal(out, w)
		}
		f.Set(out)
	}
}

var comparisons = []struct {
	op       string
	unsigned bool
}{{"==", false}, {"!=", false}, {"<", false}, {"<=", false}, {">", false}, {">=", false}, {"<", true}, {"<=", true}, {">", true}, {">=", true}}

func emitCmpi(f *function) {
	x, y, w := f.Arg(0), f.Arg(1), f.WidthOf(0)
	c := comparisons[arith.PredicateOfI(f.Ctx, f.G.AttrsOf(f.V))]
	switch {
	case c.op == "==" || c.op == "!=":
		f.Set(source.Binary(source.Equality, c.op, x, y))
		return
	case w == 1 && !c.unsigned: // true is -1
		x, y = y, x
	case c.unsigned:
		x, y = unsigned(x, w), unsigned(y, w)
	default:
		x, y = signed(x, w), signed(y, w)
	}
	f.Set(source.Binary(source.Relation, c.op, x, y))
}

// emitCmpf compares floats: ordered comparisons are C's operators, the others the negation
// of the opposite.
func emitCmpf(f *function) {
	x, y := f.Arg(0), f.Arg(1)
	ordered := map[int]string{1: "==", 2: ">", 3: ">=", 4: "<", 5: "<="}
	opposite := map[int]string{9: "<=", 10: "<", 11: ">=", 12: ">"} // of ugt, uge, ult, ule
	p := int(arith.PredicateOfF(f.Ctx, f.G.AttrsOf(f.V)))
	infix := func(op string) source.Expr {
		if op == "==" || op == "!=" {
			return source.Binary(source.Equality, op, x, y)
		}
		return source.Binary(source.Relation, op, x, y)
	}
	switch {
	case p == 0 || p == 15:
		f.Give(source.Boolean(p == 15))
	case ordered[p] != "":
		f.Set(infix(ordered[p]))
	case opposite[p] != "":
		f.Set(source.Negated(infix(opposite[p])))
	case p == 6:
		f.Set(source.Binary(source.Equality, "!=", f.comparison("lessgreater", x, y), f.Number(0)))
	case p == 7:
		f.Set(source.Negated(f.comparison("unordered", x, y)))
	case p == 8:
		f.Set(source.Negated(f.comparison("lessgreater", x, y)))
	case p == 13:
		f.Set(infix("!="))
	default:
		f.Set(source.Binary(source.Equality, "!=", f.comparison("unordered", x, y), f.Number(0)))
	}
}

// emitSelect is a conditional expression; of memory each part is one.
func emitSelect(f *function) {
	t := f.Type()
	if f.IsMemory(t) {
		f.SelectFields(choice)
		return
	}
	c, x, y := f.Arg(0), signed(f.Arg(1), f.Width(t)), signed(f.Arg(2), f.Width(t))
	if w := f.Width(t); x.Constant && y.Constant && !f.Ctx.IsFloat(t) {
		x = wide(x, w)
	}
	f.Set(choice(c, x, y))
}

func choice(c, x, y source.Expr) source.Expr {
	cond := c.In(source.Conditional + 1)
	if c.Prec == source.BitOr || c.Prec == source.BitXor || c.Prec == source.BitAnd { // compilers warn of these
		cond = "(" + c.Text + ")"
	}
	return source.Made(source.Conditional, cond+" ? "+x.In(source.Conditional+1)+" : "+y.In(source.Conditional), c, x, y)
}

// Float operations.

func emitFloat(prec int, op string) func(*function) {
	return func(f *function) {
		if arith.FastMathOf(f.Ctx, f.G.AttrsOf(f.V))&arith.Contract == 0 {
			f.e.exact = true
		}
		f.Set(source.Binary(prec, op, f.Arg(0), f.Arg(1)))
	}
}

func emitNegf(f *function) {
	x := f.Arg(0)
	text := x.In(source.Unary)
	if text[0] == '-' {
		text = "(" + text + ")"
	}
	f.Set(source.Made(source.Unary, "-"+text, x))
}

// libmCall calls a function of math.h.
func libmCall(name string) func(*function) {
	return func(f *function) {
		var args []source.Expr
		for i := range f.G.Args(f.V) {
			args = append(args, f.Arg(i))
		}
		f.Set(f.math(name, args...))
	}
}

// math calls a function of math.h, which has an f at its end for float. Freestanding code has its own where it can.
func (f *function) math(name string, args ...source.Expr) source.Expr {
	t := f.TypeOf(0)
	_, own := softMath[name+"_f"]
	if t == ir.F32 && !(f.e.opts.Freestanding && own) {
		name += "f"
	}
	switch {
	case !f.e.opts.Freestanding:
	case own:
		name = f.e.helper("irc_" + name + "_" + f.suffix(t))
	default:
		typ := f.Scalar(f.G, f.V, t)
		f.e.external(name, fmt.Sprintf("%s %s(%s);\n", typ, name, strings.Join(slices.Repeat([]string{typ}, len(args)), ", ")))
	}
	return source.Called(name, args...)
}

// comparison is what math.h has a macro for.
func (f *function) comparison(name string, x, y source.Expr) source.Expr {
	if f.e.opts.Freestanding {
		return source.Called(f.e.helper("irc_"+name+"_"+f.suffix(f.TypeOf(0))), x, y)
	}
	return source.Called("is"+name, x, y)
}

// floatHelper calls irc_NAME_f64 and the like.
func floatHelper(name string) func(*function) {
	return func(f *function) {
		var args []source.Expr
		for i := range f.G.Args(f.V) {
			args = append(args, f.Arg(i))
		}
		f.Set(source.Called(f.e.helper("irc_"+name+"_"+f.suffix(f.TypeOf(0))), args...))
	}
}

// suffix is f64, f32 or i32 and the like.
func (f *function) suffix(t ir.Type) string {
	switch t {
	case ir.F64:
		return "f64"
	case ir.F32:
		return "f32"
	}
	return fmt.Sprintf("i%d", f.Width(t))
}

func emitRsqrt(f *function) {
	one := floating(1, f.TypeOf(0) == ir.F32)
	f.Set(source.Binary(source.Product, "/", one, f.math("sqrt", f.Arg(0))))
}

// bitHelper counts bits, or is the magnitude.
func bitHelper(name string) func(*function) {
	return func(f *function) {
		w := f.WidthOf(0)
		if w == 1 {
			f.Fail("counts in numbers of one bit, which is not printed as C; extend them first")
		}
		f.Set(source.Called(f.integerHelper(name, w, "i"), signed(f.Arg(0), w)))
	}
}

func emitIpowi(f *function) {
	w := f.WidthOf(0)
	if w == 1 {
		f.Fail("is a power of numbers of one bit, which is not printed as C; extend them first")
	}
	f.Set(source.Called(f.integerHelper("ipowi", w, "i"), signed(f.Arg(0), w), signed(f.Arg(1), w)))
}

func emitFpowi(f *function) {
	n := f.Arg(1)
	if f.WidthOf(1) == 1 {
		f.Fail("has an exponent of one bit, which is not printed as C; extend it first")
	}
	if f.e.opts.Freestanding {
		f.Fail("needs pow of a library, and freestanding code has none; lower it with -passes=lower-math")
	}
	f.Set(source.Called(f.e.helper("irc_fpowi_"+f.suffix(f.TypeOf(0))), f.Arg(0), signed(n, f.WidthOf(1))))
}
