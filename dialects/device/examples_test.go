package device_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/text"
)

// run calls a function of an example as it is written and as it is built, each on
// arguments of its own, and hands them to check.
func run(t *testing.T, file, fn string, args func() []ir.Val, check func(args []ir.Val)) {
	t.Helper()
	src, err := os.ReadFile("../../examples/device/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for _, verbatim := range []bool{true, false} {
		g, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource(file, string(src)), text.Options{Verbatim: verbatim})
		if err := errs.Err(); err != nil {
			t.Fatal(err)
		}
		m, err := interp.New(g, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a := args()
		if _, err := m.Call(fn, a); err != nil {
			t.Fatal(err)
		}
		check(a)
	}
}

// array makes a memref of numbers from a function of the position.
func array(elem ir.Type, f func(i int) float64, sizes ...int64) ir.Val {
	strides, n, _ := strided.RowMajor(sizes)
	b := interp.NewBuffer(ir.NewContext(), elem, int(n), false)
	for i := range int(n) {
		b.Store(i, ir.FloatVal(f(i), elem))
	}
	b.Static = true
	return ir.Val{Ref: &interp.MemRef{Buf: b, Sizes: sizes, Strides: strides}}
}

func at(v ir.Val, i int) float64 {
	b := v.Ref.(*interp.MemRef).Buf
	return b.Load(i).Float(b.Elem)
}

func random(seed uint64) func(int) float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	return func(int) float64 { return float64(float32(r.Float64()*2 - 1)) }
}

func TestSaxpy(t *testing.T) {
	for _, n := range []int64{0, 1, 255, 256, 1000} {
		x, y := array(ir.F32, random(1), n), array(ir.F32, random(2), n)
		run(t, "saxpy.mlir", "saxpy", func() []ir.Val {
			return []ir.Val{ir.FloatVal(1.5, ir.F32), x, array(ir.F32, random(2), n)}
		}, func(a []ir.Val) {
			for i := range int(n) {
				ax := float32(1.5) * float32(at(x, i))
				if want := float64(ax + float32(at(y, i))); at(a[2], i) != want {
					t.Fatalf("n = %d: y[%d] = %v, want %v", n, i, at(a[2], i), want)
				}
			}
		})
	}
}

// The sum goes by halves in a block, then over the blocks in order.
func TestReduce(t *testing.T) {
	for _, n := range []int64{0, 1, 256, 700} {
		x := array(ir.F64, random(3), n)
		var want float64
		for first := 0; first < int(n); first += 256 {
			var part [256]float64
			for i := first; i < min(first+256, int(n)); i++ {
				part[i-first] = at(x, i)
			}
			for half := 128; half > 0; half /= 2 {
				for i := range half {
					part[i] += part[i+half]
				}
			}
			want += part[0]
		}
		run(t, "reduce.mlir", "sum", func() []ir.Val { return []ir.Val{x, array(ir.F64, random(4), 1)} }, func(a []ir.Val) {
			if at(a[1], 0) != want {
				t.Fatalf("n = %d: %v, want %v", n, at(a[1], 0), want)
			}
		})
	}
}

func TestStencil(t *testing.T) {
	for _, s := range [][2]int64{{1, 1}, {2, 5}, {3, 3}, {9, 35}, {17, 40}} {
		h, w := int(s[0]), int(s[1])
		x := array(ir.F64, random(5), s[0], s[1])
		run(t, "stencil.mlir", "heat", func() []ir.Val {
			return []ir.Val{x, array(ir.F64, random(6), s[0], s[1])}
		}, func(a []ir.Val) {
			for k := range h * w {
				i, j := k/w, k%w
				want := at(x, k)
				if i > 0 && i < h-1 && j > 0 && j < w-1 {
					want = ((at(x, k-w) + at(x, k+w)) + (at(x, k-1) + at(x, k+1))) * 0.25
				}
				if got := at(a[1], k); got != want {
					t.Fatalf("%v: [%d, %d] = %v, want %v", s, i, j, got, want)
				}
			}
		})
	}
}

func TestMatmul(t *testing.T) {
	for _, s := range [][3]int64{{1, 1, 1}, {16, 16, 16}, {17, 5, 33}, {5, 20, 0}} {
		m, n, k := int(s[0]), int(s[1]), int(s[2])
		x, y := array(ir.F32, random(7), s[0], s[2]), array(ir.F32, random(8), s[2], s[1])
		run(t, "matmul.mlir", "matmul", func() []ir.Val {
			return []ir.Val{x, y, array(ir.F32, random(9), s[0], s[1])}
		}, func(a []ir.Val) {
			for e := range m * n {
				var want float32
				for l := range k {
					p := float32(at(x, e/n*k+l)) * float32(at(y, l*n+e%n))
					want += p
				}
				if got := at(a[2], e); got != float64(want) {
					t.Fatalf("%v: [%d, %d] = %v, want %v", s, e/n, e%n, got, want)
				}
			}
		})
	}
}
