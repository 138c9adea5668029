package linalg_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/linalg"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lower/plan"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
)

func context() *ir.Context {
	return memtest.Context(math.Dialect, affine.Dialect, linalg.Dialect)
}

func TestRoundTrip(t *testing.T) {
	memtest.RoundTrip(t, "testdata/linalg.mlir", math.Dialect, affine.Dialect, linalg.Dialect)
}

// Every row of the table is an op whose loops all have an extent, and whose body computes with f32 or, where it does not, i1 or i32.
func TestRows(t *testing.T) {
	for _, r := range linalg.Rows() {
		s := r.Structure(2, []int64{1, 1, 1}, []int64{1, 1, 1})
		if _, missing := s.Extents(); missing >= 0 {
			t.Errorf("%s: loop %d has no extent", r.Name, missing)
		}
		if s.Outputs() != 1 || s.Inputs == 0 {
			t.Errorf("%s has %d inputs and %d outputs", r.Name, s.Inputs, s.Outputs())
		}
	}
}

const wrongHead = `func.func @f(%a: memref<2x3xf32>, %b: memref<3x4xf32>, %c: memref<2x4xf32>, %v: memref<3xf32>, %i: memref<2x3xi32>, %u: memref<*xf32>,
  %t: tensor<2x3xf32>, %x: f32, %y: memref<f32>, %im: memref<1x5x5x1xf32>, %k: memref<2x2x1x1xf32>, %o: memref<1x4x4x1xf32>) {
`

