package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/cuda/cudatest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
)

const boundSource = `
memref.global @count : memref<i64> = dense<0>

func.func @first(%x: memref<?xf64>) -> f64 {
  %0 = arith.constant 0 : index
  %v = memref.load %x[%0] : memref<?xf64>
  return %v : f64
}

// y += a x
func.func @axpy(%x: memref<?xf64>, %y: memref<?xf64>, %a: f64) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = memref.dim %x, %0 : memref<?xf64>
  scf.for %i = %0 to %n step %1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %w = memref.load %y[%i] : memref<?xf64>
    %p = arith.mulf %a, %v : f64
    %s = arith.addf %w, %p : f64
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// y[0] = a, then x[7]
func.func @store_then_load(%x: memref<?xf64>, %y: memref<?xf64>, %a: f64) -> f64 {
  %0 = arith.constant 0 : index
  %7 = arith.constant 7 : index
  memref.store %a, %y[%0] : memref<?xf64>
  %v = memref.load %x[%7] : memref<?xf64>
  return %v : f64
}

func.func @second(%x: memref<?xf64>, %y: memref<?xf64>) -> memref<?xf64> {
  return %y : memref<?xf64>
}

// y[0] = 42, then it goes deeper and deeper
func.func @descend(%x: memref<?xf64>, %y: memref<?xf64>) -> f64 {
  %0 = arith.constant 0 : index
  %v = arith.constant 42.0 : f64
  memref.store %v, %y[%0] : memref<?xf64>
  %r = call @descend(%x, %y) : (memref<?xf64>, memref<?xf64>) -> f64
  %s = arith.addf %r, %v : f64
  return %s : f64
}

func.func @forever(%x: memref<?xf64>, %y: memref<?xf64>) {
  %0 = arith.constant 0 : index
  %v = arith.constant 43.0 : f64
  memref.store %v, %y[%0] : memref<?xf64>
  scf.while : () -> () {
    %w = memref.load %y[%0] : memref<?xf64>
    %t = arith.cmpf oeq, %w, %v : f64
    memref.store %w, %y[%0] : memref<?xf64>
    scf.condition(%t)
  } do {
    scf.yield
  }
  return
}

func.func @tick() -> i64 {
  %c = memref.get_global @count : memref<i64>
  %1 = arith.constant 1 : i64
  %v = memref.load %c[] : memref<i64>
  %w = arith.addi %v, %1 : i64
  memref.store %w, %c[] : memref<i64>
  return %w : i64
}
`

// numbers is memory of f64.
func numbers(xs ...float64) *interp.MemRef {
	b := interp.Floats(xs)
	b.Static = true
	return &interp.MemRef{Buf: b, Sizes: []int64{int64(len(xs))}, Strides: []int64{1}}
}

