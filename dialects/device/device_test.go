package device_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

func context() *ir.Context { return memtest.Context(device.Dialect, special.Dialect) }

func TestRoundTrip(t *testing.T) { memtest.FixedPoint(t, context(), "testdata/device.mlir") }

// What is wrong is refused, by the op or by the check of symbols.
func TestRefused(t *testing.T) {
	kernel := func(body string) string { return "device.kernel @k(%n: index) {\n" + body + "\n device.return }" }
	for _, e := range []struct{ src, says string }{
		{`device.kernel @k() -> f32 { device.return }`, "has results"},
		{`device.kernel @k(%a: memref<*xf32>) { device.return }`, "argument #0 is neither"},
		{`device.kernel @k(%a: memref<4xf32, 3>) { device.return }`, "in global memory"},
		{`device.kernel @k(%a: vector<4xf32>) { device.return }`, "argument #0 is neither"},
		{`device.kernel private @k()`, "has no body"},
		{`device.kernel @k() { func.return }`, "ends with 'func.return', expected 'device.return'"},
		{kernel(`%s = device.shared : memref<?xf32, 3>`), "static shape"},
		{kernel(`%s = device.shared : memref<4xf32>`), "memory space 3"},
		{kernel(`%s = device.shared : memref<4xf32, strided<[2]>, 3>`), "identity layout"},
		{kernel(`scf.for %i = %n to %n step %n { %s = device.shared : memref<4xf32, 3> }`), "top of a kernel"},
		{kernel(`%i = device.thread_id w`), "expected x, y or z"},
		{kernel(`%i = "device.thread_id"() <{dimension = 1 : i32}> : () -> index`), `must be "x", "y" or "z"`},
		{kernel(`device.launch @k blocks(%n) threads(%n) args(%n : index)`), "kernels do not launch kernels"},
		{kernel("") + `func.func @f(%n: index) { device.launch @k blocks(%n) threads(%n) return }`, "incorrect number of arguments for kernel @k: 0 given, 1 wanted"},
		{kernel("") + `func.func @f(%n: index, %x: i32) { device.launch @k blocks(%n) threads(%n) args(%x : i32) return }`, "argument type mismatch"},
		{kernel("") + `func.func @f(%n: index) { device.launch @j blocks(%n) threads(%n) return }`, "'j' does not reference a valid kernel"},
		{kernel("") + `func.func @f(%n: index) { device.launch @f blocks(%n) threads(%n) return }`, "'f' is a func.func, not a device.kernel"},
		{kernel("") + `func.func @f(%n: index) { func.call @k(%n) : (index) -> () return }`, "'k' is a kernel: run it with device.launch"},
		{kernel("") + `func.func @f(%n: index) { device.launch @k blocks(%n, %n, %n, %n) threads(%n) return }`, "the grid has 4 extents, wants 1 to 3"},
		{kernel("") + `func.func @f(%n: index) { device.launch @k blocks() threads(%n) return }`, "the grid has 0 extents"},
		{kernel("") + `func.func @f(%n: i32) { device.launch @k blocks(%n) threads(%n) return }`, "of type index"},
		{`func.func @f(%a: memref<4xi32>, %x: i64, %i: index) { %o = device.atomic_cas %x, %x, %a[%i] : memref<4xi32> return }`, "element type of the memref"},
		{`func.func @f(%a: memref<4xi32>, %x: i32) { %o = device.atomic_cas %x, %x, %a[] : memref<4xi32> return }`, "incorrect number of indices"},
	} {
		g, errs := text.Parse(context(), diag.NewSource("x", e.src), text.Options{})
		err := errs.Err()
		if err == nil {
			err = symbols.Check(g)
		}
		if err == nil || !strings.Contains(err.Error(), e.says) {
			t.Errorf("%s\n says %v\n want %s", e.src, err, e.says)
		}
	}
}

const launcher = `
func.func @f(%gx: index, %bx: index, %by: index) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xindex>
  memref.store %c0, %a[%c0] : memref<1xindex>
  device.launch @k blocks(%gx) threads(%bx, %by) args(%a : memref<1xindex>)
  %r = memref.load %a[%c0] : memref<1xindex>
  memref.dealloc %a : memref<1xindex>
  return %r : index
}`

