package conj

import (
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// Floors are the divs of a conjunction in the columns that they have: what defines them, and which rows say no more than
// that. No constraint takes part.
type Floors struct {
	n    int
	divs []Div
}

// Floors are those of c; they share its memory.
func (c *Conj) Floors() Floors { return Floors{c.N, c.Divs} }

// col is the index of div i in a row.
func (f Floors) col(i int) int { return 1 + f.n + i }

// IsBound reports one of the two rows that BoundDiv adds.
func (f Floors) IsBound(r lp.Row, i int) bool {
	d, col := f.divs[i], f.col(i)
	if !d.Known() || !r[col].Abs().Equal(d.Den) {
		return false
	}
	low := r[col].Sign() < 0
	for k := range r {
		if k == col {
			continue
		}
		want := d.Num[k]
		if !low {
			want = want.Neg()
			if k == 0 {
				want = want.Add(d.Den).Sub(lp.NewInt(1))
			}
		}
		if !r[k].Equal(want) {
			return false
		}
	}
	return true
}

// Definitional reports one of the bounds of a div.
func (f Floors) Definitional(r lp.Row) bool {
	for i := range f.divs {
		if !r[f.col(i)].IsZero() && f.IsBound(r, i) {
			return true
		}
	}
	return false
}

// find is the column of a known div, or 0.
func (f Floors) find(num lp.Row, den lp.Int) int {
	for i, d := range f.divs {
		if d.Known() && d.Den.Equal(den) && d.Num.Equal(num) {
			return f.col(i)
		}
	}
	return 0
}

// HasTwins reports two known divs that are the same.
func (f Floors) HasTwins() bool {
	for i, d := range f.divs {
		for _, e := range f.divs[:i] {
			if d.Known() && e.Den.Equal(d.Den) && e.Num.Equal(d.Num) {
				return true
			}
		}
	}
	return false
}

// allKnown reports that there is a definition of each.
func (f Floors) allKnown() bool {
	for _, d := range f.divs {
		if !d.Known() {
			return false
		}
	}
	return true
}

// onlyKnown reports that a row uses no unknown div before column col.
func (f Floors) onlyKnown(r lp.Row, col int) bool {
	for i := range f.divs {
		if k := f.col(i); k < col && !r[k].IsZero() && !f.divs[i].Known() {
			return false
		}
	}
	return true
}

// definable reports that a bound of div i uses no other unknown div.
func (f Floors) definable(r lp.Row, i int) bool {
	for k, d := range f.divs {
		if k != i && !d.Known() && !r[f.col(k)].IsZero() {
			return false
		}
	}
	return true
}

// forget makes div i and all that are defined by it unknown.
func (f Floors) forget(i int) {
	f.divs[i].Den = lp.Int{}
	clear(f.divs[i].Num)
	for j := i + 1; j < len(f.divs); j++ {
		if f.divs[j].Known() && !f.divs[j].Num[f.col(i)].IsZero() {
			f.forget(j)
		}
	}
}

// extended is a point with the values of the divs, which are known.
func (f Floors) extended(x []lp.Int) []lp.Int {
	out := append(make([]lp.Int, 0, f.n+len(f.divs)), x[:f.n]...)
	for i, d := range f.divs {
		out = append(out, lp.Dot(d.Num[1:1+f.n+i], out).Add(d.Num[0]).FloorDiv(d.Den))
	}
	return out
}
