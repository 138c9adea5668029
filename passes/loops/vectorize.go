package loops

import (
	"cmp"
	"errors"
	"fmt"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/target/tuning"
	"github.com/irc-lang/irc/passes/loops/lanes"
	"github.com/irc-lang/irc/passes/pass"
)

// Vectorize does several iterations of a loop at once, in vectors.
type Vectorize struct {
	Which
	Width  int    `opt:"width" doc:"iterations that are done at once; 0 asks the target, and leaves loops that hardly gain to LLVM"`
	Outer  bool   `opt:"outer" doc:"take the outermost loops that may become vectors, not those that gain the most"`
	Beyond bool   `opt:"beyond-llvm" doc:"leave to LLVM the loops of which it makes vectors as well: those without loops in them that carry no running sum and no count of what they store, short sums of arithmetic aside"`
	Rest   string `opt:"rest" doc:"how the iterations are done that are left over: loop, one by one; mask, at once in some lanes; empty asks the target"`
}

// VectorizeInfo is the row of the pass.
var VectorizeInfo = &pass.Info{
	Name: "vectorize",
	Doc: "Does several iterations of a loop at once, one in each lane of vectors of the dialect vector; those that are left over one by one. Conditionals become masks, inner loops stay and carry vectors, and a while loop runs as long as a lane does. " +
		"What a loop carries in values has to be combined by an operator whose order is free, or be less something, of floats that may be added in any order. Or it counts what is stored one behind the other. Of two accesses to one element the first has to stay the first when all lanes go from op to op.",
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
	Pipeline:   "vectorize{width=8 rest=loop}",
	Statistics: []pass.Statistic{{Name: "vectorized", Doc: "loops that became loops over vectors"}},
	New:        func() pass.Pass { return &Vectorize{} },
}

// Check refuses widths that are none.
func (p *Vectorize) Check() error {
	if p.Rest != "" && p.Rest != "loop" && p.Rest != "mask" {
		return fmt.Errorf("rest=%s is neither loop nor mask", p.Rest)
	}
	if p.Width < 0 || p.Width == 1 || p.Width > tuning.MostLanes {
		return fmt.Errorf("width=%d is not between 2 and %d", p.Width, tuning.MostLanes)
	}
	return nil
}

// Run rewrites the loops of every function.
func (p *Vectorize) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return runOn(ctx, g, &p.Which, "vectorized", isRow, p.find)
}

// isRow reports a loop over one index: one that counts up by a step, or a parallel one that reduces nothing.
func isRow(g *ir.Graph, v ir.Value) bool {
	if g.Def(v) != scf.Parallel {
		return isFor(g.Def(v))
	}
	l, _ := ir.As[ir.LoopLike](g.NodeOf(v))
	return len(l.Indices) == 1 && len(l.Inits) == 0
}

// find leaves a loop as it is if one in it costs less in vectors: one loop of a nest becomes vectors.
func (p *Vectorize) find(f *function, v ir.Value) (*change, error) {
	x, err := p.plan(f, v)
	if !p.isNamed() && !p.Outer {
		if in := p.inside(f, f.body(v)); in != nil && (err != nil || in.cost.Share() <= x.cost.Share()) {
			return nil, fmt.Errorf("does not become vectors: %s in it does", f.at(in.loops[0]))
		}
	}
	if err == nil && !p.isNamed() {
		err = p.worth(x)
	}
	if err == nil && p.Beyond {
		err = x.beyondLLVM()
	}
	if err != nil {
		return nil, fmt.Errorf("does not become vectors: it %w", err)
	}
	return &change{rule: x.rule, loops: x.loops, what: fmt.Sprintf("does %d iterations at once", x.width)}, nil
}

// inside is the loop in a region that is best made of vectors, or nil.
func (p *Vectorize) inside(f *function, r ir.Region) (best *vectorized) {
	for _, v := range f.s.Body(r) {
		if isRow(f.g, v) {
			if x, err := p.plan(f, v); err == nil && p.worth(x) == nil && (best == nil || x.cost.Share() < best.cost.Share()) {
				best = x
			}
		}
		for _, in := range f.g.Regions(v) {
			if x := p.inside(f, in); x != nil && (best == nil || x.cost.Share() <= best.cost.Share()) {
				best = x
			}
		}
	}
	return best
}

