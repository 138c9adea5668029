package bugs

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// A walker visits the elements that a reference reads in every iteration, by
// compiled indices over packed arrays.
type walker struct {
	b     *builder
	s     *Statement
	v     *Var
	spans []func(at []int32) (lo, hi int, st status)
	add   func(from *Statement, v *Var, vec []int8)
	from  []source // by statement
	src   []int32  // memory for the loop variables of a definition
	index []int32
}

// source is what the walk keeps of one statement that defines elements.
type source struct {
	met    bool
	shared int
	seen   []bool // by the signs of a vector as digits; nil if there are too many
	vecs   map[string]bool
}

// maxDigits bounds the loops whose vectors are entries of a table.
const maxDigits = 8

// walk visits a reference; it returns false if something is wrong.
func (b *builder) walk(s *Statement, r *syntax.Ref, add func(from *Statement, v *Var, vec []int8)) bool {
	v := b.m.bind[r].v
	w := &walker{b: b, s: s, v: v, add: add, from: make([]source, len(b.m.Statements))}
	w.index = make([]int32, len(v.Dims))
	c := &compiler{newFrame(b.m, s)}
	for d := range v.Dims {
		w.spans = append(w.spans, c.span(r, v, d))
	}
	ok := true
	span := make([]int32, 2*len(v.Dims))
	b.walked += s.n
	s.dom.each(func(_ int, at []int32) bool {
		for d, f := range w.spans {
			lo, hi, st := f(at)
			switch {
			case st == missing:
				lo, hi = 1, v.Dims[d]
			case st == failed || lo <= hi && (lo < 1 || hi > v.Dims[d]):
				ok = false
				return false
			}
			if lo > hi {
				return true
			}
			span[2*d], span[2*d+1] = int32(lo), int32(hi)
		}
		if len(v.Dims) == 0 {
			ok = w.element(0, at)
		} else {
			box(v.Dims, span, 0, 0, func(k int) { ok = ok && w.element(k, at) })
		}
		return ok
	})
	return ok
}

// span compiles an index to a range of positions.
func (c *compiler) span(r *syntax.Ref, v *Var, d int) func(at []int32) (lo, hi int, st status) {
	switch e := indexAt(r.Indices, d).(type) {
	case nil, *syntax.All:
		return func([]int32) (int, int, status) { return 1, v.Dims[d], valued }
	case *syntax.Range:
		from, to := c.whole(e.From), c.whole(e.To)
		return func(at []int32) (int, int, status) {
			lo, st := from(at)
			if st != valued {
				return 0, 0, st
			}
			hi, st := to(at)
			return lo, hi, st
		}
	default:
		x := c.whole(e)
		return func(at []int32) (int, int, status) {
			i, st := x(at)
			return i, i, st
		}
	}
}

// element enters the dependence of an iteration on the definition of an element; it
// returns false if there is none.
func (w *walker) element(k int, at []int32) bool {
	v := w.v
	if v.known.has(k) {
		return true
	}
	for _, o := range [...]*owners{&v.drawn, &v.assigned} {
		if o.dense != nil {
			if by := o.dense[k]; by.stmt != 0 {
				from := w.b.m.Statements[by.stmt-1]
				if x := w.source(from); x.shared > 0 {
					w.src = slices.Grow(w.src[:0], from.dom.depth)[:from.dom.depth]
					from.dom.at(int(by.iter), w.src)
				}
				w.enter(from, at)
				return true
			}
			continue
		}
		if len(o.parts) == 0 {
			continue
		}
		index := indexOf(v.Dims, k, w.index)
		for i := range o.parts {
			p := &o.parts[i]
			if !p.has(index) {
				continue
			}
			w.src = w.src[:0]
			for l := range w.source(p.by).shared {
				w.src = append(w.src, p.by.variable(l, index))
			}
			w.enter(p.by, at)
			return true
		}
	}
	return false
}

func (w *walker) source(from *Statement) *source {
	x := &w.from[from.Index]
	if !x.met {
		x.met, x.shared = true, sharedLoops(from, w.s)
		if x.shared > maxDigits {
			x.vecs = map[string]bool{}
		} else {
			n := 1
			for range x.shared {
				n *= 3
			}
			x.seen = make([]bool, n)
		}
	}
	return x
}

// enter enters the signs of at minus src.
func (w *walker) enter(from *Statement, at []int32) {
	x := &w.from[from.Index]
	digits := 0
	for l := range x.shared {
		digits = 3*digits + 1 + int(sign(at[l]-w.src[l]))
	}
	if x.seen != nil && x.seen[digits] {
		return
	}
	vec := make([]int8, x.shared)
	for l := range vec {
		vec[l] = sign(at[l] - w.src[l])
	}
	if x.seen != nil {
		x.seen[digits] = true
	} else if key := string(asBytes(vec)); x.vecs[key] {
		return
	} else {
		x.vecs[key] = true
	}
	w.add(from, w.v, vec)
}
