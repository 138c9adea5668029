package passes_test

import (
	"strings"
	"testing"
)

// Writes to memory that nothing which matters reads are gone, in loops and
// branches too; a copy of such memory into other such memory does not matter.
func TestDeadStores(t *testing.T) {
	const head = `func.func private @use(memref<4xi64>)
func.func @f(%n: index, %c: i1, %x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloca() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  %s = memref.alloca() : memref<i64>
`
	for _, k := range []struct {
		name, src string
		stores    int
	}{
		{"in a loop", `scf.for %i = %c0 to %n step %c1 { special.print %i : index memref.store %x, %a[%c1] : memref<4xi64> }`, 0},
		{"in a branch", `scf.if %c { special.print %x : i64 memref.store %x, %a[%c1] : memref<4xi64> } else { memref.store %x, %b[%c0] : memref<4xi64> }`, 0},
		{"a counter of itself", `memref.store %x, %s[] : memref<i64>
  scf.for %i = %c0 to %n step %c1 { special.print %i : index %v = memref.load %s[] : memref<i64> %w = arith.addi %v, %k1 : i64 memref.store %w, %s[] : memref<i64> }`, 0},
		{"two that count one another", `memref.store %x, %s[] : memref<i64> memref.store %x, %a[%c0] : memref<4xi64>
  scf.for %i = %c0 to %n step %c1 { special.print %i : index %v = memref.load %s[] : memref<i64> memref.store %v, %a[%c0] : memref<4xi64>
    %w = memref.load %a[%c0] : memref<4xi64> memref.store %w, %s[] : memref<i64> }`, 0},
		{"copied to what is not read", `scf.for %i = %c0 to %n step %c1 { special.print %i : index memref.store %x, %a[%c1] : memref<4xi64> memref.copy %a, %b : memref<4xi64> to memref<4xi64> }
  memref.dealloc %b : memref<4xi64>`, 0},
		{"copied to what is read", `memref.store %x, %b[%c1] : memref<4xi64>
  scf.for %i = %c0 to %n step %c1 { memref.store %x, %a[%c1] : memref<4xi64> memref.copy %a, %b : memref<4xi64> to memref<4xi64> }
  %v = memref.load %b[%c1] : memref<4xi64> special.print %v : i64`, 2},
		{"read as a condition", `memref.store %x, %s[] : memref<i64>
  scf.for %i = %c0 to %n step %c1 { %v = memref.load %s[] : memref<i64> %w = arith.addi %v, %k1 : i64 memref.store %w, %s[] : memref<i64>
    %l = arith.cmpi slt, %v, %x : i64 scf.if %l { special.print %i : index } }`, 2},
		{"through a view", `%u = memref.subview %a[2] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 2>>
  scf.for %i = %c0 to %n step %c1 { special.print %i : index memref.store %x, %u[%c1] : memref<2xi64, strided<[1], offset: 2>> }`, 0},
		{"read through a view", `%u = memref.subview %a[2] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 2>>
  memref.store %x, %u[%c1] : memref<2xi64, strided<[1], offset: 2>>
  scf.for %i = %c0 to %n step %c1 { %z = memref.load %u[%c1] : memref<2xi64, strided<[1], offset: 2>> special.print %z : i64
    %y = arith.addi %z, %k1 : i64 memref.store %y, %u[%c1] : memref<2xi64, strided<[1], offset: 2>> }`, 2},
		{"kept by a call", `scf.for %i = %c0 to %n step %c1 { memref.store %x, %a[%c1] : memref<4xi64> special.print %i : index }
  %o = arith.cmpi slt, %n, %c0 : index scf.if %o { func.call @use(%a) : (memref<4xi64>) -> () }`, 1},
		{"yielded", `%m = scf.if %c -> (memref<4xi64>) { scf.yield %a : memref<4xi64> } else { scf.yield %b : memref<4xi64> }
  memref.store %x, %a[%c1] : memref<4xi64> memref.store %k1, %b[%c1] : memref<4xi64> %v = memref.load %m[%c1] : memref<4xi64> special.print %v : i64`, 2},
		{"an atomic's result", `memref.store %x, %s[] : memref<i64>
  scf.for %i = %c0 to %n step %c1 { %v = memref.atomic_rmw addi %k1, %s[] : (i64, memref<i64>) -> i64 special.print %v : i64 }`, 1},
	} {
		g := read(t, head+k.src+"\nreturn %x : i64 }")
		n, _ := apply(t, g, "canonicalize")
		if got := strings.Count(show(n), "memref.store"); got != k.stores {
			t.Errorf("%s: %d stores are left, wanted %d\n%s", k.name, got, k.stores, show(n))
		}
		if again, _ := apply(t, n, "canonicalize"); show(again) != show(n) {
			t.Errorf("%s: canonicalize is no fixed point:\n%s\nbecomes\n%s", k.name, show(n), show(again))
		}
		for _, args := range [][]int64{{0, 0, 3}, {3, 1, 5}, {2, 0, -1}} {
			if got, want := call(t, n, args...), call(t, g, args...); got != want {
				t.Errorf("%s: gives %q, wanted %q", k.name, got, want)
			}
		}
	}
}
