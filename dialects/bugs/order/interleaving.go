package order

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/model"
)

// A residue is a place in the rounds of a schedule: a statement at every value k of its loop
// variable with k = scale*round + shift, from round first to round last, the
// residue-th of the times of a round.
type residue struct {
	stmt                 int
	residue, first, last int
	scale, shift         int
}

// items makes the loops of a schedule. A round is as many times as the least common
// multiple of the slopes, so that each statement has a fixed number of turns in it;
// the rounds are cut where a statement begins or ends. nil if that is too much code.
func (t *schedule) items() []model.Item {
	length := 1
	for _, a := range t.a {
		if a = t.n * max(a, -a); a != 0 {
			if length = length / gcd(length, a) * a; length > 1<<16 {
				return nil
			}
		}
	}
	var rs []residue
	for s := range t.component.Stmts {
		if rs = append(rs, t.residues(s, length)...); len(rs) > maxTurns {
			return nil
		}
	}
	// Different statements at one time do not depend on each other (times): any order of them is legal.
	slices.SortFunc(rs, func(x, y residue) int {
		if x.residue != y.residue {
			return x.residue - y.residue
		}
		return x.stmt - y.stmt
	})
	var cuts []int
	for _, r := range rs {
		cuts = append(cuts, r.first, r.last+1)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var out []model.Item
	turns := 0
	for i, lo := range cuts[:len(cuts)-1] {
		hi := cuts[i+1] - 1
		l := &model.Interleaving{Level: t.component.level, Lo: lo, Hi: hi}
		for _, r := range rs {
			if r.first <= lo && hi <= r.last {
				l.Body = append(l.Body, t.interleaved(r))
			}
		}
		if len(l.Body) > 0 {
			out = append(out, model.Item{Interleaving: l})
		}
		if turns += len(l.Body); turns > maxTurns {
			return nil
		}
	}
	return out
}

// residues lists the turns of a statement in a round of the given length.
func (t *schedule) residues(s, length int) []residue {
	a, c := t.a[s]*t.n, t.c[s]
	if a == 0 {
		round := floorDiv(c, length)
		return []residue{{stmt: s, residue: c - round*length, first: round, last: round}}
	}
	sign := 1
	if a < 0 {
		sign = -1
	}
	n := length / (sign * a)
	var out []residue
	for k := range n {
		// i = n*u + k runs at sign*length*u + a*k + c.
		at := a*k + c
		e := floorDiv(at, length)
		r := residue{stmt: s, residue: at - e*length, scale: sign * n, shift: k - sign*n*e}
		// u is between these, and the round is sign*u + e.
		first, last := -floorDiv(k-t.lo[s], n), floorDiv(t.hi[s]-k, n)
		if first > last {
			continue
		}
		r.first, r.last = sign*first+e, sign*last+e
		if sign < 0 {
			r.first, r.last = r.last, r.first
		}
		out = append(out, r)
	}
	return out
}

func (t *schedule) interleaved(r residue) model.Interleaved {
	s := t.component.Stmts[r.stmt]
	if t.once(r.stmt) {
		return model.Interleaved{Once: true, Body: []model.Item{{Stmt: s}}}
	}
	return model.Interleaved{Scale: r.scale, Shift: r.shift, Body: t.body(s)}
}

// Nest is a statement in its own loops from a level on.
func Nest(s *model.Statement, level int) []model.Item {
	if level == len(s.Loops) {
		return []model.Item{{Stmt: s}}
	}
	return []model.Item{{Loop: &model.Block{Level: level, Of: s, Body: Nest(s, level+1)}}}
}

// floorDiv is the quotient rounded down; n is positive.
func floorDiv(x, n int) int {
	q := x / n
	if x%n < 0 {
		q--
	}
	return q
}
