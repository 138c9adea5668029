package passes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// parallelLoops are bodies of @f(%lo, %hi, %step, %a: memref<?xi64>, %w: i64, %c: i1).
var parallelLoops = []struct {
	name, body string
	kernels    int
}{
	{"one dimension", `scf.parallel (%i) = (%lo) to (%hi) step (%step) {
    %x = memref.load %a[%i] : memref<?xi64>
    %j = arith.index_cast %i : index to i64
    %y = arith.muli %x, %j : i64
    %z = arith.addi %y, %w : i64
    memref.store %z, %a[%i] : memref<?xi64>
    scf.reduce
  }`, 1},
	{"two dimensions, a constant and a projection from outside", `%q:2 = arith.mulsi_extended %w, %w : i64
  scf.parallel (%i, %j) = (%c0, %lo) to (%c7, %hi) step (%c1, %step) {
    %k = arith.muli %j, %c7 : index
    %l = arith.addi %k, %i : index
    %x = memref.load %a[%l] : memref<?xi64>
    %z = arith.addi %x, %q#1 : i64
    %v = arith.addi %z, %ten : i64
    memref.store %v, %a[%l] : memref<?xi64>
    scf.reduce
  }`, 1},
	{"three dimensions", `scf.parallel (%i, %j, %k) = (%lo, %c0, %c0) to (%hi, %c2, %c3) step (%step, %c1, %c2) {
    %0 = arith.muli %i, %c2 : index
    %1 = arith.addi %0, %j : index
    %2 = arith.muli %1, %c3 : index
    %3 = arith.addi %2, %k : index
    memref.store %w, %a[%3] : memref<?xi64>
    scf.reduce
  }`, 1},
	{"forall, with static bounds", `scf.forall (%i, %j) = (0, 1) to (4, %hi) step (2, %step) {
    %0 = arith.muli %j, %c7 : index
    %1 = arith.addi %0, %i : index
    memref.store %w, %a[%1] : memref<?xi64>
  }`, 1},
	{"loops and branches inside, stack memory", `scf.parallel (%i) = (%lo) to (%hi) step (%step) {
    %m = memref.alloca() : memref<2xi64>
    memref.store %w, %m[%c0] : memref<2xi64>
    scf.if %c { memref.store %ten, %m[%c0] : memref<2xi64> }
    %s = scf.for %k = %c0 to %i step %c1 iter_args(%t = %ten) -> (i64) {
      %v = memref.load %m[%c0] : memref<2xi64>
      %u = arith.addi %t, %v : i64
      scf.yield %u : i64
    }
    memref.store %s, %a[%i] : memref<?xi64>
    scf.reduce
  }`, 1},
	{"vectors", `scf.parallel (%i) = (%lo) to (%hi) step (%step) {
    %x = memref.load %a[%i] : memref<?xi64>
    %v = vector.broadcast %x : i64 to vector<4xi64>
    %s = vector.reduction <add>, %v : vector<4xi64> into i64
    memref.store %s, %a[%i] : memref<?xi64>
    scf.reduce
  }`, 1},
	{"two loops, one inside of another one", `scf.for %r = %c0 to %c3 step %c1 {
    scf.parallel (%i) = (%lo) to (%hi) step (%step) {
      %x = memref.load %a[%i] : memref<?xi64>
      %y = arith.addi %x, %w : i64
      memref.store %y, %a[%i] : memref<?xi64>
      scf.reduce
    }
    scf.parallel (%i) = (%c0) to (%c7) step (%c1) {
      scf.parallel (%j) = (%c0) to (%c2) step (%c1) {
        %0 = arith.muli %i, %c2 : index
        %1 = arith.addi %0, %j : index
        %x = memref.load %a[%1] : memref<?xi64>
        %y = arith.muli %x, %ten : i64
        memref.store %y, %a[%1] : memref<?xi64>
        scf.reduce
      }
      scf.reduce
    }
  }`, 2},
	{"a view and an allocation", `%m = memref.alloc() : memref<40xi64>
  %s = memref.subview %a[%c2][30][1] : memref<?xi64> to memref<30xi64, strided<[1], offset: ?>>
  scf.parallel (%i) = (%lo) to (%hi) step (%step) {
    %x = memref.load %s[%i] : memref<30xi64, strided<[1], offset: ?>>
    memref.store %x, %m[%i] : memref<40xi64>
    scf.reduce
  }
  scf.parallel (%i) = (%lo) to (%hi) step (%step) {
    %x = memref.load %m[%i] : memref<40xi64>
    memref.store %x, %a[%i] : memref<?xi64>
    scf.reduce
  }
  memref.dealloc %m : memref<40xi64>`, 2},
	{"a reduction stays", `%r = scf.parallel (%i) = (%lo) to (%hi) step (%step) init (%w) -> i64 {
    %x = memref.load %a[%i] : memref<?xi64>
    scf.reduce(%x : i64) { ^bb0(%p: i64, %q: i64): %s = arith.addi %p, %q : i64 scf.reduce.return %s : i64 }
  }
  memref.store %r, %a[%c0] : memref<?xi64>`, 0},
	{"printing stays", `scf.parallel (%i) = (%lo) to (%hi) step (%step) { special.print %i : index scf.reduce }`, 0},
	{"calls stay", `scf.parallel (%i) = (%lo) to (%hi) step (%step) { func.call @g(%i) : (index) -> () scf.reduce }`, 0},
	{"allocations stay", `scf.parallel (%i) = (%lo) to (%hi) step (%step) { %m = memref.alloc() : memref<1xi64> memref.dealloc %m : memref<1xi64> scf.reduce }`, 0},
	{"four dimensions stay", `scf.parallel (%i, %j, %k, %l) = (%lo, %c0, %c0, %c0) to (%hi, %c1, %c1, %c1) step (%step, %c1, %c1, %c1) {
    memref.store %w, %a[%i] : memref<?xi64>
    scf.reduce
  }`, 0},
}

