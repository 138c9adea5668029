package model

import (
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// A LeftSide says which elements an iteration of a statement defines.
type LeftSide struct {
	Lo, Hi []Affine // the indices of each dimension; nil where they are stored
	Spans  []int32  // the region of each iteration
	Dims   []int    // largest indices, or the dimensions of the array
	// region is all that the statement defines if each element of it determines the
	// iteration: the domain is a box, and the indices are loop variables, each
	// once, plus or minus a constant, and constants. Else it is nil.
	Region Region
	DimOf  []int // of each loop: the dimension that has its variable, or -1
}

func IndexAt(idx []syntax.Expr, d int) syntax.Expr {
	if d < len(idx) {
		return idx[d]
	}
	return nil
}

// Extremes are the least and the greatest position of spans none of which is empty;
// ok is false if one may be.
func Extremes(d *Domain, lo, hi Affine) (least, most int, ok bool) {
	width, ok := hi.Plus(-1, lo)
	if !ok {
		return 0, 0, false
	}
	if narrow, _ := width.bounds(d); narrow < 0 {
		return 0, 0, false
	}
	least, _ = lo.bounds(d)
	_, most = hi.bounds(d)
	if d.IsBox() {
		return least, most, true
	}
	least, most = MaxCoef, -MaxCoef // the box around a domain may be too large
	d.Each(func(_ int, at []int32) bool {
		least, most = min(least, lo.Value(at)), max(most, hi.Value(at))
		return true
	})
	return least, most, true
}

// Simplify finds the region and the dimensions of the loops.
func (l *LeftSide) Simplify(d *Domain) {
	if !d.IsBox() {
		return
	}
	r, dimOf := make(Region, 0, 2*len(l.Lo)), make([]int, d.Depth)
	for k := range dimOf {
		dimOf[k] = -1
	}
	for i, lo := range l.Lo {
		hi := l.Hi[i]
		k, one := lo.Loop()
		switch same, _ := hi.Plus(-1, lo); {
		case lo.Constant() && hi.Constant():
		case one && Abs(lo.At(k)) == 1 && same.Const == 0 && same.Constant() && dimOf[k] < 0:
			dimOf[k] = i
		default:
			return
		}
		least, _ := lo.bounds(d)
		_, most := hi.bounds(d)
		r = append(r, int32(least), int32(most))
	}
	for k, i := range dimOf {
		if i < 0 && d.trips(k) > 1 {
			return
		}
	}
	l.Region, l.DimOf = r, dimOf
}

// Variable is the value of loop k of the iteration that defines an element of the
// region.
func (s *Statement) Variable(k int, index []int32) int32 {
	d := s.Defines.DimOf[k]
	if d < 0 {
		return s.Domain.Box[2*k]
	}
	a := s.Defines.Lo[d]
	return int32((int(index[d]) - a.Const) * a.At(k))
}

// iterationOf is the iteration that defines an element of the region.
func (s *Statement) iterationOf(index []int32) int {
	i := 0
	for k := range s.Domain.Depth {
		i = i*s.Domain.trips(k) + int(s.Variable(k, index)-s.Domain.Box[2*k])
	}
	return i
}

// Spans is the region that an iteration defines; out is memory for it.
func (s *Statement) Spans(i int, at []int32, out Region) Region {
	n := 2 * len(s.Var.Dims)
	if s.Defines.Lo == nil {
		return s.Defines.Spans[i*n : (i+1)*n]
	}
	out = out[:0]
	for d := range s.Defines.Lo {
		out = append(out, int32(s.Defines.Lo[d].Value(at)), int32(s.Defines.Hi[d].Value(at)))
	}
	return out
}

// EachElement calls f for each element that the statement defines, by iteration.
func (s *Statement) EachElement(f func(i, k int) bool) {
	var buf [16]int32
	s.Domain.Each(func(i int, at []int32) bool {
		ok := true
		if len(s.Var.Dims) == 0 {
			return f(i, 0)
		}
		EachInBox(s.Var.Dims, s.Spans(i, at, buf[:0]), 0, 0, func(k int) { ok = ok && f(i, k) })
		return ok
	})
}
