package einsum

import (
	"flag"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/device/transfers"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	engines "github.com/irc-lang/irc/ir/stage"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tools/stage"
)

const i, j, k, l = Index("i"), Index("j"), Index("k"), Index("l")

type slice = stage.Slice[float32]

var update = flag.Bool("update", false, "write testdata")

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	m.Run()
}

// matmul is the program of the paper's Figures 1 and 6.
func matmul(m, n, o int) func(s *stage.S, c slice) {
	return func(s *stage.S, c slice) {
		Run(s, func(e *E) {
			A, B, C := e.New("A", m, n), e.New("B", n, o), e.Over("C", c, m, o)
			A.At(i, j).Set(3)
			B.At(i, j).Set(e.Sum(4, i, j))
			e.OnDevice(func() { C.At(i, j).Add(e.Mul(A.At(i, k), B.At(k, j))) })
		})
	}
}

// A product of matrices where no two sizes are the same, and three tensors that the device has nothing to do with.
func TestMatmul(t *testing.T) {
	for _, d := range [][3]int{{2, 3, 4}, {5, 1, 3}, {17, 19, 23}} {
		m, n, o := d[0], d[1], d[2]
		g, stats := module(t, func(s *stage.S, c slice) {
			Run(s, func(e *E) {
				A, B, C := e.New("A", m, n), e.New("B", n, o), e.Over("C", c, m, o)
				D, E, F := e.New("D", m, n), e.New("E", n, o), e.New("F", m, o)
				A.At(i, j).Set(3)
				B.At(i, j).Set(e.Sum(4, i, j))
				D.At(i, j).Set(A.At(i, j))
				e.OnDevice(func() { C.At(i, j).Add(e.Mul(A.At(i, k), B.At(k, j))) })
				E.At(i, j).Set(B.At(i, j))
				F.At(i, j).Set(C.At(i, j))
			})
		})
		if stats.Restarts > 7 { // the paper's Figure 9
			t.Errorf("%d restarts", stats.Restarts)
		}
		got, want := make([]float32, m*o), make([]float32, m*o)
		for x := range m {
			for y := range o {
				got[x*o+y], want[x*o+y] = 1, 1
				sum := float32(0)
				for z := range n {
					sum += 3 * float32(4+z+y)
				}
				want[x*o+y] += sum
			}
		}
		count := moved(t, g, [][]float32{got})
		for p := range got {
			if got[p] != want[p] {
				t.Fatalf("%v: %v, want %v", d, got, want)
			}
		}
		expect := transfers.Counts{Launches: 1, In: transfers.Moved{Copies: 3, Bytes: int64(4 * (m*n + n*o + m*o))}, Out: transfers.Moved{Copies: 1, Bytes: int64(4 * m * o)}}
		if count != expect {
			t.Errorf("%v: %v, want %v", d, count, expect)
		}
	}
}

// The program as IR, in testdata/matmul.mlir.
func TestFigure(t *testing.T) {
	g, _ := module(t, matmul(2, 3, 4))
	got := strings.ReplaceAll(text.String(g, text.PrintOptions{}), "@f", "@matmul")
	const file = "testdata/matmul.mlir"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("%v: the program is\n%s\n(-update writes it)", err, got)
	}
}

