package loops

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/passes/pass"
)

// Parallelize makes loops parallel whose iterations are independent.
type Parallelize struct {
	Which
	Reduce     bool `opt:"reduce" doc:"make loops parallel that carry sums and the like whose order is free: they become reductions"`
	Iterations int  `opt:"rounds" doc:"fewest iterations, where their number is known; 0 is as many as the target has cores, and of a loop that carries values 2"`
	Work       int  `opt:"work" doc:"fewest operations of a loop, where their number is known; 0 asks the target"`
}

// ParallelizeInfo is the row of the pass.
var ParallelizeInfo = &pass.Info{
	Name: "parallelize",
	Doc: "Makes scf.parallel of scf.for, and affine.parallel of affine.for, where no iteration writes what another one accesses: the outermost loops of which that holds and whose work is worth it by the target's costs. " +
		"What a loop carries in values has to be combined by an operator whose order is free: of integers, or flagged reassoc. What stands in the way is said, with both accesses.",
	Why: "After loop-interchange, loop-fuse and loop-skew, which bring loops outside whose iterations are independent; before lower-affine, while indices are to be read.",
	Example: `func.func @f(%A: memref<256x512xf64>, %B: memref<512x256xf64> {llvm.noalias}) {
  affine.for %i = 0 to 256 {
    affine.for %j = 0 to 512 {
      %x = affine.load %A[%i, %j] : memref<256x512xf64>
      affine.store %x, %B[%j, %i] : memref<512x256xf64>
    }
  }
  return
}
`,
	Statistics: []pass.Statistic{{Name: "parallel", Doc: "loops that became parallel"}},
	New:        func() pass.Pass { return &Parallelize{Reduce: true} },
}

// Check refuses numbers that are none of iterations or operations.
func (p *Parallelize) Check() error {
	if p.Iterations < 0 || p.Work < 0 {
		return fmt.Errorf("rounds=%d work=%d: neither may be negative", p.Iterations, p.Work)
	}
	return nil
}

// Run rewrites the loops of every function.
func (p *Parallelize) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return run(ctx, g, &p.Which, "parallel", "is not parallel", p.find)
}

// find asks for dependences last, as they take longest to find.
func (p *Parallelize) find(f *function, v ir.Value) (*change, error) {
	n := &nest{function: f, loops: []ir.Value{v}}
	if err := cmp.Or(n.regular(), p.countsInIndex(n), p.alone(n), p.worth(n), p.reduces(n)); err != nil {
		return nil, err
	}
	return &change{rule: n.parallel, loops: n.loops, what: "is parallel"}, n.independent(!p.isNamed())
}

// countsInIndex refuses a loop of scf over integers: a parallel one has no such index.
func (p *Parallelize) countsInIndex(n *nest) error {
	v := n.loops[0]
	if n.g.Def(v) == scf.For && n.g.Type(n.g.Args(v)[0]) != ir.Index {
		return fmt.Errorf("counts in integers, and a parallel loop counts in index")
	}
	return nil
}

// alone refuses loops in those whose iterations the cores share already, unless they are chosen: a core would do all of
// their iterations.
func (p *Parallelize) alone(n *nest) error {
	v := n.loops[0]
	if p.isNamed() {
		return nil
	}
	for r := n.s.Place(v); r != ir.Root; r = n.s.Place(n.g.Owner(r)) {
		if def := n.g.Def(n.g.Owner(r)); def == scf.Parallel || def == scf.Forall || def == affinedialect.Parallel {
			return fmt.Errorf("is in a loop that is parallel: %s", n.at(n.g.Owner(r)))
		}
	}
	return nil
}

// Bounds of nests that nobody has chosen: less shows what can be shown of programs that people write. The
// code of tiles, which poly-codegen shares by what their schedule says, would take seconds.
const (
	mostNested = 5
	mostBends  = 4
	quickWork  = 20_000 // steps of a question of sets
)

// independent checks that no iteration writes what another one accesses; quick does not look at large nests.
func (n *nest) independent(quick bool) error {
	if quick && n.depth(n.loops[0], mostNested) > mostNested {
		return fmt.Errorf("has more than %d loops in one another, and was not chosen", mostNested)
	}
	if quick && n.bends(n.loops[0]) > mostBends {
		return fmt.Errorf("has bounds and conditions with more than %d minima, maxima, divisions and comparisons, and was not chosen", mostBends)
	}
	o, err := n.orderOf(1, n.loops[0])
	if err != nil {
		return err
	}
	if quick {
		if n := len(o.acc.List); n > mostAccesses {
			return fmt.Errorf("accesses memory in %d places, which are more than %d, and was not chosen", n, mostAccesses)
		}
		o.tester.Budget = quickWork
	}
	o.atOnce = true
	return o.each(func(c conflict) error {
		for _, d := range c.Vectors {
			if d.Level() == 0 && d.Len() > 0 {
				if quick && !n.ctx.Reports() {
					return errTurned // nobody is told
				}
				return fmt.Errorf("carries a dependence: %s", o.says(c, d))
			}
		}
		return nil
	})
}

