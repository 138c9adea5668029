package scf

import "github.com/irc-lang/irc/ir"

// loops says how far loops run and what they carry.
var loops = ir.Interface[ir.LoopLike]{
	For: func(n ir.Node) ir.LoopLike {
		g := n.Graph()
		args, body := g.Args(n.Old()), g.Regions(n.Old())[0]
		params := g.Params(body)
		return ir.LoopLike{Body: body, Indices: params[:1], Lower: ir.Bounds(args[0]), Upper: ir.Bounds(args[1]), Step: ir.Bounds(args[2]),
			Inits: args[3:], Carried: params[1:]}
	},
	While: func(n ir.Node) ir.LoopLike {
		g := n.Graph()
		test := g.Regions(n.Old())[0]
		return ir.LoopLike{Body: test, Inits: g.Args(n.Old()), Carried: g.Params(test)}
	},
	Parallel: func(n ir.Node) ir.LoopLike {
		l, s := boxOf(n)
		l.Lower, l.Upper, l.Step = ir.Bounds(s[0]...), ir.Bounds(s[1]...), ir.Bounds(s[2]...)
		return l
	},
	Forall: func(n ir.Node) ir.LoopLike {
		l, s := boxOf(n)
		mixed := func(name string, dynamic []ir.Value) []ir.Bound {
			return ir.MixedBounds(n.Graph().Ctx.Ints(n.Attr(name)), dynamic)
		}
		l.Lower, l.Upper, l.Step = mixed("staticLowerBound", s[0]), mixed("staticUpperBound", s[1]), mixed("staticStep", s[2])
		l.Indices, l.Carried = l.Indices[:len(l.Lower)], l.Indices[len(l.Lower):]
		return l
	},
}

// boxOf is a loop over the points of a box, and its operands: lower bounds, upper bounds,
// steps, and what it reduces or fills.
func boxOf(n ir.Node) (l ir.LoopLike, segments [4][]ir.Value) {
	g := n.Graph()
	args := g.Args(n.Old())
	for i, k := range g.Ctx.Ints(n.Attr("operandSegmentSizes")) {
		segments[i], args = args[:k], args[k:]
	}
	body := g.Regions(n.Old())[0]
	return ir.LoopLike{Body: body, Indices: g.Params(body), Inits: segments[3], Parallel: true}, segments
}

// conditionals says which region of an op runs.
var conditionals = ir.Interface[ir.BranchLike]{
	If: func(n ir.Node) ir.BranchLike {
		return ir.BranchLike{On: n.Arg(0).Old(), Values: []int64{1, 0}, Default: 1}
	},
	IndexSwitch: func(n ir.Node) ir.BranchLike {
		return ir.BranchLike{On: n.Arg(0).Old(), Values: append([]int64{0}, n.Graph().Ctx.Ints(n.Attr("cases"))...)}
	},
}

// regionNames are what people call the regions of ops that have two.
var regionNames = ir.RegionNames{If: {"then", "else"}, While: {"while", "do"}}
