package order

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// A walker visits the elements that a reference reads in every iteration, by
// compiled indices over packed arrays.
type walker struct {
	b     *bind.Builder
	known bool // as that of a finder
	s     *model.Statement
	v     *model.Var
	spans []func(at []int32) (lo, hi int, st model.Status)
	add   func(from *model.Statement, v *model.Var, vec []int8)
	from  map[*model.Statement]*source // those that define elements that are read
	src   []int32                      // memory for the loop variables of a definition
	index []int32
}

// source is what the walk keeps of one statement that defines elements.
type source struct {
	shared int
	seen   []bool // by the signs of a vector as digits; nil if there are too many
	vecs   map[string]bool
}

// maxDigits bounds the loops whose vectors are entries of a table.
const maxDigits = 8

// walk visits a reference; it returns false if something is wrong.
func (fd *finder) walk(s *model.Statement, r *syntax.Ref, add func(from *model.Statement, v *model.Var, vec []int8)) bool {
	b, v := fd.Builder, fd.Model.Bindings[r].Var
	w := &walker{b: b, known: fd.known, s: s, v: v, add: add, from: map[*model.Statement]*source{}}
	w.index = make([]int32, len(v.Dims))
	c := &eval.Compiler{Frame: eval.NewFrame(b.Model, s)}
	for d := range v.Dims {
		w.spans = append(w.spans, span(c, r, v, d))
	}
	ok := true
	span := make([]int32, 2*len(v.Dims))
	b.Walked += s.Iterations
	s.Domain.Each(func(_ int, at []int32) bool {
		for d, f := range w.spans {
			lo, hi, st := f(at)
			switch {
			case st == model.NoValue:
				lo, hi = 1, v.Dims[d]
			case st == model.Failing || lo <= hi && (lo < 1 || hi > v.Dims[d]):
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
		} else if all, decided := w.region(span, at); decided {
			ok = all
		} else {
			model.EachInBox(v.Dims, span, 0, 0, func(k int) { ok = ok && w.element(k, at) })
		}
		return ok
	})
	return ok
}

// span compiles an index to a range of positions.
func span(c *eval.Compiler, r *syntax.Ref, v *model.Var, d int) func(at []int32) (lo, hi int, st model.Status) {
	switch e := model.IndexAt(r.Indices, d).(type) {
	case nil, *syntax.All:
		return func([]int32) (int, int, model.Status) { return 1, v.Dims[d], model.Valued }
	case *syntax.Range:
		from, to := c.Whole(e.From), c.Whole(e.To)
		return func(at []int32) (int, int, model.Status) {
			lo, st := from(at)
			if st != model.Valued {
				return 0, 0, st
			}
			hi, st := to(at)
			return lo, hi, st
		}
	default:
		x := c.Whole(e)
		return func(at []int32) (int, int, model.Status) {
			i, st := x(at)
			return i, i, st
		}
	}
}

// fewElements is up to how many are visited one by one.
var fewElements = 16

// region is element for all of a region at once, in time by the parts of the variable: the iterations that define
// one of a part are a box. It does not decide where elements have values, or no simple statement defines them.
func (w *walker) region(r model.Region, at []int32) (defined, decided bool) {
	v := w.v
	if r.Size() <= fewElements || !w.known && !v.Known.None() || v.Drawn.Dense != nil || v.Assigned.Dense != nil {
		return false, false
	}
	n := 0
	for _, o := range []*model.Owners{&v.Drawn, &v.Assigned} {
		for i := range o.Parts {
			p := &o.Parts[i]
			common := p.And(r)
			size := common.Size()
			if size == 0 {
				continue
			}
			if w.source(p.By).seen == nil {
				return false, false
			}
			n += size
			w.src = w.src[:0]
			w.enterBox(p, common, at)
		}
	}
	return w.known || n >= r.Size(), true
}

// enterBox enters the signs of at minus the loop variables of all definitions of a region, of which each variable
// takes the values of an index, whatever the others are. So the least, an equal and the
// greatest value show all signs.
func (w *walker) enterBox(p *model.Part, r model.Region, at []int32) {
	l := len(w.src)
	if l == w.from[p.By].shared {
		w.enter(p.By, at)
		return
	}
	bound := func(end int) int32 {
		for d := range w.index {
			w.index[d] = r[2*d+end]
		}
		return p.By.Variable(l, w.index)
	}
	a, b := bound(0), bound(1)
	lo, hi := min(a, b), max(a, b)
	visit := func(x int32) {
		w.src = append(w.src[:l], x)
		w.enterBox(p, r, at)
		w.src = w.src[:l]
	}
	if lo < at[l] {
		visit(lo)
	}
	if lo <= at[l] && at[l] <= hi {
		visit(at[l])
	}
	if hi > at[l] {
		visit(hi)
	}
}

// element enters the dependence of an iteration on the definition of an element; it
// returns false if there is none.
func (w *walker) element(k int, at []int32) bool {
	v := w.v
	if v.Known.Has(k) && !w.known {
		return true
	}
	defined := w.owned(&v.Drawn, k, at)
	if !defined || w.known {
		defined = w.owned(&v.Assigned, k, at) || defined
	}
	return defined || w.known
}

// owned is element for the statements that draw, or for those that assign.
func (w *walker) owned(o *model.Owners, k int, at []int32) bool {
	if o.Dense != nil {
		by := o.Dense[k]
		if by.Stmt == 0 {
			return false
		}
		from := w.b.Model.Statements[by.Stmt-1]
		if x := w.source(from); x.shared > 0 {
			w.src = slices.Grow(w.src[:0], from.Domain.Depth)[:from.Domain.Depth]
			from.Domain.At(int(by.Iter), w.src)
		}
		w.enter(from, at)
		return true
	}
	if len(o.Parts) == 0 {
		return false
	}
	index := model.IndicesOf(w.v.Dims, k, w.index)
	for i := range o.Parts {
		p := &o.Parts[i]
		if !p.Has(index) {
			continue
		}
		w.src = w.src[:0]
		for l := range w.source(p.By).shared {
			w.src = append(w.src, p.By.Variable(l, index))
		}
		w.enter(p.By, at)
		return true
	}
	return false
}

func (w *walker) source(from *model.Statement) *source {
	x := w.from[from]
	if x == nil {
		x = &source{shared: model.SharedLoops(from, w.s)}
		w.from[from] = x
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
func (w *walker) enter(from *model.Statement, at []int32) {
	x := w.from[from]
	digits := 0
	for l := range x.shared {
		digits = 3*digits + 1 + int(model.Sign(at[l]-w.src[l]))
	}
	if x.seen != nil && x.seen[digits] {
		return
	}
	vec := make([]int8, x.shared)
	for l := range vec {
		vec[l] = model.Sign(at[l] - w.src[l])
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

func asBytes(v []int8) []byte {
	out := make([]byte, len(v), 16)
	for i, x := range v {
		out[i] = byte(x + 1)
	}
	return out
}
