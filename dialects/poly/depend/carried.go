package depend

import (
	"cmp"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// Carried tells for each of the common loops which signs its distance has where those of the loops around it are zero.
// That is less than the vectors of Test tell, and takes as many questions as there are loops, not signs of all of
// them. What a question does not decide within the budget is taken to be.
func (t *Tester) Carried(a, b *Access, loops int) []Sign {
	out := make([]Sign, loops)
	_ = t.questions(a, b, loops, func() error {
		if found, _, err := t.begin(); err == nil && found == none {
			return nil
		}
		for l := range out {
			for _, sign := range [...]Sign{Negative, Positive, Zero} { // the last one stays for the next loop
				next := t.level(l + 1)
				next.copyFrom(t.level(l))
				found := next.restrict(l, sign)
				t.ask.signs = append(t.ask.signs[:l], sign)
				if found == unknown {
					var err error
					if found, err = t.feasible(next); err != nil {
						found = some
					}
				}
				if found != none {
					out[l] |= sign
				} else if sign == Zero {
					return nil
				}
			}
		}
		return nil
	})
	return out
}

// Exists reports that some instances of a and b access the same element.
func (t *Tester) Exists(a, b *Access) (bool, error) {
	exists := false
	err := t.questions(a, b, 0, func() error {
		if exists {
			return nil
		}
		found, _, err := t.begin()
		exists = err == nil && found != none
		return err
	})
	return exists, err
}

// Constant is the distance of a loop if it is the same number for all pairs of a and b, of which there are some.
// Distances of Test are read off equations alone; where these do not tell, this looks for a pair at another distance.
func (t *Tester) Constant(a, b *Access, loop int) (n int64, ok bool) {
	met := false
	err := t.questions(a, b, loop+1, func() error {
		found, d, err := t.begin()
		if err != nil || found == none {
			return err
		}
		only := d[loop].Const
		if !d[loop].IsConst() {
			if only, err = t.only(loop); err != nil {
				return err
			}
		}
		if met && n != only {
			return errVaries
		}
		n, met = only, true
		return nil
	})
	return n, met && err == nil
}

// only is the distance of a loop that all pairs of the question have, which has begun.
func (t *Tester) only(loop int) (int64, error) {
	var signs Sign
	for _, sign := range [...]Sign{Negative, Positive, Zero} {
		next := t.level(1)
		next.copyFrom(t.level(0))
		found := next.restrict(loop, sign)
		t.ask.signs = append(slices.Repeat([]Sign{Mixed}, loop), sign)
		if found == unknown {
			var err error
			if found, err = t.feasible(next); err != nil {
				return 0, err
			}
		}
		if found == none {
			continue
		}
		if signs != 0 {
			return 0, errVaries
		}
		signs = sign
	}
	if signs == Zero {
		return 0, nil
	}
	t.ask.signs = t.ask.signs[:0]
	all := t.ask.basic(t)
	x, y := t.ask.params+loop, t.ask.params+t.ask.first+loop
	p, found, err := presburger.SetOf(all).WithBudget(t.Budget).Sample()
	if err != nil || !found {
		return 0, cmp.Or(err, errVaries)
	}
	n, ok := p.Coords[y].Sub(p.Coords[x]).Int64()
	if !ok {
		return 0, errVaries
	}
	for _, other := range [...]struct {
		x, y int
		con  int64
	}{{x, y, -n - 1}, {y, x, n - 1}} { // a distance above n, and one below
		b := all
		b.Ge = slices.Clone(all.Ge)
		differ(&b, b.Out.Len(), other.x, other.y, other.con, false)
		if found, err := t.points(b); err != nil || found != none {
			return 0, cmp.Or(err, errVaries)
		}
	}
	return n, nil
}
