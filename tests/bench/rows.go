package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/irc-lang/irc/tests/bench/programs"
	"github.com/irc-lang/irc/tests/bench/report"
)

// moduleFile is the module of about n ops in functions of 250.
func (b *bench) moduleFile(n int) (path string, ops int, err error) {
	path, err = b.write(fmt.Sprintf("module%d", n), func(w *bufio.Writer) { programs.Module(w, n, 250) })
	if err != nil {
		return "", 0, err
	}
	ops, err = countOps(path)
	return path, ops, err
}

// Targets of whole runs, as shares of the peer's figures.
const (
	timeShare, timeText     = 1.0 / 6, "<= 1/6"
	memoryShare, memoryText = 0.45, "<= 0.45"
	startShare, startText   = 0.2, "<= 1/5"
)

// triple adds the three rows of one comparison of whole runs.
func (b *bench) triple(group, what, file string, runs int, threads bool) error {
	ours, peer, left, err := b.both(runs, file, threads)
	if err != nil {
		return err
	}
	before, err := countOps(file)
	if err != nil {
		return err
	}
	b.table.Compare(group, what+": time", "s", ours.wall.Seconds(), peer.wall.Seconds(), timeShare, timeText)
	b.table.Compare(group, "  CPU time", "s", ours.cpu.Seconds(), peer.cpu.Seconds(), timeShare, timeText)
	b.table.Compare(group, "  peak memory", "MB", float64(ours.rss)/1e6, float64(peer.rss)/1e6, memoryShare, memoryText)
	percent := func(n int) float64 { return 100 * float64(n) / float64(before) }
	b.table.Compare(group, "  ops left", "%", percent(left[0]), percent(left[1]), 1, "no more")
	return nil
}

func (b *bench) module() error {
	path, ops, err := b.moduleFile(b.size(1_000_000))
	if err != nil {
		return err
	}
	return b.triple("module", fmt.Sprintf("module of %s ops, one core", count(ops)), path, 3, false)
}

func (b *bench) parallel() error {
	path, ops, err := b.moduleFile(b.size(1_000_000))
	if err != nil {
		return err
	}
	return b.triple("parallel", fmt.Sprintf("module of %s ops, all cores", count(ops)), path, 3, true)
}

// shapeFile is a program of a shape.
func (b *bench) shapeFile(name string, n int) (string, error) {
	for _, s := range programs.Shapes {
		if s.Name == name {
			return b.write(fmt.Sprintf("%s%d", strings.ReplaceAll(name, "-", "_"), n), func(w *bufio.Writer) { s.Write(w, n) })
		}
	}
	return "", fmt.Errorf("no shape %q", name)
}

func (b *bench) oneShape(group, shape, what string, n int) error {
	path, err := b.shapeFile(shape, n)
	if err != nil {
		return err
	}
	return b.triple(group, what, path, 3, false)
}

func (b *bench) function() error {
	return b.oneShape("function", "mix", "one function of "+count(b.size(100_000))+" ops", b.size(100_000))
}

func (b *bench) constants() error {
	return b.oneShape("constants", "constants", count(b.size(1_000_000))+" distinct constants, locations", b.size(2_000_000))
}

func (b *bench) opaque() error {
	return b.oneShape("opaque", "loads-opaque", "opaque op after "+count(b.size(100_000))+" loads", b.size(300_000))
}

// scaling compares the time per op of large programs with that of small ones: it
// is the same where time is linear.
func (b *bench) scaling() error {
	small, large := b.size(100_000), b.size(1_000_000)
	for _, s := range programs.Shapes {
		var per [2]float64
		for i, n := range []int{small, large} {
			path, err := b.shapeFile(s.Name, n)
			if err != nil {
				return err
			}
			c, _, err := best(2, func() (cost, error) {
				return b.measure([]string{"GOMAXPROCS=1"}, b.irc, "-emit=generic", "-allow-unregistered-dialect", path, "-o", os.DevNull)
			}, nil)
			if err != nil {
				b.table.Add(report.Row{Group: "scaling", What: fmt.Sprintf("%s, %s ops", s.Name, count(n)), Note: "not measured: " + err.Error()})
				break
			}
			per[i] = c.cpu.Seconds() * 1e6 / float64(n)
		}
		if per[1] == 0 {
			continue
		}
		what := fmt.Sprintf("%s: CPU per op, %s beside %s ops", s.Name, count(large), count(small))
		b.table.Compare("scaling", what, "us", per[1], per[0], 2, "linear: < 2")
	}
	return nil
}

const tenOps = `func.func @f(%x: i32, %m: memref<8xi32>, %i: index) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %a = arith.addi %x, %c1 : i32
  %b = arith.addi %x, %c1 : i32
  %p = arith.muli %a, %b : i32
  %v = memref.load %m[%i] : memref<8xi32>
  %s = arith.addi %p, %v : i32
  %d = arith.subi %s, %c2 : i32
  memref.store %d, %m[%i] : memref<8xi32>
  return %d : i32
}
`

// startup is dominated by the start of the process.
func (b *bench) startup() error {
	path, err := b.write("ten", func(w *bufio.Writer) { w.WriteString(tenOps) })
	if err != nil {
		return err
	}
	ours, peer, _, err := b.both(20, path, false)
	if err != nil {
		return err
	}
	b.table.Compare("startup", "10 ops, whole process, best of 20", "ms", ours.wall.Seconds()*1e3, peer.wall.Seconds()*1e3, startShare, startText)
	return nil
}

// count writes 1000000 as 1M.
func count(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.3gM", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.3gk", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}
