package sdr

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
	"github.com/irc-lang/irc/tests/built"
)

// raised makes loops of equations and equations of the loops.
const raised = "poly-schedule,poly-codegen{select},raise-affine,poly-equations"

// What the eleven cost as loops, raised, is what they cost as equations, and what simplification
// makes of them, too. Four and eight neighbours that are known are to the passes what R are.
func TestLoops(t *testing.T) {
	for _, b := range Benchmarks {
		if b.Eq == "lbp4" || b.Eq == "lbp8" {
			continue
		}
		t.Run(b.Eq, func(t *testing.T) {
			g, in := b.read(t, built.Context())
			loops := built.Through(t, g, raised)
			for _, then := range []string{"", "simplify-reductions"} {
				want, _ := cost(t, built.Through(t, g, then))
				same(t, want, built.Through(t, loops, then), in.Params)
			}
		})
	}
}

// Messages between pixels that are written as loops by hand are the equations, and cost what they do.
func TestLoopsByHand(t *testing.T) {
	i := slices.IndexFunc(Benchmarks, func(b Benchmark) bool { return b.Eq == "lbp" })
	b := Benchmarks[i]
	src, err := os.ReadFile("../../examples/reductions/lbp.mlir")
	if err != nil {
		t.Fatal(err)
	}
	c := built.Context()
	g, in := b.read(t, c)
	loops, errs := text.Parse(c, diag.NewSource("lbp.mlir", string(src)), text.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	raised := built.Through(t, loops, "raise-affine,poly-equations")
	for _, then := range []string{"", "simplify-reductions"} {
		want, _ := cost(t, built.Through(t, g, then))
		same(t, want, built.Through(t, raised, then), in.Params)
	}
	d := b.data(t, b.compile(t), "naive", b.Small)
	for _, then := range []string{"", "simplify-reductions"} {
		args := b.arguments(t, c, in, b.Small, d)
		built.Invoke(t, built.Through(t, raised, then), "lbp", args)
		if err := b.Compare(c, in, args, d); err != nil {
			t.Errorf("after %q: %v", then, err)
		}
	}
}

// same compares costs; those of loops are in arguments of their function.
func same(t *testing.T, want string, loops *ir.Graph, params []string) {
	t.Helper()
	got, equations := cost(t, loops)
	if !equations {
		t.Fatalf("the loops are no equations")
	}
	for _, m := range regexp.MustCompile(`%arg(\d+) = "(n\d+)"`).FindAllStringSubmatch(text.String(loops, text.PrintOptions{}), -1) {
		i, _ := strconv.Atoi(m[1])
		got = regexp.MustCompile(`\b`+m[2]+`\b`).ReplaceAllString(got, params[i])
	}
	if got != want {
		t.Errorf("loops cost %s, not %s", got, want)
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
