package c

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// An expr is an expression of C.
type expr struct {
	text     string
	prec     int
	unsigned bool // an integer of 32 or 64 bits whose type in C has no sign
	ops      int  // how many ops of the IR are in it
	acts     bool // it reads memory or may trap
	vars     []string
	num      int64 // if constant
	constant bool
}

// Precedences of C's operators.
const (
	conditional = iota + 1
	logicalOr
	logicalAnd
	bitOr
	bitXor
	bitAnd
	equality
	relation
	shift
	sum
	product
	unary
	primary
)

// in is the text of an expression as an operand of an operator of a precedence.
func (x expr) in(prec int) string {
	if x.prec < prec {
		return "(" + x.text + ")"
	}
	return x.text
}

// made is an expression made of others.
func made(prec int, text string, of ...expr) expr {
	out := expr{text: text, prec: prec, ops: 1}
	for _, x := range of {
		out.ops += x.ops
		out.acts = out.acts || x.acts
		out.vars = append(out.vars, x.vars...)
	}
	return out
}

// name is a variable.
func name(s string) expr { return expr{text: s, prec: primary, vars: []string{s}} }

// integer is a number as an expression of a type of some bits.
func integer(n int64, width int) expr {
	text, prec := strconv.FormatInt(n, 10), primary
	switch {
	case n == math.MinInt64:
		text = "INT64_MIN"
	case n == math.MinInt32 && width == 32:
		text = "INT32_MIN"
	case n > math.MaxInt32 || n < math.MinInt32:
		text = "INT64_C(" + text + ")"
		if n < 0 {
			text = "-INT64_C(" + text[len("INT64_C(-"):]
			prec = unary
		}
	case n < 0:
		prec = unary
	}
	return expr{text: text, prec: prec, num: n, constant: true}
}

// floating is a float of a type.
func floating(x float64, single bool) expr {
	bits := 64
	if single {
		bits = 32
	}
	switch {
	case x != x:
		return expr{text: "NAN", prec: primary}
	case math.IsInf(x, 1):
		return expr{text: "INFINITY", prec: primary}
	case math.IsInf(x, -1):
		return expr{text: "-INFINITY", prec: unary}
	}
	text := strconv.FormatFloat(x, 'g', -1, bits)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	if single {
		text += "f"
	}
	if text[0] == '-' {
		return expr{text: text, prec: unary}
	}
	return expr{text: text, prec: primary}
}

// binary is an infix operator that groups from the left.
func binary(prec int, op string, x, y expr) expr {
	right := y.in(prec + 1)
	if strings.HasPrefix(right, "-") && (op == "-" || op == "+") {
		right = "(" + right + ")"
	}
	return made(prec, x.in(prec)+" "+op+" "+right, x, y)
}

// called is a call of a function.
func called(f string, args ...expr) expr {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.text
	}
	return made(primary, f+"("+strings.Join(texts, ", ")+")", args...)
}

// cast is a conversion. Of an expression with a sign and one without only the last
// conversion counts.
func cast(to string, x expr) expr {
	return made(unary, "("+to+")"+x.in(unary), x)
}

// width is the bits of an integer type.
func (f *function) width(t ir.Type) int { return f.ctx.Info(t).Width }

// signed is an integer of a type of some bits as one with a sign.
func signed(x expr, width int) expr {
	if !x.unsigned {
		return x
	}
	out := cast(fmt.Sprintf("int%d_t", width), x)
	out.ops = x.ops
	return out
}

// unsigned is an integer without a sign: of 8 and 16 bits it is an int that is not negative.
func unsigned(x expr, width int) expr {
	if x.unsigned || width == 1 || x.constant && x.num >= 0 && width < 32 {
		return x
	}
	out := cast(fmt.Sprintf("uint%d_t", width), x)
	out.ops, out.unsigned = x.ops, width >= 32
	return out
}

// wide is an expression of a type of 64 bits: a number is an int in C.
func wide(x expr, width int) expr {
	if !x.constant || width != 64 {
		return x
	}
	return cast("int64_t", x)
}

// modular is an operation on two integers of some bits that wraps around.
func modular(prec int, op string, x, y expr, width int) expr {
	if width < 32 { // computed as int, which holds sums and products of 16 bits
		return cast(fmt.Sprintf("int%d_t", width), binary(prec, op, x, y))
	}
	if !x.unsigned && !y.unsigned {
		x = unsigned(x, width)
	}
	out := binary(prec, op, x, y)
	out.ops, out.unsigned = 1+x.ops+y.ops, true
	return out
}
