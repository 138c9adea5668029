package density

import (
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/run"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// Models whose matrices do not change in some loop, and how many loops are around the
// roots that a factor takes for each pair of its rows, the two of the pairs included;
// those of small matrices are straight-line code.
var constantMatrices = []struct {
	model, data string
	depth       int
}{
	{`for (i in 1:5) { x[i, 1:2] ~ dmnorm(m[], O[, ]) }  O[1:2, 1:2] ~ dwish(R[, ], 3)`, `{"m": [0, 1], "R": [[2, 0.5], [0.5, 1]]}`, 0},
	{`for (i in 1:5) { x[i, 1:2] ~ dmnorm(m[i, ], O[, ])  m[i, 1] <- a + i  m[i, 2] <- i }  a ~ dnorm(0, 1)`, `{"O": [[2, 0.5], [0.5, 1]]}`, 0},
	{`for (i in 1:3) { for (j in 1:4) { x[i, j, 1:2] ~ dmnorm.vcov(m[], S[i, , ]) } }`, `{"m": [0, 1], "S": [[[2, 0.5], [0.5, 1]], [[1, 0], [0, 1]], [[3, 1], [1, 4]]]}`, 1},
	{`for (i in 1:3) { for (j in 1:n[i]) { x[i, j, 1:2] ~ dmnorm(m[], S[i, , ]) } }`, `{"m": [0, 1], "n": [1, 2, 1], "S": [[[2, 0.5], [0.5, 1]], [[1, 0], [0, 1]], [[1, 0], [0, 1]]]}`, 1},
	// Where row 3 of S is not there, it is read in the inner loop alone.
	{`for (i in 1:3) { for (j in 1:n[i]) { x[i, j, 1:2] ~ dmnorm(m[], S[i, , ]) } }`, `{"m": [0, 1], "n": [1, 2, 0], "S": [[[2, 0.5], [0.5, 1]], [[1, 0], [0, 1]]]}`, 2},
	{`for (i in 1:5) { x[i, 1:2] ~ dmt(m[], O[, ], 4)  y[i] ~ dnorm(x[i, 1], 1) }  for (i in 1:2) { for (j in 1:2) { O[i, j] <- t * equals(i, j) } }  t ~ dexp(1)`, `{"m": [0, 1]}`, 0},
	{`for (i in 1:5) { S[i, 1:2, 1:2] ~ dwish(R[, ], 3) }`, `{"R": [[2, 0.5], [0.5, 1]]}`, 1},
	{`for (i in 1:5) { x[i, 1:2] ~ dmnorm(m[], O[i, , ])  O[i, 1:2, 1:2] ~ dwish(R[, ], 3) }`, `{"m": [0, 1], "R": [[2, 0.5], [0.5, 1]]}`, 1},
	{`for (i in 1:5) { x[i, 1:2] ~ dmnorm(m[], inverse(S[, ] * 2)) }`, `{"m": [0, 1], "S": [[2, 0.5], [0.5, 1]]}`, 0},
	{`for (i in 1:5) { x[i, 1:2] ~ dmnorm(inverse(S[, ]) %*% m[], S[, ] * i) }`, `{"m": [0, 1], "S": [[2, 0.5], [0.5, 1]]}`, 1},
	{`for (i in 1:5) { for (j in 1:2) { for (k in 1:2) { S[i, j, k] <- a * equals(j, k) } }  x[i, 1:2] ~ dmnorm(m[], S[i, , ]) } a ~ dexp(1)`, `{"m": [0, 1]}`, 1},
	{`for (i in 1:7) { x[i, 1:7] ~ dmnorm(m[], O[, ]) }  O[1:7, 1:7] ~ dwish(R[, ], 8)`, `{"m": [0, 1, 2, 3, 4, 5, 6], "R": ` + unit7 + `}`, 2},
	{`for (i in 1:7) { for (j in 1:4) { x[i, j, 1:7] ~ dmt(m[], S[i, , ], 4) }  S[i, 1:7, 1:7] ~ dwish(R[, ], 8) }`, `{"m": [0, 1, 2, 3, 4, 5, 6], "R": ` + unit7 + `}`, 3},
	{`for (i in 1:7) { x[i, 1:7] ~ dmnorm(m[], inverse(S[, ] * 2)) }`, `{"m": [0, 1, 2, 3, 4, 5, 6], "S": ` + unit7 + `}`, 2},
}

const unit7 = "[[2,0.5,0,0,0,0,0],[0.5,1,0,0,0,0,0],[0,0,1,0.1,0,0,0],[0,0,0.1,3,0,0,0],[0,0,0,0,1,0,0],[0,0,0,0,0,2,0],[0,0,0,0,0,0,1]]"

// A matrix is factored before the loops that do not change it, and the density is that
// of the reference.
func TestConstantMatrices(t *testing.T) {
	for _, c := range constantMatrices {
		p := compile(t, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), parseData(t, diag.NewSource("d.json", c.data)))
		depth := 0
		for _, g := range []*ir.Graph{p.Lowered} {
			depth = max(depth, depthOf(g, math.Sqrt, 0))
		}
		if depth != c.depth {
			t.Errorf("%s: a root is taken within %d loops, want %d", c.model, depth, c.depth)
		}
		for seed := range uint64(5) {
			st, err := eval.Simulate(p.Model, seed)
			if err != nil {
				t.Fatal(c.model, err)
			}
			agree(t, p, st, c.model)
			drawn := &run.Session{Values: values(p, eval.NewState(p.Model)), Random: draw.NewRandom(seed)}
			if err := runOps(t, p.Source, drawn); err != nil {
				t.Fatal(c.model, err)
			}
		}
	}
}

// depthOf is within how many loops a square root is taken at most.
func depthOf(g *ir.Graph, def *ir.OpDef, depth int) int {
	s, most := ir.NewSchedule(g, ir.ScheduleOptions{}), 0
	var walk func(r ir.Region, depth int)
	walk = func(r ir.Region, depth int) {
		for _, v := range s.Body(r) {
			if g.Def(v) == def {
				most = max(most, depth)
			}
			for _, c := range g.Children(v) {
				most = max(most, depthOf(c, def, depth))
			}
			for _, in := range g.Regions(v) {
				d := depth
				if g.Def(v) == scf.For {
					d++
				}
				walk(in, d)
			}
		}
	}
	walk(ir.Root, depth)
	return most
}
