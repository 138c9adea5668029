package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/roofline"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/polybench"
	"github.com/irc-lang/irc/tools/irc/explain"
	"github.com/irc-lang/irc/tools/irc/probe"
)

// bounds measures the kernels beside what they take at least on this machine, on one core: a time below its bound is one of
// a bound that is wrong. The speed of the machine is measured before and after, and the faster counts.
func (b *bench) bounds() error {
	root, err := repository()
	if err != nil {
		return err
	}
	e, err := b.oneCore()
	if err != nil {
		return err
	}
	defer e.Close()
	machine, err := probe.Measured(b.ctx, hostWith(1))
	if err != nil {
		return err
	}
	type measured struct {
		k       *polybench.Kernel
		sizes   []int
		seconds float64
		err     error
	}
	var all []measured
	for _, k := range polybench.Kernels {
		if !b.wants(k.Name) {
			continue
		}
		m := measured{k: k}
		if m.sizes, m.seconds, m.err = b.timeKernel(e, root, k); m.err != nil && b.ctx.Err() != nil {
			return b.ctx.Err()
		}
		all = append(all, m)
	}
	again, err := probe.Measured(b.ctx, hostWith(1))
	if err != nil {
		return err
	}
	faster := fasterOf(*machine, *again)
	b.table.Add(report.Row{Group: "bounds", What: "operations on f64 of one core", Unit: "G/s", Ours: faster.PeakFlops / 1e9})
	for i, w := range faster.Bandwidth {
		b.table.Add(report.Row{Group: "bounds", What: fmt.Sprintf("bytes from behind the L%d cache", i+1), Unit: "GB/s", Ours: w / 1e9})
	}
	for _, m := range all {
		r := report.Row{Group: "bounds", What: m.k.Name + ", beside what it takes at least", Unit: "ms", Ours: m.seconds * 1e3}
		bound, by, err := boundOf(b.ctx, filepath.Join(root, m.k.File()), m.k, m.sizes, &faster)
		if err == nil {
			err = m.err
		}
		if err != nil {
			r.Note = firstLine(err.Error())
		} else {
			met := m.seconds >= bound
			r.What, r.Peer, r.Ratio, r.Target, r.Met = fmt.Sprintf("%s, beside what its %s take at least", m.k.Name, by), bound*1e3, m.seconds/bound, ">= 1", &met
		}
		b.table.Add(r)
	}
	return b.ctx.Err()
}

// fasterOf is the machine at its best of two measurements.
func fasterOf(machine, again target.Target) target.Target {
	machine.PeakFlops = max(machine.PeakFlops, again.PeakFlops)
	machine.Bandwidth = slices.Clone(machine.Bandwidth)
	for i := range machine.Bandwidth {
		machine.Bandwidth[i] = max(machine.Bandwidth[i], again.Bandwidth[i])
	}
	return machine
}

// timeKernel is the least time of a kernel of three, at the sizes of C.
func (b *bench) timeKernel(e engine.Engine, root string, k *polybench.Kernel) (sizes []int, seconds float64, err error) {
	src, err := os.ReadFile(filepath.Join(root, k.Peer()))
	if err == nil {
		sizes, err = k.Sizes(string(src))
	}
	if err != nil {
		return nil, 0, err
	}
	p, _, err := b.compilePoly(e, filepath.Join(root, k.File()), inTiles)
	if err != nil {
		return sizes, 0, err
	}
	code, err := k.Bind(b.ctx, p, sizes)
	if err != nil {
		return sizes, 0, err
	}
	defer code.Close(b.ctx)
	for range max(1, b.size(polybenchTurns)) {
		s, _, err := code.Run()
		if err != nil {
			return sizes, 0, err
		}
		if seconds == 0 || s < seconds {
			seconds = s
		}
	}
	return sizes, seconds, nil
}

// boundOf is how long the loops of @kernel take at least, all together, and what for.
func boundOf(ctx context.Context, file string, k *polybench.Kernel, sizes []int, t *target.Target) (seconds float64, by string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, "", err
	}
	src := diag.NewSource(file, string(data))
	g, list := text.Parse(ir.NewContext(dialects.All...), src, text.Options{})
	if err := list.Err(); err != nil {
		return 0, "", err
	}
	out := explain.NewLoops(src, t)
	for _, passes := range []string{"roofline", "inline,roofline"} { // of loops that call, what they are with that in place
		p, err := pass.Parse(passes, lowering.AllPasses())
		if err != nil {
			return 0, "", err
		}
		add := out.Add
		if passes != "roofline" {
			add = out.Inlined
		}
		m := pass.Manager{Target: t, Show: func(x any) { add(x.(*roofline.Nest)) }}
		if _, err := m.Run(ctx, g, p); err != nil {
			return 0, "", err
		}
	}
	if err := out.Bound(sizesIn(k, sizes, out.Params()), t); err != nil {
		return 0, "", err
	}
	by = "operations"
	move, cache := 0.0, ""
	for _, n := range out.Nests {
		switch {
		case n.Function != "kernel":
		case n.Bound == nil:
			return 0, "", fmt.Errorf("line %d: there is no bound", n.Line)
		default:
			seconds += n.Bound.Compute
			if n.Bound.Move > move {
				move, cache = n.Bound.Move, n.Bound.By
			}
		}
	}
	if move > seconds {
		return move, "data from " + strings.TrimPrefix(cache, "the "), nil
	}
	return seconds, by, nil
}

// sizesIn gives the sizes the names that they have in the program: those of C in small letters, and the rounds what is left.
func sizesIn(k *polybench.Kernel, sizes []int, params []string) map[string]int64 {
	out := map[string]int64{}
	for i, p := range k.Params {
		out[strings.ToLower(p)] = int64(sizes[i])
	}
	for i, p := range k.Params {
		if slices.Contains(params, strings.ToLower(p)) {
			continue
		}
		for _, q := range params {
			if _, ok := out[q]; !ok {
				out[q] = int64(sizes[i])
			}
		}
	}
	return out
}
