package loop

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// loops says what loop.for is to passes that look for loops.
var loops = ir.Interface[ir.LoopLike]{For: func(n ir.Node) ir.LoopLike {
	g := n.Graph()
	body := n.Region(0).Old()
	return ir.LoopLike{Body: body, Indices: g.Params(body), Lower: []ir.Bound{{}},
		Upper: ir.Bounds(g.Args(n.Old())[0]), Step: []ir.Bound{{Const: 1}}}
}}

// forms: a number of elements is not negative.
var forms = affine.Forms{Len: {Bounded: true}}
