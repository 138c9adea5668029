package ops

import (
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
)

// NumberOps makes the ops of a function of numbers; nil if there is none of the name.
func NumberOps(name string) func(b *ir.Builder, x []ir.Value) ir.Value {
	if f := function.NumbersAsOps[name]; f != nil || function.KitFunction(name) == nil {
		return f
	}
	return func(b *ir.Builder, x []ir.Value) ir.Value {
		c := b.Ctx()
		return b.OpAttr(Function, c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(name)}}, nil), x...)
	}
}

// Function is a function of numbers by name.
var Function = ir.Define(&ir.OpDef{Name: "bugs.function",
	Doc:  "A function of numbers: gammap, besselk, or of a distribution, as pnorm, qgamma, dbin and logdensity.t are.",
	Args: []string{"x..."}, Attrs: []string{"name"}, Infer: inferFunction})

func inferFunction(c *ir.Call) (ir.Type, error) {
	a := c.Get("name")
	if a == 0 || function.KitFunction(c.Ctx().AttrInfo(a).Str) == nil {
		return 0, c.Errorf("attribute 'name' must be the name of a function")
	}
	f := syntax.LookupFunction(c.Ctx().AttrInfo(a).Str)
	if len(c.Args) < f.Min || f.Max >= 0 && len(c.Args) > f.Max {
		return 0, c.Errorf("%s has other arguments", f.Signature())
	}
	for i := range c.Args {
		if c.ArgType(i) != ir.F64 {
			return 0, c.Errorf("operand #%d must be f64", i)
		}
	}
	return ir.F64, nil
}
