package poly

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// A Dependence relates instances to those that need their values, or to the completions of the
// reductions that they take part in: points named as an array, its elements (the middle
// polyhedra of the paper's Figures 1 to 3).
type Dependence struct {
	Kind string // see Dependences
	Map  presburger.Map
}

// Completions are the elements of the arrays that reductions define, each when it has all that
// accumulates in it.
func (s *System) Completions() (out []presburger.Set, err error) {
	defer unwind.To(&err)
	for _, a := range s.Arrays {
		_, updates, _ := s.accesses(a)
		if e := updates.Range(); len(e.Sets()) > 0 {
			out = append(out, e.AlignParams(s.Params...))
		}
	}
	return out, nil
}

// Dependences are those of one pair of statements each, or of a statement and an array whose
// reductions are completed between the two.
//
// Of equations: "reduction", from an update to a completion; "use", of one; "value", of an element
// that is set; "partial", from an update to what reads a partial sum that it is in, and from that to
// an update that it is not in. Of a program, of instances that access one element in the order of the schedule:
// "flow", from what writes it to what reads it; "anti", to what writes after a read; "output",
// between two that write; "update", between two that update by one operator, in any order; and
// "value", to each read from what it gets its value from, which is the last of those of "flow".
func (s *System) Dependences() (_ []Dependence, err error) {
	defer unwind.To(&err)
	var list dependences
	if s.Schedule != nil {
		s.programDependences(&list)
		return list, nil
	}
	s.equationDependences(&list)
	return list, nil
}

type dependences []Dependence

// add adds a relation, split by the statements that it is of.
func (out *dependences) add(kind string, m presburger.Map) {
	for _, part := range m.Maps() {
		part := unwind.Must(part.Coalesce())
		if !unwind.Must(part.IsEmpty()) {
			*out = append(*out, Dependence{kind, part})
		}
	}
}

// programDependences are memory-based, and those of values.
func (s *System) programDependences(out *dependences) {
	memory := unwind.Must(s.Memory())
	for _, d := range []Dependence{{"flow", memory.RAW}, {"anti", memory.WAR}, {"output", memory.WAW}, {"update", memory.Reduction}} {
		out.add(d.Kind, d.Map)
	}
	flow := unwind.Must(s.Flow())
	var values presburger.Map // without the elements
	for _, m := range flow.May.Maps() {
		_, to := m.Tuples()
		sink, _, _ := to.Pair()
		m = unwind.Must(first(to, sink).Compose(m))
		values = values.Union(m)
	}
	out.add("value", values)
}

// first relates pairs to their first half.
func first(pair, half presburger.Tuple) presburger.Map {
	b := presburger.Basic{In: pair, Out: half}
	for i := range half.Len() {
		r := make([]presburger.Int, 1+pair.Len()+half.Len())
		r[1+i], r[1+pair.Len()+i] = presburger.NewInt(-1), presburger.NewInt(1)
		b.Eq = append(b.Eq, r)
	}
	return presburger.MapOf(b)
}

func (s *System) equationDependences(out *dependences) {
	for _, a := range s.Arrays {
		sets, updates, reads := s.accesses(a)
		complete, before := s.readsComplete(a, reads)
		completed := unwind.Must(complete.IntersectRange(updates.Range()))
		values := unwind.Must(reads.Inverse().Compose(sets))
		out.add("reduction", updates)
		out.add("use", completed.Inverse())
		out.add("value", values)
		out.add("partial", before)
	}
}
