package sdr

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
	"github.com/irc-lang/irc/tests/built"
)

// raised makes loops of equations and equations of the loops.
const raised = "poly-schedule,poly-codegen{select},raise-affine,poly-equations"

// What the eleven cost as loops, raised, is what they cost as equations, and what simplification
// makes of them, too. The messages of lbp, whose sources are many pieces, take more work than is allowed: it stays a
// program, and is not among them.
func TestLoops(t *testing.T) {
	for _, b := range Benchmarks {
		if strings.HasPrefix(b.Eq, "lbp") {
			continue
		}
		t.Run(b.Eq, func(t *testing.T) {
			g, in := b.read(t, built.Context())
			loops := built.Through(t, g, raised)
			for _, then := range []string{"", "simplify-reductions"} {
				want, _ := cost(t, built.Through(t, g, then))
				got, equations := cost(t, built.Through(t, loops, then))
				if !equations {
					t.Fatalf("the loops are no equations")
				}
				for _, m := range regexp.MustCompile(`%arg(\d+) = "(n\d+)"`).FindAllStringSubmatch(text.String(loops, text.PrintOptions{}), -1) {
					i, _ := strconv.Atoi(m[1])
					got = regexp.MustCompile(`\b`+m[2]+`\b`).ReplaceAllString(got, in.Params[i])
				}
				if got != want {
					t.Errorf("after %q: loops cost %s, equations %s", then, got, want)
				}
			}
		})
	}
}

// cost is that of the one system of a program, and whether it is equations.
func cost(t *testing.T, g *ir.Graph) (total string, equations bool) {
	t.Helper()
	var all []*poly.System
	err := systems.EveryGraph(g, func(g *ir.Graph) error { all = append(all, poly.Systems(g)...); return nil })
	if err != nil || len(all) != 1 {
		t.Fatalf("%d systems: %v", len(all), err)
	}
	costs, err := all[0].Costs()
	if err != nil {
		t.Fatal(err)
	}
	return costs.Total.String(), all[0].Schedule == nil
}
