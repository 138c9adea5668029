package expand

import (
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

const (
	// liveWork is the work that may go into an exact set of lives.
	liveWork = 400_000
	// livePieces bounds the pieces of one.
	livePieces = 8
)

// liveness finds the lives that something needs, and the instances of statements.
func (l *lifetimes) liveness() error {
	if err := l.updates(); err != nil {
		return err
	}
	for range rounds {
		for _, b := range l.bases {
			b.live = l.noSet()
		}
		for _, s := range l.sinks {
			if s.kind == updateSink {
				continue
			}
			for _, b := range l.origins(s) {
				need, err := l.needing(s, b)
				if err != nil {
					return err
				}
				if err := l.enliven(b, need.Domain()); err != nil {
					return err
				}
			}
		}
		changed, err := l.prune()
		if err != nil || !changed {
			return err
		}
	}
	return nil
}

// enliven adds lives that something needs. Where to say which ones takes much, the smallest set around them that is
// simple has them: what a dead life would have is computed, and not read. Of what memory had before the program
// there is no such choice, as it may have had nothing.
func (l *lifetimes) enliven(b *base, d presburger.Set) error {
	if b.st == nil {
		return l.join(b, d)
	}
	part := l.total.Part(liveWork)
	defer l.total.Return(part)
	b.live = b.live.WithTotal(part)
	err := l.join(b, d.WithTotal(part))
	if err == nil && len(b.live.Basics()) <= livePieces || err != nil && err != presburger.ErrBudget {
		b.live = b.live.WithTotal(l.total)
		return err
	}
	whole := b.begins.WithTotal(l.total).Domain()
	if b.live, err = b.live.Union(d).WithTotal(l.total).SimpleHull(); err != nil {
		return err
	}
	b.live, err = whole.Intersect(b.live)
	return err
}

// join adds lives exactly.
func (l *lifetimes) join(b *base, d presburger.Set) error {
	d, err := d.Coalesce()
	if err != nil {
		return err
	}
	if has, err := d.IsSubset(b.live); err != nil || has {
		return err
	}
	all, err := b.live.Union(d).Coalesce()
	if err == nil { // else what was there stays: the caller goes on with it
		b.live = all
	}
	return err
}

// needing restricts what a sink has from a base to the instances that something needs.
func (l *lifetimes) needing(s *sink, b *base) (presburger.Map, error) {
	m := s.from[b]
	if s.kind == endSink && b.st == nil {
		return m.IntersectDomain(b.isUpdated()) // the others are where they were
	}
	if s.kind == endSink || !l.pruned[s.st] {
		return m, nil
	}
	d, err := l.alive[s.st].Apply(l.renaming(s.st.Name, s.name, s.st.Domain.Tuple().Len()))
	if err != nil {
		return m, err
	}
	return m.IntersectRange(d)
}

// prune keeps the instances of statements that begin or update lives that something needs.
func (l *lifetimes) prune() (changed bool, err error) {
	next := map[*poly.Stmt]presburger.Set{}
	for _, b := range l.bases {
		if b.live, err = b.live.Coalesce(); err != nil {
			return false, err
		}
		if b.st != nil {
			next[b.st] = b.live.Union(next[b.st])
		}
	}
	for _, s := range l.sinks {
		if s.kind != updateSink {
			continue
		}
		for _, b := range l.origins(s) {
			x, err := s.from[b].IntersectDomain(b.live)
			if err != nil {
				return false, err
			}
			s.from[b] = x
			next[s.st] = x.Range().Union(next[s.st])
		}
	}
	for _, st := range l.sys.Statements {
		less, err := next[st].IsEqual(l.alive[st])
		if err != nil {
			return false, err
		}
		if less {
			continue
		}
		changed, l.pruned[st] = true, true
		if l.alive[st], err = next[st].Coalesce(); err != nil {
			return false, err
		}
	}
	return changed, nil
}
