package run

import (
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

func runFunction(_ *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	x := make([]float64, len(args))
	for i, a := range args {
		x[i] = a.F64()
	}
	out[0] = ir.F64Val(function.ScalarFunction(o.G.Ctx.AttrInfo(o.Call.Get("name")).Str)(x))
	return nil
}