// bends counts the minima, maxima, divisions and comparisons of which the bounds of a loop and of those in it are made, and
// conditions on indices: the sets of iterations have the more pieces, and each of two accesses has all of them.
func (f *function) bends(v ir.Value) int {
	seen, n := map[ir.Value]bool{}, 0
	var look func(v ir.Value)
	look = func(v ir.Value) {
		d := f.g.Def(v)
		if seen[v] || f.g.Ctx.DialectOf(d) != f.g.Ctx.DialectOf(arith.Addi) || n > mostBends {
			return
		}
		seen[v] = true
		if d == arith.Cmpi && f.g.Type(f.g.Args(v)[0]) != ir.Index {
			return // of data
		}
		switch d {
		case arith.Cmpi, arith.Minsi, arith.Maxsi, arith.Minui, arith.Maxui, arith.Divsi, arith.Divui, arith.Floordivsi, arith.Ceildivsi, arith.Remsi, arith.Remui, arith.Select:
			n++
		}
		for _, a := range f.g.Args(v) {
			look(a)
		}
	}
	var walk func(v ir.Value)
	walk = func(v ir.Value) {
		switch f.g.Def(v) {
		case scf.For:
			look(f.g.Args(v)[0])
			look(f.g.Args(v)[1])
		case scf.If:
			look(f.g.Args(v)[0])
		}
		for _, r := range f.g.Regions(v) {
			for _, op := range f.s.Body(r) {
				walk(op)
			}
		}
	}
	walk(v)
	return n
}

// worth refuses loops that are too short, or do too little where that is known, to be shared by cores.
func (p *Parallelize) worth(n *nest) error {
	v, target := n.loops[0], n.ctx.Target()
	if p.isNamed() {
		return nil
	}
	least := uint64(cmp.Or(p.Iterations, target.Cores))
	if l, ok := ir.As[ir.LoopLike](n.g.NodeOf(v)); ok && len(l.Carried) > 0 && p.Iterations == 0 {
		least = 2 // so that the order in which values are combined depends on no number of cores
	}
	if trips, known := n.trips(v); known && trips < least {
		return fmt.Errorf("has %d iterations, and fewer than %d are not worth it", trips, least)
	}
	fewest := cmp.Or(p.Work, target.Costs.MinParallel)
	if work := n.workOf(v, manyTrips); work < float64(fewest) {
		return fmt.Errorf("does some %.0f operations, and less than %d are not worth it", work, fewest)
	}
	if all := n.least(v, float64(fewest)); all > mostOperations {
		return fmt.Errorf("is in so many loops that, where it does %d operations, all do %.1g, and a program that takes so long is not waited for", fewest, all)
	}
	return nil
}

// mostOperations are those of a program that takes an hour.
const mostOperations = 1 << 42

// least is how many operations the loops around a loop do at least where that one does some: those loops whose numbers of iterations are
// not known are taken to have all as many.
func (f *function) least(v ir.Value, some float64) float64 {
	trips := 1.0
	// trips becomes the least power of two with which this loop alone does so many operations.
	for trips < manyTrips && f.workOf(v, trips) < some {
		trips *= 2
	}
	all := f.workOf(v, trips)
	for r := f.s.Place(v); r != ir.Root; r = f.s.Place(f.g.Owner(r)) {
		if n, known := f.trips(f.g.Owner(r)); known {
			all *= max(1, float64(n))
		} else if _, ok := ir.As[ir.LoopLike](f.g.NodeOf(f.g.Owner(r))); ok {
			all *= trips
		}
	}
	return all
}

// trips is the number of iterations of a loop, if it is known.
func (f *function) trips(v ir.Value) (n uint64, known bool) {
	l, ok := ir.As[ir.LoopLike](f.g.NodeOf(v))
	if !ok || len(l.Step) != 1 {
		return 0, false
	}
	return affine.Of(f.g).Trips(l, 0)
}

// manyTrips stands for a number of iterations that is not known: a parallel loop looks when it runs whether there is enough
// to do.
const manyTrips = 1 << 30

// workOf counts the operations of a loop, in which loops have so many iterations if it is not known how many.
func (f *function) workOf(v ir.Value, unknown float64) float64 {
	trips := unknown
	if n, known := f.trips(v); known {
		trips = float64(n)
	}
	sum := 0.0
	for _, r := range f.g.Regions(v) {
		for _, op := range f.s.Body(r) {
			if _, ok := ir.As[ir.LoopLike](f.g.NodeOf(op)); ok {
				sum += f.workOf(op, unknown)
			} else if !f.g.Def(op).Has(ir.Terminator) && !f.g.Def(op).Has(ir.ConstantLike) {
				sum += 1 + f.workIn(op, unknown)
			}
		}
	}
	return trips * sum
}

