package reductions_test

import (
	"flag"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tests/built"
)

var (
	programs    = flag.Int("programs", 250, "how many random programs are simplified")
	modes       = flag.Int("modes", 60, "how many random programs are simplified by each mode")
	programSeed = flag.Uint64("programseed", 0, "the first of them")
)

// Random programs compute the same simplified, by demand and as loops.
func TestRandom(t *testing.T) {
	for i := range uint64(*programs) {
		seed := *programSeed + i
		src, args := built.Equations(seed)
		g := parse(t, src)
		want := built.After(t, g, "p", args)
		simple := built.Through(t, g, "simplify-reductions")
		if got := built.After(t, simple, "p", args); got != want {
			t.Fatalf("seed %d: %s, want %s\n%s\n%s", seed, got, want, args, src)
		}
		if seed%4 != 0 {
			continue
		}
		if got := built.After(t, built.Through(t, simple, "poly-schedule,poly-contract,poly-codegen"), "p", args); got != want {
			t.Fatalf("seed %d, as loops: %s, want %s\n%s\n%s", seed, got, want, args, src)
		}
	}
}

func parse(t *testing.T, src string) *ir.Graph {
	t.Helper()
	g, list := equations.Read(built.Context(), diag.NewSource("p.eq", src))
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return g
}
