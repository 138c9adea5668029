package loops_test

import (
	"strings"
	"testing"
)

// What passes may do, because the order of something is free.
func TestAccepted(t *testing.T) {
	for _, x := range []struct{ name, pass, nest, want string }{
		{"a sum of integers", "loop-interchange{order=1,0 line=2}", `%s = affine.for %i = 0 to 9 iter_args(%a = %m) -> (i64) {
  %t = affine.for %j = 0 to 8 iter_args(%b = %a) -> (i64) {
    %x = affine.load %K[%i + %j * 3] : memref<64xi64>
    %y = arith.addi %b, %x : i64
    affine.yield %y : i64
  }
  affine.yield %t : i64
}
affine.store %s, %K[0] : memref<64xi64>`, "= 0 to 8 iter_args(%arg7 = %arg1)"},
		{"a sum of floats", "loop-reverse{line=2}", `%z = arith.constant 0.0 : f64 %s = affine.for %i = 0 to 9 iter_args(%a = %z) -> (f64) {
  %x = affine.load %B[%i] : memref<64xf64>
  %y = arith.addf %a, %x fastmath<reassoc> : f64
  affine.yield %y : f64
}
affine.store %s, %C[0] : memref<64xf64>`, "affine.load %arg3[-%arg6 + 8]"},
		{"a sum under a condition", "vectorize{width=4}", `%s = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %m) -> (i64) {
  %x = memref.load %K[%i] : memref<64xi64>
  %p = arith.cmpi sgt, %x, %m : i64
  %t = scf.if %p -> (i64) {
    %y = arith.addi %a, %x : i64
    scf.yield %y : i64
  } else {
    scf.yield %a : i64
  }
  scf.yield %t : i64
}
memref.store %s, %K[%c0] : memref<64xi64>`, "arith.select %"},
		{"a sum under a condition, on all cores", "parallelize{work=1}", `%s = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %m) -> (i64) {
  %x = memref.load %K[%i] : memref<64xi64>
  %p = arith.cmpi sgt, %x, %m : i64
  %y = arith.addi %a, %x : i64
  %t = arith.select %p, %y, %a : i64
  scf.yield %t : i64
}
memref.store %s, %K[%c0] : memref<64xi64>`, "scf.reduce(%"},
		{"the greatest float", "vectorize{width=4}", `%s = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %a0) -> (f64) {
  %x = memref.load %B[%i] : memref<64xf64>
  %y = arith.maxnumf %a, %x : f64
  scf.yield %y : f64
}
memref.store %s, %C[%c0] : memref<64xf64>`, "vector.reduction <maxnumf>"},
		{"updates of one element", "loop-reverse{line=2}", `affine.for %i = 0 to 9 {
  %x = affine.load %K[0] : memref<64xi64>
  %y = affine.apply affine_map<(d0) -> (d0 * 7)>(%i)
  %z = arith.index_cast %y : index to i64
  %w = arith.addi %x, %z : i64
  affine.store %w, %K[0] : memref<64xi64>
}`, "affine.apply"},
		{"updates of an element that another loop updates", "loop-fuse{line=2}", `affine.for %i = 0 to 9 {
  %x = affine.load %K[0] : memref<64xi64>
  %w = arith.addi %x, %m : i64
  affine.store %w, %K[0] : memref<64xi64>
}
affine.for %i = 0 to 9 {
  %x = affine.load %K[%i] : memref<64xi64>
  %w = arith.addi %x, %m : i64
  affine.store %w, %K[%i] : memref<64xi64>
}`, "affine.store %3, %arg5[%arg6]"},
		{"a dependence that is farther than the copies", "unroll-and-jam{factor=4 line=2}", `affine.for %i = 0 to 40 {
  affine.for %j = 0 to 9 {
    %x = affine.load %A[%i, %j + 1] : memref<64x64xf64>
    affine.store %x, %A[%i + 4, %j] : memref<64x64xf64>
  }
}`, "step 4"},
		{"a product of matrices", "loop-interchange{line=2}", `affine.for %i = 0 to 9 {
  affine.for %j = 0 to 9 {
    affine.for %k = 0 to 9 {
      %x = affine.load %A[%i, %k] : memref<64x64xf64>
      %y = affine.load %A[%k + 9, %j] : memref<64x64xf64>
      %z = affine.load %A[%i + 20, %j] : memref<64x64xf64>
      %u = arith.mulf %x, %y : f64
      %v = arith.addf %z, %u : f64
      affine.store %v, %A[%i + 20, %j] : memref<64x64xf64>
    }
  }
}`, "affine.load %arg2[%arg7 + 9, %arg8]"},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := run(t, body(x.nest), x.pass); !strings.Contains(got, x.want) {
				t.Errorf("got %s\nwant %s", got, x.want)
			}
		})
	}
}
