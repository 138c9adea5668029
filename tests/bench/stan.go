package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tests/bench/report"
)

// stanModels are those with a version in Stan (stan/NAME.stan).
var stanModels = []string{"rats", "lsat", "leuk", "dugongs", "seeds", "pumps", "salm", "equiv", "surgical_realistic", "stochvol"}

// stan measures gradients beside Stan's own, of a model object that is called in a loop in C++. To compile it is not in the time.
func (b *bench) stan() error {
	child, err := jit.Start(b.ctx, jit.ChildOptions{})
	if err != nil {
		return err // libLLVM is missing: it says so
	}
	defer child.Close()
	var ratios []float64
	for _, name := range stanModels {
		if !b.wants(name) {
			continue
		}
		ours, theirs, err := b.stanRow(child, name)
		row := report.Row{Group: "stan", What: name + ": a gradient, beside Stan", Unit: "us", Ours: ours * 1e6, Peer: theirs * 1e6, Target: "<= 1/2"}
		if err != nil {
			row.Note = firstLine(err.Error())
		} else {
			row.Ratio = ours / theirs
			met := row.Ratio <= 0.5
			row.Met = &met
			ratios = append(ratios, row.Ratio)
		}
		b.table.Add(row)
	}
	if len(ratios) > 0 {
		mean := stat.GeometricMean(ratios, nil)
		b.table.Absolute("stan", fmt.Sprintf("%d gradients, ours by Stan's, geometric mean", len(ratios)), "", mean, mean <= 0.2, "<= 1/5")
	}
	return b.ctx.Err()
}

// stanRow measures a model in turn.
func (b *bench) stanRow(child *jit.Child, name string) (ours, theirs float64, err error) {
	exe, err := b.stanBuild(name)
	if err != nil {
		return 0, 0, err
	}
	m, err := readModel(name)
	if err != nil {
		return 0, 0, err
	}
	files, err := m.dump(filepath.Join(b.dir, "stan-"+name))
	if err != nil {
		return 0, 0, err
	}
	want, value, err := b.gradientByName(name)
	if err != nil {
		return 0, 0, err
	}
	c, err := m.lowered(density.Options{Gradient: true})
	if err != nil {
		return 0, 0, err
	}
	ours, theirs = math.Inf(1), math.Inf(1)
	for range max(1, b.size(3)) {
		f, err := b.native(child, c, callsOf(m), llvm.Options{})
		if err != nil {
			return 0, 0, err
		}
		if !(math.Abs(f.value-value) <= 1e-9*math.Abs(value)) {
			return 0, 0, fmt.Errorf("the density is %v, of irc logdensity %v", f.value, value)
		}
		ours = min(ours, f.call)
		s, err := b.stanSaid(exe, files, max(callsOf(m)/20, 5), want)
		if err != nil {
			return 0, 0, err
		}
		theirs = min(theirs, s)
	}
	return ours, theirs, nil
}

// stanSaid runs a model in Stan: its seconds, if its gradient is the one wanted.
func (b *bench) stanSaid(exe string, files [2]string, calls int, want map[string]float64) (seconds float64, err error) {
	out, err := exec.CommandContext(b.ctx, exe, files[0], files[1], fmt.Sprint(calls)).Output()
	if err != nil {
		return 0, err
	}
	found := 0
	for line := range strings.Lines(string(out)) {
		var name string
		var x float64
		if _, err := fmt.Sscan(line, &name, &x); err != nil {
			return 0, fmt.Errorf("it says %q", line)
		}
		if name == "seconds" {
			seconds = x
			continue
		}
		w, ok := want[name]
		if !ok || math.Abs(x-w) > 1e-9*max(1, math.Abs(w)) {
			return 0, fmt.Errorf("the derivative by %s is %v, ours %v", name, x, w)
		}
		found++
	}
	if found != len(want) {
		return 0, fmt.Errorf("it has %d derivatives, ours %d", found, len(want))
	}
	return seconds, nil
}

