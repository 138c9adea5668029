package passes

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass"
)

// LoopHints says of loops how many rounds LLVM is to take together.
type LoopHints struct{}

var loopHintsInfo = &pass.Info{
	Name: "loop-hints",
	Doc: "Marks innermost loops of which LLVM is to make vectors: those of a constant, large number of rounds with many operations on floats and nothing that hinders vectors. " +
		"LLVM's own estimate holds functions that lower-math has made dozens of operations of for too dear where a loop runs some dozens of times, and interleaves so that most rounds are left over; " +
		"measured, hints halve the time. How few rounds and operations that takes, and how wide vectors are, the target says.",
	Why: "After lower-math and lower{to=llvm}: it counts what is left.",
	Example: `func.func @f(%x: memref<32xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %c32 step %c1 {
    %a = memref.load %x[%i] : memref<32xf64>
    %m1 = arith.mulf %a, %a : f64
    %s1 = arith.addf %m1, %one : f64
    %m2 = arith.mulf %s1, %a : f64
    %s2 = arith.addf %m2, %one : f64
    %m3 = arith.mulf %s2, %a : f64
    %s3 = arith.addf %m3, %one : f64
    %m4 = arith.mulf %s3, %a : f64
    %s4 = arith.addf %m4, %one : f64
    %m5 = arith.mulf %s4, %a : f64
    %s5 = arith.addf %m5, %one : f64
    %m6 = arith.mulf %s5, %a : f64
    %s6 = arith.addf %m6, %one : f64
    memref.store %s6, %x[%i] : memref<32xf64>
  }
  return
}
`,
	Statistics: []pass.Statistic{{Name: "hints", Doc: "loops that got one"}},
	New:        func() pass.Pass { return &LoopHints{} },
}

// Run marks the loops of every function.
func (*LoopHints) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	h := hints{target: ctx.Target(), lanes: map[ir.Node]int64{}}
	h.plan(g)
	if len(h.lanes) == 0 {
		return g, nil
	}
	ctx.Count("hints", len(h.lanes))
	return rebuild(g, ir.Rules{scf.For: h.mark}), nil
}

// hints are how many rounds of each loop to take together.
type hints struct {
	target *target.Target
	lanes  map[ir.Node]int64
}

// plan looks at the loops of a graph and its children as the backend will schedule them.
func (h hints) plan(g *ir.Graph) {
	s := ir.NewSchedule(g, ir.ScheduleOptions{Copies: true, Weight: h.target.Weight})
	s.Walk(func(v ir.Value) {
		if g.Def(v) == scf.For {
			if n := h.wanted(s, v); n > 0 {
				h.lanes[g.NodeOf(v)] = n
			}
		}
		for _, c := range g.Children(v) {
			h.plan(c)
		}
	})
}

// mark gives a loop its hint.
func (h hints) mark(m *ir.Mirror, n ir.Node) ir.Value {
	lanes := h.lanes[n]
	if lanes == 0 {
		return 0
	}
	c := m.B.Ctx()
	return m.CopyWith(n, c.WithDiscardable(n.Attrs(), scf.LanesAttr, c.IntAttr(lanes, ir.I64)))
}

// wanted is how many rounds of a loop to take together, 0 if that does not pay: an
// innermost one of many operations on floats, and of nothing that hinders vectors but
// perhaps its memory, at which LLVM looks.
func (h hints) wanted(s *ir.Schedule, v ir.Value) int64 {
	g := s.Graph()
	l, costs := boundsOf(g.NodeOf(v)), h.target.Costs
	if !l.constant || l.step != 1 || int64(l.trips) < int64(costs.MinRounds) {
		return 0
	}
	floats := 0
	for _, x := range s.Body(g.Regions(v)[0]) {
		def := g.Def(x)
		switch {
		case g.Ctx.DialectOf(def) == arith.Dialect, def == math.Fma, def == math.Absf, def == math.Sqrt, def == math.Floor:
			if g.Type(x) == ir.F64 {
				floats++
			}
		case def == memref.Load, def == scf.Yield:
		case def == memref.Store && len(g.Args(v)) == 3: // a table, not a reduction
		default:
			return 0
		}
	}
	few := min(4, int64(h.target.Lanes(8)))
	if floats < costs.MinFloats || few < 2 {
		return 0
	}
	return lanesFor(int64(l.trips), few)
}

// lanesFor is how many rounds of n to take together: few, or twice that where what is left
// over, one round each, does not cost more than the vectors save: the wide ones take half
// as long again as the others.
func lanesFor(n, few int64) int64 {
	if wide := 2 * few; 2*(n/few)+2*(n%few) >= 3*(n/wide)+2*(n%wide) {
		return wide
	}
	return few
}
