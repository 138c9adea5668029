package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
)

// onCores is a machine of n cores that share each parallel loop, however small.
func onCores(n int) *target.Target {
	t := *target.Host()
	t.Cores, t.Costs.MinParallel, t.Costs.MinChunk = n, 1, 1
	return &t
}

// sharing are programs of one function @f of a number and a memref.
var sharing = map[string]string{
	"all of a row": `scf.parallel (%i) = (%c0) to (%n) step (%c1) {
		%x = arith.index_cast %i : index to i64
		memref.store %x, %a[%i] : memref<?xi64>
	}`,
	"vectors from before the loop": `%nn = arith.index_cast %n : index to i64
	%v = vector.broadcast %nn : i64 to vector<16xi64>
	scf.parallel (%i) = (%c0) to (%n) step (%c1) {
		%x = arith.index_cast %i : index to i64
		%w = vector.broadcast %x : i64 to vector<16xi64>
		%p = arith.muli %v, %w : vector<16xi64>
		%s = arith.xori %p, %v : vector<16xi64>
		%r = vector.reduction <add>, %s : vector<16xi64> into i64
		memref.store %r, %a[%i] : memref<?xi64>
	}`,
	"none": `scf.parallel (%i) = (%n) to (%c0) step (%c1) {
		memref.store %z, %a[%i] : memref<?xi64>
	}`,
	"a box by steps": `scf.parallel (%i, %j, %k) = (%c1, %c0, %c2) to (%c7, %c5, %c7) step (%c2, %c1, %c3) {
		%r = arith.muli %i, %c7 : index
		%s = arith.addi %r, %j : index
		%t = arith.muli %s, %c7 : index
		%u = arith.addi %t, %k : index
		%x = arith.index_cast %u : index to i64
		memref.store %x, %a[%u] : memref<?xi64>
	}`,
	"a step that is not positive": `%zero = arith.subi %m, %m : index
	scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %zero) {
		memref.store %z, %a[%i] : memref<?xi64>
	}`,
	"a step below zero": `scf.parallel (%i) = (%c0) to (%n) step (%m) {
		memref.store %z, %a[%i] : memref<?xi64>
	}`,
	"a trap of one iteration": `scf.parallel (%i) = (%c0) to (%n) step (%c1) {
		%x = arith.index_cast %i : index to i64
		%y = arith.subi %x, %k77 : i64
		%q = arith.divsi %k77, %y : i64
		memref.store %q, %a[%i] : memref<?xi64>
	}`,
	"the first trap of many": `scf.parallel (%i) = (%c0) to (%n) step (%c1) {
		%x = arith.index_cast %i : index to i64
		%late = arith.cmpi sge, %x, %k77 : i64
		scf.if %late {
			%q = arith.divsi %k77, %z : i64
			memref.store %q, %a[%i] : memref<?xi64>
		}
		%more = arith.cmpi sge, %x, %k78 : i64
		scf.if %more {
			%far = arith.addi %i, %n : index
			memref.store %z, %a[%far] : memref<?xi64>
		}
	}`,
	"a trap in the last iteration": `%last = arith.addi %n, %c1 : index
	scf.parallel (%i) = (%c0) to (%last) step (%c1) {
		memref.store %z, %a[%i] : memref<?xi64>
	}`,
	"a trap in a function that is called": `scf.parallel (%i) = (%c0) to (%n) step (%c1) {
		%x = arith.index_cast %i : index to i64
		%q = func.call @quotient(%x, %x) : (i64, i64) -> i64
		memref.store %q, %a[%i] : memref<?xi64>
	}`,
	"loops in one another": `scf.parallel (%i) = (%c0) to (%c7) step (%c1) {
		scf.parallel (%j) = (%c0) to (%c5) step (%c1) {
			%r = arith.muli %i, %c5 : index
			%s = arith.addi %r, %j : index
			%x = arith.index_cast %s : index to i64
			memref.store %x, %a[%s] : memref<?xi64>
		}
	}`,
	"a loop in a function that one calls": `scf.parallel (%i) = (%c0) to (%c7) step (%c1) {
		%r = arith.muli %i, %c5 : index
		func.call @fill(%a, %r, %c5) : (memref<?xi64>, index, index) -> ()
	}`,
	"a trap in a loop inside": `scf.parallel (%i) = (%c0) to (%n) step (%c1) {
		func.call @fill(%a, %i, %c5) : (memref<?xi64>, index, index) -> ()
	}`,
	"memory of its own": `scf.parallel (%i) = (%c0) to (%n) step (%c1) {
		%t = memref.alloca() : memref<4xi64>
		%h = memref.alloc(%c5) : memref<?xi64>
		%x = arith.index_cast %i : index to i64
		memref.store %x, %t[%c2] : memref<4xi64>
		memref.store %x, %h[%c2] : memref<?xi64>
		%y = memref.load %t[%c2] : memref<4xi64>
		%w = memref.load %h[%c2] : memref<?xi64>
		%s = arith.addi %y, %w : i64
		memref.store %s, %a[%i] : memref<?xi64>
		memref.dealloc %h : memref<?xi64>
	}`,
	"what is printed has an order": `scf.parallel (%i) = (%c0) to (%n) step (%c1) {
		func.call @show(%i) : (index) -> ()
	}`,
	"numbers that are added up": `scf.parallel (%i) = (%c0) to (%n) step (%c1) {
		%x = arith.index_cast %i : index to i64
		%o = memref.atomic_rmw addi %x, %a[%c1] : (i64, memref<?xi64>) -> i64
	}`,
	"forall": `scf.forall (%i, %j) = (%c1, 0) to (%c7, 5) step (%c2, 1) {
		%r = arith.muli %i, %c7 : index
		%u = arith.addi %r, %j : index
		%x = arith.index_cast %u : index to i64
		memref.store %x, %a[%u] : memref<?xi64>
	}`,
	"too many iterations to count": `scf.parallel (%i, %j, %k) = (%c0, %low, %low) to (%c2, %huge, %huge) step (%c1, %c1, %c1) {
		%s = arith.subi %k, %low : index
		%x = arith.index_cast %s : index to i64
		memref.store %x, %a[%s] : memref<?xi64>
	}`,
	"a sum of integers": `%r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> i64 {
		%x = memref.load %a[%i] : memref<?xi64>
		scf.reduce(%x : i64) {
		^bb0(%p: i64, %q: i64):
			%s = arith.addi %p, %q : i64
			scf.reduce.return %s : i64
		}
	}
	memref.store %r, %a[%c0] : memref<?xi64>`,
	"a sum of floats, over a box, and the least": `%fz = arith.constant 0.125 : f64
	%r:2 = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c7) step (%c1, %c1) init (%fz, %k77) -> (f64, i64) {
		%x = memref.load %a[%i] : memref<?xi64>
		%jj = arith.index_cast %j : index to i64
		%xx = arith.addi %x, %jj : i64
		%y = arith.sitofp %xx : i64 to f64
		%w = math.sqrt %fz : f64
		%y2 = arith.divf %fz, %y : f64
		scf.reduce(%y2, %xx : f64, i64) {
		^bb0(%p: f64, %q: f64):
			%s = arith.addf %p, %q : f64
			scf.reduce.return %s : f64
		}, {
		^bb0(%p: i64, %q: i64):
			%s = arith.minsi %p, %q : i64
			scf.reduce.return %s : i64
		}
	}
	%b = arith.bitcast %r#0 : f64 to i64
	memref.store %b, %a[%c0] : memref<?xi64>
	memref.store %r#1, %a[%c1] : memref<?xi64>`,
	"what is no known sum": `%r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> i64 {
		%x = memref.load %a[%i] : memref<?xi64>
		scf.reduce(%x : i64) {
		^bb0(%p: i64, %q: i64):
			%t = arith.muli %p, %k77 : i64
			%s = arith.subi %q, %t : i64
			scf.reduce.return %s : i64
		}
	}
	memref.store %r, %a[%c0] : memref<?xi64>`,
	"a reduction of nothing": `%r = scf.parallel (%i) = (%n) to (%c0) step (%c1) init (%k77) -> i64 {
		%x = memref.load %a[%i] : memref<?xi64>
		scf.reduce(%x : i64) {
		^bb0(%p: i64, %q: i64):
			%s = arith.subi %p, %q : i64
			scf.reduce.return %s : i64
		}
	}
	memref.store %r, %a[%c0] : memref<?xi64>`,
	"a reduction that stops": `%r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%k77) -> i64 {
		%x = memref.load %a[%i] : memref<?xi64>
		scf.reduce(%x : i64) {
		^bb0(%p: i64, %q: i64):
			%s = arith.divsi %p, %q : i64
			scf.reduce.return %s : i64
		}
	}
	memref.store %r, %a[%c0] : memref<?xi64>`,
	"a reduction in a loop inside": `scf.parallel (%i) = (%c0) to (%n) step (%c1) {
		%f = arith.constant 1.5 : f32
		%r = scf.parallel (%j) = (%c0) to (%i) step (%c1) init (%f) -> f32 {
			%x = arith.index_cast %j : index to i64
			%y = arith.sitofp %x : i64 to f32
			%w = arith.divf %f, %y : f32
			%v = arith.subf %f, %y : f32
			scf.reduce(%y : f32) {
			^bb0(%p: f32, %q: f32):
				%s0 = arith.mulf %p, %f : f32
				%s = arith.addf %s0, %q : f32
				scf.reduce.return %s : f32
			}
		}
		%b = arith.bitcast %r : f32 to i32
		%e = arith.extsi %b : i32 to i64
		memref.store %e, %a[%i] : memref<?xi64>
	}`,
	"one after the other": `scf.for %r = %c0 to %n step %c1 {
		scf.parallel (%i) = (%c0) to (%n) step (%c1) {
			%x = memref.load %a[%i] : memref<?xi64>
			%y = arith.addi %x, %k77 : i64
			memref.store %y, %a[%i] : memref<?xi64>
		}
	}`,
}

