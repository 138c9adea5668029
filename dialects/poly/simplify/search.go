package simplify

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// A search finds the best plan for one reduction of the given program.
type search struct {
	program *Program
	options Options
	order   order
	some    map[string]p.Int // values of the parameters
	sizes   map[string]size
	bounds  map[string]bound // of the plans of reductions from below
	shapes  map[string]*outline
	known   map[string]*plan
	negate  map[*Expr]*Expr
	chosen  map[*Expr]chosen
	target  *Array          // that of the reduction
	when    *ordering       // in which order elements are
	refused []string        // directions that are not taken, with the reasons
	banned  map[string]bool // reuse that is not taken
	fixed   map[string]bool // that of the beginning
}

// A chosen expression has a selection in it, nil if none, and is another in either case.
type chosen struct {
	choice *Expr
	bodies [2]*Expr
}

// A plan is what becomes of a reduction.
type plan struct {
	red       *reduction
	how       step
	move      *move
	inner     *Array // of a decomposition, what the outer reduction reads
	read      *Expr
	factor    []*Expr  // what is taken out
	by        Operator // by which it is put back
	counts    []counted
	first     p.Set // an instance for each answer
	blocks    *blocks
	children  []*plan
	cost      cost
	points    float64 // of all instances, at some sizes
	losses    int     // subtractions that lose digits
	temporary bool    // it is in an array of its own, for the order
	equations int
}

// A step is what is done to a reduction.
type step string

// The steps.
const (
	asItIs     step = ""
	reuse      step = "reuse"      // along a vector
	equal      step = "equal"      // all answers along a vector are one
	decomposed step = "decomposed" // into an inner and an outer reduction
	factored   step = "factored"   // what is the same for an answer is taken out
	separated  step = "separated"  // a sum of sums
	multiplied step = "multiplied" // a product of sums
	countedUp  step = "counted"    // one value as often as there are instances
	once       step = "once"       // one value, by an operator that is idempotent
	cases      step = "cases"      // by affine conditions
	splitUp    step = "split"      // the domain
	inBlocks   step = "blocks"     // windows, by prefixes and suffixes
)

// better compares plans: by complexity, by what subtraction loses, by the number of equations.
func (s *search) better(a, b *plan) bool {
	if c := s.order.compare(a.cost, b.cost); c != 0 {
		return c < 0
	}
	if a.losses != b.losses {
		return a.losses < b.losses
	}
	return a.equations < b.equations
}

// best finds the plan for a reduction that is the least complex.
func (s *search) best(r *reduction) *plan {
	key := r.key()
	if x, ok := s.known[key]; ok {
		return x
	}
	whole := unwind.Must(s.sizeOf(r.domain))
	least := s.leastOf(r)
	t := &trial{search: s, red: r, whole: whole, least: least.size, best: &plan{red: r, cost: whole.cost, points: whole.points, equations: 1}}
	t.bounded = s.isBounded(r)
	if !t.done() && len(s.known) < s.options.plans() {
		s.known[key] = t.best // what is found on the way to itself is no gain
		t.all()
	}
	s.known[key] = t.best
	return t.best
}

// A bound is the least that a plan costs, and what the answers do.
type bound struct {
	size
	answers cost
}

// leastOf bounds what a plan costs from below: each answer is written, and each element that the
// body reads takes part, so that it is read. An instance may do both.
func (s *search) leastOf(r *reduction) (out bound) {
	key := r.key()
	if c, ok := s.bounds[key]; ok {
		return c
	}
	answers, err := r.answers()
	if err != nil {
		panic(unwind.Failed(err))
	}
	sets := []p.Set{answers}
	r.body.reads(func(e *Expr) {
		if e.Kind != Read || err != nil {
			return
		}
		var of p.Set
		if of, err = r.domain.Apply(e.Map); err == nil {
			sets = append(sets, of)
		}
	})
	if err != nil {
		panic(unwind.Failed(err))
	}
	for i, set := range sets {
		x := unwind.Must(s.sizeOf(set))
		if i == 0 {
			out.answers = x.cost
		}
		out.cost, out.points = s.order.plus(out.cost, x.cost), max(out.points, x.points)
	}
	s.bounds[key] = out
	return out
}

// A trial is the search for a plan of one reduction.
type trial struct {
	*search
	*outline
	red     *reduction
	bounded bool // each answer has a bounded number of instances
	whole   size
	least   size // that any plan has
	best    *plan
}

// isBounded reports that each answer has a bounded number of instances.
func (s *search) isBounded(r *reduction) bool {
	whole := unwind.Must(s.sizeOf(r.domain))
	least := s.leastOf(r)
	return s.order.compare(least.answers, whole.cost) == 0
}

// manyFewer: where each answer has a bounded number of instances it is their number that counts. Half
// of them is worth another equation.
func (t *trial) manyFewer(a, b float64) bool { return t.bounded && 2*a < b }

