package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// value is operand i as an expression that has a type: Go computes with numbers alone before it
// runs, exactly, and refuses what does not fit.
func (f *function) value(i int) source.Expr {
	x, t := f.Arg(i), f.TypeOf(i)
	if !x.Literal {
		return x
	}
	n := f.Code.Variable("n")
	f.Code.Let(source.Field{Type: f.e.Scalar(t), Name: n}, x)
	return source.Name(n)
}

// pair is both operands, of which one has a type.
func (f *function) pair() (x, y source.Expr) {
	x, y = f.Arg(0), f.Arg(1)
	if x.Literal && y.Literal {
		x = f.value(0)
	}
	return x, y
}

// wrapped is an integer of some bits that may have grown: one of a width that Go lacks loses
// what is above it.
func wrapped(x source.Expr, width int) source.Expr {
	if k := held(width) - width; k > 0 {
		out := source.Made(source.Product, fmt.Sprintf("%s << %d >> %d", x.In(source.Product), k, k), x)
		out.Ops = x.Ops
		return out
	}
	return x
}

// unsigned is an integer of some bits as one of a type without sign.
func unsigned(x source.Expr, width int, typ string) source.Expr {
	mask := ^uint64(0) >> (64 - width)
	switch {
	case x.Constant:
		x.Text, x.Prec = fmt.Sprint(uint64(x.Num)&mask), source.Primary
		return x
	case x.Bits != nil:
		return *x.Bits
	}
	out := source.Made(source.Primary, typ+"("+x.Text+")", x)
	if held(width) != width {
		out = source.Made(source.Product, fmt.Sprintf("%s & %#x", out.Text, mask), x)
	}
	out.Ops = x.Ops
	return out
}

// unsigned is operand i without its sign.
func (f *function) unsigned(i int, x source.Expr) source.Expr {
	return unsigned(x, f.WidthOf(i), "u"+f.e.Scalar(f.TypeOf(i)))
}

// setUnsigned gives the current op an integer whose type has no sign.
func (f *function) setUnsigned(x source.Expr) {
	w := f.Width(f.Type())
	out := source.Made(source.Primary, f.e.Scalar(f.Type())+"("+x.Text+")", x)
	out.Ops = x.Ops
	if held(w) == w {
		out.Bits = &x
	}
	f.Set(wrapped(out, w))
}

// emitSum is a sum, difference or product.
func emitSum(prec int, op string) func(*function) {
	return func(f *function) {
		w := f.WidthOf(0)
		x, y := f.pair()
		switch {
		case w == 1 && op == "*":
			f.Set(f.logical("&&", x, y))
		case w == 1:
			f.Set(compare("!=", x, y))
		case op == "+" && y.Constant && y.Num < 0 && y.Num > -1<<(w-1):
			f.Set(wrapped(source.Binary(prec, "-", x, f.Number(-y.Num)), w))
		default:
			f.Set(wrapped(source.Binary(prec, op, x, y), w))
		}
	}
}

// calm is a truth value that does nothing if it is not looked at.
func (f *function) calm(x source.Expr) source.Expr {
	if x.Acts {
		return f.Code.Hoisted(x, "bool", "n")
	}
	return x
}

// logical is a chain of && or ||. Where go vet would take it for a mistake, an operand becomes a
// variable: one that is there twice, or two that ask whether something is equal.
func (f *function) logical(op string, x, y source.Expr) source.Expr {
	x, y = f.calm(x), f.calm(y)
	if x.Text == y.Text {
		return x
	}
	prec, equal := source.LogicalAnd, " == "
	if op == "||" {
		prec, equal = source.LogicalOr, " != "
	}
	parts := func(x source.Expr) []string {
		if x.Chain == op {
			return x.Parts
		}
		return []string{x.Text}
	}
	asks := func(p string) bool { return strings.Contains(p, equal) }
	if slices.ContainsFunc(parts(x), func(p string) bool {
		return slices.Contains(parts(y), p) || asks(p) && slices.ContainsFunc(parts(y), asks)
	}) {
		n := f.Code.Variable("n")
		f.Code.Let(source.Field{Type: "bool", Name: n}, y)
		y = source.Name(n)
	}
	out := source.Binary(prec, op, x, y)
	out.Chain, out.Parts = op, slices.Concat(parts(x), parts(y))
	return out
}

