package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tests/bench/report"
)

// bugsEnv marks a process that compiles one BUGS model; it names the model, the data,
// and the file for the times.
const bugsEnv = "IRC_BENCH_BUGS"

// bugsTimes are seconds.
type bugsTimes struct {
	Read    float64 // the data, from the file to arrays
	Compile float64 // from the model's text and the arrays to the lowered density, without memory for parameters
}

// bugsChild compiles a model, down to the lowered density and its arguments.
func bugsChild() {
	names := strings.Split(os.Getenv(bugsEnv), "\n")
	f, err := compileOnce(names[0], names[1])
	if err == nil {
		var text []byte
		if text, err = json.Marshal(f); err == nil {
			err = os.WriteFile(names[2], text, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func compileOnce(program, data string) (f bugsTimes, err error) {
	source := func(name string) *diag.Source {
		text, e := os.ReadFile(name)
		if e != nil && err == nil {
			err = e
		}
		return diag.NewSource(name, string(text))
	}
	start := time.Now()
	values, list := input.ParseData(source(data), input.Unknown)
	f.Read = time.Since(start).Seconds()
	if err != nil || list.Err() != nil {
		return f, fmt.Errorf("%w %v", err, list)
	}
	start = time.Now()
	prog, list := syntax.Parse(source(program), syntax.Options{})
	if err != nil || list.Err() != nil {
		return f, fmt.Errorf("%w %v", err, list)
	}
	m, list := bugs.Analyze(prog, values, bugs.Options{})
	if list.Err() != nil {
		return f, list
	}
	m.Counts()
	all := dialects.All
	if ir.NewContext(all...).Dialect(bugs.Dialect.Name) == nil {
		all = append(append([]*ir.Dialect(nil), all...), bugs.Dialect)
	}
	ctx := ir.NewContext(all...)
	_, err = density.Lower(ctx, m, density.Options{})
	f.Compile = time.Since(start).Seconds()
	return f, err
}

// compileBUGS is the best of several compilations, each in a process of its own.
func (b *bench) compileBUGS(program, data string, runs int) (best bugsTimes, peak int64, err error) {
	exe, err := os.Executable()
	if err != nil {
		return best, 0, err
	}
	out := filepath.Join(b.dir, "times.json")
	for i := range runs {
		c, err := b.measure([]string{bugsEnv + "=" + strings.Join([]string{program, data, out}, "\n"), measureEnv + "="}, exe)
		if err != nil {
			return best, 0, err
		}
		text, err := os.ReadFile(out)
		if err != nil {
			return best, 0, err
		}
		var f bugsTimes
		if err := json.Unmarshal(text, &f); err != nil {
			return best, 0, err
		}
		if i == 0 {
			best, peak = f, c.rss
		}
		best.Read, best.Compile, peak = min(best.Read, f.Read), min(best.Compile, f.Compile), min(peak, c.rss)
	}
	return best, peak, nil
}

// ratsShape is the model of Rats; JAGS reads it too.
const ratsShape = `model {
  for (i in 1:N) {
    for (j in 1:T) {
      Y[i,j] ~ dnorm(mu[i,j], tau.c)
      mu[i,j] <- alpha[i] + beta[i] * (x[j] - xbar)
    }
    alpha[i] ~ dnorm(alpha.c, alpha.tau)
    beta[i] ~ dnorm(beta.c, beta.tau)
  }
  tau.c ~ dgamma(0.001, 0.001)
  sigma <- 1 / sqrt(tau.c)
  alpha.c ~ dnorm(0, 1.0E-6)
  alpha.tau ~ dgamma(0.001, 0.001)
  beta.c ~ dnorm(0, 1.0E-6)
  beta.tau ~ dgamma(0.001, 0.001)
  alpha0 <- alpha.c - xbar * beta.c
}
`

const indexShape = `model {
  for (i in 1:N) { y[i] ~ dnorm(a[b[i]], tau) }
  for (j in 1:J) { a[j] ~ dnorm(0, 0.01) }
  tau ~ dgamma(0.001, 0.001)
}
`

// ratsData writes n rows of five measurements, as JSON or as an R dump.
func ratsData(w *bufio.Writer, n int, dump bool) {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	fmt.Fprintf(w, map[bool]string{false: `{"N": %d, "T": 5, "x": [8, 15, 22, 29, 36], "xbar": 22, "Y": [`,
		true: "N <- %d\nT <- 5\nx <- c(8, 15, 22, 29, 36)\nxbar <- 22\nY <- structure(c("}[dump], n)
	for i := range n {
		for j := range 5 {
			switch {
			case i+j > 0 && (dump || j > 0):
				w.WriteString(", ")
			case i > 0:
				w.WriteString("],\n[")
			case !dump:
				w.WriteString("[")
			}
			fmt.Fprintf(w, "%.1f", 240+30*rng.NormFloat64())
		}
	}
	fmt.Fprintf(w, map[bool]string{false: "]]}\n", true: "), .Dim = c(%d, 5))\n"}[dump], map[bool][]any{true: {n}}[dump]...)
}

// indexData writes n observations of 1000 groups.
func indexData(w *bufio.Writer, n int) {
	rng := rand.New(rand.NewPCG(2, uint64(n)))
	fmt.Fprintf(w, `{"N": %d, "J": 1000, "b": [1`, n)
	for range n - 1 {
		fmt.Fprintf(w, ",%d", 1+rng.IntN(1000))
	}
	w.WriteString("],\n\"y\": [0")
	for range n - 1 {
		fmt.Fprintf(w, ",%.3f", 2*rng.NormFloat64())
	}
	w.WriteString("]}\n")
}

// jagsCompile is what JAGS takes for a model and an R dump of its data: to read the
// data, to compile, and its peak memory.
func (b *bench) jagsCompile(program, data string) (f bugsTimes, peak int64, err error) {
	jags, err := exec.LookPath("jags")
	if err != nil {
		return f, 0, err
	}
	script := filepath.Join(b.dir, "script.cmd")
	run := func(compile string) (cost, error) {
		text := fmt.Sprintf("model in %q\ndata in %q\n%sexit\n", program, data, compile)
		if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
			return cost{}, err
		}
		return b.measure(nil, jags, script)
	}
	read, err := run("")
	if err != nil {
		return f, 0, err
	}
	all, err := run("compile\n")
	return bugsTimes{read.wall.Seconds(), all.wall.Seconds() - read.wall.Seconds()}, all.rss, err
}

// bugsCompile measures compile time and memory by the number of observations.
func (b *bench) bugsCompile() error {
	program, err := b.write("rats-shape", func(w *bufio.Writer) { w.WriteString(ratsShape) })
	if err != nil {
		return err
	}
	first := 0.0
	for _, n := range []int{b.size(1000), b.size(100_000), b.size(10_000_000)} {
		if err := b.ratsOfRows(program, n, &first); err != nil {
			return err
		}
	}
	return b.indexed()
}

func (b *bench) ratsOfRows(program string, n int, first *float64) error {
	data, err := b.write(fmt.Sprintf("rats%d", n), func(w *bufio.Writer) { ratsData(w, n, false) })
	if err != nil {
		return err
	}
	ours, peak, err := b.compileBUGS(program, data, 3)
	if err != nil {
		return err
	}
	var theirs bugsTimes
	var theirPeak int64
	note := ""
	if n <= 100_000 {
		var dump string
		if dump, err = b.write(fmt.Sprintf("rats%dR", n), func(w *bufio.Writer) { ratsData(w, n, true) }); err == nil {
			theirs, theirPeak, err = b.jagsCompile(program, dump)
		}
		if err != nil {
			note = "peer missing: " + firstLine(err.Error())
		}
	} else {
		note = "JAGS takes 9 GB a million rows: not run"
	}
	what := "Rats-shaped, " + count(n) + " rows: compile"
	row := report.Row{Group: "bugs-compile", What: what, Unit: "ms", Ours: ours.Compile * 1e3, Peer: theirs.Compile * 1e3, Note: note}
	if *first == 0 {
		*first = ours.Compile
	} else {
		row.Target = "flat"
		ok := ours.Compile < 2**first+2e-3
		row.Met = &ok
	}
	if theirs.Compile > 0 {
		row.Ratio = ours.Compile / theirs.Compile
	}
	b.table.Add(row)
	b.table.Add(report.Row{Group: "bugs-compile", What: "  reading the data", Unit: "s", Ours: ours.Read, Peer: theirs.Read})
	memory := report.Row{Group: "bugs-compile", What: "  peak memory", Unit: "MB", Ours: float64(peak) / 1e6, Peer: float64(theirPeak) / 1e6}
	if n >= 1_000_000 {
		memory.Target = "< 2000 MB"
		ok := peak < 2_000_000_000
		memory.Met = &ok
	}
	b.table.Add(memory)
	return nil
}

// indexed measures indices that come from the data, at two sizes.
func (b *bench) indexed() error {
	program, err := b.write("index-shape", func(w *bufio.Writer) { w.WriteString(indexShape) })
	if err != nil {
		return err
	}
	var per [2]float64
	for i, n := range []int{b.size(1_000_000), b.size(10_000_000)} {
		data, err := b.write(fmt.Sprintf("index%d", n), func(w *bufio.Writer) { indexData(w, n) })
		if err != nil {
			return err
		}
		f, peak, err := b.compileBUGS(program, data, 3)
		if err != nil {
			return err
		}
		if per[i] = (f.Read + f.Compile) / float64(n); i == 0 {
			continue
		}
		what := "y[i] ~ dnorm(a[b[i]], tau), N = " + count(n)
		b.table.Absolute("bugs-compile", what+": read, compile", "s", f.Read+f.Compile, f.Read+f.Compile < 3, "< 3 s")
		b.table.Add(report.Row{Group: "bugs-compile", What: "  compile alone", Unit: "s", Ours: f.Compile})
		b.table.Add(report.Row{Group: "bugs-compile", What: "  peak memory", Unit: "MB", Ours: float64(peak) / 1e6})
	}
	b.table.Compare("bugs-compile", "  an observation, beside a tenth of them", "ns", per[1]*1e9, per[0]*1e9, 2, "linear: < 2")
	return nil
}
