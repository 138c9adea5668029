package schedule

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// Dependences are what a schedule has to respect.
type Dependences struct {
	// Validity relates an instance to those that have to be executed after it. Pairs that
	// are not both of the domain do not count.
	Validity presburger.Map
	// Coincidence relates the instances that a coincident member must not tell apart; without it
	// what a tree says of coincidence is not looked at. For loops that may run in parallel it is
	// Validity.
	Coincidence presburger.Map
	// Context is what holds of the parameters; the zero Set is no condition.
	Context presburger.Set
}

// A Violation is a pair of instances for which a schedule does not do what it should.
type Violation struct {
	Source, Sink presburger.Point // with the values of the parameters
	Reason       Reason
}

// A Reason says what is wrong with a schedule.
type Reason uint8

// What may be wrong.
const (
	Reversed      Reason = iota // the sink is executed before the source
	AtOnce                      // neither is before the other
	NotPermutable               // a member of a permutable band orders them the wrong way
	NotCoincident               // a coincident member tells them apart
)

// String says it of the pair and names the values of the parameters.
func (v *Violation) String() string {
	source, sink := v.Source, v.Sink
	source.Params = nil
	text := [...]string{
		Reversed:      "%s depends on %s but is executed before it",
		AtOnce:        "%s depends on %s but is not executed after it",
		NotPermutable: "%s depends on %s, and a member of a permutable band orders it before",
		NotCoincident: "%s depends on %s, and a coincident member of a band tells them apart",
	}[v.Reason]
	return fmt.Sprintf(text, presburger.Point{Tuple: sink.Tuple, Coords: sink.Coords}, source) + paramsText(v.Sink)
}

// paramsText is ", where N = 3", or nothing.
func paramsText(p presburger.Point) string {
	s := presburger.Point{Params: p.Params}.String()
	if s = s[len("[]"):]; s == "" {
		return ""
	}
	return "," + s
}

// Legal shows a pair of instances for which a tree does not respect dependences, or
// nothing: each source has to be strictly before its sink. Members of a permutable band may not order a pair
// the wrong way that the nodes around it leave open, and coincident ones not at all. It looks at the tree
// alone, not at how it was found, so it proves what a scheduler or a user says. The tree has to be one (see
// Node.Check); the order of a set is open, and extensions are an error. Flags of a tree with expansions are
// not looked at.
func Legal(root *Node, d Dependences) (_ *Violation, err error) {
	defer unwind.To(&err)
	for _, n := range root.All() {
		switch n.kind {
		case Extension:
			return nil, fmt.Errorf("schedule: the dependences of a tree with an extension cannot be checked")
		case Expansion:
			m := unwind.Must(root.Map())
			flat := unwind.Must(FromMap(m))
			return Legal(flat, d)
		}
	}
	var both [2]presburger.Map
	for i, m := range []presburger.Map{d.Validity, d.Coincidence} {
		m := unwind.Must(m.IntersectDomain(root.set))
		m = unwind.Must(m.IntersectRange(root.set))
		if !(d.Context.Tuple().IsNone() && len(d.Context.Basics()) == 0) {
			m = unwind.Must(m.IntersectParams(d.Context))
		}
		both[i] = m
	}
	return root.children[0].legal(both[0], both[1])
}

// legal looks at a subtree, with the pairs that the nodes around it do not tell apart.
func (n *Node) legal(validity, coincidence presburger.Map) (_ *Violation, err error) {
	defer unwind.To(&err)
	switch n.kind {
	case Leaf:
		return violation(validity, AtOnce), nil
	case Band:
		return n.legalBand(validity, coincidence), nil
	case Sequence, Set:
		return n.legalFilters(validity, coincidence), nil
	}
	return n.children[0].legal(validity, coincidence)
}

func (n *Node) legalFilters(validity, coincidence presburger.Map) *Violation {
	for i, c := range n.children {
		sinks := unwind.Must(validity.IntersectRange(c.set))
		others, reason := presburger.Set{}, Reversed
		if n.kind == Set {
			reason = AtOnce
		}
		for k, other := range n.children {
			if k > i || k < i && n.kind == Set {
				others = others.Union(other.set)
			}
		}
		wrong := unwind.Must(sinks.IntersectDomain(others))
		if v := violation(wrong, reason); v != nil {
			return v
		}
		sinks = unwind.Must(sinks.IntersectDomain(c.set))
		close := unwind.Must(coincidence.IntersectRange(c.set))
		close = unwind.Must(close.IntersectDomain(c.set))
		if v := unwind.Must(c.children[0].legal(sinks, close)); v != nil {
			return v
		}
	}
	return nil
}

