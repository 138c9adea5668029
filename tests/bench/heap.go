package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/bench/report"
)

// heapEnv marks the process that measures memory and the core's speed: a fresh
// one, so that nothing of this run is in its heap.
const heapEnv = "IRC_BENCH_HEAP"

// coreFigures are what that process found.
type coreFigures struct {
	Nodes, Live      int     // stored, and scheduled
	Heap             uint64  // live bytes of graph and context
	Rebuild, Replays float64 // seconds of one rebuild, and the nodes it replayed
	Schedule         float64 // seconds of one schedule of all
}

// heapChild reads the file named by heapEnv and measures its graph.
func heapChild() {
	runtime.GOMAXPROCS(1)
	before := liveHeap()
	g, err := parseFile(os.Getenv(heapEnv))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var f coreFigures
	f.Heap = liveHeap() - before
	all := graphs(g)
	var schedules []*ir.Schedule
	for _, x := range all {
		f.Nodes += x.Len()
		s := ir.NewSchedule(x, ir.ScheduleOptions{})
		schedules = append(schedules, s)
		f.Live += s.NumOps()
	}
	f.Schedule = fastest(func() {
		for _, x := range all {
			ir.NewSchedule(x, ir.ScheduleOptions{})
		}
	})
	f.Rebuild = fastest(func() { // the file's graph rebuilds all others with it, in new schedules
		ir.Rewrite(g.Ctx, schedules[0], nil, nil)
	})
	f.Rebuild -= f.Schedule
	f.Replays = float64(f.Live)
	runtime.KeepAlive(g)
	json.NewEncoder(os.Stdout).Encode(f)
}

// graphs lists a graph and those of its isolated ops: file, module, functions. The
// file and the module come first, as one.
func graphs(g *ir.Graph) []*ir.Graph {
	out := []*ir.Graph{g}
	for v := range ir.NewSchedule(g, ir.ScheduleOptions{}).All() {
		for _, c := range g.Children(v) {
			out = append(out, graphs(c)...)
		}
	}
	return out
}

// liveHeap is what a full collection leaves.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// fastest is the time of the best of five runs.
func fastest(f func()) float64 {
	best := 0.0
	for i := range 5 {
		runtime.GC()
		start := time.Now()
		f()
		if d := time.Since(start).Seconds(); i == 0 || d < best {
			best = d
		}
	}
	return best
}

// core runs the measuring process on the module of the first row.
func (b *bench) core() (coreFigures, error) {
	var f coreFigures
	path, _, err := b.moduleFile(b.size(1_000_000))
	if err != nil {
		return f, err
	}
	exe, err := os.Executable()
	if err != nil {
		return f, err
	}
	cmd := exec.CommandContext(b.ctx, exe)
	cmd.Env = append(os.Environ(), heapEnv+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return f, fmt.Errorf("measuring process: %w", err)
	}
	return f, json.Unmarshal(out, &f)
}

func (b *bench) heap() error {
	f, err := b.core()
	if err != nil {
		return err
	}
	stored, live := float64(f.Heap)/float64(f.Nodes), float64(f.Heap)/float64(f.Live)
	b.table.Absolute("heap", "heap a node, side tables included", "B", stored, stored < 100, "< 100 B")
	b.table.Add(report.Row{Group: "heap", What: "  heap a scheduled op", Unit: "B", Ours: live})
	return nil
}

func (b *bench) rebuild() error {
	f, err := b.core()
	if err != nil {
		return err
	}
	rebuild, schedule := f.Replays/f.Rebuild/1e6, float64(f.Nodes)/f.Schedule/1e6
	b.table.Absolute("rebuild", "rebuild by the identity", "Mnodes/s", rebuild, rebuild >= 2, ">= 2")
	b.table.Absolute("rebuild", "schedule", "Mnodes/s", schedule, schedule >= 8, ">= 8")
	return nil
}
