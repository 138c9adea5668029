package stage

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Slices among the arguments of a call may be one memory, or overlap: what is written to one is seen in the other, as in Go. A Tensor is a
// value: an Array that shares memory with a Slice is copied.

// A span is the memory of an argument, and which it is among those of the program.
type span struct {
	data  []byte
	elem  kind
	arg   int
	array plainArray // or nil, of a Slice
}

func (x span) start() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(x.data))) }
func (x span) end() uintptr   { return x.start() + uintptr(len(x.data)) }

// spanOf is the memory of a slice or of an Array; false for a number.
func spanOf(x reflect.Value) (span, bool) {
	if isArray(x) {
		a := x.Addr().Interface().(plainArray)
		_, data := a.read()
		return span{data: data, elem: a.elem(), array: a}, true
	}
	if x.Kind() != reflect.Slice {
		return span{}, false
	}
	out := span{elem: kinds[x.Type().Elem().Kind()]}
	if n := x.Len(); n > 0 {
		out.data = unsafe.Slice((*byte)(x.UnsafePointer()), n*int(x.Type().Elem().Size()))
	}
	return out, true
}

// apart gives Arrays that share memory with a Slice elements of their own.
func apart(leaves []reflect.Value) {
	var of []span
	for _, x := range leaves {
		if s, ok := spanOf(x); ok && len(s.data) > 0 {
			of = append(of, s)
		}
	}
	for _, x := range of {
		if x.array != nil && slices.ContainsFunc(of, func(y span) bool { return y.array == nil && x.start() < y.end() && y.start() < x.end() }) {
			shape, _ := x.array.read()
			x.array.write(shape, bytes.Clone(x.data))
		}
	}
}

// overlapping are groups of slices that share memory, those of a group in the order of their addresses. A slice alone is in none.
func overlapping(of []span) (groups [][]span) {
	of = slices.DeleteFunc(slices.Clone(of), func(x span) bool { return len(x.data) == 0 || x.array != nil })
	slices.SortStableFunc(of, func(x, y span) int { return cmp.Compare(x.start(), y.start()) })
	for len(of) > 0 {
		n, end := 1, of[0].end()
		for n < len(of) && of[n].start() < end {
			end = max(end, of[n].end())
			n++
		}
		if n > 1 {
			groups = append(groups, of[:n])
		}
		of = of[n:]
	}
	return groups
}

// share makes the arguments of slices that share memory views of one.
func share(c *ir.Context, group []span, args []ir.Val) error {
	first, end := group[0], uintptr(0)
	for _, x := range group {
		end = max(end, x.end())
	}
	whole := interp.Over(c, ir.I8, unsafe.Slice(unsafe.SliceData(first.data), end-first.start()))
	for _, x := range group {
		b, err := whole.View(c, x.elem.typ(c), int64(x.start()-first.start()))
		if err != nil {
			return fmt.Errorf("stage: argument %d shares parts of elements with another: %w", x.arg+1, err)
		}
		args[x.arg] = vector(b, len(x.data)/max(1, x.elem.width()/8))
	}
	return nil
}

// vector is memory from its first element on.
func vector(b *interp.Buffer, n int) ir.Val {
	return (&interp.MemRef{Buf: b, Sizes: []int64{int64(n)}, Strides: []int64{1}}).Val()
}
