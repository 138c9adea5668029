package memref_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir/text"
)

func TestRoundTrip(t *testing.T) { memtest.RoundTrip(t, "testdata/memref.mlir") }

const head = `func.func private @show(index)
memref.global "private" constant @table : memref<2x3xindex> = dense<[[1, 2, 3], [4, 5, 6]]>
memref.global "private" @state : memref<2xindex> = dense<7>
func.func @f(%x: index, %y: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
`

var foldTests = []struct {
	rule, src string
	gone      string
}{
	{"load after store to the same place = the stored value", `%a = memref.alloc(%x) : memref<?xindex>
  memref.store %y, %a[%c1] : memref<?xindex>
  memref.store %x, %a[%c2] : memref<?xindex>
  %p = arith.addi %y, %c3 : index
  %l = memref.load %a[%c1] : memref<?xindex>
  return %l : index }`, "memref.load"},
	{"load of a cast = load of what is cast", `%a = memref.alloc() : memref<4xindex>
  %b = memref.cast %a : memref<4xindex> to memref<?xindex>
  memref.store %y, %a[%c1] : memref<4xindex>
  %l = memref.load %b[%c1] : memref<?xindex>
  return %l : index }`, "memref.load"},
	{"store to a cast = store to what is cast", `%a = memref.alloc() : memref<4xindex>
  %b = memref.cast %a : memref<4xindex> to memref<*xindex>
  %d = memref.cast %b : memref<*xindex> to memref<?xindex>
  memref.store %y, %d[%c1] : memref<?xindex>
  %l = memref.load %a[%c1] : memref<4xindex>
  return %l : index }`, "memref.load"},
	{"an alloca_scope that allocates nothing = its body", `%r = memref.alloca_scope -> (index) {
    %a = memref.alloc() : memref<4xindex>
    memref.store %y, %a[%c1] : memref<4xindex>
    %i = memref.alloca_scope -> (index) {
      func.call @show(%y) : (index) -> ()
      memref.alloca_scope.return %y : index }
    %l = memref.load %a[%c1] : memref<4xindex>
    %s = arith.addi %i, %l : index
    memref.alloca_scope.return %s : index }
  return %r : index }`, "memref.alloca_scope"},
	{"store of what stands there already is nothing", `%a = memref.get_global @state : memref<2xindex>
  %l = memref.load %a[%c1] : memref<2xindex>
  memref.store %l, %a[%c1] : memref<2xindex>
  return %l : index }`, "memref.store"},
	{"dealloc of a cast = dealloc of what is cast", `%a = memref.alloc() : memref<4xindex>
  memref.store %y, %a[%c1] : memref<4xindex>
  %b = memref.cast %a : memref<4xindex> to memref<?xindex>
  memref.dealloc %b : memref<?xindex>
  return %y : index }`, "memref.alloc"},
	{"copy from a cast = copy from what is cast", `%a = memref.get_global @state : memref<2xindex>
  %b = memref.cast %a : memref<2xindex> to memref<?xindex>
  %d = memref.alloc() : memref<2xindex>
  memref.copy %b, %d : memref<?xindex> to memref<2xindex>
  %l = memref.load %d[%c1] : memref<2xindex>
  return %l : index }`, "memref.cast"},
	{"copy to a cast = copy to what is cast", `%a = memref.get_global @state : memref<2xindex>
  %d = memref.alloc() : memref<2xindex>
  %b = memref.cast %d : memref<2xindex> to memref<?xindex>
  memref.copy %a, %b : memref<2xindex> to memref<?xindex>
  %l = memref.load %d[%c1] : memref<2xindex>
  return %l : index }`, "memref.cast"},
	{"copy of memory to itself is nothing", `%a = memref.get_global @state : memref<2xindex>
  memref.copy %a, %a : memref<2xindex> to memref<2xindex>
  %l = memref.load %a[%c1] : memref<2xindex>
  return %l : index }`, "memref.copy"},
	{"dim of a static extent is a constant", `%a = memref.get_global @table : memref<2x3xindex>
  %l = memref.dim %a, %c1 : memref<2x3xindex>
  return %l : index }`, "memref.dim"},
	{"dim of a dynamic extent = the operand that gave it", `%a = memref.alloc(%x, %y) : memref<?x2x?xindex>
  %s = memref.subview %a[0, 0, 0] [%x, 2, %x] [1, 1, 1] : memref<?x2x?xindex> to memref<?x2x?xindex, strided<[?, ?, 1]>>
  %t = memref.transpose %a (i, j, k) -> (k, i, j) : memref<?x2x?xindex> to memref<?x?x2xindex, strided<[1, ?, ?]>>
  %p = memref.dim %a, %c2 : memref<?x2x?xindex>
  %q = memref.dim %s, %c2 : memref<?x2x?xindex, strided<[?, ?, 1]>>
  %r = memref.dim %t, %c0 : memref<?x?x2xindex, strided<[1, ?, ?]>>
  %m = arith.muli %p, %q : index
  %l = arith.muli %m, %r : index
  return %l : index }`, "memref.dim"},
	{"dim of a cast = dim of what is cast", `%a = memref.alloc() : memref<4xindex>
  %b = memref.cast %a : memref<4xindex> to memref<?xindex>
  %l = memref.dim %b, %c0 : memref<?xindex>
  return %l : index }`, "memref.dim"},
	{"rank of a ranked memref is a constant", `%a = memref.get_global @table : memref<2x3xindex>
  %l = memref.rank %a : memref<2x3xindex>
  return %l : index }`, "memref.rank"},
	{"a cast to the same type is nothing", `%a = memref.alloc(%x) : memref<?xindex>
  %b = memref.cast %a : memref<?xindex> to memref<?xindex>
  memref.store %y, %b[%c1] : memref<?xindex>
  %l = memref.load %a[%c1] : memref<?xindex>
  return %l : index }`, "memref.cast"},
	{"cast(cast(x)) = cast(x)", `%a = memref.get_global @state : memref<2xindex>
  %b = memref.cast %a : memref<2xindex> to memref<?xindex>
  %d = memref.cast %b : memref<?xindex> to memref<2xindex>
  %l = memref.load %d[%c1] : memref<2xindex>
  return %l : index }`, "memref.cast"},
	{"memory_space_cast to the same space is nothing", `%a = memref.get_global @state : memref<2xindex>
  %b = memref.memory_space_cast %a : memref<2xindex> to memref<2xindex>
  %l = memref.load %b[%c1] : memref<2xindex>
  return %l : index }`, "memref.memory_space_cast"},
	{"memory_space_cast twice = memory_space_cast", `%a = memref.get_global @state : memref<2xindex>
  %b = memref.memory_space_cast %a : memref<2xindex> to memref<2xindex, 1>
  %d = memref.memory_space_cast %b : memref<2xindex, 1> to memref<2xindex>
  %l = memref.load %d[%c1] : memref<2xindex>
  return %l : index }`, "memref.memory_space_cast"},
	{"a subview of everything is its source", `%a = memref.get_global @table : memref<2x3xindex>
  %b = memref.subview %a[0, 0] [2, 3] [1, 1] : memref<2x3xindex> to memref<2x3xindex>
  %l = memref.load %b[%c1, %c2] : memref<2x3xindex>
  return %l : index }`, "memref.subview"},
	{"transpose by the identity is nothing", `%a = memref.get_global @table : memref<2x3xindex>
  %b = memref.transpose %a (i, j) -> (i, j) : memref<2x3xindex> to memref<2x3xindex>
  %l = memref.load %b[%c1, %c2] : memref<2x3xindex>
  return %l : index }`, "memref.transpose"},
	{"alloc of a constant size = cast of a static alloc", `%a = memref.alloc(%c3, %x) : memref<?x?xindex>
  memref.store %y, %a[%c1, %c0] : memref<?x?xindex>
  func.call @show(%x) : (index) -> ()
  %l = memref.load %a[%c1, %c0] : memref<?x?xindex>
  return %l : index }`, ""},
	{"alloca of a constant size = cast of a static alloca", `%a = memref.alloca(%c3) : memref<?xindex>
  memref.store %y, %a[%c1] : memref<?xindex>
  func.call @show(%x) : (index) -> ()
  %l = memref.load %a[%c1] : memref<?xindex>
  return %l : index }`, ""},
}

