package keyed

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/scheduler"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// steps are what is summed as a coordinate of the answer goes one way.
type steps struct {
	moves []moving
	after presburger.Map // from answers to those that they come after
}

// moving is instances of a reduction that bring something into the table, or out of it.
type moving struct {
	of        *runningSum
	instances presburger.Set
	out       bool
}

// back reports steps that bring something out of the table.
func (s steps) back() bool { return slices.ContainsFunc(s.moves, func(m moving) bool { return m.out }) }

// findSteps finds a coordinate of the answer, and a way for it to go, so that what is summed comes in
// once and goes out once, and in which the system can be computed. Of floats, whose digits may
// cancel, ways by which nothing goes out come first, and reductions have a table together by these
// alone.
func (x *runningPlan) findSteps(sys *poly.System) error {
	why := error(refusal("what is summed does not come and go as one coordinate of the answer grows or falls"))
	var list []steps
	for i, t := range x.answer {
		if _, ok := x.keys[t]; ok {
			continue
		}
		var sums []presburger.Map
		for _, part := range x.parts {
			m, ok, err := part.sums(part.answer[i])
			if err != nil {
				return err
			}
			if ok {
				sums = append(sums, m)
			}
		}
		if len(sums) < len(x.parts) {
			continue
		}
		for _, earlier := range []presburger.Map{lessOrEqual().Inverse(), lessOrEqual()} {
			s, ok, err := x.going(sys, sums, i, earlier)
			if err != nil {
				return err
			}
			if ok {
				list = append(list, s)
			}
		}
	}
	if x.st.Node.Graph().Ctx.IsFloat(x.st.Target.Elem) {
		slices.SortStableFunc(list, func(a, b steps) int { return compareBool(a.back(), b.back()) })
		if len(x.parts) > 1 {
			list = slices.DeleteFunc(list, steps.back)
		}
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

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// sums relates a coordinate of the answer to what is summed, if that depends on nothing else of it.
func (x *runningSum) sums(t int) (presburger.Map, bool, error) {
	whole := x.whole
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
// was before. ok says that nothing goes out that cannot. Where something would have to come in again,
// the system has no order.
func (x *runningPlan) going(sys *poly.System, sums []presburger.Map, answer int, earlier presburger.Map) (s steps, ok bool, err error) {
	at := dimension(x.answers.Tuple(), answer)
	times, err := x.answers.Apply(at)
	if err != nil {
		return s, false, err
	}
	for i, part := range x.parts {
		came, err := before(sums[i], earlier, times)
		if err != nil {
			return s, false, err
		}
		gone, err := came.Subtract(sums[i])
		if err != nil {
			return s, false, err
		}
		none, err := gone.IsEmpty()
		if err != nil || !none && !x.st.Operator.HasInverse() {
			return s, false, err
		}
		if err := s.move(sys, x, part, came, at, "_in", false); err != nil {
			return s, false, err
		}
		if !none {
			if err := s.move(sys, x, part, gone, at, "_out", true); err != nil {
				return s, false, err
			}
		}
	}
	return s, true, nil
}

// move adds what comes or goes of a reduction, by the coordinate that is at some place of an answer.
func (s *steps) move(sys *poly.System, x *runningPlan, of *runningSum, m, at presburger.Map, suffix string, out bool) error {
	m, err := named(m, presburger.NewTuple(unused(sys, of.st.Name+suffix), m.Range().Tuple().Dims()...)).Compose(at)
	if err == nil {
		m, err = m.IntersectDomain(x.answers)
	}
	if err == nil {
		m, err = m.Coalesce()
	}
	if err != nil {
		return err
	}
	s.after = s.after.Union(m)
	instances, err := m.Range().Coalesce()
	s.moves = append(s.moves, moving{of, instances, out})
	return err
}

// before relates a coordinate to all that something is related to there or earlier.
func before(m, earlier presburger.Map, times presburger.Set) (presburger.Map, error) {
	out, err := m.Compose(earlier)
	if err == nil {
		out, err = out.IntersectDomain(times)
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
		if !slices.ContainsFunc(x.parts, func(part *runningSum) bool { return part.st == st }) {
			whole.Statements = append(whole.Statements, st)
		}
	}
	reads, err := x.reading(x.asked(), x.over, x.st.Name)
	if err != nil {
		return err
	}
	write, err := x.without(x.st.Write, x.over, x.st.Name)
	if err != nil {
		return err
	}
	whole.Statements = append(whole.Statements, &poly.Stmt{Node: x.st.Node, Name: x.st.Name, Domain: x.answers, Operator: x.st.Operator, Target: x.st.Target, Write: write,
		Reads: reads, Gathers: []*poly.ArrayDecl{table}, After: x.after, HasAfter: true})
	for _, m := range x.moves {
		name := m.instances.Tuple().Name()
		reads, err := m.of.reading(m.of.summed(), m.of.answer, name)
		if err != nil {
			return err
		}
		whole.Statements = append(whole.Statements, &poly.Stmt{Node: m.of.st.Node, Name: name, Domain: m.instances, Operator: x.st.Operator, Target: table,
			Write: m.instances.CrossMap(x.table), Keyed: true, Reads: reads})
	}
	w, err := systems.NewOrdering(&whole)
	if err != nil {
		return err
	}
	_, err = scheduler.Schedule(scheduler.Problem{Domain: w.Domain, Context: sys.Context, Validity: w.Order, Proximity: w.Order, Coincidence: w.Order},
		scheduler.Options{Algorithm: scheduler.Sequential})
	return err
}