func compare(op string, x, y source.Expr) source.Expr {
	return source.Binary(source.Relation, op, x, y)
}

// emitBits is an operation on each bit.
func emitBits(prec int, op string) func(*function) {
	return func(f *function) {
		w := f.WidthOf(0)
		if w > 1 {
			x, y := f.pair()
			f.Set(source.Binary(prec, op, x, y))
			return
		}
		x, y := f.Arg(0), f.Arg(1)
		switch {
		case op == "^" && y.Constant && y.Num != 0:
			f.Set(not(x))
		case op == "^":
			f.Set(compare("!=", x, y))
		case op == "&":
			f.Set(f.logical("&&", x, y))
		default:
			f.Set(f.logical("||", x, y))
		}
	}
}

func not(x source.Expr) source.Expr { return source.Negated(x) }

// emitShift shifts by the amount modulo the width that is held: by more it is poison.
func emitShift(op string, withSign bool) func(*function) {
	return func(f *function) {
		w := f.WidthOf(0)
		if w == 1 { // by 0, or poison
			f.Set(f.Arg(0))
			return
		}
		x, y := f.value(0), f.Arg(1)
		if mask := int64(held(w) - 1); y.Constant {
			y = f.Number(y.Num & mask)
		} else {
			y = source.Binary(source.Product, "&", y, f.Number(mask))
		}
		switch {
		case withSign:
			f.Set(source.Binary(source.Product, op, x, y))
		case op == "<<":
			f.Set(wrapped(source.Binary(source.Product, op, x, y), w))
		default:
			f.setUnsigned(source.Binary(source.Product, op, f.unsigned(0, x), y))
		}
	}
}

// emitExtreme is the greater or smaller of two integers.
func emitExtreme(name string, withSign bool) func(*function) {
	return func(f *function) {
		x, y := f.pair()
		if f.WidthOf(0) == 1 {
			if (name == "min") == !withSign { // true is -1 as signed
				f.Set(f.logical("&&", x, y))
			} else {
				f.Set(f.logical("||", x, y))
			}
			return
		}
		if withSign {
			f.Set(source.Called(name, x, y))
			return
		}
		f.setUnsigned(source.Called(name, f.unsigned(0, x), f.unsigned(1, y)))
	}
}

// several refuses numbers of one bit.
func (f *function) several(i int, what string) {
	if f.WidthOf(i) == 1 {
		f.Refuse(what+" numbers of one bit", "extend them first")
	}
}

// emitDivision is a division that traps on zero and, with sign, on overflow, unless the
// divisor is known to be neither.
func emitDivision(name, op string, withSign bool) func(*function) {
	return func(f *function) {
		f.several(0, "divides")
		x, y := f.pair()
		w := f.WidthOf(0)
		known := f.Known.At(f.Region)
		by, of := known.Number(f.G.Args(f.V)[1]), known.Number(f.G.Args(f.V)[0])
		least := int64(-1) << (w - 1)
		safe := by.Nonzero() && (!withSign || !by.Has(-1) || of.Width > 0 && !of.Has(least))
		if withSign && !safe && held(w) != w {
			x, y = f.HoistedOf(x, f.TypeOf(0)), f.HoistedOf(y, f.TypeOf(1))
			both := f.logical("&&", compare("==", x, f.e.Integer(least, w)), compare("==", y, f.Number(-1)))
			f.Check(both, "signed overflow")
		}
		if !withSign {
			x, y = f.unsigned(0, x), f.unsigned(1, y)
		}
		if !withSign && y.Constant && y.Num == 0 {
			y = f.Code.Hoisted(source.Called("u"+f.e.Scalar(f.TypeOf(1)), y), "", "n") // Go refuses what traps always
		}
		out := source.Binary(source.Product, op, x, y)
		if op == "" || !safe && withSign {
			out = source.Called(f.e.helper(name), x, y)
		}
		out.Acts = !safe
		if withSign {
			f.Set(out)
		} else {
			f.setUnsigned(out)
		}
	}
}

