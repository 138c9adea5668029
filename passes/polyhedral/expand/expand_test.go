package expand_test

import (
	"flag"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

var (
	nests    = flag.Int("nests", 30, "how many random loop nests become equations")
	nestSeed = flag.Uint64("nestseed", 0, "the first of them")
)

var orders = []string{"sequential", "feautrier", "pluto"}

// Random loops compute the same as equations, by demand, and as loops of these.
func TestRandomNests(t *testing.T) {
	made := built.EachNest(t, *nests, *nestSeed, func(p *built.RandomNest) bool {
		up := built.Through(t, p.Graph, "raise-affine")
		before := strings.Count(text.String(up, text.PrintOptions{}), "schedule [")
		if before == 0 {
			return false
		}
		budget := "300000"
		if p.Seed%6 == 0 {
			budget = "5000000" // of which the lives of one base have a part, beyond which they are in a simple set
		}
		eq := built.Through(t, up, "poly-equations{budget="+budget+"}")
		printed := text.String(eq, text.PrintOptions{})
		if strings.Count(printed, "schedule [") == before {
			return false
		}
		p.Same(t, eq, "as equations")
		if strings.Count(printed, "floor(") > 10 {
			return true // to order them would take too long
		}
		alg := orders[p.Seed%uint64(len(orders))]
		if down := loops(t, eq, "poly-schedule{alg="+alg+"},poly-contract,poly-codegen"); down != nil {
			p.Same(t, down, alg+", as loops")
		}
		return true
	})
	if made < *nests/3 {
		t.Errorf("%d of %d became equations", made, *nests)
	}
	t.Logf("%d of %d became equations", made, *nests)
}

// loops runs passes; nil is that their work would take too long.
func loops(t *testing.T, g *ir.Graph, pipeline string) *ir.Graph {
	p, err := pass.Parse(pipeline, lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	out, err := (&pass.Manager{}).Run(t.Context(), g, p)
	if err != nil && !strings.Contains(err.Error(), "takes more work than is allowed") && !strings.Contains(err.Error(), "has no affine schedule") {
		t.Fatal(err)
	}
	return out
}

// What programmers write with accumulators, temporaries and buffers: as equations it computes the same.
func TestEquations(t *testing.T) {
	for name, c := range map[string]struct{ body string }{
		"a sum that is read in between": {`affine.for %i = 0 to %n {
    %s = affine.load %c[] : memref<i64>
    %x = affine.load %a[%i] : memref<?xi64>
    %u = arith.addi %s, %x : i64
    affine.store %u, %c[] : memref<i64>
    %v = affine.load %c[] : memref<i64>
    affine.store %v, %b[%i] : memref<?xi64>
  }`},
		"a sum of rows that is read after each": {`affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %s = affine.load %c[] : memref<i64>
      %x = affine.load %a[%j] : memref<?xi64>
      %u = arith.addi %s, %x : i64
      affine.store %u, %c[] : memref<i64>
    }
    %v = affine.load %c[] : memref<i64>
    affine.store %v, %b[%i] : memref<?xi64>
  }`},
		"memory that is read before it is overwritten": {`affine.for %i = 1 to %n {
    %x = affine.load %a[%i] : memref<?xi64>
    %y = affine.load %b[%i - 1] : memref<?xi64>
    %u = arith.muli %x, %y : i64
    affine.store %u, %a[%i - 1] : memref<?xi64>
  }`},
		"two buffers": {`affine.for %t = 0 to %n {
    affine.for %i = 1 to %n {
      %x = affine.load %a[%i - 1] : memref<?xi64>
      %y = affine.load %a[%i] : memref<?xi64>
      %u = arith.addi %x, %y : i64
      affine.store %u, %b[%i] : memref<?xi64>
    }
    affine.for %i = 1 to %n {
      %x = affine.load %b[%i] : memref<?xi64>
      affine.store %x, %a[%i] : memref<?xi64>
    }
  }`},
		"a store under a condition on data": {`affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xi64>
    %y = affine.load %b[%i] : memref<?xi64>
    %z = arith.cmpi slt, %x, %y : i64
    scf.if %z {
      affine.store %x, %b[%i] : memref<?xi64>
    }
  }`},
	} {
		src := "func.func @f(%n: index, %a: memref<?xi64> {llvm.noalias}, %b: memref<?xi64> {llvm.noalias}, %c: memref<i64> {llvm.noalias}) {\n  " + c.body + "\n  return\n}\n"
		g := built.Parse(t, src, text.Options{})
		const args = "[5, [3, 14, 159, 2653, 58979], [1, 20, 3, 4, 5], 7]"
		want := built.After(t, g, "f", args)
		eq := built.Through(t, g, "raise-affine,poly-equations")
		printed := text.String(eq, text.PrintOptions{})
		if !strings.Contains(printed, "poly.system") || strings.Contains(printed, "schedule [") {
			t.Errorf("%s is no equations:\n%s", name, printed)
			continue
		}
		if got := built.After(t, eq, "f", args); got != want {
			t.Errorf("%s: got %s, want %s\n%s", name, got, want, printed)
		}
		if got := built.After(t, built.Through(t, eq, "poly-schedule,poly-contract,poly-codegen"), "f", args); got != want {
			t.Errorf("%s, as loops: got %s, want %s", name, got, want)
		}
	}
}

// Where the lives of a base take much to say, those that are found before the rest stay: S0 reads what it set in the round before,
// in which other reads need nothing of it.
func TestLivesInSimpleSet(t *testing.T) {
	const src = `func.func @f(%n: index, %k: index, %x: i64, %A: memref<9xi64> {llvm.noalias}) {
  affine.for %i = 1 to %n step 2 {
    affine.for %j = 0 to %n {
      %v = affine.load %A[%i mod 3] : memref<9xi64>
      affine.store %v, %A[%j + 1] : memref<9xi64>
    }
    affine.store %x, %A[%i] : memref<9xi64>
  }
  affine.store %x, %A[symbol(%k)] : memref<9xi64>
  affine.for %l = 0 to %k {
    affine.store %x, %A[%l floordiv 3] : memref<9xi64>
  }
  return
}`
	eq := built.Through(t, built.Parse(t, src, text.Options{}), "raise-affine,poly-equations")
	const args, want = "[2, 4, 100, [7, -11, -18, 7, 13, -4, -13, 9, -6]]", "[2, 4, 100, [100, 100, -11, 7, 100, -4, -13, 9, -6]]"
	if got := built.After(t, eq, "f", args); got != want {
		t.Errorf("got %s, want %s\n%s", got, want, text.String(eq, text.PrintOptions{}))
	}
}
