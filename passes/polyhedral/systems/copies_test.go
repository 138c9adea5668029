package systems_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
	"github.com/irc-lang/irc/tests/built"
)

// chain is a program in which each array is a copy of the one before, or behind where they are declared
// the other way round.
func chain(n int, back bool) string {
	var names, lines []string
	for i := range n {
		at := i
		if back {
			at = n - 1 - i
		}
		names = append(names, fmt.Sprintf("A%d[N]", at))
		from := "w"
		if i > 0 {
			from = fmt.Sprintf("A%d", i-1)
		}
		lines = append(lines, fmt.Sprintf("  A%d[i] = %s[N-1-i] : { [i] : 0 <= i < N };\n", i, from))
	}
	return fmt.Sprintf("program p(N) : N >= 1 {\n  input w[N] : i64;\n  output B[N] : i64;\n  local %s : i64;\n%s  B[i] = A%d[i] + 1 : { [i] : 0 <= i < N };\n}\n",
		strings.Join(names, ", "), strings.Join(lines, ""), n-1)
}

// Copies of copies are read where they come from, in work that grows as they do.
func TestChain(t *testing.T) {
	for _, back := range []bool{false, true} {
		var work []int64
		for _, n := range []int{9, 18, 36} {
			g := built.OfEquations(t, chain(n, back))
			before := g.Ctx.Steps()
			h, err := systems.Forward(g)
			if err != nil {
				t.Fatal(err)
			}
			work = append(work, g.Ctx.Steps()-before)
			locals := 0
			_ = systems.EveryGraph(h, func(g *ir.Graph) error {
				for _, sys := range poly.Systems(g) {
					for _, a := range sys.Arrays {
						if a.Role == poly.LocalRole {
							locals++
						}
					}
				}
				return nil
			})
			want := []string{"[2, 3, 4]", "[4, 3, 2]"}[n%2]
			if got := built.After(t, h, "p", "[3, [1, 2, 3], [0, 0, 0]]"); locals > 0 || !strings.Contains(got, want) {
				t.Errorf("%d copies: %d are left, %s, want %s", n, locals, got, want)
			}
		}
		if work[2]-work[1] > 3*(work[1]-work[0]) {
			t.Errorf("9, 18 and 36 copies take %d steps", work)
		}
	}
}
