package loops_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// run gives what passes say is wrong, or what they make of a program.
func run(t *testing.T, src, pipeline string) string {
	t.Helper()
	return runOn(t, nil, src, pipeline)
}

// runOn is run for a target, nil for this machine.
func runOn(t *testing.T, on *target.Target, src, pipeline string) string {
	t.Helper()
	g := built.Parse(t, src, text.Options{})
	p, err := pass.Parse(pipeline, lowering.AllPasses())
	if err != nil {
		return err.Error()
	}
	m := &pass.Manager{VerifyEach: true, Line: lines(src), Target: on}
	if g, err = m.Run(t.Context(), g, p); err != nil {
		return err.Error()
	}
	return text.String(g, text.PrintOptions{})
}

// body puts a nest into a function, with line 2 the first of it.
func body(nest string) string {
	return "func.func @f(%n: index, %m: i64, %A: memref<64x64xf64> {llvm.noalias}, %B: memref<64xf64>, %C: memref<64xf64>, %K: memref<64xi64> {llvm.noalias}) { " +
		"%c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %c9 = arith.constant 9 : index %d0 = arith.constant 0 : i32 %d1 = arith.constant 1 : i32 %d9 = arith.constant 9 : i32 %a0 = arith.constant 0.0 : f64 %l0 = arith.constant 0 : i64 %l1 = arith.constant 1 : i64\n" +
		nest + "\n  return\n}"
}