// What moves, on the path that is taken.
func TestPlaces(t *testing.T) {
	const A, B, C = 4 * 2 * 3, 4 * 3 * 5, 4 * 2 * 5 // bytes
	for _, c := range []struct {
		name string
		f    func(e *E, yes, n stage.Dyn[int], A, B, C *Tensor)
		in   [2]int64 // bytes if no, and if yes
		out  [2]int64
	}{
		{"nothing is read", func(e *E, yes, n stage.Dyn[int], A, B, C *Tensor) {
			e.OnDevice(func() { C.At(i, j).Set(e.Sum(i, j)) })
		}, [2]int64{0, 0}, [2]int64{C, C}},
		{"it stays there", func(e *E, yes, n stage.Dyn[int], A, B, C *Tensor) {
			e.OnDevice(func() { C.At(i, j).Set(e.Mul(A.At(i, k), B.At(k, j))) })
			e.OnDevice(func() { C.At(i, j).Add(e.Mul(A.At(i, k), B.At(k, j))) })
		}, [2]int64{A + B, A + B}, [2]int64{C, C}},
		{"the host sets one between", func(e *E, yes, n stage.Dyn[int], A, B, C *Tensor) {
			e.OnDevice(func() { C.At(i, j).Set(e.Mul(A.At(i, k), B.At(k, j))) })
			A.At(i, j).Set(2)
			e.OnDevice(func() { C.At(i, j).Add(e.Mul(A.At(i, k), B.At(k, j))) })
		}, [2]int64{A + B + A, A + B + A}, [2]int64{C, C}},
		{"the host reads one between", func(e *E, yes, n stage.Dyn[int], A, B, C *Tensor) {
			e.OnDevice(func() { C.At(i, j).Set(e.Mul(A.At(i, k), B.At(k, j))) })
			A.At(0, 0).Set(C.At(1, 2).Value())
			e.OnDevice(func() { C.At(i, j).Add(1) })
		}, [2]int64{A + B, A + B}, [2]int64{C + C, C + C}},
		{"a region under a condition", func(e *E, yes, n stage.Dyn[int], A, B, C *Tensor) {
			if e.If(yes.Eq(1)) {
				e.OnDevice(func() { C.At(i, j).Set(e.Mul(A.At(i, k), B.At(k, j))) })
			}
			C.At(0, 0).Set(7)
		}, [2]int64{0, A + B}, [2]int64{0, C}},
		{"a condition in a region", func(e *E, yes, n stage.Dyn[int], A, B, C *Tensor) {
			e.OnDevice(func() {
				C.At(i, j).Set(A.At(i, k))
				if e.If(yes.Eq(1)) {
					C.At(i, j).Add(B.At(k, j))
				}
			})
		}, [2]int64{A, A + B}, [2]int64{C, C}},
		{"one on each path", func(e *E, yes, n stage.Dyn[int], A, B, C *Tensor) {
			e.OnDevice(func() {
				if e.If(yes.Eq(1)) {
					C.At(i, j).Set(A.At(i, k))
				} else {
					C.At(i, j).Set(B.At(k, j))
				}
			})
		}, [2]int64{B, A}, [2]int64{C, C}},
		{"a loop around a region", func(e *E, yes, n stage.Dyn[int], A, B, C *Tensor) {
			i0 := stage.Var[int](e.S, "round", 0)
			for e.While(i0.Lt(n)) {
				e.OnDevice(func() { C.At(i, j).Add(e.Mul(A.At(i, k), B.At(k, j))) })
				i0.Set(i0.Add(1))
			}
		}, [2]int64{0, A + B + C}, [2]int64{0, C}},
		{"a loop in a region", func(e *E, yes, n stage.Dyn[int], A, B, C *Tensor) {
			e.OnDevice(func() {
				i0 := stage.Var[int](e.S, "round", 0)
				for e.While(i0.Lt(n)) {
					C.At(i, j).Add(e.Mul(A.At(i, k), B.At(k, j)))
					i0.Set(i0.Add(1))
				}
			})
		}, [2]int64{0, A + B + C}, [2]int64{0, C}},
		{"a part is set", func(e *E, yes, n stage.Dyn[int], A, B, C *Tensor) {
			e.OnDevice(func() { C.At(yes, j).Set(B.At(k, j)) })
		}, [2]int64{B + C, B + C}, [2]int64{C, C}},
		{"set, then read", func(e *E, yes, n stage.Dyn[int], A, B, C *Tensor) {
			e.OnDevice(func() {
				A.At(i, k).Set(2)
				C.At(i, j).Set(e.Mul(A.At(i, k), B.At(k, j)))
			})
		}, [2]int64{B, B}, [2]int64{C, C}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, _ := module(t, func(s *stage.S, c0 slice, yes, n stage.Dyn[int]) {
				Run(s, func(e *E) { c.f(e, yes, n, e.New("A", 2, 3), e.New("B", 3, 5), e.Over("C", c0, 2, 5)) })
			})
			for yes := range 2 {
				n := moved(t, g, [][]float32{make([]float32, 10)}, uint64(yes), uint64(3*yes))
				if n.In.Bytes != c.in[yes] || n.Out.Bytes != c.out[yes] {
					t.Errorf("%d: %v, want %d bytes to the device and %d back", yes, n, c.in[yes], c.out[yes])
				}
			}
		})
	}
}

// What is wrong is told, with the line.
func TestWrong(t *testing.T) {
	for _, c := range []struct {
		f    func(e *E, A, C *Tensor)
		says string
	}{
		{func(e *E, A, C *Tensor) { C.At(i).Set(1) }, "C has 2 dimensions, and 1 subscripts here"},
		{func(e *E, A, C *Tensor) { C.At(2, j).Set(1) }, "subscript 0 of C is 2, and the dimension 2"},
		{func(e *E, A, C *Tensor) { C.At(i, j).Set(A.At(i, j)) }, "the index j runs over 5 and, in A, over 3"},
		{func(e *E, A, C *Tensor) { C.At(i, j).Set(k) }, "the index k is no subscript"},
		{func(e *E, A, C *Tensor) { C.At(i, j).Set(C.At(i, k)) }, "elements of C are read that are set here"},
		{func(e *E, A, C *Tensor) { C.At(i, j).Set("3") }, "is no float32"},
		{func(e *E, A, C *Tensor) { C.At(0, 0).Set(A.At(i, j).Value()) }, "the host reads one element at a time"},
	} {
		_, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", func(s *stage.S, c0 slice) {
			Run(s, func(e *E) { c.f(e, e.New("A", 2, 3), e.Over("C", c0, 2, 5)) })
		})
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), ".go:") {
			t.Errorf("it says %v, want %s", err, c.says)
		}
	}
}

func module(t *testing.T, fn any) (*ir.Graph, engines.Stats) {
	t.Helper()
	g, stats, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", fn)
	if err != nil {
		t.Fatal(err)
	}
	return g, stats
}

// moved runs a program on a device that has memory of its own.
func moved(t *testing.T, g *ir.Graph, x [][]float32, more ...uint64) transfers.Counts {
	t.Helper()
	c := transfers.New()
	m, err := interp.New(g, interp.Options{Watch: c, Wrap: c.Wrap})
	if err != nil {
		t.Fatal(err)
	}
	var args []ir.Val
	for _, x := range x {
		b := interp.Over(g.Ctx, ir.F32, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x)))
		args = append(args, ir.Val{Ref: &interp.MemRef{Buf: b, Sizes: []int64{int64(len(x))}, Strides: []int64{1}}})
	}
	for _, n := range more {
		args = append(args, ir.Val{Bits: n})
	}
	if _, err := m.Call("f", args); err != nil {
		t.Fatalf("%v\n%s", err, text.String(g, text.PrintOptions{}))
	}
	return c.Counts()
}
