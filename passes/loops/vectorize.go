package loops

import (
	"cmp"
	"errors"
	"fmt"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/loops/lanes"
	"github.com/irc-lang/irc/passes/pass"
)

// Vectorize does several iterations of a loop at once, in vectors.
type Vectorize struct {
	Which
	Width int `opt:"width" doc:"iterations that are done at once; 0 asks the target"`
}

// VectorizeInfo is the row of the pass.
var VectorizeInfo = &pass.Info{
	Name: "vectorize",
	Doc: "Does several iterations of a loop at once, one in each lane of vectors of the dialect vector; those that are left over one by one. Conditionals become masks, inner loops stay and carry vectors, and a while loop runs as long as a lane does. " +
		"What a loop carries in values has to be combined by an operator whose order is free. Of two accesses to one element the first has to stay the first when all lanes go from op to op.",
	Why: "After loop-interchange and loop-distribute, which bring loops inside that have independent iterations; before lower-affine, while indices are to be read.",
	Example: `func.func @f(%n: index, %a: f64, %x: memref<?xf64>, %y: memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %p = affine.load %x[%i] : memref<?xf64>
    %q = affine.load %y[%i] : memref<?xf64>
    %s = arith.mulf %a, %p : f64
    %t = arith.addf %s, %q : f64
    affine.store %t, %y[%i] : memref<?xf64>
  }
  return
}
`,
	Pipeline:   "vectorize{width=8}",
	Aliases:    []string{"affine-super-vectorize"},
	Statistics: []pass.Statistic{{Name: "vectorized", Doc: "loops that became loops over vectors"}},
	New:        func() pass.Pass { return &Vectorize{} },
}

// maxLanes bounds the iterations that are done at once.
const maxLanes = 256

// Check refuses widths that are none.
func (p *Vectorize) Check() error {
	if p.Width < 0 || p.Width == 1 || p.Width > maxLanes {
		return fmt.Errorf("width=%d is not between 2 and %d", p.Width, maxLanes)
	}
	return nil
}

// Run rewrites the loops of every function.
func (p *Vectorize) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return run(ctx, g, &p.Which, "vectorized", p.find)
}

func (p *Vectorize) find(f *function, v ir.Value) (*change, error) {
	x, err := p.plan(f, v)
	if err != nil {
		return nil, fmt.Errorf("does not become vectors: it %w", err)
	}
	return &change{rule: x.rule, loops: x.loops, what: fmt.Sprintf("does %d iterations at once", x.width)}, nil
}

// A vectorized loop is one of which several iterations are done at once.
type vectorized struct {
	*nest
	lanes *lanes.Loop
	width int64
	by    []ir.Value // the ops that combine what it carries
}

// plan asks whether a loop may become vectors, and of how many lanes.
func (p *Vectorize) plan(f *function, v ir.Value) (*vectorized, error) {
	x := &vectorized{nest: &nest{function: f, loops: []ir.Value{v}}}
	step, err := f.stepOf(v)
	if err == nil {
		x.lanes, err = lanes.Read(f.s, v, step)
		if no := (*lanes.Error)(nil); errors.As(err, &no) {
			err = refuse(no.At, "has %s in it, which %s", f.at(no.At), no.Why)
		}
	}
	if err = cmp.Or(err, x.carries()); err != nil {
		return nil, err
	}
	x.width = int64(cmp.Or(p.Width, x.lanes.Width(f.ctx.Target())))
	return x, x.inLanes(step)
}

// carries checks that what the loop carries is a reduction.
func (x *vectorized) carries() error {
	v := x.loops[0]
	l, _ := ir.As[ir.LoopLike](x.g.NodeOf(v))
	for k := range x.g.Yields(l.Body) {
		y, err := x.combines(v, k)
		if err != nil {
			return err
		}
		if t := x.g.Type(y); x.isCarried(y) || identityOf(x.g.Ctx, x.g.Def(y), t) == nil {
			return refuse(v, "carries a value of a type, or by an operator, that is not reduced: %s", x.carried(y))
		}
		x.by = append(x.by, y)
	}
	return nil
}

// inLanes checks that of two accesses to one element, in iterations that are done at once, the one that was first is
// when all lanes go from op to op: it stands before the other, or is the same one, which goes through the lanes in order.
func (x *vectorized) inLanes(step int64) error {
	o, err := x.orderOf(usualLoops, x.loops[0])
	if err != nil {
		return err
	}
	o.atOnce = true
	return o.each(func(c conflict) error {
		if len(c.Distances) > 0 && c.Distances[0].IsConst() && c.Distances[0].Const >= step*x.width {
			return nil
		}
		for _, d := range c.Vectors {
			if d.Len() > 0 && d.At(0) == depend.Positive && !o.inLockstep(c, d) {
				return fmt.Errorf("has a dependence that lanes would turn around: %s", o.says(c, d))
			}
		}
		return nil
	})
}

// inLockstep says of a conflict between iterations of the outermost loop whether it stays in order when all of them go through
// the loops in it together, and from op to op.
func (o *order) inLockstep(c conflict, v depend.Vector) bool {
	for l := 1; l < v.Len(); l++ {
		if v.At(l) == depend.Positive {
			return true
		}
		if v.At(l)&depend.Negative != 0 {
			return false
		}
	}
	if l := v.Len(); l == o.deep && l < min(len(c.from.Loops), len(c.to.Loops)) && c.from.Loops[l] == c.to.Loops[l] {
		return false // of further loops it is not known
	}
	return c.from.Time <= c.to.Time
}

// rule makes a loop over vectors, and one of what is left over.
func (x *vectorized) rule(m *ir.Mirror, old ir.Node) ir.Value {
	parts := cut{
		within: true,
		affine: func(lower, upper affinedialect.Point, step int64) (affinedialect.Point, bool) {
			return roundsOf(lower, upper, step*x.width, step-1, step*x.width, 0)
		},
		first: func(m *ir.Mirror, t ir.Type, trips, _ ir.Value) ir.Value {
			n := m.B.Const(t, ir.IntVal(x.width, widthOf(m, t)))
			return arith.MulI(m.B, m.B.Op(arith.Divui, trips, n), n)
		},
	}
	s := x.span(m, 0)
	before, after := parts.spans(m, old, s)
	before.step *= x.width
	first := inits(m, old)
	b := m.B
	var none []ir.Value
	for _, y := range x.by {
		none = append(none, vector.BuildBroadcast(b, b.Const(m.Type(x.g.Type(y)), *identityOf(x.g.Ctx, x.g.Def(y), x.g.Type(y))), x.width))
	}
	sums := x.overVectors(m, old, before, none)
	for k, y := range x.by {
		first[k] = vector.BuildReduction(b, vector.KindFor(x.g.Def(y)), arith.FastMathOf(x.g.Ctx, x.g.AttrsOf(y)), sums[k], first[k])
	}
	if s.divides(x.width) {
		return b.Pack(first...)
	}
	return b.Pack(makeLoop(m, old, b.Ctx().WithDiscardable(old.Attrs(), Label, 0), after, first, func(iv ir.Value, carried []ir.Value) []ir.Value {
		return x.iteration(m, []ir.Value{iv}, carried)
	})...)
}

// overVectors makes the loop that carries vectors.
func (x *vectorized) overVectors(m *ir.Mirror, old ir.Node, s span, first []ir.Value) []ir.Value {
	return makeLoop(m, old, old.Attrs(), s, first, func(iv ir.Value, carried []ir.Value) []ir.Value {
		return x.lanes.Fill(m, x.width, 0, iv, carried)
	})
}
