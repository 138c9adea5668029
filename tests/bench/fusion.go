package main

import (
	"fmt"
	"math"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/tests/bench/fused"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/fusion"
)

// How many random programs are run fused and unfused, how often in turn, and how often one is
// run that seems slower fused.
const fusedPrograms, fusedTurns, fusedPatience = 100, 5, 40

// fusion measures random programs of loops fused beside themselves unfused.
func (b *bench) fusion() error {
	e, _, err := engine.LLVM.Start(b.ctx, engine.Options{})
	if err != nil {
		return err
	}
	native, err := fusedWays(e.Target())
	e.Close()
	if err != nil {
		return err
	}
	interpreted, err := fusedWays(target.Interp())
	if err != nil {
		return err
	}
	n := b.size(1_000_000)
	var worst fused.Pair
	logs, count, over := 0.0, 0, 0
	for seed := uint64(0); count < fusedPrograms; seed++ {
		var p fused.Pair
		ok, err := fused.Fits(b.ctx, seed, interpreted)
		if ok && err == nil {
			p, err = fused.Time(b.ctx, seed, n, fusedTurns, fusedPatience, native)
		}
		if b.ctx.Err() != nil {
			break // what was measured is told
		}
		if err != nil {
			return fmt.Errorf("program %d: %w", seed, err)
		}
		if !ok {
			continue
		}
		count++
		logs += math.Log(p.Ratio())
		if p.Ratio() > 1.2 {
			over++
		}
		if p.Ratio() > worst.Ratio() || count == 1 {
			worst = p
		}
		if b.verbose || p.Ratio() > 1.2 {
			b.table.Add(report.Row{Group: "fusion", What: fmt.Sprintf("  seed %d", seed), Unit: "ms", Ours: p.Best[fused.Fused] * 1e3, Peer: p.Best[fused.Unfused] * 1e3, Ratio: p.Ratio()})
		}
	}
	if count == 0 {
		return b.ctx.Err()
	}
	mean := math.Exp(logs / float64(count))
	b.table.Absolute("fusion", fmt.Sprintf("%d random programs, fused by unfused, mean", count), "", mean, mean <= 1, "<= 1")
	b.table.Absolute("fusion", fmt.Sprintf("  the slowest of them, seed %d", worst.Seed), "", worst.Ratio(), over == 0, "<= 1.2")
	return b.ctx.Err()
}

// fusedWays are a target and the same without fusion.
func fusedWays(t *target.Target) (out [2]*target.Target, err error) {
	out[fused.Fused] = t
	out[fused.Unfused], err = fusion.Unfused(t)
	return out, err
}
