package fuse

import (
	"slices"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/special/opcost"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/passes/loops/lanes"
)

// An array that loops read at a shifted or reversed index, or from a loop of another size (take,
// slice, reverse, the parts of a concatenation, stencils), is in no loop of theirs. Its elements
// are made where they are read instead,
//
//	x = collect { f(i) }; for i < n -> G { x[n-1-i] }    is    for i < n -> G { f(n-1-i) }
//
// if that takes no more than to make, store and load them, by the target's costs and vectors: so
// each element that is read once is, and one that is read several times if little work makes it.
// What may lie outside of the array is read, so that it is found.

// An array is one that a generator of a loop collects, one element in each round.
type array struct {
	s     *ir.Schedule
	loop  ir.Value
	gen   int
	body  ir.Region
	alone *loners
	reads []ir.Value
	why   string   // it is made, though some read it at another index; "" for one that is not
	at    ir.Value // the op that prevents it
}

// elements makes elements where they are read; nil if there are none to.
func (f *fused) elements(g *ir.Graph) *ir.Graph {
	found := map[*ir.Graph]map[result]int{}
	f.arrays(g, found)
	if len(found) == 0 {
		return nil
	}
	s := ir.ScheduleOf(g)
	return ir.Rewrite(g.Ctx, s, ir.Rules{loop.At: func(m *ir.Mirror, n ir.Node) ir.Value {
		v, i, _ := n.Graph().Projection(n.Arg(0).Old())
		gen, ok := found[m.Schedule().Graph()][result{v, i}]
		if !ok {
			return 0
		}
		of := n.Graph().NodeOf(v)
		given := loop.Split(m.B.Graph(), loop.Generators(of), m.Body(of.Region(0), m.Of(n.Arg(1))))
		_, place := loop.GeneratorOf(n.Graph(), v, i)
		return given[gen][place]
	}}, nil)
}

// arrays looks for arrays whose elements are to be made where they are read, in a graph and those
// in it. Of two, one of which is read where elements of the other are made, the second waits.
func (f *fused) arrays(g *ir.Graph, found map[*ir.Graph]map[result]int) {
	s := ir.ScheduleOf(g)
	a := affine.Of(g)
	alone := &loners{s, map[ir.Value]bool{}}
	// A rewrite copies the body of one loop into another: neither may change in the same rewrite.
	busy := map[ir.Value]bool{} // loops in which chosen arrays are read, and that make them
	for v := range s.All() {
		for _, c := range g.Children(v) {
			f.arrays(c, found)
		}
		if g.Def(v) != loop.For {
			continue
		}
		body, list := g.Regions(v)[0], loop.Generators(g.NodeOf(v))
		first := 0
		for k, given := range loop.Split(g, list, g.Yields(body)) {
			x := list[k]
			from := first
			first += len(x.Results(g.Ctx))
			if x.Kind != loop.CollectKind || loop.EmitsIn(g, given) {
				continue
			}
			y := &array{s: s, alone: alone, loop: v, gen: k, body: body}
			if !y.shifted(a, from, first) {
				continue
			}
			if y.findObstacles(f, a, given); y.why != "" {
				f.say("the array of the loop at %s is made, and read at another index (%s): %s", f.where(g, v), f.where(g, y.at), y.why)
				continue
			}
			around := y.around()
			if slices.ContainsFunc(around, func(l ir.Value) bool { return busy[l] }) {
				continue
			}
			for _, l := range around {
				busy[l] = true
			}
			f.say("the elements of the loop at %s are made where they are read, at %s", f.where(g, v), f.where(g, y.reads[0]))
			f.ctx.Count("arrays", first-from)
			f.ctx.Count("elements", len(y.reads))
			if found[g] == nil {
				found[g] = map[result]int{}
			}
			for i := from; i < first; i++ {
				found[g][result{v, i}] = k
			}
		}
	}
}

