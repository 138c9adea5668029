package simplify

import (
	"fmt"
	"slices"
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// A Report says what was done to a reduction.
type Report struct {
	Equation      *Equation
	Changed       bool
	Before, After string   // complexities of its instances
	Losses        int      // subtractions of floats
	Refused       []string // directions that are not taken, with the reasons

	search *search
	plans  []*plan
	from   string // what a reduction was made of that the program has not
}

// A Step is what became of one of the reductions on the way.
type Step struct {
	Depth         int    // how many it is a part of
	From          string // which part of the one before: "added on j = i"; of a composed one with what
	Op            Operator
	Domain        p.Set
	What          string // was done
	Before, After string // complexities

	// Where it reuses, or keeps one of equal answers:
	Vector []p.Int
	Facets []*Facet
	New    []p.Set // the instances that are added
	Gone   []p.Set // and those that are subtracted
	Rather []p.Int // a direction that costs the same, and subtracts floats; nil if there is none

	text string // the domain
}

// report says what becomes of the reductions of an equation.
func (s *search) report(e *Equation, plans []*plan) Report {
	r := Report{Equation: e, search: s, plans: plans}
	if e.Origin != nil {
		r.Equation = e.Origin
	}
	if e.with != "" {
		r.from = "composed with " + e.with
	}
	var before, after cost
	for _, x := range plans {
		c := s.costOf(x.red.domain)
		before, after = s.order.plus(before, c), s.order.plus(after, x.cost)
		r.Losses += x.losses
	}
	r.Before, r.After = s.text(before), s.text(after)
	r.Changed = e.with != "" || slices.ContainsFunc(plans, func(x *plan) bool { return x.how != asItIs })
	r.Refused = slices.Clone(s.refused)
	return r
}

// Steps are what was done, each before those of its parts. They are worked out when they are
// asked for.
func (r *Report) Steps() (out []*Step, err error) {
	defer unwind.To(&err)
	for _, x := range r.plans {
		r.search.steps(x, &Step{From: r.from}, &out)
	}
	return out, nil
}

// steps tells a plan; st has its depth and where it is from.
func (s *search) steps(x *plan, st *Step, out *[]*Step) {
	whole := s.costOf(x.red.domain)
	st.Op, st.Domain, st.What = x.red.op, x.red.domain, string(x.how)
	st.Before, st.After = s.text(whole), s.text(x.cost)
	st.text = braced(st.Domain, s.program.Context)
	*out = append(*out, st)
	switch x.how {
	case asItIs:
		st.What = "as it is"
	case reuse:
		st.What = "reuses along " + vectorText(x.move.vector)
	case equal:
		st.What = "is equal along " + vectorText(x.move.vector)
	case inBlocks:
		st.What = x.blocksText()
	case decomposed:
		each := x.children[0].red.to.text()
		st.What = "decomposed, with an answer for each " + each
	}
	from := func(int) (string, error) { return "", nil }
	if x.move != nil {
		from = s.moved(x, st)
	}
	for i, c := range x.children {
		part := &Step{Depth: st.Depth + 1}
		part.From = unwind.Must(from(i))
		s.steps(c, part, out)
	}
}

// moved tells a plan along a vector. from says of its parts what they are.
func (s *search) moved(x *plan, st *Step) (from func(i int) (string, error)) {
	m := x.move
	st.Facets = unwind.Must(x.red.facets(m.vector))
	if x.how == equal {
		for _, f := range st.Facets {
			if f.Label == Reused {
				f.Label = Copied
			}
		}
	}
	st.Vector, st.New, st.Gone = m.vector, m.added, m.removed
	st.Rather = s.rather(x)
	return func(i int) (_ string, err error) {
		defer unwind.To(&err)
		what, label := "added", Added
		if i >= len(m.added) {
			what, label = "subtracted", Subtracted
		}
		at := at(st.Facets, label, x.children[i].red.domain)
		names := lists.Map(at, func(f *Facet) string { return f.String() })
		if len(names) > 0 {
			what += " on " + strings.Join(names, ", ")
		}
		return what, nil
	}
}

// rather is the opposite of the vector of a plan that only adds floats, if that would cost the
// same and subtract. Where reductions depend on each other the order decides, and nothing is said.
func (s *search) rather(x *plan) []p.Int {
	if x.how != reuse || len(x.move.removed) > 0 || s.target.Exact || !x.red.op.HasInverse() || s.when.touches(s.target, x.red.body) {
		return nil
	}
	m, err := x.red.along(negated(x.move.vector))
	if err != nil || m == nil || len(m.removed) == 0 {
		unwind.Check(err)
		return nil
	}
	whole, err := s.sizeOf(x.red.domain)
	if err != nil {
		panic(unwind.Failed(err))
	}
	t := &trial{search: s, red: x.red, whole: whole, best: &plan{red: x.red, cost: whole.cost, points: whole.points, equations: 1}}
	if err := t.reuse(m); err != nil || s.order.compare(t.best.cost, x.cost) != 0 || t.best.how != reuse {
		unwind.Check(err)
		return nil
	}
	return m.vector
}

// String is the step on a line, and a line for each facet.
func (st *Step) String() string {
	var b strings.Builder
	indent := strings.Repeat("  ", st.Depth)
	b.WriteString(indent)
	if st.From != "" {
		b.WriteString(st.From + ": ")
	}
	fmt.Fprintf(&b, "%s: %s, %s -> %s", st.text, st.What, st.Before, st.After)
	if st.Rather != nil {
		fmt.Fprintf(&b, "; it adds, where %s subtracts at the same cost", vectorText(st.Rather))
	}
	wide := 0
	for _, f := range st.Facets {
		wide = max(wide, len(f.String()))
	}
	for _, f := range st.Facets {
		fmt.Fprintf(&b, "\n%s  %-*s  %-8s  %s", indent, wide, f, f.Label, f.Boundary)
		if f.Idle() {
			b.WriteString(", no answer beyond it")
		}
	}
	return b.String()
}

// text writes a cost in the names of the parameters.
func (s *search) text(c cost) string {
	if len(c) == 0 {
		return "0"
	}
	var sum []string
	for _, m := range c {
		var product []string
		for i, e := range m {
			switch {
			case e == 1:
				product = append(product, s.program.Params[i])
			case e > 1:
				product = append(product, fmt.Sprintf("%s^%d", s.program.Params[i], e))
			}
		}
		if len(product) == 0 {
			product = []string{"1"}
		}
		sum = append(sum, strings.Join(product, "*"))
	}
	return strings.Join(sum, " + ")
}
