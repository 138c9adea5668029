package bugs

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// A reading is a reference that a statement reads, with the elements that it
// reaches over all iterations as a region.
type reading struct {
	s      *Statement
	r      *syntax.Ref
	v      *Var
	lo, hi []affine // the indices, where loose does not say otherwise
	loose  []bool   // indices from data, of which only the extremes are known
	reach  region   // a box around all elements that are read
	exact  bool     // every element of reach is read
}

// outcome says how far regions and forms decide something.
type outcome uint8

const (
	decided outcome = iota
	unclear         // each iteration must be looked at
	wrong           // there is an error: the evaluation of each iteration finds the words
)

// reading finds the region of a reference.
func (b *builder) reading(s *Statement, f *frame, r *syntax.Ref) (*reading, outcome) {
	v := b.m.bind[r].v
	a := &reading{s: s, r: r, v: v, exact: s.dom.isBox(), reach: region{}}
	used := make([]bool, len(s.Loops))
	for d := range v.Dims {
		lo, hi := affine{c: 1}, affine{c: v.Dims[d]}
		loose := false
		if x := indexAt(r.Indices, d); x != nil && !b.isWide(x) {
			var ok bool
			if lo, hi, ok = f.affineSpan(x, v, d); !ok {
				if lo.c, hi.c, loose = b.dataSpan(f, x); !loose {
					return nil, unclear
				}
				lo.coef, hi.coef = nil, nil
			}
		}
		least, most, ok := extremes(&s.dom, lo, hi)
		switch {
		case !ok || loose && (least < 1 || most > v.Dims[d]):
			return nil, unclear
		case least < 1 || most > v.Dims[d]:
			return nil, wrong
		}
		a.lo, a.hi, a.loose = append(a.lo, lo), append(a.hi, hi), append(a.loose, loose)
		a.reach = append(a.reach, int32(least), int32(most))
		a.exact = a.exact && !loose && straight(lo, hi, used)
	}
	return a, decided
}

// straight reports that positions between lo and hi fill a range, by a loop
// variable that no other dimension uses.
func straight(lo, hi affine, used []bool) bool {
	for k := range used {
		c := lo.at(k)
		if c != hi.at(k) || abs(c) > 1 || c != 0 && used[k] {
			return false
		}
		used[k] = used[k] || c != 0
	}
	return true
}

// isWide reports an index that has no value before the model runs: it reaches the
// whole extent.
func (b *builder) isWide(e syntax.Expr) bool {
	wide := false
	syntax.Walk(e, func(x syntax.Expr) bool {
		if r, ok := x.(*syntax.Ref); ok {
			v := b.m.bind[r].v
			wide = wide || v != nil && (v.known.none() || v.abstract) && v.size > 0
		}
		return !wide
	})
	return wide
}

// dataSpan is the range of an index that is an element of known data, plus or minus
// a constant.
func (b *builder) dataSpan(f *frame, e syntax.Expr) (lo, hi int, ok bool) {
	shift := 0
	if x, is := e.(*syntax.Binary); is && (x.Op == syntax.OpAdd || x.Op == syntax.OpSub) {
		if c, whole := f.affine(x.Y); whole && c.constant() {
			e, shift = x.X, c.c
			if x.Op == syntax.OpSub {
				shift = -shift
			}
		}
	}
	r, is := e.(*syntax.Ref)
	if !is || b.m.bind[r].v == nil {
		return 0, 0, false
	}
	for _, x := range r.Indices {
		if !single(x) {
			return 0, 0, false
		}
	}
	if lo, hi, ok = b.m.bind[r].v.integers(); !ok || len(r.Indices) != len(b.m.bind[r].v.Dims) {
		return 0, 0, false
	}
	return lo + shift, hi + shift, true
}

// integerRange is the range of the values of a variable all of which are known
// integers.
type integerRange struct {
	done, ok bool
	lo, hi   int
}

// integers finds the range once.
func (v *Var) integers() (lo, hi int, ok bool) {
	if !v.known.all() || v.size == 0 || v.abstract {
		return 0, 0, false
	}
	if g := &v.ints; !g.done {
		g.done, g.ok = true, true
		least, most := v.Value[0], v.Value[0]
		for _, x := range v.Value {
			if x != math.Trunc(x) || !(math.Abs(x) < 1<<31) {
				g.ok = false
				break
			}
			least, most = min(least, x), max(most, x)
		}
		if g.ok {
			g.lo, g.hi = int(least), int(most)
		}
	}
	return v.ints.lo, v.ints.hi, v.ints.ok
}
