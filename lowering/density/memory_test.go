package density

import (
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Data have one copy, that of the file, and what the compiled function does not store
// has none.
func TestSharedMemory(t *testing.T) {
	const n = 1000
	data := input.NewData()
	y := &input.Array{Dims: []int{n}, Values: make([]float64, n)}
	data.Set("y", diag.Span{}, y)
	data.Set("n", diag.Span{}, &input.Array{Values: []float64{n}})
	prog, _ := syntax.Parse(diag.NewSource("m", "model { for (i in 1:n) { y[i] ~ dnorm(mu[i], 1)  mu[i] <- a * i }  a ~ dnorm(0, 1) }"), syntax.Options{})
	m, list := bugs.Analyze(prog, data, bugs.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	st := eval.PointState(m)
	if &st[m.Lookup("y").ID][0] != &y.Values[0] || st[m.Lookup("mu").ID] != nil {
		t.Error("a state copies data or has room for what is computed")
	}
	st[m.Lookup("a").ID][0] = 0.5
	want := 0.0
	if err := eval.Visit(m, st, func(f eval.Factor) { want += f.Logp }); err != nil {
		t.Fatal(err)
	}
	if len(st[m.Lookup("mu").ID]) != n {
		t.Error("the reference evaluation has no room for what it computes")
	}
}

// Initial values are filled in with what parameters depend on, and nothing else: no memory
// for what data alone depend on.
func TestFillComputesParents(t *testing.T) {
	data := input.NewData()
	data.Set("y", diag.Span{}, &input.Array{Dims: []int{3}, Values: []float64{1, 2, 3}})
	prog, _ := syntax.Parse(diag.NewSource("m", `model {
		for (i in 1:3) { y[i] ~ dnorm(mu[i], 1)  mu[i] <- a * i  p[i] <- m * i }
		m <- 2 * b  b ~ dnorm(3, 1)  a ~ dnorm(p[2], 1)  below <- a - 1
	}`), syntax.Options{})
	m, list := bugs.Analyze(prog, data, bugs.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	st := eval.PointState(m)
	if err := eval.Fill(m, st, nil); err != nil {
		t.Fatal(err)
	}
	if a := st[m.Lookup("a").ID][0]; a != 12 {
		t.Errorf("a is %v, want the centre 2 * 2 * 3 of its prior", a)
	}
	if st[m.Lookup("mu").ID] != nil || st[m.Lookup("below").ID] != nil {
		t.Error("what no parameter depends on has memory")
	}
}
