package expand

import (
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

const (
	// liveWork is the work that may go into an exact set of lives.
	liveWork = 400_000
	// livePieces bounds the pieces of one.
	livePieces = 8
)

// liveness finds the lives that something needs, and the instances of statements.
func (l *lifetimes) liveness() {
	l.updates()
	// Fewer lives need fewer instances, and these fewer lives. What remains has all that is needed, so any
	// step may be the last.
	for range rounds {
		for _, b := range l.bases {
			b.live = l.noSet()
		}
		for _, s := range l.sinks {
			if s.kind == updateSink {
				continue
			}
			for _, b := range l.origins(s) {
				need := l.needing(s, b)
				l.enliven(b, need.Domain())
			}
		}
		if !l.prune() {
			return
		}
	}
}

// enliven adds lives that something needs. Where to say which ones takes much, the smallest set around them that is
// simple has them: what a dead life would have is computed, and not read. Of what memory had before the program
// there is no such choice, as it may have had nothing.
func (l *lifetimes) enliven(b *base, d presburger.Set) {
	if b.st == nil {
		unwind.Check(l.join(b, d))
		return
	}
	// The exact set may take a part of the budget; what is not used of it returns.
	part := l.total.Part(liveWork)
	defer l.total.Return(part)
	b.live = b.live.WithTotal(part)
	err := l.join(b, d.WithTotal(part))
	if err == nil && len(b.live.Basics()) <= livePieces || err != nil && err != presburger.ErrBudget {
		b.live = b.live.WithTotal(l.total)
		unwind.Check(err)
		return
	}
	// The hull may leave the instances that begin lives, so it is cut to these.
	whole := b.begins.WithTotal(l.total).Domain()
	if b.live, err = b.live.Union(d).WithTotal(l.total).SimpleHull(); err != nil {
		panic(unwind.Failed(err))
	}
	b.live, err = whole.Intersect(b.live)
	unwind.Check(err)
}

// join adds lives exactly.
func (l *lifetimes) join(b *base, d presburger.Set) (err error) {
	defer unwind.To(&err)
	d = unwind.Must(d.Coalesce())
	if unwind.Must(d.IsSubset(b.live)) {
		return nil
	}
	all := unwind.Must(b.live.Union(d).Coalesce())
	b.live = all
	return nil
}

// needing restricts what a sink has from a base to the instances that something needs.
func (l *lifetimes) needing(s *sink, b *base) presburger.Map {
	m := s.from[b]
	if s.kind == endSink && b.st == nil {
		return unwind.Must(m.IntersectDomain(b.isUpdated())) // the others are where they were
	}
	if s.kind == endSink || !l.pruned[s.st] {
		return m
	}
	d := unwind.Must(l.alive[s.st].Apply(l.renaming(s.st.Name, s.name, s.st.Domain.Tuple().Len())))
	return unwind.Must(m.IntersectRange(d))
}

// prune keeps the instances of statements that begin or update lives that something needs.
func (l *lifetimes) prune() (changed bool) {
	next := map[*poly.Stmt]presburger.Set{}
	for _, b := range l.bases {
		b.live = unwind.Must(b.live.Coalesce())
		if b.st != nil {
			next[b.st] = b.live.Union(next[b.st])
		}
	}
	for _, s := range l.sinks {
		if s.kind != updateSink {
			continue
		}
		// Updates of dead lives are dropped with them.
		for _, b := range l.origins(s) {
			x := unwind.Must(s.from[b].IntersectDomain(b.live))
			s.from[b] = x
			next[s.st] = x.Range().Union(next[s.st])
		}
	}
	for _, st := range l.sys.Statements {
		if unwind.Must(next[st].IsEqual(l.alive[st])) {
			continue
		}
		changed, l.pruned[st] = true, true
		l.alive[st] = unwind.Must(next[st].Coalesce())
	}
	return changed
}
