package conj

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// CloneAll clones each.
func CloneAll(cs []*Conj) []*Conj {
	out := make([]*Conj, len(cs))
	for i, c := range cs {
		out[i] = c.Clone()
	}
	return out
}

// JoinedUnion leaves out conjunctions with the same text, and all for everything.
func JoinedUnion(as, bs []*Conj) []*Conj {
	out := as[:len(as):len(as)]
	for _, b := range bs {
		if len(b.Eq)+len(b.Ge) == 0 {
			return []*Conj{b}
		}
		if !slices.ContainsFunc(out, b.Same) {
			out = append(out, b)
		}
	}
	return out
}

// Alive are the conjunctions with points, their divs known.
func Alive(cs []*Conj, w *lp.Work) (out []*Conj) {
	for _, c := range cs {
		for _, d := range c.Defined(w) {
			if d.HasPoint(w) {
				out = append(out, d)
			}
		}
	}
	return out
}

// Both are the points of two unions.
func Both(as, bs []*Conj, w *lp.Work) []*Conj { return Alive(IntersectAll(as, bs, w), w) }

// Without is a union without another.
func Without(as, bs []*Conj, w *lp.Work) []*Conj { return Alive(SubtractAll(as, bs, w), w) }

// Cylinders adds n free variables.
func Cylinders(cs []*Conj, n int) []*Conj {
	out := make([]*Conj, len(cs))
	for i, c := range cs {
		out[i] = c.Clone()
		out[i].Insert(c.N, n)
	}
	return out
}

// Disjoint cuts a union into conjunctions that have no point in common.
func Disjoint(cs []*Conj, w *lp.Work) (out []*Conj) {
	cs = DefinedAll(cs, w)
	for i, c := range cs {
		for _, d := range Minus(c, cs[:i], w) {
			if d.HasPoint(w) {
				out = append(out, d)
			}
		}
	}
	return out
}

// Simplified changes each and leaves out the empty ones.
func Simplified(cs []*Conj) (out []*Conj) {
	for _, c := range cs {
		if !c.Simplify().Empty {
			out = append(out, c)
		}
	}
	return out
}

// IntersectAll meets each of a union with each of another.
func IntersectAll(as, bs []*Conj, w *lp.Work) (out []*Conj) {
	for _, a := range as {
		for _, b := range bs {
			w.Step(len(a.Ge) + len(b.Ge))
			if c := Meet(a, b); !c.Empty {
				out = append(out, c)
			}
		}
	}
	return out
}

// ProjectAll makes variables existential.
func ProjectAll(cs []*Conj, at, n int) (out []*Conj) {
	for _, c := range cs {
		if d := c.Exist(at, n).Simplify(); !d.Empty {
			out = append(out, d)
		}
	}
	return out
}

// SubtractAll takes a union away from each of a union.
func SubtractAll(as, bs []*Conj, w *lp.Work) (out []*Conj) {
	known := DefinedAll(bs, w)
	for _, a := range as {
		out = append(out, Minus(a, known, w)...)
	}
	return out
}

// DefinedAll is the same union with floors for all divs.
func DefinedAll(cs []*Conj, w *lp.Work) (out []*Conj) {
	for _, c := range cs {
		out = append(out, c.Defined(w)...)
	}
	return out
}
