package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/irc-lang/irc/tests/bench/loops"
)

// loopTables makes the tables of the queries, at full size or a tenth.
func (b *bench) loopTables() []func() *loops.Table {
	return []func() *loops.Table{
		func() *loops.Table { return loops.Lineitem(b.size(6_000_000)) },
		func() *loops.Table { return loops.Points(b.size(10_000_000)) },
		func() *loops.Table { return loops.Rows(b.size(10_000_000)) },
	}
}

// loopTurns is how often all sides run a query in turn, each some times.
const loopTurns, loopRuns = 5, 3

// A side runs a query so often and gives the seconds of the fastest run; the rows go to a
// file if that is not "".
type side func(q loops.Query, runs int, file string) (float64, error)

// loops measures queries over columns in memory beside the same in C and in DuckDB.
func (b *bench) loops() error {
	root, err := repository()
	if err != nil {
		return err
	}
	exe := filepath.Join(b.dir, "loops")
	noC := loops.BuildC(b.ctx, root, exe)
	sum := map[string][]float64{}
	for _, table := range b.loopTables() {
		t := table()
		if err := t.Write(b.dir); err != nil {
			return err
		}
		sides, missing := [3]side{}, [3]error{nil, noC}
		if noC == nil {
			c, err := loops.StartC(b.ctx, exe, b.dir)
			if err != nil {
				return err
			}
			defer c.Close()
			sides[1] = c.Run
		}
		duck, err := loops.StartDuckDB(b.ctx, root, b.dir)
		if missing[2] = err; err == nil {
			defer duck.Close()
			sides[2] = duck.Run
		}
		for _, q := range loops.Queries() {
			if q.Table == t.Name {
				b.query(q, sides, missing, sum)
			}
		}
	}
	b.loopSums(sum)
	return nil
}

// query is the rows of a query: ours beside C, and beside DuckDB.
func (b *bench) query(q loops.Query, sides [3]side, missing [3]error, sum map[string][]float64) {
	names := [3]string{"ours", "C", "DuckDB"}
	var times [3]float64
	var results [3]loops.Result
	for i, run := range sides {
		if run == nil {
			continue
		}
		file := filepath.Join(b.dir, q.Name+".out")
		_, err := run(q, 1, file)
		if err == nil {
			results[i], err = loops.ReadResult(file, q.Width)
		}
		if err != nil {
			sides[i], missing[i] = nil, err
		}
	}
	missing = disagreement(q, results, missing)
	for range loopTurns {
		for i, run := range sides {
			if run == nil || missing[i] != nil {
				continue
			}
			s, err := run(q, loopRuns, "")
			if missing[i] = err; err == nil && (times[i] == 0 || s < times[i]) {
				times[i] = s
			}
		}
	}
	for i := 1; i < 3; i++ {
		what := q.What + ", beside C"
		if i == 2 {
			what = "  beside DuckDB"
		}
		r := Row{Group: "loops", What: what, Unit: "ms", Ours: times[0] * 1e3, Peer: times[i] * 1e3}
		if err := errors.Join(missing[0], missing[i]); err != nil {
			r.Note = firstLine(err.Error())
		} else if times[0] == 0 {
			r.Note = "no program of ours yet"
		} else {
			r.Ratio = times[0] / times[i]
			sum[names[i]] = append(sum[names[i]], r.Ratio)
		}
		b.table.add(r)
	}
}

// loopBound is how much sums may differ that are taken in another order: those of all
// rows have a bound of rows times 2^-53, 1e-9, and the order is mostly better.
const loopBound = 1e-9

// disagreement marks the sides whose results are not those of C, nor, without it, of
// DuckDB.
func disagreement(q loops.Query, results [3]loops.Result, missing [3]error) [3]error {
	against := slices.IndexFunc(results[1:], func(r loops.Result) bool { return r.Width > 0 }) + 1
	for i, r := range results {
		if i == against || against == 0 || r.Width == 0 {
			continue
		}
		bound, keys := 0.0, 0
		if !q.Exact || i == 2 || against == 2 {
			bound, keys = loopBound, q.Keys
		}
		if err := r.Sorted(keys).Same(results[against].Sorted(keys), bound); err != nil {
			missing[i] = fmt.Errorf("results differ: %w", err)
		}
	}
	return missing
}

// loopSums are the targets: geometric means, and the worst beside C.
func (b *bench) loopSums(sum map[string][]float64) {
	for _, name := range []string{"C", "DuckDB"} {
		ratios := sum[name]
		if len(ratios) == 0 {
			continue
		}
		logs := 0.0
		for _, r := range ratios {
			logs += math.Log(r)
		}
		mean := math.Exp(logs / float64(len(ratios)))
		what := fmt.Sprintf("%d queries, ours by %s, geometric mean", len(ratios), name)
		b.table.absolute("loops", what, "", mean, mean <= 1, "<= 1")
		if name == "C" {
			b.table.absolute("loops", "  the slowest of them", "", slices.Max(ratios), slices.Max(ratios) <= 1.3, "<= 1.3")
		}
	}
}