// worth refuses loops that LLVM has as well, or that are too short.
func (p *Vectorize) worth(x *vectorized) error {
	v := x.loops[0]
	if p.Width > 0 {
		return nil
	}
	if n, known := x.trips(v); known && n < uint64(x.width) {
		return fmt.Errorf("has %d iterations, and %d are done at once: it is left to LLVM", n, x.width)
	}
	if !x.cost.Pays() {
		return fmt.Errorf("costs %.0f%% of what it does as it is, lanes being far apart: it is left to LLVM", 100*x.cost.Share())
	}
	return nil
}

// mostOfAround is what a loop around others may cost in vectors, of what it costs as it is, if LLVM may have made vectors of those: rows whose
// lanes are gathered cost more, and LLVM does their inner loops at once.
const mostOfAround = 0.3

// beyondLLVM refuses loops of which LLVM makes vectors as well: its vectorizer looks at innermost loops, and carries sums that
// nothing uses before the end; short ones are straight-line code by then.
func (x *vectorized) beyondLLVM() error {
	switch {
	case x.short(x.ctx.Target()) > 0:
	case x.lanes.Follows():
	case !x.lanes.IsAround():
		return fmt.Errorf("has neither a loop in it nor a running sum or a count of what it stores: it is left to LLVM")
	case x.cost.Share() > mostOfAround:
		return fmt.Errorf("costs %.0f%% of what it does as it is, lanes being far apart: it is left to LLVM, which may do the loops in it at once", 100*x.cost.Share())
	}
	return nil
}

const (
	// mostShort is the most iterations of a sum that is short: LLVM makes straight-line code of those, and vectors of that from the ends of sums
	// on, which it takes apart: lanes of one vector then come from several loops, and single numbers are left over.
	mostShort = 16
	// shortBytes is the length of vectors for them.
	shortBytes = 32
)

// short is how many iterations are done at once of a short sum of arithmetic alone, in no loop; 0 of others.
func (x *vectorized) short(t *target.Target) int64 {
	v := x.loops[0]
	n, known := x.trips(v)
	lanes := max(2, int64(x.cost.Lanes)*min(shortBytes, int64(t.Vector))/max(1, int64(t.Vector)))
	if !known || n > mostShort || n < uint64(lanes) || len(x.lanes.Carries) == 0 || x.s.Place(v) != ir.Root || !x.lanes.IsStraight() {
		return 0
	}
	return lanes
}

// A vectorized loop is one of which several iterations are done at once.
type vectorized struct {
	*nest
	lanes *lanes.Loop
	width int64
	cost  lanes.Cost
	masks bool // what is left over is done in some lanes
}

// leastMasked is the length of vectors, in bytes, of machines whose accesses take masks of all kinds of lanes.
const leastMasked = 64

// plan asks whether a loop may become vectors, and of how many lanes.
func (p *Vectorize) plan(f *function, v ir.Value) (*vectorized, error) {
	x := &vectorized{nest: &nest{function: f, loops: []ir.Value{v}}}
	step, err := f.stepOf(v)
	if err != nil {
		return nil, err
	}
	carries, err := x.carries()
	if err != nil {
		return nil, err
	}
	x.lanes, err = lanes.Read(f.s, v, step, carries)
	if no := (*lanes.Error)(nil); errors.As(err, &no) {
		err = fmt.Errorf("has %s in it, which %s", f.at(no.At), no.Why)
	}
	if err != nil {
		return nil, err
	}
	x.cost = x.lanes.Cost(f.ctx.Target())
	x.width = int64(cmp.Or(p.Width, x.cost.Width()))
	x.masks = x.lanes.CanMask() && (p.Rest == "mask" || p.Rest == "" && f.ctx.Target().Vector >= leastMasked)
	if n := x.short(f.ctx.Target()); p.Beyond && p.Width == 0 && n > 0 {
		x.width, x.masks = n, false
	}
	// A loop of few iterations gets fewer vectors at once, down to one.
	for n, known := x.trips(v); p.Width == 0 && known && x.width > int64(x.cost.Lanes) && n < uint64(x.width); {
		x.width /= 2
	}
	return x, x.inLanes(step)
}

