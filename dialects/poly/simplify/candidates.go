package simplify

import (
	"cmp"
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/presburger/faces"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// A shape is what the search asks of the domain of a reduction.
type shape struct {
	facets [][]p.Int // normals of those that are not saturated
	bounds [][]p.Int // their rows: constant, parameters, dimensions
	moves  [][]p.Int // the directions that do not leave it but for a constant number of points
	flat   [][]p.Int // normals of its equations
}

// shapeOf finds the facets of a domain; those at a constant distance count as saturated where it may be
// thick.
func shapeOf(d p.Set, thick bool) *shape {
	l := unwind.Must(faces.Top(d, thick))
	s := &shape{}
	if len(l.Faces) == 0 {
		return s
	}
	b := l.Whole
	first, n := 1+len(b.Params), b.Out.Len()
	for i, r := range l.Facets {
		if !slices.Contains(l.Faces[0].Saturated, i) && isZero(r[first+n:]) {
			s.facets, s.bounds = append(s.facets, r[first:first+n]), append(s.bounds, r[:first+n])
		}
	}
	for _, r := range b.Eq {
		if isZero(r[first+n:]) {
			s.flat = append(s.flat, r[first:first+n])
		}
	}
	s.moves = l.Faces[0].Directions
	return s
}

// limits of the directions that are looked at.
const (
	mostRays       = 64
	mostDirections = 48
)

// directions are vectors of a lattice, one for each way in which facets can be labelled: to move
// away from the facet, along it, or towards it. These ways are the cells into which the hyperplanes
// of the facets cut the space; in each there is a sum of as many of its extreme rays as it has
// dimensions. Of one way the shortest vector stands for all: it decides which faces are
// added and which subtracted, and so the complexity (Gautam and Rajopadhye, 2006, section 5).
func directions(lattice, facets [][]p.Int) [][]p.Int {
	n := len(lattice)
	if n == 0 {
		return nil
	}
	in := make([][]p.Int, 0, len(facets)) // normals on coordinates of the lattice
	for _, f := range facets {
		r := make([]p.Int, n)
		for i, b := range lattice {
			r[i] = dot(f, b)
		}
		if !isZero(r) {
			in = append(in, r)
		}
	}
	rays := raysOf(in, n)
	best := map[string][]p.Int{}
	var keys []string
	for size := 1; size <= min(n, 3); size++ {
		choose(len(rays), size, func(at []int) {
			v := make([]p.Int, n)
			for _, i := range at {
				for k := range v {
					v[k] = v[k].Add(rays[i][k])
				}
			}
			if v = primitive(v); isZero(v) {
				return
			}
			key := ""
			for _, f := range in {
				key += string(rune('1' + dot(f, v).Sign()))
			}
			if len(in) == 0 {
				key = string(rune('1' + v[pivot(v)].Sign()))
			}
			if old, ok := best[key]; !ok {
				best[key] = v
				keys = append(keys, key)
			} else if length(v).Cmp(length(old)) < 0 {
				best[key] = v
			}
		})
	}
	var out [][]p.Int
	for _, key := range keys {
		v := make([]p.Int, len(lattice[0]))
		for i, x := range best[key] {
			for k := range v {
				v[k] = v[k].Add(x.Mul(lattice[i][k]))
			}
		}
		out = append(out, v)
	}
	slices.SortStableFunc(out, func(a, b []p.Int) int {
		return cmp.Or(length(a).Cmp(length(b)), -compareInts(a, b))
	})
	return out[:min(len(out), mostDirections)]
}

// raysOf are the units, and what is orthogonal to all but one of n dimensions of normals, each in both ways.
func raysOf(in [][]p.Int, n int) (rays [][]p.Int) {
	add := func(v []p.Int) {
		v = primitive(v)
		for _, r := range [][]p.Int{v, negated(v)} {
			if !isZero(r) && len(rays) < mostRays && !slices.ContainsFunc(rays, func(o []p.Int) bool { return compareInts(o, r) == 0 }) {
				rays = append(rays, r)
			}
		}
	}
	for i := range n {
		add(unit(i, n))
	}
	choose(len(in), n-1, func(at []int) {
		rows := lists.Map(at, func(i int) []p.Int { return in[i] })
		if k := p.Orthogonal(rows, n); len(k) == 1 {
			add(k[0])
		}
	})
	return rays
}

// choose calls f with all choices of k of n numbers.
func choose(n, k int, f func([]int)) {
	var at []int
	var from func(i int)
	from = func(i int) {
		if len(at) == k {
			f(at)
			return
		}
		for ; i < n; i++ {
			at = append(at, i)
			from(i + 1)
			at = at[:len(at)-1]
		}
	}
	from(0)
}

// primitive is a vector divided by what its entries have in common.
func primitive(v []p.Int) []p.Int {
	var g p.Int
	for _, x := range v {
		g = g.GCD(x)
	}
	if g.Sign() == 0 {
		return v
	}
	return lists.Map(v, func(x p.Int) p.Int { return x.FloorDiv(g) })
}

func length(v []p.Int) (s p.Int) {
	for _, x := range v {
		s = s.Add(x.Abs())
	}
	return s
}

func compareInts(a, b []p.Int) int { return slices.CompareFunc(a, b, p.Int.Cmp) }
