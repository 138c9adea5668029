package codegen

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// Tile numbers are dimensions of time, and their sums, by which wavefronts order them, have floors of the same functions: of
//
//	t1 = floor(f/k) + floor(g/k),  k t2 <= g < k t2 + k
//
// the second floor is t2, and so the first one is t1 - t2, but only for integers, so that no equation says it. Code in
// which floors are left tests them in the innermost loop.

// aligned is the same set with the equations that follow from strips: 0 <= x < k and 0 <= y < k, where k divides x - y.
func (g *generator) aligned(s presburger.Set) presburger.Set {
	var out []presburger.Basic
	found := false
	for _, b := range s.Basics() {
		for again := true; again; {
			again = false
			if eq := g.stripEquation(b); eq != nil {
				b.Eq = append(b.Eq[:len(b.Eq):len(b.Eq)], eq)
				next := must(must(g.set(b).DetectEqualities()).Coalesce()).Basics()
				found = true
				if len(next) != 1 {
					out = append(out, next...)
					b = presburger.Basic{}
					break
				}
				b, again = next[0], true
			}
		}
		if b.Params != nil || b.Out.Len() > 0 {
			out = append(out, b)
		}
	}
	if !found {
		return s
	}
	return g.set(out...)
}

// stripEquation is an equation that two strips of a conjunction give, and that it does not say; nil if there is none.
func (g *generator) stripEquation(b presburger.Basic) []integer {
	type strip struct {
		row  []integer
		size integer
	}
	var strips []strip
	for i, x := range b.Ge {
		for _, y := range b.Ge[i+1:] {
			if k := x[0].Add(y[0]).Add(one); k.Cmp(one) > 0 && opposite(x, y) {
				strips = append(strips, strip{x, k}, strip{y, k})
			}
		}
	}
	for i, s := range strips {
		for _, t := range strips[i+1:] {
			if s.size.Cmp(t.size) != 0 {
				continue
			}
			if eq := quotient(s.row, t.row, s.size); eq != nil {
				return eq
			}
		}
	}
	return nil
}

// quotient is the difference of two rows divided by a number, nil if it does not divide it or the difference is 0.
func quotient(x, y []integer, by integer) []integer {
	out := make([]integer, len(x))
	zeros := true
	for i := range x {
		d := x[i].Sub(y[i])
		if d.Mod(by).Sign() != 0 {
			return nil
		}
		out[i] = d.FloorDiv(by)
		zeros = zeros && (i == 0 || d.Sign() == 0)
	}
	if zeros {
		return nil
	}
	return out
}
