package affine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

func context() *ir.Context { return memtest.Context(affine.Dialect) }

func TestRoundTrip(t *testing.T) { memtest.RoundTrip(t, "testdata/affine.mlir", affine.Dialect) }

// What a fold makes of a program, and that it is this one.
var foldTests = []struct{ rule, args, body, want string }{
	{"affine.apply of affine.apply is one", "%n: index", `
  %a = affine.apply affine_map<(d0) -> (d0 * 4)>(%n)
  %b = affine.apply affine_map<(d0) -> (d0 floordiv 2 + 1)>(%a)
  return %b : index`, `affine_map<()[s0] -> (s0 * 2 + 1)>()[%arg0]`},
	{"affine.apply of the identity is its operand", "%n: index", `
  %a = affine.apply affine_map<(d0)[s0] -> (d0 + s0 - d0)>(%n)[%n]
  return %a : index`, `return %arg0`},
	{"affine.min has its map in normal form, and each result once", "%n: index", `
  %a = affine.min affine_map<(d0) -> (d0 + 1, 7, d0 + 1)>(%n)
  return %a : index`, `affine.min affine_map<()[s0] -> (s0 + 1, 7)>()[%arg0]`},
	{"affine.max of one is affine.apply", "%n: index", `
  %a = affine.max affine_map<(d0) -> (d0 + 1, d0 + 1)>(%n)
  return %a : index`, `affine.apply affine_map<()[s0] -> (s0 + 1)>()[%arg0]`},
	{"affine.load after affine.store to the same place = the stored value", "%n: index, %m: memref<9xindex>", `
  affine.store %n, %m[%n + 1] : memref<9xindex>
  affine.store %n, %m[%n - 1] : memref<9xindex>
  %a = affine.load %m[%n + 1] : memref<9xindex>
  return %a : index`, `return %arg0`},
	{"affine.load of a cast = affine.load of what is cast", "%n: index, %m: memref<9xindex>", `
  %c = memref.cast %m : memref<9xindex> to memref<?xindex>
  %a = affine.load %c[%n] : memref<?xindex>
  return %a : index`, `affine.load %arg1[symbol(%arg0)] : memref<9xindex>`},
	{"affine.if: maps and operands are in their normal form, and what is not affine any more is scf, memref and arith", "%n: index", `
  %a = affine.if affine_set<(d0) : (d0 - d0 == 0, 1 >= 0)>(%n) -> index {
    affine.yield %n : index
  } else {
    %c = arith.constant 3 : index
    affine.yield %c : index
  }
  return %a : index`, `return %arg0`},
	{"affine.if at all points or none is its region", "%n: index, %m: memref<9xindex>", `
  %a = affine.if affine_set<(d0)[s0] : (d0 - s0 + 2 >= 0)>(%n)[%n] -> index {
    affine.yield %n : index
  } else {
    %c = arith.constant 3 : index
    affine.yield %c : index
  }
  return %a : index`, `return %arg0`},
	{"affine.if at all points or none is its region", "%n: index, %m: memref<9xindex>", `
  %a = affine.if affine_set<() : ()> () -> index {
    affine.yield %n : index
  } else {
    %c = arith.constant 3 : index
    affine.yield %c : index
  }
  return %a : index`, `return %arg0`},
	{"an affine.for that never runs gives its initial values", "%n: index, %m: memref<9xindex>", `
  %a = affine.for %i = 4 to 4 iter_args(%x = %n) -> index {
    affine.yield %i : index
  }
  return %a : index`, `return %arg0`},
	{"an affine.for that runs once = its body", "%n: index, %m: memref<9xindex>", `
  %a = affine.for %i = 4 to 6 step 2 iter_args(%x = %n) -> index {
    %l = affine.load %m[%i] : memref<9xindex>
    affine.yield %l : index
  }
  return %a : index`, `affine.load %arg1[4]`},
}

func TestFolds(t *testing.T) {
	for _, e := range foldTests {
		c := context()
		src := "func.func @f(" + e.args + ") -> index {" + e.body + "\n}\n"
		got := memtest.Text(memtest.Parse(t, c, src, text.Options{}))
		if !strings.Contains(got, e.want) || !slices.Contains(c.FiredRules(), e.rule) {
			t.Errorf("%s: want %q; there fired %q and is\n%s", e.rule, e.want, c.FiredRules(), got)
		}
	}
}

// Accesses of vectors are those of their elements.
func TestVectors(t *testing.T) {
	got := memtest.SameIn(t, context(), `func.func @f(%n: index) -> index {
  %c = arith.constant dense<[1, 2, 3, 4]> : vector<4xindex>
  %m = memref.alloc() : memref<8xindex>
  affine.vector_store %c, %m[%n + 1] : memref<8xindex>, vector<4xindex>
  %v = affine.vector_load %m[%n + 2] : memref<8xindex>, vector<2xindex>
  %w = arith.addi %v, %v : vector<2xindex>
  affine.vector_store %w, %m[0] : memref<8xindex>, vector<2xindex>
  %r = affine.load %m[1] : memref<8xindex>
  return %r : index
}`, []int64{2}, []int64{4}, []int64{-1})
	if got[0] != "6 " || !strings.HasPrefix(got[1], "trap: ") || got[2] != "6 " {
		t.Errorf("got %q", got)
	}
}