// shifted lists the reads of the results from first to last, and is false if something else is
// done with them, or each is read at the index of a loop of the same size: these become one loop.
func (y *array) shifted(a affine.Analysis, first, last int) (other bool) {
	g := y.s.Graph()
	for _, u := range g.NodeOf(y.loop).Users() {
		for i, x := range g.Args(u.Old()) {
			n, res, _ := g.Projection(x)
			if n != y.loop || res < first || res >= last || u.Def() == loop.Len {
				continue
			}
			if u.Def() != loop.At || i != 0 {
				return false
			}
			index := g.Args(u.Old())[1]
			l, _, _, ok := loopOf(g, a, index)
			if !ok {
				return false
			}
			own := index == g.Params(g.Regions(l)[0])[0] && g.Args(l)[0] == g.Args(y.loop)[0]
			other = other || !own
			y.reads = append(y.reads, u.Old())
		}
	}
	return other
}

// loopOf finds the loop whose index, or what is left of it, an index is a shift of: index = i +
// shift or shift - i.
func loopOf(g *ir.Graph, a affine.Analysis, index ir.Value) (l ir.Value, back bool, shift affine.Linear, ok bool) {
	form := a.Linear(index)
	for _, t := range form.Terms {
		r, _, param := g.Param(t.Value)
		if !param || g.Def(g.Owner(r)) != loop.For {
			continue
		}
		c := form.Int(t.Coef)
		if l != 0 || c != 1 && c != -1 {
			return 0, false, form, false
		}
		l, back = g.Owner(r), c == -1
		shift = form.Plus(-t.Coef, affine.Linear{Width: form.Width, Terms: []affine.Term{{Value: t.Value, Coef: 1}}})
	}
	return l, back, shift, l != 0
}

// findObstacles finds what prevents that elements are made where they are read.
func (y *array) findObstacles(f *fused, a affine.Analysis, given []ir.Value) {
	g, costs := y.s.Graph(), &f.ctx.Target().Costs
	y.at = y.reads[0]
	if len(g.EffectsOf(y.body)) > 0 {
		y.why = "it reads memory, writes or prints"
		return
	}
	for _, u := range y.reads {
		if !y.inside(a, u) {
			y.why, y.at = "that may lie outside of it", u
			return
		}
	}
	ops, work := y.work(given, costs.Access)
	width := float64(lanes.ByLLVM(f.ctx.Target()).Lanes)
	made, again, reads, vectors := y.s.Freq(y.body), 0.0, 0.0, true
	// To keep the array costs two streamed accesses for each element, and one access for each read. To make
	// it costs its work, if the loop is for nothing else.
	kept := made * 2 * costs.Stream * float64(len(given))
	for _, u := range y.reads {
		often := y.s.Freq(y.s.Place(u))
		reads += often
		if y.alone.vector(innermost(y.s, u)) {
			often /= width
		} else {
			vectors = false
		}
		again, kept = again+often*work, kept+often*costs.Access
	}
	switch {
	case y.shares():
	case y.alone.vector(y.loop):
		kept += made * work / width
	default:
		kept += made * work
	}
	switch {
	case again > kept && reads <= made && !vectors:
		y.why = scalar.String()
	case again > kept:
		y.why = "its elements are read more than once, and to make them again is dearer than to keep them"
	case len(y.reads) > 1 && len(y.reads)*ops > f.limit:
		y.why = "it is read in several places, and copies of its body are more code than the limit"
	}
}

// innermost is the loop in whose body an op stands.
func innermost(s *ir.Schedule, v ir.Value) ir.Value {
	g := s.Graph()
	for r := s.Place(v); r != ir.Root; r = s.Place(g.Owner(r)) {
		if g.Def(g.Owner(r)) == loop.For {
			return g.Owner(r)
		}
	}
	return 0
}

// loners are loops that are looked at by themselves, each once.
type loners struct {
	s       *ir.Schedule
	vectors map[ir.Value]bool
}

// vector reports a loop that runs in vectors by itself; 0 is none.
func (x *loners) vector(l ir.Value) bool {
	runs, known := x.vectors[l]
	if !known && l != 0 {
		runs = (&region{s: x.s, g: x.s.Graph()}).newMember(l, 0).effort.vector
		x.vectors[l] = runs
	}
	return runs
}

