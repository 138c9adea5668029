package simplify

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
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
func (s *search) best(r *reduction) (*plan, error) {
	key := r.key()
	if x, ok := s.known[key]; ok {
		return x, nil
	}
	whole, err := s.sizeOf(r.domain)
	if err != nil {
		return nil, err
	}
	least, err := s.leastOf(r)
	if err != nil {
		return nil, err
	}
	t := &trial{search: s, red: r, whole: whole, least: least.size, best: &plan{red: r, cost: whole.cost, points: whole.points, equations: 1}}
	if t.bounded, err = s.isBounded(r); err != nil {
		return nil, err
	}
	if !t.done() && len(s.known) < s.options.plans() {
		s.known[key] = t.best // what is found on the way to itself is no gain
		if err := t.all(); err != nil {
			return nil, err
		}
	}
	s.known[key] = t.best
	return t.best, nil
}

// A bound is the least that a plan costs, and what the answers do.
type bound struct {
	size
	answers cost
}

// leastOf bounds what a plan costs from below: each answer is written, and each element that the
// body reads takes part, so that it is read. An instance may do both.
func (s *search) leastOf(r *reduction) (out bound, err error) {
	key := r.key()
	if c, ok := s.bounds[key]; ok {
		return c, nil
	}
	answers, err := r.answers()
	if err != nil {
		return out, err
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
		return out, err
	}
	for i, set := range sets {
		x, err := s.sizeOf(set)
		if err != nil {
			return out, err
		}
		if i == 0 {
			out.answers = x.cost
		}
		out.cost, out.points = s.order.plus(out.cost, x.cost), max(out.points, x.points)
	}
	s.bounds[key] = out
	return out, nil
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
func (s *search) isBounded(r *reduction) (bool, error) {
	whole, err := s.sizeOf(r.domain)
	if err != nil {
		return false, err
	}
	least, err := s.leastOf(r)
	return s.order.compare(least.answers, whole.cost) == 0, err
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
func (t *trial) all() (err error) {
	if t.outline, err = t.outlineOf(t.red); err != nil {
		return err
	}
	tries := []func() error{t.casesOf, t.constant, t.moves, t.separate, t.factor, t.multiply, t.inBlocks, t.decompose, t.split}
	if t.options.Reuse {
		tries = []func() error{t.moves}
	}
	for _, try := range tries {
		if t.done() {
			return nil
		}
		if err := try(); err != nil {
			return err
		}
	}
	return nil
}

// offer completes a plan by the best plans of its parts, and keeps it if it is the best. own are
// sets of the instances of equations that it has besides. It stops where what is not searched yet
// would have to cost less than it can.
func (t *trial) offer(x *plan, own []p.Set, parts []*reduction) error {
	if t.options.Lossless && x.losses > 0 {
		return nil
	}
	c, err := t.sizeOfAll(own)
	if err != nil {
		return err
	}
	x.red, x.cost, x.points, x.equations = t.red, c.cost, c.points, x.equations+len(own)
	for i := range parts {
		bound := *x
		for _, r := range parts[i:] {
			least, err := t.leastOf(r)
			if err != nil {
				return err
			}
			bound.cost, bound.points, bound.equations = t.order.plus(bound.cost, least.cost), bound.points+least.points, bound.equations+1
		}
		if !t.better(&bound, t.best) {
			return nil
		}
		child, err := t.search.best(parts[i])
		if err != nil {
			return err
		}
		x.children = append(x.children, child)
		x.cost = t.order.plus(x.cost, child.cost)
		x.points += child.points
		x.losses += child.losses
		x.equations += child.equations
	}
	if t.better(x, t.best) {
		t.best = x
	}
	return nil
}

// casesOf makes domains of the cases of an affine condition, also of one that stands in a sum or a product.
func (t *trial) casesOf() error {
	choice, bodies := t.choices(t.red.body)
	if choice == nil {
		return nil
	}
	var parts []*reduction
	for i, cut := range []func(p.Set, p.Set) (p.Set, error){p.Set.Intersect, p.Set.Subtract} {
		if bodies[i].Kind == Identity {
			continue
		}
		d, err := cut(t.red.domain, choice.Where)
		if err != nil {
			return err
		}
		ds, err := conjunctions(d)
		if err != nil {
			return err
		}
		for _, d := range ds {
			parts = append(parts, t.red.over(d).of(bodies[i]))
		}
	}
	return t.offer(&plan{how: cases}, nil, parts)
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
func (t *trial) constant() error {
	if len(t.fibre) == 0 || !within(t.fibre, t.share, t.red.dims()) {
		return nil
	}
	first, err := t.red.firsts()
	if err != nil {
		return err
	}
	if t.red.op.IsIdempotent() {
		return t.offer(&plan{how: once, first: first}, []p.Set{first}, nil)
	}
	counts, err := t.red.counts(first)
	if err != nil {
		return err
	}
	own := lists.Map(counts, func(c counted) p.Set { return c.where })
	return t.offer(&plan{how: countedUp, counts: counts}, own, nil)
}

// firsts has the first instance of each answer.
func (r *reduction) firsts() (p.Set, error) {
	m, err := r.write.IntersectDomain(r.domain)
	if err != nil {
		return p.Set{}, err
	}
	if m, err = m.Inverse().LexMin(); err != nil {
		return p.Set{}, err
	}
	return m.Range().Coalesce()
}
