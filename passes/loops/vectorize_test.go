package loops_test

import (
	"fmt"
	"github.com/irc-lang/irc/ir/target"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
	"github.com/irc-lang/irc/tests/built"
)

// What becomes vectors, and how it is written.
func TestVectors(t *testing.T) {
	for _, x := range []struct {
		name, nest string
		want       []string
	}{
		{"backward", `affine.for %i = 0 to 40 {
  %x = affine.load %A[3, 50 - %i] : memref<64x64xf64>
  affine.store %x, %B[45 - %i] : memref<64xf64>
}`, []string{"vector.load %arg2[%c3", "vector.shuffle", "[3, 2, 1, 0]", "vector.store"}},
		{"strides and what is the same", `affine.for %i = 0 to 16 {
  %x = affine.load %A[3, 2 * %i] : memref<64x64xf64>
  %y = affine.load %A[4, 5] : memref<64x64xf64>
  %z = arith.addf %x, %y : f64
  affine.store %z, %B[%i * 3] : memref<64xf64>
}`, []string{"vector.gather %arg2[%c3, %", "dense<[0, 2, 4, 6]>", "affine.load %arg2[4, 5]", "vector.broadcast", "vector.scatter %arg3", "dense<[0, 3, 6, 9]>"}},
		{"columns", `affine.for %i = 0 to 16 {
  %x = affine.load %A[%i, 3] : memref<64x64xf64>
  affine.store %x, %B[%i] : memref<64xf64>
}`, []string{"memref.load %arg2[", "vector.insert", "vector.store"}},
		{"an index that is loaded", `scf.for %i = %c0 to %c9 step %c1 {
  %k = memref.load %K[%i] : memref<64xi64>
  %j = arith.index_cast %k : i64 to index
  %x = memref.load %B[%j] : memref<64xf64>
  memref.store %x, %A[%c1, %i] : memref<64x64xf64>
}`, []string{"arith.index_cast %3 : vector<4xi64> to vector<4xindex>", "vector.gather %arg3[%c0] [%4]"}},
		{"several sums", `%s:3 = affine.for %i = 0 to 64 iter_args(%a = %m, %b = %m, %c = %m) -> (i64, i64, i64) {
  %x = affine.load %K[%i] : memref<64xi64>
  %y = arith.addi %a, %x : i64
  %z = arith.maxsi %b, %x : i64
  %w = arith.xori %c, %x : i64
  affine.yield %y, %z, %w : i64, i64, i64
}
affine.store %s#0, %K[0] : memref<64xi64>
affine.store %s#1, %K[1] : memref<64xi64>
affine.store %s#2, %K[2] : memref<64xi64>`, []string{"vector.reduction <add>", "vector.reduction <maxsi>", "vector.reduction <xor>", "dense<-9223372036854775808> : vector<4xi64>"}},
		{"a condition", `scf.for %i = %c0 to %n step %c1 {
  %x = memref.load %K[%i] : memref<64xi64>
  %p = arith.cmpi sgt, %x, %m : i64
  scf.if %p {
    %y = memref.load %B[%i] : memref<64xf64>
    memref.store %y, %A[%c0, %i] : memref<64x64xf64>
  }
}`, []string{"vector.maskedload %arg3", "vector.maskedstore %arg2"}},
		{"a conditional with results, and a quotient in it", `scf.for %i = %c0 to %n step %c1 {
  %x = memref.load %K[%i] : memref<64xi64>
  %p = arith.cmpi ne, %x, %m : i64
  %r = scf.if %p -> (i64) {
    %d = arith.subi %x, %m : i64
    %q = arith.divsi %m, %d : i64
    scf.yield %q : i64
  } else {
    scf.yield %x : i64
  }
  memref.store %r, %K[%i] : memref<64xi64>
}`, []string{"dense<1> : vector<4xi64>", "arith.divsi", "arith.select"}},
		{"a condition on the index", `affine.for %i = 0 to 64 {
  affine.if affine_set<(d0) : (d0 - 7 >= 0, 40 - d0 >= 0)>(%i) {
    %x = affine.load %B[%i - 7] : memref<64xf64>
    affine.store %x, %A[0, %i] : memref<64x64xf64>
  }
}`, []string{"vector.maskedload %arg3", "vector.maskedstore %arg2"}},
		{"an inner loop", `affine.for %i = 0 to 64 {
  %z = arith.constant 0.0 : f64
  %s = affine.for %j = 0 to 64 iter_args(%a = %z) -> (f64) {
    %x = affine.load %A[%j, %i] : memref<64x64xf64>
    %y = arith.addf %a, %x : f64
    affine.yield %y : f64
  }
  affine.store %s, %B[%i] : memref<64xf64>
}`, []string{"iter_args(%arg8 = %cst) -> (vector<4xf64>)", "vector.load %arg2[%arg7, %arg6]"}},
		{"a loop that ends", `scf.for %i = %c0 to %n step %c1 {
  %x = memref.load %K[%i] : memref<64xi64>
  %r:2 = scf.while (%y = %x, %k = %c0) : (i64, index) -> (i64, index) {
    %p = arith.cmpi sgt, %y, %m : i64
    scf.condition(%p) %y, %k : i64, index
  } do {
  ^bb0(%y: i64, %k: index):
    %z = arith.subi %y, %m : i64
    %l = arith.addi %k, %c1 : index
    scf.yield %z, %l : i64, index
  }
  %q = arith.index_cast %r#1 : index to i64
  memref.store %q, %K[%i] : memref<64xi64>
}`, []string{"scf.while", "vector.reduction <or>", ": (vector<4xi64>, index, vector<4xi1>, vector<4xindex>)"}},
		{"a sum of what is before", `%s = affine.for %i = 0 to 64 iter_args(%a = %m) -> (i64) {
  %x = affine.load %K[%i] : memref<64xi64>
  %y = arith.addi %a, %x : i64
  affine.store %y, %K[%i] : memref<64xi64>
  affine.yield %y : i64
}`, []string{"vector.shuffle %2, %cst [4, 0, 1, 2]", "vector.shuffle %4, %cst [4, 5, 0, 1]", "[3, 3, 3, 3]"}},
		{"a filter", `%s = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0) -> (index) {
  %x = memref.load %B[%i] : memref<64xf64>
  %z = arith.constant 0.5 : f64
  %p = arith.cmpf olt, %x, %z : f64
  %t = scf.if %p -> (index) {
    scf.yield %k : index
  } else {
    %l = arith.addi %k, %c1 : index
    memref.store %x, %A[%c1, %k] : memref<64x64xf64>
    scf.yield %l : index
  }
  scf.yield %t : index
}
memref.store %m, %K[%s] : memref<64xi64>`, []string{"vector.compressstore %arg2[%c1, %arg7]", "vector.reduction <add>"}},
		{"a later iteration's element, which is read first", `affine.for %i = 0 to 40 {
  %x = affine.load %B[%i + 1] : memref<64xf64>
  affine.store %x, %B[%i] : memref<64xf64>
}`, []string{"vector.load", "vector.store"}},
		{"a dependence that is farther than the lanes", `affine.for %i = 0 to 40 {
  %x = affine.load %B[%i] : memref<64xf64>
  affine.store %x, %B[%i + 4] : memref<64xf64>
}`, []string{"vector.load", "vector.store"}},
	} {
		got := run(t, body(x.nest), "vectorize{width=4 outer}")
		for _, want := range x.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s:\n%s\nwant %s", x.name, got, want)
			}
		}
	}
}

