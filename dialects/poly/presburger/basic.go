package presburger

import (
	"fmt"
	"slices"
)

// A Tuple names the dimensions of one side of a map, or of a set: S[i, j], or the
// pair of two others, [S[i] -> A[a]]. The zero Tuple is that of no side at all: the
// first of a set, both of a condition on parameters alone.
type Tuple struct{ t *tuple }

// NewTuple returns name[dims...]; names may be empty.
func NewTuple(name string, dims ...string) Tuple {
	return Tuple{&tuple{name: name, dims: slices.Clone(dims)}}
}

// PairTuple returns [first -> second].
func PairTuple(first, second Tuple) Tuple {
	if first.t == nil || second.t == nil {
		panic("presburger: PairTuple of no tuple")
	}
	return Tuple{&tuple{in: first.t, out: second.t}}
}

// IsNone reports the zero Tuple.
func (t Tuple) IsNone() bool { return t.t == nil }

// Len is the number of dimensions; a pair has those of both.
func (t Tuple) Len() int { return t.t.len() }

// Name is the name, or nothing.
func (t Tuple) Name() string {
	if t.t == nil {
		return ""
	}
	return t.t.name
}

// Dims lists the names of the dimensions, which may be empty.
func (t Tuple) Dims() []string { return t.t.names() }

// Pair returns the two tuples of a pair.
func (t Tuple) Pair() (first, second Tuple, ok bool) {
	if t.t == nil || t.t.in == nil {
		return Tuple{}, Tuple{}, false
	}
	return Tuple{t.t.in}, Tuple{t.t.out}, true
}

// Equal compares names and structure; the names of dimensions do not matter.
func (t Tuple) Equal(u Tuple) bool { return t.t.equal(u.t) }

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
func (s Set) Basics() []Basic { return s.rel().basics() }

// Basics returns the conjunctions of the map, whose union it is.
func (m Map) Basics() []Basic { return m.rel().basics() }

func (r *relation) basics() (out []Basic) {
	for _, p := range r.parts {
		for _, c := range p.conjs {
			b := Basic{Params: slices.Clone(r.params), In: Tuple{p.in}, Out: Tuple{p.out}, Eq: export(c.eq), Ge: export(c.ge)}
			for _, d := range c.divs {
				b.Divs = append(b.Divs, Div{d.num.clone(), d.den})
			}
			out = append(out, b)
		}
	}
	return out
}

func export(rs []row) [][]Int {
	out := make([][]Int, len(rs))
	for i, r := range cloneRows(rs) {
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

func relationOf(bs []Basic) *relation {
	r := &relation{}
	for i, b := range bs {
		if i == 0 {
			r.params = slices.Clone(b.Params)
		} else if !slices.Equal(r.params, b.Params) {
			panic(fmt.Sprintf("presburger: conjunctions over the parameters %q and %q", r.params, b.Params))
		}
		r.put(space{b.In.t, b.Out.t}, b.conj())
	}
	return r
}

// conj is not shared with b.
func (b Basic) conj() *conj {
	c := &conj{n: len(b.Params) + b.In.Len() + b.Out.Len()}
	width := 1 + c.n + len(b.Divs)
	take := func(rs [][]Int) []row {
		out := make([]row, len(rs), len(rs)+2*len(b.Divs))
		block := make(row, len(rs)*width)
		for i, r := range rs {
			if len(r) != width {
				panic(fmt.Sprintf("presburger: a row of %d entries, not %d", len(r), width))
			}
			out[i] = block[i*width : (i+1)*width : (i+1)*width]
			copy(out[i], r)
		}
		return out
	}
	c.eq, c.ge = take(b.Eq), take(b.Ge)
	c.divs = make([]div, len(b.Divs))
	for i, d := range b.Divs {
		c.divs[i] = div{make(row, width), d.Den}
		if d.Den.isZero() {
			continue
		}
		if d.Den.Sign() < 0 || len(d.Num) != width || !row(d.Num).isZero(c.divCol(i)) {
			panic("presburger: a div is floor(Num / Den) with Den > 0 and Num of what comes before it")
		}
		copy(c.divs[i].num, d.Num)
		for k := range i {
			if !c.divs[k].known() && !d.Num[c.divCol(k)].isZero() {
				c.divs[i].den = Int{} // defined by what is not known: unknown too, but bounded
				low := c.divs[i].num.clone()
				low[c.divCol(i)] = d.Den.Neg()
				high := low.negated()
				high[0] = high[0].Add(d.Den).Sub(Int{v: 1})
				c.ge = append(c.ge, low, high)
				clear(c.divs[i].num)
				break
			}
		}
		if c.divs[i].known() {
			c.boundDiv(i)
		}
	}
	if c.hasTwins() {
		merged := universe(c.n)
		merged.add(c) // which makes equal divs one
		c = merged
	}
	return c.simplify()
}

// hasTwins reports two known divs that are the same.
func (c *conj) hasTwins() bool {
	for i, d := range c.divs {
		for _, e := range c.divs[:i] {
			if d.known() && e.den.equal(d.den) && e.num.equal(d.num) {
				return true
			}
		}
	}
	return false
}

// Sets returns a set for each space of s that has a conjunction.
func (s Set) Sets() (out []Set) {
	for _, r := range s.rel().split() {
		out = append(out, Set{r})
	}
	return out
}

// Maps returns a map for each pair of spaces of m that has a conjunction.
func (m Map) Maps() (out []Map) {
	for _, r := range m.rel().split() {
		out = append(out, Map{r})
	}
	return out
}

func (r *relation) split() (out []*relation) {
	for _, p := range r.parts {
		if len(p.conjs) > 0 {
			out = append(out, &relation{params: r.params, parts: []part{p}, budget: r.budget})
		}
	}
	return out
}

// Tuple returns the tuple of the first space of s, or the zero Tuple.
func (s Set) Tuple() Tuple {
	if r := s.rel(); len(r.parts) > 0 {
		return Tuple{r.parts[0].out}
	}
	return Tuple{}
}

// Tuples returns the two tuples of the first space of m, or zero Tuples.
func (m Map) Tuples() (in, out Tuple) {
	if r := m.rel(); len(r.parts) > 0 {
		return Tuple{r.parts[0].in}, Tuple{r.parts[0].out}
	}
	return Tuple{}, Tuple{}
}

// AlignParams returns the set over the given parameters, in their order, to which
// those that it has besides are added.
func (s Set) AlignParams(params ...string) Set { return Set{s.rel().alignParams(params)} }

// AlignParams returns the map over the given parameters, to which others that it has
// are added.
func (m Map) AlignParams(params ...string) Map { return Map{m.rel().alignParams(params)} }

func (r *relation) alignParams(params []string) *relation {
	all := slices.Clone(params)
	for _, p := range r.params {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return r.withParams(all)
}

// Budget is the bound on the work of each operation that WithBudget gave, or 0.
func (s Set) Budget() int64 { return s.rel().budget.each() }

// Budget is the bound on the work of each operation that WithBudget gave, or 0.
func (m Map) Budget() int64 { return m.rel().budget.each() }