func TestFolds(t *testing.T) {
	tested := map[string]bool{}
	for _, f := range foldTests {
		tested[f.rule] = true
		g := memtest.Fires(t, f.rule, head+f.src)
		if f.gone != "" && memtest.Count(g, f.gone) > 0 {
			t.Errorf("%s: %s is still there:\n%s", f.rule, f.gone, memtest.Text(g))
		}
		memtest.Same(t, head+f.src, []int64{3, 5}, []int64{4, 4})
	}
	for _, d := range memtest.Context().Dialects() {
		for _, f := range d.Folds {
			if d.Name == "memref" && !tested[f.Rule] {
				t.Errorf("rule %q has no test", f.Rule)
			}
		}
	}
}

var runTests = []struct{ name, src, want string }{
	{"negative size", `%m = arith.subi %c0, %c1 : index
  %a = memref.alloc(%m) : memref<?xindex> memref.store %y, %a[%c0] : memref<?xindex>
  %l = memref.load %a[%x] : memref<?xindex>
  return %l : index }`, "trap: "},
	{"out of bounds", `%a = memref.get_global @state : memref<2xindex>
  %l = memref.load %a[%x] : memref<2xindex>
  return %l : index }`, "trap: "},
	{"second index out of bounds", `%a = memref.get_global @table : memref<2x3xindex>
  %l = memref.load %a[%c0, %x] : memref<2x3xindex>
  return %l : index }`, "trap: "},
	{"use after free", `%a = memref.alloc() : memref<2xindex>
  memref.store %y, %a[%c0] : memref<2xindex>
  memref.dealloc %a : memref<2xindex>
  %l = memref.load %a[%c0] : memref<2xindex>
  return %l : index }`, "trap: "},
	{"double free", `%a = memref.alloc() : memref<2xindex>
  func.call @show(%x) : (index) -> ()
  memref.dealloc %a : memref<2xindex>
  memref.dealloc %a : memref<2xindex>
  return %x : index }`, "3,trap: "},
	{"global", `%a = memref.get_global @state : memref<2xindex>
  %b = memref.get_global @table : memref<2x3xindex>
  memref.store %y, %a[%c0] : memref<2xindex>
  %k = memref.load %a[%c1] : memref<2xindex>
  %l = memref.load %b[%c1, %c2] : memref<2x3xindex>
  %r = arith.addi %k, %l : index
  return %r : index }`, "13 "},
	{"subview of subview", `%b = memref.get_global @table : memref<2x3xindex>
  %s = memref.subview %b[%c0, 1] [2, 2] [1, 1] : memref<2x3xindex> to memref<2x2xindex, strided<[3, 1], offset: ?>>
  %t = memref.subview %s[1, %c0] [1, %c2] [1, 1] : memref<2x2xindex, strided<[3, 1], offset: ?>> to memref<?xindex, strided<[1], offset: ?>>
  %l = memref.load %t[%c1] : memref<?xindex, strided<[1], offset: ?>>
  return %l : index }`, "6 "},
	{"expand, collapse, transpose", `%b = memref.get_global @table : memref<2x3xindex>
  %f = memref.collapse_shape %b [[0, 1]] : memref<2x3xindex> into memref<6xindex>
  %e = memref.expand_shape %f [[0, 1]] output_shape [3, 2] : memref<6xindex> into memref<3x2xindex>
  %t = memref.transpose %e (i, j) -> (j, i) : memref<3x2xindex> to memref<2x3xindex, strided<[1, 2]>>
  %l = memref.load %t[%c1, %c2] : memref<2x3xindex, strided<[1, 2]>>
  %k = memref.load %t[%c0, %c1] : memref<2x3xindex, strided<[1, 2]>>
  %h = arith.muli %k, %c3 : index
  %r = arith.addi %h, %l : index
  return %r : index }`, "15 "},
	{"reinterpret_cast", `%b = memref.get_global @table : memref<2x3xindex>
  %s = memref.reinterpret_cast %b to offset: [1], sizes: [%c2], strides: [%c3] : memref<2x3xindex> to memref<?xindex, strided<[?], offset: 1>>
  %l = memref.load %s[%c1] : memref<?xindex, strided<[?], offset: 1>>
  return %l : index }`, "5 "},
	{"strided metadata", `%b = memref.get_global @table : memref<2x3xindex>
  %s = memref.subview %b[1, %c0] [1, %c2] [1, 2] : memref<2x3xindex> to memref<1x?xindex, strided<[3, 2], offset: ?>>
  %base, %o, %n:2, %st:2 = memref.extract_strided_metadata %s : memref<1x?xindex, strided<[3, 2], offset: ?>> -> memref<index>, index, index, index, index, index
  func.call @show(%o) : (index) -> ()
  func.call @show(%n#1) : (index) -> ()
  func.call @show(%st#1) : (index) -> ()
  %l = memref.load %base[] : memref<index>
  return %l : index }`, "3,2,2,1 "},
	{"copy with overlap", `%a = memref.alloc() : memref<3xindex>
  memref.store %x, %a[%c0] : memref<3xindex>
  memref.store %y, %a[%c1] : memref<3xindex>
  memref.store %c2, %a[%c2] : memref<3xindex>
  %s = memref.subview %a[0] [2] [1] : memref<3xindex> to memref<2xindex, strided<[1]>>
  %t = memref.subview %a[1] [2] [1] : memref<3xindex> to memref<2xindex, strided<[1], offset: 1>>
  memref.copy %s, %t : memref<2xindex, strided<[1]>> to memref<2xindex, strided<[1], offset: 1>>
  %k = memref.load %a[%c1] : memref<3xindex>
  %l = memref.load %a[%c2] : memref<3xindex>
  func.call @show(%k) : (index) -> ()
  return %l : index }`, "3,5 "},
	{"atomics", `%a = memref.alloc() : memref<1xi32>
  %i = arith.index_cast %x : index to i32
  memref.store %i, %a[%c0] : memref<1xi32>
  %o = memref.atomic_rmw addi %i, %a[%c0] : (i32, memref<1xi32>) -> i32
  %p = memref.atomic_rmw maxu %i, %a[%c0] : (i32, memref<1xi32>) -> i32
  %q = memref.generic_atomic_rmw %a[%c0] : memref<1xi32> { ^bb0(%v: i32): %w = arith.muli %v, %v : i32 memref.atomic_yield %w : i32 }
  %l = memref.load %a[%c0] : memref<1xi32>
  %s0 = arith.index_cast %o : i32 to index
  %s1 = arith.index_cast %p : i32 to index
  %s2 = arith.index_cast %q : i32 to index
  %s3 = arith.index_cast %l : i32 to index
  func.call @show(%s0) : (index) -> ()
  func.call @show(%s1) : (index) -> ()
  func.call @show(%s2) : (index) -> ()
  return %s3 : index }`, "3,6,6,36 "},
	{"copy to fewer elements", `%a = memref.alloc() : memref<1xindex>
  memref.store %y, %a[%c0] : memref<1xindex>
  %b = memref.cast %a : memref<1xindex> to memref<?xindex>
  %d = memref.alloc(%c0) : memref<?xindex>
  memref.copy %b, %d : memref<?xindex> to memref<?xindex>
  return %x : index }`, "trap: "},
	{"copy to more elements", `%a = memref.alloc(%c1) : memref<?xindex>
  memref.store %y, %a[%c0] : memref<?xindex>
  %d = memref.alloc() : memref<2xindex>
  %e = memref.cast %d : memref<2xindex> to memref<?xindex>
  memref.copy %a, %e : memref<?xindex> to memref<?xindex>
  %l = memref.load %d[%c1] : memref<2xindex>
  return %l : index }`, "trap: "},
	{"copy to another rank", `%a = memref.get_global @table : memref<2x3xindex>
  %b = memref.cast %a : memref<2x3xindex> to memref<*xindex>
  %d = memref.alloc() : memref<6xindex>
  memref.copy %b, %d : memref<*xindex> to memref<6xindex>
  %l = memref.load %d[%c1] : memref<6xindex>
  return %l : index }`, "trap: "},
	{"the size of no dimension", `%a = memref.alloc() : memref<index>
  %b = memref.cast %a : memref<index> to memref<*xindex>
  %d = memref.dim %b, %c0 : memref<*xindex>
  return %d : index }`, "trap: "},
	{"realloc", `%a = memref.alloc() : memref<2xindex>
  memref.store %x, %a[%c0] : memref<2xindex>
  memref.store %y, %a[%c1] : memref<2xindex>
  %b = memref.realloc %a(%c3) : memref<2xindex> to memref<?xindex>
  %l = memref.load %b[%c1] : memref<?xindex>
  return %l : index }`, "5 "},
	{"reshape", `%b = memref.get_global @table : memref<2x3xindex>
  %s = memref.alloc() : memref<2xindex>
  memref.store %c3, %s[%c0] : memref<2xindex>
  memref.store %c2, %s[%c1] : memref<2xindex>
  %r = memref.reshape %b(%s) : (memref<2x3xindex>, memref<2xindex>) -> memref<?x?xindex>
  %l = memref.load %r[%c2, %c0] : memref<?x?xindex>
  return %l : index }`, "5 "},
	{"a view of bytes", `%m = memref.alloc() : memref<16xi8>
  %v = memref.view %m[%c0][] : memref<16xi8> to memref<4xi32>
  %n = arith.constant 67305985 : i32
  memref.store %n, %v[%x] : memref<4xi32>
  %b = arith.constant 12 : index
  %i = memref.load %m[%b] : memref<16xi8>
  %w = memref.view %m[%b][%c2] : memref<16xi8> to memref<?xi16>
  %j = memref.load %w[%c1] : memref<?xi16>
  %k = arith.constant -1 : i8
  memref.store %k, %m[%b] : memref<16xi8>
  %l = memref.load %v[%x] : memref<4xi32>
  %s0 = arith.index_cast %i : i8 to index
  %s1 = arith.index_cast %j : i16 to index
  %s2 = arith.index_cast %l : i32 to index
  func.call @show(%s0) : (index) -> ()
  func.call @show(%s1) : (index) -> ()
  return %s2 : index }`, "1,1027,67306239 "},
	{"a view of a view", `%m = memref.alloc() : memref<32xi8>
  %c8 = arith.constant 8 : index
  %m8 = memref.view %m[%c8][] : memref<32xi8> to memref<2x1xindex>
  memref.store %c3, %m8[%c0, %c0] : memref<2x1xindex>
  %v = memref.view %m[%c8][%c8] : memref<32xi8> to memref<?xi8>
  %w = memref.view %v[%c0][] : memref<?xi8> to memref<1xindex>
  %r = memref.reinterpret_cast %w to offset: [0], sizes: [1], strides: [1] : memref<1xindex> to memref<1xindex>
  %l = memref.load %r[%c0] : memref<1xindex>
  return %l : index }`, "3 "},
	{"a view beyond its memory", `%m = memref.alloc() : memref<16xi8>
  %v = memref.view %m[%c0][%y] : memref<16xi8> to memref<?xindex>
  func.call @show(%c1) : (index) -> ()
  memref.store %x, %v[%c2] : memref<?xindex>
  return %x : index }`, "trap: "},
	{"a view that is not aligned", `%m = memref.alloc() : memref<16xi8>
  %v = memref.view %m[%x][] : memref<16xi8> to memref<1xi16>
  %k = arith.constant 1 : i16
  memref.store %k, %v[%c0] : memref<1xi16>
  func.call @show2(%v) : (memref<1xi16>) -> ()
  return %x : index }
func.func private @show2(memref<1xi16>)`, "trap: "},
	{"column-major layout", `%a = memref.alloc() : memref<2x3xindex, strided<[1, 2]>>
  memref.store %y, %a[%c1, %c2] : memref<2x3xindex, strided<[1, 2]>>
  memref.store %x, %a[%c0, %c2] : memref<2x3xindex, strided<[1, 2]>>
  func.call @show(%c0) : (index) -> ()
  %l = memref.load %a[%c1, %c2] : memref<2x3xindex, strided<[1, 2]>>
  return %l : index }`, "0,5 "},
	{"alloca ends with the iteration", `%k = memref.alloca() : memref<memref<1xindex>>
  scf.for %i = %c0 to %c2 step %c1 { %a = memref.alloca() : memref<1xindex> memref.store %i, %a[%c0] : memref<1xindex> memref.store %a, %k[] : memref<memref<1xindex>> }
  %a = memref.load %k[] : memref<memref<1xindex>>
  %l = memref.load %a[%c0] : memref<1xindex>
  return %l : index }`, "trap: "},
	{"alloca ends with the function", `%a = func.call @stack(%x) : (index) -> memref<2xindex>
  %l = memref.load %a[%c0] : memref<2xindex>
  return %l : index }
func.func private @stack(%x: index) -> memref<2xindex> {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<2xindex>
  memref.store %x, %a[%c0] : memref<2xindex>
  return %a : memref<2xindex> }`, "trap: "},
	{"alloca of a caller", `%a = memref.alloca() : memref<2xindex>
  %b = func.call @fill(%a, %x) : (memref<2xindex>, index) -> memref<2xindex>
  %l = memref.load %b[%c0] : memref<2xindex>
  return %l : index }
func.func private @fill(%a: memref<2xindex>, %x: index) -> memref<2xindex> {
  %c0 = arith.constant 0 : index
  %b = memref.alloca() : memref<2xindex>
  memref.store %x, %b[%c0] : memref<2xindex>
  %l = memref.load %b[%c0] : memref<2xindex>
  memref.store %l, %a[%c0] : memref<2xindex>
  return %a : memref<2xindex> }`, "3 "},
	{"alloca_scope", `%r = memref.alloca_scope -> (index) { %a = memref.alloca(%x) : memref<?xindex>
    memref.store %y, %a[%c1] : memref<?xindex>
    func.call @show(%x) : (index) -> ()
    %l = memref.load %a[%c1] : memref<?xindex>
    memref.alloca_scope.return %l : index }
  return %r : index }`, "3,5 "},
}

