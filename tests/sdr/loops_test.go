package sdr

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
	"github.com/irc-lang/irc/tests/built"
)

// loops: what a benchmark costs as loops, raised, is what it costs as equations, and what simplification makes of
// them, too. Four and eight neighbours that are known are to the passes what R are.
func (f *forms) loops(t *testing.T) {
	for _, form := range []struct{ of, ofLoops *ir.Graph }{{f.written, f.ofLoops}, {f.simplified, f.ofLoopsThenSimplified}} {
		want, _ := cost(t, form.of)
		same(t, want, form.ofLoops, f.in.Params)
	}
}

// byHand: messages between pixels that are written as loops by hand are the equations, and cost what they do.
func (f *forms) byHand(t *testing.T, peer *Peer) {
	src, err := os.ReadFile("../../examples/reductions/lbp.mlir")
	if err != nil {
		t.Fatal(err)
	}
	loops, errs := text.Parse(f.c, diag.NewSource("lbp.mlir", string(src)), text.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	d := f.data(t, peer, "naive", f.Small)
	raised := built.Through(t, loops, "raise-affine,poly-equations")
	for _, form := range []struct {
		name   string
		of, by *ir.Graph
	}{{"written by hand", f.written, raised}, {"simplified of those by hand", f.simplified, built.Through(t, raised, "simplify-reductions")}} {
		want, _ := cost(t, form.of)
		same(t, want, form.by, f.in.Params)
		f.check(t, form.name, form.by, "", d)
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
