package presburger

import (
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/hull"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// AffineHull returns, in each space, the smallest set that equations without floors
// describe and that holds all integer points of s. Parameters count as dimensions.
// isl's keeps strides that single conjunctions have: see LatticeHull.
func (s Set) AffineHull() (Set, error) { return set(hulls(s.rel(), conj.AffineHull)) }

// AffineHull returns the smallest map that equations without floors describe and
// that holds all pairs of m.
func (m Map) AffineHull() (Map, error) { return mapOf(hulls(m.rel(), conj.AffineHull)) }

// LatticeHull returns, in each space, the smallest set of the form x0 + integer
// combinations of some vectors that holds all integer points of s: equations and
// congruences. Parameters count as dimensions.
func (s Set) LatticeHull() (Set, error) { return set(hulls(s.rel(), hull.LatticeHull)) }

// LatticeHull returns the smallest map of equations and congruences that holds all
// pairs of m.
func (m Map) LatticeHull() (Map, error) { return mapOf(hulls(m.rel(), hull.LatticeHull)) }

// PolyhedralHull returns, in each space, the convex hull, closed, of the rational
// relaxations of the conjunctions that have integer points: variables that exist may
// be rational there, and constants are rounded to what the integer solutions of the
// equations allow. Parameters count as dimensions. It is exponential in these.
func (s Set) PolyhedralHull() (Set, error) { return set(hulls(s.rel(), hull.PolyhedralHull)) }

// PolyhedralHull returns the convex hull of the relaxations; see Set.PolyhedralHull.
func (m Map) PolyhedralHull() (Map, error) { return mapOf(hulls(m.rel(), hull.PolyhedralHull)) }

// SimpleHull returns, in each space, one conjunction that holds s: of the constraints
// of all conjunctions those with room for every integer point, loosened as little as
// that takes. An inequality that has no bound on s is left out, an equation counts as
// two inequalities. Floors stay as far as they are functions of the dimensions. What
// it is depends on the constraints that s has, not on its points alone.
func (s Set) SimpleHull() (Set, error) { return set(hulls(s.rel(), hull.SimpleHull)) }

// SimpleHull returns one conjunction that holds m; see Set.SimpleHull.
func (m Map) SimpleHull() (Map, error) { return mapOf(hulls(m.rel(), hull.SimpleHull)) }

// hulls replaces the union in each space by one conjunction.
func hulls(r *union.Relation, hull func(cs []*conj.Conj, n int, w *lp.Work) *conj.Conj) (*union.Relation, error) {
	return r.Do(func(w *lp.Work) *union.Relation {
		return r.Each(func(p union.Part) (union.Space, []*conj.Conj) {
			c := hull(p.Conjs, len(r.Params)+p.Dims(), w)
			if c == nil || c.Empty {
				return p.Space, nil
			}
			return p.Space, []*conj.Conj{c}
		})
	})
}
