package bugs

import (
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// A leftSide says which elements an iteration of a statement defines.
type leftSide struct {
	lo, hi []affine // the indices of each dimension; nil where they are stored
	spans  []int32  // the region of each iteration
	dims   []int    // largest indices, or the dimensions of the array
	// region is all that the statement defines if each element of it determines the
	// iteration: the domain is a box, and the indices are loop variables, each
	// once, plus or minus a constant, and constants. Else it is nil.
	region region
	dimOf  []int // of each loop: the dimension that has its variable, or -1
}

// leftSide finds the left side of a statement whose domain is known.
func (b *builder) leftSide(s *Statement) error {
	f := newFrame(b.m, s)
	if b.affineLeft(s, f) {
		return nil
	}
	e := &enumerator{b: b, s: s, f: f}
	s.lhs = leftSide{dims: append([]int(nil), s.v.Dims...)}
	var err error
	s.dom.each(func(_ int, at []int32) bool {
		f.at = at
		err = e.iteration()
		return err == nil
	})
	for d, n := range s.v.Dims {
		if err == nil && s.v.fixed && s.lhs.dims[d] > n {
			err = b.beyondExtent(s, d, s.lhs.dims[d])
		}
	}
	return err
}

// affineLeft finds indices that are affine and in bounds; what is not is left to
// the evaluation of each iteration, which has the words for it.
func (b *builder) affineLeft(s *Statement, f *frame) bool {
	v, idx := s.v, s.LHS.Indices
	l := leftSide{dims: append([]int(nil), v.Dims...), lo: []affine{}}
	if b.elementwise || s.n == 0 || len(idx) == 0 && v.Len() != 1 {
		return false
	}
	for d := range v.Dims {
		lo, hi := affine{c: 1}, affine{c: 1}
		if len(idx) > 0 {
			var ok bool
			if lo, hi, ok = f.affineSpan(idx[d], v, d); !ok {
				return false
			}
		}
		if _, all := indexAt(idx, d).(*syntax.All); all && !v.fixed {
			return false
		}
		least, most, ok := extremes(&s.dom, lo, hi)
		if !ok || least < 1 || most > maxElements || v.fixed && most > v.Dims[d] {
			return false
		}
		l.lo, l.hi, l.dims[d] = append(l.lo, lo), append(l.hi, hi), max(v.Dims[d], most)
	}
	s.lhs = l
	s.lhs.simplify(&s.dom)
	return true
}

func indexAt(idx []syntax.Expr, d int) syntax.Expr {
	if d < len(idx) {
		return idx[d]
	}
	return nil
}

// affineSpan writes an index as the form of its least and its greatest position.
func (f *frame) affineSpan(e syntax.Expr, v *Var, d int) (lo, hi affine, ok bool) {
	switch e := e.(type) {
	case *syntax.All:
		return affine{c: 1}, affine{c: v.Dims[d]}, true
	case *syntax.Range:
		if lo, ok = f.affine(e.From); ok {
			hi, ok = f.affine(e.To)
		}
	default:
		lo, ok = f.affine(e)
		hi = lo
	}
	return lo, hi, ok
}

// extremes are the least and the greatest position of spans none of which is empty;
// ok is false if one may be.
func extremes(d *domain, lo, hi affine) (least, most int, ok bool) {
	width, ok := hi.plus(-1, lo)
	if !ok {
		return 0, 0, false
	}
	if narrow, _ := width.bounds(d); narrow < 0 {
		return 0, 0, false
	}
	least, _ = lo.bounds(d)
	_, most = hi.bounds(d)
	if d.isBox() {
		return least, most, true
	}
	least, most = maxCoef, -maxCoef // the box around a domain may be too large
	d.each(func(_ int, at []int32) bool {
		least, most = min(least, lo.value(at)), max(most, hi.value(at))
		return true
	})
	return least, most, true
}

// simplify finds the region and the dimensions of the loops.
func (l *leftSide) simplify(d *domain) {
	if !d.isBox() {
		return
	}
	r, dimOf := make(region, 0, 2*len(l.lo)), make([]int, d.depth)
	for k := range dimOf {
		dimOf[k] = -1
	}
	for i, lo := range l.lo {
		hi := l.hi[i]
		k, one := lo.loop()
		switch same, _ := hi.plus(-1, lo); {
		case lo.constant() && hi.constant():
		case one && abs(lo.at(k)) == 1 && same.c == 0 && same.constant() && dimOf[k] < 0:
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
	l.region, l.dimOf = r, dimOf
}

// variable is the value of loop k of the iteration that defines an element of the
// region.
func (s *Statement) variable(k int, index []int32) int32 {
	d := s.lhs.dimOf[k]
	if d < 0 {
		return s.dom.box[2*k]
	}
	a := s.lhs.lo[d]
	return int32((int(index[d]) - a.c) * a.at(k))
}

// iterationOf is the iteration that defines an element of the region.
func (s *Statement) iterationOf(index []int32) int {
	i := 0
	for k := range s.dom.depth {
		i = i*s.dom.trips(k) + int(s.variable(k, index)-s.dom.box[2*k])
	}
	return i
}

// span is the region that an iteration defines; out is memory for it.
func (s *Statement) span(i int, at []int32, out region) region {
	n := 2 * len(s.v.Dims)
	if s.lhs.lo == nil {
		return s.lhs.spans[i*n : (i+1)*n]
	}
	out = out[:0]
	for d := range s.lhs.lo {
		out = append(out, int32(s.lhs.lo[d].value(at)), int32(s.lhs.hi[d].value(at)))
	}
	return out
}

// eachElement calls f for each element that the statement defines, by iteration.
func (s *Statement) eachElement(f func(i, k int) bool) {
	var buf [16]int32
	s.dom.each(func(i int, at []int32) bool {
		ok := true
		if len(s.v.Dims) == 0 {
			return f(i, 0)
		}
		box(s.v.Dims, s.span(i, at, buf[:0]), 0, 0, func(k int) { ok = ok && f(i, k) })
		return ok
	})
}

// left evaluates an index on the left, which may enlarge an array of which nothing
// fixes the extents.
func (e *enumerator) left(v *Var, d int, x syntax.Expr) (lo, hi int, err error) {
	switch x := x.(type) {
	case *syntax.All:
		if !v.fixed {
			return 0, 0, diag.Errorf(x.Span(), "the extent of %s is not known on the left side", v.Name).
				WithFix("write the range, as in 1:n")
		}
		return 1, v.Dims[d], nil
	case *syntax.Range:
		if lo, err = e.f.integer(x.From, "an index of "+v.Name); err != nil {
			return 0, 0, err
		}
		hi, err = e.f.integer(x.To, "an index of "+v.Name)
	case *syntax.Call:
		return 0, 0, unsupported(x.Span(), "a vector as an index on the left side")
	default:
		lo, err = e.f.integer(x, "an index of "+v.Name)
		hi = lo
	}
	switch {
	case err != nil:
	case lo < 1:
		err = diag.Errorf(x.Span(), "index %d of %s is out of range: indices start at 1", lo, v.Name).WithFix("begin the loop at 1, or shift the index")
	case lo > hi:
		err = diag.Errorf(x.Span(), "the range %d:%d is empty", lo, hi).WithFix("write the smaller index first, or remove the statement")
	case hi > maxElements:
		err = diag.Errorf(x.Span(), "index %d of %s is too large", hi, v.Name).WithFix("arrays have at most %d elements", maxElements)
	}
	return lo, hi, err
}
