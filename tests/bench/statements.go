package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/irc-lang/irc/tests/bench/report"
)

// A statementShape is a family of BUGS models without a long loop: as many statements as are asked for, of some few
// forms that are written out again and again.
type statementShape struct {
	name string
	head string                       // statements that stand there once
	each int                          // statements that write makes
	text string                       // of these: {k} is their number, {j} the one before
	data func(w *bufio.Writer, n int) // of n times these statements, as JSON
}

var statementShapes = []statementShape{
	{"scalars", "tau ~ dgamma(1, 1)\nb ~ dnorm(0, 0.01)\n", 3,
		"a{k} ~ dnorm(b, 1)\nm{k} <- a{k} + b * x[{k}]\ny[{k}] ~ dnorm(m{k}, tau)\n", columnsOf("x", "y")},
	{"elements", "tau ~ dgamma(1, 1)\nb ~ dnorm(0, 0.01)\n", 1, "z[{k}] ~ dnorm(b, tau)\n", columnsOf()},
	{"recursion", "tau ~ dgamma(1, 1)\nm[1] <- 0.5\n", 2, "m[{k} + 1] <- 0.9 * m[{k}] + x[{k}]\ny[{k}] ~ dnorm(m[{k}], tau)\n", columnsOf("x", "y")},
	{"series", "tau ~ dgamma(1, 1)\na[1] ~ dnorm(0, 1)\n", 1, "a[{k} + 1] ~ dnorm(a[{k}], tau)\n", columnsOf()},
	{"mixed", "tau ~ dgamma(1, 1)\nb ~ dnorm(0, 0.01)\n", 5,
		"y[{k}] ~ dnorm(b * x[{k}] + a{k}, tau)\nc[{k}] ~ dpois(exp(b + a{k}))\nd[{k}] ~ dbern(ilogit(a{k} - b))\na{k} ~ dnorm(0, 1)\ne{k} ~ dexp(tau)\n",
		columnsOf("x", "y", "c", "d")},
	{"short-loops", "tau ~ dgamma(1, 1)\nb ~ dnorm(0, 0.01)\n", 5,
		"for (i in 1:4) {\na{k}[i] ~ dnorm(b, 1)\nm{k}[i] <- a{k}[i] + b * x[{k}]\ny[{k}, i] ~ dnorm(m{k}[i], tau)\ns{k}[i] <- exp(m{k}[i] / 9)\nc[{k}, i] ~ dpois(s{k}[i])\n}\n",
		rowsOf(4, "y", "c")},
	{"dmnorm", "T[1:2, 1:2] ~ dwish(R[,], 3)\n", 1, "y[{k}, 1:2] ~ dmnorm(mu[], T[,])\n", rowsOf(2, "y")},
	{"dwish", "", 1, "T{k}[1:2, 1:2] ~ dwish(R[,], 3)\n", rowsOf(2)},
	{"dgamma", "b ~ dexp(1)\n", 2, "a{k} ~ dexp(b)\nz[{k}] ~ dgamma(a{k}, b)\n", columnsOf("z")},
	{"shapes", "b ~ dexp(1)\n", 5, "a{k} ~ dexp(b)\nz[{k}] ~ dbeta(a{k}, b)\nt[{k}] ~ dt(a{k}, b, a{k} + b)\nc[{k}] ~ dnegbin(0.5, a{k})\nw[{k}] ~ dweib(a{k}, b)\n",
		columnsOf("z", "t", "c", "w")},
}

// columnsOf writes vectors of as many numbers as there are statements: 0 or 1 for c and d, else between 0 and 1.
func columnsOf(names ...string) func(*bufio.Writer, int) { return rowsOf(1, names...) }

