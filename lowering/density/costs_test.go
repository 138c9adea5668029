package density

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/lower"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// identity is a matrix as JSON.
func identity(n int) string {
	rows := make([][]int, n)
	for i := range rows {
		rows[i] = make([]int, n)
		rows[i][i] = 1
	}
	return strings.ReplaceAll(fmt.Sprint(rows), " ", ",")
}

// onStack decides what of the memory of a program is on the stack of a target.
func onStack(t *testing.T, g *ir.Graph, m *target.Target) *ir.Graph {
	t.Helper()
	p, err := pass.Parse("mem2reg,promote-buffers-to-stack,free-buffers", lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	g, err = (&pass.Manager{Target: m}).Run(context.Background(), g, p)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The lowering of a model asks the target what becomes straight-line code, what of a matrix
// becomes values, and what stands on the stack; the density is the same.
func TestTargetDecides(t *testing.T) {
	usual, other := *target.Host(), *target.Host()
	other.Costs.MaxSplit, other.Costs.MaxStack = 1, 8
	loops, stacks, heaps := [2]int{}, [2]int{}, [2]int{}
	all := programs(t)
	all["matrices"] = compile(t, parse(t, diag.NewSource("matrices.bug", "model { T[1:3, 1:3] ~ dwish(R[,], 4) x[1:3] ~ dmnorm(mu[1:3], T[,]) U[1:8, 1:8] ~ dwish(S[,], 9) y[1:8] ~ dmnorm(m[1:8], U[,]) }")),
		parseData(t, diag.NewSource("data.json", fmt.Sprintf(`{"R": %s, "mu": [0, 1, 2], "S": %s, "m": [0, 1, 2, 3, 4, 5, 6, 7]}`, identity(3), identity(8)))))
	for name, p := range all {
		st, err := eval.Simulate(p.Model, 3)
		if err != nil {
			t.Fatal(err)
		}
		want, err := p.LogDensity(st)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range []*target.Target{&usual, &other} {
			low := onStack(t, ir.Rewrite(p.Source.Ctx, ir.NewSchedule(p.Source, ir.ScheduleOptions{}), lower.Lower(m), nil), m)
			s := text.String(low, text.PrintOptions{})
			loops[i] += strings.Count(s, "scf.for")
			stacks[i] += strings.Count(s, "memref.alloca")
			heaps[i] += strings.Count(s, "memref.alloc(")
			checkLowered(t, name, p, low, st, want)
		}
	}
	if loops[0] >= loops[1] || stacks[0] == 0 || stacks[1] != 0 || heaps[0] != 0 || heaps[1] == 0 {
		t.Errorf("loops %v, arrays on the stack %v, on the heap %v", loops, stacks, heaps)
	}
}
