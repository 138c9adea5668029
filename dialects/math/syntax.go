package math

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

var syntax = mathSyntax()

func mathSyntax() text.Syntax {
	s := text.Syntax{
		Fma:   arith.WithFastMath("$a `,` $b `,` $c (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"),
		Fpowi: arith.WithFastMath("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs)"),
		Ipowi: {Format: arith.BinaryInt},
	}
	for _, d := range []*ir.OpDef{Absi, Ctlz, Cttz, Ctpop} {
		s[d] = text.Form{Format: arith.UnaryInt}
	}
	for _, d := range []*ir.OpDef{Atan2, Powf, Copysign} {
		s[d] = arith.WithFastMath(arith.BinaryFloat)
	}
	for _, d := range unaries {
		s[d] = arith.WithFastMath(arith.UnaryFloat)
	}
	return s
}