// each program defines @k(%a: memref<1xindex>); it runs for grids and blocks.
var programs = []struct {
	name, body string
	args       [][]int64
	want       []string
}{
	{"every thread runs", `
  %one = arith.constant 1 : index
  %o = memref.atomic_rmw addi %one, %a[%c0] : (index, memref<1xindex>) -> index`,
		[][]int64{{3, 4, 2}, {0, 4, 2}, {3, 0, 2}, {1, 1025, 1}, {1, 32, 33}, {1, 32, 32}, {-1, 1, 1}, {1 << 31, 1, 1}},
		[]string{"24 ", "0 ", "0 ", "trap: a block has extent 1025 in x, it must be between 0 and 1024",
			"trap: a block has 1056 threads, it must have at most 1024", "1024 ",
			"trap: a grid has extent -1 in x, it must be between 0 and 2147483647", "trap: a grid has extent 2147483648 in x, it must be between 0 and 2147483647"}},
	{"ids: the sum of all global numbers", `
  %b = device.block_id x %d = device.block_dim x %t = device.thread_id x %u = device.thread_id y %v = device.block_dim y %g = device.grid_dim x
  %0 = arith.muli %b, %v : index %1 = arith.addi %0, %u : index %2 = arith.muli %1, %d : index %3 = arith.addi %2, %t : index
  %4 = arith.muli %g, %3 : index
  %o = memref.atomic_rmw addi %4, %a[%c0] : (index, memref<1xindex>) -> index`,
		[][]int64{{3, 4, 2}}, []string{"828 "}}, // 3 * (0 + ... + 23)
	{"a barrier orders shared memory: each thread reads its neighbour", `
  %s = device.shared : memref<64xindex, 3>
  %t = device.thread_id x %d = device.block_dim x %one = arith.constant 1 : index
  %sq = arith.muli %t, %t : index
  memref.store %sq, %s[%t] : memref<64xindex, 3>
  device.barrier
  %n = arith.addi %t, %one : index %m = arith.remui %n, %d : index
  %x = memref.load %s[%m] : memref<64xindex, 3>
  %y = arith.muli %x, %t : index
  %o = memref.atomic_rmw addi %y, %a[%c0] : (index, memref<1xindex>) -> index`,
		[][]int64{{2, 4, 1}, {1, 1, 1}}, []string{"44 ", "0 "}}, // 2 * (1*4 + 2*9)
	{"a barrier orders global memory", `
  %t = device.thread_id x %c = arith.cmpi eq, %t, %c0 : index %five = arith.constant 5 : index
  scf.if %c { memref.store %five, %a[%c0] : memref<1xindex> }
  device.barrier
  %x = memref.load %a[%c0] : memref<1xindex>
  device.barrier
  %o = memref.atomic_rmw addi %x, %a[%c0] : (index, memref<1xindex>) -> index`,
		[][]int64{{1, 4, 1}}, []string{"25 "}},
	{"shared memory is the block's, and holds nothing at first", `
  %s = device.shared : memref<1xindex, 3>
  %b = device.block_id x %z = arith.cmpi eq, %b, %c0 : index
  scf.if %z { memref.store %b, %s[%c0] : memref<1xindex, 3> }
  device.barrier
  %x = memref.load %s[%c0] : memref<1xindex, 3>
  memref.store %c0, %a[%x] : memref<1xindex>`,
		[][]int64{{1, 1, 1}, {2, 1, 1}}, []string{"0 ", "trap: index #0 is poison"}},
	{"a barrier in a branch that only some take", `
  %t = device.thread_id x %one = arith.constant 1 : index
  %c = arith.cmpi ule, %t, %one : index
  scf.if %c { device.barrier }`,
		[][]int64{{1, 2, 1}, {1, 4, 1}}, []string{"0 ", "trap: 2 of 4 threads of block [0 0 0] wait here, but thread [2 0 0] has ended"}},
	{"two barriers for two kinds of threads", `
  %t = device.thread_id x
  %c = arith.cmpi eq, %t, %c0 : index
  scf.if %c { device.barrier memref.store %t, %a[%t] : memref<1xindex> } else { device.barrier }`,
		[][]int64{{1, 1, 1}, {1, 2, 1}}, []string{"0 ", "trap: threads of block [0 0 0] wait at different barriers: [0 0 0] here, [1 0 0] elsewhere"}},
	{"a loop with a barrier that some leave earlier", `
  %t = device.thread_id x %one = arith.constant 1 : index
  scf.for %i = %c0 to %t step %one { device.barrier }`,
		[][]int64{{1, 1, 1}, {1, 3, 1}}, []string{"0 ", "trap: 2 of 3 threads of block [0 0 0] wait here, but thread [0 0 0] has ended"}},
	{"compare and swap: a counter", `
  %one = arith.constant 1 : index
  %first = memref.atomic_rmw addi %c0, %a[%c0] : (index, memref<1xindex>) -> index
  %r = scf.while (%seen = %first) : (index) -> index {
    %next = arith.addi %seen, %one : index
    %old = device.atomic_cas %seen, %next, %a[%c0] : memref<1xindex>
    %again = arith.cmpi ne, %old, %seen : index
    scf.condition(%again) %old : index
  } do { ^bb0(%v: index): scf.yield %v : index }`,
		[][]int64{{2, 5, 1}}, []string{"10 "}},
	{"each thread has its own stack memory", `
  %one = arith.constant 1 : index %t = device.thread_id x %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %one {
    %m = memref.alloca() : memref<1xindex>
    memref.store %t, %m[%c0] : memref<1xindex>
    device.barrier
    %x = memref.load %m[%c0] : memref<1xindex>
    %o = memref.atomic_rmw addi %x, %a[%c0] : (index, memref<1xindex>) -> index
  }`, [][]int64{{1, 4, 1}}, []string{"18 "}},
	{"functions use ids and barriers", `
  %x = func.call @g() : () -> index
  %o = memref.atomic_rmw addi %x, %a[%c0] : (index, memref<1xindex>) -> index`,
		[][]int64{{1, 4, 1}}, []string{"6 "}},
	{"printing", `%t = device.thread_id x special.print %t : index`, [][]int64{{1, 3, 1}}, []string{"0\n1\n2\n0 "}},
	{"endless recursion is stopped", `func.call @loop() : () -> ()`, [][]int64{{1, 2, 1}}, []string{"trap: call depth exceeds 16384"}},
}

