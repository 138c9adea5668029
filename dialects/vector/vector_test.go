package vector_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

func context() *ir.Context { return memtest.Context(vector.Dialect) }

func TestRoundTrip(t *testing.T) {
	memtest.RoundTrip(t, "testdata/vector.mlir", ub.Dialect, vector.Dialect)
}

const maskHead = `
  %m = memref.alloc() : memref<8xindex>
  %c1 = arith.constant 1 : index
  %v = vector.broadcast %n : index to vector<4xindex>
  %v8 = vector.broadcast %n : index to vector<8xindex>
  %c0 = arith.constant 0 : index
  vector.store %v8, %m[%c0] : memref<8xindex>, vector<8xindex>`

// What a fold makes of a program, of which @f takes an index.
var foldTests = []struct{ rule, body, want string }{
	{"a broadcast to the same type is nothing", `
  %v = vector.broadcast %n : index to vector<4xindex>
  %w = vector.broadcast %v : vector<4xindex> to vector<4xindex>
  %r = vector.reduction <add>, %w : vector<4xindex> into index
  return %r : index`, "reduction <add>, %0"},
	{"a shape_cast to the same type is nothing", `
  %v = vector.broadcast %n : index to vector<4xindex>
  %w = vector.shape_cast %v : vector<4xindex> to vector<4xindex>
  %r = vector.reduction <add>, %w : vector<4xindex> into index
  return %r : index`, "reduction <add>, %0"},
	{"a transposition by the identity is nothing", `
  %v = vector.broadcast %n : index to vector<4xindex>
  %w = vector.transpose %v, [0] : vector<4xindex> to vector<4xindex>
  %r = vector.reduction <add>, %w : vector<4xindex> into index
  return %r : index`, "reduction <add>, %0"},
	{"a shuffle that takes all rows of one operand in order is nothing", `
  %c = arith.constant dense<[1, 2, 3, 4]> : vector<4xindex>
  %v = vector.insert %n, %c [1] : index into vector<4xindex>
  %w = vector.shuffle %c, %v [4, 5, 6, 7] : vector<4xindex>, vector<4xindex>
  %r = vector.reduction <add>, %w : vector<4xindex> into index
  return %r : index`, "reduction <add>, %0"},
	{"an extract of everything is nothing", `
  %v = vector.broadcast %n : index to vector<4xindex>
  %w = vector.extract %v[] : vector<4xindex> from vector<4xindex>
  %r = vector.reduction <add>, %w : vector<4xindex> into index
  return %r : index`, "reduction <add>, %0"},
	{"a bitcast to the same type is nothing", `
  %v = vector.broadcast %n : index to vector<4xindex>
  %w = vector.bitcast %v : vector<4xindex> to vector<4xindex>
  %r = vector.reduction <add>, %w : vector<4xindex> into index
  return %r : index`, "reduction <add>, %0"},
	{"an element of moved lanes is an element of what they were moved from", `
  %c = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xindex>
  %v = vector.insert %n, %c [1, 0] : index into vector<2x3xindex>
  %t = vector.transpose %v, [1, 0] : vector<2x3xindex> to vector<3x2xindex>
  %f = vector.shape_cast %t : vector<3x2xindex> to vector<6xindex>
  %r = vector.extract %f[1] : index from vector<6xindex>
  return %r : index`, "return %arg0"},
	{"an element at a constant position = extract", `
  %v = vector.broadcast %n : index to vector<4xindex>
  %k = arith.constant 2 : i32
  %r = vector.extractelement %v[%k : i32] : vector<4xindex>
  return %r : index`, "return %arg0"},
	{"a vector with another element at a constant position = insert", `
  %c = arith.constant dense<[1, 2, 3, 4]> : vector<4xindex>
  %k = arith.constant 2 : i32
  %v = vector.insertelement %n, %c[%k : i32] : vector<4xindex>
  %r = vector.extract %v[2] : index from vector<4xindex>
  return %r : index`, "return %arg0"},
	{"shape_cast(shape_cast(x)) = x, if that is the type wanted", `
  %v = vector.broadcast %n : index to vector<4xindex>
  %w = vector.shape_cast %v : vector<4xindex> to vector<2x2xindex>
  %x = vector.shape_cast %w : vector<2x2xindex> to vector<4xindex>
  %r = vector.reduction <add>, %x : vector<4xindex> into index
  return %r : index`, "reduction <add>, %0"},
	{"transpose(transpose(x)) = transpose(x)", `
  %c = arith.constant dense<[[[1, 2], [3, 4], [5, 6]]]> : vector<1x3x2xindex>
  %v = vector.insert %n, %c [0, 1, 1] : index into vector<1x3x2xindex>
  %w = vector.transpose %v, [1, 2, 0] : vector<1x3x2xindex> to vector<3x2x1xindex>
  %x = vector.transpose %w, [2, 1, 0] : vector<3x2x1xindex> to vector<1x2x3xindex>
  %y = vector.shape_cast %x : vector<1x2x3xindex> to vector<6xindex>
  %s = arith.muli %y, %y : vector<6xindex>
  %r = vector.reduction <add>, %s : vector<6xindex> into index
  return %r : index`, "vector.transpose %0, [0, 2, 1]"},
	{"extract of an insert at the same position = what was inserted", `
  %c = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xindex>
  %v = vector.broadcast %n : index to vector<3xindex>
  %w = vector.insert %v, %c [1] : vector<3xindex> into vector<2x3xindex>
  %x = vector.extract %w[1] : vector<3xindex> from vector<2x3xindex>
  %r = vector.reduction <add>, %x : vector<3xindex> into index
  return %r : index`, "reduction <add>, %0"},
	{"vector.load after vector.store to the same place = the stored vector", `
  %m = memref.alloc() : memref<8xindex>
  %c1 = arith.constant 1 : index
  %v = vector.broadcast %n : index to vector<4xindex>
  vector.store %v, %m[%c1] : memref<8xindex>, vector<4xindex>
  %w = vector.load %m[%c1] : memref<8xindex>, vector<4xindex>
  %r = vector.reduction <add>, %w : vector<4xindex> into index
  return %r : index`, "reduction <add>, %0"},
	{"vector.maskedload with all lanes set = vector.load", maskHead + `
  %k = arith.constant dense<true> : vector<4xi1>
  %w = vector.maskedload %m[%c1], %k, %v : memref<8xindex>, vector<4xi1>, vector<4xindex> into vector<4xindex>
  %r = vector.reduction <add>, %w : vector<4xindex> into index
  return %r : index`, "vector.load"},
	{"vector.maskedstore with all lanes set = vector.store", maskHead + `
  %k = arith.constant dense<true> : vector<4xi1>
  vector.maskedstore %m[%c1], %k, %v : memref<8xindex>, vector<4xi1>, vector<4xindex>
  %w = memref.load %m[%c1] : memref<8xindex>
  return %w : index`, "vector.store"},
	{"vector.maskedload with no lane set is its pass-through value", maskHead + `
  %k = arith.constant dense<false> : vector<4xi1>
  %w = vector.maskedload %m[%n], %k, %v : memref<8xindex>, vector<4xi1>, vector<4xindex> into vector<4xindex>
  %r = vector.reduction <add>, %w : vector<4xindex> into index
  return %r : index`, "reduction <add>, %0"},
	{"vector.expandload with no lane set is its pass-through value", maskHead + `
  %k = arith.constant dense<false> : vector<4xi1>
  %w = vector.expandload %m[%n], %k, %v : memref<8xindex>, vector<4xi1>, vector<4xindex> into vector<4xindex>
  %r = vector.reduction <add>, %w : vector<4xindex> into index
  return %r : index`, "reduction <add>, %0"},
	{"vector.gather with no lane set is its pass-through value", maskHead + `
  %k = arith.constant dense<false> : vector<4xi1>
  %w = vector.gather %m[%n] [%v], %k, %v : memref<8xindex>, vector<4xindex>, vector<4xi1>, vector<4xindex> into vector<4xindex>
  %r = vector.reduction <add>, %w : vector<4xindex> into index
  return %r : index`, "reduction <add>, %0"},
	{"vector.maskedstore with no lane set is nothing", maskHead + `
  %k = arith.constant dense<false> : vector<4xi1>
  vector.maskedstore %m[%n], %k, %v : memref<8xindex>, vector<4xi1>, vector<4xindex>
  return %n : index`, "return %arg0"},
	{"vector.compressstore with no lane set is nothing", maskHead + `
  %k = arith.constant dense<false> : vector<4xi1>
  vector.compressstore %m[%n], %k, %v : memref<8xindex>, vector<4xi1>, vector<4xindex>
  return %n : index`, "return %arg0"},
	{"vector.scatter with no lane set is nothing", maskHead + `
  %k = arith.constant dense<false> : vector<4xi1>
  vector.scatter %m[%n] [%v], %k, %v : memref<8xindex>, vector<4xindex>, vector<4xi1>, vector<4xindex>
  return %n : index`, "return %arg0"},
}

