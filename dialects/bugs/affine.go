package bugs

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// An affine form is c plus a multiple of each loop variable; those beyond coef
// have none.
type affine struct {
	c    int
	coef []int
}

// maxCoef bounds the numbers of an affine form: sums of them do not overflow.
const maxCoef = 1 << 31

func (a affine) at(k int) int {
	if k < len(a.coef) {
		return a.coef[k]
	}
	return 0
}

func (a affine) value(at []int32) int {
	x := a.c
	for k, c := range a.coef {
		x += c * int(at[k])
	}
	return x
}

// plus is a + f*b.
func (a affine) plus(f int, b affine) (affine, bool) {
	out := affine{c: a.c + f*b.c, coef: make([]int, max(len(a.coef), len(b.coef)))}
	ok := abs(out.c) < maxCoef
	for k := range out.coef {
		out.coef[k] = a.at(k) + f*b.at(k)
		ok = ok && abs(out.coef[k]) < maxCoef
	}
	return out, ok
}

func abs(x int) int { return max(x, -x) }

// constant reports that no loop variable counts.
func (a affine) constant() bool {
	for _, c := range a.coef {
		if c != 0 {
			return false
		}
	}
	return true
}

// loop is the one loop whose variable counts; ok is false if there are none or more.
func (a affine) loop() (k int, ok bool) {
	k = -1
	for i, c := range a.coef {
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
func (a affine) bounds(d *domain) (lo, hi int) {
	lo, hi = a.c, a.c
	for k, c := range a.coef {
		x, y := c*int(d.box[2*k]), c*int(d.box[2*k+1])
		lo, hi = lo+min(x, y), hi+max(x, y)
	}
	return lo, hi
}

// affine writes an expression as a form in the loop variables, with the values that
// data have now; ok is false if it is none, or not made of whole numbers.
func (f *frame) affine(e syntax.Expr) (a affine, ok bool) {
	if f.m.loopFree(e) {
		x, err := f.scalar(e)
		if err != nil || x != math.Trunc(x) || math.Abs(x) >= maxCoef {
			return a, false
		}
		return affine{c: int(x)}, true
	}
	switch e := e.(type) {
	case *syntax.Ref:
		if l := f.m.bind[e].level; l > 0 {
			a.coef = make([]int, l)
			a.coef[l-1] = 1
			return a, true
		}
	case *syntax.Unary:
		if x, ok := f.affine(e.X); ok && e.Op == syntax.OpNeg {
			return affine{}.plus(-1, x)
		}
	case *syntax.Binary:
		return f.affineBinary(e)
	}
	return a, false
}

func (f *frame) affineBinary(e *syntax.Binary) (a affine, ok bool) {
	switch e.Op {
	case syntax.OpAdd, syntax.OpSub, syntax.OpMul:
	default:
		return a, false
	}
	x, ok := f.affine(e.X)
	if !ok {
		return a, false
	}
	y, ok := f.affine(e.Y)
	switch {
	case !ok:
		return a, false
	case e.Op == syntax.OpAdd:
		return x.plus(1, y)
	case e.Op == syntax.OpSub:
		return x.plus(-1, y)
	case y.constant():
		return affine{}.plus(y.c, x)
	case x.constant():
		return affine{}.plus(x.c, y)
	}
	return a, false
}

// loopFree reports that an expression has no loop variable.
func (m *Model) loopFree(e syntax.Expr) bool {
	free := true
	syntax.Walk(e, func(x syntax.Expr) bool {
		if r, ok := x.(*syntax.Ref); ok && m.bind[r].level > 0 {
			free = false
		}
		return free
	})
	return free
}
