package scheduler

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// A search is the state of an algorithm.
type search struct {
	domain      p.Set
	params      []string
	np          int
	statements  []*statement
	dependences []*dependence
	options     Options
	budget      *p.Budget
	notes       []string
	arrays      int // of which there are lifetimes
}

// newSearch reads a problem: dependences are those between instances of the domain, at
// values of the parameters that the context allows.
func newSearch(problem Problem, o Options, budget *p.Budget) *search {
	s := &search{options: o, budget: budget, domain: problem.Domain.WithBudget(budget.Remaining())}
	params := problem.Domain.Params()
	for _, more := range [][]string{problem.Context.Params(), problem.Validity.Params(), problem.Proximity.Params(), problem.Coincidence.Params()} {
		for _, name := range more {
			if !slices.Contains(params, name) {
				params = append(params, name)
			}
		}
	}
	s.params, s.np = params, len(params)
	domain := inContext(s.domain.AlignParams(params...), problem.Context)
	s.statements = unwind.Must(statements(domain))
	for _, x := range s.statements {
		x.alone = slices.Contains(problem.Alone, x.tuple.Name())
	}
	r := &reader{statements: s.statements, budget: budget, seen: map[string]*dependence{}}
	read := func(m p.Map, mark func(d *dependence)) {
		m = unwind.Must(m.WithBudget(budget.Remaining()).AlignParams(params...).IntersectDomain(domain))
		m = unwind.Must(m.IntersectRange(domain))
		unwind.Check(r.read(m, mark))
	}
	// Mostly the three are one map, which is read once.
	proximity, coincidence := problem.Proximity == problem.Validity, problem.Coincidence == problem.Validity
	read(problem.Validity, func(d *dependence) {
		d.validity, d.proximity, d.coincidence = true, d.proximity || proximity, d.coincidence || coincidence
	})
	if !proximity {
		read(problem.Proximity, func(d *dependence) { d.proximity = true })
	}
	if !coincidence {
		read(problem.Coincidence, func(d *dependence) { d.coincidence = true })
	}
	for i, m := range problem.Lifetimes {
		read(m, func(d *dependence) { d.lifetimes = append(d.lifetimes, i) })
	}
	s.arrays = len(problem.Lifetimes)
	s.dependences = r.out
	return s
}

// inContext keeps the instances at values of the parameters that a context allows.
func inContext(s, context p.Set) p.Set {
	if len(context.Basics()) == 0 && context.Tuple().IsNone() && len(context.Sets()) == 0 {
		return s
	}
	return unwind.Must(s.IntersectParams(context))
}

// within are the dependences between some statements.
func within(statements []int, ds []*dependence) []*dependence {
	in := map[int]bool{}
	for _, s := range statements {
		in[s] = true
	}
	return lists.Filter(ds, func(d *dependence) bool { return in[d.from] && in[d.to] })
}

// isDone reports that no statement needs another row.
func (s *search) isDone(statements []int) bool {
	return !slices.ContainsFunc(statements, func(i int) bool { return len(s.statements[i].free()) > 0 })
}

// hasValidity reports that there is something to be satisfied.
func hasValidity(ds []*dependence) bool {
	return slices.ContainsFunc(ds, func(d *dependence) bool { return d.validity })
}

// take adds a row to the schedule of each statement.
func (s *search) take(rows map[int]row) {
	for i, r := range rows {
		t := s.statements[i]
		if c := r[1+s.np:]; independent(c, t.free()) {
			t.found = append(t.found, c)
		}
	}
}

// rest is what rows leave of dependences.
func (s *search) rest(ds []*dependence, rows map[int]row) []*dependence {
	var out []*dependence
	for _, d := range ds {
		if r := d.rest(rows[d.from], rows[d.to], s.np); r != nil {
			out = append(out, r)
		}
	}
	return out
}

// member makes a member of a band of rows: it is coincident if the distance is 0 on all
// dependences that say so.
func (s *search) member(rows map[int]row, ds []*dependence) member {
	m := member{rows: rows, coincident: true}
	for _, d := range ds {
		if d.coincidence && d.spread(rows[d.from], rows[d.to], s.np) != (spread{}) {
			m.coincident = false
			break
		}
	}
	return m
}
