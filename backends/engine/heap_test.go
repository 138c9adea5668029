package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// frees are functions of an index %x = 3 and a condition %c, and how often they
// allocate and free when they are built.
var frees = []struct {
	name, body    string
	c             bool
	allocs, frees int64
}{
	{"used", `%a = memref.alloc() : memref<8xi64>
		memref.store %k, %a[%x] : memref<8xi64>
		%r = memref.load %a[%i0] : memref<8xi64>
		memref.dealloc %a : memref<8xi64>
		special.print %r : i64`, true, 1, 1},
	{"unused", `%a = memref.alloc() : memref<8xi64>
		memref.store %k, %a[%x] : memref<8xi64>
		memref.dealloc %a : memref<8xi64>`, true, 0, 0},
	{"one_of_two", `%a = memref.alloc() : memref<8xi64>
		%b = memref.alloc() : memref<8xi64>
		memref.store %k, %a[%x] : memref<8xi64>
		memref.store %k, %b[%x] : memref<8xi64>
		%r = memref.load %b[%i0] : memref<8xi64>
		special.print %r : i64
		memref.dealloc %a : memref<8xi64>
		memref.dealloc %b : memref<8xi64>`, true, 1, 1},
	{"loop", `%s = scf.for %i = %i0 to %i9 step %i1 iter_args(%acc = %k) -> (i64) {
		%b = memref.alloc() : memref<8xi64>
		memref.store %k, %b[%x] : memref<8xi64>
		memref.store %acc, %b[%i0] : memref<8xi64>
		%r = memref.load %b[%x] : memref<8xi64>
		memref.dealloc %b : memref<8xi64>
		%t = arith.addi %acc, %r : i64
		scf.yield %t : i64
		}
		special.print %s : i64`, true, 9, 9},
	{"loop_of_dead_ones", `scf.for %i = %i0 to %i9 step %i1 {
		%b = memref.alloc() : memref<8xi64>
		%r = memref.load %b[%x] : memref<8xi64>
		%t = arith.addi %r, %k : i64
		memref.store %t, %b[%x] : memref<8xi64>
		memref.dealloc %b : memref<8xi64>
		special.print %k : i64
		}`, true, 0, 0},
	{"one_branch_taken", oneBranch, true, 1, 1},
	{"one_branch_not_taken", oneBranch, false, 1, 0},
	{"both_branches", `%a = memref.alloc(%x) : memref<?xi64>
		memref.store %k, %a[%i0] : memref<?xi64>
		%r = memref.load %a[%i1] : memref<?xi64>
		special.print %r : i64
		scf.if %c {
			memref.dealloc %a : memref<?xi64>
		} else {
			special.print %k : i64
			memref.dealloc %a : memref<?xi64>
		}`, false, 1, 1},
	{"through_a_view", `%a = memref.alloc() : memref<8xi64>
		memref.store %k, %a[%x] : memref<8xi64>
		%r = memref.load %a[%i0] : memref<8xi64>
		special.print %r : i64
		%v = memref.subview %a[0] [4] [2] : memref<8xi64> to memref<4xi64, strided<[2]>>
		%w = memref.cast %v : memref<4xi64, strided<[2]>> to memref<?xi64, strided<[?], offset: ?>>
		memref.dealloc %w : memref<?xi64, strided<[?], offset: ?>>`, true, 1, 1},
	{"through_a_choice", `%a = memref.alloc() : memref<8xi64>
		%b = memref.alloc() : memref<8xi64>
		memref.store %k, %a[%x] : memref<8xi64>
		memref.store %k, %b[%x] : memref<8xi64>
		%p = arith.select %c, %a, %b : memref<8xi64>
		%q = arith.select %c, %b, %a : memref<8xi64>
		%r = memref.load %p[%i0] : memref<8xi64>
		special.print %r : i64
		memref.dealloc %p : memref<8xi64>
		memref.dealloc %q : memref<8xi64>`, true, 2, 2},
	{"of_an_argument", `%a = memref.alloc() : memref<8xi64>
		memref.store %k, %a[%x] : memref<8xi64>
		func.call @take(%a) : (memref<8xi64>) -> ()`, true, 1, 1},
	{"of_a_result", `%a = func.call @give() : () -> memref<8xi64>
		memref.dealloc %a : memref<8xi64>`, true, 1, 1},
	{"before_a_read_of_any_memory", `%a = func.call @give() : () -> memref<8xi64>
		memref.store %k, %a[%i0] : memref<8xi64>
		%b = memref.alloc() : memref<8xi64>
		memref.store %k, %b[%x] : memref<8xi64>
		func.call @take(%a) : (memref<8xi64>) -> ()
		%z = func.call @give() : () -> memref<8xi64>
		memref.store %k, %z[%i0] : memref<8xi64>
		special.print %x : index
		%r = memref.load %z[%i1] : memref<8xi64>
		special.print %c : i1
		memref.dealloc %b : memref<8xi64>
		func.call @take(%z) : (memref<8xi64>) -> ()`, true, 3, 3},
	{"moved", `%a = memref.alloc(%x) : memref<?xi64>
		memref.store %k, %a[%i0] : memref<?xi64>
		%b = memref.realloc %a(%i9) : memref<?xi64> to memref<?xi64>
		%r = memref.load %b[%i1] : memref<?xi64>
		special.print %r : i64
		memref.dealloc %b : memref<?xi64>`, true, 2, 2},
	{"moved_for_nothing", `%a = memref.alloc(%x) : memref<?xi64>
		memref.store %k, %a[%i0] : memref<?xi64>
		%b = memref.realloc %a(%i9) : memref<?xi64> to memref<?xi64>
		memref.dealloc %b : memref<?xi64>`, true, 0, 0},
	// One is needed for nothing but whether the other is freed.
	{"one_for_another", `%a = memref.alloc() : memref<8xi1>
		%b = memref.alloc() : memref<8xi64>
		memref.store %c, %a[%x] : memref<8xi1>
		memref.store %c, %a[%i0] : memref<8xi1>
		memref.store %k, %b[%x] : memref<8xi64>
		%r = memref.load %b[%i0] : memref<8xi64>
		special.print %r : i64
		%d = memref.load %a[%x] : memref<8xi1>
		scf.if %d {
			memref.dealloc %b : memref<8xi64>
		}
		memref.dealloc %a : memref<8xi1>`, true, 2, 2},
	{"asked_for_its_size", `%a = memref.alloc(%x) : memref<?xi64>
		%z = arith.subi %x, %i3 : index
		memref.store %k, %a[%z] : memref<?xi64>
		%d = memref.dim %a, %z : memref<?xi64>
		special.print %d : index
		memref.dealloc %a : memref<?xi64>`, true, 1, 1},
	{"while", `%n = scf.while (%i = %i0) : (index) -> index {
		%b = memref.alloc() : memref<8xi64>
		memref.store %k, %b[%x] : memref<8xi64>
		%r = memref.load %b[%i0] : memref<8xi64>
		memref.dealloc %b : memref<8xi64>
		special.print %r : i64
		%t = arith.cmpi ult, %i, %x : index
		scf.condition(%t) %i : index
		} do {
		^bb0(%i: index):
		%u = arith.addi %i, %i1 : index
		scf.yield %u : index
		}`, true, 4, 4},
}

