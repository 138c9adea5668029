package expand

import (
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// liveness finds the lives that something needs, and the instances of statements.
func (l *lives) liveness() error {
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
				d, err := need.Domain().Coalesce()
				if err != nil {
					return err
				}
				if has, err := d.IsSubset(b.live); err != nil {
					return err
				} else if !has {
					b.live = b.live.Union(d)
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

// needing restricts what a sink has from a base to the instances that something needs.
func (l *lives) needing(s *sink, b *base) (presburger.Map, error) {
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
func (l *lives) prune() (changed bool, err error) {
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
