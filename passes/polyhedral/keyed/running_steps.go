package keyed

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/scheduler"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// findSteps finds a coordinate of the answer, and a way for it to go, so that what is summed comes in
// once and goes out once, and in which the system can be computed. Where digits may cancel, ways by
// which nothing goes out come first.
func (x *runningPlan) findSteps(sys *poly.System, whole presburger.Set) error {
	why := error(refusal("what is summed does not come and go as one coordinate of the answer grows or falls"))
	var list []steps
	for _, t := range x.answer {
		if _, ok := x.keys[t]; ok {
			continue
		}
		sums, ok, err := x.sums(whole, t)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		for _, earlier := range []presburger.Map{lessOrEqual().Inverse(), lessOrEqual()} {
			s, ok, err := x.going(sys, sums, t, earlier)
			if err != nil {
				return err
			}
			if ok {
				list = append(list, s)
			}
		}
	}
	if x.st.Node.Graph().Ctx.IsFloat(x.st.Target.Elem) {
		slices.SortStableFunc(list, func(a, b steps) int { return len(a.out.Sets()) - len(b.out.Sets()) })
	}
	for _, s := range list {
		x.steps = s
		err := x.ordered(sys)
		if err == nil {
			return nil
		}
		if !errors.Is(err, scheduler.ErrNone) {
			return err
		}
		why = refusal("no order was found in which what is summed comes and goes")
	}
	return why
}

// sums relates a coordinate of the answer to what is summed, if that depends on nothing else of it.
func (x *runningPlan) sums(whole presburger.Set, t int) (presburger.Map, bool, error) {
	over, is := dropping(whole.Tuple(), x.answer), dimension(whole.Tuple(), t)
	m, err := over.IntersectDomain(whole)
	if err == nil {
		m, err = m.Compose(is.Inverse())
	}
	if err != nil {
		return m, false, err
	}
	of, err := m.Compose(is) // from instances to all that is summed at their time
	if err == nil {
		of, err = of.Intersect(over)
	}
	if err != nil {
		return m, false, err
	}
	all, err := x.readers.Apply(dropping(whole.Tuple(), x.over).Inverse())
	if err == nil {
		all, err = all.Intersect(of.Domain())
	}
	if err != nil {
		return m, false, err
	}
	ok, err := all.IsSubset(whole)
	return m, ok, err
}

// going finds what comes in and goes out as a coordinate goes one way; earlier relates it to where it
// was before. ok says that what went out does not come in again.
func (x *runningPlan) going(sys *poly.System, sums presburger.Map, t int, earlier presburger.Map) (s steps, ok bool, err error) {
	came, err := before(sums, earlier)
	if err != nil {
		return s, false, err
	}
	gone, err := came.Subtract(sums)
	if err != nil {
		return s, false, err
	}
	none, err := gone.IsEmpty()
	if err != nil || !none && !x.st.Operator.HasInverse() {
		return s, false, err
	}
	ever, err := before(gone, earlier)
	if err == nil {
		ever, err = ever.IntersectDomain(sums.Domain())
	}
	if err == nil {
		ok, err = ever.IsSubset(gone)
	}
	if err != nil || !ok {
		return s, false, err
	}
	at := dimension(x.readers.Tuple(), slices.Index(x.answer, t))
	add := func(m presburger.Map, suffix string) (presburger.Set, error) {
		to := presburger.NewTuple(unused(sys, x.st.Name+suffix), m.Range().Tuple().Dims()...)
		m, err := named(m, to).Compose(at)
		if err == nil {
			m, err = m.IntersectDomain(x.readers)
		}
		if err == nil {
			m, err = m.Coalesce()
		}
		if err != nil {
			return presburger.Set{}, err
		}
		s.after = s.after.Union(m)
		return m.Range().Coalesce()
	}
	if s.in, err = add(came, "_in"); err == nil && !none {
		s.out, err = add(gone, "_out")
	}
	return s, err == nil, err
}

// before relates a coordinate to all that something is related to there or earlier.
func before(m, earlier presburger.Map) (presburger.Map, error) {
	out, err := m.Compose(earlier)
	if err == nil {
		out, err = out.IntersectDomain(m.Domain())
	}
	if err == nil {
		out, err = out.Coalesce()
	}
	return out, err
}

// named is a relation to tuples of another name.
func named(m presburger.Map, to presburger.Tuple) presburger.Map {
	bs := m.Basics()
	for i := range bs {
		bs[i].Out = to
	}
	return presburger.MapOf(bs...)
}

// ordered fails with scheduler.ErrNone if the system has no order with the table that was found.
func (x *runningPlan) ordered(sys *poly.System) error {
	whole := *sys
	table := &poly.ArrayDecl{Name: x.table.Tuple().Name(), Role: poly.LocalRole, Elem: x.st.Target.Elem, Rank: x.table.Tuple().Len(), Extent: x.table, HasExtent: true}
	whole.Arrays = append(slices.Clone(sys.Arrays), table)
	whole.Statements = nil
	for _, st := range sys.Statements {
		if st != x.st {
			whole.Statements = append(whole.Statements, st)
			continue
		}
		reads, err := x.reading(x.answers(), x.over, st.Name)
		if err != nil {
			return err
		}
		write, err := moved(st.Write, st.Domain, dropping(st.Domain.Tuple(), x.over))
		if err != nil {
			return err
		}
		whole.Statements = append(whole.Statements, &poly.Stmt{Node: st.Node, Name: st.Name, Domain: x.readers, Operator: st.Operator, Target: st.Target, Write: write,
			Reads: reads, Gathers: []*poly.ArrayDecl{table}, After: x.after, HasAfter: true})
		for _, s := range x.moves() {
			reads, err := x.reading(x.summed(), x.answer, s.Tuple().Name())
			if err != nil {
				return err
			}
			whole.Statements = append(whole.Statements, &poly.Stmt{Node: st.Node, Name: s.Tuple().Name(), Domain: s, Operator: st.Operator, Target: table,
				Write: s.CrossMap(x.table), Keyed: true, Reads: reads})
		}
	}
	w, err := systems.NewOrdering(&whole)
	if err != nil {
		return err
	}
	_, err = scheduler.Schedule(scheduler.Problem{Domain: w.Domain, Context: sys.Context, Validity: w.Order, Proximity: w.Order, Coincidence: w.Order},
		scheduler.Options{Algorithm: scheduler.Sequential})
	return err
}
