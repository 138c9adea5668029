package promote_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/target"

	"github.com/irc-lang/irc/tests/built"
)

// splits are bodies of @f(%a: i64, %n: index, %c: i1) -> i64, and what sroa and mem2reg
// make of them.
var splits = []struct{ name, body, want string }{
	{"two elements that a loop exchanges", `
  %m = memref.alloca() : memref<2xi64>
  memref.store %a, %m[%c0] : memref<2xi64>
  memref.store %one, %m[%c1] : memref<2xi64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%c0] : memref<2xi64>
    %y = memref.load %m[%c1] : memref<2xi64>
    memref.store %y, %m[%c0] : memref<2xi64>
    memref.store %x, %m[%c1] : memref<2xi64>
  }
  %r = memref.load %m[%c0] : memref<2xi64>
  return %r : i64`, `
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1_i64 = arith.constant 1 : i64
  %0:2 = scf.for %arg3 = %c0 to %arg1 step %c1 iter_args(%arg4 = %arg0, %arg5 = %c1_i64) -> (i64, i64) {
    scf.yield %arg5, %arg4 : i64, i64
  }
  return %0#0 : i64`},
	{"a row of a matrix, and the matrix on its side", `
  %m = memref.alloca() : memref<2x2xi64>
  %row = memref.subview %m[1, 0] [1, 2] [1, 1] : memref<2x2xi64> to memref<2xi64, strided<[1], offset: 2>>
  %side = memref.transpose %m (i, j) -> (j, i) : memref<2x2xi64> to memref<2x2xi64, strided<[1, 2]>>
  memref.store %a, %row[%c0] : memref<2xi64, strided<[1], offset: 2>>
  scf.if %c {
    memref.store %seven, %m[%c1, %c0] : memref<2x2xi64>
  }
  %r = memref.load %side[%c0, %c1] : memref<2x2xi64, strided<[1, 2]>>
  return %r : i64`, `
  %c7_i64 = arith.constant 7 : i64
  %0 = arith.select %arg2, %c7_i64, %arg0 : i64
  return %0 : i64`},
	{"a copy between two, of the heap and of the stack", `
  %m = memref.alloc() : memref<2xi64>
  %k = memref.alloca() : memref<1x2xi64>
  %v = memref.collapse_shape %k [[0, 1]] : memref<1x2xi64> into memref<2xi64>
  memref.store %a, %m[%c0] : memref<2xi64>
  memref.store %one, %m[%c1] : memref<2xi64>
  memref.copy %m, %v : memref<2xi64> to memref<2xi64>
  memref.dealloc %m : memref<2xi64>
  %x = memref.load %k[%c0, %c0] : memref<1x2xi64>
  %y = memref.load %k[%c0, %c1] : memref<1x2xi64>
  %r = arith.subi %x, %y : i64
  return %r : i64`, `
  %c1_i64 = arith.constant 1 : i64
  %0 = arith.subi %arg0, %c1_i64 : i64
  return %0 : i64`},
	{"a copy of memory to itself, two elements on", `
  %m = memref.alloca() : memref<4xi64>
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  memref.store %a, %m[%c0] : memref<4xi64>
  memref.store %one, %m[%c1] : memref<4xi64>
  memref.store %seven, %m[%c2] : memref<4xi64>
  %from = memref.subview %m[0] [3] [1] : memref<4xi64> to memref<3xi64, strided<[1]>>
  %to = memref.subview %m[1] [3] [1] : memref<4xi64> to memref<3xi64, strided<[1], offset: 1>>
  memref.copy %from, %to : memref<3xi64, strided<[1]>> to memref<3xi64, strided<[1], offset: 1>>
  %x = memref.load %m[%c1] : memref<4xi64>
  %y = memref.load %m[%c3] : memref<4xi64>
  %r = arith.subi %x, %y : i64
  return %r : i64`, `
  %c7_i64 = arith.constant 7 : i64
  %0 = arith.subi %arg0, %c7_i64 : i64
  return %0 : i64`},
	{"an element that runs in parallel keeps from values only itself", `
  %m = memref.alloca() : memref<2xi64>
  memref.store %a, %m[%c0] : memref<2xi64>
  memref.store %one, %m[%c1] : memref<2xi64>
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    memref.store %seven, %m[%c1] : memref<2xi64>
    scf.reduce
  }
  %x = memref.load %m[%c0] : memref<2xi64>
  %y = memref.load %m[%c1] : memref<2xi64>
  %r = arith.addi %x, %y : i64
  return %r : i64`, `
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1_i64 = arith.constant 1 : i64
  %c7_i64 = arith.constant 7 : i64
  %alloca = memref.alloca() : memref<i64>
  memref.store %c1_i64, %alloca[] : memref<i64>
  scf.parallel (%arg3) = (%c0) to (%c1) step (%c1) {
    memref.store %c7_i64, %alloca[] : memref<i64>
    scf.reduce
  }
  %0 = memref.load %alloca[] : memref<i64>
  %1 = arith.addi %arg0, %0 : i64
  return %1 : i64`},
}

