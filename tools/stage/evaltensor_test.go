package stage_test

import (
	"math"
	"reflect"
	"slices"

	"github.com/irc-lang/irc/tools/stage"
)

// pattern are the bits of an element.
func pattern[T stage.Element](x T) uint64 {
	if f, ok := any(x).(float64); ok {
		return math.Float64bits(f)
	}
	return uint64(reflect.ValueOf(x).Int())
}

func unpattern[T stage.Element](bits uint64) (x T) {
	if f, ok := any(&x).(*float64); ok {
		*f = math.Float64frombits(bits)
		return x
	}
	return T(bits)
}

// An evaluator computes a random program with loops over elements. Floats are whole numbers, of which all sums are exact.
type evaluator[T stage.Element] struct {
	n, m, k int
	vars    [4]stage.Array[T]
}

// evaluate is what a program gives.
func evaluate[T stage.Element](w *twriter, body *tnode, a, b stage.Array[T], k int) tresults[stage.Array[T]] {
	e := &evaluator[T]{n: a.Shape[0], m: a.Shape[1], k: k}
	e.vars[0], e.vars[1] = a, b
	for v := range 2 {
		e.vars[v+2] = e.build(w.vars[v+2], func([]int) T { return T(v + 1) })
	}
	e.do(body)
	return tresults[stage.Array[T]]{e.vars}
}

func (e *evaluator[T]) extents(shape []string) []int {
	return extentsOf(shape, e.n, e.m, func(k int) int { return k })
}

// extentsOf are extents by how programs write them: n, m, or a digit.
func extentsOf[E any](shape []string, n, m E, known func(k int) E) []E {
	out := []E{}
	for _, x := range shape {
		switch x {
		case "n":
			out = append(out, n)
		case "m":
			out = append(out, m)
		default:
			out = append(out, known(int(x[0]-'0')))
		}
	}
	return out
}

// build makes an array of what f gives for each place.
func (e *evaluator[T]) build(shape []string, f func(at []int) T) stage.Array[T] {
	a := stage.Array[T]{Shape: e.extents(shape), Data: []T{}}
	places(a.Shape, func(at []int) { a.Data = append(a.Data, f(at)+0) }) // not -0
	return a
}

// places calls f for each place in row-major order.
func places(shape []int, f func(at []int)) {
	at := make([]int, len(shape))
	var walk func(d int)
	walk = func(d int) {
		if d == len(shape) {
			f(at)
			return
		}
		for at[d] = 0; at[d] < shape[d]; at[d]++ {
			walk(d + 1)
		}
	}
	walk(0)
}

// element is that of a place, of which dimensions of extent 1 and such in front are stretched.
func element[T stage.Element](a stage.Array[T], at []int) T {
	k := 0
	for d, n := range a.Shape {
		i := at[len(at)-len(a.Shape)+d]
		if n == 1 {
			i = 0
		}
		k = k*n + i
	}
	return a.Data[k]
}

func (e *evaluator[T]) expr(n *tnode) stage.Array[T] {
	var x, y stage.Array[T]
	if len(n.args) > 0 {
		x = e.expr(n.args[0])
	}
	if len(n.args) > 1 {
		y = e.expr(n.args[1])
	}
	switch n.op {
	case "get":
		return e.vars[n.n]
	case "full":
		return e.build(n.shape, func([]int) T { return T(n.n) })
	case "reshape", "memory":
		return stage.Array[T]{Shape: e.extents(n.shape), Data: x.Data}
	case "call":
		sum := T(0)
		for _, v := range x.Data {
			sum += v
		}
		return e.build(n.shape, func(at []int) T {
			if sum > 0 {
				return element(x, at) * 2
			}
			return element(x, at) - 1
		})
	}
	return e.build(n.shape, func(at []int) T { return e.at(n, x, y, at) })
}

// at is an element of what an op gives.
func (e *evaluator[T]) at(n *tnode, x, y stage.Array[T], at []int) (sum T) {
	switch n.op {
	case "add":
		return element(x, at) + element(y, at)
	case "sub":
		return element(x, at) - element(y, at)
	case "mul":
		return element(x, at) * element(y, at)
	case "max":
		return max(element(x, at), element(y, at))
	case "relu":
		if v := element(x, at); v > T(n.n) {
			return v
		}
		return 0
	case "sum", "greatest":
		for i := range x.Shape[n.n] {
			v := element(x, slices.Insert(slices.Clone(at), n.n, i))
			if n.op == "sum" {
				sum += v
			} else if i == 0 || v > sum {
				sum = v
			}
		}
		return sum
	case "transpose":
		from := make([]int, len(at))
		for i, d := range n.dims {
			from[d] = at[i]
		}
		return element(x, from)
	case "product":
		for i := range y.Shape[0] {
			sum += element(x, append(slices.Clone(at[:n.n]), i)) * element(y, append([]int{i}, at[n.n:]...))
		}
		return sum
	}
	panic(n.op)
}

func (e *evaluator[T]) cond(n *tnode) bool {
	switch n.dims[0] {
	case 0:
		return e.k < n.n
	case 1:
		return e.n < e.m
	}
	return float64(e.vars[2].Data[0]) < float64(n.n)
}

// do reports that the program returns.
func (e *evaluator[T]) do(n *tnode) bool {
	switch n.op {
	case "block":
		return slices.ContainsFunc(n.args, e.do)
	case "set":
		x := e.expr(n.args[0])
		e.vars[n.n] = stage.Array[T]{Shape: x.Shape, Data: slices.Clone(x.Data)}
		for i, v := range x.Data {
			e.vars[n.n].Data[i] = -max(-max(v, T(-8)), T(-8)) + 0
		}
		return false
	case "return":
		return e.k > n.n
	case "if":
		if e.cond(n) {
			return e.do(n.args[0])
		}
		return e.do(n.args[1])
	}
	for range n.n {
		if e.do(n.args[0]) {
			return true
		}
	}
	return false
}