func (n *Node) legalBand(validity, coincidence presburger.Map) *Violation {
	all := validity
	for _, m := range n.bands.Members {
		wrong := before(validity, m.Function)
		if v := violation(wrong, Reversed); v != nil {
			return v
		}
		if n.bands.Permutable {
			if v := violation(before(all, m.Function), NotPermutable); v != nil {
				return v
			}
		}
		if m.Coincident {
			for _, pairs := range []presburger.Map{before(coincidence, m.Function), before(coincidence.Inverse(), m.Function).Inverse()} {
				if v := violation(pairs, NotCoincident); v != nil {
					return v
				}
			}
		}
		validity = together(validity, m.Function)
	}
	for _, m := range n.bands.Members {
		coincidence = together(coincidence, m.Function)
	}
	return unwind.Must(n.children[0].legal(validity, coincidence))
}

// violation is a pair of a map, or nil.
func violation(m presburger.Map, r Reason) *Violation {
	for _, part := range m.Maps() {
		p, ok := unwind.Must2(part.Wrap().Sample())
		if ok {
			in, out := part.Tuples()
			source, sink := p, p
			source.Tuple, source.Coords = in.Name(), p.Coords[:in.Len()]
			sink.Tuple, sink.Coords = out.Name(), p.Coords[in.Len():]
			return &Violation{source, sink, r}
		}
	}
	return nil
}

// before are the pairs whose sink has a smaller value than their source.
func before(m, f presburger.Map) presburger.Map {
	return compared(m, f, func(source, sink int, c []presburger.Int, b *presburger.Basic) {
		c[0], c[source], c[sink] = presburger.NewInt(-1), presburger.NewInt(1), presburger.NewInt(-1)
		b.Ge = append(b.Ge, c)
	})
}

// together are the pairs of which both have the same value.
func together(m, f presburger.Map) presburger.Map {
	return compared(m, f, func(source, sink int, c []presburger.Int, b *presburger.Basic) {
		c[source], c[sink] = presburger.NewInt(1), presburger.NewInt(-1)
		b.Eq = append(b.Eq, c)
	})
}

// compared are the pairs of m for whose values of a function f says something by a row
// over them, which are the columns source and sink.
func compared(m, f presburger.Map, say func(source, sink int, c []presburger.Int, b *presburger.Basic)) presburger.Map {
	params := f.AlignParams(m.Params()...).Params()
	m, f = m.AlignParams(params...), f.AlignParams(params...)
	pieces := f.Basics()
	var out []presburger.Basic
	for _, b := range m.Basics() {
		for _, s := range pieces {
			if !s.In.Equal(b.In) {
				continue
			}
			for _, t := range pieces {
				if !t.In.Equal(b.Out) {
					continue
				}
				out = append(out, pairOf(b, s, t, say))
			}
		}
	}
	if len(out) == 0 {
		return presburger.Map{}
	}
	return presburger.MapOf(out...).WithBudget(m.Budget())
}

// pairOf puts the functions of both sides beside a conjunction; their values exist there.
func pairOf(b, s, t presburger.Basic, say func(source, sink int, c []presburger.Int, b *presburger.Basic)) presburger.Basic {
	np, in, out := len(b.Params), b.In.Len(), b.Out.Len()
	first := 1 + np + in + out // the divs of b, the two values, the divs of s and t
	source := first + len(b.Divs)
	sink := source + 1
	width := sink + 1 + len(s.Divs) + len(t.Divs)
	grown := func(r []presburger.Int) []presburger.Int {
		return append(slices.Clone(r), make([]presburger.Int, width-len(r))...)
	}
	moved := func(r []presburger.Int, dims, n, value, divs int) []presburger.Int {
		c := make([]presburger.Int, width)
		copy(c, r[:1+np])
		copy(c[dims:], r[1+np:1+np+n])
		c[value] = r[1+np+n]
		copy(c[divs:], r[1+np+n+1:])
		return c
	}
	r := presburger.Basic{Params: b.Params, In: b.In, Out: b.Out}
	for _, d := range b.Divs {
		r.Divs = append(r.Divs, presburger.Div{Num: grown(d.Num), Den: d.Den})
	}
	r.Divs = append(r.Divs, presburger.Div{}, presburger.Div{})
	for _, e := range b.Eq {
		r.Eq = append(r.Eq, grown(e))
	}
	for _, g := range b.Ge {
		r.Ge = append(r.Ge, grown(g))
	}
	for _, side := range []struct {
		b                    presburger.Basic
		dims, n, value, divs int
	}{{s, 1 + np, in, source, sink + 1}, {t, 1 + np + in, out, sink, sink + 1 + len(s.Divs)}} {
		for range side.b.Divs { // among Ge is what they are
			r.Divs = append(r.Divs, presburger.Div{})
		}
		for _, e := range side.b.Eq {
			r.Eq = append(r.Eq, moved(e, side.dims, side.n, side.value, side.divs))
		}
		for _, g := range side.b.Ge {
			r.Ge = append(r.Ge, moved(g, side.dims, side.n, side.value, side.divs))
		}
	}
	say(source, sink, make([]presburger.Int, width), &r)
	return r
}