const oneBranch = `%a = memref.alloc() : memref<8xi64>
	memref.store %k, %a[%x] : memref<8xi64>
	%r = memref.load %a[%i0] : memref<8xi64>
	special.print %r : i64
	scf.if %c {
		memref.dealloc %a : memref<8xi64>
	} else {
		memref.store %k, %a[%i0] : memref<8xi64>
	}`

// freeModule has all the functions, each with memory that holds something.
func freeModule() string {
	var b strings.Builder
	b.WriteString(`func.func @take(%a: memref<8xi64>) {
		memref.dealloc %a : memref<8xi64>
		return
	}
	func.func @give() -> memref<8xi64> {
		%a = memref.alloc() : memref<8xi64>
		return %a : memref<8xi64>
	}
	`)
	for _, f := range frees {
		fmt.Fprintf(&b, `func.func @%s(%%x: index, %%c: i1) {
		%%i0 = arith.constant 0 : index
		%%i1 = arith.constant 1 : index
		%%i3 = arith.constant 3 : index
		%%i9 = arith.constant 9 : index
		%%k = arith.constant 7 : i64
		%s
		return
	}
	`, f.name, f.body)
	}
	return b.String()
}

// What is allocated and needed is freed as often as it is written, on every
// engine and after every pass; an allocation that nothing needs goes with its
// free, and neither without the other.
func TestFrees(t *testing.T) {
	engines := []Engine{eval(t), native(t, Options{CountHeap: true})}
	asWritten := parseAs(t, freeModule(), text.Options{Verbatim: true})
	built := parseAs(t, freeModule(), text.Options{})
	compareFrees(t, "verbatim", prepare(t, engines[0], asWritten), true)
	for _, line := range []string{"", "canonicalize", "dce", "split-effects", "speculate", "licm,cse", "inline,canonicalize", "unroll{full=true},dce", "lower{to=llvm}"} {
		g := built
		if line != "" {
			pl, err := pass.Parse(line, lowering.AllPasses())
			if err != nil {
				t.Fatal(err)
			}
			if g, err = (&pass.Manager{}).Run(t.Context(), built, pl); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		for _, e := range engines {
			if e.Name() == "eval" || line == "" || strings.HasPrefix(line, "lower") {
				compareFrees(t, e.Name()+" "+line, prepare(t, e, g), line == "")
			}
		}
	}
}

func compareFrees(t *testing.T, what string, p Program, asBuilt bool) {
	t.Helper()
	var before interp.Heap
	for _, f := range frees {
		c := ir.IntVal(0, 1)
		if f.c {
			c = ir.IntVal(1, 1)
		}
		if _, _, err := p.Call(t.Context(), f.name, []ir.Val{ir.IntVal(3, 64), c}); err != nil {
			t.Fatalf("%s: @%s: %v", what, f.name, err)
		}
		now, err := Heap(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		got := now.Since(before)
		before = now
		if got.Kept() != f.allocs-f.frees || !asBuilt && got.Allocs > f.allocs {
			t.Errorf("%s: @%s allocates %d times and frees %d times, want %d and %d", what, f.name, got.Allocs, got.Frees, f.allocs, f.frees)
		}
		if asBuilt && what != "verbatim" && got.Allocs != f.allocs {
			t.Errorf("%s: @%s allocates %d times, want %d", what, f.name, got.Allocs, f.allocs)
		}
	}
}

// A free that must not be is found on the interpreter, built normally too, as long
// as anything needs the memory.
func TestWrongFrees(t *testing.T) {
	const use = `memref.store %k, %a[%x] : memref<8xi64>
		%r = memref.load %a[%i0] : memref<8xi64>
		special.print %r : i64
		`
	for _, c := range []struct{ name, body, want string }{
		{"twice", `%a = memref.alloc() : memref<8xi64>
		` + use + `memref.dealloc %a : memref<8xi64>
		memref.dealloc %a : memref<8xi64>`, "freed twice"},
		{"twice_on_a_branch", `%a = memref.alloc() : memref<8xi64>
		` + use + `scf.if %c {
			memref.dealloc %a : memref<8xi64>
		}
		memref.dealloc %a : memref<8xi64>`, "freed twice"},
		{"in_a_loop", `%a = memref.alloc() : memref<8xi64>
		` + use + `scf.for %i = %i0 to %x step %i1 {
			memref.dealloc %a : memref<8xi64>
		}`, "freed twice"},
		{"too_early", `%a = memref.alloc() : memref<8xi64>
		memref.dealloc %a : memref<8xi64>
		` + use, "used after it was freed"},
		{"through_a_view", `%b = memref.alloc() : memref<8xi64>
		%d = memref.cast %b : memref<8xi64> to memref<?xi64>
		memref.dealloc %d : memref<?xi64>
		%a = memref.cast %d : memref<?xi64> to memref<8xi64>
		` + use, "used after it was freed"},
		{"of_a_global", `%a = memref.get_global @g : memref<8xi64>
		memref.dealloc %a : memref<8xi64>`, "not allocated by an op"},
		{"of_a_view_of_a_global", `%a = memref.get_global @g : memref<8xi64>
		%b = memref.cast %a : memref<8xi64> to memref<?xi64>
		memref.dealloc %b : memref<?xi64>`, "not allocated by an op"},
		{"of_a_choice", `%a = memref.get_global @g : memref<8xi64>
		%d = memref.alloc() : memref<8xi64>
		%b = arith.select %c, %a, %d : memref<8xi64>
		memref.dealloc %b : memref<8xi64>`, "not allocated by an op"},
		{"of_an_argument", `func.call @take(%arg) : (memref<8xi64>) -> ()`, "not allocated by an op"},
		{"of_the_stack", `%a = memref.alloca() : memref<8xi64>
		` + use + `memref.dealloc %a : memref<8xi64>`, "not allocated by an op"},
	} {
		g := parse(t, `memref.global "private" @g : memref<8xi64> = dense<1>
	func.func @take(%a: memref<8xi64>) {
		memref.dealloc %a : memref<8xi64>
		return
	}
	func.func @f(%x: index, %c: i1, %arg: memref<8xi64>) {
		%i0 = arith.constant 0 : index
		%i1 = arith.constant 1 : index
		%k = arith.constant 7 : i64
		`+c.body+`
		return
	}`)
		b := interp.NewBuffer(ir.NewContext(), ir.I64, 8, false)
		b.Static = true
		arg := ir.Val{Ref: &interp.MemRef{Buf: b, Sizes: []int64{8}, Strides: []int64{1}}}
		_, _, err := prepare(t, eval(t), g).Call(t.Context(), "f", []ir.Val{ir.IntVal(3, 64), ir.IntVal(1, 1), arg})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want: %s", c.name, err, c.want)
		}
	}
}
