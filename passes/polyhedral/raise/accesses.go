package raise

import (
	"cmp"
	"fmt"
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/unwind"
)

// An Access is what an op in loops does to one memory, at its own place: what passes look at that change
// the order of loops and keep their bodies.
type Access struct {
	Op     ir.Value
	Memory ir.Value
	On     ir.Resource
	Writes bool
	Loops  []ir.Value // the loop of each index of Domain, the outermost first
	Time   int64      // where it stands in the text; two accesses of one op share it
	Domain presburger.Set
	// Element relates the iterations of the loops to the element; it is empty where any may be accessed.
	Element presburger.Map
	Whole   bool
	Box     bool // Element has several for one iteration, of which some are accessed
	// Update is the operator by which a read and a write of one element, of the same Pair, combine it with
	// something, if the order of such updates is free; else it is poly.Set.
	Update poly.Operator
	Pair   int
}

// Accesses are those of some loops that stand one after the other.
type Accesses struct {
	Params []string
	Values []ir.Value // of the parameters
	Known  presburger.Set
	List   []Access // as they stand in the text
	Bodies []Body   // of the loops and conditionals, as they stand in the text
}

// A Body is a region in loops, and for which of their iterations it is executed.
type Body struct {
	Region ir.Region
	Loops  []ir.Value // the loop of each index of Domain, the outermost first
	Domain presburger.Set
	Exact  bool // a region that is not is executed for some of Domain: a bound or a condition is not affine
}

// workOfReading is what the domains of all accesses may take, in steps.
const workOfReading = 500_000

// ReadAccesses lists what loops that stand one after the other do to memory, or says which op does something else. What
// is not affine counts as anything: an index as each, a bound as none, a condition as one that may hold.
func ReadAccesses(s *ir.Schedule, loops []ir.Value) (_ *Accesses, err error) {
	defer unwind.To(&err)
	g := s.Graph()
	n := &nest{g: g, s: s, known: affine.Of(g), effects: g.Effects(), inside: map[ir.Value]bool{}, dims: map[ir.Value]string{},
		named: map[ir.Value]string{}, of: map[value]*memory{}, reads: map[value]*access{},
		choices: map[ir.Value]ir.Value{}, carried: map[value]carrier{}}
	r := &reading{nest: n}
	for _, v := range loops {
		r.op(v, moment{})
	}
	return r.finish(loops[0]), nil
}

// At is the op that hinders a reading, if err is of one.
func At(err error) ir.Value {
	if h, ok := err.(*hindrance); ok {
		return h.at
	}
	return 0
}

// A reading walks over loops as a nest does, with less to ask of them.
type reading struct {
	*nest
	all    []*touch
	loops  []ir.Value // around what is read: one for each index
	bodies []place
}

// A place is a region that was read.
type place struct {
	region ir.Region
	at     moment
	loops  []ir.Value
}

// A touch is an access that is being read.
type touch struct {
	*access
	writes, whole bool
	extents       []int64 // of an access to a box from the index on
	loops         []ir.Value
	update        poly.Operator
	pair          int
}

// op reads a loop, a conditional, an access, or an op without effects; others hinder.
func (r *reading) op(v ir.Value, at moment) {
	node := r.g.NodeOf(v)
	def := node.Def()
	if def.Has(ir.Terminator) {
		return
	}
	if l, ok := ir.As[ir.LoopLike](node); ok {
		r.loop(v, l, at)
		return
	}
	if _, ok := ir.As[ir.BranchLike](node); ok || def == affinedialect.If {
		r.branch(v, at)
		return
	}
	if a, ok := ir.As[ir.AccessLike](node); ok {
		r.access(v, a, at)
		return
	}
	if len(r.g.Regions(v)) > 0 || len(r.g.Children(v)) > 0 {
		panic(unwind.Failed(hinder(v, "%s is neither a loop nor a conditional", def.Name)))
	}
	if r.g.HasEffect(v) {
		panic(unwind.Failed(hinder(v, "%s does more than to access memory", def.Name)))
	}
}

// body reads a region. All its values are inside before the first of its ops is read.
func (r *reading) body(region ir.Region, at moment) {
	for _, v := range r.g.Params(region) {
		r.inside[v] = true
	}
	r.bodies = append(r.bodies, place{region, at, r.loops})
	ops := r.s.Body(region)
	for _, v := range ops {
		r.inside[v] = true
	}
	for _, v := range ops {
		r.op(v, at)
	}
}

