package loops

import (
	"fmt"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target/tuning"
	"github.com/irc-lang/irc/passes/pass"
)

// Peel takes iterations of a loop out of it.
type Peel struct {
	Which
	Front int `opt:"front" doc:"iterations that are taken out at the beginning"`
	Back  int `opt:"back" doc:"iterations that are taken out at the end; without both the one that has less than a step left"`
}

// PeelInfo is the row of the pass.
var PeelInfo = &pass.Info{
	Name:       "loop-peel",
	Doc:        "Takes the first iterations of a loop, or the last, into a loop of their own; without a number the one that has less than the step left, as of tiles and strips. The order stays, so that it always may be done.",
	Why:        "After loop-tile and strip-mine; before canonicalize, which then knows more of what is left.",
	Example:    "func.func @f(%n: index, %A: memref<?xf64>) {\n  %z = arith.constant 0.0 : f64\n  affine.for %i = 0 to %n {\n    affine.store %z, %A[%i] : memref<?xf64>\n  }\n  return\n}\n",
	Pipeline:   "loop-peel{front=1}",
	Statistics: []pass.Statistic{{Name: "peeled", Doc: "loops of which iterations are taken out"}},
	New:        func() pass.Pass { return &Peel{} },
}

// Check refuses numbers of iterations that are none.
func (p *Peel) Check() error {
	for _, k := range []int{p.Front, p.Back} {
		if k < 0 || k > tuning.MostTile {
			return fmt.Errorf("front=%d, back=%d: both are between 0 and %d", p.Front, p.Back, tuning.MostTile)
		}
	}
	if p.Front > 0 && p.Back > 0 {
		return fmt.Errorf("front=%d and back=%d: one at a time", p.Front, p.Back)
	}
	return nil
}

// Run rewrites the loops of every function.
func (p *Peel) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return run(ctx, g, &p.Which, "peeled", "cannot be peeled", p.find)
}

// find takes innermost loops where a number of iterations is set and no loop is named. The iteration that is
// cut off is taken from any loop.
func (p *Peel) find(f *function, v ir.Value) (*change, error) {
	if !p.isNamed() && p.Front+p.Back > 0 && f.holdsLoop(f.body(v)) {
		return nil, nil
	}
	step, err := f.stepOf(v)
	if err == nil && step == 1 && p.Front+p.Back == 0 {
		err = fmt.Errorf("has a step of 1, of which nothing is ever left")
	}
	if err != nil {
		return nil, err
	}
	n := &nest{function: f, loops: []ir.Value{v}}
	x, what := p.cut(step)
	return &change{rule: n.cutBy(x), loops: n.loops, what: what}, nil
}

// cutBy makes two loops of one.
func (n *nest) cutBy(x cut) func(m *ir.Mirror, old ir.Node) ir.Value {
	return func(m *ir.Mirror, old ir.Node) ir.Value {
		body := func(iv ir.Value, carried []ir.Value) []ir.Value { return n.iteration(m, []ir.Value{iv}, carried) }
		before, after := x.spans(m, old, n.span(m, 0))
		vals := makeLoop(m, old, old.Attrs(), before, inits(m, old), body)
		return m.B.Pack(makeLoop(m, old, m.B.Ctx().WithDiscardable(old.Attrs(), Label, 0), after, vals, body)...)
	}
}

// cut says where the loop is cut, in numbers and by affine expressions. A loop may have fewer iterations than
// are taken out: few keeps to those.
func (p *Peel) cut(step int64) (cut, string) {
	num := func(m *ir.Mirror, t ir.Type, n int) ir.Value { return m.B.Const(t, ir.IntVal(int64(n), widthOf(m, t))) }
	few := func(m *ir.Mirror, t ir.Type, trips ir.Value, n int) ir.Value {
		return m.B.Op(arith.Minui, trips, num(m, t, n))
	}
	switch {
	case p.Front > 0:
		return cut{
			affine: func(lower, _ affinedialect.Point, step int64) (affinedialect.Point, bool) {
				return lower.Plus(1, affinedialect.Number(step*int64(p.Front)))
			},
			first: func(m *ir.Mirror, t ir.Type, trips, _ ir.Value) ir.Value { return few(m, t, trips, p.Front) },
		}, fmt.Sprintf("has its first %d iterations in a loop of their own", p.Front)
	case p.Back > 0:
		return cut{
			within: true,
			affine: func(lower, upper affinedialect.Point, step int64) (affinedialect.Point, bool) {
				return roundsOf(lower, upper, step, step-1, step, -int64(p.Back))
			},
			first: func(m *ir.Mirror, t ir.Type, trips, _ ir.Value) ir.Value {
				return arith.SubI(m.B, trips, few(m, t, trips, p.Back))
			},
		}, fmt.Sprintf("has its last %d iterations in a loop of their own", p.Back)
	}
	return cut{
		within: true,
		affine: func(lower, upper affinedialect.Point, step int64) (affinedialect.Point, bool) {
			return roundsOf(lower, upper, step, 0, step, 0)
		},
		first: func(m *ir.Mirror, t ir.Type, _, far ir.Value) ir.Value {
			return m.B.Op(arith.Divui, far, num(m, t, int(step)))
		},
	}, "has the iteration that is cut off in a loop of its own"
}

// roundsOf is lower + (floor((upper - lower + add) / by) + more) * step.
func roundsOf(lower, upper affinedialect.Point, step, add, by, more int64) (affinedialect.Point, bool) {
	far, ok := upper.Plus(-1, lower)
	if ok {
		far, ok = far.Plus(1, affinedialect.Number(add))
	}
	if ok {
		far, ok = far.FloorDiv(by).Plus(1, affinedialect.Number(more))
	}
	if !ok {
		return far, false
	}
	return lower.Plus(step, far)
}
