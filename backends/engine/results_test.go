package engine

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

var newResults = flag.Int("new-results", 400, "how many calls return 1 MB of new memory")

const resultsSource = `
func.func @make(%n: index, %v: f64) -> (memref<?xf64>, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf64>
  %b = memref.alloc(%c1) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %a[%i] : memref<?xf64>
  }
  memref.store %v, %b[%c0] : memref<?xf64>
  return %a, %b : memref<?xf64>, memref<?xf64>
}
`

// What a program returns and has allocated is the host's: neither the child nor the host,
// nor the interpreter's limit, has more of it after many calls than after a few.
func TestNewResults(t *testing.T) {
	g := marked(t, resultsSource)
	limited, _, err := New(t.Context(), "eval", Options{Fuel: 1 << 40, MemLimit: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []Engine{limited, native(t, Options{CountHeap: true})} {
		calls, n := *newResults, 1<<17
		if e.Name() == "eval" {
			calls, n = max(calls/10, 40), 1<<14 // an element costs some 100 ns
		}
		p := prepare(t, e, g)
		call := func() {
			r, _, err := p.Call(t.Context(), "make", []ir.Val{{Bits: uint64(n)}, ir.F64Val(3)})
			if err != nil {
				t.Fatal(err)
			}
			for i, last := range []int{n - 1, 0} {
				if m, err := interp.AsMemRef(r[i]); err != nil || m.Buf.Freed || m.Buf.Load(last) != ir.F64Val(3) {
					t.Fatalf("result %d is %v, %v", i, r[i], err)
				}
			}
		}
		for range 20 {
			call()
		}
		before := residents(t, e)
		for range calls {
			call()
		}
		after := residents(t, e)
		t.Logf("%s: %d calls of %d bytes; resident before %v, after %v", e.Name(), calls, 8*n, before, after)
		for i := range after {
			if after[i]-before[i] > 64<<20 {
				t.Errorf("%s: after %d calls %d bytes more are resident in process %d", e.Name(), calls, after[i]-before[i], i)
			}
		}
	}
}

// marked is a program after free-buffers.
func marked(t *testing.T, src string) *ir.Graph {
	t.Helper()
	g := parse(t, src)
	pl, err := pass.Parse("free-buffers", lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	if g, err = (&pass.Manager{VerifyEach: true}).Run(t.Context(), g, pl); err != nil {
		t.Fatal(err)
	}
	return g
}

// residents is the memory, in bytes, of this process and of the child of an engine.
func residents(t *testing.T, e Engine) (out []int64) {
	t.Helper()
	runtime.GC()
	pids := []int{os.Getpid()}
	if l, ok := e.(*llvmEngine); ok {
		pids = append(pids, l.child.Pid())
	}
	for _, pid := range pids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			t.Skip(err)
		}
		_, rest, _ := strings.Cut(string(text), "VmRSS:")
		var kb int64
		if _, err := fmt.Sscan(rest, &kb); err != nil {
			t.Fatal(err)
		}
		out = append(out, kb<<10)
	}
	return out
}

// What may be an argument's, a part of memory, or known to others is not the host's to free.
func TestOldResults(t *testing.T) {
	g := marked(t, `
memref.global @table : memref<4xf64> = dense<1.0>
func.func @global() -> memref<4xf64> {
  %a = memref.get_global @table : memref<4xf64>
  return %a : memref<4xf64>
}
func.func @argument(%x: memref<4xf64>) -> memref<4xf64> {
  return %x : memref<4xf64>
}
func.func @part() -> memref<2xf64, strided<[1], offset: 2>> {
  %v = arith.constant 1.0 : f64
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xf64>
  memref.store %v, %a[%c2] : memref<4xf64>
  memref.store %v, %a[%c3] : memref<4xf64>
  %p = memref.subview %a[2] [2] [1] : memref<4xf64> to memref<2xf64, strided<[1], offset: 2>>
  return %p : memref<2xf64, strided<[1], offset: 2>>
}
func.func @bytes(%at: index) -> memref<2xf64> {
  %v = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<32xi8>
  %p = memref.view %a[%at][] : memref<32xi8> to memref<2xf64>
  memref.store %v, %p[%c0] : memref<2xf64>
  memref.store %v, %p[%c1] : memref<2xf64>
  return %p : memref<2xf64>
}
func.func @twice() -> (memref<2xf64>, memref<2xf64>) {
  %v = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xf64>
  memref.store %v, %a[%c0] : memref<2xf64>
  memref.store %v, %a[%c1] : memref<2xf64>
  return %a, %a : memref<2xf64>, memref<2xf64>
}
`)
	e := native(t, Options{})
	p := prepare(t, e, g)
	x := interp.Floats([]float64{1, 1, 1, 1})
	args := map[string][]ir.Val{"bytes": {{Bits: 16}}, "argument": {{Ref: &interp.MemRef{Buf: x, Sizes: []int64{4}, Strides: []int64{1}}}}}
	for _, name := range []string{"global", "argument", "part", "bytes", "twice"} {
		for range 100 { // a wrong free ends the child
			r, _, err := p.Call(t.Context(), name, args[name])
			if err != nil {
				t.Fatalf("@%s: %v", name, err)
			}
			m, err := interp.AsMemRef(r[0])
			if err != nil {
				t.Fatal(err)
			}
			if at, err := m.At([]ir.Val{{Bits: 1}}); err != nil || m.Buf.Load(at) != ir.F64Val(1) {
				t.Fatalf("@%s gives %v, %v", name, m, err)
			}
		}
	}
}
