package passes_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

const effectful = `
func.func private @show(%x: i64) {
  special.print %x : i64
  return
}
func.func private @pure(%x: i64) -> i64 {
  %y = arith.muli %x, %x : i64
  return %y : i64
}
func.func private @part(%x: i64, %y: i64) -> i64 {
  %z = arith.divsi %x, %y : i64
  %p = call @pure(%z) : (i64) -> i64
  return %p : i64
}
func.func private @get(%m: memref<2xi64>, %i: index) -> i64 {
  %z = memref.load %m[%i] : memref<2xi64>
  return %z : i64
}
func.func private @put(%m: memref<2xi64>, %x: i64) {
  %c1 = arith.constant 1 : index
  memref.store %x, %m[%c1] : memref<2xi64>
  return
}
func.func private @fresh(%x: i64) -> memref<2xi64> {
  %a = memref.alloc() : memref<2xi64>
  %c0 = arith.constant 0 : index
  memref.store %x, %a[%c0] : memref<2xi64>
  return %a : memref<2xi64>
}
func.func private @rec(%x: i64) -> i64 {
  %y = call @back(%x) : (i64) -> i64
  return %y : i64
}
func.func private @back(%x: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c = arith.cmpi ne, %x, %c0 : i64
  %r = scf.if %c -> i64 {
    %y = func.call @rec(%c0) : (i64) -> i64
    scf.yield %y : i64
  } else {
    scf.yield %x : i64
  }
  return %r : i64
}
func.func @f(%a: i64, %b: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = call @fresh(%a) : (i64) -> memref<2xi64>
  %n = call @fresh(%a) : (i64) -> memref<2xi64>
  call @put(%m, %b) : (memref<2xi64>, i64) -> ()
  %g1 = call @get(%m, %c1) : (memref<2xi64>, index) -> i64
  %g2 = call @get(%m, %c1) : (memref<2xi64>, index) -> i64
  call @put(%m, %a) : (memref<2xi64>, i64) -> ()
  call @put(%n, %g1) : (memref<2xi64>, i64) -> ()
  %g3 = call @get(%m, %c1) : (memref<2xi64>, index) -> i64
  %dead = call @part(%a, %a) : (i64, i64) -> i64
  %up = arith.index_cast %b : i64 to index
  %s = scf.for %i = %c0 to %up step %c1 iter_args(%t = %g2) -> i64 {
    %p = func.call @pure(%a) : (i64) -> i64
    %q = func.call @part(%a, %b) : (i64, i64) -> i64
    func.call @show(%q) : (i64) -> ()
    %u = arith.addi %p, %q : i64
    %v = arith.addi %u, %t : i64
    scf.yield %v : i64
  }
  %r = call @rec(%s) : (i64) -> i64
  %x = arith.addi %s, %g3 : i64
  %y = arith.addi %x, %r : i64
  return %y : i64
}
`

// Calls of what writes nothing are shared, leave loops unless they may trap, and go
// if nobody needs them; the program means the same.
func TestInferEffects(t *testing.T) {
	g := read(t, effectful)
	n, m := apply(t, g, "infer-effects")
	if f := m.Stats("infer-effects", "functions"); f != 3 {
		t.Errorf("%d functions, want 3", f)
	}
	out := show(n)
	_, f, _ := strings.Cut(out, "func.func @f")
	before, loop, _ := strings.Cut(f, "scf.for")
	for _, c := range []struct {
		in, what string
		want     int
	}{
		{before, `call @get(%0, %c1) {irc.effects = "reads"}`, 2},
		{before, "call @fresh", 2},
		{before, `call @pure(%arg0) {irc.effects = "pure"}`, 1},
		{f, "call @pure", 1},
		{loop, `call @part(%arg0, %arg1) {irc.effects = "partial"}`, 1},
		{f, "call @part", 1},
		{f, "call @rec(%", 1},
	} {
		if got := strings.Count(c.in, c.what); got != c.want {
			t.Errorf("%d times %s, want %d:\n%s", got, c.what, c.want, out)
		}
	}
	for _, args := range [][]int64{{3, 0}, {6, 2}, {-5, 3}} {
		if want, got := call(t, g, args...), call(t, n, args...); got != want {
			t.Errorf("@f(%v) gives %s, want %s", args, got, want)
		}
	}
	again, m := apply(t, n, "infer-effects")
	if show(again) != out || m.Stats("infer-effects", "calls") != 0 {
		t.Errorf("not idempotent:\n%s", show(again))
	}
}

func TestEffectsAreChecked(t *testing.T) {
	for _, e := range []struct{ src, says string }{
		{`func.func @g(%m: memref<i64>, %x: i64) -> i64 { memref.store %x, %m[] : memref<i64> return %x : i64 }
func.func @f(%m: memref<i64>, %x: i64) -> i64 { %0 = call @g(%m, %x) {irc.effects = "reads"} : (memref<i64>, i64) -> i64 return %0 : i64 }`, "but @g writes memory or prints"},
		{`func.func private @g()
func.func @f() { call @g() {irc.effects = "pure"} : () -> () return }`, ""},
		{`func.func private @g()
func.func @f() { call @g() {irc.effects = "good"} : () -> () return }`, "one of"},
	} {
		g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("x", e.src), text.Options{})
		err := list.Err()
		if err == nil {
			err = symbols.Check(g)
		}
		if (e.says == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), e.says) {
			t.Errorf("%s\n says %v\n want %q", e.src, err, e.says)
		}
	}
}
