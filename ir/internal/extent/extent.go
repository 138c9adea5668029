// Package extent multiplies extents, strides, offsets and bytes so that no product wraps around: by
// Product where a size must be right, by Times where it is a cost or is compared with a limit.
// What a program multiplies while it runs is checked by the code that is made for it.
package extent

import (
	"math"
	"math/bits"
)

// Product multiplies numbers that are not negative. ok is false if those that are not 0 have a
// product above the greatest int64, which n is then: an extent of 0 hides no others, since
// their products are strides.
func Product(ns ...int64) (n int64, ok bool) {
	n, none := 1, false
	for _, d := range ns {
		if none = none || d == 0; d == 0 {
			continue
		}
		hi, lo := bits.Mul64(uint64(n), uint64(d))
		if d < 0 || hi != 0 || lo > math.MaxInt64 {
			return math.MaxInt64, false
		}
		n = int64(lo)
	}
	if none {
		n = 0
	}
	return n, true
}

// Times is the product of two numbers; one that does not fit is the greatest or the least one
// of its type.
func Times[T int | int64](a, b T) T {
	if a == 0 || b == 0 {
		return 0
	}
	least, most := T(math.MinInt64), T(math.MaxInt64)
	p := a * b
	switch {
	case !(a == -1 && b == least || b == -1 && a == least) && p/b == a:
		return p
	case (a < 0) == (b < 0):
		return most
	}
	return least
}

// Sum adds two numbers; ok is false if the sum does not fit.
func Sum(a, b int64) (n int64, ok bool) {
	n = a + b
	return n, (n > a) == (b > 0)
}

// Elements is how many elements an array of extents has, none of which is Dynamic: the
// greatest int64 if there are more.
func Elements[T int | int64](extents []T) T {
	n := T(1)
	for _, d := range extents {
		n = Times(n, d)
	}
	return n
}
