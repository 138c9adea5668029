package family

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Part is the array as formulas read it.
func (a Array) Part() kit.Grid {
	g := kit.Grid{V: a.V}
	if len(a.Dims) > 1 {
		g.Columns = a.Dims[1]
	}
	return g
}

func partsOf(p []Array) []kit.Part[float64, int] {
	return lists.Map(p, func(a Array) kit.Part[float64, int] { return a.Part() })
}

// node is the elements of a node as formulas read it.
func (j *Joint) node(x []float64) kit.Grid {
	g := kit.Grid{V: x}
	if j.Node > 1 {
		g.Columns = kit.Rows(len(x))
	}
	return g
}

// Logp is the log density at x, stored row by row, for valid parameters.
func (j *Joint) Logp(x []float64, p []Array) float64 {
	return j.Go.LogDensity(kit.Floats{}, j.node(x), partsOf(p))
}

// Draw simulates a node of n elements.
func (j *Joint) Draw(r *rand.Rand, p []Array, n int) []float64 {
	out := make([]float64, n)
	j.Go.Draw(kit.Floats{}, draw.Sequence{Rand: r}, j.node(out), partsOf(p))
	return out
}

// DrawFrom stores in x what given deviates make.
func (j *Joint) DrawFrom(d draw.Deviates[float64, int], x Array, p []Array) {
	j.Go.Draw(kit.Floats{}, d, x.Part(), partsOf(p))
}

// DrawOps stores a draw in x, as ops.
func (j *Joint) DrawOps(k kit.Ops, w kit.Workspace, d draw.Deviates[ir.Value, ir.Value], x kit.View, p []kit.View) {
	j.Ops.Draw(kit.ArrayOps{Ops: k, Work: w}, d, k.PartOf(x), viewsOf(k, p))
}

// DrawBy is a vector of n elements by the formula of a draw.
func DrawBy(f Drawing[float64, bool, int], r *rand.Rand, p []Array, n int) []float64 {
	out := make([]float64, n)
	f(kit.Floats{}, draw.Sequence{Rand: r}, kit.Grid{V: out}, partsOf(p))
	return out
}

// LogpOps is the log density as ops, with the support and the validity of Logp and Invalid.
func (j *Joint) LogpOps(k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) ir.Value {
	return j.Ops.LogDensity(kit.ArrayOps{Ops: k, Work: w}, k.PartOf(x), viewsOf(k, p))
}

// LeastWeightOps is LeastWeight as ops.
func (j *Joint) LeastWeightOps(k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) ir.Value {
	return j.Ops.LeastWeight(kit.ArrayOps{Ops: k, Work: w}, k.PartOf(x), viewsOf(k, p))
}

// MassOps is log P(lo <= x <= hi) of a single node as ops, with the bounds that there are.
func (j *Joint) MassOps(k kit.Ops, w kit.Workspace, p []kit.View, lo, hi []ir.Value) ir.Value {
	return j.Ops.Mass(kit.ArrayOps{Ops: k, Work: w}, viewsOf(k, p), lo, hi)
}

// HasMass reports a law of single nodes with a distribution function.
func (j *Joint) HasMass() bool { return j.Go.Mass != nil }

func viewsOf(k kit.Ops, p []kit.View) []kit.Part[ir.Value, ir.Value] {
	return lists.Map(p, k.PartOf)
}
