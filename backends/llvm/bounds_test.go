package llvm

import (
	"strings"
	"testing"
)

// checks are bodies of @f(%a: memref<?xi64>, %i: index, %n: index, %x: i64), which may
// use %d, the extent of %a, and how many checks of the code are left in them.
var checks = []struct {
	name, body string
	left       int
}{
	{"an index of which nothing is known", `
  %v = memref.load %a[%i] : memref<?xi64>
  special.print %v : i64`, 1},
	{"an index that the program promises to be in bounds", `
  %v = memref.load %a[%i] {irc.inbounds} : memref<?xi64>
  special.print %v : i64`, 0},
	{"an index that is compared without sign", `
  %p = arith.cmpi ult, %i, %d : index
  scf.if %p {
    %v = memref.load %a[%i] : memref<?xi64>
    special.print %v : i64
  }`, 0},
	{"the other branch of that", `
  %p = arith.cmpi ult, %i, %d : index
  scf.if %p {
  } else {
    %v = memref.load %a[%i] : memref<?xi64>
    special.print %v : i64
  }`, 1},
	{"an index that is compared with sign on both sides", `
  %p = arith.cmpi sge, %i, %c0 : index
  %q = arith.cmpi sgt, %d, %i : index
  %r = arith.andi %p, %q : i1
  scf.if %r {
    %v = memref.load %a[%i] : memref<?xi64>
    special.print %v : i64
  }`, 0},
	{"conditions in each other, the first of which is false", `
  %p = arith.cmpi slt, %i, %c0 : index
  scf.if %p {
  } else {
    %q = arith.cmpi slt, %i, %d : index
    scf.if %q {
      %v = memref.load %a[%i] : memref<?xi64>
      special.print %v : i64
    }
  }`, 0},
	{"only one side", `
  %q = arith.cmpi slt, %i, %d : index
  scf.if %q {
    %v = memref.load %a[%i] : memref<?xi64>
    special.print %v : i64
  }`, 1},
	{"one of two conditions", `
  %p = arith.cmpi ult, %i, %d : index
  %q = arith.cmpi slt, %x, %x1 : i64
  %r = arith.ori %p, %q : i1
  scf.if %r {
    %v = memref.load %a[%i] : memref<?xi64>
    special.print %v : i64
  }`, 1},
	{"neighbours of an index of a loop", `
  scf.for %j = %c1 to %d step %c1 {
    %l = arith.subi %j, %c1 : index
    %h = arith.addi %j, %c1 : index
    %v = memref.load %a[%l] : memref<?xi64>
    special.print %v : i64
    %q = arith.cmpi slt, %h, %d : index
    scf.if %q {
      %w = memref.load %a[%h] : memref<?xi64>
      special.print %w : i64
    }
  }`, 0},
	{"a neighbour that may be outside", `
  scf.for %j = %c0 to %d step %c1 {
    %h = arith.addi %j, %c1 : index
    %v = memref.load %a[%h] : memref<?xi64>
    special.print %v : i64
  }`, 1},
	{"tiles of a loop", `
  scf.for %t = %c0 to %d step %c32 {
    %e = arith.addi %t, %c32 : index
    %m = arith.minsi %e, %d : index
    scf.for %j = %t to %m step %c1 {
      %v = memref.load %a[%j] : memref<?xi64>
      special.print %v : i64
    }
  }`, 0},
	{"a remainder", `
  %p = arith.cmpi sgt, %d, %c0 : index
  scf.if %p {
    %r = arith.remui %i, %d : index
    %v = memref.load %a[%r] : memref<?xi64>
    special.print %v : i64
  }`, 0},
	{"a divisor that is not zero where it divides", `
  %p = arith.cmpi ne, %x, %zero : i64
  %q = arith.cmpi sgt, %x, %zero : i64
  scf.if %q {
    %v = arith.divsi %x1, %x : i64
    special.print %v : i64
  }`, 0},
	{"and one that may be -1", `
  %p = arith.cmpi slt, %x, %zero : i64
  scf.if %p {
    %v = arith.divsi %x1, %x : i64
    special.print %v : i64
  }`, 1},
}

func TestChecksThatAreLeft(t *testing.T) {
	for _, c := range checks {
		src := `func.func @f(%a: memref<?xi64>, %i: index, %n: index, %x: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x1 = arith.muli %x, %x : i64
  %d = memref.dim %a, %c0 : memref<?xi64>` + c.body + "\n  return\n}\n"
		got, err := Text(parse(t, src), Options{Name: "m"})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if n := strings.Count(got, "call void @irc.trap("); n != c.left {
			t.Errorf("%s: %d checks are left, want %d\n%s", c.name, n, c.left, got)
		}
	}
}
