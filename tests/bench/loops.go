package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tests/bench/loops"
	"github.com/irc-lang/irc/tests/bench/report"
)

// A loopTable makes a table of a name.
type loopTable struct {
	name string
	make func() *loops.Table
}

// loopTables makes the tables of the queries, at full size or a tenth.
func (b *bench) loopTables() []loopTable {
	return []loopTable{
		{"lineitem", func() *loops.Table { return loops.Lineitem(b.size(6_000_000)) }},
		{"points", func() *loops.Table { return loops.Points(b.size(10_000_000)) }},
		{"rows", func() *loops.Table { return loops.Rows(b.size(10_000_000)) }},
	}
}

// loopTurns is how often all sides run a query in turn, each loopRuns times.
const loopTurns, loopRuns = 5, 3

// A side runs queries: ours, or a peer.
type side struct {
	name   string
	run    func(q loops.Query, runs int, file string) (float64, error) // nil if it cannot
	why    error                                                       // why not
	result loops.Result
	best   float64 // seconds
}

// The sides, in order.
const (
	ourSide = iota
	cSide
	duckSide
	unfusedSide
	numSides
)

// loops measures queries over columns in memory beside the same in C and in DuckDB, and
// pipelines beside themselves without fusion.
func (b *bench) loops() error {
	root, err := repository()
	if err != nil {
		return err
	}
	exe := filepath.Join(b.dir, "loops")
	noC := loops.BuildC(b.ctx, root, exe)
	e, _, noEngine := engine.LLVM.Start(b.ctx, engine.Options{})
	if noEngine == nil {
		defer e.Close()
	}
	ratios := [numSides][]float64{}
	for _, table := range b.loopTables() {
		t := table.make()
		if err := t.Write(b.dir); err != nil {
			return err
		}
		c, duck := side{name: "C", why: noC}, side{name: "DuckDB"}
		if noC == nil {
			p, err := loops.StartC(b.ctx, exe, b.dir)
			if err != nil {
				return err
			}
			defer p.Close()
			c.run = p.Run
		}
		p, err := loops.StartDuckDB(b.ctx, root, b.dir)
		if duck.why = err; err == nil {
			defer p.Close()
			duck.run = p.Run
		}
		for _, q := range loops.Queries() {
			if q.Table != t.Name {
				continue
			}
			ours, unfused := side{name: "ours", why: noEngine}, side{name: "unfused", why: noEngine}
			if noEngine == nil {
				stop := b.compileQuery(e, root, q, t, &ours, &unfused)
				defer stop()
			}
			b.query(q, [numSides]side{ours, c, duck, unfused}, &ratios)
		}
	}
	b.loopTargets(ratios)
	return b.fuseChain()
}

// query is the rows of a query: ours beside C, beside DuckDB, and beside ours unfused.
func (b *bench) query(q loops.Query, sides [numSides]side, ratios *[numSides][]float64) {
	for i := range sides {
		sides[i].answer(q, filepath.Join(b.dir, q.Name+".out"))
	}
	disagreement(q, &sides)
	for range loopTurns {
		for i := range sides {
			s := &sides[i]
			if s.run == nil {
				continue
			}
			t, err := s.run(q, loopRuns, "")
			switch {
			case err != nil:
				s.run, s.why = nil, err
			case s.best == 0 || t < s.best:
				s.best = t
			}
		}
	}
	ours := sides[ourSide]
	for i := cSide; i < numSides; i++ {
		s := sides[i]
		if i == unfusedSide && q.Kind != loops.Pipeline {
			continue
		}
		what := "  beside " + s.name
		if i == cSide {
			what = q.What + what[1:]
		}
		r := report.Row{Group: "loops", What: what, Unit: "ms", Ours: ours.best * 1e3, Peer: s.best * 1e3}
		if err := errors.Join(ours.why, s.why); err != nil {
			r.Note = firstLine(err.Error())
		} else {
			r.Ratio = ours.best / s.best
			ratios[i] = append(ratios[i], r.Ratio)
		}
		b.table.Add(r)
	}
}

// answer runs a query once and keeps its result.
func (s *side) answer(q loops.Query, file string) {
	if s.run == nil {
		return
	}
	_, err := s.run(q, 1, file)
	if err == nil {
		s.result, err = loops.ReadResult(file, q.Width)
	}
	if err != nil {
		s.run, s.why = nil, err
	}
}

// loopBound is how much sums may differ that are taken in another order: those of all
// rows have a bound of rows times 2^-53, 1e-9, and the order is mostly better.
const loopBound = 1e-9

// disagreement takes out the sides whose results are not those of C, nor, without it,
// of DuckDB.
func disagreement(q loops.Query, sides *[numSides]side) {
	against := cSide
	if sides[against].run == nil {
		against = duckSide
	}
	if sides[against].run == nil {
		return
	}
	for i := range sides {
		s := &sides[i]
		if s.run == nil || i == against {
			continue
		}
		bound, keys := 0.0, 0
		if !q.Exact || i == duckSide || against == duckSide {
			bound, keys = loopBound, q.Keys
		}
		if err := s.result.Sorted(keys).Same(sides[against].result.Sorted(keys), bound); err != nil {
			s.run, s.why = nil, fmt.Errorf("results differ: %w", err)
		}
	}
}

// loopTargets are the rows of all queries: geometric means, and the worst beside C.
func (b *bench) loopTargets(ratios [numSides][]float64) {
	for i, t := range [numSides]struct {
		name, target string
		most         float64
	}{cSide: {"C", "<= 1", 1}, duckSide: {"DuckDB", "<= 1", 1}, unfusedSide: {"ours unfused", "<= 1/2", 0.5}} {
		list := ratios[i]
		if len(list) == 0 {
			continue
		}
		mean := stat.GeometricMean(list, nil)
		b.table.Absolute("loops", fmt.Sprintf("%d queries, ours by %s, geometric mean", len(list), t.name), "", mean, mean <= t.most, t.target)
		if i == cSide {
			worst := slices.Max(list)
			b.table.Absolute("loops", "  the slowest of them", "", worst, worst <= 1.3, "<= 1.3")
		}
	}
}
