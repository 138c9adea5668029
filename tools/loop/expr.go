package loop

import (
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run/table"
)

// Number are the types of numbers; an int has 64 bits.
type Number interface {
	int | int8 | int16 | int32 | int64 | float32 | float64
}

// Real are the types of floats.
type Real interface{ float32 | float64 }

// An Input is what is given to a program: what From or Param made.
type Input interface{ made() *node }

// An Expr is a value in a query: a Num, a Str or a Bool, or one that may be missing, an Opt of such.
type Expr interface {
	Input
	of(*node) Expr // one of the same type
	cell() cell
}

// A cell is what values of an expression are: of a kind, and perhaps missing.
type cell struct {
	kind     table.Kind
	nullable bool
}

// A node makes the value of an expression where a compiler stands.
type node struct {
	build func(c *compiler) ir.Value
	input string    // its name
	calls []uintptr // under which the host made it
}

func (n *node) made() *node { return n }

func made(build func(c *compiler) ir.Value) *node {
	var pcs [16]uintptr
	return &node{build: build, calls: append([]uintptr(nil), pcs[:runtime.Callers(2, pcs[:])]...)}
}

// own is the package, whose calls are not the user's.
const own = "github.com/irc-lang/irc/tools/loop."

// place is the line of Go that made it: the innermost call that is not of this package.
func (n *node) place(p *ir.Places) ir.Loc {
	frames := runtime.CallersFrames(n.calls)
	for {
		f, more := frames.Next()
		if f.Function != "" && !strings.HasPrefix(f.Function, own) {
			return p.At(filepath.ToSlash(f.File), uint32(f.Line), 1)
		}
		if !more {
			return 0
		}
	}
}

func argument(name string) *node {
	return &node{build: func(c *compiler) ir.Value { return c.argument(name) }, input: name}
}

// Num is a number in a query. Integers wrap around.
type Num[T Number] struct{ *node }

// Str is a string in a query: bytes.
type Str struct{ *node }

// Bool is a truth value in a query.
type Bool struct{ *node }

func (Num[T]) of(n *node) Expr { return Num[T]{n} }
func (Str) of(n *node) Expr    { return Str{n} }
func (Bool) of(n *node) Expr   { return Bool{n} }

func (Str) cell() cell      { return cell{kind: table.String} }
func (Bool) cell() cell     { return cell{kind: table.I1} }
func (x Num[T]) cell() cell { return cell{kind: x.kind()} }

func (Num[T]) kind() table.Kind {
	switch any(*new(T)).(type) {
	case int8:
		return table.I8
	case int16:
		return table.I16
	case int32:
		return table.I32
	case float32:
		return table.F32
	case float64:
		return table.F64
	}
	return table.I64
}

var types = map[table.Kind]ir.Type{table.I1: ir.I1, table.I8: ir.I8, table.I16: ir.I16, table.I32: ir.I32, table.I64: ir.I64, table.F32: ir.F32, table.F64: ir.F64}

// typeOf is the type of an expression's value.
func typeOf(c *ir.Context, x cell) ir.Type {
	t := types[x.kind]
	if x.kind == table.String {
		t = loop.String(c)
	}
	if x.nullable {
		return loop.Nullable(c, t)
	}
	return t
}

// wrap is the expression of type E that a node makes.
func wrap[E Expr](n *node) E { return (*new(E)).of(n).(E) }

// known is the node of a value that is there.
func known(v ir.Value) *node { return made(func(*compiler) ir.Value { return v }) }

// Lit is a constant.
func Lit[T Number](x T) Num[T] {
	return Num[T]{made(func(c *compiler) ir.Value {
		switch t := types[Num[T]{}.kind()]; t {
		case ir.F32, ir.F64:
			return arith.ConstFloat(c.b, t, float64(x))
		default:
			return arith.ConstInt(c.b, t, int64(x))
		}
	})}
}

// Text is a constant.
func Text(s string) Str {
	return Str{made(func(c *compiler) ir.Value { return c.b.Const(loop.String(c.b.Ctx()), loop.Str(s)) })}
}

