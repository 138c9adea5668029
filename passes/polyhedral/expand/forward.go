package expand

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// rounds bounds the steps by which copies of copies, and what only dead values need, are found.
const rounds = 4

// forward leaves out what only copies values, and finds what something needs.
func (l *lifetimes) forward() {
	l.liveness()
	// A constant makes its copies constant, and a copy that is not read makes what it read dead.
	for range rounds {
		changed := l.constants()
		copied := l.copies()
		l.liveness()
		if !changed && !copied {
			break
		}
	}
}

// updates finds for each base the lives that are updated, by operator.
func (l *lifetimes) updates() {
	for _, b := range l.bases {
		b.updated = map[poly.Operator]presburger.Set{}
	}
	for _, s := range l.sinks {
		if s.kind != updateSink {
			continue
		}
		for _, b := range l.origins(s) {
			b.updated[s.st.Operator] = s.from[b].Domain().Union(b.updated[s.st.Operator])
		}
	}
}

// isUpdated has the lives of a base that are updated.
func (b *base) isUpdated() presburger.Set {
	out := b.noSet()
	for _, op := range b.operators() {
		out = out.Union(b.updated[op])
	}
	return out
}

// operators are those by which lives are updated, in one order.
func (b *base) operators() []poly.Operator {
	return slices.Sorted(maps.Keys(b.updated))
}

// origins are the bases that a sink has values from, in one order.
func (l *lifetimes) origins(s *sink) (out []*base) {
	for _, b := range l.bases {
		if m, ok := s.from[b]; ok && len(m.Basics()) > 0 {
			out = append(out, b)
		}
	}
	return out
}

// yield is what the body of a statement yields: a number, or what it reads by read k, else -1.
func yield(st *poly.Stmt) (v ir.Val, isConst bool, k int) {
	y := st.Node.Region(0).Yields()[0]
	g := y.Graph()
	if c, ok := g.Const(y.Old()); ok && c.Ref == nil {
		return c, true, -1
	}
	for i, p := range st.Node.Region(0).Params() {
		if p == y {
			return v, false, i - st.Domain.Tuple().Len()
		}
	}
	return v, false, -1
}

// constants finds the bases whose lives all begin with one number: what yields it, and what copies it.
func (l *lifetimes) constants() (changed bool) {
	for _, b := range l.bases {
		if b.isConst || b.st == nil || b.st.Operator != poly.Set {
			continue
		}
		v, ok, k := yield(b.st)
		if k >= 0 {
			v, ok = l.copiedConstant(b.st, k)
		}
		if ok {
			b.same, b.isConst, changed = v, true, true
			// A constant reads nothing.
			l.forget(func(s *sink) bool { return s.kind == readSink && s.st == b.st })
		}
	}
	return changed
}

// forget drops sinks.
func (l *lifetimes) forget(drop func(s *sink) bool) {
	rest := lists.Filter(l.sinks, func(s *sink) bool { return !drop(s) })
	l.sinks = rest
}

// reader is the sink of read k of a statement, nil where nothing needs that.
func (l *lifetimes) reader(st *poly.Stmt, k int) *sink {
	for _, s := range l.sinks {
		if s.kind == readSink && s.st == st && s.k == k {
			return s
		}
	}
	return nil
}

// copiedConstant is the number that a statement copies in all instances, from lives that are not
// updated.
func (l *lifetimes) copiedConstant(st *poly.Stmt, k int) (v ir.Val, ok bool) {
	s := l.reader(st, k)
	if s == nil {
		return v, false
	}
	all := l.noSet()
	for _, b := range l.origins(s) {
		m := s.from[b]
		// All sources have to be constants, and the same one.
		if !b.isConst || len(all.Basics()) > 0 && b.same != v {
			return v, false
		}
		if !unwind.Must(m.Domain().IsDisjoint(b.isUpdated())) {
			return v, false
		}
		v, all = b.same, all.Union(m.Range())
	}
	if len(s.from) == 0 {
		return v, false
	}
	whole := unwind.Must(l.reaches(s, all))
	return v, whole
}

// reaches reports that a set has all instances of a sink that something needs.
func (l *lifetimes) reaches(s *sink, all presburger.Set) (_ bool, err error) {
	defer unwind.To(&err)
	want := unwind.Must(l.alive[s.st].Apply(l.renaming(s.st.Name, s.name, s.st.Domain.Tuple().Len())))
	return want.IsSubset(all)
}

// copies lets what reads a copy read the original.
func (l *lifetimes) copies() (changed bool) {
	for _, b := range l.bases {
		if b.st == nil || b.isConst || b.st.Operator != poly.Set {
			continue
		}
		_, _, k := yield(b.st)
		if k < 0 {
			continue
		}
		c := l.reader(b.st, k)
		if c == nil || len(c.from) == 0 {
			continue
		}
		// The copy has to read something in each instance that is needed, or some would have no original.
		all := l.noSet()
		for _, o := range l.origins(c) {
			all = all.Union(c.from[o].Range())
		}
		if !unwind.Must(l.reaches(c, all)) {
			continue
		}
		same := l.renaming(c.name, b.name, b.st.Domain.Tuple().Len())
		for _, s := range l.sinks {
			if len(s.from[b].Basics()) == 0 || s.kind == updateSink || s.st == b.st {
				continue
			}
			did := l.original(s, b, c, same)
			changed = changed || did
		}
	}
	return changed
}

// original replaces a copy, the lives of a base that are not updated, by what it copies.
func (l *lifetimes) original(s *sink, b *base, c *sink, same presburger.Map) bool {
	rest := unwind.Must(s.from[b].Domain().Intersect(b.isUpdated()))
	keeps := unwind.Must(s.from[b].IntersectDomain(rest))
	moves := unwind.Must(s.from[b].Subtract(keeps))
	if unwind.Must(moves.IsEmpty()) {
		return false
	}
	more := map[*base]presburger.Map{}
	for _, o := range l.origins(c) {
		// A base that copies from itself is a recurrence, and has no original.
		if o == b {
			return false
		}
		to := unwind.Must(same.Compose(c.from[o]))
		to = unwind.Must(moves.Compose(to))
		to = unwind.Must(to.Coalesce())
		if len(to.Basics()) > 0 {
			more[o] = to
		}
	}
	if s.kind == endSink {
		if ok, err := l.mayEnd(s, more); err != nil || !ok || len(keeps.Basics()) > 0 {
			unwind.Check(err)
			return false
		}
	}
	for o, m := range more {
		s.from[o] = unwind.Must(m.Union(s.from[o]).Coalesce())
	}
	if s.from[b] = keeps; len(keeps.Basics()) == 0 {
		delete(s.from, b)
	}
	return true
}

// mayEnd reports that what memory has in the end may be had by these lives themselves: all that they
// are, each as one element, and nowhere else.
func (l *lifetimes) mayEnd(s *sink, more map[*base]presburger.Map) (_ bool, err error) {
	defer unwind.To(&err)
	for b, m := range more {
		if b.st == nil || len(s.from[b].Basics()) > 0 {
			return false, nil
		}
		for _, o := range l.sinks {
			if o.kind == endSink && len(o.from[b].Basics()) > 0 {
				return false, nil
			}
		}
		if !unwind.Must(m.IsSingleValued()) {
			return false, nil
		}
		if !unwind.Must(b.live.IsSubset(m.Domain())) {
			return false, nil
		}
	}
	return true, nil
}
