package poly

import (
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// Instances are those of all statements, in the context.
func (s *System) Instances() (presburger.Set, error) {
	var out presburger.Set
	for _, st := range s.Statements {
		d, err := st.Domain.IntersectParams(s.Context)
		if err != nil {
			return out, err
		}
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
func (s *System) Order() (presburger.Map, error) {
	if !s.Equations {
		d, err := s.Memory()
		if err != nil {
			return presburger.Map{}, err
		}
		return d.RAW.Union(d.WAR).Union(d.WAW).Coalesce()
	}
	var out presburger.Map
	for _, a := range s.Arrays {
		m, err := s.uses(a)
		if err != nil {
			return out, err
		}
		out = out.Union(m)
	}
	return out.Coalesce()
}

// uses relates instances of equations to those that use what they do to an element of an array.
func (s *System) uses(a *ArrayDecl) (out presburger.Map, err error) {
	sets, updates, reads, err := s.accesses(a)
	if err != nil {
		return out, err
	}
	for i, pair := range [][2]presburger.Map{{sets, reads}, {sets, updates}, {updates, reads}} {
		m, err := pair[1].Inverse().Compose(pair[0])
		if err != nil {
			return out, err
		}
		if i == 2 {
			if m, err = s.ofPartial(a, m); err != nil {
				return out, err
			}
		}
		out = out.Union(m)
	}
	return out, nil
}

// Lifetimes has for each local array of equations the instances that use an element after one has
// set or updated it, for arrays of more dimensions first.
func (s *System) Lifetimes() (out []presburger.Map, err error) {
	arrays := slices.DeleteFunc(slices.Clone(s.Arrays), func(a *ArrayDecl) bool { return a.Role != LocalRole || a.Rank == 0 })
	slices.SortStableFunc(arrays, func(a, b *ArrayDecl) int { return b.Rank - a.Rank })
	for _, a := range arrays {
		m, err := s.uses(a)
		if err == nil {
			m, err = m.Coalesce()
		}
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// Memory computes the memory-based dependences of a program.
func (s *System) Memory() (depend.Dependences, error) {
	p, err := s.program()
	if err != nil {
		return depend.Dependences{}, err
	}
	return p.Memory()
}

// Flow computes the value-based dependences of a program: for each read the instance whose
// value it gets.
func (s *System) Flow() (depend.Flow, error) {
	p, err := s.program()
	if err != nil {
		return depend.Flow{}, err
	}
	return p.Flow()
}

// program is a system with a schedule as accesses and times.
func (s *System) program() (p depend.Program, err error) {
	p.Budget = s.Budget
	if p.Schedule, err = s.Schedule.Map(); err != nil {
		return p, err
	}
	for _, a := range s.Arrays {
		sets, _, reads, err := s.accesses(a)
		if err != nil {
			return p, err
		}
		p.Writes, p.Reads = p.Writes.Union(sets), p.Reads.Union(reads)
		byOp := map[Operator]int{}
		for _, st := range s.Statements {
			if st.Target != a || st.Operator == Set {
				continue
			}
			m, err := st.Write.IntersectDomain(st.Domain)
			if err == nil {
				m, err = m.IntersectParams(s.Context)
			}
			if err != nil {
				return p, err
			}
			i, ok := byOp[st.Operator]
			if !ok {
				i = len(p.Reductions)
				byOp[st.Operator] = i
				p.Reductions = append(p.Reductions, depend.Reduction{Operator: string(st.Operator)})
			}
			p.Reductions[i].Updates = p.Reductions[i].Updates.Union(m)
		}
	}
	return p, nil
}

// accesses are the relations by which the statements set, update and read an array.
func (s *System) accesses(a *ArrayDecl) (sets, updates, reads presburger.Map, err error) {
	add := func(to *presburger.Map, st *Stmt, m presburger.Map) error {
		d, err := st.Domain.WithBudget(s.Budget).IntersectParams(s.Context)
		if err != nil {
			return err
		}
		if m, err = m.WithBudget(s.Budget).IntersectDomain(d); err == nil {
			*to = to.Union(m)
		}
		return err
	}
	for _, st := range s.Statements {
		if st.Target == a {
			to := &sets
			if st.Operator != Set {
				to = &updates
			}
			if err = add(to, st, st.Write); err != nil {
				return
			}
		}
		for _, r := range st.Reads {
			if r.Array == a {
				if err = add(&reads, st, r.Map); err != nil {
					return
				}
			}
		}
		for _, g := range st.Gathers {
			if g == a && a.HasExtent {
				if err = add(&reads, st, st.Domain.CrossMap(a.Extent)); err != nil {
					return
				}
			}
		}
	}
	return
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
