package main

import (
	"fmt"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tests/bench/report"
)

// iidModels have data of one law with the same parameters.
var iidModels = []struct {
	name, law, priors, inits string
	value                    func(i int) float64
}{
	{"normal", "dnorm(mu, tau)", "mu ~ dnorm(0, 0.01)  tau ~ dgamma(1, 1)", `{"mu": 0.5, "tau": 2}`, func(i int) float64 { return float64(i*7919%1009) / 512 }},
	{"poisson", "dpois(lambda)", "lambda ~ dgamma(1, 1)", `{"lambda": 2.5}`, func(i int) float64 { return float64(i * 7919 % 11) }},
	{"gamma", "dgamma(a, b)", "a ~ dexp(1)  b ~ dexp(1)", `{"a": 1.5, "b": 0.5}`, func(i int) float64 { return float64(1+i*7919%1009) / 512 }},
}

// iid measures one log density of data with the same parameters: sums of the data decide it, so
// that it takes the same time for any number of them.
func (b *bench) iid() error {
	child, err := jit.Start(b.ctx, jit.ChildOptions{})
	if err != nil {
		return err // libLLVM is missing: it says so
	}
	defer child.Close()
	for _, c := range iidModels {
		var calls [2]float64
		for k, n := range []int{1000, b.size(1_000_000)} {
			prog, l1 := syntax.Parse(diag.NewSource(c.name, "model { for (i in 1:N) { y[i] ~ "+c.law+" }  "+c.priors+" }"), syntax.Options{})
			start, l2 := input.ParseData(diag.NewSource("inits.json", c.inits), input.JSON)
			y := make([]float64, n)
			for i := range y {
				y[i] = c.value(i)
			}
			data := input.NewData()
			data.Set("N", diag.Span{}, &input.Array{Values: []float64{float64(n)}})
			data.Set("y", diag.Span{}, &input.Array{Dims: []int{n}, Values: y})
			m, l3 := bugs.Analyze(prog, data, bugs.Options{})
			if list := append(append(l1, l2...), l3...); list.Err() != nil {
				return list.Err()
			}
			caught, err := (&bugsModel{m, start}).caught()
			if err != nil {
				return err
			}
			f, err := b.native(child, caught, 10, llvm.Options{})
			if err == nil && f.call < 1e-5 { // a clock is too coarse for ten
				f, err = b.native(child, caught, 100_000, llvm.Options{})
			}
			if err != nil {
				return err
			}
			calls[k] = f.call
			b.table.Add(report.Row{Group: "iid", What: fmt.Sprintf("%s, %d rows", c.name, n), Unit: "us", Ours: f.call * 1e6})
		}
		ratio := calls[1] / calls[0]
		b.table.Absolute("iid", c.name+", most rows by a thousand", "", ratio, ratio <= 2, "<= 2")
	}
	return nil
}
