package loops

import (
	"cmp"
	"fmt"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// Collapse makes one loop of a nest.
type Collapse struct {
	Which
	Depth int `opt:"depth" doc:"how many loops of a nest become one"`
}

// CollapseInfo is the row of the pass.
var CollapseInfo = &pass.Info{
	Name:       "loop-collapse",
	Doc:        "Makes one loop of the loops of a nest, over the product of their numbers of iterations. The order of the iterations stays. The bounds of each loop are the same for all of the nest. If a number is not constant, the loop is one of scf.",
	Why:        "Before iterations are shared among cores, where the outermost loop alone has too few.",
	Example:    "func.func @f(%A: memref<4x6xf64>) {\n  %z = arith.constant 0.0 : f64\n  affine.for %i = 0 to 4 {\n    affine.for %j = 0 to 6 {\n      affine.store %z, %A[%i, %j] : memref<4x6xf64>\n    }\n  }\n  return\n}\n",
	Statistics: []pass.Statistic{{Name: "collapsed", Doc: "nests that became one loop"}},
	New:        func() pass.Pass { return &Collapse{Depth: 2} },
}

// Check refuses numbers of loops that are none.
func (p *Collapse) Check() error {
	if p.Depth < 2 || p.Depth > mostLoops {
		return fmt.Errorf("depth=%d is not between 2 and %d", p.Depth, mostLoops)
	}
	return nil
}

// Run rewrites the nests of every function.
func (p *Collapse) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return run(ctx, g, &p.Which, "collapsed", "cannot be collapsed", p.find)
}

// find keeps the order of the iterations: dependences matter only where reads between loops sink into the
// innermost.
func (p *Collapse) find(f *function, v ir.Value) (*change, error) {
	n, why := f.nestAt(v, p.Depth)
	if len(n.loops) < p.Depth {
		return nil, why
	}
	err := cmp.Or(n.regular(), n.rectangular(), n.countsAlike())
	if err == nil && len(n.sunk) > 0 {
		var o *order
		if o, err = f.orderOf(len(n.loops), v); err == nil {
			err = n.settled(o)
		}
	}
	if err != nil {
		return nil, err
	}
	return &change{rule: n.collapsed, loops: n.loops, inside: n.insides(), what: fmt.Sprintf("and the %d in it became one", p.Depth-1)}, nil
}

// countsAlike checks that all loops have indices of one type.
func (n *nest) countsAlike() error {
	first := n.g.Type(n.g.Params(n.g.Regions(n.loops[0])[0])[0])
	for _, v := range n.loops[1:] {
		if t := n.g.Type(n.g.Params(n.g.Regions(v)[0])[0]); t != first {
			return fmt.Errorf("counts in %s, and the loop around it in %s", elementwise.Quote(n.g.Ctx, t), elementwise.Quote(n.g.Ctx, first))
		}
	}
	return nil
}

// collapsed makes one loop of the nest.
func (n *nest) collapsed(m *ir.Mirror, old ir.Node) ir.Value {
	var spans []span
	for k := range n.loops {
		spans = append(spans, n.span(m, k))
	}
	if total, ok := product(spans); ok && old.Def() == affinedialect.For {
		return n.collapsedAffine(m, old, spans, total)
	}
	return n.collapsedValues(m, old, spans)
}

// product is the number of iterations of all loops, if that is affine: those of all loops but the first are numbers.
func product(spans []span) (affinedialect.Point, bool) {
	inner := int64(1)
	for _, s := range spans[1:] {
		n, ok := s.trips()
		if !ok || n > 1<<31/inner {
			return affinedialect.Point{}, false
		}
		if inner = ir.Times(inner, n); n == 0 {
			return affinedialect.Number(0), true
		}
	}
	s := spans[0]
	if len(s.lower) > 1 || len(s.upper) > 1 {
		return affinedialect.Point{}, false
	}
	low, ok := affinedialect.Number(s.step-1).Plus(-1, s.lower[0])
	if !ok {
		return low, false
	}
	far, ok := s.upper[0].Plus(1, low)
	if !ok {
		return far, false
	}
	return affinedialect.Number(0).Plus(inner, far.FloorDiv(s.step))
}

// trips is the number of iterations, if the bounds are numbers.
func (s span) trips() (int64, bool) {
	if len(s.lower) != 1 || len(s.upper) != 1 || !s.lower[0].Expr.IsConst() || !s.upper[0].Expr.IsConst() {
		return 0, false
	}
	d := s.upper[0].Expr.N - s.lower[0].Expr.N
	return max(0, (d+s.step-1)/s.step), true
}

// collapsedAffine makes an affine loop, whose index the others are quotients and remainders of.
func (n *nest) collapsedAffine(m *ir.Mirror, old ir.Node, spans []span, total affinedialect.Point) ir.Value {
	all := span{[]affinedialect.Point{affinedialect.Number(0)}, []affinedialect.Point{total}, 1}
	return m.B.Pack(makeLoop(m, old, old.Attrs(), all, inits(m, old), func(at ir.Value, carried []ir.Value) []ir.Value {
		ivs := make([]ir.Value, len(spans))
		inner := int64(1)
		for k := len(spans) - 1; k >= 0; k-- {
			p := affinedialect.Just(at).FloorDiv(inner)
			if k > 0 {
				trips, _ := spans[k].trips()
				p, inner = p.Mod(max(trips, 1)), inner*max(trips, 1)
			}
			p, _ = spans[k].lower[0].Plus(spans[k].step, p)
			ivs[k] = affinedialect.BuildApply(m.B, p)
		}
		return n.iteration(m, ivs, carried)
	}, n.loops[1:]...)...)
}

// collapsedValues makes a loop of scf, of numbers of iterations that are computed.
func (n *nest) collapsedValues(m *ir.Mirror, old ir.Node, spans []span) ir.Value {
	b, t := m.B, indexType(m, old)
	zero, one := b.Const(t, ir.IntVal(0, widthOf(m, t))), b.Const(t, ir.IntVal(1, widthOf(m, t)))
	lowers, trips, total := make([]ir.Value, len(spans)), make([]ir.Value, len(spans)), one
	for k, s := range spans {
		lowers[k] = affinedialect.ComputeGreatest(b, s.lower)
		upper := affinedialect.ComputeLeast(b, s.upper)
		runs := arith.CmpI(b, arith.SLT, lowers[k], upper)
		far := arith.Choose(b, runs, arith.SubI(b, upper, lowers[k]), one)
		trips[k] = arith.Choose(b, runs, tripsOf(m, t, far, s.step), zero)
		total = arith.Size(b, total, trips[k]) // so many end after all that can be waited for
	}
	made := scf.BuildFor(b, zero, total, one, inits(m, old), func(at ir.Value, carried []ir.Value) []ir.Value {
		ivs := make([]ir.Value, len(spans))
		for k := len(spans) - 1; k >= 0; k-- {
			of := at
			if k > 0 {
				of = b.Op(arith.Remui, at, trips[k])
				at = b.Op(arith.Divui, at, trips[k])
			}
			ivs[k] = arith.AddI(b, lowers[k], arith.MulI(b, of, b.Const(t, ir.IntVal(spans[k].step, widthOf(m, t)))))
		}
		return n.iteration(m, ivs, carried)
	})
	for _, v := range n.loops[1:] {
		b.JoinLocs(made, n.g.LocsOf(v))
	}
	return made
}