var wrongTests = []struct{ what, src, want string }{
	{"an index of scf", `scf.for %i = %c0 to %n step %c1 { affine.store %x, %m[%i] : memref<?xf32> }`, "'%i' is neither a dimension nor a symbol"},
	{"a product of indices", `affine.for %i = 0 to %n { %t = arith.muli %i, %i : index
affine.store %x, %m[%t] : memref<?xf32> }`, "'%t' is neither a dimension nor a symbol"},
	{"in generic form", `affine.for %i = 0 to %n { %t = arith.muli %i, %i : index
"affine.store"(%x, %m, %t) <{map = affine_map<(d0) -> (d0)>}> : (f32, memref<?xf32>, index) -> () }`, "'%t' is neither a dimension nor a symbol"},
	{"a condition in generic form", `affine.for %i = 0 to %n { %t = arith.muli %i, %i : index
"affine.if"(%t) ({ "affine.yield"() : () -> () }, { }) {condition = affine_set<(d0) : (d0 >= 0)>} : (index) -> () }`, "'%t' is neither a dimension nor a symbol"},
	{"a symbol of a condition in generic form", `affine.for %i = 0 to %n {
"affine.if"(%n, %i) ({ "affine.yield"() : () -> () }, { }) {condition = affine_set<(d0)[s0] : (d0 - s0 >= 0)>} : (index, index) -> () }`, "'%i' cannot be used as a symbol"},
	{"a bound that varies", `affine.for %i = 0 to 9 { affine.for %j = %i to 9 { } }`, "'%i' cannot be used as a symbol"},
	{"a symbol that varies", `affine.for %i = 0 to 9 { affine.for %j = 0 to affine_map<()[s0] -> (s0)>()[%i] { } }`, "'%i' cannot be used as a symbol"},
	{"a step of nothing", `affine.for %i = 0 to %n step 0 { }`, "the step of a loop is positive, not 0"},
	{"a step backwards", `"affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = -1 : index, upperBoundMap = affine_map<() -> (9)>}> ({
^bb0(%i: index):
  "affine.yield"() : () -> ()
}) : () -> ()`, "requires a step that is positive"},
	{"too many subscripts", `affine.store %x, %m[%n, %n] : memref<?xf32>`, "has a map with 2 results for a memref of rank 1"},
	{"a symbol too many", `affine.if affine_set<(d0) : (d0 >= 0)>(%n)[%n] { }`, "1 symbols are given, and there are 0"},
	{"an unknown reduction", `%r = affine.parallel (%i) = (0) to (9) reduce ("foo") -> f32 { affine.yield %x : f32 }`, `there is no reduction "foo"`},
	{"a reduction of another type", `%r = affine.parallel (%i) = (0) to (9) reduce ("addi") -> f32 { affine.yield %x : f32 }`, `"addi" does not reduce value #0`},
	{"the least of nothing", `%r = affine.min affine_map<(d0) -> ()>(%n)`, "has a map without a result"},
	{"an index with two results", `%r = affine.apply affine_map<(d0) -> (d0, d0)>(%n)`, "has a map with 2 results, and needs one"},
	{"two bounds without max", `affine.for %i = affine_map<(d0) -> (d0, 3)>(%n) to 9 { }`, "several need 'max'"},
	{"a result without an else", `%r = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> f32 { affine.yield %x : f32 }`, "must have an else block if defining values"},
	{"nothing yielded", `%r = affine.for %i = 0 to 9 iter_args(%a = %x) -> f32 { affine.yield }`, "what the region yields: 0 values, wanted 1"},
	{"dimensions multiplied", `affine.store %x, %m[%n * %n] : memref<?xf32>`, "does not multiply two dimensions"},
	{"a division by a dimension", `affine.store %x, %m[4 mod %n] : memref<?xf32>`, "divides by constants and symbols only"},
	{"a box with a side missing", `affine.parallel (%i, %j) = (0) to (9) { }`, "expected 2 lower bounds, upper bounds and steps, found 1, 1 and 2"},
	{"a set in the place of a map", `%r = affine.apply affine_set<(d0) : (d0 == 0)>(%n)`, "expected an affine map"},
	{"a float for an index", `%r = affine.apply affine_map<(d0) -> (d0)>(%x)`, "is used as index, but its type is f32"},
}

func TestWrong(t *testing.T) {
	for _, e := range wrongTests {
		src := "func.func @f(%m: memref<?xf32>, %n: index, %x: f32, %c0: index, %c1: index) {\n" + e.src + "\nreturn\n}\n"
		_, list := text.Parse(context(), diag.NewSource("t.mlir", src), text.Options{})
		if list.Err() == nil || !strings.Contains(list.Err().Error(), e.want) {
			t.Errorf("%s: %v; want %q", e.what, list.Err(), e.want)
		} else if len(list) != 1 {
			t.Errorf("%s: %d diagnostics: %v", e.what, len(list), list)
		}
	}
}
