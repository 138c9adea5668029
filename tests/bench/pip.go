package main

import (
	"bufio"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/irc-lang/irc/tests/bench/report"
)

// A pipProblem is a parametric integer program as a set in isl's notation.
type pipProblem struct{ name, text string }

// matrix is a system in PolyLib's format: each row says with its first entry whether
// it is an equation (0) or at least 0 (1); the last entry is the constant.
type matrix [][]int64

// readMatrix reads the two sizes and the rows, # starting a comment.
func readMatrix(lines *[]string) (matrix, error) {
	var rows, cols int
	out := matrix{}
	for len(*lines) > 0 {
		line, _, _ := strings.Cut((*lines)[0], "#")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
		case cols == 0:
			if n, err := fmt.Sscan(line, &rows, &cols); n != 2 {
				return nil, fmt.Errorf("expected the numbers of rows and columns, not %q: %w", line, err)
			}
		default:
			r := make([]int64, cols)
			for i := range r {
				if i >= len(fields) {
					return nil, fmt.Errorf("a row of %d entries, not %d: %q", len(fields), cols, line)
				}
				if _, err := fmt.Sscan(fields[i], &r[i]); err != nil {
					return nil, err
				}
			}
			out = append(out, r)
		}
		if *lines = (*lines)[1:]; cols > 0 && len(out) == rows {
			return append(out, make([]int64, cols))[:len(out)], nil
		}
	}
	return nil, errors.New("the matrix ends early")
}

// columns is the width of a matrix that may have no rows.
func (m matrix) columns() int { return len(m[:len(m)+1][len(m)]) }

// constraints writes the rows over variables.
func (m matrix) constraints(names []string) (out []string) {
	for _, r := range m {
		var b strings.Builder
		fmt.Fprintf(&b, "%d", r[len(r)-1])
		for i, x := range r[1 : len(r)-1] {
			if x != 0 {
				fmt.Fprintf(&b, " %s %d%s", map[bool]string{true: "-", false: "+"}[x < 0], max(x, -x), names[i])
			}
		}
		out = append(out, b.String()+map[int64]string{0: " = 0", 1: " >= 0"}[r[0]])
	}
	return out
}

func named(prefix string, n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("%s%d", prefix, i))
	}
	return out
}

// readPip reads a problem of PipLib's format: context, -1, system, options. Variables
// are at least 0 unless an option says otherwise.
func readPip(name, text string) (pipProblem, error) {
	var lines []string
	for sc := bufio.NewScanner(strings.NewReader(text)); sc.Scan(); {
		lines = append(lines, sc.Text())
	}
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		return pipSets(name, lines)
	}
	context, err := readMatrix(&lines)
	if err != nil {
		return pipProblem{}, fmt.Errorf("%s: %w", name, err)
	}
	for len(lines) > 0 && strings.TrimSpace(lines[0]) != "-1" {
		lines = lines[1:]
	}
	lines = lines[min(1, len(lines)):]
	system, err := readMatrix(&lines)
	if err != nil {
		return pipProblem{}, fmt.Errorf("%s: %w", name, err)
	}
	params := named("p", context.columns()-2)
	vars := named("x", system.columns()-2-len(params))
	all := append(context.constraints(params), system.constraints(append(slices.Clone(vars), params...))...)
	has := func(option string) bool {
		return slices.ContainsFunc(lines, func(l string) bool {
			return strings.HasPrefix(strings.ToLower(strings.TrimSpace(l)), option)
		})
	}
	if !has("urs_parms") {
		for _, x := range params {
			all = append(all, x+" >= 0")
		}
	}
	if !has("urs_unknowns") {
		for _, x := range vars {
			all = append(all, x+" >= 0")
		}
	}
	return pipProblem{name, fmt.Sprintf("[%s] -> { [%s] : %s }", strings.Join(params, ", "), strings.Join(vars, ", "), strings.Join(all, " and "))}, nil
}

// pipSets reads the form with a context and a system in isl's notation, a line each.
// There parameters are at least 0 in the context and dimensions in the system.
func pipSets(name string, lines []string) (pipProblem, error) {
	var sets []string
	for _, l := range lines {
		if strings.HasPrefix(strings.TrimSpace(l), "[") {
			sets = append(sets, l)
		}
	}
	if len(sets) != 2 {
		return pipProblem{}, fmt.Errorf("%s: expected two sets, not %d", name, len(sets))
	}
	body := func(s string) string {
		_, s, _ = strings.Cut(s, ":")
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), "}"))
	}
	head, _, _ := strings.Cut(sets[1], ":")
	dims := head[strings.LastIndex(head, "[")+1 : strings.LastIndex(head, "]")]
	all := []string{"(" + body(sets[0]) + ")", body(sets[1])}
	for _, x := range strings.Split(dims, ",") {
		all = append(all, strings.TrimSpace(x)+" >= 0")
	}
	return pipProblem{name, head + ": " + strings.Join(all, " and ") + " }"}, nil
}

// readPips reads the problems of a copy of isl's source.
func readPips(dir string) ([]pipProblem, error) {
	files, err := filepath.Glob(filepath.Join(dir, "test_inputs", "*.pip"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no test_inputs/*.pip in %s", dir)
	}
	var out []pipProblem
	for _, f := range files {
		text, err := readText(f)
		if err != nil {
			return nil, err
		}
		prob, err := readPip(strings.TrimSuffix(filepath.Base(f), ".pip"), text)
		if err != nil {
			return nil, err
		}
		out = append(out, prob)
	}
	return out, nil
}

// pip times isl's parametric integer programs as lexmin and lexmax beside isl.
func (b *bench) pip() error {
	if b.islSource == "" {
		b.table.Add(report.Row{Group: "pip", What: "parametric integer programs of isl's source", Note: "skipped: -isl-source DIR not given"})
		return nil
	}
	problems, err := readPips(b.islSource)
	if err != nil {
		return err
	}
	peer, err := b.startISL()
	if err != nil {
		return err
	}
	defer peer.close()
	var ours, theirs, worst float64
	n, unbounded, at := 0, 0, ""
	for _, prob := range problems {
		for _, op := range []string{"lexmin", "lexmax"} {
			c := setCase{Op: op, Inputs: []string{prob.text}}
			t, err := peer.time(c.request()...)
			if err != nil {
				unbounded++ // isl has no result
				continue
			}
			if err := c.agrees(peer); err != nil {
				return fmt.Errorf("%s of %s: %w", op, prob.name, err)
			}
			o, err := c.ours()
			if err != nil {
				return fmt.Errorf("%s of %s: %w", op, prob.name, err)
			}
			if b.verbose {
				b.table.Add(report.Row{Group: "pip", What: "  " + op + " of " + prob.name, Unit: "us", Ours: o, Peer: t, Ratio: o / t})
			}
			ours, theirs, n = ours+o, theirs+t, n+1
			if o/t > worst {
				worst, at = o/t, op+" of "+prob.name
			}
		}
	}
	b.table.Compare("pip", fmt.Sprintf("%d integer programs, %d unbounded: sum", n, unbounded), "ms", ours/1e3, theirs/1e3, 2, "<= 2")
	b.table.Compare("pip", "  the worst: "+at, "", worst, 1, 10, "<= 10")
	return nil
}