const sharingProgram = `
func.func private @quotient(%%x: i64, %%y: i64) -> i64 {
	%%k = arith.constant 40 : i64
	%%d = arith.subi %%y, %%k : i64
	%%q = arith.divsi %%x, %%d : i64
	return %%q : i64
}
func.func private @fill(%%a: memref<?xi64>, %%from: index, %%n: index) {
	%%c0 = arith.constant 0 : index
	%%c1 = arith.constant 1 : index
	scf.parallel (%%i) = (%%c0) to (%%n) step (%%c1) {
		%%k = arith.addi %%from, %%i : index
		%%x = arith.index_cast %%k : index to i64
		memref.store %%x, %%a[%%k] : memref<?xi64>
	}
	return
}
func.func private @show(%%i: index) {
	special.print %%i : index
	return
}
func.func @f(%%a: memref<?xi64>, %%m: index) {
	%%c0 = arith.constant 0 : index
	%%c1 = arith.constant 1 : index
	%%c2 = arith.constant 2 : index
	%%c3 = arith.constant 3 : index
	%%c5 = arith.constant 5 : index
	%%c7 = arith.constant 7 : index
	%%low = arith.constant -9223372036854775808 : index
	%%huge = arith.constant 9223372036854775807 : index
	%%z = arith.constant 0 : i64
	%%k77 = arith.constant 77 : i64
	%%k78 = arith.constant 78 : i64
	%%n = memref.dim %%a, %%c0 : memref<?xi64>
	%s
	return
}
`

