// Package strided computes with the sizes and strides of arrays, both in elements.
package strided

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// maxElems bounds what is computed with as a number of elements.
const maxElems = 128 << 30

// RowMajor returns the strides of the identity layout and the number of elements; ok is false
// if a stride or the number is too large.
func RowMajor(sizes []int64) (strides []int64, n int64, ok bool) {
	if n, ok = ir.Product(sizes...); !ok || n > maxElems {
		return nil, 0, false
	}
	strides = make([]int64, len(sizes))
	step := int64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		strides[i] = step
		step = ir.Times(step, sizes[i])
	}
	return strides, n, true
}

// CheckPart traps unless the part of an array with these offsets, sizes and strides lies in its
// extents. One without elements does; negative sizes are those of no part.
func CheckPart(offsets, sizes, strides, extents []int64) error {
	for d, n := range sizes {
		if n < 0 {
			return ir.Trapf("a part has size %d in dimension %d", n, d)
		}
	}
	if slices.Contains(sizes, 0) {
		return nil
	}
	for d, extent := range extents {
		last, ok := ir.Sum(offsets[d], ir.Times(sizes[d]-1, strides[d]))
		if first := offsets[d]; first < 0 || first >= extent || !ok || last < 0 || last >= extent {
			return ir.Trapf("a part of %d places from %d on, %d apart, is not in dimension %d, which is %d", sizes[d], first, strides[d], d, extent)
		}
	}
	return nil
}

// Corners are the least and the greatest place of the elements of a view; the greatest is below
// the least if there are none. ok is false if one does not fit.
func Corners(sizes, strides []int64, offset int64) (low, high int64, ok bool) {
	low, high, ok = offset, offset, true
	for k, n := range sizes {
		if n == 0 {
			return 0, -1, true
		}
		step := ir.Times(n-1, strides[k])
		fits := step == (n-1)*strides[k] && n > 0
		to := &high
		if step < 0 {
			to = &low
		}
		var sum bool
		*to, sum = ir.Sum(*to, step)
		ok = ok && fits && sum
	}
	return low, high, ok
}
