package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tests/bench/report"
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
			b.table.Add(report.Row{Group: "gradients", What: name, Note: firstLine(err.Error())})
			continue
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

// handGradients are models whose gradients are written in C, too (gradients/NAME.c): a hierarchical regression, logistic ones of few and of many
// data, laws with gamma functions, a nonlinear regression, a time series.
var handGradients = []string{"rats", "seeds", "lsat", "pumps", "dugongs", "stochvol"}

// gradientsInC measures gradients beside those by hand.
func (b *bench) gradientsInC() error {
	child, err := jit.Start(b.ctx, jit.ChildOptions{})
	if err != nil {
		return err // libLLVM is missing: it says so
	}
	defer child.Close()
	var ratios []float64
	for _, name := range handGradients {
		if !b.wants(name) {
			continue
		}
		ratio, err := b.gradientInC(child, name)
		if err != nil {
			b.table.Add(report.Row{Group: "gradients-c", What: name, Note: firstLine(err.Error())})
			continue
		}
		ratios = append(ratios, ratio)
	}
	if len(ratios) > 0 {
		mean := stat.GeometricMean(ratios, nil)
		b.table.Absolute("gradients-c", fmt.Sprintf("%d gradients, ours by C by hand, geometric mean", len(ratios)), "", mean, mean <= 1.1, "<= 1.1")
	}
	return b.ctx.Err()
}

// gradientInC is one row, and our time by that of C. The density and each derivative are compared first.
func (b *bench) gradientInC(child *jit.Child, name string) (float64, error) {
	if b.clang == "" {
		return 0, errors.New("peer missing: needs clang-19")
	}
	m, err := readModel(name)
	if err != nil {
		return 0, err
	}
	c, err := m.lowered(density.Options{Gradient: true})
	if err != nil {
		return 0, err
	}
	want, err := b.logdensity(name)
	if err != nil {
		return 0, err
	}
	ours, theirs, flags := math.Inf(1), math.Inf(1), ""
	for range max(1, b.size(3)) {
		f, err := b.native(child, c, callsOf(m), llvm.Options{})
		if err != nil {
			return 0, err
		}
		ours = min(ours, f.call)
		found, call, with, err := b.handRun("gradients/"+name+".c", m, callsOf(m))
		if err != nil {
			return 0, err
		}
		if len(found) < 2 || !(math.Abs(f.value-found[0]) <= 1e-9*math.Abs(f.value)) {
			return 0, fmt.Errorf("the densities differ: ours %v, by hand %v", f.value, found[0])
		}
		if err := sameSlopes(m, want, found[2:]); err != nil {
			return 0, err
		}
		if call < theirs {
			theirs, flags = call, with
		}
	}
	b.table.Compare("gradients-c", name+", beside clang "+flags, "us", ours*1e6, theirs*1e6, 1.1, "<= 1.1 in the mean")
	return ours / theirs, nil
}

// sameSlopes compares derivatives by name with those that C prints, which are in the order of the variables.
func sameSlopes(m *bugsModel, want saidGradient, found []float64) error {
	by := map[string]float64{}
	for i, c := range want.Coordinates {
		name, _, _ := strings.Cut(c, "[")
		by[fmt.Sprintf("%s %d", name, ordinal(want.Coordinates, i, name))] = want.Gradient[i]
	}
	for _, v := range m.model.Vars {
		if !v.Has(model.Parameter) {
			continue
		}
		for k := range v.Len() {
			if len(found) == 0 {
				return errors.New("the program in C prints too few derivatives")
			}
			x, ok := by[fmt.Sprintf("%s %d", v.Name, k)]
			if !ok || !(math.Abs(x-found[0]) <= 1e-9*max(1, math.Abs(x))) {
				return fmt.Errorf("derivative %d by %s is %v by hand, ours %v", k, v.Name, found[0], x)
			}
			found = found[1:]
		}
	}
	if len(found) > 0 {
		return errors.New("the program in C prints too many derivatives")
	}
	return nil
}

// ordinal is how many of the coordinates before one are of its variable.
func ordinal(all []string, i int, name string) (n int) {
	for _, c := range all[:i] {
		if before, _, _ := strings.Cut(c, "["); before == name {
			n++
		}
	}
	return n
}

// compileCost is how many times as long a density may take from text to machine code where its gradient comes with it.
const compileCost = 2.5

// gradientCompile measures the way from text to machine code with a gradient beside without, turn by turn.
func (b *bench) gradientCompile() error {
	child, err := jit.Start(b.ctx, jit.ChildOptions{})
	if err != nil {
		return err // libLLVM is missing: it says so
	}
	defer child.Close()
	var ratios []float64
	for _, name := range slices.Concat(peerModels, morePeers) {
		if !b.wants(name) {
			continue
		}
		best := [2]float64{math.Inf(1), math.Inf(1)}
		for range max(2, b.size(3)) {
			for k := range best {
				s, err := b.modelCompile(child, name, k == 1)
				if err != nil {
					best[k] = math.NaN()
					b.table.Add(report.Row{Group: "gradient-compile", What: name, Note: firstLine(err.Error())})
					break
				}
				best[k] = min(best[k], s)
			}
		}
		if math.IsNaN(best[1]) {
			continue
		}
		b.table.Compare("gradient-compile", name+": text to machine code, beside without", "ms", best[1]*1e3, best[0]*1e3, compileCost, "<= 2.5")
		ratios = append(ratios, best[1]/best[0])
	}
	if len(ratios) > 0 {
		mean := stat.GeometricMean(ratios, nil)
		b.table.Absolute("gradient-compile", fmt.Sprintf("%d densities, geometric mean", len(ratios)), "", mean, mean <= compileCost, "<= 2.5")
	}
	for _, s := range statementShapes {
		if !b.wants("statements") || s.name != "scalars" && s.name != "mixed" {
			continue
		}
		if err := b.statementCompile(s, b.size(3_000)); err != nil {
			return err
		}
	}
	return b.ctx.Err()
}

// modelCompile is the seconds from a model's text to machine code, and the first call.
func (b *bench) modelCompile(child *jit.Child, name string, gradient bool) (float64, error) {
	start := time.Now()
	m, err := readModel(name)
	if err != nil {
		return 0, err
	}
	c, err := m.lowered(density.Options{Gradient: gradient})
	if err != nil {
		return 0, err
	}
	lowered := time.Since(start).Seconds()
	f, err := b.native(child, c, 1, llvm.Options{})
	if b.verbose {
		what := fmt.Sprintf("  %s, gradient %v: lowered, written, LLVM", name, gradient)
		b.table.Add(report.Row{Group: "gradient-compile", What: what, Unit: "ms", Note: fmt.Sprintf("%.0f, %.0f, %.0f", lowered*1e3, f.emit*1e3, (f.total-f.emit)*1e3)})
	}
	return lowered + f.total, err
}

// statementCompile measures a model of written statements, as a whole process.
func (b *bench) statementCompile(s statementShape, n int) error {
	program, data, err := b.statementFiles(s, n)
	if err != nil {
		return err
	}
	args := statementArgs(program, data, "llvm")
	with, without, err := best(2, func() (cost, error) { return b.measure(nil, b.irc, append(args, "-gradient")...) },
		func() (cost, error) { return b.measure(nil, b.irc, args...) })
	if err != nil {
		return err
	}
	b.table.Compare("gradient-compile", fmt.Sprintf("%s, %s statements: irc logdensity, beside without", s.name, count(n)), "s", with.wall.Seconds(), without.wall.Seconds(), compileCost, "<= 2.5")
	return nil
}