// workIn counts the operations in the regions of an op that is no loop.
func (f *function) workIn(v ir.Value, unknown float64) (sum float64) {
	for _, r := range f.g.Regions(v) {
		for _, op := range f.s.Body(r) {
			if _, ok := ir.As[ir.LoopLike](f.g.NodeOf(op)); ok {
				sum += f.workOf(op, unknown)
			} else {
				sum += 1 + f.workIn(op, unknown)
			}
		}
	}
	return sum
}

// reduces checks that what the loop carries is a reduction.
func (p *Parallelize) reduces(n *nest) error {
	v := n.loops[0]
	l, _ := ir.As[ir.LoopLike](n.g.NodeOf(v))
	ys := n.g.Yields(l.Body)
	if len(ys) > 0 && !p.Reduce {
		return fmt.Errorf("carries a value from each iteration to the next, and reduce is off: %s", n.at(v))
	}
	for k := range ys {
		y, err := n.combines(v, k, false)
		if err != nil {
			return err
		}
		if t := n.g.Type(y); n.isCarried(y) || n.identity(y) == nil || n.g.Def(v) == affinedialect.For && !affinedialect.Reduces(n.g.Ctx, n.g.Def(y), t) {
			return fmt.Errorf("carries a value of a type, or by an operator, that is not reduced: %s", n.carried(y))
		}
	}
	return nil
}

// combines is the op that combines what a loop carries in place k with something, in a way whose order is free: in its
// body, or in that of a loop in it that carries it on. It may be a difference if subtracts holds.
func (f *function) combines(loop ir.Value, k int, subtracts bool) (ir.Value, error) {
	l, _ := ir.As[ir.LoopLike](f.g.NodeOf(loop))
	param, yield := l.Carried[k], f.g.Yields(l.Body)[k]
	inner, i, ok := f.g.Projection(yield)
	if !ok {
		inner, i = yield, 0
	}
	if isFor(f.g.Def(inner)) && f.isIn(inner, l.Body) && f.g.NodeOf(param).NumUses() == 1 {
		if in, _ := ir.As[ir.LoopLike](f.g.NodeOf(inner)); i < len(in.Inits) && in.Inits[i] == param && f.usedOnce(inner, i) {
			return f.combines(inner, i, subtracts)
		}
	}
	return f.accumulates(loop, k, subtracts)
}

// usedOnce reports that result i of an op has one use.
func (f *function) usedOnce(v ir.Value, i int) bool {
	n := 0
	for _, u := range f.g.NodeOf(v).Users() {
		for _, a := range f.g.Args(u.Old()) {
			if from, j, ok := f.g.Projection(a); a == v || ok && from == v && j == i {
				n++
			}
		}
	}
	return n == 1
}

// isCarried reports a parameter of a region.
func (f *function) isCarried(v ir.Value) bool {
	_, _, ok := f.g.Param(v)
	return ok
}

// identity is x such that x combined with y by an op is y, to the bit; nil if there is none that is known.
func (f *function) identity(v ir.Value) *ir.Val {
	c, op, t := f.g.Ctx, f.g.Def(v), f.g.Type(v)
	of := func(v ir.Val) *ir.Val { return &v }
	if c.IsFloat(t) {
		if x, ok := identityOfFloats(op, arith.FastMathOf(c, f.g.AttrsOf(v))); ok {
			return of(ir.FloatVal(x, t))
		}
		return nil
	}
	if !c.IsInt(t) {
		return nil
	}
	w := 64
	if t != ir.Index {
		w = c.Info(t).Width
	}
	if w > 64 {
		return nil
	}
	// The arithmetic shift gives the least number of w bits.
	least := int64(math.MinInt64) >> (64 - w)
	for n, ops := range map[int64][]*ir.OpDef{0: {arith.Addi, arith.Ori, arith.Xori, arith.Maxui}, 1: {arith.Muli}, -1: {arith.Andi, arith.Minui},
		least: {arith.Maxsi}, ^least: {arith.Minsi}} {
		if slices.Contains(ops, op) {
			return of(ir.IntVal(n, w))
		}
	}
	return nil
}

// identityOfFloats keeps to what flags promise: no NaN, no infinity. Of a difference it is that from which something is taken.
func identityOfFloats(op *ir.OpDef, flags arith.FastMath) (x float64, ok bool) {
	switch op {
	case arith.Addf, arith.Subf:
		// -0 + x is x for every x; +0 + -0 would be +0.
		return math.Copysign(0, -1), true
	case arith.Mulf:
		return 1, true
	case arith.Maximumf, arith.Maxnumf:
		x = math.Inf(-1)
	case arith.Minimumf, arith.Minnumf:
		x = math.Inf(1)
	default:
		return 0, false
	}
	// maxnum and minnum give the other operand where one is NaN.
	if flags&arith.NNan == 0 && (op == arith.Maxnumf || op == arith.Minnumf) {
		return math.NaN(), true
	}
	return x, flags&arith.NInf == 0
}

