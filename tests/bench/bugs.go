package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/tests/bench/report"
)

// peerModels are the models with a version in C (peers/NAME.c).
var peerModels = []string{"rats", "epil", "lsat", "leuk", "birats", "dugongs", "seeds", "pumps"}

// morePeers are more of them: mixed models, time series, multivariate ones, mixtures.
var morePeers = []string{"salm", "equiv", "surgical_realistic", "ar2", "stochvol", "seasonal",
	"jaw", "otreesmvn", "kriging", "eyes", "zip", "galaxies"}

// peerFlags are the ways to compile a version in C; the fastest counts.
var peerFlags = [][]string{
	{"-O3", "-march=native"},
	{"-O3", "-march=native", "-ffast-math"},
	{"-O3", "-march=native", "-ffast-math", "-fveclib=libmvec"},
}

func (b *bench) densities() error { return b.densitiesOf("densities", peerModels, 0.85) }

func (b *bench) moreDensities() error { return b.densitiesOf("densities-more", morePeers, 1) }

// densitiesOf measures one log density of each model beside C, which is to take at most so much of its time in
// the geometric mean.
func (b *bench) densitiesOf(group string, models []string, most float64) error {
	child, err := jit.Start(b.ctx, jit.ChildOptions{})
	if err != nil {
		return err // libLLVM is missing: it says so
	}
	defer child.Close()
	product, n := 1.0, 0
	for _, name := range models {
		if !b.wants(name) {
			continue
		}
		m, err := readModel(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		ratio, err := b.density(child, group, name, m)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if ratio > 0 {
			product, n = product*ratio, n+1
		}
	}
	if n > 0 {
		mean := math.Pow(product, 1/float64(n))
		b.table.Absolute(group, "time of a density, ours by that of C, geometric mean", "", mean, mean <= most, fmt.Sprintf("<= %g", most))
	}
	return nil
}

// density is one row; it returns our time by that of C, or 0 without clang.
func (b *bench) density(child *jit.Child, group, name string, m *bugsModel) (float64, error) {
	c, err := m.caught()
	if err != nil {
		return 0, err
	}
	calls := callsOf(m)
	var best nativeFigures
	for i := range 3 {
		f, err := b.native(child, c, calls, llvm.Options{})
		if err != nil {
			return 0, err
		}
		if i == 0 || f.call < best.call {
			best = f
		}
	}
	if b.clang == "" {
		b.table.Add(report.Row{Group: group, What: name, Unit: "us", Ours: best.call * 1e6, Note: "peer missing: needs clang-19"})
		return 0, nil
	}
	value, hand, flags, err := b.byHand(name, m, calls)
	if err != nil {
		return 0, err
	}
	if !(math.Abs(best.value-value) <= 1e-9*math.Abs(value)) {
		return 0, fmt.Errorf("the densities differ: ours %v, by hand %v", best.value, value)
	}
	b.table.Compare(group, name+", beside clang "+flags, "us", best.call*1e6, hand*1e6, 1.25, "<= 1.25")
	return best.call / hand, nil
}

// callsOf is how many densities are about a millisecond.
func callsOf(m *bugsModel) int {
	n := 1
	for _, v := range m.model.Vars {
		n += v.Len()
	}
	return max(200_000/n, 10)
}

// byHand compiles a version in C in each way and returns its value, the seconds of
// a call, and the flags of the fastest.
func (b *bench) byHand(name string, m *bugsModel, calls int) (value, call float64, flags string, err error) {
	found, call, flags, err := b.handRun("peers/"+name+".c", m, calls)
	if err != nil {
		return 0, 0, "", err
	}
	return found[0], call, flags, nil
}

// handRun compiles a file of tests/bench in each way, with what it includes about a model, and returns the numbers that it prints without its
// time: the density, a sum, and what follows.
func (b *bench) handRun(file string, m *bugsModel, calls int) (found []float64, call float64, flags string, err error) {
	root, err := repository()
	if err != nil {
		return nil, 0, "", err
	}
	dir := filepath.Join(b.dir, strings.ReplaceAll(file, "/", "-"))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, 0, "", err
	}
	header, err := m.header()
	if err != nil {
		return nil, 0, "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "data.h"), []byte(header), 0o644); err != nil {
		return nil, 0, "", err
	}
	for _, fl := range peerFlags {
		exe := filepath.Join(dir, "peer")
		args := append(append([]string(nil), fl...), "-I", dir, filepath.Join(root, "tests/bench", file), "-o", exe, "-lm")
		if out, err := exec.CommandContext(b.ctx, b.clang, args...).CombinedOutput(); err != nil {
			return nil, 0, "", fmt.Errorf("clang-19: %w: %s", err, lastError(string(out)))
		}
		out, err := exec.CommandContext(b.ctx, exe, fmt.Sprint(calls)).Output()
		if err != nil {
			return nil, 0, "", err
		}
		var all []float64
		for _, word := range strings.Fields(string(out)) {
			x, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return nil, 0, "", fmt.Errorf("%s prints %q: %w", file, out, err)
			}
			all = append(all, x)
		}
		if len(all) < 3 {
			return nil, 0, "", fmt.Errorf("%s prints %q", file, out)
		}
		if ns := all[1]; call == 0 || ns*1e-9 < call {
			found, call, flags = slices.Delete(all, 1, 2), ns*1e-9, strings.Join(fl[2:], " ")
		}
	}
	return found, call, flags, nil
}

// header is data.h of a version in C: see peers/model.h.
func (m *bugsModel) header() (string, error) {
	p, err := m.compile()
	if err != nil {
		return "", err
	}
	defer p.Close()
	st, _, list := p.Point(m.inits, true)
	if err := list.Err(); err != nil {
		return "", err
	}
	var data, fields, inits strings.Builder
	for _, v := range m.model.Vars {
		name := strings.ReplaceAll(v.Name, ".", "_")
		for _, n := range v.Dims {
			name += fmt.Sprintf("[%d]", n)
		}
		values := "{" + spellAll(st[v.ID]) + "}"
		switch {
		case v.Has(model.Parameter):
			fmt.Fprintf(&fields, "  double %s;\n", name)
			fmt.Fprintf(&inits, "  %s,\n", values)
		case v.Has(model.Logical) || v.Has(model.Undefined):
		case v.Dims == nil && v.Value[0] == math.Trunc(v.Value[0]):
			fmt.Fprintf(&data, "enum { %s = %d };\n", name, int(v.Value[0]))
		case v.Dims == nil:
			fmt.Fprintf(&data, "static const double %s = %s;\n", name, spell(v.Value[0]))
		default:
			fmt.Fprintf(&data, "static const double %s = %s;\n", name, values)
		}
	}
	return data.String() + "struct point {\n" + fields.String() + "};\nstatic struct point inits = {\n" + inits.String() + "};\n", nil
}

// spell writes a number for C.
func spell(x float64) string {
	if math.IsNaN(x) {
		return "NAN" // an element that is neither data nor a parameter
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func spellAll(xs []float64) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = spell(x)
	}
	return strings.Join(parts, ", ")
}

// lastError is the first line of a compiler's output that says error.
func lastError(out string) string {
	for _, line := range strings.Split(out, "\n") {
		if strings.Contains(line, "error") {
			return line
		}
	}
	return firstLine(out)
}
