package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/lowering/density"
)

// gradients measures the gradient of each density beside the density itself, turn by turn: what the way back costs.
func (b *bench) gradients() error {
	child, err := jit.Start(b.ctx, jit.ChildOptions{})
	if err != nil {
		return err // libLLVM is missing: it says so
	}
	defer child.Close()
	product, n, most := 1.0, 0, 0.0
	for _, name := range slices.Concat(peerModels, morePeers) {
		if !b.wants(name) {
			continue
		}
		ratio, err := b.gradient(child, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		product, n, most = product*ratio, n+1, max(most, ratio)
	}
	if n > 0 {
		mean := math.Pow(product, 1/float64(n))
		b.table.Absolute("gradients", "time of a gradient by that of its density, geometric mean", "", mean, mean <= 2.5, "<= 2.5")
		b.table.Absolute("gradients", "the same, at most", "", most, most <= 5, "<= 5")
	}
	return nil
}

// gradient is one row; it returns the time of a gradient by that of the density.
func (b *bench) gradient(child *jit.Child, name string) (float64, error) {
	m, err := readModel(name)
	if err != nil {
		return 0, err
	}
	value, err := m.caught()
	if err != nil {
		return 0, err
	}
	slope, err := m.lowered(density.Options{Gradient: true})
	if err != nil {
		return 0, err
	}
	calls := callsOf(m)
	var best [2]nativeFigures
	for i := range 3 {
		for k, c := range []*catcher{value, slope} {
			f, err := b.native(child, c, calls, llvm.Options{})
			if err != nil {
				return 0, err
			}
			if i == 0 || f.call < best[k].call {
				best[k] = f
			}
		}
	}
	if x, y := best[0].value, best[1].value; !(math.Abs(x-y) <= 1e-9*math.Abs(x)) {
		return 0, fmt.Errorf("the densities differ: %v alone, and %v with its gradient", x, y)
	}
	b.table.Compare("gradients", name+", beside its density", "us", best[1].call*1e6, best[0].call*1e6, 5, "<= 5")
	return best[1].call / best[0].call, nil
}