func TestFolds(t *testing.T) {
	tested := map[string]bool{"vector.reduction: fastmath is written out": true} // TestFlags
	for _, f := range foldTests {
		tested[f.rule] = true
		src := "func.func @f(%n: index) -> index {" + f.body + "\n}"
		c := context()
		g := memtest.Parse(t, c, src, text.Options{})
		if !contains(c.FiredRules(), f.rule) {
			t.Errorf("rule %q does not fire; there fired %q", f.rule, c.FiredRules())
		}
		if got := memtest.Text(g); !strings.Contains(got, f.want) {
			t.Errorf("%s:\n%swants %q", f.rule, got, f.want)
		}
		memtest.SameIn(t, context(), src, []int64{3}, []int64{-7})
	}
	for _, f := range vector.Dialect.Folds {
		if !tested[f.Rule] {
			t.Errorf("rule %q has no test", f.Rule)
		}
	}
}

// An op that is made without fastmath is the one that is read without.
func TestFlags(t *testing.T) {
	c := context()
	b := ir.NewBuilder(c)
	v := b.Param(c.Vector([]int64{4}, ir.F32))
	kind := c.Props([]ir.NamedAttr{{Name: "kind", Value: c.OpaqueAttr("vector.kind<add>")}}, nil)
	if r := b.OpAttr(vector.Reduction, kind, v); b.Graph().Attr(r, "fastmath") == 0 {
		t.Error("a reduction without fastmath stays so")
	}
}

