package eval

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// A fold is what a frame keeps of the last value of one call, such as sum(x[1:i]). Values that
// have been read do not change while a frame is used, so a slice that grows at its end goes on from
// there, by the same operations in the same order. Slices with one end and several starts are combined
// from the end, once for all of them, where the order of operations is free.
type fold struct {
	starts, ends []float64 // what determines the elements: where arrays begin or end, and numbers
	n            int
	value        float64
	tails        []float64 // of the last k+1 elements before ends
}

// folded evaluates a reduction of elements that lie in a row of an array, or of arrays, each. ok is
// false where it is another call, or there is no value.
func (f *Frame) folded(c *syntax.Call, name string) (x float64, ok bool) {
	kind := name
	if name == "mean" || name == "inprod" {
		kind = "sum"
	}
	step, ok := function.ReduceSteps[kind]
	if name == "length" { // of elements that have values
		step, ok = func(n, _ float64) float64 { return n + 1 }, true
	}
	if !ok || f.shape {
		return 0, false
	}
	p := rows{f: f}
	at, ok := p.argument(c, name)
	if !ok || p.n < 1 {
		return 0, false
	}
	last := f.folds[c]
	if last == nil {
		last = &fold{}
		if f.folds == nil {
			f.folds = map[*syntax.Call]*fold{}
		}
		f.folds[c] = last
	}
	if x, ok = last.next(p, kind, step, at); ok && name == "mean" {
		x /= float64(p.n)
	}
	return x, ok
}

// next is the reduction of the elements, by what is known of the last one.
func (l *fold) next(p rows, kind string, step func(a, x float64) float64, at element) (float64, bool) {
	from, acc := 0, function.ReduceStart[kind]
	switch {
	case slices.Equal(l.starts, p.starts) && l.n <= p.n:
		from, acc = l.n, l.value
	case kind != "prod" && slices.Equal(l.ends, p.ends) && l.n != p.n:
		if !l.combine(p, acc, step, at) {
			return 0, false
		}
		return l.tails[p.n-1], true
	}
	for k := from; k < p.n; k++ {
		x, err := at(k)
		if err != nil {
			return 0, false
		}
		acc = step(acc, x)
	}
	if acc == acc { // an element that has no value yet is NaN in some states
		*l = fold{starts: p.starts, ends: p.ends, n: p.n, value: acc}
	}
	return acc, true
}

// combine has tails of as many elements.
func (l *fold) combine(p rows, acc float64, step func(a, x float64) float64, at element) bool {
	if n := len(l.tails); n > 0 {
		acc = l.tails[n-1]
	}
	for k := len(l.tails); k < p.n; k++ {
		x, err := at(p.n - 1 - k)
		if err != nil {
			return false
		}
		if acc = step(acc, x); acc != acc {
			return false
		}
		l.tails = append(l.tails, acc)
	}
	return true
}

// An element is element k of an expression, from 0.
type element func(k int) (float64, error)

// rows are the elements of an expression of rows of arrays, each of n elements, and of numbers.
type rows struct {
	f            *Frame
	n            int // 0: numbers alone so far
	starts, ends []float64
}

// argument is what a reduction combines.
func (p *rows) argument(c *syntax.Call, name string) (element, bool) {
	if name != "inprod" {
		if len(c.Args) != 1 {
			return nil, false
		}
		return p.of(c.Args[0])
	}
	if len(c.Args) != 2 {
		return nil, false
	}
	x, isRef := c.Args[0].(*syntax.Ref)
	y, both := c.Args[1].(*syntax.Ref)
	if !isRef || !both {
		return nil, false
	}
	at, ok := p.row(x)
	if !ok {
		return nil, false
	}
	with, ok := p.row(y)
	return func(k int) (float64, error) {
		a, err := at(k)
		if err != nil {
			return 0, err
		}
		b, err := with(k)
		return a * b, err
	}, ok
}

func (p *rows) of(e syntax.Expr) (element, bool) {
	switch e := e.(type) {
	case *syntax.Num:
		return func(int) (float64, error) { return e.Value, nil }, true
	case *syntax.Ref:
		b := p.f.Model.Bindings[e]
		if b.Level == 0 && IsPart(b.Var, e) {
			return p.row(e)
		}
		x, err := p.f.Scalar(e)
		p.starts, p.ends = append(p.starts, x), append(p.ends, x)
		return func(int) (float64, error) { return x, nil }, err == nil
	case *syntax.Unary:
		return p.applied([]syntax.Expr{e.X}, func(x []float64) float64 { return function.Unary(e.Op, x[0]) })
	case *syntax.Binary:
		if e.Op != syntax.OpMatMul {
			return p.applied([]syntax.Expr{e.X, e.Y}, func(x []float64) float64 { return function.Binary(e.Op, x[0], x[1]) })
		}
	case *syntax.Call:
		if fn := function.ScalarFunction(function.Canonical(e)); fn != nil {
			return p.applied(e.Args, fn)
		}
	}
	return nil, false
}

// applied is a function of numbers at each element.
func (p *rows) applied(args []syntax.Expr, fn func([]float64) float64) (element, bool) {
	of, vals := make([]element, len(args)), make([]float64, len(args))
	for i, a := range args {
		var ok bool
		if of[i], ok = p.of(a); !ok {
			return nil, false
		}
	}
	return func(k int) (float64, error) {
		for i, at := range of {
			x, err := at(k)
			if err != nil {
				return 0, err
			}
			vals[i] = x
		}
		return fn(vals), nil
	}, true
}

// row is a part of an array with one index that is a range.
func (p *rows) row(r *syntax.Ref) (element, bool) {
	v := p.f.Model.Bindings[r].Var
	if v == nil {
		return nil, false
	}
	box, err := p.f.Box(r, v, false)
	if err != nil || box == nil {
		return nil, false
	}
	start, stride, n, ranges := 0, 0, 1, 0
	for d, extent := range v.Dims {
		start, stride = start*extent+int(box[2*d])-1, stride*extent
		if x := model.IndexAt(r.Indices, d); x == nil || !model.Single(x) {
			n, stride = int(box[2*d+1]-box[2*d])+1, 1
			ranges++
		}
	}
	if ranges != 1 || p.n > 0 && p.n != n {
		return nil, false
	}
	p.n = n
	p.starts = append(p.starts, float64(start))
	p.ends = append(p.ends, float64(start+n*stride))
	return func(k int) (float64, error) { return p.f.get(v, start+k*stride, r) }, true
}
