package main

import (
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/tests/isl/flowfile"
)

// nestBounds are those of a nest of depth 3 with symbolic sizes.
var nestBounds = map[string]string{
	"box":      "0 <= i < N and 0 <= j < M and 0 <= k < K",
	"triangle": "0 <= i < N and i <= j < N and 0 <= k < j",
}

// nestAccesses are pairs of accesses of two statements in it.
var nestAccesses = [][2]string{
	{"A[i, j, k]", "A[i - 1, j + 1, k]"},
	{"A[i, j]", "A[i, j]"},
	{"A[2i, j, k]", "A[2i + 1, j, k]"},
	{"A[i + j, k]", "A[i - j + k, j]"},
	{"A[4i + 6j + 2k]", "A[2i + 3j - 1]"},
	{"A[i, j, k]", "A[k, i, j]"},
}

// depend times the question which direction vectors two statements have, whose accesses
// are prepared, and the flow inputs of isl's source.
func (b *bench) depend() error {
	var sum, worst, allocs float64
	at, n := "", 0
	for _, bound := range []string{"box", "triangle"} {
		for _, pair := range nestAccesses {
			us, mallocs, err := timeNest(nestBounds[bound], pair)
			if err != nil {
				return fmt.Errorf("%v in a %s: %w", pair, bound, err)
			}
			what := fmt.Sprintf("%s, %s in a %s", pair[0], pair[1], bound)
			if b.verbose {
				b.table.absolute("depend", "  "+what, "us", us, us < 100, "< 100 us")
			}
			sum, n, allocs = sum+us, n+1, max(allocs, mallocs)
			if us > worst {
				worst, at = us, what
			}
		}
	}
	b.table.absolute("depend", fmt.Sprintf("%d dependence tests, nest of depth 3: mean", n), "us", sum/float64(n), sum/float64(n) < 100, "< 100 us")
	b.table.absolute("depend", "  the worst: "+at, "us", worst, worst < 100, "< 100 us")
	b.table.absolute("depend", "  most allocations of one", "", allocs, allocs <= 10, "<= 10")
	return b.flowInputs()
}

// timeNest is the CPU time of one test in microseconds, and its allocations.
func timeNest(bound string, pair [2]string) (us, allocs float64, err error) {
	const stmt, params = "S[i, j, k]", "[N, M, K] -> "
	domain, err := presburger.ParseSet(params + "{ " + stmt + " : " + bound + " }")
	if err != nil {
		return 0, 0, err
	}
	t := depend.NewTester("N", "M", "K")
	var acc [2]*depend.Access
	for i, a := range pair {
		m, err := presburger.ParseMap(params + "{ " + stmt + " -> " + a + " }")
		if err != nil {
			return 0, 0, err
		}
		if acc[i], err = t.Access(domain, m); err != nil {
			return 0, 0, err
		}
	}
	test := func(n int) error {
		for range n {
			if _, err := t.Test(acc[0], acc[1], 3); err != nil {
				return err
			}
		}
		return nil
	}
	const times = 100
	us, err = timeAlone(func(n int) (func() error, error) { return func() error { return test(n * times) }, nil })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := test(times); err != nil {
		return 0, 0, err
	}
	runtime.ReadMemStats(&after)
	return us / times, float64(after.Mallocs-before.Mallocs) / times, err
}

// flowInputs times isl's inputs of dependence analysis, beside isl.
func (b *bench) flowInputs() error {
	if b.islSource == "" {
		b.table.add(Row{Group: "depend", What: "flow inputs of isl's source", Note: "skipped: -isl-source DIR not given"})
		return nil
	}
	files, err := filepath.Glob(filepath.Join(b.islSource, "test_inputs/flow/*.ai"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no flow inputs in %s", b.islSource)
	}
	peer, err := b.startISL()
	if err != nil {
		return err
	}
	defer peer.close()
	var ours, theirs float64
	for _, f := range files {
		text, err := readText(f)
		if err != nil {
			return err
		}
		o, err := timeFlow(text)
		if err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		t, err := peer.time("flowfile", f)
		if err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		if b.verbose {
			b.table.add(Row{Group: "depend", What: "  " + filepath.Base(f), Unit: "us", Ours: o, Peer: t, Ratio: o / t})
		}
		ours, theirs = ours+o, theirs+t
	}
	b.table.compare("depend", fmt.Sprintf("%d flow inputs: sum", len(files)), "ms", ours/1e3, theirs/1e3, 2, "<= 2")
	return nil
}

// timeFlow is the CPU time of the analysis alone, in microseconds.
func timeFlow(text string) (float64, error) {
	return timeAlone(func(n int) (func() error, error) {
		all := make([]depend.Accesses, n)
		for i := range all {
			in, err := flowfile.Read(text)
			if err != nil {
				return nil, err
			}
			all[i] = depend.Accesses{Sink: in.Sink, Must: in.Must, May: in.May, Kill: in.Kill, Schedule: in.Schedule}
		}
		return func() error {
			for _, a := range all {
				if _, err := a.Flow(); err != nil {
					return err
				}
			}
			return nil
		}, nil
	})
}