// branch reads a conditional: its first region runs where the condition holds, if that is affine.
func (r *reading) branch(v ir.Value, at moment) {
	f := at.when.clone()
	c, err := r.branchCondition(&f, v)
	two := len(r.g.Regions(v)) == 2
	for i, in := range r.g.Regions(v) {
		side := at
		// In a loose region the domain has all iterations that execute it, and maybe others.
		side.loose = side.loose || err != nil || !two
		if err == nil && two {
			side.when = f.clone()
			if i == 0 {
				side.when.say(c)
			} else {
				side.when.say(presburger.Not(c))
			}
		}
		if !r.g.HasBlock(in) {
			continue
		}
		r.body(in, side)
	}
}

// loop reads a loop; one whose bounds are not affine has any number of iterations.
func (r *reading) loop(v ir.Value, l ir.LoopLike, at moment) {
	g := r.g
	d := g.Def(v)
	if l.Reverse {
		panic(unwind.Failed(hinder(v, "%s counts down", d.Name)))
	}
	indices := l.Indices
	if d == affinedialect.For || d == affinedialect.Parallel {
		indices = nil
		for _, x := range affinedialect.Ranges(g.NodeOf(v)) {
			indices = append(indices, x.Index)
		}
	}
	begin := r.tick()
	var rounds []*iteration
	for _, iv := range indices {
		rounds = append(rounds, &iteration{index: iv, name: fmt.Sprintf("i%d", len(at.rounds)+len(rounds)), begin: begin})
	}
	// A loop without indices gets one that counts its iterations.
	if len(indices) == 0 {
		rounds = append(rounds, &iteration{name: fmt.Sprintf("i%d", len(at.rounds)), begin: begin})
	}
	in := at
	in.when = at.when.clone()
	in.loose = true
	if len(indices) > 0 && g.Type(indices[0]) == ir.Index {
		in.loose = at.loose
		if err := r.ranges(v, l, rounds, &in); err != nil {
			// Formulas of a bound that failed are dropped: the index may then have any value.
			in.when, in.loose = at.when.clone(), true
			for _, x := range rounds {
				r.dims[x.index] = x.name
			}
		}
	}
	in.rounds = append(slices.Clip(at.rounds), rounds...)
	outer := r.loops
	for range rounds {
		r.loops = append(slices.Clip(r.loops), v)
	}
	for _, region := range g.Regions(v) {
		r.body(region, in)
	}
	r.loops = outer
	for _, x := range rounds {
		x.end = r.tick()
	}
}

// access reads an op that accesses memory; all of it where the index is not affine, or it is more than
// an element.
func (r *reading) access(v ir.Value, a ir.AccessLike, at moment) {
	g := r.g
	if len(a.Accesses) == 0 {
		if g.HasEffect(v) && g.Def(v) != affinedialect.Prefetch {
			panic(unwind.Failed(hinder(v, "%s does more than to access an element", g.Def(v).Name)))
		}
		return
	}
	at.time = r.tick()
	for _, x := range a.Accesses {
		if r.isInside(x.Memory) {
			panic(unwind.Failed(hinder(v, "%s accesses memory that is made in the loop", g.Def(v).Name)))
		}
		m := r.place(v, x)
		t := touch{access: &access{op: v, memory: m, at: at, stored: x.Stored}, loops: r.loops, update: poly.Set}
		// A box whose first corner needs floors or minima counts as all of the memory.
		if len(a.Accesses) == 1 && x.Extents != nil {
			t.extents = x.Extents
			t.whole = r.subscripts(t.access, v, x.First) != nil || len(t.f.vars) > 0
		} else if len(a.Accesses) > 1 || x.Reads == x.Writes || x.Reads && g.Type(v) != m.elem || x.Writes && (x.Stored == 0 || g.Type(x.Stored) != m.elem) {
			t.whole = true
		} else if err := r.subscripts(t.access, v, x.Indices); err != nil {
			t.whole = true
		}
		if t.whole {
			t.index, t.f, t.indices = nil, formulas{}, x.Indices
		}
		if x.Reads {
			t := t
			r.all = append(r.all, &t)
			if !t.whole && t.extents == nil {
				r.reads[value{v, 0}] = t.access
			}
		}
		if x.Writes {
			t := t
			t.writes = true
			r.all = append(r.all, &t)
			r.writes = append(r.writes, t.access)
		}
	}
}

