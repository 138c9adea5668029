// Package combine says by what regions of reductions combine two values, and in which order they may. It is of this repository alone.
package combine

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// ops are the ops that are associative and commutative to the bit, on integers and on floats.
var ops = []*ir.OpDef{arith.Addi, arith.Muli, arith.Andi, arith.Ori, arith.Xori, arith.Maxsi, arith.Maxui, arith.Minsi, arith.Minui,
	arith.Maximumf, arith.Minimumf, arith.Maxnumf, arith.Minnumf}

// Exact reports a region that combines two values such that any order gives the same. Integers whose
// overflow is poison are none: another order may overflow.
func Exact(g *ir.Graph, region ir.Region) bool {
	def := Op(g, region)
	if !slices.Contains(ops, def) {
		return false
	}
	return arith.OverflowOf(g.Ctx, g.AttrsOf(g.Yields(region)[0])) == 0
}

// Op is the op that a region which combines two values consists of, or nil if it is not one op of its
// two parameters.
func Op(g *ir.Graph, region ir.Region) *ir.OpDef {
	ps, ys := g.Params(region), g.Yields(region)
	if len(ps) != 2 || len(ys) != 1 {
		return nil
	}
	args := g.Args(ys[0])
	if len(args) != 2 || len(g.Regions(ys[0])) > 0 || !slices.Contains(args, ps[0]) || !slices.Contains(args, ps[1]) {
		return nil
	}
	for _, v := range g.Members(region) {
		if v != ys[0] && g.Def(v).Effects != nil {
			return nil
		}
	}
	return g.Def(ys[0])
}

// InLanes reports a region whose values are combined in lanes (see iteration.ReduceChunk): it adds or multiplies two floats.
func InLanes(g *ir.Graph, region ir.Region) bool {
	def := Op(g, region)
	return (def == arith.Addf || def == arith.Mulf) && g.Ctx.IsFloat(g.Type(g.Yields(region)[0]))
}
