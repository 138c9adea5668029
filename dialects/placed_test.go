package dialects_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// controlled are ops that are undefined on poison in %u, an index below 8 that is poison if %s is, or %c, which
// compares it. Each gives %w.
var controlled = []struct{ op, def string }{
	{"scf.if", `%w = scf.if %c -> i32 { %q = arith.muli %x, %x : i32 scf.yield %q : i32 } else { scf.yield %y : i32 }`},
	{"scf.index_switch", `%w = scf.index_switch %u -> i32 case 1 { %q = arith.muli %x, %x : i32 scf.yield %q : i32 } default { scf.yield %y : i32 }`},
	{"scf.for", `%w = scf.for %j = %c0 to %u step %c1 iter_args(%p = %x) -> i32 { %q = arith.muli %p, %y : i32 scf.yield %q : i32 }`},
	{"scf.parallel", `%w = scf.parallel (%j) = (%c0) to (%u) step (%c1) init (%x) -> i32 {
  scf.reduce(%y : i32) { ^bb0(%p: i32, %q: i32): %r = arith.muli %p, %q : i32 scf.reduce.return %r : i32 } }`},
	{"affine.for", `%w = affine.for %j = 0 to %u iter_args(%p = %x) -> i32 { %q = arith.muli %p, %y : i32 affine.yield %q : i32 }`},
	{"affine.if", `%w = affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%u) -> i32 { %q = arith.muli %x, %x : i32 affine.yield %q : i32 } else { affine.yield %y : i32 }`},
	{"arith.divui", `%d = arith.ori %s, %y : i32 %e = arith.andi %d, %few : i32 %f = arith.ori %e, %one : i32 %w = arith.divui %x, %f : i32`},
	{"memref.load", `%w = memref.load %t[%u] : memref<8xi32>`},
	{"vector.load", `%t9 = memref.get_global @wide : memref<16xi32> %v = vector.load %t9[%u] : memref<16xi32>, vector<4xi32> %w = vector.extract %v[0] : i32 from vector<4xi32>`},
	{"affine.load", `%w = affine.load %t[symbol(%u)] : memref<8xi32>`},
	{"call @g", `%w = func.call @g(%u) {irc.effects = "pure"} : (index) -> i32`},
}

// guardedProgram puts an op in a loop that may have no rounds, or in a branch.
func guardedProgram(def, sum, guard string) string {
	src := `memref.global "private" constant @table : memref<8xi32> = dense<5>
memref.global "private" constant @wide : memref<16xi32> = dense<5>
func.func @g(%u: index) -> i32 { %w = arith.index_cast %u : index to i32 return %w : i32 }
func.func @f(%m: memref<4xi32>, %n: index, %on: i1, %x: i32, %y: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %few = arith.constant 7 : i32
  %max = arith.constant 2147483647 : i32
  %t = memref.get_global @table : memref<8xi32>
  ` + sum + `
  %below = arith.andi %s, %few : i32
  %u = arith.index_castui %below : i32 to index
  %c = arith.cmpi slt, %s, %y : i32
`
	switch guard {
	case "loop":
		src += "scf.for %i = %c0 to %n step %c1 {\n" + def + "\nmemref.store %w, %m[%i] : memref<4xi32>\n}\n"
	case "branch":
		src += "scf.for %i = %c0 to %c1 step %c1 {\nscf.if %on {\n" + def + "\nmemref.store %w, %m[%i] : memref<4xi32>\n}\n}\n"
	}
	return src + "return\n}\n"
}

// An op that is undefined on poison does not run where it did not, in no build and on any placement; of
// numbers, and of what is frozen, it leaves the loop.
func TestPoisonedControlStays(t *testing.T) {
	sums := map[string]string{
		"poison": "%s = arith.addi %x, %max overflow<nsw> : i32",
		"clean":  "%s = arith.addi %x, %max : i32",
		"frozen": "%s0 = arith.addi %x, %max overflow<nsw> : i32\n%s = ub.freeze %s0 : i32",
	}
	for _, x := range controlled {
		for sum, def := range sums {
			moves := false
			for _, guard := range []string{"loop", "branch"} {
				src := guardedProgram(x.def, def, guard)
				g := ir.Settle(built.Parse(t, src, text.Options{}))
				r := rand.New(rand.NewPCG(1, 2))
				for _, schedule := range []*ir.ScheduleOptions{nil, {Shuffle: r.IntN}, {Shuffle: r.IntN}, {Copies: true}} {
					opts := interp.Options{Schedule: schedule}
					if _, err := built.Interpret(g, "f", "[[9, 9, 9, 9], 0, false, 5, 3]", opts); err != nil {
						t.Errorf("%s, %s, in a %s: %v\n%s", x.op, sum, guard, err, text.String(g, text.PrintOptions{}))
					}
				}
				moves = moves || leaves(g, x.op)
			}
			if moves != (sum != "poison") {
				t.Errorf("%s, %s: leaves its guard: %v", x.op, sum, moves)
			}
		}
	}
}

// leaves reports an op that stands in the body of @f itself.
func leaves(g *ir.Graph, op string) bool {
	out := strings.Split(text.String(g, text.PrintOptions{}), "\n")
	for _, line := range out {
		if strings.HasPrefix(line, "    %") && strings.Contains(line, "= "+op) {
			return true
		}
	}
	return false
}