// What does not become vectors, and why.
func TestNoVectors(t *testing.T) {
	for _, x := range []struct{ name, pass, nest, want string }{
		{"a value of the iteration before", "vectorize{line=2}", `affine.for %i = 1 to 9 {
  %x = affine.load %C[%i - 1] : memref<64xf64>
  affine.store %x, %C[%i] : memref<64xf64>
}`, "'affine.for' op does not become vectors: it has a dependence that lanes would turn around: affine.load (line 3) reads in iteration (2) what affine.store (line 4) writes of %arg4 in iteration (1), at distance (1)"},
		{"a value of some iterations before, of more lanes", "vectorize{line=2 width=8}", `affine.for %i = 0 to 40 {
  %x = affine.load %B[%i] : memref<64xf64>
  affine.store %x, %B[%i + 4] : memref<64xf64>
}`, "affine.load (line 3) reads in iteration (4) what affine.store (line 4) writes of %arg3 in iteration (0), at distance (4)"},
		{"a histogram", "vectorize{line=2}", `scf.for %i = %c0 to %c9 step %c1 {
  %k = memref.load %K[%i] : memref<64xi64>
  %j = arith.index_cast %k : i64 to index
  %x = memref.load %C[%j] : memref<64xf64>
  %y = arith.addf %x, %x : f64
  memref.store %y, %C[%j] : memref<64xf64>
}`, "has a dependence that lanes would turn around: memref.load (line 5) reads in iteration (1) what perhaps memref.store (line 7) writes of %arg4 in iteration (0), at distance (+); which element memref.store (line 7) accesses is not affine"},
		{"memory that may be the same", "vectorize{line=2}", `affine.for %i = 0 to 9 {
  %x = affine.load %B[%i] : memref<64xf64>
  affine.store %x, %C[%i] : memref<64xf64>
}`, "%arg4 may be the same memory as %arg3: arguments are apart where they are declared {llvm.noalias}"},
		{"a sum of floats", "vectorize{line=3}", `%z = arith.constant 0.0 : f64
%s = affine.for %i = 0 to 9 iter_args(%a = %z) -> (f64) {
  %x = affine.load %C[%i] : memref<64xf64>
  %y = arith.addf %a, %x : f64
  affine.yield %y : f64
}
affine.store %s, %B[0] : memref<64xf64>`, "'affine.for' op does not become vectors: it adds up floats in the order of its iterations: arith.addf (line 5) is not flagged fastmath<reassoc>"},
		{"a sum that does not wrap", "vectorize{line=2}", `%s = affine.for %i = 0 to 9 iter_args(%a = %m) -> (i64) {
  %x = affine.load %K[%i] : memref<64xi64>
  %y = arith.addi %a, %x overflow<nsw> : i64
  affine.yield %y : i64
}
affine.store %s, %K[0] : memref<64xi64>`, "it adds up in the order of its iterations: arith.addi (line 4) promises that no sum on the way wraps"},
		{"a recurrence", "vectorize{line=2}", `%s = affine.for %i = 0 to 9 iter_args(%a = %m) -> (i64) {
  %x = affine.load %K[%i] : memref<64xi64>
  %y = arith.subi %x, %a : i64
  affine.yield %y : i64
}
affine.store %s, %K[0] : memref<64xi64>`, "it carries a value from each iteration to the next: arith.subi (line 4), in affine.for (line 2)"},
		{"an outer loop that goes the other way", "vectorize{line=2}", `affine.for %i = 0 to 9 {
  affine.for %j = 1 to 9 {
    %x = affine.load %A[%i, %j] : memref<64x64xf64>
    affine.store %x, %A[%i + 1, %j - 1] : memref<64x64xf64>
  }
}`, "it has a dependence that lanes would turn around: affine.load (line 4) reads in iteration (1, 1) what affine.store (line 5) writes of %arg2 in iteration (0, 2), at distance (1, -1)"},
		{"a triangle", "vectorize{line=2}", `affine.for %i = 0 to 9 {
  affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
    %x = affine.load %A[%i, %j] : memref<64x64xf64>
    affine.store %x, %A[%i, %j + 30] : memref<64x64xf64>
  }
}`, "'affine.for' op does not become vectors: it has affine.for (line 3) in it, which runs from or to where the index of the outer loop says"},
		{"something that is printed", "vectorize{line=2}", `affine.for %i = 0 to 9 {
  special.print %i : index
}`, "'affine.for' op does not become vectors: it has special.print (line 3) in it, which does what no vector does"},
		{"a running sum of floats", "vectorize{line=3}", `%z = arith.constant 0.0 : f64
%s = affine.for %i = 0 to 9 iter_args(%a = %z) -> (f64) {
  %x = affine.load %B[%i] : memref<64xf64>
  %y = arith.addf %a, %x : f64
  affine.store %y, %B[%i] : memref<64xf64>
  affine.yield %y : f64
}`, "it adds up floats in the order of its iterations: arith.addf (line 5) is not flagged fastmath<reassoc>"},
		{"a count that is stored", "vectorize{line=2}", `%s = scf.for %i = %c0 to %c9 step %c1 iter_args(%k = %c0) -> (index) {
  %x = memref.load %K[%i] : memref<64xi64>
  %p = arith.cmpi sgt, %x, %m : i64
  %j = arith.index_cast %k : index to i64
  memref.store %j, %K[%i] : memref<64xi64>
  %l = arith.addi %k, %c1 : index
  %t = arith.select %p, %l, %k : index
  scf.yield %t : index
}`, "it carries a value from each iteration to the next, which arith.index_cast (line 5) uses too, in scf.for (line 2)"},
		{"a sum that decides what is added", "vectorize{line=2}", `%s = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %m) -> (i64) {
  %x = memref.load %K[%i] : memref<64xi64>
  %p = arith.cmpi sgt, %x, %a : i64
  %y = arith.addi %a, %x : i64
  %t = arith.select %p, %y, %a : i64
  scf.yield %t : i64
}
memref.store %s, %K[%c0] : memref<64xi64>`, "it carries a value from each iteration to the next: arith.select (line 6), in scf.for (line 2)"},
		{"a sum or a product", "vectorize{line=2}", `%s = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %m) -> (i64) {
  %x = memref.load %K[%i] : memref<64xi64>
  %p = arith.cmpi sgt, %x, %m : i64
  %y = arith.addi %a, %x : i64
  %z = arith.muli %a, %x : i64
  %t = arith.select %p, %y, %z : i64
  scf.yield %t : i64
}
memref.store %s, %K[%c0] : memref<64xi64>`, "it carries a value from each iteration to the next: arith.muli (line 6), in scf.for (line 2)"},
		{"sums that change places", "vectorize{line=2}", `%s:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %m, %b = %m) -> (i64, i64) {
  %x = memref.load %K[%i] : memref<64xi64>
  %p = arith.cmpi sgt, %x, %m : i64
  %t:2 = scf.if %p -> (i64, i64) {
    %y = arith.addi %a, %x : i64
    scf.yield %y, %b : i64, i64
  } else {
    scf.yield %b, %a : i64, i64
  }
  scf.yield %t#0, %t#1 : i64, i64
}
memref.store %s#0, %K[%c0] : memref<64xi64>
memref.store %s#1, %K[%c1] : memref<64xi64>`, "it carries a value from each iteration to the next: another one that it carries, in scf.for (line 2)"},
		{"what an iteration added", "vectorize{line=2}", `%s = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %m) -> (i64) {
  %x = memref.load %K[%i] : memref<64xi64>
  %p = arith.cmpi sgt, %x, %m : i64
  %t = scf.if %p -> (i64) {
    %y = arith.addi %a, %x : i64
    memref.store %y, %K[%i] : memref<64xi64>
    scf.yield %y : i64
  } else {
    scf.yield %a : i64
  }
  scf.yield %t : i64
}
memref.store %s, %K[%c0] : memref<64xi64>`, "it carries a value from each iteration to the next, which memref.store (line 7) uses too, in scf.for (line 2)"},
		{"a sum that a conditional gives twice", "vectorize{line=2}", `%s = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %m) -> (i64) {
  %x = memref.load %K[%i] : memref<64xi64>
  %p = arith.cmpi sgt, %x, %m : i64
  %t:2 = scf.if %p -> (i64, i64) {
    %y = arith.addi %a, %x : i64
    scf.yield %y, %y : i64, i64
  } else {
    scf.yield %a, %x : i64, i64
  }
  memref.store %t#1, %K[%i] : memref<64xi64>
  scf.yield %t#0 : i64
}
memref.store %s, %K[%c0] : memref<64xi64>`, "it carries a value from each iteration to the next, which scf.yield (line 7) uses too, in scf.for (line 2)"},
		{"few iterations", "vectorize", `affine.for %i = 0 to 3 {
  affine.store %m, %K[%i] : memref<64xi64>
}`, "affine.store %arg1, %arg5[%arg6]"},
		{"a row of options", "vectorize{rest=some}", ``, "rest=some is neither loop nor mask"},
		{"a step that is not known", "vectorize{line=2}", `scf.for %i = %c0 to %c9 step %n {
  memref.store %m, %K[%i] : memref<64xi64>
}`, "it has a step that is no positive number: scf.for (line 2)"},
		{"no loop there", "vectorize{line=7}", `affine.for %i = 0 to 9 {
}`, "no loop begins on line 7"},
		{"a width that is none", "vectorize{width=1}", ``, "width=1 is not between 2 and 256"},
	} {
		if got := run(t, body(x.nest), x.pass); !strings.Contains(got, x.want) {
			t.Errorf("%s:\n%s\nwant %s", x.name, got, x.want)
		}
	}
}

