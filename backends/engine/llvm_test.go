package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

const faulty = `
func.func @deep(%n: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0 : i64
  %stop = arith.cmpi eq, %n, %z : i64
  %r = scf.if %stop -> i64 {
    scf.yield %z : i64
  } else {
    %m = arith.subi %n, %c1 : i64
    %f = func.call @deep(%m) : (i64) -> i64
    special.print %f : i64
    %g = arith.muli %f, %f : i64
    scf.yield %g : i64
  }
  return %r : i64
}
func.func @forever() {
  %t = arith.constant true
  scf.while : () -> () {
    special.print %t : i1
    scf.condition(%t)
  } do {
    scf.yield
  }
  return
}
func.func @add(%m: memref<?xi32>, %n: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<?xi32>
  %y = memref.load %n[%c0] : memref<?xi32>
  %s = arith.addi %x, %y : i32
  memref.store %s, %m[%c0] : memref<?xi32>
  return
}
`

func ints(xs ...uint64) ir.Val {
	b := interp.NewBuffer(ir.NewContext(), ir.I32, len(xs), false)
	for i, x := range xs {
		b.Store(i, ir.Val{Bits: x})
	}
	return (&interp.MemRef{Buf: b, Sizes: []int64{int64(len(xs))}, Strides: []int64{1}}).Val()
}

// A fault is a trap of the call it happened in, and the engine goes on.
func TestFaultThenOn(t *testing.T) {
	e := native(t, Options{Level: jit.O1})
	p := prepare(t, e, parse(t, faulty))
	n := func(x int64) []ir.Val { return []ir.Val{ir.IntVal(x, 64)} }
	out, err := p.Batch(t.Context(), []Call{{Name: "deep", Args: n(3)}, {Name: "deep", Args: n(1 << 40)}, {Name: "deep", Args: n(2)}, {Name: "nothing", Args: nil}, {Name: "deep", Args: nil}})
	if err != nil {
		t.Fatal(err)
	}
	if out[0].Err != nil || len(out[0].Printed) != 3 || out[2].Err != nil || len(out[2].Printed) != 2 {
		t.Errorf("%+v", out)
	}
	var f *interp.Failure
	if !errors.As(out[1].Err, &f) || !f.IsTrap() || f.Function != "deep" {
		t.Errorf("%v", out[1].Err)
	}
	if out[3].Err == nil || out[4].Err == nil {
		t.Errorf("%v, %v", out[3].Err, out[4].Err)
	}
}

func TestTimeout(t *testing.T) {
	e := native(t, Options{Child: contract.Process{Prints: 1 << 20}})
	p := prepare(t, e, parse(t, faulty))
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, _, err := p.Call(ctx, "forever", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	m := ints(2, 5)
	if _, _, err := p.Call(t.Context(), "add", []ir.Val{m, m}); err != nil {
		t.Error(err)
	}
	if got := m.Ref.(*interp.MemRef).Buf.Load(0).Bits; got != 4 {
		t.Errorf("one buffer twice: %d", got)
	}
}

// Calls of a batch see what those before did to memory that they share.
func TestBatchShares(t *testing.T) {
	for _, e := range []Engine{native(t, Options{}), eval(t)} {
		p := prepare(t, e, parse(t, faulty))
		m, n := ints(1), ints(10)
		if _, err := p.Batch(t.Context(), []Call{{Name: "add", Args: []ir.Val{m, n}}, {Name: "add", Args: []ir.Val{n, m}}}); err != nil {
			t.Fatal(err)
		}
		if a, b := m.Ref.(*interp.MemRef).Buf.Load(0).Bits, n.Ref.(*interp.MemRef).Buf.Load(0).Bits; a != 11 || b != 21 {
			t.Errorf("%s: %d, %d", e.Name(), a, b)
		}
	}
}

// auto interprets what cannot be compiled.
func TestAuto(t *testing.T) {
	e, reason, err := New(t.Context(), "auto", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ps, err := e.Prepare(t.Context(), parse(t, faulty), parse(t, "func.func @f(%x: f64) -> f64 { %y = special.gammainc %x, %x : f64 return %y : f64 }"))
	if err != nil {
		t.Fatal(err)
	}
	first, why := ps[0].Engine()
	second, whyNot := ps[1].Engine()
	_, missing := jit.Find()
	if first != "llvm" && missing == nil || second != "eval" || reason == "" || why == "" || whyNot == "" {
		t.Errorf("%s: %q; %s: %q", first, why, second, whyNot)
	}
	if vals, _, err := ps[1].Call(t.Context(), "f", []ir.Val{ir.F64Val(1)}); err != nil || vals[0].F64() < 0.632 || vals[0].F64() > 0.633 {
		t.Errorf("%v, %v", vals, err)
	}
	if _, _, err := New(t.Context(), "nothing", Options{}); err == nil {
		t.Error("an unknown engine was started")
	}
}

const matmul = `
func.func @matmul(%a: memref<?x?xf64> {llvm.noalias}, %b: memref<?x?xf64> {llvm.noalias}, %c: memref<?x?xf64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf64>
  %k = memref.dim %a, %c1 : memref<?x?xf64>
  %m = memref.dim %b, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %p = %c0 to %k step %c1 {
      %x = memref.load %a[%i, %p] : memref<?x?xf64>
      scf.for %j = %c0 to %m step %c1 {
        %y = memref.load %b[%p, %j] : memref<?x?xf64>
        %z = memref.load %c[%i, %j] : memref<?x?xf64>
        %t = arith.mulf %x, %y : f64
        %s = arith.addf %z, %t : f64
        memref.store %s, %c[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
`

// BenchmarkMatmul multiplies matrices of 256 rows, checked and unchecked.
func BenchmarkMatmul(b *testing.B) {
	const n = 256
	for name, o := range map[string]Options{"checked": {}, "unchecked": {Unchecked: true}} {
		b.Run(name, func(b *testing.B) {
			p := prepare(b, native(b, o), parse(b, matmul)).(*llvmProgram)
			mem := newMemory(b.Context(), p)
			defer mem.free()
			f, err := p.find("matmul")
			if err != nil {
				b.Fatal(err)
			}
			var args []ir.Val
			for range 3 {
				buf := interp.NewBuffer(ir.NewContext(), ir.F64, n*n, false)
				args = append(args, (&interp.MemRef{Buf: buf, Sizes: []int64{n, n}, Strides: []int64{n, 1}}).Val())
			}
			slots, err := mem.slots(f.In, args)
			if err != nil {
				b.Fatal(err)
			}
			r, _, err := p.code.CallMany(b.Context(), jit.Call{Symbol: f.Thunk, Args: slots}, b.N)
			if err != nil || r.Status != 0 {
				b.Fatal(r.Status, err)
			}
		})
	}
}

// With Output native code's prints come while it runs, and once.
func TestStreamedPrints(t *testing.T) {
	var got []string
	c := ir.NewContext(dialects.All...)
	e := native(t, Options{Output: func(x interp.Printed) { got = append(got, interp.FormatPrinted(c, x)) }})
	p := prepare(t, e, parse(t, `func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.5 : f64
  scf.for %i = %c0 to %n step %c1 {
    special.print %i, %z : index, f64
  }
  return
}`))
	for range 2 {
		got = nil
		_, printed, err := p.Call(t.Context(), "f", []ir.Val{ir.IntVal(3, 64)})
		if want := "[0 0.5\n 1 0.5\n 2 0.5\n]"; err != nil || len(printed) > 0 || fmt.Sprint(got) != want {
			t.Errorf("%q, %v, %v", got, printed, err)
		}
	}
}
