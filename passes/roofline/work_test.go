package roofline_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/roofline"
	"github.com/irc-lang/irc/tests/built"
)

// nests are what the pass shows of a program.
func nests(t *testing.T, src string) (out []*roofline.Nest) {
	t.Helper()
	m := pass.Manager{Show: func(x any) { out = append(out, x.(*roofline.Nest)) }}
	p := &pass.Pipeline{Steps: []pass.Step{{Info: roofline.Info, Pass: roofline.Info.New()}}}
	if _, err := m.Run(context.Background(), built.Parse(t, src, text.Options{}), p); err != nil {
		t.Fatal(err)
	}
	return out
}

// Of loops over squares and triangles, with what is the same in all rounds, in-place updates and conditions, all is
// counted that a run does and needs, and nothing twice.
func TestWork(t *testing.T) {
	for _, c := range []struct {
		name, body                string
		operations, read, written string
	}{
		{"once for each index", `
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i] : memref<?xf64>
      %b = affine.load %B[%j] : memref<?xf64>
      %s = math.sqrt %a : f64
      %p = arith.mulf %s, %b : f64
      affine.store %p, %M[%i, %j] : memref<?x?xf64>
    }
  }`, "n^2 + n operations on f64", "16*n", "8*n^2"},
		{"again where memory changes", `
  affine.for %i = 0 to %n {
    %a = affine.load %A[0] : memref<?xf64>
    %s = arith.addf %a, %a : f64
    affine.store %s, %A[0] : memref<?xf64>
  }`, "n operations on f64", "8", "8"},
		{"a triangle", `
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %a = affine.load %M[%j, %i] : memref<?x?xf64>
      %s = arith.mulf %a, %a : f64
      affine.store %s, %M[%i, %j] : memref<?x?xf64>
    }
  }`, "1/2*n^2 - 1/2*n operations on f64", "4*n^2 - 4*n", "4*n^2 - 4*n"},
		{"what is written before it is read comes from nowhere", `
  affine.for %i = 1 to %n {
    %a = affine.load %A[%i - 1] : memref<?xf64>
    %s = arith.mulf %a, %a : f64
    affine.store %s, %A[%i] : memref<?xf64>
  }`, "n - 1 operations on f64", "8", "8*n - 8"},
		{"a reduction in values", `
  %f = arith.constant 0.0 : f64
  %r = affine.for %i = 0 to %n iter_args(%x = %f) -> f64 {
    %a = affine.load %A[%i] : memref<?xf64>
    %s = arith.addf %x, %a : f64
    affine.yield %s : f64
  }
  affine.store %r, %B[0] : memref<?xf64>`, "n operations on f64", "8*n", "0"},
		{"vectors and other types", `
  affine.for %i = 0 to %n step 8 {
    %a = vector.load %A[%i] : memref<?xf64>, vector<8xf64>
    %b = vector.fma %a, %a, %a : vector<8xf64>
    vector.store %b, %A[%i] : memref<?xf64>, vector<8xf64>
  }`, "16*floor((n + 7)/8) operations on f64", "0", "0"},
		{"an affine condition", `
  affine.for %i = 0 to %n {
    affine.if affine_set<(d0) : (d0 - 10 >= 0)>(%i) {
      %a = affine.load %A[%i] : memref<?xf64>
      %s = arith.mulf %a, %a : f64
      affine.store %s, %A[%i] : memref<?xf64>
    }
  }`, "n - 10 operations on f64", "8*n - 80", "8*n - 80"},
		{"integers that are no indices", `
  affine.for %i = 0 to %n {
    %k = affine.load %K[%i] : memref<?xi32>
    %c = arith.index_cast %i : index to i32
    %d = arith.muli %c, %c : i32
    %s = arith.addi %k, %d : i32
    affine.store %s, %K[%i] : memref<?xi32>
  }`, "n operations on i32", "4*n", "4*n"},
	} {
		src := "func.func @f(%n: index, %A: memref<?xf64> {llvm.noalias}, %B: memref<?xf64> {llvm.noalias}, %M: memref<?x?xf64> {llvm.noalias}, %K: memref<?xi32> {llvm.noalias}) {" + c.body + "\n  return\n}\n"
		list := nests(t, src)
		if len(list) != 1 || list[0].Err != nil {
			t.Errorf("%s: %d nests, %v", c.name, len(list), list[0].Err)
			continue
		}
		w := list[0].Work
		n := func(string) string { return "n" }
		if got := w.Does(list[0].Graph.Ctx, n); got != c.operations {
			t.Errorf("%s: does %s, not %s", c.name, got, c.operations)
		}
		if got := [2]string{w.Read.Text(n), w.Written.Text(n)}; got != [2]string{c.read, c.written} {
			t.Errorf("%s: reads and writes %q, not %q, %q", c.name, got, c.read, c.written)
		}
	}
}

// The bound is the longest of what the operations take and of what passes from behind each cache.
func TestBound(t *testing.T) {
	src := `func.func @f(%n: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xf64>
    %s = arith.mulf %a, %a : f64
    affine.store %s, %A[%i] : memref<?xf64>
  }
  return
}
`
	w := nests(t, src)[0].Work
	machine := *target.Host()
	machine.Caches, machine.Bandwidth, machine.PeakFlops = []int64{1 << 10, 1 << 20}, []float64{1e9, 1e8}, 1e9
	for _, c := range []struct {
		n       int64
		cores   int
		seconds float64
		by      string
	}{
		{100, 1, 100e-9, "operations"},
		{1000, 1, 2 * (8000 - 1024) / 1e9, "the L2 cache"},
		{1 << 20, 1, 2 * (8<<20 - 1<<20) / 1e8, "memory"},
		{1 << 20, 2, 2 * (8<<20 - 2<<20) / 2e8, "memory"},
		{0, 1, 0, "operations"},
	} {
		b, err := w.At(map[string]presburger.Int{w.Params[0]: presburger.NewInt(c.n)}, &machine, c.cores)
		if err != nil || fmt.Sprintf("%.6g", b.Seconds) != fmt.Sprintf("%.6g", c.seconds) || b.By != c.by {
			t.Errorf("%d on %d cores: %+v, %v, not %v by %s", c.n, c.cores, b, err, c.seconds, c.by)
		}
	}
	machine.PeakFlops = 0
	if _, err := w.At(map[string]presburger.Int{w.Params[0]: presburger.NewInt(1)}, &machine, 1); err == nil || !strings.Contains(err.Error(), "peak_flops") {
		t.Errorf("of a target without a peak: %v", err)
	}
}