// stanBuild compiles a model by rstan and g++, or takes what an earlier run has made of it in bin/stan.
func (b *bench) stanBuild(name string) (exe string, err error) {
	root, err := repository()
	if err != nil {
		return "", err
	}
	source, dir := filepath.Join(root, "tests/bench/stan", name+".stan"), filepath.Join(root, "bin/stan")
	exe = filepath.Join(dir, name)
	text, err := os.Stat(source)
	if err != nil {
		return "", err
	}
	if made, err := os.Stat(exe); err == nil && made.ModTime().After(text.ModTime()) {
		return exe, nil
	}
	r, err := exec.LookPath("Rscript")
	if err != nil {
		return "", errors.New("needs rstan (Debian: r-cran-rstan)")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	program := fmt.Sprintf("cat(rstan::stanc(%q, model_name = 'm')$cppcode, file = %q); cat(.libPaths(), sep = '\\n')", source, exe+".hpp")
	out, err := exec.CommandContext(b.ctx, r, "-e", program).Output()
	if err != nil {
		return "", fmt.Errorf("needs rstan (Debian: r-cran-rstan): %w", err)
	}
	library := ""
	for path := range strings.Lines(string(out)) {
		if _, err := os.Stat(filepath.Join(strings.TrimSpace(path), "StanHeaders")); err == nil {
			library = strings.TrimSpace(path)
		}
	}
	args := []string{"-std=c++14", "-O3", "-march=native", "-w", fmt.Sprintf("-DMODEL=%q", exe+".hpp"), filepath.Join(root, "tests/bench/stan/main.cpp"), "-o", exe}
	for _, include := range []string{"StanHeaders/include/src", "StanHeaders/include", "BH/include", "RcppEigen/include", "RcppParallel/include"} {
		args = append(args, "-I"+filepath.Join(library, include))
	}
	args = append(args, filepath.Join(library, "StanHeaders/lib/libStanHeaders.a"), "-ltbb", "-lpthread")
	if text, err := exec.CommandContext(b.ctx, "g++", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, lastError(string(text)))
	}
	return exe, nil
}

// gradientByName is our gradient, by Stan's names of the parameters, and the density.
func (b *bench) gradientByName(name string) (by map[string]float64, value float64, err error) {
	said, err := b.logdensity(name)
	if err != nil {
		return nil, 0, err
	}
	names := strings.NewReplacer(".", "_", "[", ".", ",", ".", " ", "", "]", "")
	by = map[string]float64{}
	for i, c := range said.Coordinates {
		by[stanName(names.Replace(c))] = said.Gradient[i]
	}
	return by, said.Logp, nil
}

// A saidGradient is what irc logdensity -gradient -json says.
type saidGradient struct {
	Logp        float64
	Coordinates []string
	Gradient    []float64
}

// logdensity is our gradient of an example at its initial values.
func (b *bench) logdensity(name string) (said saidGradient, err error) {
	root, err := repository()
	if err != nil {
		return said, err
	}
	base := filepath.Join(root, "examples/bugs", name)
	args := []string{"logdensity", "-gradient", "-json", "-engine=llvm", base + ".bug", "-data", base + "-data.json", "-fill-inits=prior"}
	if exists(base + "-inits.json") {
		args = append(args, "-inits", base+"-inits.json")
	}
	out, err := exec.CommandContext(b.ctx, b.irc, args...).Output()
	if err != nil {
		return said, err
	}
	return said, json.Unmarshal(out, &said)
}

// stanName is another name where Stan has a function of this one.
func stanName(s string) string {
	if s == "pi" {
		return "pi_"
	}
	return s
}

// dump writes the data of a model and a point in R's form, of which Stan reads columns.
func (m *bugsModel) dump(dir string) (files [2]string, err error) {
	p, err := m.compile()
	if err != nil {
		return files, err
	}
	defer p.Close()
	st, _, list := p.Point(m.inits, true)
	if err := list.Err(); err != nil {
		return files, err
	}
	var text [2]strings.Builder
	for _, v := range m.model.Vars {
		name, to := stanName(strings.ReplaceAll(v.Name, ".", "_")), 0
		switch {
		case v.Has(model.Parameter):
			to = 1
		case v.Has(model.Logical) || v.Has(model.Undefined):
			continue
		}
		values := st[v.ID]
		if to == 0 && v.Dims == nil {
			values = v.Value
		}
		fmt.Fprintf(&text[to], "%s <- %s\n", name, spellColumns(values, v.Dims))
	}
	for i, kind := range []string{".data.R", ".inits.R"} {
		files[i] = dir + kind
		if err := os.WriteFile(files[i], []byte(text[i].String()), 0o600); err != nil {
			return files, err
		}
	}
	return files, nil
}

// spellColumns writes an array for R, column by column.
func spellColumns(values []float64, dims []int) string {
	if len(dims) == 0 {
		return spell(values[0])
	}
	if len(dims) == 1 {
		return "c(" + spellAll(values) + ")"
	}
	rows, columns := dims[0], len(values)/dims[0]
	turned := make([]float64, 0, len(values))
	for j := range columns {
		for i := range rows {
			turned = append(turned, values[i*columns+j])
		}
	}
	return fmt.Sprintf("structure(c(%s), .Dim = c(%d, %d))", spellAll(turned), rows, columns)
}
