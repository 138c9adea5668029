package c

import (
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// fits reports that an operation on the operands of the current op, as numbers, gives one of
// its type: then C's signed arithmetic computes it.
func (f *function) fits(do func(a, b int64) (int64, bool)) bool {
	known := f.known.At(f.region)
	args := f.g.Args(f.v)
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
		x, y, w := f.arg(0), f.arg(1), f.widthOf(0)
		switch {
		case w == 1 && op == "*":
			f.set(binary(bitAnd, "&", x, y))
		case w == 1:
			f.set(binary(equality, "!=", x, y))
		case f.fits(fits):
			f.set(binary(prec, op, signed(x, w), signed(y, w)))
		default:
			f.set(modular(prec, op, x, y, w))
		}
	}
}

// emitBits is an operation on each bit.
func emitBits(prec int, op string) func(*function) {
	return func(f *function) {
		x, y, w := f.arg(0), f.arg(1), f.widthOf(0)
		if w == 1 && op == "^" {
			switch {
			case y.constant && y.num != 0:
				f.set(negated(x))
			default:
				f.set(binary(equality, "!=", x, y))
			}
			return
		}
		if w == 1 && !x.acts && !y.acts { // where nothing can happen, it does not matter what is looked at
			op, prec := map[string]string{"&": "&&", "|": "||"}[op], map[string]int{"&": logicalAnd, "|": logicalOr}[op]
			f.set(binary(prec, op, x.within(prec), y.within(prec)))
			return
		}
		out := binary(prec, op, x, y)
		out.unsigned = x.unsigned || y.unsigned
		f.set(out)
	}
}

// within puts parentheses around "and" within "or", which compilers warn of.
func (x expr) within(prec int) expr {
	if prec == logicalOr && x.prec == logicalAnd {
		x.text, x.prec = "("+x.text+")", primary
	}
	return x
}

// emitShift shifts by the amount modulo the width: by more it is poison.
func emitShift(op string, withSign bool) func(*function) {
	return func(f *function) {
		x, y, w := f.arg(0), f.arg(1), f.widthOf(0)
		if w == 1 { // by 0, or poison
			f.set(x)
			return
		}
		if y.constant {
			y = number(y.num & int64(w-1))
		} else {
			y = binary(bitAnd, "&", y, number(int64(w-1)))
		}
		switch {
		case withSign:
			f.set(binary(shift, op, wide(signed(x, w), w), y))
		case w < 32 && op == "<<":
			f.set(cast(fmt.Sprintf("int%d_t", w), binary(shift, op, cast("uint32_t", x), y)))
		case w < 32:
			f.set(cast(fmt.Sprintf("int%d_t", w), binary(shift, op, unsigned(x, w), y)))
		default:
			out := binary(shift, op, unsigned(x, w), y)
			out.unsigned = true
			f.set(out)
		}
	}
}

// emitExtreme is the greater or smaller of two integers.
func emitExtreme(helper string, withSign bool) func(*function) {
	return func(f *function) {
		x, y, w := f.arg(0), f.arg(1), f.widthOf(0)
		if w == 1 {
			and := (helper == "min") == !withSign // true is -1 as signed
			if and {
				f.set(binary(bitAnd, "&", x, y))
			} else {
				f.set(binary(bitOr, "|", x, y))
			}
			return
		}
		if withSign {
			f.set(called(f.integerHelper(helper, w, "i"), signed(x, w), signed(y, w)))
			return
		}
		out := called(f.integerHelper(helper, w, "u"), x, y)
		out.unsigned = w >= 32
		f.set(f.normal(out, w))
	}
}

// normal gives an expression without sign of 8 or 16 bits its sign.
func (f *function) normal(x expr, w int) expr {
	if w >= 32 {
		return x
	}
	return cast(fmt.Sprintf("int%d_t", w), x)
}

// integerHelper is irc_NAME_i32 and the like.
func (f *function) integerHelper(name string, w int, sign string) string {
	return f.helper(fmt.Sprintf("irc_%s_%s%d", name, sign, w))
}

// emitDivision is a division that traps on zero and, with sign, on overflow, unless the
// divisor is known to be neither.
func emitDivision(name, op string, withSign bool) func(*function) {
	return func(f *function) {
		x, y, w := f.arg(0), f.arg(1), f.widthOf(0)
		if w == 1 {
			f.fail("divides numbers of one bit, which is not printed as C; extend them first")
		}
		known := f.known.At(f.region)
		by, of := known.Number(f.g.Args(f.v)[1]), known.Number(f.g.Args(f.v)[0])
		least := int64(-1) << (w - 1)
		safe := by.Nonzero() && (!withSign || !by.Has(-1) || of.Width > 0 && !of.Has(least))
		switch {
		case safe && op != "" && withSign:
			f.set(binary(product, op, signed(x, w), signed(y, w)))
			return
		case safe && op != "":
			out := binary(product, op, unsigned(x, w), unsigned(y, w))
			out.unsigned = w >= 32
			f.set(f.normal(out, w))
			return
		}
		sign := "i"
		if !withSign {
			sign = "u"
		}
		out := called(f.integerHelper(name, w, sign), signed(x, w), signed(y, w))
		if !withSign {
			out = called(f.integerHelper(name, w, sign), unsigned(x, w), unsigned(y, w))
			out.unsigned = w >= 32
			out = f.normal(out, w)
		}
		out.acts = !safe
		f.set(out)
	}
}

var comparisons = []struct {
	op       string
	unsigned bool
}{{"==", false}, {"!=", false}, {"<", false}, {"<=", false}, {">", false}, {">=", false}, {"<", true}, {"<=", true}, {">", true}, {">=", true}}

