package affine

import (
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/affine/expr"
)

// forms: what index arithmetic is to the analysis of integers.
var forms = affine.Forms{
	Apply: {Map: mapForm},
	Min:   {Op: affine.MinSigned, Map: mapForm},
	Max:   {Op: affine.MaxSigned, Map: mapForm},
}

func mapForm(g *ir.Graph, v ir.Value) (exprs []*expr.Expr, dims, syms []ir.Value) {
	m, args := expr.MapOf(g.Ctx, g.Attr(v, "map")), g.Args(v)
	return m.Results, args[:m.Dims], args[m.Dims:]
}

// enterFor bounds the index of a loop. In text its attributes may come later, and nothing of it is checked yet.
func enterFor(b *ir.Builder, attr ir.Attr, args []ir.Value, _ int, params []ir.Value) {
	x := b.Ctx()
	lower, upper, step := expr.MapOf(x, x.Get(attr, "lowerBoundMap")), expr.MapOf(x, x.Get(attr, "upperBoundMap")), x.Get(attr, "step")
	if lower == nil || upper == nil || step == 0 || x.KindOf(step) != ir.AttrInt || len(params) == 0 || b.Graph().Type(params[0]) != ir.Index ||
		len(lower.Results) == 0 || len(upper.Results) == 0 || len(args) < lower.Inputs()+upper.Inputs() {
		return
	}
	for _, a := range args[:lower.Inputs()+upper.Inputs()] {
		if b.Graph().Type(a) != ir.Index {
			return
		}
	}
	b.SetClean(params[0]) // the bounds must be no poison
	l := boundsOf(x, attr, args)
	between(b, params[0], l.lower.Results, l.upper.Results, l.lower.Dims, l.upper.Dims, l.lowerArgs, l.upperArgs, l.step)
}

// enterParallel bounds those of a parallel loop.
func enterParallel(b *ir.Builder, attr ir.Attr, args []ir.Value, _ int, params []ir.Value) {
	x, ok := boxOf(b.Ctx(), attr, args)
	if n := len(params); !ok || len(x.lowerN) != n || len(x.upperN) != n || len(x.steps) != n {
		return
	}
	for d, p := range params {
		b.SetClean(p)
		between(b, p, results(x.lower, x.lowerN, d), results(x.upper, x.upperN, d), x.lower.Dims, x.upper.Dims, x.lowerArgs, x.upperArgs, x.steps[d])
	}
}

// between declares what the bounds and the step of a loop say of its index.
func between(b *ir.Builder, iv ir.Value, lower, upper []*expr.Expr, lowerDims, upperDims int, lowerArgs, upperArgs []ir.Value, step int64) {
	known := affine.In(b)
	l := known.Extreme(affine.MaxSigned, lower, lowerArgs[:lowerDims], lowerArgs[lowerDims:])
	u := known.Extreme(affine.MinSigned, upper, upperArgs[:upperDims], upperArgs[upperDims:])
	n := affine.Index(64, l, u, affine.Just(64, step), false)
	if n != affine.Any(64) {
		b.SetRange(iv, n.Low, n.High, n.Step)
	}
}

// accessTraps: an access at operand m does not trap if its subscripts are within static
// extents and memref says so of the rest.
func accessTraps(c *ir.Call, m int) bool {
	f := expr.MapOf(c.Ctx(), c.Get("map"))
	dims, syms := c.Args[m+1:m+1+f.Dims], c.Args[m+1+f.Dims:]
	known := affine.In(c.Builder()).Certain()
	for i, n := range c.Ctx().Info(c.ArgType(m)).Shape {
		if n == ir.Dynamic || mayDivide(f.Results[i]) || !known.Extreme(affine.MinSigned, f.Results[i:i+1], dims, syms).Within(0, n-1) {
			return true
		}
	}
	return !memref.Accessible(c, m)
}

func loadTraps(c *ir.Call) bool  { return accessTraps(c, 0) }
func storeTraps(c *ir.Call) bool { return accessTraps(c, 1) }