// What a pass refuses, and why.
func TestRefused(t *testing.T) {
	for _, x := range []struct{ name, pass, nest, want string }{
		{"a dependence", "loop-interchange{order=1,0 line=2}", `affine.for %i = 1 to 9 {
  affine.for %j = 0 to 9 {
    %x = affine.load %A[%i - 1, %j + 1] : memref<64x64xf64>
    affine.store %x, %A[%i, %j] : memref<64x64xf64>
  }
}`, "cannot be interchanged: it has a dependence that would be turned around: affine.load (line 4) reads in iteration (2, 0) what affine.store (line 5) writes of %arg2 in iteration (1, 1), at distance (1, -1)"},
		{"an output dependence", "loop-interchange{order=1,0 line=2}", `affine.for %i = 0 to 9 {
  affine.for %j = 0 to 9 {
    %x = affine.load %C[%i] : memref<64xf64>
    affine.store %x, %B[%i + %j] : memref<64xf64>
  }
}`, "cannot be interchanged: it has a dependence that would be turned around: affine.store (line 5) overwrites in iteration (1, 0) what perhaps affine.load (line 4) reads of %arg4"},
		{"may be the same", "loop-interchange{order=1,0 line=2}", `affine.for %i = 0 to 9 {
  affine.for %j = 0 to 9 {
    %x = affine.load %C[%i] : memref<64xf64>
    affine.store %x, %B[%j] : memref<64xf64>
  }
}`, "%arg4 may be the same memory as %arg3: arguments are apart where they are declared {llvm.noalias}"},
		{"an order of floats", "loop-interchange{order=1,0 line=3}", `%z = arith.constant 0.0 : f64
%s = affine.for %i = 0 to 9 iter_args(%a = %z) -> (f64) {
  %t = affine.for %j = 0 to 9 iter_args(%b = %a) -> (f64) {
    %x = affine.load %A[%i, %j] : memref<64x64xf64>
    %y = arith.addf %b, %x : f64
    affine.yield %y : f64
  }
  affine.yield %t : f64
}
affine.store %s, %B[0] : memref<64xf64>`, "it adds up floats in the order of its iterations: arith.addf (line 6) is not flagged fastmath<reassoc>"},
		{"a promise of integers", "loop-interchange{order=1,0 line=2}", `%s = affine.for %i = 0 to 9 iter_args(%a = %m) -> (i64) {
  %t = affine.for %j = 0 to 9 iter_args(%b = %a) -> (i64) {
    %x = affine.load %K[%i + %j] : memref<64xi64>
    %y = arith.addi %b, %x overflow<nsw> : i64
    affine.yield %y : i64
  }
  affine.yield %t : i64
}
affine.store %s, %K[0] : memref<64xi64>`, "it adds up in the order of its iterations: arith.addi (line 5) promises that no sum on the way wraps"},
		{"a recurrence", "loop-interchange{order=1,0 line=2}", `%s = affine.for %i = 0 to 9 iter_args(%a = %m) -> (i64) {
  %t = affine.for %j = 0 to 9 iter_args(%b = %a) -> (i64) {
    %x = affine.load %K[%i + %j] : memref<64xi64>
    %y = arith.subi %x, %b : i64
    affine.yield %y : i64
  }
  affine.yield %t : i64
}
affine.store %s, %K[0] : memref<64xi64>`, "it carries a value from each iteration to the next: arith.subi (line 5), in affine.for (line 3)"},
		{"something between", "loop-interchange{order=1,0 line=2}", `affine.for %i = 0 to 9 {
  %z = arith.constant 0.0 : f64
  affine.store %z, %B[%i] : memref<64xf64>
  affine.for %j = 0 to 9 {
    affine.store %z, %A[%i, %j] : memref<64x64xf64>
  }
}`, "cannot be interchanged: it has more in it than another loop: affine.store (line 4)"},
		{"one loop", "loop-interchange{order=1,0 line=2}", `affine.for %i = 0 to 9 {
  %z = arith.constant 0.0 : f64
  affine.store %z, %B[%i] : memref<64xf64>
}`, "cannot be interchanged: it has no loop in it, at line 2"},
		{"a call", "loop-interchange{order=1,0 line=2}", `affine.for %i = 0 to 9 {
  affine.for %j = 0 to 9 {
    func.call @g(%i) : (index) -> ()
  }
}`, "cannot be interchanged: it cannot be analysed: func.call does more than to access memory, at line 4"},
		{"an index that is computed", "loop-interchange{order=1,0 line=2}", `affine.for %i = 0 to 9 {
  affine.for %j = 0 to 9 {
    %k = affine.load %K[%i + %j] : memref<64xi64>
    %l = arith.index_cast %k : i64 to index
    %x = affine.load %A[%i, %j] : memref<64x64xf64>
    memref.store %x, %B[%l] : memref<64xf64>
  }
}`, "which element memref.store (line 7) accesses is not affine"},
		{"read between", "loop-interchange{order=1,0 line=2}", `affine.for %i = 0 to 9 {
  %x = affine.load %B[%i] : memref<64xf64>
  affine.for %j = 0 to 9 {
    %y = arith.addf %x, %x : f64
    affine.store %y, %B[%j] : memref<64xf64>
  }
}`, "it has affine.load (line 3) between its loops: affine.store (line 6) overwrites in iteration (0) what affine.load (line 3) reads of %arg3 in iteration (0), at distance (0)"},
		{"a tile across a dependence", "loop-tile{sizes=4,4 line=2}", `affine.for %i = 1 to 9 {
  affine.for %j = 0 to 9 {
    %x = affine.load %A[%i, %j] : memref<64x64xf64>
    affine.store %x, %A[%i - 1, %j + 1] : memref<64x64xf64>
  }
}`, "cannot be tiled: it has a dependence that goes backward in a loop: affine.store (line 5) overwrites in iteration (2, 0) what affine.load (line 4) reads of %arg2 in iteration (1, 1), at distance (1, -1)"},
		{"tiles of a triangle", "loop-tile{sizes=4,4 line=2}", `scf.for %i = %c0 to %c9 step %c1 {
  scf.for %j = %c0 to %i step %c1 {
    memref.store %m, %K[%j] : memref<64xi64>
  }
}`, "cannot be tiled: it has scf.for (line 3) in it, whose bounds are computed in scf.for (line 2)"},
		{"tiles of a triangle of which one loop is whole", "loop-tile{sizes=0,4 line=2}", `affine.for %i = 0 to 9 {
  affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
    affine.store %m, %K[%j] : memref<64xi64>
  }
}`, "cannot be tiled: it has bounds of affine.for (line 3) computed in affine.for (line 2), which is not cut into tiles"},
		{"a triangle with a floor", "loop-interchange{order=1,0 line=2}", `affine.for %i = 0 to 9 {
  affine.for %j = 0 to affine_map<(d0) -> (d0 floordiv 2)>(%i) {
    affine.store %m, %K[%j] : memref<64xi64>
  }
}`, "cannot be interchanged: it has affine.for (line 3) in it, whose bounds are computed in affine.for (line 2)"},
		{"one size", "loop-tile{sizes=4}", "", "sizes=4 is that of one loop, and a tile is of a nest of two to"},
		{"one size for a loop that is chosen", "loop-tile{sizes=4 line=2}", "", "strip-mine{size=4} cuts one loop"},
		{"a size", "loop-tile{sizes=4,-1}", "", "sizes=4,-1: -1 is not between 0 and 1048576"},
		{"a reversed recurrence", "loop-reverse{line=2}", `affine.for %i = 1 to 9 {
  %x = affine.load %K[%i - 1] : memref<64xi64>
  affine.store %x, %K[%i] : memref<64xi64>
}`, "cannot be reversed: it carries a dependence: affine.load (line 3) reads in iteration (2) what affine.store (line 4) writes of %arg5 in iteration (1), at distance (1)"},
		{"an order of stores", "loop-reverse{line=2}", `affine.for %i = 0 to 9 {
  affine.store %m, %K[%i floordiv 2] : memref<64xi64>
  affine.store %m, %K[0] : memref<64xi64>
}`, "carries a dependence: affine.store (line 3) overwrites in iteration (1) what affine.store (line 3) writes of %arg5 in iteration (0)"},
		{"a step", "loop-reverse{line=2}", `scf.for %i = %c0 to %c9 step %n {
  memref.store %m, %K[%i] : memref<64xi64>
}`, "cannot be reversed: it has a step that is no positive number: scf.for (line 2)"},
		{"too far to skew", "loop-skew{line=2}", `affine.for %i = 1 to 9 {
  affine.for %j = 0 to 9 {
    %x = affine.load %K[%j + symbol(%n)] : memref<64xi64>
    affine.store %x, %K[%j] : memref<64xi64>
  }
}`, "cannot be skewed: it has a dependence backward in the inner loop whose distance is not constant: affine.store (line 5)"},
		{"nothing to peel", "loop-peel{line=2}", `affine.for %i = 1 to 9 {
  affine.store %m, %K[%i] : memref<64xi64>
}`, "cannot be peeled: it has a step of 1, of which nothing is ever left"},
		{"two ends", "loop-peel{front=1 back=1}", "", "front=1 and back=1: one at a time"},
		{"indices of two types", "loop-collapse{line=2}", `scf.for %i = %l0 to %m step %l1 : i64 {
  scf.for %j = %c0 to %c9 step %c1 {
    memref.store %a0, %B[%j] : memref<64xf64>
  }
}`, "cannot be collapsed: it counts in 'index', and the loop around it in 'i64'"},
		{"one loop to collapse", "loop-collapse{line=2}", `affine.for %i = 1 to 9 {
  affine.store %m, %K[%i] : memref<64xi64>
}`, "cannot be collapsed: it has no loop in it, at line 2"},
		{"a depth", "loop-collapse{depth=1}", "", "depth=1 is not between 2 and 6"},
		{"integers of 32 bits", "strip-mine{size=4 line=2}", `scf.for %i = %d0 to %d9 step %d1 : i32 {
  memref.store %m, %K[%c0] : memref<64xi64>
}`, "cannot be cut into strips: it counts in integers of 32 bits: scf.for (line 2)"},
		{"a strip of one", "strip-mine{size=1}", "", "size=1 is not between 2 and 1048576"},
		{"jammed across a dependence", "unroll-and-jam{factor=4 line=2}", `affine.for %i = 1 to 9 {
  affine.for %j = 0 to 9 {
    %x = affine.load %A[%i - 1, %j + 1] : memref<64x64xf64>
    affine.store %x, %A[%i, %j] : memref<64x64xf64>
  }
}`, "cannot be unrolled and jammed: it has a dependence between iterations that would be done at once: affine.load (line 4) reads in iteration (2, 0) what affine.store (line 5) writes of %arg2 in iteration (1, 1), at distance (1, -1)"},
		{"jammed across parts", "unroll-and-jam{factor=2 line=2}", `affine.for %i = 1 to 9 {
  affine.store %m, %K[0] : memref<64xi64>
  affine.for %j = 0 to 9 {
    %x = affine.load %K[0] : memref<64xi64>
    affine.store %x, %K[%i + %j] : memref<64xi64>
  }
}`, "has a dependence between iterations that would be done at once: affine.store (line 3) overwrites in iteration (2) what affine.load (line 5) reads of %arg5 in iteration (1)"},
		{"an update around what is jammed", "unroll-and-jam{factor=2 line=3}", `%q = arith.sitofp %m : i64 to f64
affine.for %i = 1 to 9 {
  %x = affine.load %K[0] : memref<64xi64>
  affine.for %j = 0 to 9 {
    affine.store %q, %A[%i, %j] : memref<64x64xf64>
  }
  %y = arith.addi %x, %m : i64
  affine.store %y, %K[0] : memref<64xi64>
}`, "has a dependence between iterations that would be done at once: affine.load (line 4) reads in iteration (2) what affine.store (line 9) writes of %arg5 in iteration (1)"},
		{"a triangle jammed", "unroll-and-jam{factor=2 line=2}", `affine.for %i = 0 to 9 {
  affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
    affine.store %m, %K[%j] : memref<64xi64>
  }
}`, "cannot be unrolled and jammed: it has affine.for (line 3) in it, whose bounds are computed in it"},
		{"a sum jammed", "unroll-and-jam{factor=2 line=2}", `%s = affine.for %i = 0 to 9 iter_args(%a = %m) -> (i64) {
  affine.for %j = 0 to 9 {
    affine.store %m, %K[%j] : memref<64xi64>
  }
  %b = arith.addi %a, %m : i64
  affine.yield %b : i64
}
affine.store %s, %K[0] : memref<64xi64>`, "cannot be unrolled and jammed: it carries a value from each iteration to the next"},
		{"no loop to jam", "unroll-and-jam{factor=2 line=2}", `affine.for %i = 0 to 9 {
  affine.store %m, %K[%i] : memref<64xi64>
}`, "cannot be unrolled and jammed: it has no loop in it"},
		{"a factor of one", "unroll-and-jam{factor=1}", "", "factor=1 is not between 2 and 64"},
		{"fused across a dependence", "loop-fuse{line=2}", `affine.for %i = 0 to 9 {
  affine.store %m, %K[%i] : memref<64xi64>
}
affine.for %j = 0 to 9 {
  %x = affine.load %K[%j + 1] : memref<64xi64>
  affine.store %x, %K[%j + 20] : memref<64xi64>
}`, "cannot be fused: it has a dependence that would be turned around: affine.load (line 6) reads in iteration (0) what affine.store (line 3) writes of %arg5 in iteration (1), at distance (-1)"},
		{"a value between", "loop-fuse{line=2}", `%s = affine.for %i = 0 to 9 iter_args(%a = %m) -> (i64) {
  %b = affine.load %K[%i] : memref<64xi64>
  %c = arith.addi %a, %b : i64
  affine.yield %c : i64
}
affine.for %j = 0 to 9 {
  affine.store %s, %K[%j] : memref<64xi64>
}`, "cannot be fused: it gives a value that affine.for (line 7) needs"},
		{"a store between", "loop-fuse{line=2}", `affine.for %i = 0 to 9 {
  affine.store %m, %K[%i] : memref<64xi64>
}
%b = affine.load %K[3] : memref<64xi64>
%c = arith.addi %b, %b : i64
affine.for %j = 0 to 9 {
  affine.store %c, %K[%j + 20] : memref<64xi64>
}`, "cannot be fused: it gives what is needed between it and affine.for (line 7), or what stands there is needed by that"},
		{"other bounds", "loop-fuse{line=2}", `affine.for %i = 0 to 9 {
  affine.store %m, %K[%i] : memref<64xi64>
}
affine.for %i = 0 to 8 {
  affine.store %m, %K[%i + 20] : memref<64xi64>
}`, "cannot be fused: it has no loop of the same bounds behind it"},
		{"a circle", "loop-distribute{line=2}", `affine.for %i = 1 to 9 {
  %a = affine.load %K[%i - 1] : memref<64xi64>
  affine.store %a, %K[%i + 20] : memref<64xi64>
  %b = affine.load %K[%i + 19] : memref<64xi64>
  affine.store %b, %K[%i] : memref<64xi64>
}`, "cannot be distributed: it does what hangs together: affine.load (line 3) reads in iteration (2) what affine.store (line 6) writes of %arg5 in iteration (1), at distance (1)"},
		{"a value in a circle", "loop-distribute{line=2}", `affine.for %i = 0 to 9 {
  %s = affine.for %j = 0 to 9 iter_args(%a = %m) -> (i64) {
    affine.store %a, %K[%j] : memref<64xi64>
    %b = arith.addi %a, %a : i64
    affine.yield %b : i64
  }
  affine.store %s, %K[%i + 20] : memref<64xi64>
}`, "cannot be distributed: it does what hangs together: affine.store (line 8) needs what affine.for (line 3) gives"},
		{"one store", "loop-distribute{line=2}", `affine.for %i = 0 to 9 {
  affine.store %m, %K[%i] : memref<64xi64>
}`, "cannot be distributed: it does no more than one thing"},
		{"no line", "loop-interchange{line=7}", `affine.for %i = 0 to 9 {
}`, "no loop begins on line 7"},
		{"no label", "loop-interchange{label=a}", `affine.for %i = 0 to 9 {
}`, `no loop has the label "a"`},
		{"no function", "loop-interchange{in=h}", "", "there is no function @h"},
		{"no order", "loop-interchange{order=1,1}", "", "order=1,1 is no order of two to six loops: 1,0 exchanges two"},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := run(t, body(x.nest)+"\nfunc.func private @g(index)", x.pass); !strings.Contains(got, x.want) {
				t.Errorf("got  %s\nwant %s", got, x.want)
			}
		})
	}
}
