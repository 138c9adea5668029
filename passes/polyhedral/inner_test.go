package polyhedral_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"
)

var (
	updates    = flag.Int("updates", 40, "how many random programs that update a matrix by itself are tiled")
	updateSeed = flag.Uint64("updateseed", 0, "the first of them")
)

// ownUpdates is a random program whose elements need others of the same matrix, as factorizations and dynamic programs over
// intervals do, and its arguments. All numbers are small integers.
func ownUpdates(seed uint64) (src, args string) {
	r := rand.New(rand.NewPCG(seed, 43))
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	n := 5 + r.IntN(20)
	var w strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	elem := one("i32", "i64", "f64")
	t := "memref<?x?x" + elem + ">"
	line("func.func @f(%%n: index, %%A: %[1]s {llvm.noalias}) -> %[1]s {", t)
	line("  affine.for %%b = 0 to %%n {")
	if elem == "f64" {
		line("    %%low = arith.constant -2.0 : f64\n    %%high = arith.constant 3.0 : f64")
		row := one("d0", "s0 - 1 - d0")
		line("    %%i = affine.apply affine_map<(d0)[s0] -> (%s)>(%%b)[%%n]", row)
		line("    affine.for %%j = 0 to affine_map<(d0) -> (d0 + %d)>(%%b) {", r.IntN(2))
		line("      affine.for %%k = 0 to affine_map<(d0) -> (d0)>(%%j) {")
		x, y := "%i, %k", one("%j, %k", "%k, %j")
		if row != "d0" {
			y = one("symbol(%n) - 1 - %j, %k", "%k, %j")
		}
		line("        %%x = affine.load %%A[%s] : %s\n        %%y = affine.load %%A[%s] : %s\n        %%z = affine.load %%A[%%i, %%j] : %s", x, t, y, t, t)
		line("        %%p = arith.mulf %%x, %%y fastmath<fast> : f64\n        %%s = arith.%s %%z, %%p fastmath<fast> : f64", one("subf", "addf"))
		line("        affine.store %%s, %%A[%%i, %%j] : %s\n      }", t)
		line("      %%v = affine.load %%A[%%i, %%j] : %s\n      %%c = arith.maximumf %%v, %%low : f64\n      %%d = arith.minimumf %%c, %%high : f64\n      affine.store %%d, %%A[%%i, %%j] : %s", t, t)
		line("    }")
	} else {
		op := one("maxsi", "minsi")
		line("    %%i = affine.apply affine_map<(d0)[s0] -> (s0 - 1 - d0)>(%%b)[%%n]")
		line("    affine.for %%j = affine_map<(d0) -> (d0 + %d)>(%%i) to %%n {", 1+r.IntN(2))
		if r.IntN(2) == 0 {
			line("      %%o = affine.load %%A[%%i, %%j - 1] : %s\n      %%q = affine.load %%A[%%i, %%j] : %s\n      %%w = arith.%s %%o, %%q : %s\n      affine.store %%w, %%A[%%i, %%j] : %s", t, t, op, elem, t)
		}
		line("      affine.for %%k = affine_map<(d0) -> (d0%s)>(%%i) to affine_map<(d0) -> (d0)>(%%j) {", one("", " + 1"))
		line("        %%x = affine.load %%A[%%i, %%k] : %s\n        %%y = affine.load %%A[%%k + 1, %%j] : %s\n        %%z = affine.load %%A[%%i, %%j] : %s", t, t, t)
		line("        %%p = arith.addi %%x, %%y : %s\n        %%s = arith.%s %s : %s\n        affine.store %%s, %%A[%%i, %%j] : %s\n      }\n    }", elem, op, one("%z, %p", "%p, %z"), elem, t)
	}
	line("  }\n  return %%A : %s\n}", t)
	return w.String(), fmt.Sprintf("[%d, %s]", n, built.Matrix(n, n, func(_, _ int) int { return r.IntN(7) - 3 }))
}

// What is updated by elements of the same matrix computes the same in tiles whose far updates are contractions, on one core
// and on several, without a race.
func TestRandomOwnUpdates(t *testing.T) {
	tiled, waves := 0, 0
	sizes := []string{"{sizes=3,4}", "{sizes=5,2}", "{sizes=4,4}", "{sizes=7,3}"}
	for i := range *updates {
		seed := *updateSeed + uint64(i)
		src, args := ownUpdates(seed)
		g := parse(t, src)
		want := built.After(t, g, "f", args)
		target := built.Tiny(8<<(i%4), 1+i%3)
		up := built.ThroughFor(t, target, g, built.Tiles+sizes[seed%uint64(len(sizes))])
		loops := built.ThroughFor(t, target, up, "poly-codegen{parallel=true}")
		s := shown(loops)
		if strings.Contains(s, "vector.broadcast") {
			tiled++
			if strings.Contains(s, "scf.parallel") {
				waves++
			}
		}
		built.GivesOnCores(t, loops, args, want, "seed %d, in tiles\n%s", seed, src)
	}
	if tiled < *updates/3 || waves < *updates/5 {
		t.Errorf("%d of %d have contractions, %d on several cores", tiled, *updates, waves)
	}
	t.Logf("%d of %d have contractions, %d on several cores", tiled, *updates, waves)
}
