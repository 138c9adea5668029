package funcs

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// table says how calls run. A function value is the name of the function.
var table = interp.Table{
	Call: func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		return call(m, symbolName(o.G.Ctx, o.Call.Get("callee")), args, out)
	},
	CallIndirect: func(m *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
		name, ok := args[0].Ref.(ref)
		if !ok {
			return ir.Trapf("func.call_indirect of something that is no function")
		}
		return call(m, string(name), args[1:], out)
	},
	Constant: func(_ *interp.Machine, o *interp.Op, _, out []ir.Val) error {
		out[0] = ir.Val{Ref: ref(symbolName(o.G.Ctx, o.Call.Get("value")))}
		return nil
	},
}

// ref is the Ref of a function value.
type ref string

func call(m *interp.Machine, name string, args, out []ir.Val) error {
	results, err := m.Call(name, args)
	if err != nil {
		return err
	}
	copy(out, results)
	return nil
}

// symbolName spells a symbol attribute "a::b".
func symbolName(c *ir.Context, a ir.Attr) string {
	if a == 0 {
		return ""
	}
	info := c.AttrInfo(a)
	name := info.Str
	for _, n := range info.List {
		name += "::" + c.AttrInfo(n).Str
	}
	return name
}
