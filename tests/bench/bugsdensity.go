package main

import (
	"bufio"
	"fmt"
	"os"
)

// bugsDensity measures irc logdensity on large models, the whole process: the Rats model
// with 2M and 10M rows of five on both scales, where what is not given is the centre of its
// prior, and a model of 10k statements.
func (b *bench) bugsDensity() error {
	rats, err := b.write("rats-shape", func(w *bufio.Writer) { w.WriteString(ratsShape) })
	if err != nil {
		return err
	}
	for _, n := range []int{b.size(2_000_000), b.size(10_000_000)} {
		data, err := b.write(fmt.Sprintf("rats%d", n), func(w *bufio.Writer) { ratsData(w, n, false) })
		if err != nil {
			return err
		}
		for _, scale := range []struct {
			name  string
			limit int64   // bytes
			most  float64 // seconds
		}{{name: "constrained", limit: 1_300_000_000}, {name: "unconstrained", limit: 2_000_000_000, most: 5}} {
			c, err := b.measure(nil, b.irc, "logdensity", "-x=bugs", rats, "-data", data, "-fill-inits=prior", "-scale="+scale.name, "-o", os.DevNull)
			if err != nil {
				return err
			}
			row := Row{Group: "bugs-density", What: "Rats-shaped, " + count(n) + " rows, " + scale.name, Unit: "s", Ours: c.wall.Seconds()}
			if scale.most > 0 {
				ok := c.wall.Seconds() < scale.most
				row.Target, row.Met = fmt.Sprintf("< %g s", scale.most), &ok
			}
			b.table.add(row)
			b.table.absolute("bugs-density", "  peak memory", "MB", float64(c.rss)/1e6, c.rss < scale.limit, fmt.Sprintf("< %d MB", scale.limit/1_000_000))
		}
	}
	return b.manyStatements(b.size(10_000))
}

// manyStatements is a model of n statements without a loop.
func (b *bench) manyStatements(n int) error {
	program, err := b.write("statements", func(w *bufio.Writer) {
		fmt.Fprintf(w, "model {\n  tau ~ dgamma(1, 1)\n  b ~ dnorm(0, 0.01)\n")
		for k := range n / 3 {
			fmt.Fprintf(w, "  a%d ~ dnorm(b, 1)\n  m%d <- a%d + b * x[%d]\n  y[%d] ~ dnorm(m%d, tau)\n", k, k, k, k+1, k+1, k)
		}
		fmt.Fprintln(w, "}")
	})
	if err != nil {
		return err
	}
	data, err := b.write("statements-data", func(w *bufio.Writer) {
		numbers := func(shift int) {
			for k := range n / 3 {
				fmt.Fprintf(w, "%s%.2f", map[bool]string{true: ", "}[k > 0], float64((k*7+shift)%11)/3)
			}
		}
		w.WriteString(`{"x": [`)
		numbers(3)
		w.WriteString(`], "y": [`)
		numbers(5)
		w.WriteString("]}\n")
	})
	if err != nil {
		return err
	}
	f, _, err := b.compileBUGS(program, data, 3)
	if err != nil {
		return err
	}
	what := count(n) + " statements"
	b.table.absolute("bugs-density", what+": compile", "s", f.Compile, f.Compile < 2, "< 2 s")
	c, err := b.measure(nil, b.irc, "logdensity", "-x=bugs", program, "-data", data, "-fill-inits=prior", "-o", os.DevNull)
	if err == nil {
		b.table.add(Row{Group: "bugs-density", What: "  with machine code and a density, whole process", Unit: "s", Ours: c.wall.Seconds()})
	}
	return err
}
