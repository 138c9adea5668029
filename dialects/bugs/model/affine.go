package model

import "github.com/irc-lang/irc/ir/lists"

// An Affine form is c plus a multiple of each loop variable; those beyond coef
// have none.
type Affine struct {
	Const int
	Coef  []int
}

// MaxCoef bounds the numbers of an affine form: sums of them do not overflow.
const MaxCoef = 1 << 31

func (a Affine) At(k int) int {
	if k < len(a.Coef) {
		return a.Coef[k]
	}
	return 0
}

func (a Affine) Value(at []int32) int {
	x := a.Const
	for k, c := range a.Coef {
		x += c * int(at[k])
	}
	return x
}

// Plus is a + f*b.
func (a Affine) Plus(f int, b Affine) (Affine, bool) {
	out := Affine{Const: a.Const + f*b.Const, Coef: make([]int, max(len(a.Coef), len(b.Coef)))}
	ok := Abs(out.Const) < MaxCoef
	for k := range out.Coef {
		out.Coef[k] = a.At(k) + f*b.At(k)
		ok = ok && Abs(out.Coef[k]) < MaxCoef
	}
	return out, ok
}

func Abs(x int) int { return max(x, -x) }

// Constant reports that no loop variable counts.
func (a Affine) Constant() bool {
	return lists.All(a.Coef, func(c int) bool { return c == 0 })
}

// Loop is the one loop whose variable counts; ok is false if there are none or more.
func (a Affine) Loop() (k int, ok bool) {
	k = -1
	for i, c := range a.Coef {
		if c != 0 && k >= 0 {
			return 0, false
		} else if c != 0 {
			k = i
		}
	}
	return k, k >= 0
}

// bounds are the least and the greatest value on the box around a domain, exact
// where the domain is a box. The domain is not empty.
func (a Affine) bounds(d *Domain) (lo, hi int) {
	lo, hi = a.Const, a.Const
	for k, c := range a.Coef {
		x, y := c*int(d.Box[2*k]), c*int(d.Box[2*k+1])
		lo, hi = lo+min(x, y), hi+max(x, y)
	}
	return lo, hi
}
