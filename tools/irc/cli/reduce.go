package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// reduceFile shrinks an input while -check fails on it: IR op by op, so that it
// stays valid; whatever does not read, and models, line by line.
func reduceFile(s *session) error {
	if s.str("check") == "" {
		return usagef("write irc reduce -check='CMD {}' FILE; CMD must fail (exit status not 0) on what is worth keeping", "no -check is given")
	}
	src, kind, err := s.input()
	if err != nil {
		return err
	}
	r := &reducer{s: s, ext: filepath.Ext(src.Name)}
	if r.ext == "" {
		r.ext = map[string]string{kindIR: ".mlir", kindBUGS: ".bug"}[kind]
	}
	if !r.fails(src.Text) {
		return fmt.Errorf("the check does not fail on '%s' as it is: there is nothing to reduce", src.Name)
	}
	best := src.Text
	if kind == kindIR {
		best = r.graphs(src, best)
	}
	best = r.lines(best)
	s.progressEnd()
	s.sayf("%d checks, %d bytes to %d", r.checks, len(src.Text), len(best))
	return s.write([]byte(best))
}

type reducer struct {
	s      *session
	ext    string
	checks int
	seen   map[string]bool
}

// fails reports that the check fails on a text. Nothing is checked twice, or
// after the time is up.
func (r *reducer) fails(text string) bool {
	if r.s.ctx.Err() != nil || r.seen[text] {
		return false
	}
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	r.seen[text] = true
	r.checks++
	r.s.progress("reduce: check %d, %d bytes", r.checks, len(text))
	f, err := os.CreateTemp("", "irc-reduce-*"+r.ext)
	if err != nil {
		return false
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if cerr := f.Close(); err != nil || cerr != nil {
		return false
	}
	command := r.s.str("check")
	if strings.Contains(command, "{}") {
		command = strings.ReplaceAll(command, "{}", "'"+f.Name()+"'")
	} else {
		command += " '" + f.Name() + "'"
	}
	cmd := exec.CommandContext(r.s.ctx, "sh", "-c", command)
	cmd.Stdout, cmd.Stderr = nil, nil
	err = cmd.Run()
	return err != nil && r.s.ctx.Err() == nil
}

// graphs removes ops from a program that reads, in halves, quarters and so on,
// as long as the printed result still fails.
func (r *reducer) graphs(src *diag.Source, best string) string {
	g := r.parse(best, src.Name)
	if g == nil {
		return best
	}
	if t, err := r.s.printIR(g, nil, false); err != nil || !(t == best || r.fails(t)) {
		return best // it fails only as it is written
	}
	for changed := true; changed; {
		changed = false
		for size := len(removable(g)); size > 0; size /= 2 {
			for i := 0; ; i += size {
				ops := removable(g)
				if i >= len(ops) {
					break
				}
				n, t := r.without(g, ops[i:min(i+size, len(ops))], src.Name)
				if n != nil && len(t) < len(best) && r.fails(t) {
					g, best, changed = n, t, true
					i -= size
				}
			}
		}
	}
	return best
}

// parse reads a candidate; nil if it does not read or is not right.
func (r *reducer) parse(t, name string) *ir.Graph {
	g, list := r.s.parseIR(r.s.newContext(), diag.NewSource(name, t))
	if list.Err() != nil {
		return nil
	}
	return g
}

// removable lists the ops of a graph and of all graphs in it, last ones first:
// users go before what they use.
func removable(g *ir.Graph) (out []ir.Node) {
	ir.NewSchedule(g, ir.ScheduleOptions{}).Walk(func(v ir.Value) {
		if !g.Def(v).Has(ir.Terminator) && !g.Def(v).Has(ir.ConstantLike) {
			out = append([]ir.Node{g.NodeOf(v)}, out...)
		}
		for _, c := range g.Children(v) {
			out = append(removable(c), out...)
		}
	})
	return out
}

// without rebuilds a graph without some ops: what they gave is zero, or an
// operand of the same type. The result is read again from its text, so that
// what is written is what was checked.
func (r *reducer) without(g *ir.Graph, ops []ir.Node, name string) (n *ir.Graph, t string) {
	defer func() {
		if recover() != nil {
			n = nil
		}
	}()
	drop := map[ir.Node]bool{}
	rules := ir.Rules{}
	for _, op := range ops {
		drop[op] = true
		rules[op.Def()] = func(m *ir.Mirror, n ir.Node) ir.Value {
			if !drop[n] {
				return 0
			}
			return standIn(m, n)
		}
	}
	n = ir.Rewrite(g.Ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), rules, nil)
	t, err := r.s.printIR(n, nil, false)
	if err != nil {
		return nil, ""
	}
	return r.parse(t, name), t
}

// standIn makes values in the place of an op's results; 0 if there are none.
func standIn(m *ir.Mirror, n ir.Node) ir.Value {
	var out []ir.Value
	c := n.Graph().Ctx
	for _, t := range c.Results(n.Type()) {
		v := ir.Value(0)
		for _, a := range n.Args() {
			if a.Type() == t && v == 0 {
				v = m.Of(a)
			}
		}
		if v == 0 && (c.IsInt(t) || c.IsFloat(t)) && c.Info(t).Width <= 64 {
			v = m.B.Const(t, ir.Val{})
		}
		if v == 0 {
			return 0
		}
		out = append(out, v)
	}
	return m.B.Pack(out...)
}

// lines removes runs of lines, long ones first.
func (r *reducer) lines(best string) string {
	for changed := true; changed; {
		changed = false
		all := strings.SplitAfter(best, "\n")
		for size := len(all); size > 0; size /= 2 {
			for i := 0; i < len(all); {
				end := min(i+size, len(all))
				var b bytes.Buffer
				for _, l := range append(append([]string{}, all[:i]...), all[end:]...) {
					b.WriteString(l)
				}
				if b.Len() < len(best) && r.fails(b.String()) {
					best, changed = b.String(), true
					all = append(append([]string{}, all[:i]...), all[end:]...)
				} else {
					i = end
				}
			}
		}
	}
	return best
}