// whole are bodies whose arrays stay as they are.
var whole = []struct{ name, body string }{
	{"at an index that is not known", `
  %m = memref.alloca() : memref<2xi64>
  memref.store %a, %m[%c0] : memref<2xi64>
  memref.store %one, %m[%c1] : memref<2xi64>
  %two = arith.constant 2 : index
  %k = arith.remui %n, %two : index
  %r = memref.load %m[%k] : memref<2xi64>
  return %r : i64`},
	{"of the heap, stored to in a parallel loop", `
  %m = memref.alloc() : memref<2xi64>
  memref.store %a, %m[%c0] : memref<2xi64>
  memref.store %one, %m[%c1] : memref<2xi64>
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    memref.store %seven, %m[%c1] : memref<2xi64>
    scf.reduce
  }
  %r = memref.load %m[%c1] : memref<2xi64>
  memref.dealloc %m : memref<2xi64>
  return %r : i64`},
	{"seen as other elements", `
  %m = memref.alloca() : memref<8xi8>
  %v = memref.view %m[%c0][] : memref<8xi8> to memref<1xi64>
  memref.store %a, %v[%c0] : memref<1xi64>
  %r = memref.load %v[%c0] : memref<1xi64>
  return %r : i64`},
	{"a part of it passed on", `
  %m = memref.alloca() : memref<2xi64>
  memref.store %a, %m[%c1] : memref<2xi64>
  memref.store %one, %m[%c0] : memref<2xi64>
  %v = memref.reinterpret_cast %m to offset: [0], sizes: [], strides: [] : memref<2xi64> to memref<i64>
  func.call @fill(%v) : (memref<i64>) -> ()
  %r = memref.load %m[%c0] : memref<2xi64>
  return %r : i64`},
}

func TestArraysAreSplit(t *testing.T) { becomes(t, splits, "sroa,mem2reg") }

func TestArraysStay(t *testing.T) { stays(t, whole, "sroa") }

// The limit is the option's, or that of the target.
func TestSplitLimit(t *testing.T) {
	src := withMemory(splits[0].body)
	g, _ := built.Counted(t, read(t, src), "sroa{limit=1}")
	if show(g) != show(read(t, src)) {
		t.Errorf("an array of two is split with limit=1:\n%s", show(g))
	}
	small := *target.Interp()
	small.Costs.MaxSplit = 1
	if g = built.ThroughFor(t, &small, read(t, src), "sroa"); show(g) != show(read(t, src)) {
		t.Errorf("an array of two is split on a target that has room for one:\n%s", show(g))
	}
}

// What MLIR promotes once the loops are blocks, we do in loops: where it leaves no
// memory, we do not either.
func TestMemoryAsMLIR(t *testing.T) {
	opt, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		t.Skip("memory is promoted by MLIR as well: needs mlir-opt-19 (mlir-19-tools)")
	}
	gone := 0
	for _, c := range append(promoted, splits...) {
		if strings.Contains(c.body, "scf.parallel") {
			continue // run one after the other, its iterations are a loop
		}
		src := strings.ReplaceAll(withMemory(c.body), "memref.alloc()", "memref.alloca()")
		cmd := exec.Command(opt, "-convert-scf-to-cf", "-canonicalize", "-sroa", "-mem2reg", "-canonicalize")
		cmd.Stdin = strings.NewReader(dropFrees(src))
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if strings.Contains(errs.String(), "does not dominate") {
			continue // memory of an iteration: mlir-opt 19 carries it into the loop and refuses that
		}
		if err != nil {
			t.Fatalf("%s: mlir-opt: %v", c.name, err)
		}
		if strings.Contains(string(out), "memref.alloca") {
			continue
		}
		gone++
		g, _ := built.Counted(t, read(t, src), "sroa,mem2reg")
		if strings.Contains(show(g), "memref.alloc") {
			t.Errorf("%s: mlir-opt leaves no memory, we do:\n%s", c.name, show(g))
		}
	}
	if gone < 4 {
		t.Errorf("mlir-opt promotes only %d", gone)
	}
}

// dropFrees leaves out the deallocations: mlir-opt frees no stack memory.
func dropFrees(src string) string {
	var out []string
	for line := range strings.Lines(src) {
		if !strings.Contains(line, "memref.dealloc") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}
