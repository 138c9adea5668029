package poly

import (
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// Instances are those of all statements, in the context.
func (s *System) Instances() (_ presburger.Set, err error) {
	defer unwind.To(&err)
	var out presburger.Set
	for _, st := range s.Statements {
		d := unwind.Must(st.Domain.IntersectParams(s.Context))
		out = out.Union(d)
	}
	return out.AlignParams(s.Params...), nil
}

// Order relates the instances of a system to those that have to be executed after them.
//
// Of equations: what sets an element before what reads or updates it, and what updates one
// before what reads it. Updates of one element have no order among themselves. An element is set
// once (array single assignment), so that nothing else is to be respected (the paper's 3.3.1, with
// the completion of a reduction left out: it is after each of its updates, and before each reader).
//
// Of a program: of two that access one element, one of them writing it, that which its schedule
// executes first. Updates of one element by one operator have no order among themselves here, too.
func (s *System) Order() (_ presburger.Map, err error) {
	defer unwind.To(&err)
	if !s.Equations {
		d := unwind.Must(s.Memory())
		return d.RAW.Union(d.WAR).Union(d.WAW).Coalesce()
	}
	var out presburger.Map
	for _, a := range s.Arrays {
		m := s.uses(a)
		out = out.Union(m)
	}
	return out.Coalesce()
}

// uses relates instances of equations to those that use what they do to an element of an array.
func (s *System) uses(a *ArrayDecl) (out presburger.Map) {
	sets, updates, reads := s.accesses(a)
	for i, pair := range [][2]presburger.Map{{sets, reads}, {sets, updates}, {updates, reads}} {
		m := unwind.Must(pair[1].Inverse().Compose(pair[0]))
		if i == 2 {
			m = s.ofPartial(a, m)
		}
		out = out.Union(m)
	}
	return out
}

// Lifetimes has for each local array of equations the instances that use an element after one has
// set or updated it, for arrays of more dimensions first.
func (s *System) Lifetimes() (out []presburger.Map, err error) {
	defer unwind.To(&err)
	arrays := slices.DeleteFunc(slices.Clone(s.Arrays), func(a *ArrayDecl) bool { return a.Role != LocalRole || a.Rank == 0 })
	slices.SortStableFunc(arrays, func(a, b *ArrayDecl) int { return b.Rank - a.Rank })
	for _, a := range arrays {
		m := s.uses(a)
		m = unwind.Must(m.Coalesce())
		out = append(out, m)
	}
	return out, nil
}

// Memory computes the memory-based dependences of a program.
func (s *System) Memory() (_ depend.Dependences, err error) {
	defer unwind.To(&err)
	p := s.program()
	return p.Memory()
}

// Flow computes the value-based dependences of a program: for each read the instance whose
// value it gets.
func (s *System) Flow() (_ depend.Flow, err error) {
	defer unwind.To(&err)
	p := s.program()
	return p.Flow()
}

// program is a system with a schedule as accesses and times.
func (s *System) program() (p depend.Program) {
	p.Budget = s.Budget
	p.Schedule = unwind.Must(s.Schedule.Map())
	for _, a := range s.Arrays {
		sets, _, reads := s.accesses(a)
		p.Writes, p.Reads = p.Writes.Union(sets), p.Reads.Union(reads)
		byOp := map[Operator]int{}
		for _, st := range s.Statements {
			if st.Target != a || st.Operator == Set {
				continue
			}
			m := unwind.Must(st.Write.IntersectDomain(st.Domain))
			m = unwind.Must(m.IntersectParams(s.Context))
			i, ok := byOp[st.Operator]
			if !ok {
				i = len(p.Reductions)
				byOp[st.Operator] = i
				p.Reductions = append(p.Reductions, depend.Reduction{Operator: string(st.Operator)})
			}
			p.Reductions[i].Updates = p.Reductions[i].Updates.Union(m)
		}
	}
	return p
}

// accesses are the relations by which the statements set, update and read an array.
func (s *System) accesses(a *ArrayDecl) (sets, updates, reads presburger.Map) {
	add := func(to *presburger.Map, st *Stmt, m presburger.Map) {
		d := unwind.Must(st.Domain.WithBudget(s.Budget).IntersectParams(s.Context))
		m = unwind.Must(m.WithBudget(s.Budget).IntersectDomain(d))
		*to = to.Union(m)
	}
	for _, st := range s.Statements {
		if st.Target == a {
			to := &sets
			if st.Operator != Set {
				to = &updates
			}
			add(to, st, st.Write)
		}
		for _, r := range st.Reads {
			if r.Array == a {
				add(&reads, st, r.Map)
			}
		}
		for _, g := range st.Gathers {
			if g == a && a.HasExtent {
				add(&reads, st, st.Domain.CrossMap(a.Extent))
			}
		}
	}
	return sets, updates, reads
}

// Renaming relates the tuples of one name to those of another with the same coordinates.
func Renaming(from, to string, dims int) presburger.Map {
	names := make([]string, dims)
	for i := range names {
		names[i] = "i" + strconv.Itoa(i)
	}
	list := strings.Join(names, ", ")
	m, err := presburger.ParseMap("{ " + from + "[" + list + "] -> " + to + "[" + list + "] }")
	if err != nil {
		panic("poly: " + err.Error())
	}
	return m
}
