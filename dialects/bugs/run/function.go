package run

import (
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

func runFunction(_ *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	x := lists.Map(args, func(a ir.Val) float64 { return a.F64() })
	out[0] = ir.F64Val(function.ScalarFunction(o.G.Ctx.AttrInfo(o.Call.Get("name")).Str)(x))
	return nil
}