const helpers = `
func.func private @g() -> index {
  device.barrier
  %t = device.thread_id x
  return %t : index
}
func.func private @loop() {
  func.call @loop() : () -> ()
  return
}`

// Programs run as written, as built, rebuilt and pruned, and show the same.
func TestPrograms(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			src := "device.kernel @k(%a: memref<1xindex>) {\n  %c0 = arith.constant 0 : index\n" + p.body + "\n  device.return\n}" + launcher + helpers
			got := memtest.SameIn(t, context(), src, p.args...)
			for i, w := range p.want {
				if got[i] != w {
					t.Errorf("%v gives %q, want %q", p.args[i], got[i], w)
				}
			}
		})
	}
}

// A trap in a kernel names the op, its place and who launched it.
func TestTrap(t *testing.T) {
	g := memtest.Parse(t, context(), `device.kernel @k(%a: memref<1xindex>) {
  %t = device.thread_id x
  memref.store %t, %a[%t] : memref<1xindex>
  device.return
}`+launcher, text.Options{})
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Call("f", []ir.Val{{Bits: 1}, {Bits: 2}, {Bits: 1}})
	var f *interp.Failure
	if !errors.As(err, &f) || f.Op != "memref.store" || f.Function != "k" || len(f.Callers) != 1 || f.Callers[0] != "f" {
		t.Errorf("got %v", err)
	}
	// The machine is as good as before.
	if r, err := m.Call("f", []ir.Val{{Bits: 1}, {Bits: 1}, {Bits: 1}}); err != nil || r[0].Bits != 0 {
		t.Errorf("after it: %v, %v", r, err)
	}
}

// Without a launch there are no threads.
func TestNoLaunch(t *testing.T) {
	src := `device.kernel @ids() { %t = device.thread_id x special.print %t : index device.return }
device.kernel @meet() { device.barrier device.return }
device.kernel @share() { %s = device.shared : memref<4xf32, 3> %c = memref.cast %s : memref<4xf32, 3> to memref<?xf32, 3> device.return }
func.func @host(%c: i1) -> index {
  %z = arith.constant 7 : index
  %r = scf.if %c -> (index) { %t = device.thread_id x scf.yield %t : index } else { scf.yield %z : index }
  return %r : index
}`
	g := memtest.Parse(t, context(), src, text.Options{Verbatim: true})
	for _, k := range []string{"ids", "meet", "share"} {
		if got := memtest.Outcome(t, g, k); !strings.Contains(got, "trap: outside of a launch") {
			t.Errorf("@%s: %s", k, got)
		}
	}
	// An id that moved to where it runs more often traps nowhere.
	if got := memtest.Outcome(t, memtest.Parse(t, context(), src, text.Options{}), "host", ir.Val{}); got != "7 " {
		t.Errorf("host: %s", got)
	}
}