// better compares plans of the reduction.
func (t *trial) better(a, b *plan) bool {
	if t.order.compare(a.cost, b.cost) == 0 && a.losses == b.losses && (t.manyFewer(a.points, b.points) || t.manyFewer(b.points, a.points)) {
		return a.points < b.points
	}
	return t.search.better(a, b)
}

// done reports that no plan can be better.
func (t *trial) done() bool {
	return t.order.compare(t.best.cost, t.least.cost) <= 0 && t.best.losses == 0 && !t.manyFewer(t.least.points, t.best.points)
}

// all tries what can be done, from what is cheap to what is not.
func (t *trial) all() {
	t.outline = t.outlineOf(t.red)
	tries := []func() error{t.casesOf, t.constant, t.moves, t.separate, t.factor, t.multiply, t.inBlocks, t.decompose, t.split}
	if t.options.Reuse {
		tries = []func() error{t.moves}
	}
	for _, try := range tries {
		if t.done() {
			return
		}
		unwind.Check(try())
	}
}

// offer completes a plan by the best plans of its parts, and keeps it if it is the best. own are
// sets of the instances of equations that it has besides. It stops where what is not searched yet
// would have to cost less than it can.
func (t *trial) offer(x *plan, own []p.Set, parts []*reduction) {
	if t.options.Lossless && x.losses > 0 {
		return
	}
	c := t.sizeOfAll(own)
	x.red, x.cost, x.points, x.equations = t.red, c.cost, c.points, x.equations+len(own)
	for i := range parts {
		bound := *x
		for _, r := range parts[i:] {
			least := t.leastOf(r)
			bound.cost, bound.points, bound.equations = t.order.plus(bound.cost, least.cost), bound.points+least.points, bound.equations+1
		}
		if !t.better(&bound, t.best) {
			return
		}
		child := t.search.best(parts[i])
		x.children = append(x.children, child)
		x.cost = t.order.plus(x.cost, child.cost)
		x.points += child.points
		x.losses += child.losses
		x.equations += child.equations
	}
	if t.better(x, t.best) {
		t.best = x
	}
}

// casesOf makes domains of the cases of an affine condition, also of one that stands in a sum or a product.
func (t *trial) casesOf() (err error) {
	defer unwind.To(&err)
	choice, bodies := t.choices(t.red.body)
	if choice == nil {
		return nil
	}
	var parts []*reduction
	for i, cut := range []func(p.Set, p.Set) (p.Set, error){p.Set.Intersect, p.Set.Subtract} {
		if bodies[i].Kind == Identity {
			continue
		}
		d := unwind.Must(cut(t.red.domain, choice.Where))
		ds := unwind.Must(conjunctions(d))
		for _, d := range ds {
			parts = append(parts, t.red.over(d).of(bodies[i]))
		}
	}
	t.offer(&plan{how: cases}, nil, parts)
	return nil
}

// choices is the first selection in an expression, and the expression in either case; there is none within one that is not affine.
func (s *search) choices(e *Expr) (choice *Expr, bodies [2]*Expr) {
	if e.Kind == Select {
		return e, [2]*Expr{e.Args[0], e.Args[1]}
	}
	if c, ok := s.chosen[e]; ok {
		return c.choice, c.bodies
	}
	if e.Kind == Combine || e.Kind == Negative || e.Kind == Apply && !e.Affine {
		for i, a := range e.Args {
			inner, arms := s.choices(a)
			if inner == nil {
				continue
			}
			choice = inner
			for k := range arms {
				x := *e
				x.Args = slices.Clone(e.Args)
				x.Args[i] = arms[k]
				bodies[k] = &x
			}
			break
		}
	}
	s.chosen[e] = chosen{choice, bodies}
	return choice, bodies
}

// within reports that all vectors of a lattice are in another.
func within(a, b [][]p.Int, n int) bool {
	return slices.EqualFunc(p.MeetLattices(a, b, n), a, func(x, y []p.Int) bool { return compareInts(x, y) == 0 })
}

// constant counts instances, or takes one, where all of an answer have one value.
func (t *trial) constant() (err error) {
	defer unwind.To(&err)
	if len(t.fibre) == 0 || !within(t.fibre, t.share, t.red.dims()) {
		return nil
	}
	first := t.red.firsts()
	if t.red.op.IsIdempotent() {
		t.offer(&plan{how: once, first: first}, []p.Set{first}, nil)
		return nil
	}
	counts := t.red.counts(first)
	own := lists.Map(counts, func(c counted) p.Set { return c.where })
	t.offer(&plan{how: countedUp, counts: counts}, own, nil)
	return nil
}

// firsts has the first instance of each answer.
func (r *reduction) firsts() p.Set {
	m := unwind.Must(r.write.IntersectDomain(r.domain))
	m = unwind.Must(m.Inverse().LexMin())
	return unwind.Must(m.Range().Coalesce())
}