func contains(list []string, s string) bool {
	return strings.Contains("\n"+strings.Join(list, "\n")+"\n", "\n"+s+"\n")
}

const head = `func.func @f(%n: index, %k: index) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c = arith.constant dense<[1, 2, 3, 4]> : vector<4xindex>
  %m = memref.alloc() : memref<3x4xindex>
  %z = vector.broadcast %n : index to vector<3x4xindex>
  vector.store %z, %m[%c0, %c0] : memref<3x4xindex>, vector<3x4xindex>
`

// What programs give for 5 and 1, and for 6 and 3; a trap is enough where one is wanted.
var runTests = []struct{ name, body, want string }{
	{"a position outside of the vector reads poison, which nobody needs", `
  %p = vector.extract %c[%n] : index from vector<4xindex>
  return %k : index`, "1 3"},
	{"a lane of poison is moved alone", `
  %p = ub.poison : vector<4xindex>
  %v = vector.insert %n, %p [1] : index into vector<4xindex>
  %r = vector.extract %v[%k] : index from vector<4xindex>
  %o = vector.extract %v[1] : index from vector<4xindex>
  return %o : index`, "5 6"},
	{"a row that begins within memory and ends outside traps", `
  %v = vector.load %m[%c0, %k] : memref<3x4xindex>, vector<2xindex>
  %r = vector.reduction <add>, %v : vector<2xindex> into index
  return %r : index`, "10 trap"},
	{"a part of several rows that ends outside traps", `
  vector.store %z, %m[%c0, %c0] : memref<3x4xindex>, vector<3x4xindex>
  %v = vector.load %m[%k, %c2] : memref<3x4xindex>, vector<2x2xindex>
  %w = vector.shape_cast %v : vector<2x2xindex> to vector<4xindex>
  %r = vector.reduction <add>, %w : vector<4xindex> into index
  return %r : index`, "20 trap"},
	{"a store is seen by loads of single elements", `
  vector.store %c, %m[%k, %c0] : memref<3x4xindex>, vector<4xindex>
  %r = memref.load %m[%k, %c2] : memref<3x4xindex>
  return %r : index`, "3 trap"},
	{"a vector is the element of memory", `
  %a = memref.alloc() : memref<2xvector<4xindex>>
  vector.store %c, %a[%k] : memref<2xvector<4xindex>>, vector<4xindex>
  %v = vector.load %a[%k] : memref<2xvector<4xindex>>, vector<4xindex>
  %r = vector.reduction <mul>, %v, %n : vector<4xindex> into index
  return %r : index`, "120 trap"},
	{"a reduction of constants under a mask does not fold without it", `
  %s = vector.create_mask %k : vector<4xi1>
  %r = vector.mask %s { vector.reduction <add>, %c : vector<4xindex> into index } : vector<4xi1> -> index
  return %r : index`, "1 6"},
	{"lanes that a mask leaves out touch no memory", `
  %s = vector.create_mask %c2 : vector<4xi1>
  %v = vector.maskedload %m[%k, %c2], %s, %c : memref<3x4xindex>, vector<4xi1>, vector<4xindex> into vector<4xindex>
  %r = vector.reduction <add>, %v : vector<4xindex> into index
  return %r : index`, "17 trap"},
	{"elements are read one behind the other", `
  vector.store %c, %m[%c0, %c0] : memref<3x4xindex>, vector<4xindex>
  %s = arith.constant dense<[false, true, false, true]> : vector<4xi1>
  %v = vector.expandload %m[%c0, %k], %s, %c : memref<3x4xindex>, vector<4xi1>, vector<4xindex> into vector<4xindex>
  %f = arith.constant dense<[1, 10, 100, 1000]> : vector<4xindex>
  %p = arith.muli %v, %f : vector<4xindex>
  %r = vector.reduction <add>, %p : vector<4xindex> into index
  return %r : index`, "3321 trap"},
	{"a transfer gives its padding where it is out of bounds", `
  vector.store %c, %m[%c2, %c0] : memref<3x4xindex>, vector<4xindex>
  %v = vector.transfer_read %m[%k, %c2], %n {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<3x4xindex>, vector<3x2xindex>
  %w = vector.shape_cast %v : vector<3x2xindex> to vector<6xindex>
  %f = arith.constant dense<[1, 10, 100, 1000, 10000, 100000]> : vector<6xindex>
  %p = arith.muli %w, %f : vector<6xindex>
  %r = vector.reduction <add>, %p : vector<6xindex> into index
  return %r : index`, "554535 666666"},
	{"a dimension that is not transferred, or said to be in bounds, traps", `
  %v = vector.transfer_read %m[%k, %c2], %n : memref<3x4xindex>, vector<4xindex>
  %w = vector.transfer_read %m[%c0, %k], %n {in_bounds = [true]} : memref<3x4xindex>, vector<2xindex>
  %x = vector.shuffle %v, %w [0, 1, 2, 3, 4, 5] : vector<4xindex>, vector<2xindex>
  %r = vector.reduction <add>, %x : vector<6xindex> into index
  return %r : index`, "30 trap"},
	{"the last of several lanes that go to one element wins", `
  %i = arith.constant dense<[1, 1, 1, 0]> : vector<4xindex>
  %s = vector.create_mask %k : vector<4xi1>
  vector.scatter %m[%c0, %c2] [%i], %s, %c : memref<3x4xindex>, vector<4xindex>, vector<4xi1>, vector<4xindex>
  %c3 = arith.constant 3 : index
  %r = memref.load %m[%c0, %c3] : memref<3x4xindex>
  return %r : index`, "1 3"},
	{"a mask that is poison traps in an access", `
  %p = ub.poison : vector<4xi1>
  %s = vector.insert_strided_slice %p, %p {offsets = [0], strides = [1]} : vector<4xi1> into vector<4xi1>
  vector.maskedstore %m[%c0, %c0], %s, %c : memref<3x4xindex>, vector<4xi1>, vector<4xindex>
  return %k : index`, "trap trap"},
	{"an index that is poison traps where a mask leaves no element", `
  %p = ub.poison : index
  %s = vector.create_mask %c0 : vector<4xi1>
  vector.maskedstore %m[%p, %c0], %s, %c : memref<3x4xindex>, vector<4xi1>, vector<4xindex>
  return %k : index`, "trap trap"},
	{"an index that is poison traps where the bounds leave no element", `
  %p = ub.poison : index
  %c4 = arith.constant 4 : index
  vector.transfer_write %c, %m[%p, %c4] : vector<4xindex>, memref<3x4xindex>
  return %k : index`, "trap trap"},
	{"a transfer goes to memory whose elements are vectors", `
  %a = memref.alloc() : memref<2xvector<4xindex>>
  memref.store %c, %a[%c0] : memref<2xvector<4xindex>>
  memref.store %c, %a[%k] : memref<2xvector<4xindex>>
  %v = vector.transfer_read %a[%k], %c : memref<2xvector<4xindex>>, vector<2x4xindex>
  vector.transfer_write %v, %a[%c0] : vector<2x4xindex>, memref<2xvector<4xindex>>
  %w = vector.transfer_read %a[%c0], %c {in_bounds = [true]} : memref<2xvector<4xindex>>, vector<2x4xindex>
  %f = vector.shape_cast %w : vector<2x4xindex> to vector<8xindex>
  %r = vector.reduction <add>, %f : vector<8xindex> into index
  return %r : index`, "20 trap"},
	{"matrices are multiplied column by column", `
  %one = arith.constant 1 : index
  %a = vector.insert %one, %c [3] : index into vector<4xindex>
  %b = arith.constant dense<[1, 10, 2, 20, 3, 30]> : vector<6xindex>
  %p = vector.matrix_multiply %a, %b {lhs_rows = 2 : i32, lhs_columns = 2 : i32, rhs_columns = 3 : i32} : (vector<4xindex>, vector<6xindex>) -> vector<6xindex>
  %f = arith.constant dense<[1, 1000, 1000000, 1000000000, 1000000000000, 1000000000000000]> : vector<6xindex>
  %q = arith.muli %p, %f : vector<6xindex>
  %r = vector.reduction <add>, %q : vector<6xindex> into index
  return %r : index`, "36093024062012031 36093024062012031"},
	{"lanes become others by their bits", `
  %v = vector.bitcast %c : vector<4xindex> to vector<16xi16>
  %e = vector.extract %v[8] : i16 from vector<16xi16>
  %r = arith.index_cast %e : i16 to index
  return %r : index`, "3 3"},
}