// parallel makes the loop as a parallel one.
func (n *nest) parallel(m *ir.Mirror, old ir.Node) ir.Value {
	s := n.span(m, 0)
	l, _ := ir.As[ir.LoopLike](old)
	b, ys := m.B, n.g.Yields(l.Body)
	attr := ir.Attr(0)
	if a := n.g.Ctx.Get(old.Attrs(), Label); a != 0 {
		attr = b.Ctx().With(attr, Label, a)
	}
	// What is carried begins as nothing: an iteration gives what it adds.
	var none []ir.Value
	by, flags := make([]*ir.OpDef, len(ys)), make([]ir.Attr, len(ys))
	for k := range ys {
		y, _ := n.combines(n.loops[0], k, false)
		by[k], flags[k] = n.g.Def(y), n.g.AttrsOf(y)
		t := m.Type(n.g.Type(y))
		none = append(none, b.Const(t, *n.identity(y)))
	}
	combine := func(k int, x, y ir.Value) ir.Value {
		return b.Must(ir.Call{Def: by[k], Args: []ir.Value{x, y}, Attr: flags[k]})
	}
	first := inits(m, old)
	if old.Def() == affinedialect.For {
		args, attr := affinedialect.ParallelOf(b, attr, s.lower, s.upper, s.step, by)
		r := n.parallelBody(m, old, affinedialect.Parallel, attr, args, none, func(ys []ir.Value) { b.Op(affinedialect.Yield, ys...) })
		out := b.Results(b.Must(ir.Call{Def: affinedialect.Parallel, Args: args, Attr: attr, Regions: []ir.Region{r}, Type: m.Type(old.Type())}))
		for k := range out {
			out[k] = combine(k, first[k], out[k])
		}
		return b.Pack(out...)
	}
	args := append([]ir.Value{affinedialect.ComputeGreatest(b, s.lower), affinedialect.ComputeLeast(b, s.upper), b.Index(s.step)}, first...)
	attr = b.Ctx().With(attr, "operandSegmentSizes", b.Ctx().DenseArray(ir.I32, 1, 1, 1, int64(len(first))))
	r := n.parallelBody(m, old, scf.Parallel, attr, args, none, func(ys []ir.Value) {
		var rs []ir.Region
		for k, y := range ys {
			t := b.Graph().Type(y)
			rs = append(rs, b.Region(ir.Loop, []ir.Type{t, t}, func(p []ir.Value) { b.Op(scf.ReduceReturn, combine(k, p[0], p[1])) }))
		}
		b.Must(ir.Call{Def: scf.Reduce, Args: ys, Regions: rs})
	})
	return b.Pack(b.Results(b.Must(ir.Call{Def: scf.Parallel, Args: args, Attr: attr, Regions: []ir.Region{r}}))...)
}

// parallelBody makes the body of a parallel loop, which end ends.
func (n *nest) parallelBody(m *ir.Mirror, old ir.Node, def *ir.OpDef, attr ir.Attr, args, none []ir.Value, end func(ys []ir.Value)) ir.Region {
	b, at := m.B, m.B.Loc
	fill := func(params []ir.Value) {
		b.Enter(def, attr, args, 0, params[:1])
		ys := n.iteration(m, params[:1], none)
		b.Loc = at
		end(ys)
	}
	if len(none) == 0 {
		return m.RegionWith(old.Region(0), ir.Loop, nil, fill)
	}
	return b.Region(ir.Loop, []ir.Type{ir.Index}, fill)
}

// A Parallelism says of the loops of a graph which are parallel, without a look at whether it is worth it.
type Parallelism struct{ f *function }

// NewParallelism looks at the loops of a schedule.
func NewParallelism(ctx *pass.Context, s *ir.Schedule) *Parallelism {
	return &Parallelism{&function{ctx: ctx, g: s.Graph(), s: s, which: &Which{}, changes: map[ir.Value]*change{}, found: map[string]bool{}}}
}

// Independent is nil if the iterations of a loop may run in any order, or at once: no iteration writes what another one
// accesses, and what they carry in values is a reduction whose order is free. Else it says what stands in the way.
func (j *Parallelism) Independent(loop ir.Value) error {
	if !isFor(j.f.g.Def(loop)) {
		return fmt.Errorf("is no loop that counts up by a step")
	}
	n := &nest{function: j.f, loops: []ir.Value{loop}}
	return cmp.Or(n.regular(), (&Parallelize{Reduce: true}).reduces(n), n.independent(false))
}
