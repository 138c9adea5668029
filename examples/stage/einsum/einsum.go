// Package einsum is a language of tensors in Einstein's notation, parts of which run on a device:
//
//	const i, j, k = einsum.Index("i"), einsum.Index("j"), einsum.Index("k")
//
//	func matmul(s *stage.S, c stage.Slice[float32]) {
//		einsum.Run(s, func(e *einsum.E) {
//			A, B, C := e.New("A", M, N), e.New("B", N, O), e.Over("C", c, M, O)
//			A.At(i, j).Set(3)
//			B.At(i, j).Set(e.Sum(4, i, j))
//			e.OnDevice(func() { C.At(i, j).Add(e.Mul(A.At(i, k), B.At(k, j))) })
//		})
//	}
//
// An index that is not on the left is summed over. What has memory on the device, and what moves there and back when, finds places.go.
package einsum

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/tools/stage"
)

// Num is an element, known when the program runs.
type Num = stage.Dyn[float32]

// E is a program under way.
type E struct {
	*stage.S
	tensors []*Tensor
	side    int // on which what is staged runs
}

// An Index runs over a dimension of each tensor of which it is a subscript.
type Index string

// values are those of indices.
type values map[Index]stage.Dyn[int]

// An Expr is a number for all values of its indices.
type Expr struct {
	refs    []Ref
	indices []Index // in the order in which they first come
	eval    func(values) Num
}

// A Ref is an element of a tensor.
type Ref struct {
	*Tensor
	sub     []any // Index, int or stage.Dyn[int]
	indices []Index
}

// union appends what is not there.
func union(list []Index, more ...Index) []Index {
	for _, i := range more {
		if !slices.Contains(list, i) {
			list = append(list[:len(list):len(list)], i)
		}
	}
	return list
}

// At is an element: a subscript is an Index, an int or a stage.Dyn[int].
func (t *Tensor) At(sub ...any) Ref {
	if len(sub) != len(t.dims) {
		t.e.Fail("give one for each dimension", "%s has %d dimensions, and %d subscripts here", t.name, len(t.dims), len(sub))
	}
	r := Ref{Tensor: t, sub: sub}
	for d, x := range sub {
		if i, ok := x.(Index); ok {
			r.indices = union(r.indices, i)
		} else if n, ok := x.(int); ok && (n < 0 || n >= t.dims[d]) {
			t.e.Fail("subscripts begin with 0", "subscript %d of %s is %d, and the dimension %d", d, t.name, n, t.dims[d])
		}
	}
	return r
}

// offset is the place of an element.
func (r Ref) offset(at values) stage.Dyn[int] {
	sum := stage.Lit(r.e.S, 0)
	for d := range stage.Range(r.e.S, len(r.sub)) {
		x := r.sub[d]
		if i, ok := x.(Index); ok {
			x = at[i]
		}
		sum = sum.Mul(r.dims[d]).Add(x)
	}
	return sum
}

// expr makes an operand of an element, an index, an expression, a Num or a number of Go.
func (e *E) expr(x any) Expr {
	switch x := x.(type) {
	case Expr:
		return x
	case Ref:
		return Expr{[]Ref{x}, x.indices, func(at values) Num { return x.mem[e.side].At(x.offset(at)) }}
	case Index:
		return Expr{nil, []Index{x}, func(at values) Num { return stage.To[float32](at[x]) }}
	}
	return Expr{eval: func(values) Num { return stage.Lit(e.S, float32(1)).Mul(x) }} // which says what is no number
}

// Sum is the sum of operands: elements, indices, expressions, a Num or numbers of Go.
func (e *E) Sum(x any, more ...any) Expr { return e.fold(Num.Add, e.expr(x), more) }

// Mul is their product.
func (e *E) Mul(x any, more ...any) Expr { return e.fold(Num.Mul, e.expr(x), more) }

// fold combines operands from the left.
func (e *E) fold(f func(x Num, y any) Num, x Expr, more []any) Expr {
	for _, next := range more {
		a, b := x, e.expr(next)
		x = Expr{slices.Concat(a.refs, b.refs), union(a.indices, b.indices...), func(at values) Num { return f(a.eval(at), b.eval(at)) }}
	}
	return x
}

// Set makes elements what an operand is.
func (r Ref) Set(y any) { r.assign(r.e.expr(y), false) }

// Add adds an operand to them.
func (r Ref) Add(y any) { r.assign(r.e.expr(y), true) }

// Value is the element, on the host. Its subscripts are numbers.
func (r Ref) Value() Num {
	if len(r.indices) > 0 || r.e.side == device {
		r.e.Fail("read it by numbers, outside of OnDevice", "the host reads one element at a time")
	}
	r.reads()
	return r.mem[host].At(r.offset(nil))
}

// extents finds how far indices run.
func (r Ref) extents(y Expr) map[Index]int {
	out := map[Index]int{}
	for _, ref := range append([]Ref{r}, y.refs...) {
		for d, x := range ref.sub {
			if i, ok := x.(Index); ok && out[i] != 0 && out[i] != ref.dims[d] {
				r.e.Fail("an index runs over dimensions of one size", "the index %s runs over %d and, in %s, over %d", i, out[i], ref.name, ref.dims[d])
			} else if ok {
				out[i] = ref.dims[d]
			}
		}
		if ref.Tensor == r.Tensor && !slices.Equal(ref.sub, r.sub) {
			r.e.Fail("set another tensor, then this one", "elements of %s are read that are set here", r.name)
		}
	}
	for _, i := range y.indices {
		if out[i] == 0 {
			r.e.Fail("make it a subscript", "the index %s is no subscript: it has no end", i)
		}
	}
	return out
}

// assign stages loops on the host, or a kernel.
func (r Ref) assign(y Expr, add bool) {
	e, extent, size := r.e, r.extents(y), 1
	for k := range stage.Range(e.S, len(y.refs)) {
		y.refs[k].reads()
	}
	if add || len(r.indices) < len(r.sub) { // each subscript that is an index of its own sets all elements
		r.reads()
	}
	r.writes()
	set := func(at values) {
		total := stage.Var[float32](e.S, "sum", 0)
		left := func(i Index) bool { return slices.Contains(r.indices, i) }
		e.nest(slices.DeleteFunc(slices.Clone(y.indices), left), extent, at, func(at values) { total.Set(total.Add(y.eval(at))) })
		if add {
			total.Set(r.mem[e.side].At(r.offset(at)).Add(total))
		}
		r.mem[e.side].Set(r.offset(at), total)
	}
	if e.side == host {
		e.nest(r.indices, extent, values{}, set)
		return
	}
	for _, i := range r.indices {
		size *= extent[i]
	}
	const block = 256
	stage.Launch(e.S, "set_"+r.name, (size+block-1)/block, block, func(t stage.Thread) { // one thread for each element
		if n := t.Block.Mul(block).Add(t.ID); e.If(n.Lt(size)) {
			at := values{}
			for k := range stage.Range(e.S, len(r.indices)) {
				i := r.indices[len(r.indices)-1-k]
				at[i], n = n.Rem(extent[i]), n.Div(extent[i])
			}
			set(at)
		}
	})
}

// nest stages loops over indices around a body, which gets the values of these besides those in at.
func (e *E) nest(over []Index, extent map[Index]int, at values, body func(values)) {
	if len(over) == 0 {
		body(at)
		return
	}
	i := stage.Var[int](e.S, string(over[0]), 0)
	for e.While(i.Lt(extent[over[0]])) {
		inner := maps.Clone(at)
		inner[over[0]] = i.Get()
		e.nest(over[1:], extent, inner, body)
		i.Set(i.Add(1))
	}
}
