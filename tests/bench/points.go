package main

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tests/bench/report"
)

// mixed is a logistic regression with an intercept for each group.
const mixed = `model {
  for (i in 1:N) {
    y[i] ~ dbern(p[i])
    logit(p[i]) <- alpha + beta * x[i] + u[g[i]]
  }
  for (j in 1:J) {
    u[j] ~ dnorm(0, tau)
  }
  alpha ~ dnorm(0, 0.01)
  beta ~ dnorm(0, 0.01)
  tau ~ dgamma(2, 0.5)
}
`

// python is Debian's, which has its numpy.
const python = "/usr/bin/python3"

// points measures many points of a mixed model with a row for each observation: the
// whole process beside numpy, and beside the compiled function alone.
func (b *bench) points() error {
	rows, groups, points := b.size(100_000), b.size(1000), b.size(1000)
	files, err := b.mixedFiles(rows, groups, points)
	if err != nil {
		return err
	}
	ours, theirs := filepath.Join(b.dir, "ours.txt"), filepath.Join(b.dir, "numpy.txt")
	alone, stop, err := b.mixedAlone(files, points)
	if err != nil {
		return err
	}
	defer stop()
	numpy := b.numpy(files, theirs)
	o, p, f := inf, numpyTimes{inf, inf}, inf
	for range 5 { // turn by turn, so that a noisy machine troubles all
		c, err := b.measure(nil, b.irc, "logdensity", "-engine=llvm", "-data="+files.data, "-points="+files.points, files.model, "-o", ours)
		if err != nil {
			return err
		}
		o = min(o, c.wall.Seconds())
		x, err := alone()
		if err != nil {
			return err
		}
		f = min(f, x)
		if numpy == nil {
			continue
		}
		q, err := numpy()
		if err != nil {
			return fmt.Errorf("the peer fails: %w", err)
		}
		p.process, p.densities = min(p.process, q.process), min(p.densities, q.densities)
	}
	what := fmt.Sprintf("%s points, %s rows, %s groups", count(points), count(rows), count(groups))
	if numpy == nil {
		b.table.Add(report.Row{Group: "points", What: what, Unit: "s", Ours: o, Note: "peer missing: needs python3-numpy"})
	} else {
		if err := sameDensities(ours, theirs); err != nil {
			return err
		}
		b.table.Compare("points", what+", beside numpy", "s", o, p.process, 0.8, "<= 0.8")
		b.table.Compare("points", "  beside numpy without reading", "s", o, p.densities, 0.8, "<= 0.8")
	}
	b.table.Compare("points", "  beside the function alone", "s", o, f, 1.1, "<= 1.1")
	return nil
}

var inf = math.Inf(1)

// numpyTimes are the seconds of the peer, and those of its densities without reading.
type numpyTimes struct{ process, densities float64 }

// numpy runs the peer; nil where there is none.
func (b *bench) numpy(files mixedFiles, out string) func() (numpyTimes, error) {
	root, err := repository()
	if err != nil || exec.CommandContext(b.ctx, python, "-c", "import numpy").Run() != nil {
		return nil
	}
	return func() (t numpyTimes, err error) {
		start := time.Now()
		text, err := exec.CommandContext(b.ctx, python, filepath.Join(root, "tests/bench/peers/glmm.py"), files.data, files.points, out).Output()
		t.process = time.Since(start).Seconds()
		if err != nil {
			return t, err
		}
		t.densities, err = strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
		return t, err
	}
}

type mixedFiles struct{ model, data, points string }

// mixedFiles writes the model, its data and the points, the same at each run.
func (b *bench) mixedFiles(rows, groups, points int) (f mixedFiles, err error) {
	r := rand.New(rand.NewPCG(1, 2))
	list := func(w *bufio.Writer, n int, x func() float64) {
		for i := range n {
			if i > 0 {
				w.WriteByte(',')
			}
			w.WriteString(spell(x()))
		}
	}
	write := func(name string, fill func(*bufio.Writer)) string {
		path := filepath.Join(b.dir, name)
		file, e := os.Create(path)
		if e != nil {
			err = e
			return path
		}
		w := bufio.NewWriter(file)
		fill(w)
		if e := w.Flush(); e != nil {
			err = e
		}
		if e := file.Close(); e != nil {
			err = e
		}
		return path
	}
	f.model = write("mixed.bug", func(w *bufio.Writer) { w.WriteString(mixed) })
	f.data = write("mixed-data.json", func(w *bufio.Writer) {
		fmt.Fprintf(w, `{"N":%d,"J":%d,"x":[`, rows, groups)
		list(w, rows, r.NormFloat64)
		w.WriteString(`],"g":[`)
		list(w, rows, func() float64 { return float64(1 + r.IntN(groups)) })
		w.WriteString(`],"y":[`)
		list(w, rows, func() float64 { return float64(r.IntN(2)) })
		w.WriteString("]}\n")
	})
	f.points = write("mixed-points.json", func(w *bufio.Writer) {
		for range points {
			fmt.Fprintf(w, `{"alpha":%s,"beta":%s,"tau":%s,"u":[`, spell(r.NormFloat64()), spell(r.NormFloat64()), spell(0.5+r.ExpFloat64()))
			list(w, groups, r.NormFloat64)
			w.WriteString("]}\n")
		}
	})
	return f, err
}

