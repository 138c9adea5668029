package c

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/backends/source"
)

// integer is a number as an expression of a type of some bits.
func integer(n int64, width int) source.Expr {
	text, prec := strconv.FormatInt(n, 10), source.Primary
	switch {
	case n == math.MinInt64:
		text = "INT64_MIN"
	case n == math.MinInt32 && width == 32:
		text = "INT32_MIN"
	case n > math.MaxInt32 || n < math.MinInt32:
		text = "INT64_C(" + text + ")"
		if n < 0 {
			text = "-INT64_C(" + text[len("INT64_C(-"):]
			prec = source.Unary
		}
	case n < 0:
		prec = source.Unary
	}
	return source.Expr{Text: text, Prec: prec, Num: n, Constant: true}
}

// floating is a float of a type.
func floating(x float64, single bool) source.Expr {
	bits := 64
	if single {
		bits = 32
	}
	switch {
	case x != x:
		return source.Expr{Text: "NAN", Prec: source.Primary}
	case math.IsInf(x, 1):
		return source.Expr{Text: "INFINITY", Prec: source.Primary}
	case math.IsInf(x, -1):
		return source.Expr{Text: "-INFINITY", Prec: source.Unary}
	}
	text := strconv.FormatFloat(x, 'g', -1, bits)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	if single {
		text += "f"
	}
	if text[0] == '-' {
		return source.Expr{Text: text, Prec: source.Unary}
	}
	return source.Expr{Text: text, Prec: source.Primary}
}

// cast is a conversion. Of an expression with a sign and one without only the last
// conversion counts.
func cast(to string, x source.Expr) source.Expr {
	return source.Made(source.Unary, "("+to+")"+x.In(source.Unary), x)
}

// signed is an integer of a type of some bits as one with a sign.
func signed(x source.Expr, width int) source.Expr {
	if !x.Unsigned {
		return x
	}
	out := cast(fmt.Sprintf("int%d_t", width), x)
	out.Ops = x.Ops
	return out
}

// unsigned is an integer without a sign: of 8 and 16 bits it is an int that is not negative.
func unsigned(x source.Expr, width int) source.Expr {
	if x.Unsigned || width == 1 || x.Constant && x.Num >= 0 && width < 32 {
		return x
	}
	out := cast(fmt.Sprintf("uint%d_t", width), x)
	out.Ops, out.Unsigned = x.Ops, width >= 32
	return out
}

// wide is an expression of a type of 64 bits: a number is an int in C.
func wide(x source.Expr, width int) source.Expr {
	if !x.Constant || width != 64 {
		return x
	}
	return cast("int64_t", x)
}

// modular is an operation on two integers of some bits that wraps around.
func modular(prec int, op string, x, y source.Expr, width int) source.Expr {
	if width < 32 { // computed as int, which holds sums and products of 16 bits
		return cast(fmt.Sprintf("int%d_t", width), source.Binary(prec, op, x, y))
	}
	if !x.Unsigned && !y.Unsigned {
		x = unsigned(x, width)
	}
	out := source.Binary(prec, op, x, y)
	out.Ops, out.Unsigned = 1+x.Ops+y.Ops, true
	return out
}
