package source

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/lists"
)

// An Expr is an expression of a language.
type Expr struct {
	Text     string
	Prec     int
	Unsigned bool  // an integer whose type in the language has no sign
	Bits     *Expr // the same integer as a type without sign, if that is shorter to write
	Product  bool  // a product of floats that nothing has rounded yet
	Fusable  bool  // of a product: it need not be rounded before it is added to
	Ops      int   // how many ops of the IR are in it
	Acts     bool  // it reads memory or may trap
	Vars     []string
	Num      int64    // if Constant
	Constant bool     // an integer that is known
	Literal  bool     // a number that has no type of its own
	Parts    []string // the operands of a chain of && or ||, which is Chain
	Chain    string
	Opposite *Expr // the negation, if there is a shorter one than !x

	left, op, right string // of a binary operation
}

// Precedences of operators, as C has them; a language may use fewer.
const (
	Conditional = iota + 1
	LogicalOr
	LogicalAnd
	BitOr
	BitXor
	BitAnd
	Equality
	Relation
	Shift
	Sum
	Product
	Unary
	Primary
)

// In is the text of an expression as an operand of an operator of a precedence.
func (x Expr) In(prec int) string {
	if x.Prec < prec {
		return "(" + x.Text + ")"
	}
	return x.Text
}

// Simple reports an expression that may be written several times.
func (x Expr) Simple() bool { return x.Constant || x.Prec == Primary && x.Ops == 0 }

// Made is an expression made of others.
func Made(prec int, text string, of ...Expr) Expr {
	out := Expr{Text: text, Prec: prec, Ops: 1}
	for _, x := range of {
		out.Ops += x.Ops
		out.Acts = out.Acts || x.Acts
		out.Vars = append(out.Vars, x.Vars...)
	}
	return out
}

// Name is a variable.
func Name(s string) Expr { return Expr{Text: s, Prec: Primary, Vars: []string{s}} }

// Binary is an infix operator that groups from the left.
func Binary(prec int, op string, x, y Expr) Expr {
	left, right := x.In(max(prec, apart(x, prec))), y.In(max(prec+1, apart(y, prec)))
	if strings.HasPrefix(right, "-") && (op == "-" || op == "+") {
		right = "(" + right + ")"
	}
	out := Made(prec, left+" "+op+" "+right, x, y)
	out.left, out.op, out.right = x.Text, op, y.Text
	return out
}

// apart is a precedence that an expression does not have which compilers of C warn of as an operand of an operator, as many
// read it otherwise: comparisons, sums and other operators on bits in one on bits, sums in shifts, comparisons in
// comparisons; 0 for what is none of these.
func apart(x Expr, prec int) int {
	warns := false
	switch prec {
	case BitOr, BitXor, BitAnd:
		warns = x.Prec == Equality || x.Prec == Relation || x.Prec == Sum || x.Prec != prec && (x.Prec == BitAnd || x.Prec == BitXor || x.Prec == BitOr)
	case Shift:
		warns = x.Prec == Sum
	case Equality, Relation:
		warns = x.Prec == Equality || x.Prec == Relation
	}
	if warns {
		return Unary
	}
	return 0
}

// Texts lists expressions with commas between them.
func Texts(xs []Expr) string {
	texts := lists.Map(xs, func(x Expr) string { return x.Text })
	return strings.Join(texts, ", ")
}

// aRow is how many numbers of a long list stand in a line.
const aRow = 16

// Rows lists numbers, in lines if they are many.
func Rows(values []Expr) string {
	if len(values) <= 2*aRow {
		return Texts(values)
	}
	var b strings.Builder
	for i := 0; i < len(values); i += aRow {
		b.WriteString("\n\t" + Texts(values[i:min(i+aRow, len(values))]) + ",")
	}
	return b.String() + "\n"
}

// Called is a call of a function.
func Called(f string, args ...Expr) Expr {
	texts := lists.Map(args, func(a Expr) string { return a.Text })
	return Made(Primary, f+"("+strings.Join(texts, ", ")+")", args...)
}

// Added is a sum of which nothing is left out but zeros.
func Added(x, y Expr) Expr {
	switch {
	case x.Constant && x.Num == 0 && !x.Acts:
		return y
	case y.Constant && y.Num == 0 && !y.Acts:
		return x
	}
	return Binary(Sum, "+", x, y)
}

// Boolean is a truth value.
func Boolean(b bool) Expr {
	if b {
		return Expr{Text: "true", Prec: Primary, Num: 1, Constant: true}
	}
	return Expr{Text: "false", Prec: Primary, Constant: true}
}

// Negated is not x, in languages that write it so.
func Negated(x Expr) Expr {
	if x.Opposite != nil {
		return *x.Opposite
	}
	return Made(Unary, "!"+x.In(Unary), x)
}

func uses(x Expr, name string) bool { return slices.Contains(x.Vars, name) }
