package polybench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
)

// A Kernel is a program of loops and what its functions take. Sizes are called as in C; those
// that no array has are arguments of @kernel.
type Kernel struct {
	Name   string
	Params []string // in the order in which @main takes them
	Arrays []Array  // in the order in which the functions take them
	Small  []int    // sizes for tests
}

// An Array is an argument: its sizes, by name, and whether its elements are i32, not f64.
type Array struct {
	Name  string
	Sizes []string
	Ints  bool
}

// kernel is a row of Kernels: arrays are "A[N][M]", with a minus in front for integers.
func kernel(name, params string, small []int, arrays ...string) *Kernel {
	k := &Kernel{Name: name, Params: strings.Fields(params), Small: small}
	for _, text := range arrays {
		text, ints := strings.CutPrefix(text, "int ")
		words := strings.Split(strings.ReplaceAll(text, "]", ""), "[")
		k.Arrays = append(k.Arrays, Array{Name: words[0], Sizes: words[1:], Ints: ints})
	}
	return k
}

// Kernels are the sixteen.
var Kernels = []*Kernel{
	kernel("gemm", "NI NJ NK", []int{10, 11, 12}, "C[NI][NJ]", "A[NI][NK]", "B[NK][NJ]"),
	kernel("gemm_ijk", "NI NJ NK", []int{10, 11, 12}, "C[NI][NJ]", "A[NI][NK]", "B[NK][NJ]"),
	kernel("2mm", "NI NJ NK NL", []int{8, 9, 11, 12}, "T[NI][NJ]", "A[NI][NK]", "B[NK][NJ]", "C[NJ][NL]", "D[NI][NL]"),
	kernel("syr2k", "N M", []int{12, 10}, "C[N][N]", "A[N][M]", "B[N][M]"),
	kernel("trmm", "M N", []int{10, 12}, "A[M][M]", "B[M][N]"),
	kernel("doitgen", "Q R P", []int{5, 6, 7}, "A[R][Q][P]", "C4[P][P]", "sum[P]"),
	kernel("covariance", "M N", []int{10, 12}, "D[N][M]", "C[M][M]", "mean[M]"),
	kernel("atax", "M N R", []int{9, 11, 2}, "A[M][N]", "x[N]", "y[N]", "t[M]"),
	kernel("mvt", "N R", []int{10, 2}, "A[N][N]", "x1[N]", "x2[N]", "ya[N]", "yb[N]"),
	kernel("jacobi-2d", "N T", []int{10, 3}, "A[N][N]", "B[N][N]"),
	kernel("seidel-2d", "N T", []int{10, 3}, "A[N][N]"),
	kernel("heat-3d", "N T", []int{7, 3}, "A[N][N][N]", "B[N][N][N]"),
	kernel("lu", "N", []int{11}, "A[N][N]"),
	kernel("cholesky", "N", []int{11}, "A[N][N]"),
	kernel("floyd-warshall", "N", []int{15}, "int P[N][N]"),
	kernel("nussinov", "N", []int{17}, "int seq[N]", "int t[N][N]"),
}

// Stencils are two stencils that the sixteen lack.
var Stencils = []*Kernel{
	kernel("jacobi-1d", "N T", []int{23, 5}, "A[N]", "B[N]"),
	kernel("fdtd-2d", "NX NY T", []int{7, 9, 4}, "EX[NX][NY]", "EY[NX][NY]", "HZ[NX][NY]", "FICT[T]"),
}

// All are these and the sixteen.
func All() []*Kernel { return slices.Concat(Kernels, Stencils) }

// Called is the kernel of a name, or nil.
func Called(name string) *Kernel {
	for _, k := range All() {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// File is our program of the kernel, from the root of the repository.
func (k *Kernel) File() string { return "examples/affine/" + k.Name + ".mlir" }

// Peer is the program in C, from the root of the repository.
func (k *Kernel) Peer() string { return "tests/polybench/testdata/" + k.Name + ".c" }

// IsTripCount reports whether a parameter is the size of no array, so that @kernel takes it.
func (k *Kernel) IsTripCount(param string) bool {
	for _, a := range k.Arrays {
		for _, s := range a.Sizes {
			if s == param {
				return false
			}
		}
	}
	return true
}

// Arguments are zeros of the sizes given, and the rounds that @kernel takes after its arrays.
func (k *Kernel) Arguments(c *ir.Context, sizes []int) (arrays, rounds []ir.Val, err error) {
	if len(sizes) != len(k.Params) {
		return nil, nil, fmt.Errorf("%s has %d sizes, not %d", k.Name, len(k.Params), len(sizes))
	}
	size := map[string]int64{}
	for i, p := range k.Params {
		size[p] = int64(sizes[i])
		if k.IsTripCount(p) {
			rounds = append(rounds, ir.IntVal(int64(sizes[i]), 64))
		}
	}
	for _, a := range k.Arrays {
		var dims []int64
		for _, s := range a.Sizes {
			dims = append(dims, size[s])
		}
		elem := ir.F64
		if a.Ints {
			elem = ir.I32
		}
		arrays = append(arrays, Zeros(c, elem, dims))
	}
	return arrays, rounds, nil
}

// Zeros is memory of zeros.
func Zeros(c *ir.Context, elem ir.Type, dims []int64) ir.Val {
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	buf := interp.NewBuffer(c, elem, int(n), false)
	for i := range int(n) {
		buf.Store(i, ir.Val{})
	}
	buf.Static = true
	strides, _, _ := strided.RowMajor(dims)
	return ir.Val{Ref: &interp.MemRef{Buf: buf, Sizes: dims, Strides: strides}}
}