var comparisons = []string{"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="}

func emitCmpi(f *function) {
	x, y := f.pair()
	p := int(arith.PredicateOfI(f.Ctx, f.G.AttrsOf(f.V)))
	op := comparisons[p]
	switch {
	case p < 2:
	case f.WidthOf(0) == 1:
		f.Set(f.compareBits(op, p >= 6, x, y))
		return
	case p >= 6:
		x, y = f.unsigned(0, x), f.unsigned(1, y)
	}
	out, opposite := compare(op, x, y), compare(comparisons[opposites[p]], x, y)
	out.Opposite = &opposite
	f.Set(out)
}

// opposites are the predicates that hold where another does not.
var opposites = []int{1, 0, 5, 4, 3, 2, 9, 8, 7, 6}

// compareBits orders truth values: as signed true is -1.
func (f *function) compareBits(op string, withoutSign bool, x, y source.Expr) source.Expr {
	if (op[0] == '<') != withoutSign {
		x, y = y, x
	} // now the question is x < y or x <= y without sign
	if len(op) == 2 {
		return f.logical("||", not(x), y)
	}
	return f.logical("&&", not(x), y)
}

// emitSelect chooses by a statement; of memory each part.
func emitSelect(f *function) {
	t := f.Type()
	if f.IsMemory(t) {
		f.SelectFields(func(c, x, y source.Expr) source.Expr { return source.Called(f.e.helper("either"), c, x, y) })
		return
	}
	c, x, y := f.Arg(0), f.Arg(1), f.Arg(2)
	if t == ir.I1 && !x.Acts && !y.Acts && c.Simple() {
		f.Set(f.logical("||", f.logical("&&", c, x), f.logical("&&", not(c), y)))
		return
	}
	n := f.Code.Variable("t")
	f.Code.Let(source.Field{Type: f.e.Scalar(t), Name: n}, y)
	f.Code.Line("if %s {", c.Text)
	f.Code.Block(func() { f.Code.Assign(n, x) })
	f.Code.Line("}")
	f.Give(source.Name(n))
}

func emitIpowi(f *function) {
	f.several(0, "is a power of")
	x, y := f.pair()
	f.Set(wrapped(source.Called(f.e.helper("ipowi"), x, y), f.WidthOf(0)))
}

func emitAbsi(f *function) {
	f.several(0, "is the magnitude of")
	f.Set(wrapped(source.Called(f.e.helper("abs"), f.value(0)), f.WidthOf(0)))
}

// countBits counts by package math/bits; name is a format of how, of an unsigned integer of the width
// that holds it and how much wider that is.
func countBits(name string) func(*function) {
	return func(f *function) {
		f.several(0, "counts in")
		w := f.WidthOf(0)
		h := held(w)
		u := unsigned(f.value(0), w, fmt.Sprintf("uint%d", h))
		x := source.Called(fmt.Sprintf("bits.%s%d", name, h), u)
		switch {
		case name == "LeadingZeros" && h != w:
			x = source.Binary(source.Sum, "-", x, f.Number(int64(h-w)))
		case name == "TrailingZeros" && h != w:
			x = source.Called("min", x, f.Number(int64(w)))
		}
		if typ := f.e.Scalar(f.Type()); typ != "int" {
			ops := x.Ops
			x = source.Made(source.Primary, typ+"("+x.Text+")", x)
			x.Ops = ops
		}
		f.Set(wrapped(x, w))
	}
}
