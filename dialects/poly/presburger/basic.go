package presburger

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// A Tuple names the dimensions of one side of a map, or of a set: S[i, j], or the
// pair of two others, [S[i] -> A[a]]. The zero Tuple is that of no side at all: the
// first of a set, both of a condition on parameters alone.
type Tuple struct{ t *union.Tuple }

// NewTuple returns name[dims...]; names may be empty.
func NewTuple(name string, dims ...string) Tuple {
	return Tuple{&union.Tuple{Name: name, Dims: slices.Clone(dims)}}
}

// PairTuple returns [first -> second].
func PairTuple(first, second Tuple) Tuple {
	if first.t == nil || second.t == nil {
		panic("presburger: PairTuple of no tuple")
	}
	return Tuple{&union.Tuple{In: first.t, Out: second.t}}
}

// IsNone reports the zero Tuple.
func (t Tuple) IsNone() bool { return t.t == nil }

// Len is the number of dimensions; a pair has those of both.
func (t Tuple) Len() int { return t.t.Len() }

// Name is the name, or nothing.
func (t Tuple) Name() string {
	if t.t == nil {
		return ""
	}
	return t.t.Name
}

// Dims lists the names of the dimensions, which may be empty.
func (t Tuple) Dims() []string { return t.t.Names() }

// Pair returns the two tuples of a pair.
func (t Tuple) Pair() (first, second Tuple, ok bool) {
	if t.t == nil || t.t.In == nil {
		return Tuple{}, Tuple{}, false
	}
	return Tuple{t.t.In}, Tuple{t.t.Out}, true
}

// Equal compares names and structure; the names of dimensions do not matter.
func (t Tuple) Equal(u Tuple) bool { return t.t.Equal(u.t) }

// A Div is an integer variable that exists: floor(Num / Den), or any where Den is 0.
// Num is a row in which divs from this one on are 0.
type Div struct {
	Num []Int
	Den Int
}

// A Basic is one conjunction of a set or map (isl: basic set): Eq = 0 and Ge >= 0. A
// row is a constant and the coefficients of the parameters, the dimensions of In, of
// Out, and the divs. What defines a div is among Ge.
type Basic struct {
	Params  []string
	In, Out Tuple
	Divs    []Div
	Eq, Ge  [][]Int
}

// Basics returns the conjunctions of the set, whose union it is.
func (s Set) Basics() []Basic { return basics(s.rel()) }

// Basics returns the conjunctions of the map, whose union it is.
func (m Map) Basics() []Basic { return basics(m.rel()) }

func export(rs []lp.Row) [][]Int {
	out := make([][]Int, len(rs))
	for i, r := range lp.CloneRows(rs) {
		out[i] = r
	}
	return out
}

// SetOf returns the union of conjunctions over the same parameters. The bounds of
// known divs need not be among their rows.
func SetOf(bs ...Basic) Set {
	for _, b := range bs {
		if !b.In.IsNone() {
			panic("presburger: SetOf a conjunction of a map")
		}
	}
	return Set{relationOf(bs)}
}

// MapOf returns the union of conjunctions over the same parameters.
func MapOf(bs ...Basic) Map {
	for _, b := range bs {
		if b.In.IsNone() || b.Out.IsNone() {
			panic("presburger: MapOf a conjunction of a set")
		}
	}
	return Map{relationOf(bs)}
}

func relationOf(bs []Basic) *union.Relation {
	r := &union.Relation{}
	for i, b := range bs {
		if i == 0 {
			r.Params = slices.Clone(b.Params)
		} else if !slices.Equal(r.Params, b.Params) {
			panic(fmt.Sprintf("presburger: conjunctions over the parameters %q and %q", r.Params, b.Params))
		}
		r.Put(union.Space{In: b.In.t, Out: b.Out.t}, b.conj())
	}
	return r
}

