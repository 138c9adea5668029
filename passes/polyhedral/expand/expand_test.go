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
	nests    = flag.Int("nests", 60, "how many random loop nests become equations")
	nestSeed = flag.Uint64("nestseed", 0, "the first of them")
)

var orders = []string{"sequential", "feautrier", "pluto"}

// Random loops compute the same as equations, by demand, and as loops of these.
func TestRandomNests(t *testing.T) {
	made := 0
	var seed uint64
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	for i := range uint64(*nests) {
		seed = *nestSeed + i
		src, args := built.Nest(seed)
		g := built.Parse(t, src, text.Options{})
		up := built.Through(t, g, "raise-affine")
		before := strings.Count(text.String(up, text.PrintOptions{}), "schedule [")
		if before == 0 {
			continue
		}
		eq := built.Through(t, up, "poly-equations{budget=300000}")
		if strings.Count(text.String(eq, text.PrintOptions{}), "schedule [") < before {
			made++
		} else {
			continue
		}
		want := built.After(t, g, "f", args)
		if got := built.After(t, eq, "f", args); !alike(got, want) {
			t.Fatalf("seed %d, as equations: %s, want %s\n%s\n%s\n%s", seed, got, want, args, src, text.String(eq, text.PrintOptions{}))
		}
		if strings.Count(text.String(eq, text.PrintOptions{}), "floor(") > 10 {
			continue // to order them would take too long
		}
		alg := orders[seed%uint64(len(orders))]
		down := loops(t, eq, "poly-schedule{alg="+alg+"},poly-contract,poly-codegen")
		if down == nil {
			continue
		}
		if got := built.After(t, down, "f", args); !alike(got, want) {
			t.Fatalf("seed %d, %s, as loops: %s, want %s\n%s\n%s", seed, alg, got, want, args, src)
		}
	}
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

// alike: that an access is outside of its memory may be found earlier.
func alike(got, want string) bool {
	return got == want || strings.Contains(got, "trap") && strings.Contains(want, "trap")
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
