package codegen

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
)

// An element is a set of values of a dimension, and of those before it, that gets a loop.
type element struct {
	exact presburger.Set
	loop  schedule.Loop
}

// elements divides the values of a dimension, by its options, into sets that have none in
// common.
func (g *generator) elements(ps []projected, d int, b band) (out []element) {
	var rest presburger.Set
	for i, p := range ps {
		if i == 0 {
			rest = p.on
		} else {
			rest = rest.Union(p.on)
		}
	}
	if len(rest.Basics()) > 1 {
		rest = must(rest.Coalesce())
	}
	for _, o := range b.loops(d) {
		part := rest
		if !o.all {
			part = must(rest.Intersect(o.where))
			if must(part.IsEmpty()) {
				continue
			}
			rest = must(rest.Subtract(part))
		}
		switch o.loop {
		case schedule.Atomic:
			out = append(out, element{part, o.loop})
		case schedule.Separate:
			pieces, ok := g.separated(ps, part, d)
			if !ok {
				pieces = conjunctions(part, schedule.Default)
			}
			out = append(out, pieces...)
		default:
			out = append(out, conjunctions(part, o.loop)...)
		}
		if o.all {
			return out
		}
		if must(rest.IsEmpty()) {
			return out
		}
	}
	return append(out, conjunctions(rest, schedule.Default)...)
}

// conjunctions are disjoint, one element each.
func conjunctions(s presburger.Set, l schedule.Loop) (out []element) {
	if len(s.Basics()) == 1 {
		return []element{{s, l}}
	}
	for _, b := range must(must(s.Coalesce()).MakeDisjoint()).Basics() {
		out = append(out, element{presburger.SetOf(b), l})
	}
	return out
}

// mostPieces bounds those into which a dimension is separated: where the ends of n statements can lie in
// any order there are exponentially many. mostEnds bounds the statements that have other values than all
// before, as it takes long to find out that there are too many pieces.
const (
	mostPieces = 12
	mostEnds   = 12
)

// separated divides a set so that the same statements have values in all of each piece, as far as
// that depends on dimension d; ok is false where these are too many.
func (g *generator) separated(ps []projected, s presburger.Set, d int) (out []element, ok bool) {
	var parts []presburger.Set
	put := func(s presburger.Set) {
		if !must(s.IsEmpty()) {
			parts = append(parts, s)
		}
	}
	seen := map[string]bool{} // statements often have the same values
	var ends []presburger.Set
	for _, p := range ps {
		on := g.conditionsOn(p.on, d)
		if key := on.String(); !seen[key] {
			seen[key] = true
			ends = append(ends, on)
		}
	}
	if len(ends) > mostEnds {
		return nil, false
	}
	for _, on := range ends {
		rest := must(on.Intersect(s))
		if must(rest.IsEmpty()) {
			continue
		}
		old := parts
		parts = nil
		for _, x := range old {
			both := must(x.Intersect(rest))
			if must(both.IsEmpty()) {
				put(x)
				continue
			}
			put(both)
			put(must(x.Subtract(rest)))
			rest = must(rest.Subtract(x))
		}
		put(rest)
		if len(parts) > mostPieces {
			return nil, false
		}
	}
	for _, x := range parts {
		out = append(out, conjunctions(x, schedule.Separate)...)
	}
	return out, len(out) <= mostPieces
}

// conditionsOn is a set without the conditions in which dimension d does not take part.
func (g *generator) conditionsOn(s presburger.Set, d int) presburger.Set {
	var out []presburger.Basic
	for _, b := range must(s.DetectEqualities()).Basics() {
		if len(b.Divs) == 0 {
			without := func(r []integer) bool { return r[g.entry(d)].Sign() == 0 }
			b.Eq, b.Ge = slices.DeleteFunc(slices.Clone(b.Eq), without), slices.DeleteFunc(slices.Clone(b.Ge), without)
		}
		out = append(out, b)
	}
	return g.set(out...)
}
