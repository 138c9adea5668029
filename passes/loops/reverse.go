package loops

import (
	"cmp"
	"fmt"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// Reverse runs a loop from the last iteration to the first.
type Reverse struct{ Which }

// ReverseInfo is the row of the pass.
var ReverseInfo = &pass.Info{
	Name:       "loop-reverse",
	Doc:        "Runs a loop from its last iteration to its first, if it carries no dependence.",
	Why:        "Before loop-fuse and loop-interchange, for which the order of a loop may be the wrong one.",
	Example:    "func.func @f(%A: memref<10xf64>) {\n  affine.for %i = 0 to 9 {\n    %x = affine.load %A[%i] : memref<10xf64>\n    %y = arith.addf %x, %x : f64\n    affine.store %y, %A[%i] : memref<10xf64>\n  }\n  return\n}\n",
	Statistics: []pass.Statistic{{Name: "reversed", Doc: "loops that run the other way"}},
	New:        func() pass.Pass { return &Reverse{} },
}

// Run rewrites the loops of every function.
func (p *Reverse) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return run(ctx, g, &p.Which, "reversed", "cannot be reversed", p.find)
}

// find needs sums of a free order, and no dependence that the loop carries: within an iteration the order
// stays.
func (p *Reverse) find(f *function, v ir.Value) (*change, error) {
	n := &nest{function: f, loops: []ir.Value{v}}
	if err := cmp.Or(n.regular(), n.free()); err != nil {
		return nil, err
	}
	o, err := f.orderOf(1, v)
	if err == nil {
		err = o.each(func(c conflict) error {
			for _, d := range c.Vectors {
				if d.Level() == 0 && d.Len() > 0 {
					return fmt.Errorf("carries a dependence: %s", o.says(c, d))
				}
			}
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	return &change{rule: n.reversed, loops: n.loops, inside: n.insides(), what: "runs from its last iteration to its first"}, nil
}

// reversed makes the loop with the same indices, each of which stands for the one that is as far from the
// last as it is from the first.
func (n *nest) reversed(m *ir.Mirror, old ir.Node) ir.Value {
	s := n.span(m, 0)
	lower, upper := s.lower[0], s.upper[0]
	if len(s.lower) > 1 {
		lower = affinedialect.Just(affinedialect.ComputeGreatest(m.B, s.lower))
	}
	if len(s.upper) > 1 {
		upper = affinedialect.Just(affinedialect.ComputeLeast(m.B, s.upper))
	}
	return m.B.Pack(makeLoop(m, old, old.Attrs(), s, inits(m, old), func(iv ir.Value, carried []ir.Value) []ir.Value {
		return n.iteration(m, []ir.Value{s.opposite(m, old, lower, upper, iv)}, carried)
	})...)
}

// opposite is lower + last - iv, where last is the index of the last iteration; of 64 bits, sums may wrap and come
// back.
func (s span) opposite(m *ir.Mirror, like ir.Node, lower, upper affinedialect.Point, iv ir.Value) ir.Value {
	if like.Def() == affinedialect.For {
		if p, ok := mirrorImage(lower, upper, s.step, iv); ok {
			return affinedialect.BuildApply(m.B, p)
		}
	}
	b := m.B
	l, u := affinedialect.Compute(b, lower), affinedialect.Compute(b, upper)
	t := b.Graph().Type(iv)
	num := func(k int64) ir.Value { return b.Const(t, ir.IntVal(k, widthOf(m, t))) }
	// The body runs only if there is an iteration, so that upper - lower - 1 is a number without a sign.
	rounds := b.Op(arith.Divui, arith.SubI(b, arith.SubI(b, u, l), num(1)), num(s.step)) // the loop runs
	last := arith.AddI(b, l, arith.MulI(b, rounds, num(s.step)))
	return arith.SubI(b, arith.AddI(b, l, last), iv)
}

// mirrorImage is opposite as an affine expression: 2 lower + floor((upper - lower - 1) / step) step - iv. It
// is false where that has no affine form.
func mirrorImage(lower, upper affinedialect.Point, step int64, iv ir.Value) (affinedialect.Point, bool) {
	far, ok := upper.Plus(-1, lower)
	if ok {
		far, ok = far.Plus(-1, affinedialect.Number(1))
	}
	if !ok {
		return far, false
	}
	last, ok := lower.Plus(step, far.FloorDiv(step))
	if ok {
		last, ok = last.Plus(1, lower)
	}
	if ok {
		last, ok = last.Plus(-1, affinedialect.Just(iv))
	}
	return last, ok
}
