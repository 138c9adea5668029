package random

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
)

// What random programs found, reduced.

// A function whose result is cast to a type that knows more is checked where it
// returns; the LLVM backend panicked (seed 3023000 and on).
func TestFoundCastOfResult(t *testing.T) {
	g, err := parse(ir.NewContext(dialects.All...), `
func.func @f(%m: memref<?xi64>) -> memref<8xi64> {
  %k = memref.cast %m : memref<?xi64> to memref<8xi64>
  return %k : memref<8xi64>
}`, false)
	if err != nil {
		t.Fatal(err)
	}
	m, err := llvm.Emit(g, llvm.Options{Thunks: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, trap := range m.Traps {
		if trap.Func == "f" && strings.Contains(trap.Reason, "not as its type says") {
			return
		}
	}
	t.Errorf("the size of the result is not checked:\n%s", m.Text())
}

// What is known in a branch makes a constant. The default region of a switch is
// the last in the text and the first of the op: read last, it found the constants
// of the cases, and its own changed places (seeds 5024071 and 5042403).
func TestFoundOrderOfConstants(t *testing.T) {
	ctx := ir.NewContext(dialects.All...)
	g, err := parse(ctx, `
"func.func"() <{function_type = (i1, index, memref<i64>) -> (i1, index), sym_name = "f"}> ({
^bb0(%c: i1, %n: index, %m: memref<i64>):
  %r:2 = "scf.index_switch"(%n) <{cases = array<i64: 0>}> ({
    %five = "arith.constant"() <{value = 5 : index}> : () -> index
    %true = "arith.constant"() <{value = true}> : () -> i1
    "scf.yield"(%true, %five) : (i1, index) -> ()
  }, {
    "scf.if"(%c) ({
      %one = "arith.constant"() <{value = 1 : i64}> : () -> i64
      "memref.store"(%one, %m) : (i64, memref<i64>) -> ()
      "scf.yield"() : () -> ()
    }, {}) : (i1) -> ()
    "scf.yield"(%c, %n) : (i1, index) -> ()
  }) : (index) -> (i1, index)
  "func.return"(%r#0, %r#1) : (i1, index) -> ()
}) : () -> ()`, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := fixpoint(ctx, g); err != nil {
		t.Error(err)
	}
}

// What a loop carries is known not to be poison once the loop is there: a freeze of it, built before
// that was known, is gone when the graph is settled (seed 8263439).
func TestFoundFreezeOfLoop(t *testing.T) {
	g, err := parse(ir.NewContext(dialects.All...), `
func.func @f(%n: index, %a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (i32) {
    %y = arith.xori %x, %a : i32
    scf.yield %y : i32
  }
  %z = ub.freeze %r : i32
  return %z : i32
}`, false)
	if err == nil {
		err = settled(g)
	}
	if err != nil {
		t.Error(err)
	}
}

// What writes back what stood there takes the writes before it back, but a loop whose
// result is used stays, and so do its writes (seed 9464639).
func TestFoundWriteBackAfterLoop(t *testing.T) {
	for _, between := range []string{"", "  memref.store %y, %m[%c0] : memref<1xi1>\n", "  memref.store %y, %m[%c0] : memref<1xi1>\n  memref.store %x, %m[%c0] : memref<1xi1>\n"} {
		src := `
func.func @f(%x: i1, %m: memref<1xi1>, %y: i1) {
  %c0 = arith.constant 0 : index
  %old = memref.load %m[%c0] : memref<1xi1>
  %true = arith.constant true
  %r = scf.while (%go = %true) : (i1) -> i1 {
    scf.condition(%go) %go : i1
  } do {
  ^bb0(%go: i1):
    memref.store %x, %m[%c0] : memref<1xi1>
    scf.yield %x : i1
  }
` + between + `  special.print %r : i1
  memref.store %old, %m[%c0] : memref<1xi1>
  return
}`
		g, err := parse(ir.NewContext(dialects.All...), src, false)
		if err != nil {
			t.Fatal(err)
		}
		out, err := print(g, false)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out, "memref.load") || strings.Count(out, "memref.store") != 2 {
			t.Errorf("what the loop writes is not written back:\n%s", out)
		}
	}
}
