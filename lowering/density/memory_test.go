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