func bind(t testing.TB, p Program, args ...ir.Val) *run.Binding {
	t.Helper()
	b, err := run.Bind(t.Context(), p, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	return b
}

func boundCall(t testing.TB, b *run.Binding, name string, changes ...run.Change) []ir.Val {
	t.Helper()
	out, _, err := b.Call(t.Context(), name, changes...)
	if err != nil {
		t.Fatalf("@%s: %v", name, err)
	}
	return out
}

// element is what the host sees of a bound argument.
func element(t testing.TB, b *run.Binding, arg, i int) float64 {
	t.Helper()
	if err := b.Fetch(t.Context(), arg); err != nil {
		t.Fatal(err)
	}
	return b.Arg(arg).Ref.(*interp.MemRef).Buf.Load(i).F64()
}

// onHosts runs a test on the interpreter and on native code.
func onHosts(t *testing.T, test func(t *testing.T, e Engine)) {
	t.Run("eval", func(t *testing.T) { test(t, eval(t)) })
	t.Run("llvm", func(t *testing.T) { test(t, native(t, Options{})) })
}

// Several functions work on one binding, a call says what changed, and nothing else
// is copied.
func TestBind(t *testing.T) {
	onHosts(t, func(t *testing.T, e Engine) {
		p := prepare(t, e, parse(t, boundSource))
		x, y := numbers(1, 2, 3, 4), numbers(10, 20, 30, 40)
		b := bind(t, p, x.Val(), y.Val(), ir.F64Val(2))
		before := p.Copied()
		boundCall(t, b, "axpy")
		boundCall(t, b, "axpy", run.Set(2, ir.F64Val(100)))
		if got := element(t, b, 1, 3); got != 448 {
			t.Errorf("y[3] = %v after two calls, want 448", got)
		}
		x.Buf.Store(0, ir.F64Val(-7))
		if got := boundCall(t, b, "first", run.Wrote(0))[0].F64(); got != -7 {
			t.Errorf("x[0] = %v, want what the host wrote", got)
		}
		out, err := b.Batch(t.Context(), []run.BoundCall{
			{Name: "first", Args: []int{1}},
			{Name: "axpy", Changes: []run.Change{run.Set(2, ir.F64Val(1))}},
			{Name: "first", Args: []int{1}},
		})
		if err != nil || out[0].Values[0].F64() != 112 || out[2].Values[0].F64() != 105 {
			t.Errorf("batch: %+v, %v", out, err)
		}
		if got := p.Copied().Since(before); got != (run.Copied{}) {
			t.Errorf("bytes were copied for calls on bound memory: %+v", got)
		}
		if err := b.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := y.Buf.Load(3).F64(); got != 452 {
			t.Errorf("y[3] = %v after Close", got)
		}
		if _, _, err := b.Call(t.Context(), "axpy"); err == nil {
			t.Error("a closed binding was called")
		}
		if _, _, err := p.Call(t.Context(), "axpy", []ir.Val{x.Val(), y.Val(), ir.F64Val(1)}); err != nil || y.Buf.Load(3).F64() != 456 {
			t.Errorf("without a binding: y[3] = %v, %v", y.Buf.Load(3).F64(), err)
		}
	})
}

// Two bound arguments may be one memory, or views of one; a memref that comes back is
// a view of it too, and so is memory of two bindings.
func TestBindAliases(t *testing.T) {
	onHosts(t, func(t *testing.T, e Engine) {
		p := prepare(t, e, parse(t, boundSource))
		x := numbers(1, 2, 3, 4, 5)
		y := &interp.MemRef{Buf: x.Buf, Offset: 1, Sizes: []int64{4}, Strides: []int64{1}}
		x4 := &interp.MemRef{Buf: x.Buf, Sizes: []int64{4}, Strides: []int64{1}}
		b := bind(t, p, x4.Val(), y.Val(), ir.F64Val(1))
		boundCall(t, b, "axpy") // x[i+1] += x[i]: sums of all before
		if got := element(t, b, 0, 4); got != 15 {
			t.Errorf("x[4] = %v, want 15", got)
		}
		r := boundCall(t, b, "second")[0].Ref.(*interp.MemRef)
		if r.Buf.Memory != x.Buf.Memory || r.Offset != 1 {
			t.Errorf("what came back is no view of the argument: %+v", r)
		}
		other := bind(t, p, x.Val())
		b.Close(t.Context())
		x.Buf.Store(0, ir.F64Val(9))
		if got := boundCall(t, other, "first", run.Wrote(0))[0].F64(); got != 9 {
			t.Errorf("memory of two bindings went with the first: %v", got)
		}
	})
}

// Programs of one engine may be bound to one memory: each sees what another has stored,
// also in a child that took the place of the one where both were compiled.
func TestBindPrograms(t *testing.T) {
	onHosts(t, func(t *testing.T, e Engine) {
		p, q := prepare(t, e, parse(t, boundSource)), prepare(t, e, parse(t, boundSource))
		x, y := numbers(1, 2), numbers(3, 4)
		a := bind(t, p, x.Val(), y.Val(), ir.F64Val(10))
		b := bind(t, q, y.Val(), x.Val(), ir.F64Val(1))
		boundCall(t, a, "axpy") // y = 13, 24
		boundCall(t, b, "axpy") // x = 14, 26
		if got := boundCall(t, a, "first")[0].F64(); got != 14 {
			t.Errorf("x[0] = %v, want 14: what the other program stored", got)
		}
		if l, ok := e.(*llvmEngine); ok {
			if err := kill(l.child.Pid()); err != nil {
				t.Fatal(err)
			}
		}
		boundCall(t, b, "axpy") // x = 27, 50
		boundCall(t, a, "axpy") // y = 283, 524
		if u, v := element(t, b, 0, 1), element(t, a, 0, 1); u != 524 || v != 50 {
			t.Errorf("y[1] = %v, x[1] = %v, want 524 and 50", u, v)
		}
		if err := a.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		boundCall(t, b, "axpy")
		if got := element(t, b, 1, 0); got != 310 {
			t.Errorf("x[0] = %v, want 310: the other binding is closed, this one is not", got)
		}
	})
}

// A trap leaves what was written before it, and the binding.
func TestBindTrap(t *testing.T) {
	onHosts(t, func(t *testing.T, e Engine) {
		p := prepare(t, e, parse(t, boundSource))
		b := bind(t, p, numbers(1, 2).Val(), numbers(3, 4).Val(), ir.F64Val(5))
		boundCall(t, b, "tick")
		if _, _, err := b.Call(t.Context(), "store_then_load"); !ir.IsTrap(err) {
			t.Fatalf("no trap: %v", err)
		}
		if got := element(t, b, 1, 0); got != 5 {
			t.Errorf("y[0] = %v, want what was stored before the trap", got)
		}
		boundCall(t, b, "axpy")
		if got := element(t, b, 1, 1); got != 14 {
			t.Errorf("y[1] = %v after a call that follows the trap, want 14", got)
		}
		if got := boundCall(t, b, "tick")[0].Bits; got != 2 {
			t.Errorf("the global is %d after the trap, want 2", got)
		}
	})
}

// A child that dies, of a fault, of its time or from outside, is replaced with what is
// bound as it was left.
func TestBindDeath(t *testing.T) {
	e := native(t, Options{})
	p := prepare(t, e, parse(t, boundSource))
	x, y := numbers(1, 2), numbers(3, 4)
	b := bind(t, p, x.Val(), y.Val(), ir.F64Val(5))
	before := p.Copied()
	children := e.(*llvmEngine).born
	died := func(what string) {
		t.Helper()
		if children++; e.(*llvmEngine).born != children {
			t.Errorf("%s: %d children, want %d", what, e.(*llvmEngine).born, children)
		}
	}

	var f *interp.Failure
	if _, _, err := b.Call(t.Context(), "descend"); !errors.As(err, &f) || !strings.Contains(err.Error(), "stack") {
		t.Fatalf("no fault: %v", err)
	}
	if got := element(t, b, 1, 0); got != 42 {
		t.Errorf("y[0] = %v after the fault, want 42", got)
	}
	boundCall(t, b, "axpy")
	died("a fault")
	if a, b := y.Buf.Load(0).F64(), y.Buf.Load(1).F64(); a != 47 || b != 14 {
		t.Errorf("y = %v, %v after the call that follows the fault, want 47, 14", a, b)
	}

	boundCall(t, b, "tick")
	if err := kill(e.(*llvmEngine).child.Pid()); err != nil {
		t.Fatal(err)
	}
	boundCall(t, b, "axpy") // it does not fail
	died("a kill")
	if got := boundCall(t, b, "tick")[0].Bits; got != 1 {
		t.Errorf("the global is %d in the new child, want 1: it begins anew", got)
	}
	if got := y.Buf.Load(0).F64(); got != 52 {
		t.Errorf("y[0] = %v after the kill, want 52", got)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, _, err := b.Call(ctx, "forever"); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("no timeout: %v", err)
	}
	if got := boundCall(t, b, "first")[0].F64(); got != 1 || y.Buf.Load(0).F64() != 43 {
		t.Errorf("after the timeout x[0] = %v, y[0] = %v", got, y.Buf.Load(0).F64())
	}
	died("a timeout")
	if got := p.Copied().Since(before); got != (run.Copied{}) {
		t.Errorf("bytes were copied: %+v", got)
	}
}

// In a batch the calls before a fault have their results and have run once; those after
// it run in a new child.
func TestBindFaultInBatch(t *testing.T) {
	p := prepare(t, native(t, Options{}), parse(t, boundSource))
	b := bind(t, p, numbers(1, 2).Val(), numbers(3, 4).Val(), ir.F64Val(1))
	out, err := b.Batch(t.Context(), []run.BoundCall{{Name: "axpy"}, {Name: "axpy"}, {Name: "second"}, {Name: "axpy"},
		{Name: "first", Args: []int{1}}, {Name: "descend"}, {Name: "axpy"}, {Name: "first", Args: []int{1}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range out {
		if (r.Err != nil) != (i == 5) {
			t.Errorf("call %d: %v", i, r.Err)
		}
	}
	if x, y := out[4].Values[0].F64(), out[7].Values[0].F64(); x != 6 || y != 43 {
		t.Errorf("y[0] = %v before the fault and %v after it, want 6 and 43", x, y)
	}
}

// Bound memory goes home with the binding or the engine; none is left behind.
func TestBindLeavesNothing(t *testing.T) {
	e := native(t, Options{MemLimit: 256 << 20})
	p := prepare(t, e, parse(t, boundSource))
	x := numbers(make([]float64, 8<<20)...)
	for range 6 { // 64 MiB each
		b := bind(t, p, x.Val())
		boundCall(t, b, "first")
		if err := b.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if x.Buf.Moved() != nil || len(e.(*llvmEngine).kept) != 0 {
			t.Fatal("the memory is still kept")
		}
	}
	y := numbers(1, 2)
	b := bind(t, p, x.Val(), y.Val(), ir.F64Val(1))
	if _, err := run.Bind(t.Context(), prepare(t, native(t, Options{}), parse(t, boundSource)), y.Val()); err == nil {
		t.Error("memory is bound to two engines")
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if x.Buf.Moved() != nil || y.Buf.Load(1).F64() != 2 {
		t.Error("the memory went with the engine")
	}
	if _, _, err := b.Call(t.Context(), "first"); err == nil {
		t.Error("a program of a closed engine runs")
	}
}

const boundKernel = `
memref.global @count : memref<i64> = dense<0>

func.func @tick() -> i64 {
  %c = memref.get_global @count : memref<i64>
  %1 = arith.constant 1 : i64
  %v = memref.load %c[] : memref<i64>
  %w = arith.addi %v, %1 : i64
  memref.store %w, %c[] : memref<i64>
  return %w : i64
}
device.kernel @double(%y: memref<8xf64>) {
  %i = device.thread_id x
  %v = memref.load %y[%i] : memref<8xf64>
  %w = arith.addf %v, %v : f64
  memref.store %w, %y[%i] : memref<8xf64>
  device.return
}
device.kernel @at(%y: memref<8xf64>, %i: index) {
  %v = memref.load %y[%i] : memref<8xf64>
  %0 = arith.constant 0 : index
  memref.store %v, %y[%0] : memref<8xf64>
  device.return
}
func.func @run(%y: memref<8xf64>) {
  %1 = arith.constant 1 : index
  %8 = arith.constant 8 : index
  device.launch @double blocks(%1) threads(%8) args(%y : memref<8xf64>)
  return
}
func.func @trap(%y: memref<8xf64>, %i: index) {
  %1 = arith.constant 1 : index
  device.launch @double blocks(%1) threads(%1) args(%y : memref<8xf64>)
  device.launch @at blocks(%1) threads(%1) args(%y, %i : memref<8xf64>, index)
  return
}
`

// A device's copy stays as long as the binding, also over a trap; what the host needs is
// fetched, and what it wrote goes there, no more.
func TestBindDevice(t *testing.T) {
	onDevices(t, Options{}, func(t *testing.T, e Engine, d *cudatest.Driver) {
		p := prepare(t, e, parse(t, boundKernel))
		y := numbers(1, 2, 3, 4, 5, 6, 7, 8)
		b := bind(t, p, y.Val(), ir.IntVal(99, 64))
		moved := func(to, back int64) {
			t.Helper()
			if got := p.Copied(); got != (run.Copied{To: to * 64, Back: back * 64}) {
				t.Errorf("copied %+v, want %d buffers to the device and %d back", got, to, back)
			}
		}
		boundCall(t, b, "run")
		boundCall(t, b, "run")
		moved(1, 0)
		if got := element(t, b, 0, 7); got != 32 {
			t.Errorf("y[7] = %v, want 32", got)
		}
		element(t, b, 0, 6)
		moved(1, 1)
		y.Buf.Store(7, ir.F64Val(1))
		boundCall(t, b, "run", run.Wrote(0))
		boundCall(t, b, "run")
		moved(2, 1)
		if _, _, err := b.Call(t.Context(), "trap"); !ir.IsTrap(err) {
			t.Fatalf("no trap: %v", err)
		}
		boundCall(t, b, "run")
		moved(2, 1)
		if u, v := element(t, b, 0, 0), element(t, b, 0, 7); u != 64 || v != 8 {
			t.Errorf("y[0] = %v, y[7] = %v after the trap, want 64, 8", u, v)
		}
		moved(2, 2)

		// The device dies with what was not fetched; globals of the host stay.
		boundCall(t, b, "tick")
		boundCall(t, b, "run")
		gpu := e.(*cudaEngine).gpu
		if err := kill(gpu.Pid()); err != nil {
			t.Fatal(err)
		}
		for gpu.Broken() == nil {
			time.Sleep(time.Millisecond)
		}
		boundCall(t, b, "run")
		if got := element(t, b, 0, 7); got != 16 {
			t.Errorf("y[7] = %v on the new device, want twice what the host had", got)
		}
		if got := boundCall(t, b, "tick")[0].Bits; got != 2 {
			t.Errorf("the global is %d on the new device, want 2", got)
		}
		if err := b.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(e.(*cudaEngine).mem.buffers); n != 0 {
			t.Errorf("%d copies are left on the device", n)
		}
	})
}
