package golang

import (
	"strings"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// emitCmpf compares floats: Go's operators are ordered, and the others their negations.
func emitCmpf(f *function) {
	x, y := f.pair()
	p := int(arith.PredicateOfF(f.Ctx, f.G.AttrsOf(f.V)))
	ordered := map[int]string{1: "==", 2: ">", 3: ">=", 4: "<", 5: "<=", 13: "!="}
	opposite := map[int]string{9: "<=", 10: "<", 11: ">=", 12: ">"} // of ugt, uge, ult, ule
	switch {
	case p == 0 || p == 15:
		f.Give(source.Boolean(p == 15))
	case ordered[p] != "":
		f.Set(compare(ordered[p], x, y))
	case opposite[p] != "":
		f.Set(not(compare(opposite[p], x, y)))
	case p == 7 || p == 14:
		f.Set(f.nan(p, x, y))
	default: // one and ueq
		x, y = f.HoistedOf(x, f.TypeOf(0)), f.HoistedOf(y, f.TypeOf(1))
		one := f.logical("||", compare("<", x, y), compare(">", x, y))
		if p == 8 {
			one = not(one)
		}
		f.Set(one)
	}
}

// nan asks whether one of two floats is a NaN, or neither.
func (f *function) nan(p int, x, y source.Expr) source.Expr {
	op, join := "!=", "||"
	if p == 7 {
		op, join = "==", "&&"
	}
	self := func(i int, x source.Expr) source.Expr {
		x = f.HoistedOf(x, f.TypeOf(i))
		return compare(op, x, x)
	}
	switch {
	case x.Text == y.Text || y.Literal:
		return self(0, x)
	case x.Literal:
		return self(1, y)
	}
	a, b := self(0, x), self(1, y)
	out := source.Binary(map[string]int{"||": source.LogicalOr, "&&": source.LogicalAnd}[join], join, a, b)
	out.Chain, out.Parts = join, []string{a.Text, b.Text}
	return out
}

// emitFloat rounds products before they are added to, unless both ops allow contraction.
func emitFloat(prec int, op string) func(*function) {
	return func(f *function) {
		x, y := f.pair()
		fused := arith.FastMathOf(f.Ctx, f.G.AttrsOf(f.V))&arith.Contract != 0
		if prec == source.Sum {
			x, y = f.rounded(x, fused), f.rounded(y, fused)
		}
		out := source.Binary(prec, op, x, y)
		out.Product, out.Fusable = op == "*", fused
		f.Set(out)
	}
}

// rounded is a float that a sum is not fused with unless both may be.
func (f *function) rounded(x source.Expr, fused bool) source.Expr {
	if !x.Product || x.Fusable && fused {
		return x
	}
	out := source.Made(source.Primary, f.e.Scalar(f.Type())+"("+x.Text+")", x)
	out.Ops = x.Ops
	return out
}

func emitNegf(f *function) {
	x := f.value(0)
	text := x.In(source.Unary)
	if strings.HasPrefix(text, "-") {
		text = "(" + text + ")"
	}
	out := source.Made(source.Unary, "-"+text, x)
	out.Product, out.Fusable = x.Product, x.Fusable
	f.Set(out)
}

// mathCall calls a function of package math, which computes in float64.
func mathCall(name string) func(*function) {
	return func(f *function) {
		var args []source.Expr
		for i := range f.G.Args(f.V) {
			args = append(args, f.inFloat64(i))
		}
		f.setFloat64(source.Called("math."+name, args...))
	}
}

func (f *function) inFloat64(i int) source.Expr {
	if x := f.Arg(i); f.TypeOf(i) != ir.F32 || x.Literal {
		return x
	}
	x := f.Arg(i)
	out := source.Made(source.Primary, "float64("+x.Text+")", x)
	out.Ops = x.Ops
	return out
}

func (f *function) setFloat64(x source.Expr) {
	if f.Type() == ir.F32 {
		x = source.Made(source.Primary, "float32("+x.Text+")", x)
		x.Ops--
	}
	f.Set(x)
}

// mathHelper calls a function of ours on float64.
func mathHelper(name string) func(*function) {
	return func(f *function) {
		var args []source.Expr
		for i := range f.G.Args(f.V) {
			args = append(args, f.inFloat64(i))
		}
		f.setFloat64(source.Called(f.e.helper(name), args...))
	}
}

func emitFma(f *function) {
	if f.Type() == ir.F32 {
		f.Set(source.Called(f.e.helper("fma32"), f.Arg(0), f.Arg(1), f.Arg(2)))
		return
	}
	mathCall("FMA")(f)
}

// emitBuiltin is min or max as Go means them: of floats NaN if one is, and -0 < +0.
func emitBuiltin(name string) func(*function) {
	return func(f *function) {
		x, y := f.pair()
		f.Set(source.Called(name, x, y))
	}
}

// emitNum is maxnum or minnum.
func emitNum(name string) func(*function) {
	return func(f *function) {
		x, y := f.pair()
		f.Set(source.Called(f.e.helper(name), x, y))
	}
}

func emitRsqrt(f *function) {
	x := source.Binary(source.Product, "/", f.Number(1), source.Called("math.Sqrt", f.inFloat64(0)))
	f.setFloat64(x)
}

// emitPowi is a power with an exponent that is an integer.
func emitPowi(f *function) {
	f.several(1, "has an exponent of")
	n := source.Made(source.Primary, "int64("+f.Arg(1).Text+")", f.Arg(1))
	f.setFloat64(source.Called(f.e.helper("fpowi"), f.inFloat64(0), n))
}
