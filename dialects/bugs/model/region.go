package model

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// A Region is a rectangular part of an array: the lowest and the highest index of
// each dimension, from 1. That of a scalar is empty text and has one element.
type Region []int32

// wholeOf is all of an array.
func wholeOf(dims []int) Region {
	r := make(Region, 2*len(dims))
	for d, n := range dims {
		r[2*d], r[2*d+1] = 1, int32(n)
	}
	return r
}

// Size is the number of elements.
func (r Region) Size() int {
	n := 1
	for d := 0; d < len(r); d += 2 {
		n = ir.Times(n, max(int(r[d+1])-int(r[d])+1, 0))
	}
	return n
}

// And is the common part, which may be empty.
func (r Region) And(s Region) Region {
	out := slices.Clone(r)
	for d := 0; d < len(r); d += 2 {
		out[d], out[d+1] = max(r[d], s[d]), min(r[d+1], s[d+1])
	}
	return out
}

func (r Region) Has(index []int32) bool {
	for d, i := range index {
		if i < r[2*d] || i > r[2*d+1] {
			return false
		}
	}
	return true
}

// Runs calls f for the stretches of consecutive elements from <= k < to that make
// up the region, in order.
func (r Region) Runs(dims []int, f func(from, to int)) {
	last := len(dims) // from this dimension on all of it is in the region
	for last > 0 && r[2*last-2] == 1 && int(r[2*last-1]) == dims[last-1] {
		last--
	}
	inner := ir.Elements(dims[last:])
	if inner == 0 || r.Size() == 0 {
		return
	}
	if last == 0 {
		f(0, inner)
		return
	}
	from := func(k int) { f(k*inner+(int(r[2*last-2])-1)*inner, k*inner+int(r[2*last-1])*inner) }
	if last == 1 {
		from(0)
		return
	}
	EachInBox(dims[:last-1], r[:2*last-2], 0, 0, func(k int) { from(k * dims[last-1]) })
}

// EachInBox calls f for the elements of a rectangular part of an array.
func EachInBox(dims []int, span []int32, d, base int, f func(k int)) {
	for i := span[2*d]; i <= span[2*d+1]; i++ {
		k := base*dims[d] + int(i) - 1
		if d == len(dims)-1 {
			f(k)
		} else {
			EachInBox(dims, span, d+1, k, f)
		}
	}
}

// IndicesOf splits a position into indices, which count from 1.
func IndicesOf(dims []int, k int, index []int32) []int32 {
	index = index[:len(dims)]
	for d := len(dims) - 1; d > 0; d-- {
		index[d] = int32(k%dims[d] + 1)
		k /= dims[d]
	}
	if len(dims) > 0 {
		index[0] = int32(k + 1)
	}
	return index
}

// Beyond is a region that holds what a region has and another lacks: what it has grown by where it
// has grown in one direction, else the whole of it; nil if it lacks nothing.
func (r Region) Beyond(other Region) Region {
	if other == nil || len(other) != len(r) {
		return r
	}
	grown := -1
	for k := range r {
		if inside := k%2 == 0 && r[k] >= other[k] || k%2 == 1 && r[k] <= other[k]; !inside {
			if grown >= 0 {
				return r
			}
			grown = k
		}
	}
	if grown < 0 {
		return nil
	}
	out := slices.Clone(r)
	if grown%2 == 0 {
		out[grown+1] = min(r[grown+1], other[grown]-1)
	} else {
		out[grown-1] = max(r[grown-1], other[grown]+1)
	}
	return out
}
