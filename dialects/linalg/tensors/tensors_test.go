package tensors_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/linalg/tensors"
	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

func TestRoundTrip(t *testing.T) {
	memtest.RoundTrip(t, "testdata/tensors.mlir", tensors.Dialect)
}

// What a fold makes of a program, and that it is this one.
func TestFolds(t *testing.T) {
	for _, e := range []struct{ rule, body, want string }{
		{"tensor.dim of an extent that the type says = that", "%c1 = arith.constant 1 : index\n%r = tensor.dim %t, %c1 : tensor<?x4xf32>", "%c4 = arith.constant 4 : index\n    return %c4"},
		{"tensor.rank = a constant", "%r = tensor.rank %t : tensor<?x4xf32>", "%c2 = arith.constant 2 : index\n    return %c2"},
		{"tensor.cast to the same type = its operand", "%d = tensor.cast %t : tensor<?x4xf32> to tensor<?x4xf32>\n%c0 = arith.constant 0 : index\n%r = tensor.dim %d, %c0 : tensor<?x4xf32>", "tensor.dim %arg0"},
	} {
		c := memtest.Context(tensors.Dialect)
		got := memtest.Text(memtest.Parse(t, c, "func.func @f(%t: tensor<?x4xf32>) -> index {\n"+e.body+"\nreturn %r : index\n}\n", text.Options{}))
		if !strings.Contains(got, e.want) || !slices.Contains(c.FiredRules(), e.rule) {
			t.Errorf("%s: want %q; there fired %q and is\n%s", e.rule, e.want, c.FiredRules(), got)
		}
	}
}