// What cores share comes out, stops and prints as it does on one and in the interpreter.
func TestSharing(t *testing.T) {
	t.Parallel()
	machines := []int{1, 2, 5}
	var engines []Engine
	for _, n := range machines {
		engines = append(engines, native(t, Options{Target: onCores(n), Level: jit.O1}))
	}
	reference := eval(t)
	for name, body := range sharing {
		g := parse(t, fmt.Sprintf(sharingProgram, body))
		want, _ := ran(t, prepare(t, reference, g), g.Ctx)
		message := ""
		for i, e := range engines {
			p := prepare(t, e, g)
			for range 3 {
				got, said := ran(t, p, g.Ctx)
				if i == 0 {
					message = said
				}
				if got != want || said != message {
					t.Errorf("%s, on %d cores:\ngot  %s (%s)\nwant %s (%s)", name, machines[i], got, said, want, message)
				}
			}
		}
	}
}

// ran tells what @f does: what it prints and leaves in memory, or where it stops and, in the words of
// the engine, why.
func ran(t *testing.T, p Program, c *ir.Context) (what, why string) {
	const n = 350
	b := interp.NewBuffer(c, ir.I64, n, false)
	for i := range n {
		b.Store(i, ir.IntVal(int64(-i), 64))
	}
	_, printed, err := p.Call(t.Context(), "f", []ir.Val{all(b), ir.IntVal(-1, 64)})
	if err != nil {
		var f *interp.Failure
		if !errors.As(err, &f) {
			t.Fatal(err)
		}
		return fmt.Sprintf("trap of %s in @%s at %v", f.Op, f.Function, f.Locs), err.Error()
	}
	var out []int64
	for i := range n {
		out = append(out, int64(b.Load(i).Bits))
	}
	return fmt.Sprint(printed, out), ""
}

// all is a view of all of a buffer.
func all(b *interp.Buffer) ir.Val {
	return (&interp.MemRef{Buf: b, Sizes: []int64{int64(b.Len())}, Strides: []int64{1}}).Val()
}

// A loop on several cores that has no end is stopped like any other, and the next call works.
func TestSharedLoopIsStopped(t *testing.T) {
	t.Parallel()
	e := native(t, Options{Target: onCores(2)})
	g := parse(t, fmt.Sprintf(sharingProgram, `scf.parallel (%i) = (%c0) to (%n) step (%c1) {
		%go = arith.cmpi slt, %m, %c0 : index
		scf.while : () -> () { scf.condition(%go) } do { 
			memref.store %z, %a[%i] : memref<?xi64>
			scf.yield
		}
	}`))
	p := prepare(t, e, g)
	args := []ir.Val{all(interp.NewBuffer(g.Ctx, ir.I64, 9, false)), ir.IntVal(-1, 64)}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, _, err := p.Call(ctx, "f", args); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it ended with %v", err)
	}
	args[1] = ir.IntVal(1, 64)
	if _, _, err := p.Call(t.Context(), "f", args); err != nil {
		t.Errorf("the call after it: %v", err)
	}
}

