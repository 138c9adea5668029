package keyed

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/scheduler"
	"github.com/irc-lang/irc/ir/unwind"
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
func (x *runningPlan) findSteps(sys *poly.System) (failed error) {
	defer unwind.To(&failed)
	why := error(refusal("what is summed does not come and go as one coordinate of the answer grows or falls"))
	var list []steps
	for i, t := range x.answer {
		if _, ok := x.keys[t]; ok {
			continue
		}
		var sums []presburger.Map
		for _, part := range x.parts {
			m, ok := part.sums(part.answer[i])
			if ok {
				sums = append(sums, m)
			}
		}
		if len(sums) < len(x.parts) {
			continue
		}
		for _, earlier := range []presburger.Map{lessOrEqual().Inverse(), lessOrEqual()} {
			s, ok := x.going(sys, sums, i, earlier)
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
func (x *runningSum) sums(t int) (presburger.Map, bool) {
	whole := x.whole
	over, is := dropping(whole.Tuple(), x.answer), dimension(whole.Tuple(), t)
	m := unwind.Must(over.IntersectDomain(whole))
	m = unwind.Must(m.Compose(is.Inverse()))
	of := unwind.Must(m.Compose(is)) // from instances to all that is summed at their time
	of = unwind.Must(of.Intersect(over))
	all := unwind.Must(x.readers.Apply(dropping(whole.Tuple(), x.over).Inverse()))
	all = unwind.Must(all.Intersect(of.Domain()))
	ok := unwind.Must(all.IsSubset(whole))
	return m, ok
}

// going finds what comes in and goes out as a coordinate goes one way; earlier relates it to where it
// was before. ok says that nothing goes out that cannot. Where something would have to come in again,
// the system has no order.
func (x *runningPlan) going(sys *poly.System, sums []presburger.Map, answer int, earlier presburger.Map) (s steps, ok bool) {
	at := dimension(x.answers.Tuple(), answer)
	times := unwind.Must(x.answers.Apply(at))
	for i, part := range x.parts {
		came := before(sums[i], earlier, times)
		gone := unwind.Must(came.Subtract(sums[i]))
		none := unwind.Must(gone.IsEmpty())
		if !none && !x.st.Operator.HasInverse() {
			return s, false
		}
		s.move(sys, x, part, came, at, "_in", false)
		if !none {
			s.move(sys, x, part, gone, at, "_out", true)
		}
	}
	return s, true
}

// move adds what comes or goes of a reduction, by the coordinate that is at some place of an answer.
func (s *steps) move(sys *poly.System, x *runningPlan, of *runningSum, m, at presburger.Map, suffix string, out bool) {
	m = unwind.Must(named(m, presburger.NewTuple(unused(sys, of.st.Name+suffix), m.Range().Tuple().Dims()...)).Compose(at))
	m = unwind.Must(m.IntersectDomain(x.answers))
	m = unwind.Must(m.Coalesce())
	s.after = s.after.Union(m)
	instances := unwind.Must(m.Range().Coalesce())
	s.moves = append(s.moves, moving{of, instances, out})
}

// before relates a coordinate to all that something is related to there or earlier.
func before(m, earlier presburger.Map, times presburger.Set) presburger.Map {
	out := unwind.Must(m.Compose(earlier))
	out = unwind.Must(out.IntersectDomain(times))
	return unwind.Must(out.Coalesce())
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
func (x *runningPlan) ordered(sys *poly.System) (err error) {
	defer unwind.To(&err)
	whole := *sys
	table := &poly.ArrayDecl{Name: x.table.Tuple().Name(), Role: poly.LocalRole, Elem: x.st.Target.Elem, Rank: x.table.Tuple().Len(), Extent: x.table, HasExtent: true}
	whole.Arrays = append(slices.Clone(sys.Arrays), table)
	whole.Statements = nil
	for _, st := range sys.Statements {
		if !slices.ContainsFunc(x.parts, func(part *runningSum) bool { return part.st == st }) {
			whole.Statements = append(whole.Statements, st)
		}
	}
	reads := unwind.Must(x.reading(x.asked(), x.over, x.st.Name))
	write := unwind.Must(x.without(x.st.Write, x.over, x.st.Name))
	whole.Statements = append(whole.Statements, &poly.Stmt{Node: x.st.Node, Name: x.st.Name, Domain: x.answers, Operator: x.st.Operator, Target: x.st.Target, Write: write,
		Reads: reads, Gathers: []*poly.ArrayDecl{table}, After: x.after, HasAfter: true})
	for _, m := range x.moves {
		name := m.instances.Tuple().Name()
		reads := unwind.Must(m.of.reading(m.of.summed(), m.of.answer, name))
		whole.Statements = append(whole.Statements, &poly.Stmt{Node: m.of.st.Node, Name: name, Domain: m.instances, Operator: x.st.Operator, Target: table,
			Write: m.instances.CrossMap(x.table), Keyed: true, Reads: reads})
	}
	w := unwind.Must(systems.NewOrdering(&whole))
	unwind.Must(scheduler.Schedule(scheduler.Problem{Domain: w.Domain, Context: sys.Context, Validity: w.Order, Proximity: w.Order, Coincidence: w.Order},
		scheduler.Options{Algorithm: scheduler.Sequential}))
	return nil
}
