package dialects_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// Each thing that is wrong is reported once, and nothing that follows from it: its
// lines end in `// here`.
func TestOneErrorEach(t *testing.T) {
	for _, src := range []string{
		// Its result is used by what ends the function.
		`func.func @a(%x: i32) -> i64 {
  %y = arith.addi %x, %x : i64 // here
  return %y : i64
}`,
		`"func.func"() <{function_type = (i32) -> i64, sym_name = "a"}> ({
^bb0(%x: i32):
  %y = "arith.addi"(%x, %x) : (i32, i32) -> i64 // here
  "func.return"(%y) : (i64) -> ()
}) : () -> ()`,
		// A chain of users.
		`func.func @a(%x: i32, %m: memref<4xi64>, %i: index) -> i64 {
  %y = arith.addi %x, %x : i64 // here
  %z = arith.muli %y, %y : i64
  memref.store %z, %m[%i] : memref<4xi64>
  %w = scf.if %z -> i64 {
    scf.yield %y : i64
  } else {
    scf.yield %z : i64
  }
  return %w : i64
}`,
		// Inside of nested regions.
		`func.func @a(%x: i32, %c: i1, %n: index) -> i64 {
  %k = arith.constant 0 : i64
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %z to %n step %one iter_args(%s = %k) -> (i64) {
    %q = scf.if %c -> i64 {
      %y = arith.addi %x, %x : i64 // here
      scf.yield %y : i64
    } else {
      scf.yield %s : i64
    }
    scf.yield %q : i64
  }
  return %r : i64
}`,
		`func.func @a(%x: i32, %c: i1) -> i32 {
  %r = scf.while (%s = %x) : (i32) -> i32 {
    %t = arith.cmpi slt, %s, %c : i32 // here
    scf.condition(%t) %s : i32
  } do {
  ^bb0(%s: i32):
    scf.yield %s : i32
  }
  return %r : i32
}`,
		`func.func @a(%x: i32, %n: index) -> i32 {
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.parallel (%i) = (%z) to (%n) step (%one) init (%x) -> i32 {
    scf.reduce(%x : i32) {
    ^bb0(%p: i32, %q: i32):
      %s = arith.addf %p, %q : i32 // here
      scf.reduce.return %s : i32
    }
  }
  return %r : i32
}`,
		`func.func @a(%m: memref<?xi32>, %x: i64) -> i32 {
  %z = arith.constant 0 : index
  %r = memref.generic_atomic_rmw %m[%z] : memref<?xi32> {
  ^bb0(%p: i32):
    %s = arith.addi %p, %x : i32 // here
    memref.atomic_yield %s : i32
  }
  return %r : i32
}`,
		// Wrong terminators.
		`func.func @a(%x: i32) -> i64 {
  return %x : i64 // here
}`,
		`func.func @a(%x: i32) -> i64 {
  return %x : i32 // here
}`,
		`func.func @a(%x: i32) -> i64 {
  return // here
}`,
		`func.func @a(%x: i32) -> i64 {
  retrun %x : i64 // here
}`,
		`func.func @a(%x: i32, %c: i1) -> i32 {
  %r = scf.if %c -> i32 {
    scf.yield %x : i64 // here
  } else {
    scf.yield %x : i32
  }
  return %r : i32
}`,
		// Wrong signatures.
		`func.func @a(%x: i32z) -> i64 { // here
  %y = arith.addi %x, %x : i64
  return %y : i64
}
func.func @b() {
  return
}`,
		`func.func @a(%x: i32) -> i64z { // here
  return %x : i64
}
func.func @b(%x: i32) {
  func.call @a(%x) : (i32) -> i64
  return
}`,
		`func.func @a(%x: i32, %x: i32) -> i32 { // here
  return %x : i32
}`,
		`func.func @a(%x i32) -> i32 { // here
  %y = arith.addi %x, %x : i32
  return %y : i32
}`,
		// Unknown names.
		`func.func @a(%x: i32) -> i32 {
  %y = arith.addi %x, %q : i32 // here
  %z = arith.addi %y, %y : i32
  return %z : i32
}`,
		`func.func @a(%x: i32) -> i32 {
  %y = arith.adi %x, %x : i32 // here
  %z = arith.addi %y, %y : i32
  return %z : i32
}`,
		// Several, independent of one another.
		`func.func @a(%x: i32) -> i64 {
  %y = arith.addi %x, %x : i64 // here
  return %y : i64
}
func.func @b(%x: i32, %m: memref<?xf32>) -> i32 {
  %y = arith.muli %x, %m : i32 // here
  %z = arith.subi %x, %x : i64 // here
  %w = arith.addi %y, %z : i32
  return %x : f32 // here
}
func.func @c(%x: i32) -> i32 {
  return %x : i32
}
func.func @d(%x: i32) -> i64 {
  %y = arith.addi %x, %x : i16 // here
  return %x : i32 // here
}`,
		`func.func @a(%x: i32, %c: i1) -> i64 {
  %r = scf.if %c -> i64 {
    %y = arith.addi %x, %x : i64 // here
    scf.yield %y : i64
  } else {
    %y = arith.muli %x, %x : i64 // here
    scf.yield %y : i64
  }
  return %r : i64
}`,
		`module {
  module @inner {
    func.func @a(%x: i32) -> i64 {
      %y = arith.addi %x, %x : i64 // here
      return %y : i64
    }
  }
  func.func @b(%x: i32) -> i64 {
    %y = arith.addi %x, %x : i64 // here
    return %y : i64
  }
}`,
	} {
		source := diag.NewSource("c.mlir", src)
		_, errs := text.Parse(ir.NewContext(dialects.All...), source, text.Options{})
		got := map[int]int{}
		for _, d := range errs {
			line, _ := source.Position(d.Span.Start)
			got[line]++
		}
		for i, line := range strings.Split(src, "\n") {
			want := 0
			if strings.HasSuffix(line, "// here") {
				want = 1
			}
			if got[i+1] != want {
				t.Errorf("%d errors at line %d, want %d:\n%s\n%v", got[i+1], i+1, want, src, errs)
				break
			}
		}
	}
}