// Stacks that overflow on another thread are told as such.
func TestSharedLoopOverflows(t *testing.T) {
	t.Parallel()
	const src = `
func.func private @deep(%n: i64, %above: memref<100xi64>) -> i64 {
	%c1 = arith.constant 1 : i64
	%c0 = arith.constant 0 : i64
	%i = arith.constant 3 : index
	%end = arith.cmpi eq, %n, %c0 : i64
	%r = scf.if %end -> i64 {
		scf.yield %n : i64
	} else {
		%t = memref.alloca() : memref<100xi64>
		%u = memref.load %above[%i] : memref<100xi64>
		%v = arith.addi %u, %n : i64
		memref.store %v, %t[%i] : memref<100xi64>
		%m = arith.subi %n, %c1 : i64
		%d = func.call @deep(%m, %t) : (i64, memref<100xi64>) -> i64
		%x = memref.load %t[%i] : memref<100xi64>
		%y = arith.addi %x, %d : i64
		%w = arith.muli %y, %v : i64
		memref.store %w, %above[%i] : memref<100xi64>
		scf.yield %y : i64
	}
	return %r : i64
}
func.func @f(%a: memref<8xi64>, %n: i64) {
	%c0 = arith.constant 0 : index
	%c1 = arith.constant 1 : index
	%c8 = arith.constant 8 : index
	scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
		%t = memref.alloca() : memref<100xi64>
		%c3 = arith.constant 3 : index
		memref.store %n, %t[%c3] : memref<100xi64>
		%d = func.call @deep(%n, %t) : (i64, memref<100xi64>) -> i64
		memref.store %d, %a[%i] : memref<8xi64>
	}
	return
}`
	e := native(t, Options{Target: onCores(3)})
	g := parse(t, src)
	p := prepare(t, e, g)
	mem := all(interp.NewBuffer(g.Ctx, ir.I64, 8, false))
	// 40 MB of stack in each of the iterations: as deep as on the program's own thread.
	if _, _, err := p.Call(t.Context(), "f", []ir.Val{mem, ir.IntVal(45000, 64)}); err != nil {
		t.Errorf("deep: %v", err)
	}
	_, _, err := p.Call(t.Context(), "f", []ir.Val{mem, ir.IntVal(1<<40, 64)})
	var f *interp.Failure
	if !errors.As(err, &f) || !strings.Contains(err.Error(), "native code overflowed its stack") {
		t.Errorf("too deep: %v", err)
	}
}

// A fault on another thread is one of the program's, and a call after it works.
func TestSharedLoopFaults(t *testing.T) {
	t.Parallel()
	e := native(t, Options{Target: onCores(3), Unchecked: true})
	g := parse(t, fmt.Sprintf(sharingProgram, `%far = arith.muli %m, %huge : index
	scf.parallel (%i) = (%c0) to (%n) step (%c1) {
		%o = arith.divui %far, %c7 : index
		%p = arith.muli %o, %i : index
		memref.store %z, %a[%p] : memref<?xi64>
	}`))
	p := prepare(t, e, g)
	args := []ir.Val{all(interp.NewBuffer(g.Ctx, ir.I64, 300, false)), ir.IntVal(-1, 64)}
	_, _, err := p.Call(t.Context(), "f", args)
	var f *interp.Failure
	if !errors.As(err, &f) || !strings.Contains(err.Error(), "native code accessed") {
		t.Errorf("it ended with %v", err)
	}
	args[1] = ir.IntVal(0, 64)
	if _, _, err := p.Call(t.Context(), "f", args); err != nil {
		t.Errorf("the call after it: %v", err)
	}
}

// Many short loops one after the other, on more threads than there are processors, come to an end.
func TestManySharedLoops(t *testing.T) {
	t.Parallel()
	e := native(t, Options{Target: onCores(7)})
	g := parse(t, fmt.Sprintf(sharingProgram, `%many = arith.constant 20000 : index
	scf.for %r = %c0 to %many step %c1 {
		scf.parallel (%i) = (%c0) to (%n) step (%c1) {
			%x = memref.load %a[%i] : memref<?xi64>
			%y = arith.addi %x, %k77 : i64
			memref.store %y, %a[%i] : memref<?xi64>
		}
	}`))
	p := prepare(t, e, g)
	b := interp.NewBuffer(g.Ctx, ir.I64, 20, false)
	if _, _, err := p.Call(t.Context(), "f", []ir.Val{all(b), ir.IntVal(0, 64)}); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if got := int64(b.Load(i).Bits); got != 77*20000 {
			t.Fatalf("element %d is %d", i, got)
		}
	}
}
