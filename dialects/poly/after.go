package poly

import (
	"cmp"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
)

// A statement that says what it comes after reads partial sums: an element that it reads at a
// computed index has what the keyed instances that it comes after put there, and nothing of the
// others of these statements, which come later. So running counts need no copy for each time at
// which they are read.

// afterOf are the statements that reduce an array of which a statement reads partial sums, or none.
// All that define the array are among them, and keyed.
func (s *System) afterOf(st *Stmt, a *ArrayDecl) (out []*Stmt) {
	if !st.HasAfter || !slices.Contains(st.Gathers, a) {
		return nil
	}
	named := map[string]bool{}
	for _, part := range st.After.Maps() {
		_, to := part.Tuples()
		named[to.Name()] = true
	}
	some, other := false, ""
	for _, by := range s.Statements {
		switch {
		case by.Target != a || by.Operator == Set && (s.Schedule != nil || by.Node == (ir.Node{})): // or it begins the reductions
		case named[by.Name] && by.Keyed:
			some, out = true, append(out, by)
		case named[by.Name]:
			some, other = true, by.Name
		default:
			other = by.Name
		}
	}
	if some && other != "" {
		panic(unwind.Failed(st.Node.Errorf("comes after instances that accumulate into %s, and says nothing of %s, or that is not keyed", a.Name, other)))
	}
	if some && slices.ContainsFunc(st.Reads, func(r Access) bool { return r.Array == a }) {
		panic(unwind.Failed(st.Node.Errorf("reads elements of %s by a relation, which are complete, and says what comes before", a.Name)))
	}
	return out
}

// ofPartial corrects a relation of updates of an array to what reads it, which is one of all to all,
// for statements that read partial sums: they come after some and before the others.
func (s *System) ofPartial(a *ArrayDecl, uses presburger.Map) presburger.Map {
	for _, st := range s.Statements {
		by := s.afterOf(st, a)
		for _, u := range by {
			uses = s.partialUse(uses, u, st)
		}
	}
	return uses
}

func (s *System) partialUse(uses presburger.Map, by, st *Stmt) presburger.Map {
	var out presburger.Map
	for _, part := range uses.Maps() {
		if in, to := part.Tuples(); in.Name() != by.Name || to.Name() != st.Name {
			out = out.Union(part)
		}
	}
	all := unwind.Must(st.Domain.CrossMap(by.Domain).IntersectParams(s.Context))
	after := unwind.Must(all.Intersect(partTo(st.After, by.Name)))
	before := unwind.Must(all.Subtract(after))
	return out.Union(after.Inverse()).Union(before)
}

// readsComplete has the reads of an array without those of partial sums, and the order of these and
// of what updates the array.
func (s *System) readsComplete(a *ArrayDecl, reads presburger.Map) (complete, order presburger.Map) {
	for _, part := range reads.Maps() {
		in, _ := part.Tuples()
		st := s.Statement(in.Name())
		by := s.afterOf(st, a)
		if len(by) == 0 {
			complete = complete.Union(part)
		}
		for _, u := range by {
			m := s.partialUse(presburger.Map{}, u, st)
			order = order.Union(m)
		}
	}
	return complete, order
}

// partTo is the part of a relation that leads to a statement.
func partTo(m presburger.Map, name string) (out presburger.Map) {
	for _, part := range m.Maps() {
		if _, to := part.Tuples(); to.Name() == name {
			out = out.Union(part)
		}
	}
	return out
}

// relatedAfter has the instances of each keyed statement that a statement comes after.
func (s *System) relatedAfter(st *Stmt, params map[string]presburger.Int) (_ map[string]*related, err error) {
	defer unwind.To(&err)
	if !st.HasAfter {
		return nil, nil
	}
	out := map[string]*related{}
	for _, a := range st.Gathers {
		by := s.afterOf(st, a)
		for _, u := range by {
			out[u.Name] = newRelated(partTo(st.After, u.Name), params)
		}
	}
	return out, nil
}

// keyedAfter are the keyed statements of an array of which a statement reads partial sums; nil if it
// reads what is complete.
func (x *statement) keyedAfter(a *elements) []*keyed {
	for _, k := range a.keyed {
		if x.after[k.Name] == nil {
			return nil
		}
	}
	return a.keyed
}

// needsAfter begins the next instance that a statement comes after and that has not run.
func (d *demand) needsAfter(f *frame, list []*keyed, st *statement, at []int64) (waits bool, err error) {
	for ; f.part < len(list); f.part, f.all = f.part+1, 0 {
		k := list[f.part]
		for ; f.all < k.len(); f.all++ {
			if k.state[f.all] == known {
				continue
			}
			if err := d.r.m.Spend(1); err != nil {
				return false, err
			}
			if ok, err := st.after[k.Name].has(at, k.at(f.all)); err != nil {
				return false, err
			} else if !ok {
				continue
			}
			i := f.all
			if k.state[i] == underway {
				return false, d.cycleBy(k, i)
			}
			k.state[i] = underway
			a := d.arrays[k.target]
			d.frames = append(d.frames, frame{a: a, key: slices.Index(a.keyed, k), now: int32(i + 1), alone: true})
			return true, nil
		}
	}
	f.part = 0
	return false, nil
}

// partial are the keyed statements of an array of which the body that runs reads partial sums, where
// equations are computed by demand.
func (r *running) partial(s *store) []*keyed {
	if r.demand == nil || r.now == nil || r.now.after == nil || r.demand.arrays[s] == nil {
		return nil
	}
	return r.now.keyedAfter(r.demand.arrays[s])
}

// after is what the instances that a body comes after put into an element.
func (r *running) after(s *store, list []*keyed, e []int64) (ir.Val, error) {
	c, ok := s.cell(e)
	if !ok {
		return ir.Val{}, s.outside(e)
	}
	v := list[0].Operator.Identity(r.sys.Node.Graph().Ctx, s.array.Elem)
	for _, k := range list {
		went := slices.SortedFunc(slices.Values(k.waiting[c]), func(x, y contribution) int { return cmp.Compare(x.inst, y.inst) })
		for _, x := range went {
			ok, err := r.now.after[k.Name].has(r.point, k.at(int(x.inst)))
			if err != nil {
				return v, err
			}
			if ok {
				v = r.combine(k.statement, v, x.value)
			}
		}
	}
	return v, nil
}