// sameDensities compares two files of densities, a line each.
func sameDensities(ours, theirs string) error {
	var lines [2][]string
	for i, path := range []string{ours, theirs} {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines[i] = strings.Fields(string(data))
	}
	if len(lines[0]) != len(lines[1]) {
		return fmt.Errorf("%d densities, and %d of the peer", len(lines[0]), len(lines[1]))
	}
	for i := range lines[0] {
		x, err := strconv.ParseFloat(lines[0][i], 64)
		if err != nil {
			return err
		}
		y, err := strconv.ParseFloat(lines[1][i], 64)
		if err != nil {
			return err
		}
		if !(math.Abs(x-y) <= 1e-9*math.Abs(y)) {
			return fmt.Errorf("the densities differ at point %d: ours %v, the peer's %v", i+1, x, y)
		}
	}
	return nil
}

// mixedAlone gives what measures the seconds of so many calls of the compiled function
// at the first point, in a loop of native code.
func (b *bench) mixedAlone(files mixedFiles, calls int) (run func() (float64, error), stop func() error, err error) {
	p, st, err := lowerMixed(files)
	if err != nil {
		return nil, nil, err
	}
	args, setup, err := p.Args(density.Point{State: st})
	if err != nil {
		return nil, nil, err
	}
	child, err := jit.Start(b.ctx, jit.ChildOptions{})
	if err != nil {
		return nil, nil, err // libLLVM is missing: it says so
	}
	defer func() {
		if err != nil {
			child.Close()
		}
	}()
	slots, err := b.slots(child, args)
	if err != nil {
		return nil, nil, err
	}
	host := target.Host()
	mod, err := llvm.Emit(p.Lowered, llvm.Options{Target: host, Thunks: true})
	if err != nil {
		return nil, nil, err
	}
	code, err := child.Compile(b.ctx, mod.Text(), jit.Options{Level: jit.O3, CPU: host.CPU, Features: strings.Join(host.Features, ","), Externs: mod.Externs()})
	if err != nil {
		return nil, nil, err
	}
	if setup != "" {
		if _, err = code.Call(b.ctx, mod.Func(setup).Thunk, slots, 0); err != nil {
			return nil, nil, err
		}
	}
	return func() (float64, error) {
		res, _, err := code.CallMany(b.ctx, jit.Call{Symbol: mod.Func(density.Symbol).Thunk, Args: slots, Results: 3}, calls)
		if err == nil && res.Status != 0 {
			err = fmt.Errorf("the density traps: code %d", res.Status)
		}
		return res.Wall.Seconds(), err
	}, child.Close, nil
}

// lowerMixed is the lowered model and its first point.
func lowerMixed(files mixedFiles) (*density.Program, eval.State, error) {
	text, err := os.ReadFile(files.data)
	if err != nil {
		return nil, nil, err
	}
	prog, l1 := syntax.Parse(diag.NewSource(files.model, mixed), syntax.Options{})
	data, l2 := input.ParseData(diag.NewSource(files.data, string(text)), input.Unknown)
	if err := errors.Join(l1.Err(), l2.Err()); err != nil {
		return nil, nil, err
	}
	m, list := bugs.Analyze(prog, data, bugs.Options{})
	if err := list.Err(); err != nil {
		return nil, nil, err
	}
	p, err := density.Lower(bugsContext(), m, density.Options{Target: target.Host()})
	if err != nil {
		return nil, nil, err
	}
	in, err := os.Open(files.points)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	first, list, err := input.NewPointReader(files.points, in, false).Next()
	if err := errors.Join(err, list.Err()); err != nil {
		return nil, nil, err
	}
	st, _, list := p.Point(first.Data, false)
	return p, st, list.Err()
}
