package polyhedral_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral"
	"github.com/irc-lang/irc/tests/built"
)

// guardedProgram is a random program of a reduction that is guarded by an equation on data, and reads
// at the coordinate that this is about.
func guardedProgram(seed uint64) (text, args string) {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 16))}
	n, k := 1+w.IntN(6), 1+w.IntN(4)
	w.arrays = []made{{"w", []string{"N"}}, {"m", []string{"N", "K"}}, {"B", []string{"N"}}}
	w.text.WriteString("program p(N, K) : N >= 1 and K >= 1 {\n")
	w.line("input w[N] : i64;\n  input m[N,K] : i64;\n  input Z[N] : i32;\n  local B[N] : i64;\n  output X[N] : i64;\n  output Y[N,K] : i64;")
	w.line("B[i] = %s : { [i] : 0 <= i < N };", strings.ReplaceAll(w.expr([]string{"i"}, []string{"N"}, 1), "B[", "w["))
	c, sizes := []string{"i", "j", "l"}, []string{"N", "K", "N"}
	op := w.one("+=", "max=", "min=", "*=")
	key := w.one("i", "i", "j")
	read := map[string]string{"i": w.one("w[i]", "B[i]", "B[N-1-i]", "m[i,j]"), "j": w.one("m[l,j]", "m[i,K-1-j]")}[key]
	cut := w.one("", " and l <= i", " and j <= i", " and i <= l")
	with := func(target string) {
		w.line("%s %s select(%s == %s, %s + %s, %s) : { [i,j,l] : %s%s };", target, op, w.one("Z[l]", "w[Z[l]]", "m[l,0] mod 4"), key, read,
			w.expr(c, sizes, 1), identities[op], box(c, sizes), cut)
	}
	with("X[i]")
	with("Y[i,j]")
	w.text.WriteString("}\n")
	list := func(of int, f func() string) string {
		var x []string
		for range of {
			x = append(x, f())
		}
		return "[" + strings.Join(x, ",") + "]"
	}
	small := func() string { return fmt.Sprint(w.IntN(9) - 2) }
	return w.text.String(), "[" + strings.Join([]string{fmt.Sprint(n), fmt.Sprint(k), list(n, small), list(n, func() string { return list(k, small) }),
		list(n, func() string { return fmt.Sprint(w.IntN(n)) }), zeros(w.arrays[0], n, k), zeros(w.arrays[1], n, k)}, ",") + "]"
}

// keyed counts the statements with computed indices.
func keyedIn(g *ir.Graph) (n int) {
	_ = polyhedral.EveryGraph(g, func(g *ir.Graph) error {
		for _, sys := range poly.Systems(g) {
			for _, st := range sys.Statements {
				if st.Keyed {
					n++
				}
			}
		}
		return nil
	})
	return n
}

// Data that takes the place of coordinates changes nothing.
func TestRandomKeys(t *testing.T) {
	most := 40
	if testing.Short() {
		most = 10
	}
	keyed := 0
	for seed := range uint64(most) {
		text, args := guardedProgram(seed)
		g := ofText(t, text)
		want := built.After(t, g, "p", args)
		if !strings.HasPrefix(want, "[") {
			t.Fatalf("seed %d: %s\n%s", seed, want, text)
		}
		h := through(t, g, "poly-key")
		keyed += keyedIn(h)
		for _, q := range []string{"", "poly-schedule,poly-contract,poly-codegen"} {
			if got := built.After(t, through(t, h, q), "p", args); got != want {
				t.Fatalf("seed %d, %s: got %s, want %s\n%s", seed, q, got, want, text)
			}
		}
	}
	if keyed < most {
		t.Errorf("only %d reductions of %d have computed indices", keyed, 2*most)
	}
}