var wrongTests = []struct{ what, src, want string }{
	{"another inner extent", "linalg.matmul ins(%a, %a : memref<2x3xf32>, memref<2x3xf32>) outs(%c : memref<2x4xf32>)", "inferred operand #1 has shape's dimension #0 to be 3, as dimension #1 of operand #0 is, but found 2"},
	{"another outer extent", "linalg.matmul ins(%a, %b : memref<2x3xf32>, memref<3x4xf32>) outs(%a : memref<2x3xf32>)", "inferred operand #2 has shape's dimension #1 to be 4"},
	{"a rank too low", "linalg.matmul ins(%a, %v : memref<2x3xf32>, memref<3xf32>) outs(%c : memref<2x4xf32>)", "expected operand #1 to have rank 2, as its indexing map has results, not 'memref<3xf32>'"},
	{"an operand too few", "linalg.matmul ins(%a : memref<2x3xf32>) outs(%c : memref<2x4xf32>)", "takes 2 inputs and one output, not 1 and 1"},
	{"two outputs", "linalg.matmul ins(%a, %b : memref<2x3xf32>, memref<3x4xf32>) outs(%c, %c : memref<2x4xf32>, memref<2x4xf32>)", "takes 2 inputs and one output, not 2 and 2"},
	{"a window too large", "linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%im, %k : memref<1x5x5x1xf32>, memref<2x2x1x1xf32>) outs(%o : memref<1x4x4x1xf32>)", "inferred operand #0 has shape's dimension #1 to be at least 8, but found 5"},
	{"a stride of nothing", "linalg.conv_2d_nhwc_hwcf {strides = dense<0> : tensor<2xi64>} ins(%im, %k : memref<1x5x5x1xf32>, memref<2x2x1x1xf32>) outs(%o : memref<1x4x4x1xf32>)", "requires 'strides' to be 2 positive numbers"},
	{"a dilation too many", "linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<3xi64>} ins(%im, %k : memref<1x5x5x1xf32>, memref<2x2x1x1xf32>) outs(%o : memref<1x4x4x1xf32>)", "requires 'dilations' to be 2 positive numbers: dense<1> : tensor<2xi64>"},
	{"exp of integers", "linalg.exp ins(%i : memref<2x3xi32>) outs(%i : memref<2x3xi32>)", "does not compute exp of elements of type 'i32'"},
	{"a sum of two types", "linalg.add ins(%a, %i : memref<2x3xf32>, memref<2x3xi32>) outs(%a : memref<2x3xf32>)", "computes add of elements of one type, not of 'f32' and 'i32'"},
	{"another type of result", "linalg.abs ins(%a : memref<2x3xf32>) outs(%i : memref<2x3xi32>)", "gives elements of type 'f32', and its output has 'i32'"},
	{"a choice by numbers", "linalg.select ins(%a, %a, %a : memref<2x3xf32>, memref<2x3xf32>, memref<2x3xf32>) outs(%a : memref<2x3xf32>)", "chooses by elements of type i1"},
	{"a function that there is not", "linalg.elemwise_unary {fun = #linalg.unary_fn<sin>} ins(%a : memref<2x3xf32>) outs(%a : memref<2x3xf32>)", "does not compute sin of elements"},
	{"a cast that there is not", "linalg.matmul {cast = #linalg.type_fn<bits>} ins(%a, %b : memref<2x3xf32>, memref<3x4xf32>) outs(%c : memref<2x4xf32>)", "requires 'cast' to be #linalg.type_fn<cast_signed>"},
	{"an op that there is not", "linalg.matmull ins(%a, %b : memref<2x3xf32>, memref<3x4xf32>) outs(%c : memref<2x4xf32>)", "did you mean 'linalg.matmul'?"},
	{"no outputs", "linalg.matmul ins(%a, %b : memref<2x3xf32>, memref<3x4xf32>)", "expected 'outs'"},
	{"a number as an output", "linalg.fill ins(%x : f32) outs(%x : f32)", "output #0 must be a memref or a tensor, not 'f32'"},
	{"filling with memory", "linalg.fill ins(%a : memref<2x3xf32>) outs(%a : memref<2x3xf32>)", "sets elements to a number, not to 'memref<2x3xf32>'"},
	{"filling with an element of memory", "linalg.fill ins(%y : memref<f32>) outs(%a : memref<2x3xf32>)", "sets elements to a number, not to 'memref<f32>'"},
	{"memory without a rank", "linalg.fill ins(%x : f32) outs(%u : memref<*xf32>)", "must have a rank"},
	{"memory and tensors", "linalg.exp ins(%t : tensor<2x3xf32>) outs(%a : memref<2x3xf32>)", "works on memrefs or on tensors, and has both"},
	{"a result of memory", "%r = linalg.exp ins(%a : memref<2x3xf32>) outs(%a : memref<2x3xf32>) -> memref<2x3xf32>", "expected the types of 0 results"},
	{"a tensor without a result", "linalg.exp ins(%t : tensor<2x3xf32>) outs(%t : tensor<2x3xf32>)", "expected the types of 1 results"},
	{"a reduction over a dimension that there is not", "linalg.reduce { arith.addf } ins(%a : memref<2x3xf32>) outs(%v : memref<3xf32>) dimensions = [2]", "has a dimension 2, which is not in the range 0 to 1"},
	{"dimensions out of order", "linalg.reduce { arith.addf } ins(%a : memref<2x3xf32>) outs(%v : memref<3xf32>) dimensions = [1, 0]", "increasing order, each once"},
	{"another extent of a reduction", "linalg.reduce { arith.addf } ins(%a : memref<2x3xf32>) outs(%v : memref<3xf32>) dimensions = [1]", "inferred operand #1 has shape's dimension #0 to be 2"},
	{"a permutation with a hole", "linalg.transpose ins(%a : memref<2x3xf32>) outs(%a : memref<2x3xf32>) permutation = [1, 1]", "does not name each of 0 to 1 once"},
	{"a permutation of too few", "linalg.transpose ins(%a : memref<2x3xf32>) outs(%a : memref<2x3xf32>) permutation = [0]", "has a permutation of 1 dimensions, and the init has 2"},
	{"a transpose that is none", "linalg.transpose ins(%a : memref<2x3xf32>) outs(%a : memref<2x3xf32>) permutation = [1, 0]", "inferred operand #1 has shape's dimension #0 to be 3"},
	{"an unknown op to apply", "linalg.map { math.expp } ins(%a : memref<2x3xf32>) outs(%a : memref<2x3xf32>)", "there is no op 'math.expp' to apply"},
	{"an op that takes more", "linalg.map { arith.addf } ins(%a : memref<2x3xf32>) outs(%a : memref<2x3xf32>)", "'arith.addf' op"},
	{"a map that yields another type", "linalg.map ins(%a : memref<2x3xf32>) outs(%i : memref<2x3xi32>) (%e: f32) { linalg.yield %e : f32 }", "yields 'f32' for output #0, whose elements are 'i32'"},
	{"a map with an argument too many", "linalg.map ins(%a : memref<2x3xf32>) outs(%a : memref<2x3xf32>) (%e: f32, %g: f32) { linalg.yield %e : f32 }", "expects its region to have 1 arguments"},
	{"linalg.index where there are no loops", "%r = linalg.index 0 : index", "expects to be in the region of an op such as linalg.generic"},
	{"linalg.index of a loop too many", "linalg.map ins(%i : memref<2x3xi32>) outs(%i : memref<2x3xi32>) (%e: i32) { %r = linalg.index 2 : index\n%s = arith.index_cast %r : index to i32\nlinalg.yield %s : i32 }", "has 2 loops, and 'linalg.index' in it asks for number 2"},
	{"a region that is not the named op's", `"linalg.exp"(%a, %a) <{operandSegmentSizes = array<i32: 1, 1>}> ({
^bb0(%e: f32, %g: f32):
  linalg.yield %e : f32
}) : (memref<2x3xf32>, memref<2x3xf32>) -> ()`, "has a region that does not compute what the name says; as linalg.generic it may"},
	{"a broadcast that computes", `"linalg.broadcast"(%v, %a) <{dimensions = array<i64: 0>}> ({
^bb0(%e: f32, %g: f32):
  linalg.yield %g : f32
}) : (memref<3xf32>, memref<2x3xf32>) -> ()`, "has a region that does more than to copy"},
	{"a map too few", generic("", `affine_map<(i, j) -> (i, j)>`, `"parallel", "parallel"`), "expected the number of indexing maps to be that of the operands, 2"},
	{"loops that are not in a map", generic("", `affine_map<(i) -> (i, i)>, affine_map<(i, j) -> (i, j)>`, `"parallel", "parallel"`), "expected indexing map #0 to have 2 dimensions to match the number of loops, not 1"},
	{"symbols", generic("", `affine_map<(i, j)[s] -> (i, s)>, affine_map<(i, j) -> (i, j)>`, `"parallel", "parallel"`), "unexpected symbols in indexing map #0"},
	{"a loop without an extent", generic("", `affine_map<(i, j, k) -> (i, j + k)>, affine_map<(i, j, k) -> (i, j)>`, `"parallel", "parallel", "reduction"`), "has no operand whose extent is that of loop 2"},
	{"an unknown kind of loop", generic("", `affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>`, `"parallel", "serial"`), `requires 'iterator_types', a list of "parallel" and "reduction"`},
	{"a negative subscript", generic("", `affine_map<(i, j) -> (i - 1, j)>, affine_map<(i, j) -> (i, j)>`, `"parallel", "parallel"`), "reads operand #0 at -1 in dimension #0"},
}

