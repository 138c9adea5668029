package loops_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/race"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
	"github.com/irc-lang/irc/tests/built"
)

// What parallelize makes of random loops computes what they did, and has no race.
func TestParallelizeHasNoRaces(t *testing.T) {
	const most = 300
	check := func(p *built.RandomNest) bool {
		q := []string{"parallelize{rounds=1 work=1}", "parallelize{rounds=1 work=1 reduce=false}", "lower-affine,parallelize{rounds=1 work=1}",
			"vectorize{width=2},parallelize{rounds=1 work=1}"}[p.Seed%4]
		g := built.Through(t, p.Graph, q)
		if fixpoint.Fingerprint(g) == fixpoint.Fingerprint(p.Graph) {
			return false
		}
		c := race.New(memref.IsAtomic)
		p.SameWith(t, g, q, interp.Options{Watch: c, Wrap: c.Wrap})
		return true
	}
	for name, each := range map[string]func(*testing.T, int, uint64, func(*built.RandomNest) bool) int{"loops": built.EachLoops, "lanes": built.EachLanes} {
		changed := each(t, most, 0, check)
		if t.Logf("%d of %d %s are changed", changed, most, name); changed < most/4 {
			t.Errorf("only %d of %d %s are changed", changed, most, name)
		}
	}
}