var wrongTests = []struct{ what, src, want string }{
	{"an extent too few", "%r = tensor.empty() : tensor<?x4xf32>", "has 0 extents for the 1 that 'tensor<?x4xf32>' leaves open"},
	{"an extent too many", "%r = tensor.splat %x[%n, %n] : tensor<?x4xf32>", "has 2 extents for the 1"},
	{"no tensor", "%r = tensor.empty() : memref<4xf32>", "the result must be a tensor of known rank, not 'memref<4xf32>'"},
	{"no rank", "%r = tensor.empty() : tensor<*xf32>", "must be a tensor of known rank"},
	{"another element", "%r = tensor.splat %n : tensor<4xf32>", "takes an element of 'tensor<4xf32>', not 'index'"},
	{"elements too few", "%r = tensor.from_elements %x : tensor<2xf32>", "has 1 elements, and 'tensor<2xf32>' has not so many"},
	{"elements of another type", "%r = tensor.from_elements %n : tensor<1xf32>", "'%n' is used as f32, but its type is index"},
	{"an index too few", "%r = tensor.extract %t[%n] : tensor<?x4xf32>", "has 1 indices for a tensor of rank 2"},
	{"an index that is none", "%r = tensor.extract %t[%n, %x] : tensor<?x4xf32>", "index #1 must be of type 'index', not 'f32'"},
	{"another element inserted", "%r = tensor.insert %n into %t[%n, %n] : tensor<?x4xf32>", "inserts 'index' into a tensor of 'f32'"},
	{"a pad that is known, to a type that is not", "%r = tensor.pad %v low[1] high[1] { ^bb0(%i0: index): tensor.yield %x : f32 } : tensor<4xf32> to tensor<?xf32>", "makes dimension 0 6 long"},
	{"another number of sizes than is said", "%r = tensor.expand_shape %v [[0, 1]] output_shape [4] : tensor<4xf32> into tensor<2x2xf32>", "expects 'output_shape' to be the shape of the result"},
	{"a cast to other elements of no rank", "%r = tensor.cast %t : tensor<?x4xf32> to tensor<*xi32>", "which no tensor is as well"},
	{"a rank of a number", "%r = \"tensor.rank\"(%x) : (f32) -> index", "the tensor must be a tensor, not 'f32'"},
	{"a part before the start", "%r = tensor.extract_slice %t[0, -1] [1, 3] [1, 1] : tensor<?x4xf32> to tensor<1x3xf32>", "has a negative offset or size in dimension 1"},
	{"a part of another shape", "%r = tensor.extract_slice %t[0, 0] [1, 3] [1, 1] : tensor<?x4xf32> to tensor<1x2xf32>", "has a part whose shape is not that of the sizes"},
	{"a part with too few sizes", "%r = tensor.extract_slice %t[0, 0] [1] [1, 1] : tensor<?x4xf32> to tensor<1xf32>", "expects 2 offsets, sizes and strides"},
	{"a part of other elements", "%r = tensor.insert_slice %i into %t[0, 0] [1, 3] [1, 1] : tensor<1x3xi32> into tensor<?x4xf32>", "has a part of another type of elements"},
	{"a pad of another shape", "%r = tensor.pad %t low[0, 1] high[0, 1] { ^bb0(%i0: index, %j0: index): tensor.yield %x : f32 } : tensor<?x4xf32> to tensor<?x5xf32>", "makes dimension 1 6 long, and the type of its result says 5"},
	{"a pad of another element", "%r = tensor.pad %t low[0, 1] high[0, 1] { ^bb0(%i0: index, %j0: index): tensor.yield %n : index } : tensor<?x4xf32> to tensor<?x6xf32>", "has elements of type 'f32', and its region yields 'index'"},
	{"a region without an index", "%r = tensor.generate %n { ^bb0(%i0: index): tensor.yield %x : f32 } : tensor<?x4xf32>", "an argument of type 'index' for each of 2 dimensions"},
	{"a region that ends otherwise", "%r = tensor.generate %n { ^bb0(%i0: index, %j0: index): \"u.end\"() : () -> () } : tensor<?x4xf32>", "expects its region to end with 'tensor.yield'"},
	{"a join along no dimension", "%r = tensor.concat dim(2) %t, %t : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>", "requires 'dim', a dimension of its inputs"},
	{"a join of two shapes", "%r = tensor.concat dim(0) %t, %u : (tensor<?x4xf32>, tensor<6x5xf32>) -> tensor<?x4xf32>", "dimension 1 is 4 and 5"},
	{"a join of two ranks", "%r = tensor.concat dim(0) %t, %v : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>", "takes tensors of one rank"},
	{"a join to another shape", "%r = tensor.concat dim(0) %u, %u : (tensor<6x5xf32>, tensor<6x5xf32>) -> tensor<11x5xf32>", "has result type tensor<11x5xf32>, but its operands give tensor<12x5xf32>"},
	{"a cast to another shape", "%r = tensor.cast %t : tensor<?x4xf32> to tensor<?x5xf32>", "which no tensor is as well"},
	{"groups with a hole", "%r = tensor.collapse_shape %u [[1]] : tensor<6x5xf32> into tensor<30xf32>", "requires 'reassociation' to list for each of 1 dimensions which of 0 to 1 it is"},
	{"another product", "%r = tensor.collapse_shape %u [[0, 1]] : tensor<6x5xf32> into tensor<29xf32>", "expects dimension 0 of the collapsed type to be 30"},
	{"a product that is not known", "%r = tensor.collapse_shape %t [[0, 1]] : tensor<?x4xf32> into tensor<8xf32>", "expects dimension 0 of the collapsed type to be '?'"},
	{"a shape of another rank", "%r = tensor.reshape %u(%s) : (tensor<6x5xf32>, tensor<2xi32>) -> tensor<30xf32>", "expects a shape of 1 integers"},
	{"a shape of other elements", "%r = tensor.reshape %u(%s) : (tensor<6x5xf32>, tensor<2xi32>) -> tensor<6x6xf32>", "which has other elements"},
	{"no dimensions to gather along", "%r = tensor.gather %u[%i] gather_dims([]) : (tensor<6x5xf32>, tensor<1x3xi32>) -> tensor<1xf32>", "gather_dims must be non-empty"},
	{"fewer dimensions than indices", "%r = tensor.gather %u[%i] gather_dims([0, 1]) : (tensor<6x5xf32>, tensor<1x3xi32>) -> tensor<1xf32>", "the last dimension of the indices is another number"},
	{"dimensions out of order", "%r = tensor.gather %w[%i] gather_dims([1, 0, 2]) : (tensor<4x5x6xf32>, tensor<1x3xi32>) -> tensor<1xf32>", "strictly increasing"},
	{"other parts", "%r = tensor.gather %w[%i] gather_dims([0, 1, 2]) : (tensor<4x5x6xf32>, tensor<1x3xi32>) -> tensor<2xf32>", "has parts of type 'tensor<1x1x1x1xf32>', or with fewer dimensions 'tensor<1xf32>'"},
	{"a scatter that is not unique", "%r = tensor.scatter %x1 into %w[%i] scatter_dims([0, 1, 2]) : (tensor<1xf32>, tensor<4x5x6xf32>, tensor<1x3xi32>) -> tensor<4x5x6xf32>", "requires 'unique'"},
	{"tiles of no rows", "%r = tensor.pack %u inner_dims_pos = [0] inner_tiles = [0] into %w : tensor<6x5xf32> -> tensor<4x5x6xf32>", "invalid zero tile factor"},
	{"tiles that are not full", "%r = tensor.pack %u inner_dims_pos = [1] inner_tiles = [2] into %p : tensor<6x5xf32> -> tensor<6x3x2xf32>", "needs a padding_value"},
	{"room for fewer tiles", "%r = tensor.pack %u inner_dims_pos = [0] inner_tiles = [1] into %p : tensor<6x5xf32> -> tensor<6x3x2xf32>", "dimension 1 of the packed tensor is 3, and must be at least 5"},
	{"tiles of another size", "%r = tensor.unpack %u inner_dims_pos = [0] inner_tiles = [4] into %v : tensor<6x5xf32> -> tensor<4xf32>", "dimension 1 of the packed tensor is 5, which the size of tiles is not"},
	{"padding of another type", "%r = tensor.pack %u padding_value(%n : index) inner_dims_pos = [1] inner_tiles = [2] into %p : tensor<6x5xf32> -> tensor<6x3x2xf32>", "pads with"},
	{"an op that there is not", "%r = tensor.extracts %t[%n, %n] : tensor<?x4xf32>", "did you mean 'tensor.extract'?"},
}