// binary makes an expression by one op for integers and another for floats.
func binary[T Number](x, y Num[T], ints, floats func(b *ir.Builder, x, y ir.Value) ir.Value) *node {
	return made(func(c *compiler) ir.Value {
		f := ints
		if k := x.kind(); k == table.F32 || k == table.F64 {
			f = floats
		}
		return f(c.b, c.value(x.node), c.value(y.node))
	})
}

func op(d *ir.OpDef) func(b *ir.Builder, x, y ir.Value) ir.Value {
	return func(b *ir.Builder, x, y ir.Value) ir.Value { return b.Op(d, x, y) }
}

// Add is x + y.
func (x Num[T]) Add(y Num[T]) Num[T] { return Num[T]{binary(x, y, arith.AddI, arith.AddF)} }

// Sub is x - y.
func (x Num[T]) Sub(y Num[T]) Num[T] { return Num[T]{binary(x, y, arith.SubI, arith.SubF)} }

// Mul is x * y.
func (x Num[T]) Mul(y Num[T]) Num[T] { return Num[T]{binary(x, y, arith.MulI, arith.MulF)} }

// Div is x / y; of integers rounded towards zero, and a trap where y is 0.
func (x Num[T]) Div(y Num[T]) Num[T] { return Num[T]{binary(x, y, op(arith.Divsi), arith.DivF)} }

// Rem is what x / y rounded towards zero leaves; of integers a trap where y is 0.
func (x Num[T]) Rem(y Num[T]) Num[T] { return Num[T]{binary(x, y, op(arith.Remsi), op(arith.Remf))} }

// Min is the lesser one; of a float and NaN the float.
func (x Num[T]) Min(y Num[T]) Num[T] { return Num[T]{binary(x, y, op(arith.Minsi), op(arith.Minnumf))} }

// Max is the greater one; of a float and NaN the float.
func (x Num[T]) Max(y Num[T]) Num[T] { return Num[T]{binary(x, y, op(arith.Maxsi), op(arith.Maxnumf))} }

func compare[T Number](x, y Num[T], ints arith.CmpIPredicate, floats arith.CmpFPredicate) Bool {
	return Bool{binary(x, y,
		func(b *ir.Builder, x, y ir.Value) ir.Value { return arith.CmpI(b, ints, x, y) },
		func(b *ir.Builder, x, y ir.Value) ir.Value { return arith.CmpF(b, floats, x, y) })}
}

// Eq is x == y.
func (x Num[T]) Eq(y Num[T]) Bool { return compare(x, y, arith.EQ, arith.OEQ) }

// Ne is x != y.
func (x Num[T]) Ne(y Num[T]) Bool { return compare(x, y, arith.NE, arith.UNE) }

// Lt is x < y.
func (x Num[T]) Lt(y Num[T]) Bool { return compare(x, y, arith.SLT, arith.OLT) }

// Le is x <= y.
func (x Num[T]) Le(y Num[T]) Bool { return compare(x, y, arith.SLE, arith.OLE) }

// Gt is x > y.
func (x Num[T]) Gt(y Num[T]) Bool { return compare(x, y, arith.SGT, arith.OGT) }

// Ge is x >= y.
func (x Num[T]) Ge(y Num[T]) Bool { return compare(x, y, arith.SGE, arith.OGE) }

// Between is low <= x and x <= high.
func (x Num[T]) Between(low, high Num[T]) Bool { return x.Ge(low).And(x.Le(high)) }

func (x Str) compare(p loop.Predicate, y Str) Bool {
	return Bool{made(func(c *compiler) ir.Value { return loop.CompareStrings(c.b, p, c.value(x.node), c.value(y.node)) })}
}

// Eq is x == y.
func (x Str) Eq(y Str) Bool { return x.compare(loop.EQ, y) }

// Ne is x != y.
func (x Str) Ne(y Str) Bool { return x.compare(loop.NE, y) }

