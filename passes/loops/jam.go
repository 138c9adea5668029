package loops

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/loops/lanes"
	"github.com/irc-lang/irc/passes/pass"
)

// UnrollJam runs several iterations of a loop in one of the loops in it.
type UnrollJam struct {
	Which
	Factor int `opt:"factor" doc:"iterations that are done together"`
}

// UnrollJamInfo is the row of the pass.
var UnrollJamInfo = &pass.Info{
	Name: "unroll-and-jam",
	Doc: "Does several iterations of a loop at once: the loops in it run once for all of them, and do in each iteration what each of them does. What is left over runs in a second loop. " +
		"No dependence may lead from an iteration to one that is done with it, earlier in the loops in it (Callahan, Carr and Kennedy, \"Improving register allocation for subscripted variables\", 1990).",
	Why: "After loop-interchange and loop-tile; before sharing of what the iterations have in common, which is seen as they are made.",
	Example: `func.func @f(%A: memref<8x16xf64>, %x: memref<16xf64>, %y: memref<8xf64> {llvm.noalias}) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 {
      %a = affine.load %A[%i, %j] : memref<8x16xf64>
      %b = affine.load %x[%j] : memref<16xf64>
      %c = affine.load %y[%i] : memref<8xf64>
      %d = arith.mulf %a, %b : f64
      %e = arith.addf %c, %d : f64
      affine.store %e, %y[%i] : memref<8xf64>
    }
  }
  return
}
`,
	Pipeline:   "unroll-and-jam{factor=2}",
	Statistics: []pass.Statistic{{Name: "jammed", Doc: "loops of which several iterations are done at once"}},
	New:        func() pass.Pass { return &UnrollJam{Factor: 4} },
}

// maxCopies bounds the copies of a body.
const maxCopies = 64

// Check refuses factors that are none.
func (p *UnrollJam) Check() error {
	if p.Factor < 2 || p.Factor > maxCopies {
		return fmt.Errorf("factor=%d is not between 2 and %d", p.Factor, maxCopies)
	}
	return nil
}

// Run rewrites the loops of every function.
func (p *UnrollJam) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return run(ctx, g, &p.Which, "jammed", "cannot be unrolled and jammed", p.find)
}

// find cuts the body into parts first: split and keeps ask in which part an access stands.
func (p *UnrollJam) find(f *function, v ir.Value) (*change, error) {
	j := &jam{nest: &nest{function: f, loops: []ir.Value{v}}, factor: int64(p.Factor), parts: map[ir.Region][]part{}, own: map[ir.Value]bool{}}
	if err := cmp.Or(j.regular(), j.carriesNothing()); err != nil {
		return nil, err
	}
	if j.divide(f.body(v)); len(j.parts) == 1 {
		return nil, cmp.Or(j.why, errors.New("has no loop in it"))
	}
	o, err := f.orderOf(usualLoops, v)
	if err != nil {
		return nil, err
	}
	j.split(o)
	if err := o.each(func(c conflict) error { return j.keeps(o, c) }); err != nil {
		return nil, err
	}
	return &change{rule: j.rule, loops: j.loops, what: fmt.Sprintf("does %d iterations at once in the loops in it", p.Factor)}, nil
}

// A jam is a loop of which several iterations are done at once. Each region of it is a row of parts: a loop that runs once for all of
// them, or ops that are done for one after the other.
type jam struct {
	*nest
	factor int64
	parts  map[ir.Region][]part
	own    map[ir.Value]bool // made once for each iteration, or an index of a loop that is jammed
	why    error             // of a loop that is not jammed
}

// A part is a loop that is jammed, or a row of ops that are not: loop is 0 then.
type part struct {
	loop ir.Value
	ops  []ir.Value
}

// divide finds the parts of a region, and of the loops in it that are jammed.
func (j *jam) divide(r ir.Region) {
	for _, p := range j.g.Params(r) {
		j.own[p] = true
	}
	var out []part
	for _, v := range j.s.Body(r) {
		if j.g.Def(v).Has(ir.Terminator) {
			continue
		}
		j.own[v] = true
		if isFor(j.g.Def(v)) {
			if err := j.jams(v); err != nil {
				j.why = err
			} else {
				out = append(out, part{loop: v})
				j.divide(j.body(v))
				continue
			}
		}
		if n := len(out); n == 0 || out[n-1].loop != 0 {
			out = append(out, part{})
		}
		last := &out[len(out)-1]
		last.ops = append(last.ops, v)
	}
	j.parts[r] = out
}

// jams checks that a loop runs over the same in all iterations of the one that is unrolled.
func (j *jam) jams(v ir.Value) error {
	if _, err := j.stepOf(v); err != nil {
		return err
	}
	for _, a := range lanes.BoundsOf(j.g, v) {
		r, k, isParam := j.g.Param(a)
		if j.isIn(a, j.body(j.loops[0])) && !(isParam && k == 0 && r != j.body(j.loops[0]) && isFor(j.g.Def(j.g.Owner(r))) && j.own[a]) {
			return fmt.Errorf("has %s in it, whose bounds are computed in it", j.at(v))
		}
	}
	return nil
}

// split takes back that updates may come in any order where the read and the write are in different parts.
func (j *jam) split(o *order) {
	for i := range o.acc.List {
		for k := range o.acc.List {
			a, b := &o.acc.List[i], &o.acc.List[k]
			if a.Update != poly.Set && a.Pair == b.Pair && j.place(a.Op) != j.place(b.Op) {
				a.Update = poly.Set
			}
		}
	}
}

// A place is a part of a region.
type place struct {
	r ir.Region
	i int
}

