package elementwise

import "github.com/irc-lang/irc/ir/text"

// UnaryFloat and BinaryFloat are the declarative formats (MLIR's ODS) of ops of floats with fastmath, UnaryInt and BinaryInt of
// ops of integers.
const (
	UnaryFloat  = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
	BinaryFloat = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
	UnaryInt    = "$operand attr-dict `:` type($result)"
	BinaryInt   = "$lhs `,` $rhs attr-dict `:` type($result)"
)

// FastMathForm writes fastmath as MLIR does; it is none by default.
func FastMathForm() text.AttrForm {
	return text.DialectEnum("arith.fastmath", "none", "", append([]string{"none", "fast"}, fastMathNames...)...)
}

// FastMathNoDefault is for ops whose fastmath may be absent.
func FastMathNoDefault() text.AttrForm {
	return text.DialectEnum("arith.fastmath", "", "", append([]string{"none", "fast"}, fastMathNames...)...)
}

// OverflowForm writes overflowFlags as MLIR does; they are none by default.
func OverflowForm() text.AttrForm {
	return text.DialectEnum("arith.overflow", "none", " ", append([]string{"none"}, overflowNames...)...)
}

// WithFastMath is a form with that format, for an op with fastmath.
func WithFastMath(format string) text.Form {
	return text.Form{Format: format, Attrs: map[string]text.AttrForm{"fastmath": FastMathForm()}}
}
