package device

import "github.com/irc-lang/irc/ir"

var calls = ir.Interface[ir.CallLike]{Launch: func(n ir.Node) ir.CallLike {
	g := n.Graph()
	args, segments := g.Args(n.Old()), g.Ctx.Ints(n.Attr("operandSegmentSizes"))
	return ir.CallLike{Callee: g.Ctx.AttrInfo(n.Attr("kernel")).Str, Operands: args[segments[0]+segments[1]:]}
}}

var allocations = ir.Interface[ir.Allocation]{Shared: func(ir.Node) ir.Allocation { return ir.Allocation{} }}

var accesses = ir.Interface[ir.AccessLike]{AtomicCAS: func(n ir.Node) ir.AccessLike {
	args := n.Graph().Args(n.Old())
	return ir.AccessLike{Accesses: []ir.Access{{Memory: args[2], Indices: args[3:], Reads: true, Writes: true}}}
}}
