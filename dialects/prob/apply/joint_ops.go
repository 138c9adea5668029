package apply

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

func partsOf(p []family.Array) []kit.Part[float64, int] {
	return lists.Map(p, func(a family.Array) kit.Part[float64, int] { return a.Part() })
}

// node is the elements of a node as formulas read it.
func node(j *family.Joint, x []float64) kit.Grid {
	g := kit.Grid{V: x}
	if j.Node > 1 {
		g.Columns = kit.Rows(len(x))
	}
	return g
}

// JointDensity is the log density at x, stored row by row, for valid parameters.
func JointDensity(j *family.Joint, x []float64, p []family.Array) float64 {
	return j.Go.LogDensity(kit.Floats{}, node(j, x), partsOf(p))
}

// JointDraw simulates a node of n elements.
func JointDraw(j *family.Joint, r *rand.Rand, p []family.Array, n int) []float64 {
	out := make([]float64, n)
	j.Go.Draw(kit.Floats{}, draw.Sequence{Rand: r}, node(j, out), partsOf(p))
	return out
}

// JointDrawFrom stores in x what given deviates make.
func JointDrawFrom(j *family.Joint, d draw.Deviates[float64, int], x family.Array, p []family.Array) {
	j.Go.Draw(kit.Floats{}, d, x.Part(), partsOf(p))
}

// JointDrawOps stores a draw in x, as ops.
func JointDrawOps(j *family.Joint, k kit.Ops, w kit.Workspace, d draw.Deviates[ir.Value, ir.Value], x kit.View, p []kit.View) {
	j.Ops.Draw(kit.ArrayOps{Ops: k, Work: w}, d, k.PartOf(x), viewsOf(k, p))
}

// JointDensityOps is the log density as ops, with the support and the validity of Logp and Invalid.
func JointDensityOps(j *family.Joint, k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) ir.Value {
	return j.Ops.LogDensity(kit.ArrayOps{Ops: k, Work: w}, k.PartOf(x), viewsOf(k, p))
}

// LeastWeightOps is LeastWeight as ops.
func LeastWeightOps(j *family.Joint, k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) ir.Value {
	return j.Ops.LeastWeight(kit.ArrayOps{Ops: k, Work: w}, k.PartOf(x), viewsOf(k, p))
}

// JointMassOps is log P(lo <= x <= hi) of a single node as ops, with the bounds that there are.
func JointMassOps(j *family.Joint, k kit.Ops, w kit.Workspace, p []kit.View, lo, hi []ir.Value) ir.Value {
	return j.Ops.Mass(kit.ArrayOps{Ops: k, Work: w}, viewsOf(k, p), lo, hi)
}

func viewsOf(k kit.Ops, p []kit.View) []kit.Part[ir.Value, ir.Value] {
	return lists.Map(p, k.PartOf)
}
