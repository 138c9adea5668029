package ops

import (
	"github.com/irc-lang/irc/ir"
)

// Loops of models include their last index.
var Loops = ir.Interface[ir.LoopLike]{For: loopOf, Fold: loopOf}

func loopOf(n ir.Node) ir.LoopLike {
	g := n.Graph()
	args, body := g.Args(n.Old()), g.Regions(n.Old())[0]
	return ir.LoopLike{Body: body, Indices: g.Params(body), Lower: ir.Bounds(args[0]), Upper: ir.Bounds(args[1]), Step: []ir.Bound{{Const: 1}},
		Inclusive: true, Reverse: n.Attr("reverse") != 0}
}

// Allocations are the storage of variables.
var Allocations = ir.Interface[ir.Allocation]{Data: storage, Param: storage, LogicalVar: storage, Temporary: storage}

func storage(ir.Node) ir.Allocation { return ir.Allocation{} }

var Accesses = ir.Interface[ir.AccessLike]{Read: func(n ir.Node) ir.AccessLike {
	args := n.Graph().Args(n.Old())
	return ir.AccessLike{Accesses: []ir.Access{{Memory: args[0], Indices: args[1:], Reads: true}}}
}}
