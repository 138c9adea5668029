package main

import (
	"math"
	"os"
	"path/filepath"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/tests/bench/report"
)

// poolProgram has rounds of a parallel loop that does next to nothing.
const poolProgram = `func.func @main(%rounds: index, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %m = memref.alloc(%n) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 { memref.store %zero, %m[%i] : memref<?xi64> }
  scf.for %t = %c0 to %rounds step %c1 {
    %u = arith.index_cast %t : index to i64
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      %x = memref.load %m[%i] : memref<?xi64>
      %y = arith.xori %x, %u : i64
      memref.store %y, %m[%i] : memref<?xi64>
    }
  }
  %s = memref.load %m[%c0] : memref<?xi64>
  memref.dealloc %m : memref<?xi64>
  return %s : i64
}
`

// Rounds of poolProgram, and how many iterations each has.
const poolRounds, poolIterations = 200_000, 64

// pool measures what it costs to share a loop: a round of one that does next to nothing, on two cores beside one.
func (b *bench) pool() error {
	const name = "pool"
	if !b.wants(name) {
		return nil
	}
	file := filepath.Join(b.dir, "pool.mlir")
	if err := os.WriteFile(file, []byte(poolProgram), 0o600); err != nil {
		return err
	}
	rounds := b.size(poolRounds)
	var best [2]float64
	for i := range best {
		t := *target.Host()
		t.Cores, t.Costs.MinParallel, t.Costs.MinChunk = i+1, 1, 1 // however little there is to do
		e, _, err := engine.LLVM.Start(b.ctx, engine.Options{Target: &t})
		if err != nil {
			return err
		}
		defer e.Close()
		p, _, err := b.compilePoly(e, file, "")
		if err != nil {
			return err
		}
		best[i] = math.Inf(1)
		for range max(1, b.size(coreTurns)) {
			out, err := p.Batch(b.ctx, []run.Call{{Name: "main", Args: []ir.Val{ir.IntVal(int64(rounds), 64), ir.IntVal(poolIterations, 64)}}})
			if err == nil {
				err = out[0].Err
			}
			if err != nil {
				return err
			}
			best[i] = min(best[i], out[0].Wall.Seconds()/float64(rounds))
		}
	}
	b.table.Add(report.Row{Group: "cores", What: name + ": a loop of 64 iterations, two cores, one core", Unit: "us", Ours: best[1] * 1e6, Peer: best[0] * 1e6, Ratio: best[1] / best[0]})
	return nil
}

// sharedDensity measures a density whose loop cores share, though it takes some microseconds, on two cores beside one.
func (b *bench) sharedDensity() error {
	const name = "lsat"
	if !b.wants(name) {
		return nil
	}
	m, err := readModel(name)
	if err != nil {
		return err
	}
	c, err := m.caught()
	if err != nil {
		return err
	}
	var best [2]float64
	for i := range best {
		t := *target.Host()
		t.Cores = i + 1
		child, err := jit.Start(b.ctx, jit.ChildOptions{Threads: t.Cores})
		if err != nil {
			return err
		}
		defer child.Close()
		f, err := b.native(child, c, callsOf(m), llvm.Options{Cores: i > 0, Target: &t})
		if err != nil {
			return err
		}
		best[i] = f.call
	}
	b.table.Compare("cores", name+", a density: two cores, one core", "us", best[1]*1e6, best[0]*1e6, 1/1.7, "<= 1/1.7")
	return nil
}
