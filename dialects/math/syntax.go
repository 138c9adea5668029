package math

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

var syntax = mathSyntax()

func mathSyntax() text.Syntax {
	s := text.Syntax{
		Fma:   elementwise.WithFastMath("$a `,` $b `,` $c (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"),
		Fpowi: elementwise.WithFastMath("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs)"),
		Ipowi: {Format: elementwise.BinaryInt},
	}
	for _, d := range []*ir.OpDef{Absi, Ctlz, Cttz, Ctpop} {
		s[d] = text.Form{Format: elementwise.UnaryInt}
	}
	for _, d := range []*ir.OpDef{Atan2, Powf, Copysign} {
		s[d] = elementwise.WithFastMath(elementwise.BinaryFloat)
	}
	for _, d := range unaries {
		s[d] = elementwise.WithFastMath(elementwise.UnaryFloat)
	}
	return s
}