// place is the memory of an access, of whatever elements.
func (r *reading) place(v ir.Value, x ir.Access) *memory {
	if m := r.of[value{x.Memory, 0}]; m != nil {
		return m
	}
	m := &memory{value: x.Memory, name: fmt.Sprintf("A%d", len(r.arrays)), elem: r.g.Ctx.Info(r.g.Type(x.Memory)).Elem}
	for _, e := range r.effects(v) {
		m.on = e.On
	}
	r.of[value{x.Memory, 0}] = m
	r.arrays = append(r.arrays, m)
	return m
}

// mostAside bounds the integers of an assertion that is looked at for every nest anew.
const mostAside = 4

// finish makes sets of what was read.
func (r *reading) finish(first ir.Value) *Accesses {
	p := &program{nest: r.nest}
	r.updates(p)
	slices.SortStableFunc(r.all, func(a, b *touch) int { return cmp.Compare(a.at.time, b.at.time) })
	out := &Accesses{}
	// All sets share one budget, so the work on many accesses is bounded, too.
	work := presburger.NewBudget(workOfReading)
	for i, t := range r.all {
		tuple := presburger.NewTuple(fmt.Sprintf("S%d", i), t.at.dims()...)
		d, err := work.SetWhere(r.parameters(), tuple, t.at.when.all())
		if err != nil {
			panic(unwind.Failed(err))
		}
		x := Access{Op: t.op, Memory: t.memory.value, On: t.memory.on, Writes: t.writes, Time: t.at.time, Domain: d, Whole: t.whole, Update: t.update, Pair: t.pair, Loops: t.loops}
		if !t.whole {
			if x.Element, err = t.elements(r.parameters(), tuple); err != nil {
				x.Whole = true
			}
			x.Box = t.extents != nil && !x.Whole
		}
		out.List = append(out.List, x)
	}
	out.Params, out.Values = r.parameters(), r.params
	for i, b := range r.bodies {
		d := unwind.Must(work.SetWhere(out.Params, presburger.NewTuple(fmt.Sprintf("B%d", i), b.at.dims()...), b.at.when.all()))
		out.Bodies = append(out.Bodies, Body{b.region, b.loops, d, !b.at.loose})
	}
	p.asserted = p.assumed(first, mostAside)
	out.Known = unwind.Must(presburger.SetWhere(out.Params, presburger.Tuple{}, presburger.And(p.facts()...)))
	return out
}

// elements relates iterations to what an access may access.
func (t *touch) elements(params []string, from presburger.Tuple) (_ presburger.Map, err error) {
	defer unwind.To(&err)
	if t.extents == nil {
		return relation(params, from, t.memory, t.access), nil
	}
	var dims []string
	var is []presburger.Formula
	for i, s := range t.index {
		dims = append(dims, fmt.Sprintf("a%d", i))
		off := presburger.Variable(dims[i]).Minus(s)
		is = append(is, presburger.NonNeg(off), presburger.NonNeg(presburger.Sum{Const: t.extents[i] - 1}.Minus(off)))
	}
	return related(params, from, t.memory, dims, presburger.And(is...)), nil
}

// updates finds the reads and writes that combine an element with something, in one place and by an
// operator whose order is free.
func (r *reading) updates(p *program) {
	byAccess := map[*access]*touch{}
	for _, t := range r.all {
		if !t.whole {
			byAccess[t.access] = t
		}
	}
	for _, w := range r.all {
		// The value must be computed in the loops and used by the store alone. What overflow flags
		// promise need not hold in another order.
		if !w.writes || w.whole || w.extents != nil || !r.isInside(w.stored) || r.g.NodeOf(w.stored).NumUses() != 1 || arith.OverflowOf(r.g.Ctx, r.g.AttrsOf(w.stored)) != 0 {
			continue
		}
		st := &sentence{at: w.at, target: w.memory, write: w.access, operator: poly.Set, value: w.stored, seen: map[ir.Value]bool{}}
		if err := p.update(st); err != nil || st.operator == poly.Set {
			continue
		}
		for _, a := range r.g.Args(w.stored) {
			x := byAccess[r.reads[r.key(a)]]
			// The read has to be of the same memory, used once, and in the region of the write.
			if a == st.value || x == nil || x.memory != w.memory || r.g.NodeOf(a).NumUses() != 1 || r.s.Place(x.op) != r.s.Place(w.op) {
				continue
			}
			w.pair, w.update = int(w.at.time), st.operator
			x.pair, x.update = w.pair, w.update
		}
	}
}