func emitCmpi(f *function) {
	x, y, w := f.arg(0), f.arg(1), f.widthOf(0)
	c := comparisons[arith.PredicateOfI(f.ctx, f.g.AttrsOf(f.v))]
	switch {
	case c.op == "==" || c.op == "!=":
		f.set(binary(equality, c.op, x, y))
		return
	case w == 1 && !c.unsigned: // true is -1
		x, y = y, x
	case c.unsigned:
		x, y = unsigned(x, w), unsigned(y, w)
	default:
		x, y = signed(x, w), signed(y, w)
	}
	f.set(binary(relation, c.op, x, y))
}

// emitCmpf compares floats: ordered comparisons are C's operators, the others the negation
// of the opposite.
func emitCmpf(f *function) {
	x, y := f.arg(0), f.arg(1)
	ordered := map[int]string{1: "==", 2: ">", 3: ">=", 4: "<", 5: "<="}
	opposite := map[int]string{9: "<=", 10: "<", 11: ">=", 12: ">"} // of ugt, uge, ult, ule
	p := int(arith.PredicateOfF(f.ctx, f.g.AttrsOf(f.v)))
	infix := func(op string) expr {
		if op == "==" || op == "!=" {
			return binary(equality, op, x, y)
		}
		return binary(relation, op, x, y)
	}
	switch {
	case p == 0 || p == 15:
		f.vals[f.v] = val{x: boolean(p == 15)}
	case ordered[p] != "":
		f.set(infix(ordered[p]))
	case opposite[p] != "":
		f.set(negated(infix(opposite[p])))
	case p == 6:
		f.set(binary(equality, "!=", called("islessgreater", x, y), number(0)))
	case p == 7:
		f.set(negated(called("isunordered", x, y)))
	case p == 8:
		f.set(negated(called("islessgreater", x, y)))
	case p == 13:
		f.set(infix("!="))
	default:
		f.set(binary(equality, "!=", called("isunordered", x, y), number(0)))
	}
}

// emitSelect is a conditional expression; of memory each part is one.
func emitSelect(f *function) {
	args := f.args(f.g.Args(f.v))
	t := f.g.Type(f.v)
	if !f.isMemory(t) {
		f.scalar(f.g, f.v, t)
		w := f.width(t)
		x, y := signed(args[1].x, w), signed(args[2].x, w)
		if x.constant && y.constant && !f.ctx.IsFloat(t) {
			x = wide(x, w)
		}
		f.set(choice(args[0].x, x, y))
		return
	}
	vals, fields := f.declareAll("m", []ir.Type{t})
	x, y := f.toCarried(t, args[1]), f.toCarried(t, args[2])
	cond := f.hoistedOf(args[0].x, ir.I1)
	for i, to := range fields[0] {
		f.line("%s = %s;", to.declared(), choice(cond, x[i], y[i]).text)
	}
	f.setAll(vals)
}

func choice(c, x, y expr) expr {
	return made(conditional, c.in(conditional+1)+" ? "+x.in(conditional+1)+" : "+y.in(conditional), c, x, y)
}

// Float operations.

func emitFloat(prec int, op string) func(*function) {
	return func(f *function) {
		if arith.FastMathOf(f.ctx, f.g.AttrsOf(f.v))&arith.Contract == 0 {
			f.exact = true
		}
		f.set(binary(prec, op, f.arg(0), f.arg(1)))
	}
}

func emitNegf(f *function) {
	x := f.arg(0)
	text := x.in(unary)
	if text[0] == '-' {
		text = "(" + text + ")"
	}
	f.set(made(unary, "-"+text, x))
}

// libmCall calls a function of math.h, which has an f at its end for float.
func libmCall(name string) func(*function) {
	return func(f *function) {
		var args []expr
		for i := range f.g.Args(f.v) {
			args = append(args, f.arg(i))
		}
		f.set(called(f.mathName(name), args...))
	}
}

func (f *function) mathName(name string) string {
	if f.typeOf(0) == ir.F32 {
		return name + "f"
	}
	return name
}

// floatHelper calls irc_NAME_f64 and the like.
func floatHelper(name string) func(*function) {
	return func(f *function) {
		var args []expr
		for i := range f.g.Args(f.v) {
			args = append(args, f.arg(i))
		}
		f.set(called(f.helper("irc_"+name+"_"+f.suffix(f.typeOf(0))), args...))
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
	return fmt.Sprintf("i%d", f.width(t))
}

func emitRsqrt(f *function) {
	one := floating(1, f.typeOf(0) == ir.F32)
	f.set(binary(product, "/", one, called(f.mathName("sqrt"), f.arg(0))))
}

// bitHelper counts bits, or is the magnitude.
func bitHelper(name string) func(*function) {
	return func(f *function) {
		w := f.widthOf(0)
		if w == 1 {
			f.fail("counts in numbers of one bit, which is not printed as C; extend them first")
		}
		f.set(called(f.integerHelper(name, w, "i"), signed(f.arg(0), w)))
	}
}

func emitIpowi(f *function) {
	w := f.widthOf(0)
	if w == 1 {
		f.fail("is a power of numbers of one bit, which is not printed as C; extend them first")
	}
	f.set(called(f.integerHelper("ipowi", w, "i"), signed(f.arg(0), w), signed(f.arg(1), w)))
}

func emitFpowi(f *function) {
	n := f.arg(1)
	if f.widthOf(1) == 1 {
		f.fail("has an exponent of one bit, which is not printed as C; extend it first")
	}
	f.set(called(f.helper("irc_fpowi_"+f.suffix(f.typeOf(0))), f.arg(0), signed(n, f.widthOf(1))))
}
