package presburger

import (
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// Coalesce joins conjunctions where their union is one: it drops those that others
// hold, and replaces two by the constraints that both have room for where that adds
// no point.
func (s Set) Coalesce() (Set, error) { return set(coalesce(s.rel())) }

// Coalesce joins conjunctions where their union is one.
func (m Map) Coalesce() (Map, error) { return mapOf(coalesce(m.rel())) }

// RemoveRedundancies drops the constraints of each conjunction that the others
// imply over the rationals.
func (s Set) RemoveRedundancies() (Set, error) {
	return set(s.rel().EachConj((*conj.Conj).Irredundant))
}

// RemoveRedundancies drops constraints that the others imply.
func (m Map) RemoveRedundancies() (Map, error) {
	return mapOf(m.rel().EachConj((*conj.Conj).Irredundant))
}

// DetectEqualities makes the equations explicit that hold at all points.
func (s Set) DetectEqualities() (Set, error) {
	return set(s.rel().EachConj((*conj.Conj).WithEqualities))
}

// DetectEqualities makes the equations explicit that hold for all pairs.
func (m Map) DetectEqualities() (Map, error) {
	return mapOf(m.rel().EachConj((*conj.Conj).WithEqualities))
}

// Gist simplifies s where t is known to hold: the result meets t in the same points
// as s.
func (s Set) Gist(t Set) (Set, error) { return set(gist(s.rel(), t.rel())) }

// Gist simplifies m where n is known to hold.
func (m Map) Gist(n Map) (Map, error) { return mapOf(gist(m.rel(), n.rel())) }

func coalesce(r *union.Relation) (*union.Relation, error) {
	return r.Do(func(w *lp.Work) *union.Relation {
		return r.Each(func(p union.Part) (union.Space, []*conj.Conj) { return p.Space, conj.CoalesceAll(p.Conjs, w) })
	})
}

func gist(a, b *union.Relation) (*union.Relation, error) {
	a, b = union.Align(a, b)
	return a.Do(func(w *lp.Work) *union.Relation {
		return a.Each(func(p union.Part) (union.Space, []*conj.Conj) {
			q := b.Find(p.Space)
			if q == nil || len(q.Conjs) == 0 {
				return p.Space, nil
			}
			var out []*conj.Conj
			for _, c := range p.Conjs {
				if len(q.Conjs) > 1 {
					if !conj.Hits(c, q.Conjs, w) {
						continue
					}
					out = append(out, c)
					continue
				}
				if g := c.Gist(q.Conjs[0], w); !g.Empty {
					out = append(out, g)
				}
			}
			return p.Space, out
		})
	})
}