func TestRun(t *testing.T) {
	for _, r := range runTests {
		got := memtest.Same(t, head+r.src, []int64{3, 5})[0]
		if got != r.want && !(strings.HasSuffix(r.want, "trap: ") && strings.HasPrefix(got, r.want)) {
			t.Errorf("%s: got %q, want %q", r.name, got, r.want)
		}
	}
}

// order prints the names of a rebuilt program's memref ops and calls of @f, with
// braces for regions.
func order(t *testing.T, src string) string {
	t.Helper()
	g := memtest.Rebuild(t, memtest.Rebuild(t, memtest.Parse(t, memtest.Context(), src, text.Options{})))
	return memtest.Shape(g, "f", "memref.load", "memref.store", "func.call", "scf.for", "scf.if", "memref.dealloc", "memref.alloc", "memref.copy")
}

func TestOrder(t *testing.T) {
	for _, o := range []struct{ name, src, want string }{
		{"a load leaves the loop that does not write it", `%a = memref.get_global @table : memref<2x3xindex>
  %b = memref.get_global @state : memref<2xindex>
  scf.for %i = %c0 to %x step %c1 { %v = memref.load %a[%c1, %c2] : memref<2x3xindex> memref.store %v, %b[%c0] : memref<2xindex> func.call @show(%c0) : (index) -> () }
  return %x : index }`, "for{load store call}"},
		{"a load leaves the loop where nothing else happens", `%a = memref.get_global @table : memref<2x3xindex>
  %b = memref.get_global @state : memref<2xindex>
  scf.for %i = %c0 to %x step %c1 { %v = memref.load %a[%c1, %c2] : memref<2x3xindex> %w = arith.addi %v, %i : index memref.store %w, %b[%c0] : memref<2xindex> }
  return %x : index }`, "load for{store}"},
		{"a load by the outer induction variable leaves the inner loop", `%a = memref.get_global @table : memref<2x3xindex>
  %b = memref.get_global @state : memref<2xindex>
  scf.for %i = %c0 to %c2 step %c1 { scf.for %j = %c0 to %x step %c1 {
    %v = memref.load %a[%i, %i] : memref<2x3xindex> %w = arith.addi %v, %j : index memref.store %w, %b[%i] : memref<2xindex> } }
  return %x : index }`, "for{load for{store}}"},
		{"a load of the heap leaves the loop behind the one that fills it", `%a = memref.alloc() : memref<2xindex>
  %b = memref.get_global @state : memref<2xindex>
  scf.for %i = %c0 to %c2 step %c1 { %v = memref.load %b[%i] : memref<2xindex> memref.store %v, %a[%i] : memref<2xindex> }
  scf.for %i = %c0 to %x step %c1 { %v = memref.load %a[%c1] : memref<2xindex> %w = arith.addi %v, %i : index memref.store %w, %b[%c0] : memref<2xindex> }
  return %x : index }`, "alloc for{load store} load for{store}"},
		{"a load of the heap stays behind what may have freed it", `%a = memref.alloc() : memref<2xindex>
  %b = memref.get_global @state : memref<2xindex>
  scf.for %i = %c0 to %c2 step %c1 { %v = memref.load %b[%i] : memref<2xindex> memref.store %v, %a[%i] : memref<2xindex> }
  scf.for %i = %c0 to %x step %c1 { memref.dealloc %a : memref<2xindex> }
  scf.for %i = %c0 to %x step %c1 { %v = memref.load %a[%c1] : memref<2xindex> %w = arith.addi %v, %i : index memref.store %w, %b[%c0] : memref<2xindex> }
  return %x : index }`, "alloc for{load store} for{dealloc} for{load store}"},
		{"a load that may be out of bounds stays", `%a = memref.get_global @table : memref<2x3xindex>
  %b = memref.get_global @state : memref<2xindex>
  scf.for %i = %c0 to %x step %c1 { %v = memref.load %a[%c1, %y] : memref<2x3xindex> %w = arith.addi %v, %i : index memref.store %w, %b[%c0] : memref<2xindex> }
  return %x : index }`, "for{load store}"},
		{"a dead store goes", `%b = memref.get_global @state : memref<2xindex>
  memref.store %x, %b[%c0] : memref<2xindex>
  memref.store %y, %b[%c1] : memref<2xindex>
  memref.store %y, %b[%c1] : memref<2xindex>
  return %x : index }`, "store store"},
		{"an unused allocation goes with its stores", `%b = memref.alloc() : memref<2xindex>
  memref.store %x, %b[%c0] : memref<2xindex>
  memref.dealloc %b : memref<2xindex>
  return %x : index }`, ""},
		{"a store through a view is one to what it views", `%m = memref.alloc() : memref<16xi8>
  %v = memref.view %m[%c0][] : memref<16xi8> to memref<2xindex>
  %w = memref.view %m[%c0][] : memref<16xi8> to memref<4xi32>
  %k = arith.constant 1 : i8
  memref.store %k, %m[%c0] : memref<16xi8>
  memref.store %x, %v[%c0] : memref<2xindex>
  memref.store %k, %m[%c0] : memref<16xi8>
  %l = memref.load %w[%c0] : memref<4xi32>
  %n = memref.load %v[%c0] : memref<2xindex>
  %i = arith.index_cast %l : i32 to index
  %s = arith.addi %i, %n : index
  return %s : index }`, "alloc store store store load load"},
		{"a load of what a view is of does not leave the loop that stores through the view", `%m = memref.alloc() : memref<8xi8>
  %v = memref.view %m[%c0][] : memref<8xi8> to memref<1xindex>
  memref.store %y, %v[%c0] : memref<1xindex>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (index) {
    %l = memref.load %m[%c1] : memref<8xi8>
    %n = arith.index_cast %l : i8 to index
    %p = arith.addi %a, %n : index
    %q = arith.muli %p, %y : index
    memref.store %q, %v[%c0] : memref<1xindex>
    scf.yield %p : index }
  return %r : index }`, "alloc store for{load store}"},
		{"globals do not alias allocations", `%b = memref.get_global @state : memref<2xindex>
  %a = memref.alloc() : memref<2xindex>
  memref.store %x, %b[%c0] : memref<2xindex>
  memref.store %y, %a[%x] : memref<2xindex>
  %v = memref.load %b[%c0] : memref<2xindex>
  return %v : index }`, "store"},
	} {
		if got := order(t, head+o.src); got != o.want {
			t.Errorf("%s: got %q, want %q", o.name, got, o.want)
		}
		memtest.Same(t, head+o.src, []int64{1, 1}, []int64{0, 0}, []int64{0, 7})
	}
}