// In the lowering pipeline LLVM has the loops of which it makes vectors as well, and the others become vectors here.
func TestBeyondLLVM(t *testing.T) {
	const left = "memref.load"
	wide := *target.Host()
	wide.Vector = 64 // what pays depends on it
	for _, x := range []struct{ name, nest, want string }{
		{"a sum", `%s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m) -> (i64) {
  %x = memref.load %K[%i] : memref<64xi64>
  %y = arith.addi %a, %x : i64
  scf.yield %y : i64
}
memref.store %s, %K[%c0] : memref<64xi64>`, left},
		{"rows times a list", `scf.for %i = %c0 to %n step %c1 {
  %z = arith.constant 0.0 : f64
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %z) -> (f64) {
    %x = memref.load %A[%i, %j] : memref<64x64xf64>
    %y = arith.addf %a, %x fastmath<reassoc> : f64
    scf.yield %y : f64
  }
  memref.store %s, %C[%i] : memref<64xf64>
}`, left},
		{"rows that are summed up in memory", `scf.for %i = %c0 to %n step %c1 {
  scf.for %j = %c0 to %n step %c1 {
    %x = memref.load %A[%i, %j] : memref<64x64xf64>
    %y = memref.load %C[%i] : memref<64xf64>
    %z = arith.addf %x, %y fastmath<reassoc> : f64
    memref.store %z, %C[%i] : memref<64xf64>
  }
}`, left},
		{"parallel columns", `scf.parallel (%j) = (%c0) to (%n) step (%c1) {
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %A[%i, %j] : memref<64x64xf64>
    %y = memref.load %C[%j] : memref<64xf64>
    %z = arith.addf %x, %y : f64
    memref.store %z, %C[%j] : memref<64xf64>
  }
}`, "vector.load %arg2[%arg7, %arg6]"},
		{"columns", `scf.for %j = %c0 to %n step %c1 {
  %z = arith.constant 0.0 : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (f64) {
    %x = memref.load %A[%i, %j] : memref<64x64xf64>
    %y = arith.addf %a, %x : f64
    scf.yield %y : f64
  }
  memref.store %s, %C[%j] : memref<64xf64>
}`, "vector.load %arg2[%arg7, %arg6]"},
		{"a short sum", `%z = arith.constant 0.0 : f64
%n14 = arith.constant 14 : index
%s = scf.for %i = %c1 to %n14 step %c1 iter_args(%a = %z) -> (f64) {
  %j = arith.subi %i, %c1 : index
  %x = memref.load %C[%i] : memref<64xf64>
  %y = memref.load %C[%j] : memref<64xf64>
  %w = arith.mulf %x, %y : f64
  %t = arith.subf %a, %w fastmath<reassoc> : f64
  scf.yield %t : f64
}
memref.store %s, %C[%c0] : memref<64xf64>`, "vector<4xf64>"},
		{"a short sum of functions", `%z = arith.constant 0.0 : f64
%n14 = arith.constant 14 : index
%s = scf.for %i = %c1 to %n14 step %c1 iter_args(%a = %z) -> (f64) {
  %x = memref.load %C[%i] : memref<64xf64>
  %w = math.log %x : f64
  %t = arith.addf %a, %w fastmath<reassoc> : f64
  scf.yield %t : f64
}
memref.store %s, %C[%c0] : memref<64xf64>`, left},
		{"a sum", `%z = arith.constant 0.0 : f64
%n17 = arith.constant 17 : index
%s = scf.for %i = %c0 to %n17 step %c1 iter_args(%a = %z) -> (f64) {
  %x = memref.load %C[%i] : memref<64xf64>
  %t = arith.addf %a, %x fastmath<reassoc> : f64
  scf.yield %t : f64
}
memref.store %s, %C[%c0] : memref<64xf64>`, left},
		{"a running sum", `%s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m) -> (i64) {
  %x = memref.load %K[%i] : memref<64xi64>
  %y = arith.addi %a, %x : i64
  memref.store %y, %K[%i] : memref<64xi64>
  scf.yield %y : i64
}`, "vector.load"},
	} {
		got := runOn(t, &wide, body(x.nest), "vectorize{beyond-llvm}")
		if !strings.Contains(got, x.want) || x.want == left && strings.Contains(got, "vector.") {
			t.Errorf("%s:\n%s\nwant %s", x.name, got, x.want)
		}
	}
}

