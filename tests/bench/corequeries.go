package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/bench/loops"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/sdr"
)

// sharedEquations measures the programs of equations on two cores beside one, as the lowering pipeline makes them.
func (b *bench) sharedEquations(engines []engine.Engine, root string) error {
	for _, x := range sdr.Benchmarks {
		if x.Timed == nil || !b.wants(x.Eq) {
			continue
		}
		var best [2]float64
		for i, e := range engines {
			s, err := b.equationsOn(e, root, x)
			if err != nil {
				b.table.Add(report.Row{Group: "cores", What: x.Eq, Note: firstLine(err.Error())})
				break
			}
			best[i] = s
		}
		b.coresRow(x.Eq, best)
		if err := b.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// coresRow compares what a program takes on one core and on two.
func (b *bench) coresRow(what string, best [2]float64) {
	if best[0] > 0 && best[1] > 0 {
		b.table.Compare("cores", what+": two cores, one core", "ms", best[1]*1e3, best[0]*1e3, 1/1.7, "<= 1/1.7")
	}
}

// equationsOn is the least time that a program of equations takes on an engine, after what it computes has been compared with C.
func (b *bench) equationsOn(e engine.Engine, root string, x sdr.Benchmark) (float64, error) {
	c, err := x.Compile(b.ctx, root, b.dir, "clang-19", "-O3", "-march=native")
	if err != nil {
		return 0, err
	}
	data, err := c.Data(b.ctx, "naive", x.Timed)
	if err != nil {
		return 0, err
	}
	ctx := ir.NewContext(dialects.All...)
	g, in, err := x.Read(ctx, root)
	if err == nil {
		g, err = lowering.Compile(b.ctx, g, e.Target())
	}
	var p []run.Program
	if err == nil {
		p, err = e.Prepare(b.ctx, g)
	}
	if err != nil {
		return 0, err
	}
	args, err := sdr.Arguments(ctx, in, x.Sizes(x.Timed), data)
	if err != nil {
		return 0, err
	}
	bound, err := run.Bind(b.ctx, p[0], args...)
	if err != nil {
		return 0, err
	}
	best := math.Inf(1)
	for range max(2, b.size(coreTurns)) {
		out, err := bound.Batch(b.ctx, []run.BoundCall{{Name: in.Name}})
		if err == nil {
			err = out[0].Err
		}
		if err != nil {
			return 0, err
		}
		best = min(best, out[0].Wall.Seconds())
	}
	if err := bound.Close(b.ctx); err != nil {
		return 0, err
	}
	return best, x.Compare(ctx, in, args, data)
}

// sharedQueries measures the queries on two cores beside one; what they give is the same byte for byte.
func (b *bench) sharedQueries(engines []engine.Engine, root string) error {
	for _, table := range b.loopTables() {
		var t *loops.Table // made when a query that is wanted reads it
		for _, q := range loops.Queries() {
			if q.Table != table.name || !b.wants(q.Name) {
				continue
			}
			if t == nil {
				t = table.make()
			}
			best, err := b.queryOn(engines, root, q, t)
			if err != nil {
				b.table.Add(report.Row{Group: "cores", What: q.What, Note: firstLine(err.Error())})
				continue
			}
			b.coresRow(q.What, best)
		}
	}
	return b.ctx.Err()
}

func (b *bench) queryOn(engines []engine.Engine, root string, q loops.Query, t *loops.Table) (best [2]float64, err error) {
	var results [2][]byte
	var programs [2]*loops.Program
	for i, e := range engines {
		p, _, err := b.compileOnce(e, root, q, e.Target())
		if err != nil {
			return best, err
		}
		if programs[i], err = loops.Bind(b.ctx, ir.NewContext(dialects.All...), p, q, t); err != nil {
			return best, err
		}
		defer programs[i].Close(b.ctx)
		file := filepath.Join(b.dir, fmt.Sprint(q.Name, i, ".cores"))
		if best[i], err = programs[i].Run(q, 1, file); err != nil {
			return best, err
		}
		if results[i], err = os.ReadFile(file); err != nil {
			return best, err
		}
	}
	if !bytes.Equal(results[0], results[1]) {
		return best, fmt.Errorf("two cores give something else than one")
	}
	for range max(1, b.size(coreTurns)) {
		for i, p := range programs {
			s, err := p.Run(q, 1, "")
			if err != nil {
				return best, err
			}
			best[i] = min(best[i], s)
		}
	}
	return best, nil
}
