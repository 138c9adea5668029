package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/irc-lang/irc/tests/bench/report"
)

// bugsDensity measures irc logdensity on large data, the whole process: the Rats model
// with 2M and 10M rows of five on both scales, where what is not given is the centre of its
// prior.
// The file of 10M rows has 370 MB; the memory is that of the largest process.
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
			row := report.Row{Group: "bugs-density", What: "Rats-shaped, " + count(n) + " rows, " + scale.name, Unit: "s", Ours: c.wall.Seconds()}
			if scale.most > 0 {
				ok := c.wall.Seconds() < scale.most
				row.Target, row.Met = fmt.Sprintf("< %g s", scale.most), &ok
			}
			b.table.Add(row)
			b.table.Absolute("bugs-density", "  peak memory", "MB", float64(c.rss)/1e6, c.rss < scale.limit, fmt.Sprintf("< %d MB", scale.limit/1_000_000))
		}
	}
	return nil
}
