package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/tests/bench/report"
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
				b.table.Absolute("depend", "  "+what, "us", us, us < 100, "< 100 us")
			}
			sum, n, allocs = sum+us, n+1, max(allocs, mallocs)
			if us > worst {
				worst, at = us, what
			}
		}
	}
	b.table.Absolute("depend", fmt.Sprintf("%d dependence tests, nest of depth 3: mean", n), "us", sum/float64(n), sum/float64(n) < 100, "< 100 us")
	b.table.Absolute("depend", "  the worst: "+at, "us", worst, worst < 100, "< 100 us")
	b.table.Absolute("depend", "  most allocations of one", "", allocs, allocs <= 10, "<= 10")
	return b.flows()
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

// flowNests are programs as isl's inputs: a matrix product, Gauss-Seidel and Jacobi
// sweeps, and a Cholesky factorization.
var flowNests = []struct{ name, text string }{
	{"matmul", `sink: "[N] -> { S[i, j, k] -> C[i, j] : 0 <= i, j, k < N; S[i, j, k] -> A[i, k] : 0 <= i, j, k < N; S[i, j, k] -> B[k, j] : 0 <= i, j, k < N }"
must_source: "[N] -> { I[i, j] -> C[i, j] : 0 <= i, j < N; S[i, j, k] -> C[i, j] : 0 <= i, j, k < N }"
schedule_map: "{ I[i, j] -> [i, j, 0, 0]; S[i, j, k] -> [i, j, 1, k] }"
`},
	{"seidel", `sink: "[T, N] -> { S[t, i, j] -> A[x, y] : 0 <= t < T and 1 <= i, j <= N and i - 1 <= x <= i + 1 and j - 1 <= y <= j + 1 }"
must_source: "[T, N] -> { S[t, i, j] -> A[i, j] : 0 <= t < T and 1 <= i, j <= N }"
schedule_map: "{ S[t, i, j] -> [t, i, j] }"
`},
	{"jacobi", `sink: "[T, N] -> { S[t, i] -> A[x] : 0 <= t < T and 1 <= i <= N and i - 1 <= x <= i + 1; C[t, i] -> B[i] : 0 <= t < T and 1 <= i <= N }"
must_source: "[T, N] -> { S[t, i] -> B[i] : 0 <= t < T and 1 <= i <= N; C[t, i] -> A[i] : 0 <= t < T and 1 <= i <= N }"
schedule_map: "{ S[t, i] -> [t, 0, i]; C[t, i] -> [t, 1, i] }"
`},
	{"cholesky", `sink: "[N] -> { D[k] -> A[k, k] : 0 <= k < N; C[k, i] -> A[i, k] : 0 <= k < i < N; C[k, i] -> A[k, k] : 0 <= k < i < N; U[k, i, j] -> A[i, j] : 0 <= k < j <= i < N; U[k, i, j] -> A[i, k] : 0 <= k < j <= i < N; U[k, i, j] -> A[j, k] : 0 <= k < j <= i < N }"
must_source: "[N] -> { D[k] -> A[k, k] : 0 <= k < N; C[k, i] -> A[i, k] : 0 <= k < i < N; U[k, i, j] -> A[i, j] : 0 <= k < j <= i < N }"
schedule_map: "{ D[k] -> [k, 0, 0, 0]; C[k, i] -> [k, 1, i, 0]; U[k, i, j] -> [k, 2, i, j] }"
`},
}

// flows times the analysis of flow of some programs, and of isl's inputs, beside isl.
func (b *bench) flows() error {
	peer, err := b.startISL()
	if err != nil {
		return err
	}
	defer peer.close()
	for _, n := range flowNests {
		file := filepath.Join(b.dir, n.name+".ai")
		if err := os.WriteFile(file, []byte(n.text), 0o644); err != nil {
			return err
		}
		ours, theirs, err := oneFlow(peer, file)
		if err != nil {
			return fmt.Errorf("flow of %s: %w", n.name, err)
		}
		b.table.Compare("depend", "flow of "+n.name, "us", ours, theirs, 2, "<= 2")
	}
	if b.islSource == "" {
		b.table.Add(report.Row{Group: "depend", What: "flow inputs of isl's source", Note: "skipped: -isl-source DIR not given"})
		return nil
	}
	files, err := filepath.Glob(filepath.Join(b.islSource, "test_inputs/flow/*.ai"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no flow inputs in %s", b.islSource)
	}
	var ours, theirs float64
	for _, f := range files {
		o, t, err := oneFlow(peer, f)
		if err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		if b.verbose {
			b.table.Add(report.Row{Group: "depend", What: "  " + filepath.Base(f), Unit: "us", Ours: o, Peer: t, Ratio: o / t})
		}
		ours, theirs = ours+o, theirs+t
	}
	b.table.Compare("depend", fmt.Sprintf("%d flow inputs: sum", len(files)), "ms", ours/1e3, theirs/1e3, 2, "<= 2")
	return nil
}

// oneFlow is the CPU time of the analysis of an input alone, in microseconds, once its
// result is known to be isl's.
func oneFlow(peer *isl, file string) (ours, theirs float64, err error) {
	text, err := readText(file)
	if err != nil {
		return 0, 0, err
	}
	answer, err := peer.ask("flowfile", file)
	if err != nil {
		return 0, 0, err
	}
	want, err := flowfile.ReadResult(answer)
	if err != nil {
		return 0, 0, err
	}
	a, err := readFlow(text)
	if err != nil {
		return 0, 0, err
	}
	got, err := a.Flow()
	if err != nil {
		return 0, 0, err
	}
	if differ, err := flowfile.Result(got).Differ(want); differ != "" {
		return 0, 0, fmt.Errorf("%s is not isl's: %w", differ, err)
	}
	if ours, err = timeFlow(text); err != nil {
		return 0, 0, err
	}
	theirs, err = peer.time("flowfile", file)
	return ours, theirs, err
}

func readFlow(text string) (depend.Accesses, error) {
	in, err := flowfile.Read(text)
	return depend.Accesses{Sink: in.Sink, Must: in.Must, May: in.May, Kill: in.Kill, Schedule: in.Schedule}, err
}

// timeFlow is the CPU time of the analysis alone, in microseconds.
func timeFlow(text string) (float64, error) {
	return timeAlone(func(n int) (func() error, error) {
		all := make([]depend.Accesses, n)
		for i := range all {
			var err error
			if all[i], err = readFlow(text); err != nil {
				return nil, err
			}
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