const parallelHead = `func.func private @g(index)
func.func @f(%lo: index, %hi: index, %step: index, %a: memref<?xi64>, %w: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %ten = arith.constant 10 : i64
  `

// sweep runs @f on 40 numbers and returns them afterwards.
func sweep(t *testing.T, g *ir.Graph, lo, hi, step int64, c bool) string {
	t.Helper()
	m, err := interp.New(g, interp.Options{Fuel: 1 << 22})
	if err != nil {
		t.Fatal(err)
	}
	b := interp.NewBuffer(g.Ctx, ir.I64, 40, false)
	for i := range 40 {
		b.Store(i, ir.Val{Bits: uint64(i * i)})
	}
	b.Static = true
	a := ir.Val{Ref: &interp.MemRef{Buf: b, Sizes: []int64{40}, Strides: []int64{1}}}
	_, err = m.Call("f", []ir.Val{{Bits: uint64(lo)}, {Bits: uint64(hi)}, {Bits: uint64(step)}, a, {Bits: 5}, ir.BoolVal(c)})
	if ir.IsTrap(err) {
		return "trap"
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, show(g))
	}
	return fmt.Sprint(b.Bytes())
}

// Outlining keeps what loops do, for blocks smaller and larger than the box.
func TestOutline(t *testing.T) {
	for _, l := range parallelLoops {
		g := read(t, parallelHead+l.body+"\n  return\n}")
		for _, block := range []int{1, 4, 256} {
			n, m := apply(t, g, fmt.Sprintf("outline-kernels{block=%d}", block))
			if got := m.Stats("outline-kernels", "outlined"); got != l.kernels || strings.Count(show(n), "device.launch @") != l.kernels {
				t.Fatalf("%s: %d kernels, want %d\n%s", l.name, got, l.kernels, show(n))
			}
			if l.kernels == 0 {
				if show(n) != show(g) {
					t.Errorf("%s: changed\n%s", l.name, show(n))
				}
				continue
			}
			for _, b := range [][3]int64{{0, 0, 1}, {0, 5, 1}, {1, 6, 2}, {3, 2, 1}, {0, 4, 3}, {-3, -5, 1}, {2, 5, 5}} {
				for _, c := range []bool{false, true} {
					want := sweep(t, g, b[0], b[1], b[2], c)
					if got := sweep(t, n, b[0], b[1], b[2], c); got != want {
						t.Fatalf("%s, block %d, %v:\n%s\nwant\n%s\n%s", l.name, block, b, got, want, show(n))
					}
				}
			}
		}
	}
}

// Bounds whose difference is no number of 64 bits with a sign, and boxes larger
// than a grid.
func TestOutlineLarge(t *testing.T) {
	g := read(t, `func.func @f(%lo: index, %hi: index, %step: index, %a: memref<?xi64>, %w: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%lo, %c0) to (%hi, %c1) step (%step, %c1) {
    %o = memref.atomic_rmw addi %w, %a[%c0] : (i64, memref<?xi64>) -> i64
    scf.reduce
  }
  return
}`)
	n, _ := apply(t, g, "outline-kernels{block=1}")
	const most = 1<<63 - 1
	for _, b := range [][3]int64{{0, 70000, 1}, {-most - 1, most, most}, {-5, most, most / 2}} {
		if want, got := sweep(t, g, b[0], b[1], b[2], false), sweep(t, n, b[0], b[1], b[2], false); got != want {
			t.Errorf("%v:\n%s\nwant\n%s", b, got, want)
		}
	}
}