func TestWrong(t *testing.T) {
	for _, e := range wrongTests {
		src := "func.func @f(%t: tensor<?x4xf32>, %u: tensor<6x5xf32>, %v: tensor<4xf32>, %i: tensor<1x3xi32>, %s: tensor<2xi32>, %w: tensor<4x5x6xf32>, %p: tensor<6x3x2xf32>, %x1: tensor<1xf32>, %n: index, %x: f32) {\n" + e.src + "\nreturn\n}\n"
		_, list := text.Parse(memtest.Context(tensors.Dialect), diag.NewSource("t.mlir", src), text.Options{AllowUnregistered: true})
		if list.Err() == nil || !strings.Contains(list.Err().Error(), e.want) {
			t.Errorf("%s: %v; want %q", e.what, list.Err(), e.want)
		} else if len(list) != 1 {
			t.Errorf("%s: %d diagnostics: %v", e.what, len(list), list)
		}
	}
}

// What is outside of a tensor, or does not fit where that is only seen when it runs, traps.
func TestTraps(t *testing.T) {
	for _, body := range []string{
		"%e = tensor.extract %t[%n, %c0] : tensor<?x3xindex>",
		"%s = tensor.splat %n : tensor<4xindex>\n%p = tensor.extract_slice %s[2] [3] [1] : tensor<4xindex> to tensor<3xindex>\n%c2 = arith.constant 2 : index\n%e = tensor.extract %p[%c2] : tensor<3xindex>",
		"%s = tensor.splat %n : tensor<4xindex>\n%p = tensor.insert_slice %s into %s[2] [4] [1] : tensor<4xindex> into tensor<4xindex>\n%e = tensor.extract %p[%c0] : tensor<4xindex>",
		"%c7 = arith.constant 7 : index\n%e = tensor.dim %t, %c7 : tensor<?x3xindex>",
		"%c_1 = arith.constant -1 : index\n%e = tensor.dim %t, %c_1 : tensor<?x3xindex>",
		"%p = tensor.extract_slice %t[0, 0] [%n, 3] [2, 1] : tensor<?x3xindex> to tensor<?x3xindex>\n%e = tensor.extract %p[%c0, %c0] : tensor<?x3xindex>",
		"%p = tensor.cast %t : tensor<?x3xindex> to tensor<5x3xindex>\n%e = tensor.extract %p[%c0, %c0] : tensor<5x3xindex>",
		"%p = tensor.expand_shape %t [[0, 1], [2]] output_shape [%n, 2, 3] : tensor<?x3xindex> into tensor<?x2x3xindex>\n%e = tensor.extract %p[%c0, %c0, %c0] : tensor<?x2x3xindex>",
		"%m = arith.subi %c0, %n : index\n%p = tensor.splat %c0[%m] : tensor<?xindex>\n%e = tensor.extract %p[%c0] : tensor<?xindex>",
	} {
		src := "func.func @f(%n: index) -> index {\n%c0 = arith.constant 0 : index\n%t = tensor.splat %n[%n] : tensor<?x3xindex>\n" + body + "\nreturn %e : index\n}\n"
		g := memtest.Parse(t, memtest.Context(tensors.Dialect), src, text.Options{Verbatim: true})
		if got := memtest.Outcome(t, g, "f", ir.Val{Bits: 4}); !strings.HasPrefix(got, "trap: ") {
			t.Errorf("%s: %q", body, got)
		}
	}
}