// Lt is x < y, byte by byte.
func (x Str) Lt(y Str) Bool { return x.compare(loop.LT, y) }

// Le is x <= y.
func (x Str) Le(y Str) Bool { return x.compare(loop.LE, y) }

// Len is the number of bytes.
func (x Str) Len() Num[int64] {
	return Num[int64]{made(func(c *compiler) ir.Value {
		return arith.Cast(c.b, arith.IndexCast, loop.Size(c.b, c.value(x.node)), ir.I64)
	})}
}

func (x Bool) with(y Bool, d *ir.OpDef) Bool {
	return Bool{made(func(c *compiler) ir.Value { return c.b.Op(d, c.value(x.node), c.value(y.node)) })}
}

// And holds where both do.
func (x Bool) And(y Bool) Bool { return x.with(y, arith.Andi) }

// Or holds where one does.
func (x Bool) Or(y Bool) Bool { return x.with(y, arith.Ori) }

// Not holds where x does not.
func (x Bool) Not() Bool {
	return x.with(Bool{made(func(c *compiler) ir.Value { return arith.ConstBool(c.b, true) })}, arith.Xori)
}

// If is then where cond holds, and els elsewhere. What is not taken is not computed.
func If[E Expr](cond Bool, then, els E) E {
	return wrap[E](made(func(c *compiler) ir.Value {
		branch := func(x E) func() []ir.Value {
			return func() []ir.Value { return []ir.Value{within(c, func() ir.Value { return c.value(x.made()) })} }
		}
		return scf.BuildIf(c.b, c.value(cond.node), branch(then), branch(els))
	}))
}

// To is a number in another type: of a float the integer towards zero, which has to fit.
func To[U, T Number](x Num[T]) Num[U] {
	return Num[U]{made(func(c *compiler) ir.Value { return cast(c.b, c.value(x.node), types[Num[U]{}.kind()]) })}
}

func cast(b *ir.Builder, x ir.Value, to ir.Type) ir.Value {
	c := b.Ctx()
	from := b.Graph().Type(x)
	wider := c.Info(to).Width > c.Info(from).Width
	switch {
	case from == to:
		return x
	case !c.IsFloat(from) && c.IsFloat(to):
		return arith.Cast(b, arith.Sitofp, x, to)
	case c.IsFloat(from) && !c.IsFloat(to):
		return arith.Cast(b, arith.Fptosi, x, to)
	case c.IsFloat(from) && wider:
		return arith.Cast(b, arith.Extf, x, to)
	case c.IsFloat(from):
		return arith.Cast(b, arith.Truncf, x, to)
	case wider:
		return arith.Cast(b, arith.Extsi, x, to)
	}
	return arith.Cast(b, arith.Trunci, x, to)
}

func unary[T Real](d *ir.OpDef, x Num[T]) Num[T] {
	return Num[T]{made(func(c *compiler) ir.Value { return c.b.Op(d, c.value(x.node)) })}
}

// Sqrt is the square root.
func Sqrt[T Real](x Num[T]) Num[T] { return unary(math.Sqrt, x) }

// Exp is e to the power of x.
func Exp[T Real](x Num[T]) Num[T] { return unary(math.Exp, x) }

// Log is the natural logarithm.
func Log[T Real](x Num[T]) Num[T] { return unary(math.Log, x) }

// Floor is the greatest integer not above x.
func Floor[T Real](x Num[T]) Num[T] { return unary(math.Floor, x) }

// Date is a constant as columns of CSV files hold it: the days since 1970-01-01. A day that there is not, as February 29, 2023, is an error of Compile.
func Date(year int, month time.Month, day int) Num[int32] {
	if at := time.Date(year, month, day, 0, 0, 0, 0, time.UTC); at.Month() != month || at.Day() != day {
		return Num[int32]{made(func(*compiler) ir.Value {
			fail("Date(%d, %d, %d): there is no such day", year, month, day)
			return 0
		})}
	}
	return Lit(int32(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60)))
}