// A sum over a nest is a reduction of its outermost loop.
func TestParallelSum(t *testing.T) {
	got := run(t, body(`%s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m) -> (i64) {
  %t = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (i64) {
    %x = memref.load %K[%j] : memref<64xi64>
    %y = arith.addi %b, %x : i64
    scf.yield %y : i64
  }
  scf.yield %t : i64
}
memref.store %s, %K[%c0] : memref<64xi64>`), "parallelize")
	for _, want := range []string{"scf.parallel (%arg6) = (%c0) to (%arg0) step (%c1) init (%arg1) -> i64 {", "scf.for %arg7 = %c0 to %arg0 step %c1 iter_args(%arg8 = %c0_i64) -> (i64)", "scf.reduce(%1 : i64)"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// Vectors of iterations are boxes of memory: side by side they leave a loop parallel, and not where they reach into one another.
func TestParallelVectors(t *testing.T) {
	const box, store = "%x = arith.constant dense<1.0> : vector<4x2xf64>\nvector.transfer_write %x, %A[%i, %j] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x2xf64>, memref<64x64xf64>", "vector.store %x, %C[%i] : memref<64xf64>, vector<8xf64>"
	const masked = "vector.maskedstore %C[%i], %mask, %x : memref<64xf64>, vector<8xi1>, vector<8xf64>"
	const masks = "%mask = vector.create_mask %n : vector<8xi1>\n%x = arith.constant dense<1.0> : vector<8xf64>\n"
	for _, x := range []struct {
		nest     string
		parallel bool
	}{
		{masks + "affine.for %i = 0 to 50 step 8 {\n" + store + "\n}", true},
		{masks + "affine.for %i = 0 to 50 step 7 {\n" + store + "\n}", false},
		{masks + "affine.for %i = 0 to 50 step 8 {\n" + masked + "\n}", true},
		{masks + "affine.for %i = 0 to 50 step 4 {\n" + masked + "\n}", false},
		// a box of two rows by four columns
		{"%j = arith.constant 0 : index\n%w = arith.constant 0.0 : f64\naffine.for %i = 0 to 50 step 2 {\n" + box + "\naffine.store %w, %A[%i + 1, 3] : memref<64x64xf64>\n}", true},
		{"%j = arith.constant 0 : index\n%w = arith.constant 0.0 : f64\naffine.for %i = 0 to 50 step 2 {\n" + box + "\naffine.store %w, %A[%i + 2, 3] : memref<64x64xf64>\n}", false},
		{"%j = arith.constant 0 : index\n%w = arith.constant 0.0 : f64\naffine.for %i = 0 to 50 step 2 {\n" + box + "\naffine.store %w, %A[%i + 2, 4] : memref<64x64xf64>\n}", true},
	} {
		if got := run(t, body(x.nest), "parallelize{rounds=1 work=1}"); strings.Contains(got, "affine.parallel") != x.parallel {
			t.Errorf("parallel is %t of\n%s", !x.parallel, got)
		}
	}
}

// What is not parallel, and why.
func TestNotParallel(t *testing.T) {
	for _, x := range []struct{ name, pass, nest, want string }{
		{"a value of the iteration before", "parallelize{line=2}", `affine.for %i = 1 to 9 {
  %x = affine.load %C[%i - 1] : memref<64xf64>
  affine.store %x, %C[%i] : memref<64xf64>
}`, "'affine.for' op is not parallel: it carries a dependence: affine.load (line 3) reads in iteration (2) what affine.store (line 4) writes of %arg4 in iteration (1), at distance (1)"},
		{"a value that the next one overwrites", "parallelize{line=2}", `affine.for %i = 0 to 9 {
  %x = affine.load %C[%i + 1] : memref<64xf64>
  affine.store %x, %C[%i] : memref<64xf64>
}`, "'affine.for' op is not parallel: it carries a dependence: affine.store (line 4) overwrites in iteration (1) what affine.load (line 3) reads of %arg4 in iteration (0), at distance (1)"},
		{"one element for all", "parallelize{line=2}", `affine.for %i = 0 to 9 {
  affine.store %m, %K[3] : memref<64xi64>
}`, "'affine.for' op is not parallel: it carries a dependence: affine.store (line 3) overwrites in iteration (1) what affine.store (line 3) writes of %arg5 in iteration (0), at distance (+)"},
		{"a sum in memory", "parallelize{line=2}", `affine.for %i = 0 to 9 {
  %x = affine.load %K[0] : memref<64xi64>
  %y = arith.addi %x, %m : i64
  affine.store %y, %K[0] : memref<64xi64>
}`, "'affine.for' op is not parallel: it carries a dependence: affine.store (line 5) overwrites in iteration (1) what affine.load (line 3) reads of %arg5 in iteration (0), at distance (+)"},
		{"a histogram", "parallelize{line=2}", `scf.for %i = %c0 to %c9 step %c1 {
  %k = memref.load %K[%i] : memref<64xi64>
  %j = arith.index_cast %k : i64 to index
  %x = arith.constant 1.0 : f64
  memref.store %x, %C[%j] : memref<64xf64>
}`, "'scf.for' op is not parallel: it carries a dependence: memref.store (line 6) overwrites in iteration (1) what perhaps memref.store (line 6) writes of %arg4 in iteration (0), at distance (+); which element memref.store (line 6) accesses is not affine"},
		{"memory that may be the same", "parallelize{line=2}", `affine.for %i = 0 to 9 {
  %x = affine.load %B[%i + 1] : memref<64xf64>
  affine.store %x, %C[%i] : memref<64xf64>
}`, "'affine.for' op is not parallel: it carries a dependence: affine.store (line 4) overwrites in iteration (1) what perhaps affine.load (line 3) reads of %arg3 in iteration (0), at distance (+); %arg3 may be the same memory as %arg4: arguments are apart where they are declared {llvm.noalias}"},
		{"a sum of floats", "parallelize{line=3}", `%z = arith.constant 0.0 : f64
%s = affine.for %i = 0 to 9 iter_args(%a = %z) -> (f64) {
  %x = affine.load %C[%i] : memref<64xf64>
  %y = arith.addf %a, %x : f64
  affine.yield %y : f64
}
affine.store %s, %B[0] : memref<64xf64>`, "'affine.for' op is not parallel: it adds up floats in the order of its iterations: arith.addf (line 5) is not flagged fastmath<reassoc>"},
		{"a sum that does not wrap", "parallelize{line=2}", `%s = affine.for %i = 0 to 9 iter_args(%a = %m) -> (i64) {
  %x = affine.load %K[%i] : memref<64xi64>
  %y = arith.addi %a, %x overflow<nsw> : i64
  affine.yield %y : i64
}
affine.store %s, %K[0] : memref<64xi64>`, "'affine.for' op is not parallel: it adds up in the order of its iterations: arith.addi (line 4) promises that no sum on the way wraps"},
		{"a recurrence", "parallelize{line=2}", `%s = affine.for %i = 0 to 9 iter_args(%a = %m) -> (i64) {
  %x = affine.load %K[%i] : memref<64xi64>
  %y = arith.subi %x, %a : i64
  affine.yield %y : i64
}
affine.store %s, %K[0] : memref<64xi64>`, "'affine.for' op is not parallel: it carries a value from each iteration to the next: arith.subi (line 4), in affine.for (line 2)"},
		{"a sum that may not be reduced", "parallelize{line=2 reduce=false}", `%s = affine.for %i = 0 to 9 iter_args(%a = %m) -> (i64) {
  %x = affine.load %K[%i] : memref<64xi64>
  %y = arith.addi %a, %x : i64
  affine.yield %y : i64
}
affine.store %s, %K[0] : memref<64xi64>`, "'affine.for' op is not parallel: it carries a value from each iteration to the next, and reduce is off: affine.for (line 2)"},
		{"something that is printed", "parallelize{line=2}", `affine.for %i = 0 to 9 {
  special.print %i : index
}`, "'affine.for' op is not parallel: it cannot be analysed: special.print does more than to access memory, at line 3"},
		{"a step that is not known", "parallelize{line=2}", `scf.for %i = %c0 to %c9 step %n {
  memref.store %m, %K[%i] : memref<64xi64>
}`, "'scf.for' op is not parallel: it has a step that is no positive number: scf.for (line 2)"},
		{"an index that is an integer", "parallelize{line=2}", `%l = arith.constant 9 : i64 %o = arith.constant 1 : i64 scf.for %i = %m to %l step %o : i64 {
  %k = arith.index_cast %i : i64 to index
  memref.store %m, %K[%k] : memref<64xi64>
}`, "'scf.for' op is not parallel: it counts in integers, and a parallel loop counts in index"},
		{"no loop there", "parallelize{line=7}", `affine.for %i = 0 to 9 {
}`, "no loop begins on line 7"},
		{"no function of the name", "parallelize{in=g}", `affine.for %i = 0 to 9 {
}`, "there is no function @g"},
		{"a number of rounds that is none", "parallelize{rounds=-1}", ``, "pass \"parallelize\": rounds=-1 work=0: neither may be negative"},
	} {
		if got := run(t, body(x.nest), x.pass); !strings.Contains(got, x.want) {
			t.Errorf("%s:\n%s\nwant %s", x.name, got, x.want)
		}
	}
}
