package presburger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/hull"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// Generators are those of the rational relaxation of one conjunction: its points are
// the sums of a convex combination of the vertices, a nonnegative one of the rays and
// any one of the lines. A vector is homogeneous: a denominator, which is 0 for a ray or
// a line, then numerators of the parameters, the dimensions of In and of Out. What
// exists in the conjunction is projected out.
type Generators struct {
	In, Out Tuple
	Rays    [][]Int // and the vertices
	Lines   [][]Int
}

// Generators returns the generators of each conjunction that has an integer point, of
// a set, over its parameters in their order.
func (s Set) Generators() ([]Generators, error) { return generators(s.rel()) }

// Generators returns the generators of each conjunction that has an integer point.
func (m Map) Generators() ([]Generators, error) { return generators(m.rel()) }

// Coefficients returns the affine functions c + a x that are at least 0 on the whole
// rational relaxation of a set in one space: as a set of tuples of c, the coefficients
// of the parameters, and those of the dimensions (isl: basic_set_coefficients). That is
// Farkas' lemma with its multipliers eliminated: such a function is at least 0 at each vertex, does not fall
// along a ray, and is constant along a line (Schrijver, "Theory of Linear and Integer Programming", 7.1 and
// 7.2).
func (s Set) Coefficients() (Set, error) {
	gs, err := s.Generators()
	if err != nil || len(gs) == 0 {
		return Set{}, err
	}
	for _, g := range gs {
		if !g.Out.Equal(gs[0].Out) {
			return Set{}, fmt.Errorf("presburger: Coefficients wants a set in one space, not %s and %s", gs[0].Out.t.Text(), g.Out.t.Text())
		}
	}
	dims := append([]string{"c"}, s.Params()...)
	b := Basic{Out: NewTuple("", append(dims, gs[0].Out.Dims()...)...)}
	for _, g := range gs {
		for _, v := range g.Rays {
			b.Ge = append(b.Ge, append([]Int{{}}, v...))
		}
		for _, v := range g.Lines {
			b.Eq = append(b.Eq, append([]Int{{}}, v...))
		}
	}
	return SetOf(b).WithBudget(s.Budget()).RemoveRedundancies()
}

// String writes the vertices as quotients, then rays and lines.
func (g Generators) String() string {
	var vertices, rays, lines []string
	for _, r := range g.Rays {
		if r[0].IsZero() {
			rays = append(rays, fmt.Sprint(r[1:]))
			continue
		}
		v := make([]string, len(r)-1)
		for i, x := range r[1:] {
			v[i] = lp.NewRat(x, r[0]).String()
		}
		vertices = append(vertices, "["+strings.Join(v, " ")+"]")
	}
	for _, l := range g.Lines {
		lines = append(lines, fmt.Sprint(l[1:]))
	}
	var out []string
	for _, kind := range []struct {
		name    string
		vectors []string
	}{{"vertices", vertices}, {"rays", rays}, {"lines", lines}} {
		if len(kind.vectors) > 0 {
			slices.Sort(kind.vectors)
			out = append(out, kind.name+" "+strings.Join(kind.vectors, " "))
		}
	}
	return strings.Join(out, ", ")
}

func generators(r *union.Relation) ([]Generators, error) {
	return lp.Run(r.Budget, func(w *lp.Work) (out []Generators) {
		for _, p := range r.Parts {
			for _, c := range p.Conjs {
				if c.HasPoint(w) {
					rays, lines := hull.Generators(c, w)
					out = append(out, Generators{Tuple{p.In}, Tuple{p.Out}, export(rays), export(lines)})
				}
			}
		}
		return out
	})
}