func generic(attrs, maps, kinds string) string {
	return "linalg.generic {indexing_maps = [" + maps + "], iterator_types = [" + kinds + "]} ins(%a : memref<2x3xf32>) outs(%a : memref<2x3xf32>) {\n" +
		"^bb0(%e: f32, %g: f32):\n  linalg.yield %e : f32\n}"
}

func TestWrong(t *testing.T) {
	for _, e := range wrongTests {
		_, list := text.Parse(context(), diag.NewSource("t.mlir", wrongHead+e.src+"\nreturn\n}\n"), text.Options{})
		if list.Err() == nil || !strings.Contains(list.Err().Error(), e.want) {
			t.Errorf("%s: %v; want %q", e.what, list.Err(), e.want)
		} else if len(list) != 1 {
			t.Errorf("%s: %d diagnostics: %v", e.what, len(list), list)
		}
	}
}

// What is out of the extents that run shows traps, on the ops as on the loops that they become.
func TestTraps(t *testing.T) {
	const src = `func.func @f(%n: index) -> index {
  %a = memref.alloc(%n) : memref<?xindex>
  %b = memref.alloc() : memref<4xindex>
  linalg.map outs(%b : memref<4xindex>) () { %i = linalg.index 0 : index
    linalg.yield %i : index }
  linalg.copy ins(%b : memref<4xindex>) outs(%a : memref<?xindex>)
  %c3 = arith.constant 3 : index
  %r = memref.load %a[%c3] : memref<?xindex>
  memref.dealloc %a : memref<?xindex>
  memref.dealloc %b : memref<4xindex>
  return %r : index
}`
	c := context()
	built := memtest.Parse(t, c, src, text.Options{})
	plan, err := plan.New(c, linalg.Level)
	if err != nil {
		t.Fatal(err)
	}
	lowered, err := plan.Phase(target.Interp(), nil).Run(built)
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*ir.Graph{"written": memtest.Parse(t, c, src, text.Options{Verbatim: true}), "built": built, "lowered": lowered} {
		if got := memtest.Outcome(t, g, "f", ir.Val{Bits: 4}); got != "3 " {
			t.Errorf("%s, of 4: %q", name, got)
		}
		if got := memtest.Outcome(t, g, "f", ir.Val{Bits: 3}); !strings.HasPrefix(got, "trap: ") {
			t.Errorf("%s, of 3: %q", name, got)
		}
	}
}
