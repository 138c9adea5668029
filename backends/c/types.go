package c

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/ir"
)

// syntax is how statements are written in C.
var syntax = source.Syntax{
	Name: "C", End: ";", If: "if (%s) {", ElseIf: "} else if (%s) {", While: "while (%s) {", Forever: "for (;;) {", Guard: []string{"if (%s)"},
	Switch: "switch (%s) {", Case: "case %s: {", Otherwise: "default: {", EndCase: []string{"break;", "}"}, Exit: "break;",
	Counter: "uint64_t", Places: "int64_t", Index: "%s[%s]", Start: "*%s", Part: "%s_%s%v",
}

func (e *emitter) Syntax() *source.Syntax { return &syntax }

// declared is the declaration of a variable, without a semicolon.
func declared(x source.Field) string {
	if strings.HasSuffix(x.Type, "*") || strings.HasSuffix(x.Type, " ") {
		return x.Type + x.Name
	}
	return x.Type + " " + x.Name
}

func (e *emitter) Let(v source.Field, x source.Expr) string {
	return declared(v) + " = " + x.Text + ";"
}

func (e *emitter) Var(v source.Field, n int) string {
	if n > 0 {
		v.Name += fmt.Sprintf("[%d]", n)
	}
	return declared(v) + ";"
}

func (e *emitter) Base(elem string) string { return elem + " *" }

// Scalar is the type of a scalar in C, "" if there is none.
func (e *emitter) Scalar(t ir.Type) string {
	switch t {
	case ir.F64:
		return "double"
	case ir.F32:
		return "float"
	case ir.I1:
		return "bool"
	case ir.Index:
		return "int64_t"
	}
	if info := e.Ctx.Info(t); info.Kind == ir.KindInteger {
		switch info.Width {
		case 8, 16, 32, 64:
			return "int" + strconv.Itoa(info.Width) + "_t"
		}
	}
	return ""
}

func (e *emitter) Kinds() string { return "i1, i8, i16, i32, i64, index, f32, f64" }

func (e *emitter) Integer(n int64, width int) source.Expr { return integer(n, width) }

func (e *emitter) Floating(x float64, t ir.Type) source.Expr { return floating(x, t == ir.F32) }

func (e *emitter) Signed(x source.Expr, width int) source.Expr { return signed(x, width) }

func (e *emitter) Typed(x source.Expr, t ir.Type) source.Expr { return x }

func (e *emitter) Wrapping(prec int, op string, x, y source.Expr) source.Expr {
	return modular(prec, op, x, y, 64)
}

func (e *emitter) AtLeast(at source.Expr, n int64) source.Expr {
	return source.Binary(source.Relation, ">=", unsigned(at, 64), integer(n, 64))
}

func (e *emitter) Pick(xs []source.Expr, at source.Expr) source.Expr {
	x := xs[0]
	for i, s := range xs[1:] {
		s = wide(s, 64)
		x = source.Made(source.Conditional, fmt.Sprintf("%s == %d ? %s : %s", at.Text, i+1, s.Text, x.In(source.Conditional)), at, s, x)
	}
	return x
}

func (e *emitter) From(f *source.Function, m *source.View, at source.Expr, count *source.Expr) source.Expr {
	return e.pointer(m, at)
}

// Length: a pointer tells none.
func (e *emitter) Length(source.Expr) (source.Expr, bool) { return source.Expr{}, false }

// At is checked by a statement before the one that has the index.
func (e *emitter) At(f *source.Function, i, n source.Expr) source.Expr {
	i = f.Code.Place(i)
	size := n
	if !n.Constant || n.Num < 0 {
		size = unsigned(n, 64)
	}
	f.CheckOnce(source.Binary(source.Relation, ">=", unsigned(i, 64), size), "index out of bounds")
	return i
}

func (e *emitter) Count(typ, i string, low, high, by source.Expr) string {
	step := "++"
	if !(by.Constant && by.Num == 1) {
		step = " += " + by.Text
	}
	return fmt.Sprintf("for (%s %s = %s; %s < %s; %s%s) {", typ, i, low.Text, i, high.In(source.Shift), i, step)
}

func (e *emitter) CountTrips(f *source.Function, typ, i string, low, high, by source.Expr) string {
	e.helper("irc_rounds")
	round := f.Code.Variable("round")
	f.Code.Line("for (uint64_t %s = 0, rounds = irc_rounds(%s, %s, %s); %s < rounds; %s++) {", round, low.Text, high.Text, by.Text, round, round)
	return fmt.Sprintf("%s %s = (%s)((uint64_t)%s + %s * (uint64_t)%s);", typ, i, typ, low.In(source.Unary), round, by.In(source.Unary))
}