// place is the part in which an op is.
func (j *jam) place(v ir.Value) place {
	for {
		r := j.s.Place(v)
		if parts, ok := j.parts[r]; ok {
			return place{r, slices.IndexFunc(parts, func(p part) bool { return p.loop == v || slices.Contains(p.ops, v) })}
		}
		v = j.g.Owner(r)
	}
}

// keeps checks that a conflict of two iterations that may be done at once stays in order: in the loops that are jammed, and then
// by the parts of the innermost of them that is around both.
func (j *jam) keeps(o *order, c conflict) error {
	step, _ := j.stepOf(j.loops[0])
	// Iterations a whole group apart are never done at once.
	if len(c.Distances) > 0 && c.Distances[0].IsConst() && c.Distances[0].Const >= step*j.factor {
		return nil
	}
	for _, v := range c.Vectors {
		if v.Len() > 0 && v.At(0) == depend.Positive && !j.keepsOrder(o, c, v) {
			return fmt.Errorf("has a dependence between iterations that would be done at once: %s", o.says(c, v))
		}
	}
	return nil
}

// keepsOrder follows a dependence that the unrolled loop carries through the loops in it. Copies run one
// after the other in a loop that is not jammed: the order stays. In a jammed loop it stays where the sign is
// positive, and is lost where it may be negative.
func (j *jam) keepsOrder(o *order, c conflict, v depend.Vector) bool {
	for l := 1; l < v.Len(); l++ {
		if _, jammed := j.parts[j.body(c.from.Loops[l])]; !jammed || v.At(l) == depend.Positive {
			return true
		}
		if v.At(l)&depend.Negative != 0 {
			return false
		}
	}
	if l := v.Len(); l == o.deep && l < min(len(c.from.Loops), len(c.to.Loops)) && c.from.Loops[l] == c.to.Loops[l] {
		return false // of further loops it is not known
	}
	from, to := j.place(c.from.Op), j.place(c.to.Op)
	for from.r != to.r { // one of them is in a loop of its own
		if j.s.Depth(from.r) >= j.s.Depth(to.r) {
			from = j.place(j.g.Owner(from.r))
		} else {
			to = j.place(j.g.Owner(to.r))
		}
	}
	// Within one part the copies run in the order of the iterations.
	return from.i <= to.i
}

// rule makes a loop of several iterations a round, and one of those that are left over.
func (j *jam) rule(m *ir.Mirror, old ir.Node) ir.Value {
	s := j.span(m, 0)
	before, after := s.inGroups(m, old, j.factor)
	makeLoop(m, old, old.Attrs(), before, nil, func(iv ir.Value, _ []ir.Value) []ir.Value {
		copies := make([]env, j.factor)
		for i := range copies {
			p, _ := affinedialect.Just(iv).Plus(1, affinedialect.Number(int64(i)*s.step))
			copies[i] = env{j.g.Params(j.body(j.loops[0]))[0]: compute(m, old, p)}
		}
		j.fill(m, j.body(j.loops[0]), copies)
		return nil
	})
	if !s.divides(j.factor) {
		makeLoop(m, old, m.B.Ctx().WithDiscardable(old.Attrs(), Label, 0), after, nil, func(iv ir.Value, _ []ir.Value) []ir.Value {
			return j.iteration(m, []ir.Value{iv}, nil)
		})
	}
	return m.B.Pack()
}

// An env has the new values of one iteration of those that are done at once.
type env map[ir.Value]ir.Value

// enter makes an iteration the one whose values a mirror sees, as far as an op needs them.
func (j *jam) enter(m *ir.Mirror, e env, v ir.Value) {
	for _, a := range j.g.Args(v) {
		if of, _, _ := j.g.Projection(a); e[of] != 0 {
			m.Set(j.g.NodeOf(of), e[of])
		}
	}
	for _, r := range j.g.Regions(v) {
		for _, in := range j.s.Body(r) {
			j.enter(m, e, in)
		}
	}
}

// fill makes the parts of a region for several iterations, and gives what each of them yields.
func (j *jam) fill(m *ir.Mirror, r ir.Region, copies []env) [][]ir.Value {
	for _, p := range j.parts[r] {
		if p.loop != 0 {
			j.jammed(m, p.loop, copies)
			continue
		}
		for _, e := range copies {
			// Each iteration does all ops of the part before the next one begins: keepsOrder needs that.
			for _, v := range p.ops {
				j.enter(m, e, v)
				e[v] = m.Copy(j.g.NodeOf(v))
				m.Set(j.g.NodeOf(v), e[v])
			}
		}
	}
	out := make([][]ir.Value, len(copies))
	for i, e := range copies {
		j.enter(m, e, j.g.Term(r))
		for _, y := range j.g.Yields(r) {
			out[i] = append(out[i], m.Of(j.g.NodeOf(y)))
		}
	}
	return out
}

// jammed makes one loop for several iterations, which carries what each of them carries.
func (j *jam) jammed(m *ir.Mirror, v ir.Value, copies []env) {
	node := j.g.NodeOf(v)
	l, _ := ir.As[ir.LoopLike](node)
	var first []ir.Value
	for _, e := range copies {
		j.enter(m, e, v)
		first = append(first, inits(m, node)...)
	}
	k := len(l.Carried)
	step, _ := j.stepOf(v)
	out := makeLoop(m, node, node.Attrs(), spanOf(node, step).mirrored(m, j.g), first, func(iv ir.Value, carried []ir.Value) []ir.Value {
		for i, e := range copies {
			e[j.g.Params(l.Body)[0]] = iv
			for n, p := range l.Carried {
				e[p] = carried[i*k+n]
			}
		}
		return slices.Concat(j.fill(m, l.Body, copies)...)
	})
	for i, e := range copies {
		e[v] = m.B.Pack(out[i*k : (i+1)*k]...)
	}
}
