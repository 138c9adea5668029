package golang

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// syntax is how statements are written in Go; gofmt moves the braces of cases.
var syntax = source.Syntax{
	Name: "Go", If: "if %s {", ElseIf: "} else if %s {", While: "for %s {", Forever: "for {", Guard: []string{"if %s {", "}"},
	Switch: "switch %s {", Case: "case %s:", Otherwise: "default:", Exit: "break",
	Counter: "uint64", Places: "int", Index: "%s[%s]", Start: "%s[0]", Part: "%s_%s%v",
}

func (e *emitter) Syntax() *source.Syntax { return &syntax }

// Let declares a variable; a number gets its type.
func (e *emitter) Let(v source.Field, x source.Expr) string {
	return v.Name + " := " + typed(x, v.Type).Text
}

// typed is a number as one of a type.
func typed(x source.Expr, typ string) source.Expr {
	integral := !strings.ContainsAny(x.Text, ".e")
	if !x.Literal || typ == "int" && integral || typ == "float64" && !integral {
		return x
	}
	out := x
	out.Text, out.Prec, out.Literal = typ+"("+x.Text+")", source.Primary, false
	return out
}

func (e *emitter) Var(v source.Field, n int) string {
	if n > 0 {
		return fmt.Sprintf("var %s [%d]%s", v.Name, n, v.Type)
	}
	return "var " + v.Name + " " + v.Type
}

func (e *emitter) Base(elem string) string { return "[]" + elem }

// held is the width of the type that holds integers of a width.
func held(width int) int {
	for _, w := range []int{8, 16, 32} {
		if width <= w {
			return w
		}
	}
	return 64
}

// Scalar is the type of a scalar in Go, "" if there is none.
func (e *emitter) Scalar(t ir.Type) string {
	switch t {
	case ir.F64:
		return "float64"
	case ir.F32:
		return "float32"
	case ir.I1:
		return "bool"
	case ir.Index:
		e.indexed = true
		return "int"
	}
	if info := e.Ctx.Info(t); info.Kind == ir.KindInteger && 1 < info.Width && info.Width <= 64 {
		return "int" + strconv.Itoa(held(info.Width))
	}
	return ""
}

func (e *emitter) Kinds() string { return "integers of up to 64 bits, index, f32, f64" }

func (e *emitter) Integer(n int64, width int) source.Expr {
	text, prec := strconv.FormatInt(n, 10), source.Primary
	if n < 0 {
		prec = source.Unary
	}
	return source.Expr{Text: text, Prec: prec, Num: n, Constant: true, Literal: true}
}

// Floating is a float of a type. Go's numbers have no sign of zero.
func (e *emitter) Floating(x float64, t ir.Type) source.Expr {
	text, bits := "", 64
	switch {
	case x != x:
		text = "math.NaN()"
	case math.IsInf(x, 0):
		text = fmt.Sprintf("math.Inf(%d)", int(math.Copysign(1, x)))
	case x == 0 && math.Signbit(x):
		text = "math.Copysign(0, -1)"
	}
	if t == ir.F32 {
		bits = 32
		if text != "" {
			text = "float32(" + text + ")"
		}
	}
	if text != "" {
		return source.Expr{Text: text, Prec: source.Primary}
	}
	text = strconv.FormatFloat(x, 'g', -1, bits)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	out := source.Expr{Text: text, Prec: source.Primary, Literal: true}
	if x < 0 {
		out.Prec = source.Unary
	}
	return out
}

// Signed: every integer has a sign.
func (e *emitter) Signed(x source.Expr, width int) source.Expr { return x }

func (e *emitter) Typed(x source.Expr, t ir.Type) source.Expr { return typed(x, e.Scalar(t)) }

func (e *emitter) Wrapping(prec int, op string, x, y source.Expr) source.Expr {
	return source.Binary(prec, op, x, y)
}

func (e *emitter) AtLeast(at source.Expr, n int64) source.Expr {
	return source.Binary(source.Relation, ">=", unsigned(at, 64, "uint"), e.Integer(n, 64))
}

func (e *emitter) Pick(xs []source.Expr, at source.Expr) source.Expr {
	list := lists.Map(xs, func(x source.Expr) string { return x.Text })
	return source.Made(source.Primary, "[]int{"+strings.Join(list, ", ")+"}["+at.Text+"]", append(xs, at)...)
}

// From is a slice of the base.
func (e *emitter) From(f *source.Function, m *source.View, at source.Expr, count *source.Expr) source.Expr {
	zero := at.Constant && at.Num == 0
	switch {
	case count == nil && zero:
		return m.Base
	case count == nil:
		return source.Made(source.Primary, m.Base.Text+"["+at.Text+":]", m.Base, at)
	case zero:
		return source.Made(source.Primary, m.Base.Text+"[:"+count.Text+"]", m.Base, *count)
	}
	end := f.Code.Plus(at, *count)
	return source.Made(source.Primary, m.Base.Text+"["+at.Text+":"+end.Text+"]", m.Base, at, end)
}

func (e *emitter) Length(base source.Expr) (source.Expr, bool) {
	return source.Expr{Text: "len(" + base.Text + ")", Prec: source.Primary, Vars: base.Vars}, true
}

func (e *emitter) At(f *source.Function, i, n source.Expr) source.Expr {
	x := source.Called(e.helper("at"), i, n)
	x.Acts = true
	return x
}

func (e *emitter) Count(typ, i string, low, high, by source.Expr) string {
	one := by.Constant && by.Num == 1
	if one && low.Constant && low.Num == 0 {
		return fmt.Sprintf("for %s := range %s {", i, high.Text)
	}
	step := "++"
	if !one {
		step = " += " + by.Text
	}
	return fmt.Sprintf("for %s := %s; %s < %s; %s%s {", i, low.Text, i, high.In(source.Sum), i, step)
}

func (e *emitter) CountTrips(f *source.Function, typ, i string, low, high, by source.Expr) string {
	round := f.Code.Variable("round")
	f.Code.Line("for %s := range %s {", round, source.Called(e.helper("rounds"), low, high, by).Text)
	return fmt.Sprintf("%s := %s + %s(%s)*%s", i, low.In(source.Sum), typ, round, by.In(source.Unary))
}

func (e *emitter) Trap(f *source.Function, reason string) string {
	return "panic(" + strconv.Quote("irc: "+reason) + ")"
}
