package special

import (
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

var functions = []*ir.OpDef{Lgamma, Digamma, Trigamma, Logfact, Erfc, Phi, LogPhi, Probit, Log1mexp, Log1pexp, Logit, Ilogit, Cloglog, Icloglog, Step,
	Xlogy, Xlog1py, Lbeta, Lchoose, Gammainc, Gammaincc, Gammaincinv, Betainc, Betaincinv}

var syntax = specialSyntax()

func specialSyntax() text.Syntax {
	s := text.Syntax{Print: {Format: "attr-dict ($values^ `:` type($values))?"}}
	for _, d := range functions {
		s[d] = text.Form{Format: "$" + strings.Join(d.Args, " `,` $") + " attr-dict `:` type($result)"}
	}
	return s
}

// table says how print runs: the numbers of one print share a line.
var table = interp.Table{Print: func(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	c := o.G.Ctx
	if len(args) == 1 {
		m.Emit(interp.Printed{Kind: interp.PrintValue, Val: args[0], Type: o.Call.ArgType(0)})
		return nil
	}
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = interp.FormatVal(c, a, o.Call.ArgType(i))
	}
	m.Emit(interp.Printed{Kind: interp.PrintText, Text: strings.Join(parts, " ") + "\n"})
	return nil
}}
