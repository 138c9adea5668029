package engine

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// gathers reads by way of indices: in loops that only read, of rounds and memory that are known or
// not, in one that writes too, and in one of more rounds than one would wait for.
const gathers = `
func.func @sum(%x: memref<8xf64>, %i: memref<64xindex>, %j: memref<64xindex>) -> f64 {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  %z = arith.constant 0.0 : f64
  %r = scf.for %k = %0 to %n step %1 iter_args(%s = %z) -> (f64) {
    %a = memref.load %i[%k] : memref<64xindex>
    %b = memref.load %j[%k] : memref<64xindex>
    %u = memref.load %x[%a] : memref<8xf64>
    %v = memref.load %x[%b] : memref<8xf64>
    %p = arith.mulf %u, %v : f64
    %t = arith.addf %s, %p : f64
    scf.yield %t : f64
  }
  return %r : f64
}
func.func @open(%x: memref<?xf64>, %i: memref<?xindex>, %j: memref<?xindex>, %n: index) -> f64 {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %r = scf.for %k = %0 to %n step %1 iter_args(%s = %z) -> (f64) {
    %a = memref.load %i[%k] : memref<?xindex>
    %b = memref.load %j[%k] : memref<?xindex>
    %u = memref.load %x[%a] : memref<?xf64>
    %v = memref.load %x[%b] : memref<?xf64>
    %p = arith.mulf %u, %v : f64
    %t = arith.addf %s, %p : f64
    scf.yield %t : f64
  }
  return %r : f64
}
func.func @count(%x: memref<8xf64>, %i: memref<64xindex>, %y: memref<1xf64>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  scf.for %k = %0 to %n step %1 {
    %a = memref.load %i[%k] : memref<64xindex>
    %u = memref.load %x[%a] : memref<8xf64>
    %v = memref.load %y[%0] : memref<1xf64>
    %w = arith.addf %u, %v : f64
    memref.store %w, %y[%0] : memref<1xf64>
  }
  return
}
func.func @endless(%x: memref<8xf64>, %i: memref<64xindex>) -> f64 {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = arith.constant 4000000000000000000 : index
  %z = arith.constant 0.0 : f64
  %r = scf.for %k = %0 to %n step %1 iter_args(%s = %z) -> (f64) {
    %a = memref.load %i[%k] : memref<64xindex>
    %u = memref.load %x[%a] : memref<8xf64>
    %t = arith.addf %s, %u : f64
    scf.yield %t : f64
  }
  return %r : f64
}
`

// A loop that only reads finds out late that an index was wrong. It still stops at the
// access that fails first, and gives what it gave where none does.
func TestLateChecks(t *testing.T) {
	g := parse(t, gathers)
	ll, err := llvm.Text(g, llvm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(ll, "\nagain"); n != 2 {
		t.Errorf("%d loops are checked late, want those of @sum and @open:\n%s", n, ll)
	}
	indices := func(k int, wrong uint64) ir.Val {
		b := interp.NewBuffer(g.Ctx, ir.Index, 64, true)
		for i := range 64 {
			b.Store(i, ir.IntVal(int64(i%8), 64))
		}
		if k >= 0 {
			b.Store(k, ir.Val{Bits: wrong})
		}
		return (&interp.MemRef{Buf: b, Sizes: []int64{64}, Strides: []int64{1}}).Val()
	}
	x := numbers(1, 2, 3, 4, 5, 6, 7, 8)
	native, eval := prepare(t, native(t, Options{}), g), prepare(t, eval(t), g)
	for _, c := range []struct {
		name         string
		atI, atJ     int // where an index is wrong, if at all
		wrongI       uint64
		wrongJ       uint64
		fails, value float64
	}{
		{"none", -1, -1, 0, 0, 0, 1632},
		{"first round", 0, -1, 8, 0, 1, 0},
		{"last round", -1, 63, 0, math.MaxUint64, 1, 0},
		{"both, the second one first", 40, 17, 1 << 62, 8, 1, 0},
		{"both in one round", 5, 5, 9, 1 << 63, 1, 0},
	} {
		args := []ir.Val{x.Val(), indices(c.atI, c.wrongI), indices(c.atJ, c.wrongJ)}
		same(t, c.name+", @sum", native, eval, "sum", args, c.fails == 1, c.value)
		same(t, c.name+", @open", native, eval, "open", append(args, ir.IntVal(64, 64)), c.fails == 1, c.value)
	}
	right, none := indices(-1, 0), numbers().Val()
	same(t, "no memory and no rounds", native, eval, "open", []ir.Val{none, right, right, ir.IntVal(0, 64)}, false, 0)
	same(t, "no memory", native, eval, "open", []ir.Val{none, right, right, ir.IntVal(64, 64)}, true, 0)
	same(t, "few rounds", native, eval, "open", []ir.Val{x.Val(), right, indices(3, 8), ir.IntVal(3, 64)}, false, 14)
	same(t, "beyond the indices", native, eval, "open", []ir.Val{x.Val(), right, right, ir.IntVal(65, 64)}, true, 0)
	same(t, "more rounds than one waits for", native, eval, "open", []ir.Val{x.Val(), right, indices(3, 8), ir.IntVal(1<<62, 64)}, true, 0)
	y := numbers(100)
	if _, _, err := native.Call(t.Context(), "count", []ir.Val{x.Val(), indices(2, 8), y.Val()}); !ir.IsTrap(err) || y.Buf.Load(0).F64() != 103 {
		t.Errorf("@count ends with %v, and has summed %v up to the wrong index, want 103", err, y.Buf.Load(0).F64())
	}
	if _, _, err := native.Call(t.Context(), "endless", []ir.Val{x.Val(), indices(3, 8)}); !ir.IsTrap(err) {
		t.Errorf("@endless ends with %v", err)
	}
}

// same compares native code and the interpreter: a call fails at one place, or gives a value.
func same(t *testing.T, name string, native, eval Program, f string, args []ir.Val, fails bool, value float64) {
	t.Helper()
	want, _, failed := eval.Call(t.Context(), f, args)
	got, _, err := native.Call(t.Context(), f, args)
	if !fails {
		if err != nil || failed != nil || got[0].F64() != value || want[0].F64() != value {
			t.Errorf("%s: %v, %v; the interpreter gives %v, %v", name, got, err, want, failed)
		}
		return
	}
	var a, b *interp.Failure
	if !errors.As(err, &a) || !errors.As(failed, &b) || len(a.Locs) != 1 || a.Locs[0] != b.Locs[0] {
		t.Errorf("%s: native code ends with %+v, the interpreter with %+v", name, a, b)
	}
}