func TestErrors(t *testing.T) {
	for _, e := range []struct{ src, want string }{
		{`func.func @f(%m: memref<2xf32>, %i: index) { %l = memref.load %m[%i, %i] : memref<2xf32> return }`, "incorrect number of indices"},
		{`func.func @f(%m: memref<2xf32>, %i: index) { memref.store %i, %m[%i] : memref<2xf32> return }`, "f32"},
		{`func.func @f(%n: index) { %a = memref.alloc(%n) : memref<2xf32> return }`, "dynamic dimension count"},
		{`func.func @f(%m: memref<2xf32>) { %a = memref.cast %m : memref<2xf32> to memref<3xf32> return }`, "cast incompatible"},
		{`func.func @f(%m: memref<4xf32>) { %a = memref.subview %m[1] [2] [1] : memref<4xf32> to memref<2xf32> return }`, "offset"},
		{`func.func @f(%m: memref<4xf32>) { %a = memref.subview %m[1] [-2] [1] : memref<4xf32> to memref<2xf32> return }`, "non-negative"},
		{`func.func @f(%m: memref<4x4xf32>) { %a = memref.collapse_shape %m [[0, 1]] : memref<4x4xf32> into memref<15xf32> return }`, "reassociation group size"},
		{`func.func @f(%m: memref<4x4xf32>) { %a = memref.transpose %m (i, j) -> (i, i) : memref<4x4xf32> to memref<4x4xf32> return }`, "permutation"},
		{`memref.global @g : memref<2xf32> = dense<[1.0, 2.0, 3.0]>`, ""},
		{`memref.global @g : memref<?xf32>`, "static"},
		{`func.func @f(%m: memref<2xf32>, %i: index, %x: f32) { %l = memref.atomic_rmw addi %x, %m[%i] : (f32, memref<2xf32>) -> f32 return }`, "expects an integer type"},
		{`func.func @f(%m: memref<2xf32>, %i: index, %x: f32) { %l = memref.atomic_rmw foo %x, %m[%i] : (f32, memref<2xf32>) -> f32 return }`, "expected one of addf, addi, assign"},
		{`func.func @f(%m: memref<2xf32>, %i: index) { memref.prefetch %m[%i], read, locality<7>, data : memref<2xf32> return }`, "must be 0 to 3"},
		{`memref.global @g : memref<2xf32> = dense<1.0> {alignment = 63 : i64}`, "is not a power of 2"},
		{`func.func @f(%m: memref<2xf32>) { memref.assume_alignment %m, 3 : memref<2xf32> return }`, "power of 2"},
		{`func.func @f() { %m = memref.get_global @g : memref<?xf32> return }`, "statically shaped"},
	} {
		memtest.Refused(t, e.src, e.want)
	}
}