// conj is not shared with b.
func (b Basic) conj() *conj.Conj {
	c := &conj.Conj{N: len(b.Params) + b.In.Len() + b.Out.Len()}
	width := 1 + c.N + len(b.Divs)
	take := func(rs [][]Int) []lp.Row {
		out := make([]lp.Row, len(rs), len(rs)+2*len(b.Divs))
		block := make(lp.Row, len(rs)*width)
		for i, r := range rs {
			if len(r) != width {
				panic(fmt.Sprintf("presburger: a row of %d entries, not %d", len(r), width))
			}
			out[i] = block[i*width : (i+1)*width : (i+1)*width]
			copy(out[i], r)
		}
		return out
	}
	c.Eq, c.Ge = take(b.Eq), take(b.Ge)
	c.Divs = make([]conj.Div, len(b.Divs))
	for i, d := range b.Divs {
		c.Divs[i] = conj.Div{Num: make(lp.Row, width), Den: d.Den}
		if d.Den.IsZero() {
			continue
		}
		if d.Den.Sign() < 0 || len(d.Num) != width || !lp.Row(d.Num).IsZero(c.DivCol(i)) {
			panic("presburger: a div is floor(Num / Den) with Den > 0 and Num of what comes before it")
		}
		copy(c.Divs[i].Num, d.Num)
		for k := range i {
			if !c.Divs[k].Known() && !d.Num[c.DivCol(k)].IsZero() {
				c.Divs[i].Den = Int{} // defined by what is not known: unknown too, but bounded
				low := c.Divs[i].Num.Clone()
				low[c.DivCol(i)] = d.Den.Neg()
				high := low.Negated()
				high[0] = high[0].Add(d.Den).Sub(lp.NewInt(1))
				c.Ge = append(c.Ge, low, high)
				clear(c.Divs[i].Num)
				break
			}
		}
		if c.Divs[i].Known() {
			c.BoundDiv(i)
		}
	}
	if c.Floors().HasTwins() {
		merged := conj.Universe(c.N)
		merged.Add(c) // which makes equal divs one
		c = merged
	}
	return c.Simplify()
}

// Sets returns a set for each space of s that has a conjunction.
func (s Set) Sets() (out []Set) {
	for _, r := range s.rel().Split() {
		out = append(out, Set{r})
	}
	return out
}

// Maps returns a map for each pair of spaces of m that has a conjunction.
func (m Map) Maps() (out []Map) {
	for _, r := range m.rel().Split() {
		out = append(out, Map{r})
	}
	return out
}

// Tuple returns the tuple of the first space of s, or the zero Tuple.
func (s Set) Tuple() Tuple {
	if r := s.rel(); len(r.Parts) > 0 {
		return Tuple{r.Parts[0].Out}
	}
	return Tuple{}
}

// Tuples returns the two tuples of the first space of m, or zero Tuples.
func (m Map) Tuples() (in, out Tuple) {
	if r := m.rel(); len(r.Parts) > 0 {
		return Tuple{r.Parts[0].In}, Tuple{r.Parts[0].Out}
	}
	return Tuple{}, Tuple{}
}

// AlignParams returns the set over the given parameters, in their order, to which
// those that it has besides are added.
func (s Set) AlignParams(params ...string) Set { return Set{s.rel().AlignParams(params)} }

// AlignParams returns the map over the given parameters, to which others that it has
// are added.
func (m Map) AlignParams(params ...string) Map { return Map{m.rel().AlignParams(params)} }

// Budget is the bound on the work of each operation that WithBudget gave, or 0.
func (s Set) Budget() int64 { return s.rel().Budget.Each() }

// Budget is the bound on the work of each operation that WithBudget gave, or 0.
func (m Map) Budget() int64 { return m.rel().Budget.Each() }

func basics(r *union.Relation) (out []Basic) {
	for _, p := range r.Parts {
		for _, c := range p.Conjs {
			b := Basic{Params: slices.Clone(r.Params), In: Tuple{p.In}, Out: Tuple{p.Out}, Eq: export(c.Eq), Ge: export(c.Ge)}
			for _, d := range c.Divs {
				b.Divs = append(b.Divs, Div{d.Num.Clone(), d.Den})
			}
			out = append(out, b)
		}
	}
	return out
}
