package main

import (
	"fmt"

	"github.com/irc-lang/irc/ir"
)

// deviceKernels are the examples, with sizes that keep a large card busy for a
// millisecond or so.
var deviceKernels = []deviceKernel{
	{"saxpy", "saxpy", "saxpy_kernel", ir.F32, saxpy, 1000, 1 << 26},
	{"reduce", "sum", "sum_kernel", ir.F64, reduce, 1000, 1 << 26},
	{"stencil", "heat", "heat_kernel", ir.F64, stencil, 60, 8192},
	{"matmul", "matmul", "matmul_kernel", ir.F32, matmul, 50, 4096},
}

// newArray holds small quarters: sums and products of a few are exact, in any order.
func newArray(seed int, sizes ...int64) *array {
	n := int64(1)
	for _, s := range sizes {
		n *= s
	}
	a := &array{sizes: sizes, data: make([]float64, n)}
	for i := range a.data {
		a.data[i] = float64((i*7+seed)%33-16) / 4
	}
	return a
}

func blocks(n, size int) uint32 { return uint32((n + size - 1) / size) }

// every checks about a thousand places of an array, its ends among them.
func (a *array) every(want func(i int) float64) error {
	for k := range 1001 {
		i := (a.len() - 1) * k / 1000
		if w := want(i); a.data[i] != w {
			return fmt.Errorf("element %d is %v, want %v", i, a.data[i], w)
		}
	}
	return nil
}

func saxpy(n int) problem {
	x, y := newArray(1, int64(n)), newArray(2, int64(n))
	old := append([]float64(nil), y.data...)
	return problem{host: []any{1.5, x, y}, args: []any{n, 1.5, x, y}, grid: [3]uint32{blocks(n, 256), 1, 1}, block: [3]uint32{256, 1, 1},
		bytes: 12 * float64(n),
		check: func() error { return y.every(func(i int) float64 { return 1.5*x.data[i] + old[i] }) }}
}

func reduce(n int) problem {
	x, sum := newArray(3, int64(n)), newArray(16, 1) // which begins with 0
	total := 0.0
	for _, v := range x.data {
		total += v
	}
	return problem{host: []any{x, sum}, args: []any{n, x, sum}, grid: [3]uint32{blocks(n, 256), 1, 1}, block: [3]uint32{256, 1, 1},
		bytes: 8 * float64(n),
		check: func() error { return sum.every(func(int) float64 { return total }) }}
}

func stencil(n int) problem {
	from, to := newArray(4, int64(n), int64(n)), newArray(5, int64(n), int64(n))
	return problem{host: []any{from, to}, args: []any{n, n, from, to},
		grid: [3]uint32{blocks(n, 32), blocks(n, 8), 1}, block: [3]uint32{32, 8, 1},
		bytes: 16 * float64(n) * float64(n),
		check: func() error {
			return to.every(func(at int) float64 {
				i, j, d := at/n, at%n, from.data
				if i == 0 || j == 0 || i == n-1 || j == n-1 {
					return d[at]
				}
				return 0.25 * (d[at-n] + d[at+n] + d[at-1] + d[at+1])
			})
		}}
}

func matmul(n int) problem {
	size := int64(n)
	a, b, c := newArray(6, size, size), newArray(7, size, size), newArray(8, size, size)
	return problem{host: []any{a, b, c}, args: []any{n, n, n, a, b, c},
		grid: [3]uint32{blocks(n, 16), blocks(n, 16), 1}, block: [3]uint32{16, 16, 1},
		bytes: 12 * float64(n) * float64(n), flops: 2 * float64(n) * float64(n) * float64(n),
		check: func() error {
			return c.every(func(at int) float64 {
				sum := 0.0 // sixteenths below 2^20: exact in f32
				for k := range n {
					sum += a.data[at/n*n+k] * b.data[k*n+at%n]
				}
				return sum
			})
		}}
}