func TestRun(t *testing.T) {
	for _, r := range runTests {
		got := memtest.SameIn(t, context(), head+r.body+"\n}", []int64{5, 1}, []int64{6, 3})
		for i, w := range strings.Fields(r.want) {
			if w == "trap" {
				w = "trap: "
			}
			if !strings.HasPrefix(strings.TrimSpace(got[i])+" ", w+" ") && !strings.HasPrefix(got[i], w) {
				t.Errorf("%s: gives %q, want %q", r.name, got[i], w)
			}
		}
	}
}

// Wrong uses, each with what is said of it.
var errorTests = []struct{ op, want string }{
	{`%r = vector.broadcast %v : vector<4xf32> to vector<3xf32>`, "dimension mismatch: dimension 0 of the source is 4, and 3 of the result"},
	{`%r = vector.broadcast %w : vector<2x4xf32> to vector<4xf32>`, "source rank higher than destination rank: 2 and 1"},
	{`%r = vector.shape_cast %w : vector<2x4xf32> to vector<7xf32>`, "source/result number of elements must match, and are 8 and 7"},
	{`%r = vector.shuffle %v, %v [0, 8] : vector<4xf32>, vector<4xf32>`, "mask index #2 out of range: 8 is not in [0, 8)"},
	{`%r = vector.transpose %w, [1, 1] : vector<2x4xf32> to vector<4x4xf32>`, "duplicate position index: 1"},
	{`%r = vector.extract %w[2] : vector<4xf32> from vector<2x4xf32>`, "position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension: 2 is not in [0, 2)"},
	{`%r = vector.insert %x, %w [1] : f32 into vector<2x4xf32>`, "inserts 'f32' where 'vector<4xf32>' stands"},
	{`%r = vector.extractelement %w[%i : index] : vector<2x4xf32>`, "vector.extract and vector.insert take positions in several dimensions"},
	{`%r = vector.bitcast %v : vector<4xf32> to vector<3xi32>`, "bitwidth of the minor 1-D vectors must be equal, and are 128 and 96"},
	{`%r = vector.reduction <and>, %v : vector<4xf32> into f32`, "unsupported reduction type 'f32' for kind 'and'"},
	{`%r = vector.reduction <add>, %w : vector<2x4xf32> into f32`, "unsupported reduction rank: 2; vector.multi_reduction takes several dimensions"},
	{`%r = vector.reduction <sum>, %v : vector<4xf32> into f32`, "expected one of add, mul, minui"},
	{`%r = vector.load %m[%i] : memref<8x8xf32>, vector<4xf32>`, "requires 2 indices, and has 1"},
	{`%r = vector.load %s[%i] : memref<8xf32, strided<[2]>>, vector<4xf32>`, "most minor memref dim must have unit stride"},
	{`%r = vector.load %m[%i, %i] : memref<8x8xf32>, vector<4xf64>`, "base and vector must have the same element type, not 'f32' and 'f64'"},
	{`%r = vector.shape_cast %q : vector<6x4xf32> to vector<2x4x3xf32>`, "has the dimensions of the other split; go by way of one dimension"},
	{`%r = vector.splat %i : vector<4xf32>`, "expected operand of type 'f32', the element type of the result, but got 'index'"},
	{`%r = vector.extract_strided_slice %w {offsets = [1], sizes = [2], strides = [1]} : vector<2x4xf32> to vector<2x4xf32>`, "expected sum(offsets, sizes) dimension 0 to be confined to [1, 2]: 1 + 2"},
	{`%r = vector.insert_strided_slice %v, %w {offsets = [0, 1], strides = [1]} : vector<4xf32> into vector<2x4xf32>`, "dimension 1 to be confined to [1, 4]: 1 + 4"},
	{`%r = vector.insert_strided_slice %v, %w {offsets = [0, 0], strides = [2]} : vector<4xf32> into vector<2x4xf32>`, "expected strides to be confined to [1, 2): there is 2"},
	{`%r, %s2 = vector.deinterleave %u : vector<3xf32> -> vector<1xf32>`, "an even number of lanes"},
	{`%r = vector.multi_reduction <add>, %w, %v [1] : vector<2x4xf32> to vector<4xf32>`, "what is left of it is 'vector<2xf32>'"},
	{`%r = vector.multi_reduction <add>, %w, %x [0, 0] : vector<2x4xf32> to f32`, "reduces dimension 0, which is none of the 2 of its operand, or named before"},
	{`%r, %s2 = vector.scan <add>, %w, %v {inclusive = true, reduction_dim = 1 : i64} : vector<2x4xf32>, vector<4xf32>`, "incompatible input/initial value shapes"},
	{`%r = vector.outerproduct %w, %v : vector<2x4xf32>, vector<4xf32>`, "expected 1-d vector for operand #1"},
	{`%r = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %v, %u, %x : vector<4xf32>, vector<3xf32> into f32`, "invalid contracting dimension map: dimension 0 is both 4 and 3"},
	{`%r = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["parallel"]} %v, %v, %x : vector<4xf32>, vector<4xf32> into f32`, "1 dimensions are parallel, and it has 0"},
	{`%r = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %v, %v, %x : vector<4xf32>, vector<4xf32> into f32`, "expected indexing map 1 to be a projected permutation"},
	{`%r = vector.constant_mask [5] : vector<4xi1>`, "out of bounds of vector result dimension size: 5 is not in [0, 4]"},
	{`%r = vector.constant_mask [2] : vector<[4]xi1>`, "none or all set in a dimension that scales: 2 is neither 0 nor 4"},
	{`%r = vector.create_mask %i : vector<2x4xi1>`, "must specify an operand for each result vector dimension: 1 and 2"},
	{`%r = vector.maskedload %m[%i, %i], %k, %u : memref<8x8xf32>, vector<4xi1>, vector<3xf32> into vector<3xf32>`, "mask is 'vector<4xi1>', and must be 'vector<3xi1>'"},
	{`vector.scatter %m[%i, %i] [%j2], %k2, %w : memref<8x8xf32>, vector<2x4xi32>, vector<2x4xi1>, vector<2x4xf32>`, "takes vectors of one dimension, not of 2"},
	{`%r = vector.gather %m[%i, %i] [%j], %k, %v : memref<8x8xf32>, vector<3xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>`, "expected the index vector to have the shape of the value"},
	{`%r = vector.transfer_read %m[%i, %i], %x {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : memref<8x8xf32>, vector<2x4xf32>`, "requires a projected permutation_map"},
	{`%r = vector.transfer_read %m[%i, %i], %x {permutation_map = affine_map<(d0, d1) -> (0)>} : memref<8x8xf32>, vector<4xf32>`, "requires broadcast dimensions to be in-bounds"},
	{`%r = vector.transfer_read %m[%i, %i], %i : memref<8x8xf32>, vector<4xf32>`, "expects the padding to be of type 'f32'"},
	{`%r = vector.transfer_read %m[%i, %i], %x {in_bounds = [true, true]} : memref<8x8xf32>, vector<4xf32>`, "same rank as permutation_map results: 2 and 1"},
	{`%r = vector.transfer_read %m[%i, %i], %x : memref<8x8xf32>, vector<3xi8>`, "integral multiple of the bitwidth of the source element: 24 and 32"},
	{`vector.transfer_write %v, %m[%i, %i] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (0)>} : vector<4xf32>, memref<8x8xf32>`, "should not have broadcast dimensions"},
	{`vector.transfer_write %v, %m[%i, %i], %k3 : vector<4xf32>, memref<8x8xf32>`, "mask is 'vector<3xi1>', and must be 'vector<4xi1>'"},
	{`%r = vector.contract #no %v, %v, %x : vector<4xf32>, vector<4xf32> into f32`, "expected a dictionary of attributes, which #no is not"},
	{`%r = vector.matrix_multiply %v, %v {lhs_rows = 2 : i32, lhs_columns = 2 : i32, rhs_columns = 3 : i32} : (vector<4xf32>, vector<4xf32>) -> vector<6xf32>`, "as many lanes as its matrices have elements, and 'vector<4xf32>' has not 6"},
	{`%r = vector.matrix_multiply %v, %v {lhs_rows = 2 : i32, lhs_columns = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, vector<4xf32>) -> vector<4xf64>`, "one type of elements, not 'f32' and 'f64'"},
	{`%r = vector.matrix_multiply %v, %v {lhs_rows = 4 : i32, lhs_columns = 4611686018427387905 : i64, rhs_columns = 1 : i32} : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>`, "'lhs_columns', a positive number of 31 bits"},
	{`vector.print str "a" punctuation <comma>`, "prints a string alone"},
	{`vector.print %m : memref<8x8xf32>`, "prints a number or a vector, not 'memref<8x8xf32>'"},
	{`"vector.print"() {punctuation = #vector.punctuation<dot>} : () -> ()`, "prints newline, no_punctuation, comma, open or close, not \"dot\""},
	{`%r = vector.mask %k { memref.load %m[%i, %i] : memref<8x8xf32> } : vector<4xi1> -> f32`, "expects a maskable operation, which 'memref.load' is not"},
	{`%r = vector.mask %k3 { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<3xi1> -> f32`, "mask is 'vector<3xi1>', and must be 'vector<4xi1>'"},
	{`%r = vector.mask %k { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> i32`, "has result type i32, but its operands give f32"},
}

func TestErrors(t *testing.T) {
	for _, e := range errorTests {
		src := `#no = 3 : i32
func.func @f(%v: vector<4xf32>, %w: vector<2x4xf32>, %t: vector<2x2x2xf32>, %x: f32, %i: index, %m: memref<8x8xf32>, %s: memref<8xf32, strided<[2]>>,
    %u: vector<3xf32>, %q: vector<6x4xf32>, %k: vector<4xi1>, %k2: vector<2x4xi1>, %k3: vector<3xi1>, %j: vector<3xi32>, %j2: vector<2x4xi32>) {
  ` + e.op + "\n  return\n}"
		_, errs := text.Parse(context(), diag.NewSource("test.mlir", src), text.Options{})
		switch err := errs.Err(); {
		case err == nil:
			t.Errorf("accepted, though %q:\n%s", e.want, e.op)
		case !strings.Contains(err.Error(), e.want) || strings.Count(err.Error(), "error:") > 1:
			t.Errorf("refused with\n%v\nwanted %q alone", err, e.want)
		}
	}
}
