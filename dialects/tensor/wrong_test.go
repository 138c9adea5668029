package tensor_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// wrong lists functions that are wrong in one way each, and what is said of it.
var wrong = []struct{ body, says string }{
	{`%0 = ten.einsum "ij,jk" %a, %b : tensor<2x3xf64>, tensor<3x4xf64> -> tensor<2x4xf64>`, `has a spec, "ij,jk", that has no "->", behind which stand the indices that are kept: "ij,jk->ik"`},
	{`%0 = ten.einsum "ij->ij" %a, %b : tensor<2x3xf64>, tensor<3x4xf64> -> tensor<2x4xf64>`, `names the indices of 1 operands, of which there are 2`},
	{`%0 = ten.einsum "ij,jkl->ik" %a, %b : tensor<2x3xf64>, tensor<3x4xf64> -> tensor<2x4xf64>`, `names 3 indices, "jkl", for the 2 dimensions of operand #1`},
	{`%0 = ten.einsum "ij,ik->jk" %a, %b : tensor<2x3xf64>, tensor<3x4xf64> -> tensor<3x4xf64>`, `runs index i up to 2 in operand #0 and to 3 in operand #1`},
	{`%0 = ten.einsum "ij,jk->il" %a, %b : tensor<2x3xf64>, tensor<3x4xf64> -> tensor<2x4xf64>`, `keeps index l, which no operand has`},
	{`%0 = ten.einsum "ij,jk->ii" %a, %b : tensor<2x3xf64>, tensor<3x4xf64> -> tensor<2x2xf64>`, `keeps index i twice`},
	{`%0 = ten.einsum "i1,jk->ik" %a, %b : tensor<2x3xf64>, tensor<3x4xf64> -> tensor<2x4xf64>`, `has '1' for an index; indices are letters`},
	{`%0 = ten.einsum "...j,jk->k" %a, %b : tensor<2x3xf64>, tensor<3x4xf64> -> tensor<4xf64>`, "has `...` for operands, and not for the result"},
	{`%0 = ten.einsum "ij,jk->ik" %a, %b : tensor<2x3xf64>, tensor<3x4xf64> -> tensor<2x5xf64>`, `has result type tensor<2x5xf64>, but its operands give tensor<2x4xf64>`},
	{`%0 = ten.einsum "ij,jk->ik" %a, %b : tensor<2x3xf64>, tensor<3x4xf64> -> tensor<2x4xf32>`, `has result type tensor<2x4xf32>, but its operands give tensor<2x4xf64>`},
	{`%0 = ten.einsum "i->i" %x : f64 -> tensor<2xf64>`, `operand #0 is f64, not a tensor of known rank of numbers of at most 64 bits`},
	{`%0 = ten.map (%p = %a : tensor<2x3xf64>, %q = %b : tensor<3x4xf64>) -> tensor<2x4xf64> { ten.yield %p : f64 }`, `takes operands whose extents fit: 2 and 3 of one dimension are neither equal nor 1`},
	{`%0 = ten.map (%p = %a : tensor<2x3xf64>) -> tensor<3x2xf64> { ten.yield %p : f64 }`, `has result type tensor<3x2xf64>, but its operands give tensor<2x3xf64>`},
	{`%0 = ten.map (%p = %a : tensor<2x3xf64>) -> tensor<2x3xf64> { ten.yield %a : tensor<2x3xf64> }`, `yields tensor<2x3xf64>, not a number of at most 64 bits`},
	{`%0 = ten.map (%p = %a : tensor<2x3xf32>) -> tensor<2x3xf32> { ten.yield %p : f32 }`, `tensor<2x3xf32>`},
	{`%0 = ten.map () -> tensor<2x3xf32> { ten.yield %x : f64 }`, `takes an operand at least`},
	{`%0 = ten.reduce max %a along [2] : tensor<2x3xf64>`, `names dimension 2 of 2, which are numbered from 0`},
	{`%0 = ten.reduce max %a along [1, 1] : tensor<2x3xf64>`, `names dimension 1 twice`},
	{`%0 = ten.reduce avg %a along [1] : tensor<2x3xf64>`, `expected one of add, mul, min, max, found 'avg'`},
	{`%0 = ten.transpose %a [0] : tensor<2x3xf64>`, `orders 1 dimensions of 2`},
	{`%0 = ten.transpose %a [0, 0] : tensor<2x3xf64>`, `has a list of dimensions that has not each of 0 to 1 once`},
	{`%0 = ten.reshape %a : tensor<2x3xf64> -> tensor<5xf64>`, `gives 5 elements of 6`},
	{`%0 = ten.reshape %a : tensor<2x3xf64> -> tensor<?xf64>`, `gives tensor<?xf64>, of which 1 extents are open, and has 0 operands for them`},
	{`%0 = ten.reshape %a : tensor<2x3xf64> -> tensor<6xf32>`, `gives elements of type f32 of such of type f64`},
	{`%0 = ten.fill %x : tensor<2x3xf32>`, `fills tensor<2x3xf32> with f64`},
	{`%0 = ten.fill %x : tensor<*xf64>`, `gives a tensor of known rank of numbers of at most 64 bits`},
	{`%0 = ten.iota 2 : tensor<2x3xf64>`, `names dimension 2 of 2, which are numbered from 0`},
	{`%0 = ten.iota 0 [%x] : tensor<?xf64>`, `operand #0 is f64, not index`},
	{`%0 = ten.dim %a, 7 : tensor<2x3xf64>`, `names dimension 7 of 2, which are numbered from 0`},
	{`%0 = ten.extract %a[%n] : tensor<2x3xf64>`, `has 1 indices for 2 dimensions`},
	{`%0 = ten.softmax %a along 2 : tensor<2x3xf64>`, `names dimension 2 of 2`},
	{`%0 = ten.layer_norm %a scale %b bias %b epsilon 0.0 : f64 : tensor<2x3xf64>, tensor<3x4xf64>, tensor<3x4xf64>`, `operand #1 is tensor<3x4xf64>, and not of the last dimension of tensor<2x3xf64>`},
	{`%0 = ten.slice %a[%n] by [1, 1] : tensor<2x3xf64> -> tensor<1x1xf64>`, `begins at 1 indices in 2 dimensions`},
	{`%0 = ten.slice %a[%n, %n] by [1, 0] : tensor<2x3xf64> -> tensor<1x1xf64>`, `has a step that is not positive`},
	{`%0 = ten.pad %a with %x low [0, -1] high [0, 0] : tensor<2x3xf64>`, `pads dimension 1 by -1 elements`},
	{`%0 = ten.pad %a with %n low [0, 1] high [0, 0] : tensor<2x3xf64>`, `pads tensor<2x3xf64> with index`},
	{`%0 = ten.concat %a, %b along 0 : tensor<2x3xf64>, tensor<3x4xf64>`, `puts tensor<3x4xf64> behind tensor<2x3xf64>`},
	{`%0 = ten.conv %a by %b low [] high [] strides [] dilations [] groups 1 : tensor<2x3xf64>, tensor<3x4xf64> -> tensor<2x3xf64>`, `takes an image N x C x D... and a kernel M x C x K...`},
	{`%0 = ten.conv %c by %c low [0] high [0] strides [0] dilations [1] groups 1 : tensor<2x3x4xf64>, tensor<2x3x4xf64> -> tensor<2x2x1xf64>`, `has strides [0], not 1 numbers from 1 on`},
	{`%0 = ten.conv %c by %c low [0] high [0] strides [1] dilations [1099511627776] groups 1 : tensor<2x3x4xf64>, tensor<2x3x4xf64> -> tensor<2x2x1xf64>`, `has dilations [1099511627776]: 1099511627776 is over 1073741824, the most there may be`},
	{`%0 = ten.conv %c by %c low [0] high [0] strides [1] dilations [1] groups 2 : tensor<2x3x4xf64>, tensor<2x3x4xf64> -> tensor<2x2x1xf64>`, `has 2 groups of the 3 channels of the image, and kernels of 3 channels for 2`},
	{`%0 = ten.conv %c by %c low [0] high [0] strides [1] dilations [2] groups 1 : tensor<2x3x4xf64>, tensor<2x3x4xf64> -> tensor<2x2x1xf64>`, `has a kernel of extent 4 with dilation 2 for 4 elements and their pads`},
	{`%0 = ten.pool max %a window [2] low [0] high [0] strides [1] dilations [1] : tensor<2x3xf64> -> tensor<2x3xf64>`, `takes an image N x C x D..., not tensor<2x3xf64>`},
	{`%0 = ten.pool max %c window [2, 2] low [0] high [0] strides [1] dilations [1] : tensor<2x3x4xf64> -> tensor<2x3x3xf64>`, `has a window [2 2], not 1 numbers from 1 on`},
	{`%0 = ten.pool max %c window [2] low [0] high [0] strides [1] dilations [4] : tensor<2x3x4xf64> -> tensor<2x3x3xf64>`, `has a kernel of extent 2 with dilation 4 for 4 elements and their pads`},
	{`%0 = ten.pool average %k window [2] low [0] high [0] strides [1] dilations [1] : tensor<2x3x4xi64> -> tensor<2x3x3xi64>`, `averages floats, not i64`},
	{`%0 = ten.pool max %c window [2] low [0] high [0] strides [1] dilations [1] : tensor<2x3x4xf64> -> tensor<2x3x2xf64>`, `has result type tensor<2x3x2xf64>, but its operands give tensor<2x3x3xf64>`},
	{`%0 = ten.extend reflect %a low [2, 0] high [0, 0] : tensor<2x3xf64>`, `extends dimension 0 by 2 and 0 elements in mode reflect, which wants 3 there, of which there are 2`},
	{`%0 = ten.extend mirror %a low [2, 0] high [0, 0] : tensor<2x3xf64>`, `expected one of edge, reflect, wrap, found 'mirror'`},
	{`%0 = ten.gather %a by %b along 0 : tensor<2x3xf64>, tensor<3x4xf64>`, `has indices of type f64, not integers of 2 bits at least`},
	{`%0 = ten.gather %a by %k along 2 : tensor<2x3xf64>, tensor<2x3x4xi64>`, `names dimension 2 of 2`},
	{`%0 = ten.gather_elements %a by %k along 1 : tensor<2x3xf64>, tensor<2x3x4xi64>`, `has indices of 3 dimensions for tensor<2x3xf64>`},
	{`%0 = ten.gather_elements %c by %l along 1 : tensor<2x3x4xf64>, tensor<1x9x5xi32>`, `has 5 places in dimension 2 for 4 elements`},
	{`%0 = ten.scatter add %a to %b by %j along 0 : tensor<2x3xf64>, tensor<3x4xf64>, tensor<2xi32>`, `takes updates of type tensor<2x4xf64> for these indices, not tensor<2x3xf64>`},
	{`%0 = ten.scatter or %a to %b by %j along 0 : tensor<2x3xf64>, tensor<3x4xf64>, tensor<2xi32>`, `expected one of set, add, mul, min, max, found 'or'`},
	{`%0 = ten.relu %k above 0.0 : f64 : tensor<2x3x4xi64>`, `takes floats, not i64`},
	{`%0 = ten.gelu fast %a : tensor<2x3xf64>`, `expected one of exact, tanh, found 'fast'`},
	{`%0 = ten.pack %m : memref<2x3xf64, strided<[1, 2]>>`, `takes a memref of known rank and identity layout`},
}

func TestWrong(t *testing.T) {
	for _, x := range wrong {
		src := "func.func @f(%a: tensor<2x3xf64>, %b: tensor<3x4xf64>, %c: tensor<2x3x4xf64>, %k: tensor<2x3x4xi64>, %l: tensor<1x9x5xi32>, %j: tensor<2xi32>, %x: f64, %n: index, %m: memref<2x3xf64, strided<[1, 2]>>) {\n" + x.body + "\n  return\n}\n"
		_, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("f.mlir", src), text.Options{})
		if list.Err() == nil {
			t.Errorf("%s\nis taken", x.body)
			continue
		}
		lines := strings.Split(list.Err().Error(), "\n")
		if !strings.HasPrefix(lines[0], "f.mlir:2:") || !strings.Contains(lines[0], x.says) || len(lines) < 3 || !strings.Contains(lines[2], "^") {
			t.Errorf("%s\ngives\n%v\nwant\n%s", x.body, list.Err(), x.says)
		}
	}
}