// shares reports that the loop makes something else as well.
func (y *array) shares() bool {
	used := y.s.Graph().NodeOf(y.loop).UsedResults()
	first := 0
	for k, x := range loop.Generators(y.s.Graph().NodeOf(y.loop)) {
		n := len(x.Results(y.s.Graph().Ctx))
		if k != y.gen && slices.Contains(used[first:first+n], true) {
			return true
		}
		first += n
	}
	return false
}

// inside reports an index that is surely one of the array's elements, for all rounds of the loop
// that reads it.
func (y *array) inside(a affine.Analysis, read ir.Value) bool {
	g := y.s.Graph()
	l, back, shift, _ := loopOf(g, a, g.Args(read)[1])
	rounds, size := a.Linear(g.Args(l)[0]), a.Linear(g.Args(y.loop)[0])
	one := affine.Linear{Width: shift.Width, Const: 1}
	if back { // shift, shift - 1, ..., shift - (rounds - 1)
		return notNegative(a, size.Plus(^uint64(0), one).Plus(^uint64(0), shift)) && notNegative(a, shift.Plus(^uint64(0), rounds).Plus(1, one))
	}
	return notNegative(a, shift) && notNegative(a, size.Plus(^uint64(0), rounds).Plus(^uint64(0), shift))
}

// notNegative proves a form at least 0: by what is known of its values, or with one of them that
// bounds another one.
func notNegative(a affine.Analysis, l affine.Linear) bool {
	if n := a.NumberOf(l); n.Width > 0 && n.Low >= 0 {
		return true
	}
	for _, less := range l.Terms {
		if l.Int(less.Coef) != -1 {
			continue
		}
		for _, more := range l.Terms {
			if l.Int(more.Coef) != 1 {
				continue
			}
			holds, known := a.Decide(affine.LE, less.Value, more.Value)
			if !holds || !known {
				continue
			}
			// more - less is at least 0: the form is at least what it is without both.
			rest := affine.Linear{Width: l.Width, Const: l.Const}
			for _, t := range l.Terms {
				if t != less && t != more {
					rest.Terms = append(rest.Terms, t)
				}
			}
			if notNegative(a, rest) {
				return true
			}
		}
	}
	return false
}

// work counts the operations of an element: in the text, and as often as they run in a round.
func (y *array) work(given []ir.Value, access float64) (ops int, often float64) {
	g := y.s.Graph()
	seen := map[ir.Value]bool{}
	round := y.s.Freq(y.body)
	var visit func(v ir.Value)
	var inside func(r ir.Region)
	visit = func(v ir.Value) {
		n, _, _ := g.Projection(v)
		if seen[n] || !g.IsOp(n) || y.s.Place(n) != y.body {
			return
		}
		seen[n] = true
		switch def := g.Def(n); {
		case def.Has(ir.ConstantLike):
		case def == loop.At:
			ops, often = ops+1, often+access
		default:
			ops, often = ops+1, often+opcost.Of(def)
		}
		for _, a := range g.Args(n) {
			visit(a)
		}
		for _, r := range g.Regions(n) {
			inside(r)
		}
	}
	inside = func(r ir.Region) {
		for _, v := range y.s.Body(r) {
			ops, often = ops+1, often+opcost.Of(g.Def(v))*y.s.Freq(r)/round
			for _, a := range g.Args(v) {
				visit(a)
			}
			for _, in := range g.Regions(v) {
				inside(in)
			}
		}
	}
	for _, v := range given {
		visit(v)
	}
	return ops, often
}

// around lists the loop itself and those in whose regions it is read.
func (y *array) around() []ir.Value {
	g := y.s.Graph()
	out := []ir.Value{y.loop}
	for _, u := range y.reads {
		for r := y.s.Place(u); r != ir.Root; r = y.s.Place(g.Owner(r)) {
			if l := g.Owner(r); g.Def(l) == loop.For && !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	return out
}
