package polyhedral_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/built"
)

// program is a random program with its arguments.
func program(seed uint64) (text, args string) {
	w := built.NewWriter(seed, 14)
	n, k := 1+w.IntN(6), 1+w.IntN(4)
	w.WriteString("program p(N, K) : N >= 1 and K >= 1 {\n")
	w.Line("input w[N] : i64;")
	w.Line("input m[N,K] : i64;")
	w.Line("input Z[N] : i32;")
	w.Arrays = []built.Made{{Name: "w", Sizes: []string{"N"}}, {Name: "m", Sizes: []string{"N", "K"}}}
	var out []string
	for i := range 1 + w.IntN(4) {
		a := built.Made{Name: fmt.Sprintf("A%d", i), Sizes: [][]string{{"N"}, {"K"}, {"N", "K"}, {"N", "N"}, {"K", "N"}, {}}[w.IntN(6)]}
		role := "local"
		if w.IntN(2) == 0 {
			role = "output"
		}
		w.Line("%s %s : i64;", role, a.With(a.Sizes))
		w.Array(a)
		w.Arrays = append(w.Arrays, a)
		if role == "output" {
			out = append(out, built.Zeros(a, n, k))
		}
	}
	last := built.Made{Name: "L", Sizes: []string{"N"}}
	w.Line("output L[N] : i64;")
	w.Line("L[i] = %s : { [i] : 0 <= i < N };", w.Expr([]string{"i"}, []string{"N"}, 2))
	out = append(out, built.Zeros(last, n, k))
	w.WriteString("}\n")
	var ws, ms, zs []string
	for range n {
		ws, zs = append(ws, fmt.Sprint(w.IntN(20)-10)), append(zs, fmt.Sprint(w.IntN(n)))
		var row []string
		for range k {
			row = append(row, fmt.Sprint(w.IntN(20)-10))
		}
		ms = append(ms, "["+strings.Join(row, ",")+"]")
	}
	list := func(x []string) string { return "[" + strings.Join(x, ",") + "]" }
	return w.String(), list(append([]string{fmt.Sprint(n), fmt.Sprint(k), list(ws), list(ms), list(zs)}, out...))
}

var pipelines = []string{"poly-schedule", "poly-schedule{fuse=min}", "poly-schedule{alg=feautrier}", "poly-schedule{alg=pluto fuse=max}", "poly-schedule{alg=pluto fuse=min}"}

var (
	systems    = flag.Int("systems", 60, "how many random systems of equations are scheduled; a third as many with a user's schedule, and with keys")
	systemSeed = flag.Uint64("systemseed", 0, "the first of them")
)

// Random equations: each schedule computes what they do by demand, bit for bit.
func TestRandomEquations(t *testing.T) {
	for i := range uint64(*systems) {
		seed := *systemSeed + i
		text, args := program(seed)
		g := built.OfEquations(t, text)
		want := built.After(t, g, "p", args)
		if !strings.HasPrefix(want, "[") {
			t.Fatalf("seed %d: %s\n%s", seed, want, text)
		}
		p := pipelines[seed%uint64(len(pipelines))]
		up := built.Through(t, g, p)
		built.Gives(t, up, "p", args, want, "seed %d, %s\n%s", seed, p, text)
		contracted(t, up, args, want, "seed %d, %s\n%s", seed, p, text)
	}
	t.Logf("%d systems", *systems)
}

// contracted compares what a program with a schedule computes in memory that is contracted: by equations, and by
// loops that cores share, without a race.
func contracted(t *testing.T, g *ir.Graph, args, want, format string, of ...any) {
	t.Helper()
	g = built.Through(t, g, "poly-contract")
	built.Gives(t, g, "p", args, want, "contracted, "+format, of...)
	code := built.ThroughFor(t, built.Tiny(16, 2), g, "poly-codegen{parallel=true}")
	if got := built.AfterWith(t, code, "p", args, built.NoRaces()); got != want {
		t.Fatalf(format+"\n%s\non cores gives %s and not %s", append(of, shown(code), got, want)...)
	}
}

// Schedules that a user wrote: of statements at the first row, at the last and at one in the middle, whose instances no
// loop over the rows need execute.
func TestRandomSchedules(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.map")
	for i := range uint64(*systems / 3) {
		seed := *systemSeed + i
		text, times, args := built.Rows(seed)
		g := built.OfEquations(t, text)
		want := built.After(t, g, "p", args)
		if !strings.HasPrefix(want, "[") {
			t.Fatalf("seed %d: %s\n%s", seed, want, text)
		}
		if err := os.WriteFile(file, []byte(times), 0o600); err != nil {
			t.Fatal(err)
		}
		contracted(t, built.Through(t, g, "poly-schedule{from="+file+"}"), args, want, "seed %d, %s\n%s", seed, times, text)
	}
}
