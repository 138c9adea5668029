package funcs

import "github.com/irc-lang/irc/ir"

var calls = ir.Interface[ir.CallLike]{
	Call: func(n ir.Node) ir.CallLike {
		g := n.Graph()
		return ir.CallLike{Callee: g.Ctx.AttrInfo(n.Attr("callee")).Str, Operands: g.Args(n.Old())}
	},
	CallIndirect: func(n ir.Node) ir.CallLike {
		args := n.Graph().Args(n.Old())
		return ir.CallLike{Value: args[0], Operands: args[1:]}
	},
}