// rowsOf writes matrices of so many columns, and what the statements have in common.
func rowsOf(columns int, names ...string) func(*bufio.Writer, int) {
	return func(w *bufio.Writer, n int) {
		fmt.Fprint(w, `{"R": [[2, 0.5], [0.5, 1]], "mu": [0, 1]`)
		all := names
		if columns > 1 {
			all = append(slices.Clone(names), "x")
		}
		for i, name := range all {
			fmt.Fprintf(w, ",\n\"%s\": [", name)
			for k := range n {
				w.WriteString(map[bool]string{true: ", "}[k > 0])
				if columns == 1 || name == "x" {
					w.WriteString(statementNumber(name, i, k))
					continue
				}
				for c := range columns {
					w.WriteString(map[bool]string{false: "[", true: ", "}[c > 0] + statementNumber(name, i, k*columns+c))
				}
				w.WriteString("]")
			}
			w.WriteString("]")
		}
		w.WriteString("}\n")
	}
}

func statementNumber(name string, i, k int) string {
	if name == "c" || name == "d" {
		return fmt.Sprint(k % 2)
	}
	return fmt.Sprintf("%.3f", (float64((k*7+i*3)%101)+1)/103)
}

// statementFiles writes a model of n statements and its data.
func (b *bench) statementFiles(s statementShape, n int) (program, data string, err error) {
	name := fmt.Sprintf("statements-%s-%d", s.name, n)
	if program, err = b.write(name, func(w *bufio.Writer) {
		w.WriteString("model {\n" + s.head)
		for k := range n / s.each {
			strings.NewReplacer("{k}", fmt.Sprint(k+1)).WriteString(w, s.text)
		}
		w.WriteString("}\n")
	}); err == nil {
		data, err = b.write(name+"-data", func(w *bufio.Writer) { s.data(w, n/s.each) })
	}
	return program, data, err
}

// bugsStatements measures models that are statements without a long loop, by their number: irc logdensity as it runs by
// default, the whole process, and where machine code is asked for.
func (b *bench) bugsStatements() error {
	start, err := b.statementTime(statementShapes[0], 10, "eval")
	if err != nil {
		return err
	}
	for _, s := range statementShapes {
		if !b.wants(s.name) {
			continue
		}
		if err := b.statements(s, start.wall.Seconds()); err != nil {
			return err
		}
	}
	return nil
}

// statements measures a shape; start is what a small model takes.
func (b *bench) statements(s statementShape, start float64) error {
	const group = "bugs-statements"
	few, many := b.size(1_000), b.size(10_000)
	small, err := b.statementTime(s, few, "auto")
	if err != nil {
		return err
	}
	large, err := b.statementTime(s, many, "auto")
	if err != nil {
		return err
	}
	wall := large.wall.Seconds()
	b.table.Absolute(group, fmt.Sprintf("%s, %s statements: irc logdensity", s.name, count(many)), "s", wall, wall < 2, "< 2 s")
	b.table.Compare(group, "  beside a tenth of them, without the start", "s", wall-start, max(small.wall.Seconds()-start, 1e-3), 11, "linear: < 11")
	b.table.Add(report.Row{Group: group, What: "  peak memory", Unit: "MB", Ours: float64(large.rss) / 1e6})
	if slices.Contains([]string{"scalars", "dgamma", "dmnorm"}, s.name) {
		c, err := b.statementTime(s, few, "llvm")
		if err != nil {
			return err
		}
		b.table.Add(report.Row{Group: group, What: fmt.Sprintf("  %s as machine code", count(few)), Unit: "s", Ours: c.wall.Seconds()})
	}
	return nil
}

// statementTime is the best of a few runs of a model of n statements.
func (b *bench) statementTime(s statementShape, n int, engine string) (cost, error) {
	program, data, err := b.statementFiles(s, n)
	if err != nil {
		return cost{}, err
	}
	runs := 3
	if engine == "llvm" {
		runs = 1
	}
	c, _, err := best(runs, func() (cost, error) { return b.measure(nil, b.irc, statementArgs(program, data, engine)...) }, nil)
	return c, err
}

func statementArgs(program, data, engine string) []string {
	return []string{"logdensity", "-x=bugs", program, "-data", data, "-fill-inits=prior", "-engine=" + engine, "-o", os.DevNull}
}