// carries says what the loop carries: a sum, one that iterations use, or a count of what they store.
func (x *vectorized) carries() (out []lanes.Carried, err error) {
	v := x.loops[0]
	l, _ := ir.As[ir.LoopLike](x.g.NodeOf(v))
	for k := range x.g.Yields(l.Body) {
		y, no := x.combines(v, k, true)
		if no == nil && (x.isCarried(y) || x.identity(y) == nil) {
			no = fmt.Errorf("carries a value of a type, or by an operator, that is not reduced: %s", x.carried(y))
		}
		if no == nil {
			out = append(out, lanes.Sum(x.g, y, *x.identity(y)))
		} else if c, ok := lanes.Counting(x.s, v, k); ok {
			out = append(out, c)
		} else if c, ok := lanes.Running(x.s, v, k, x.identity); ok {
			if err := x.anyOrder(v, x.g.Yields(l.Body)[k]); err != nil {
				return nil, err
			}
			out = append(out, c)
		} else {
			return nil, no
		}
	}
	return out, nil
}

// inLanes checks that of two accesses to one element, in iterations that are done at once, the one that was first is
// when all lanes go from op to op: it stands before the other, or is the same one, which goes through the lanes in order.
func (x *vectorized) inLanes(step int64) error {
	if x.g.Def(x.loops[0]) == scf.Parallel {
		return nil // no iteration accesses what another one writes
	}
	o, err := x.orderOf(usualLoops, x.loops[0])
	if err != nil {
		return err
	}
	// Updates of one element conflict as well: lanes read and write it at once.
	o.atOnce = true
	return o.each(func(c conflict) error {
		// Iterations a whole vector apart are never done at once.
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
	s := x.span(m, 0)
	before, after := s.inGroups(m, old, x.width)
	first := inits(m, old)
	b := m.B
	var start []ir.Value
	for k, v := range first {
		start = append(start, x.lanes.First(b, k, x.width, v))
	}
	sums := x.overVectors(m, old, before, start)
	exact := s.divides(x.width)
	if !exact && x.masks {
		sums = x.rest(m, old, after, sums)
	}
	// Lanes come to one number before iterations are done one by one, and after those with a mask.
	for k, v := range sums {
		first[k] = x.lanes.Last(b, k, v, first[k])
	}
	if exact || x.masks {
		return b.Pack(first...)
	}
	return b.Pack(makeLoop(m, old, b.Ctx().WithDiscardable(old.Attrs(), Label, 0), after, first, func(iv ir.Value, carried []ir.Value) []ir.Value {
		return x.iteration(m, []ir.Value{iv}, carried)
	})...)
}

// rest does what is left over at once, if there is something.
func (x *vectorized) rest(m *ir.Mirror, old ir.Node, s span, carried []ir.Value) []ir.Value {
	b, t := m.B, indexType(m, old)
	lower, upper := affinedialect.ComputeGreatest(b, s.lower), affinedialect.ComputeLeast(b, s.upper)
	some := arith.CmpI(b, arith.SLT, lower, upper)
	return b.Results(scf.BuildIf(b, some, func() []ir.Value {
		n := tripsOf(m, t, arith.SubI(b, upper, lower), s.step)
		if t != ir.Index {
			n = arith.Cast(b, arith.IndexCast, n, ir.Index)
		}
		mask := b.Must(ir.Call{Def: vector.CreateMask, Args: []ir.Value{n}, Type: b.Ctx().Vector([]int64{x.width}, ir.I1)})
		return x.lanes.Fill(m, x.width, mask, lower, carried)
	}, func() []ir.Value { return carried }))
}

// overVectors makes the loop that carries vectors.
func (x *vectorized) overVectors(m *ir.Mirror, old ir.Node, s span, first []ir.Value) []ir.Value {
	return makeLoop(m, old, old.Attrs(), s, first, func(iv ir.Value, carried []ir.Value) []ir.Value {
		return x.lanes.Fill(m, x.width, 0, iv, carried)
	})
}
