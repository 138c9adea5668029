package faces

import (
	"fmt"
	"math/bits"
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// A Lattice is the faces of a set.
type Lattice struct {
	// Whole is the set, its equations explicit and without redundant inequalities.
	Whole p.Basic
	// Facets are rows of Whole, of inequalities on its dimensions.
	Facets [][]p.Int
	// Faces has the set itself first, and each face after those that hold it.
	Faces []Face
}

// A Face is the part of a set that saturates some facets.
type Face struct {
	Saturated  []int // indices of facets, ascending
	Domain     p.Set
	Dim        int       // how many independent directions it has
	Below      []int     // the faces that it holds and no face between
	Directions [][]p.Int // a basis of the moves within it, in Hermite normal form
	Lineality  [][]p.Int // a basis of those in which it goes on both ways without end
}

// Limits of what is enumerated.
const (
	maxFacets = 64
	maxFaces  = 4096
)

// Of returns the faces of a set that is one conjunction without variables that exist but
// for floors and strides.
func Of(s p.Set) (*Lattice, error) { return lattice(s, false, false) }

// Thick returns the faces where facets within a constant distance count as saturated.
func Thick(s p.Set) (*Lattice, error) { return lattice(s, true, false) }

// Top returns the facets, and of the faces, as Thick has them or as Of does, only the first, the set itself.
func Top(s p.Set, thick bool) (*Lattice, error) { return lattice(s, thick, true) }

func lattice(s p.Set, thick, top bool) (*Lattice, error) {
	b, err := whole(s)
	if err != nil || b == nil {
		return &Lattice{}, err
	}
	w := &walker{l: &Lattice{Whole: *b}, thick: thick, top: top, budget: s.Budget(), at: map[uint64]int{}}
	if err := w.facets(); err != nil {
		return nil, err
	}
	if w.params, err = parameters(p.SetOf(*b).WithBudget(w.budget)); err != nil {
		return nil, err
	}
	if _, err := w.visit(0); err != nil {
		return nil, err
	}
	return w.sorted(), nil
}

// whole is the only conjunction of a set, nil if there is no point.
func whole(s p.Set) (*p.Basic, error) {
	if len(s.Sets()) > 1 {
		return nil, fmt.Errorf("faces of a set in one space, not %d", len(s.Sets()))
	}
	empty, err := s.IsEmpty()
	if err != nil || empty {
		return nil, err
	}
	if s, err = s.DetectEqualities(); err != nil {
		return nil, err
	}
	if s, err = s.RemoveRedundancies(); err != nil {
		return nil, err
	}
	bs := s.Basics()
	if len(bs) != 1 {
		return nil, fmt.Errorf("faces of one conjunction, not %d; coalesce or make_disjoint the set and take one", len(bs))
	}
	return &bs[0], nil
}

// walker finds the faces from the set down.
type walker struct {
	l      *Lattice
	thick  bool
	top    bool // no face below the set
	budget int64
	params p.Set    // the affine hull of the parameters for which the set has points
	masks  []uint64 // saturated facets of each face
	at     map[uint64]int
}

// facets picks the rows that bound dimensions.
func (w *walker) facets() error {
	b := &w.l.Whole
	first := 1 + len(b.Params)
	for _, r := range b.Ge {
		if isZero(r[first:]) || defines(b, r) {
			continue
		}
		for i, d := range b.Divs {
			if d.Den.Sign() == 0 && r[first+b.Out.Len()+i].Sign() != 0 {
				return fmt.Errorf("faces of a set whose inequalities have no variables that exist but floors")
			}
		}
		w.l.Facets = append(w.l.Facets, r)
	}
	if n := len(w.l.Facets); n > maxFacets {
		return fmt.Errorf("faces of a set with at most %d facets, not %d", maxFacets, n)
	}
	return nil
}

// visit adds the face that facets define, if there is one, and what it holds. The result
// is its index, or -1.
func (w *walker) visit(chosen uint64) (int, error) {
	domain := w.domain(chosen)
	if ok, err := w.general(domain); err != nil || !ok {
		return -1, err
	}
	all, err := w.saturated(chosen)
	if err != nil {
		return -1, err
	}
	if i, ok := w.at[all]; ok {
		return i, nil
	}
	if len(w.masks) == maxFaces {
		return -1, fmt.Errorf("more than %d faces", maxFaces)
	}
	i := len(w.masks)
	w.masks, w.at[all] = append(w.masks, all), i
	f := Face{Domain: domain, Saturated: members(all)}
	if f.Directions, err = w.directions(all); err != nil {
		return -1, err
	}
	f.Dim = len(f.Directions)
	if f.Lineality, err = domain.LinealitySpace(); err != nil {
		return -1, err
	}
	w.l.Faces = append(w.l.Faces, f)
	if w.top {
		return i, nil
	}
	for k := range w.l.Facets {
		if all>>k&1 == 0 {
			if _, err := w.visit(chosen | 1<<k); err != nil {
				return -1, err
			}
		}
	}
	return i, nil
}

// general reports that a face has points for parameters that satisfy no more equations
// than those of the set do: facets that meet for N = 0 alone are no face.
func (w *walker) general(domain p.Set) (bool, error) {
	if empty, err := domain.IsEmpty(); err != nil || empty {
		return false, err
	}
	params, err := parameters(domain)
	if err != nil {
		return false, err
	}
	return w.params.IsSubset(params)
}

// parameters is the affine hull of the parameters for which a set has points.
func parameters(s p.Set) (p.Set, error) {
	s, err := s.ProjectOut(0, s.Tuple().Len())
	if err != nil {
		return s, err
	}
	return s.AffineHull()
}

// saturated are the facets that all points of a face saturate, or are within a constant
// distance of.
func (w *walker) saturated(chosen uint64) (uint64, error) {
	all := chosen
	for k, r := range w.l.Facets {
		if all>>k&1 == 1 {
			continue
		}
		b := w.basic(chosen)
		var is bool
		var err error
		if w.thick {
			is, err = rangeOf(b, r).WithBudget(w.budget).IsBounded()
		} else {
			off := slices.Clone(r)
			off[0] = off[0].Sub(p.NewInt(1))
			b.Ge = append(b.Ge, off)
			is, err = p.SetOf(b).WithBudget(w.budget).IsEmpty()
		}
		if err != nil {
			return 0, err
		}
		if is {
			all |= 1 << k
		}
	}
	return all, nil
}

// basic is the set with facets held with equality.
func (w *walker) basic(chosen uint64) p.Basic {
	b := w.l.Whole
	b.Eq, b.Ge = slices.Clone(b.Eq), slices.Clone(b.Ge)
	for _, k := range members(chosen) {
		b.Eq = append(b.Eq, w.l.Facets[k])
	}
	return b
}

func (w *walker) domain(chosen uint64) p.Set {
	return p.SetOf(w.basic(chosen)).WithBudget(w.budget)
}

// sorted has faces of more directions first, and links each to those right below.
func (w *walker) sorted() *Lattice {
	order := make([]int, len(w.masks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if d := bits.OnesCount64(w.masks[a]) - bits.OnesCount64(w.masks[b]); d != 0 {
			return d
		}
		return slices.Compare(w.l.Faces[a].Saturated, w.l.Faces[b].Saturated)
	})
	out := &Lattice{Whole: w.l.Whole, Facets: w.l.Facets}
	for i, a := range order {
		out.Faces = append(out.Faces, w.l.Faces[a])
		var below []uint64
		for j := i + 1; j < len(order); j++ {
			m := w.masks[order[j]]
			under := m != w.masks[a] && m&w.masks[a] == w.masks[a]
			if under && !slices.ContainsFunc(below, func(b uint64) bool { return m&b == b }) {
				below = append(below, m)
				out.Faces[i].Below = append(out.Faces[i].Below, j)
			}
		}
	}
	return out
}

func members(mask uint64) (out []int) {
	for ; mask != 0; mask &= mask - 1 {
		out = append(out, bits.TrailingZeros64(mask))
	}
	return out
}