// What a loop takes from what it carries is a sum of its negatives; what it carries is not one if it is taken from something.
func TestVectorsOfDifferences(t *testing.T) {
	const src = `func.func @f(%%x: memref<13xf64>, %%y: memref<1xf64>) {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%n = arith.constant 13 : index
  %%z = arith.constant 3.0 : f64
  %%r = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%a = %%z) -> (f64) {
    %%v = memref.load %%x[%%i] : memref<13xf64>
    %%p = arith.cmpf ogt, %%v, %%z : f64
    %%d = arith.subf %s fastmath<reassoc> : f64
    %%e = arith.select %%p, %%d, %%a : f64
    scf.yield %%e : f64
  }
  memref.store %%r, %%y[%%c0] : memref<1xf64>
  return
}
`
	g := built.Parse(t, fmt.Sprintf(src, "%a, %v"), text.Options{})
	const args = "[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], [0]]"
	for _, q := range []string{"vectorize{width=4 rest=loop}", "vectorize{width=4 rest=mask}", "vectorize{width=8 rest=mask}"} {
		in := built.Through(t, g, q)
		if !strings.Contains(text.String(in, text.PrintOptions{}), "vector.reduction <add>") {
			t.Errorf("%s makes no vectors:\n%s", q, text.String(in, text.PrintOptions{}))
		}
		if want, got := built.After(t, g, "f", args), built.After(t, in, "f", args); got != want {
			t.Errorf("%s: got %s, want %s", q, got, want)
		}
	}
	g = built.Parse(t, fmt.Sprintf(src, "%v, %a"), text.Options{})
	if in := built.Through(t, g, "vectorize{width=4}"); fixpoint.Fingerprint(in) != fixpoint.Fingerprint(g) {
		t.Errorf("alternating signs became vectors:\n%s", text.String(in, text.PrintOptions{}))
	}
}
