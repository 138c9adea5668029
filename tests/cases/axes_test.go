package cases

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// A program and what is required of it on each axis.
type program struct {
	id, src  string
	make     func(c *ir.Context) *ir.Graph // in the place of src
	pipeline string                        // "" is fuse and canonicalize
	runs     [][2]string                   // V: arguments of @f, what it prints and gives
	static   string                        // S: "loop.for 1, collect 0" of ops, and of generators
	placed   string                        // P: "muli for, emit for/if", see irtest.Placed
	ran      string                        // D: "arith.muli 100", of the first arguments
	says     []string                      // what remarks have
}

// build reads the program; verbatim, as it is written.
func (p program) build(t *testing.T, verbatim bool) *ir.Graph {
	t.Helper()
	c := ir.NewContext(dialects.All...)
	if p.make != nil {
		return ir.Settle(p.make(c))
	}
	g, list := text.Parse(c, diag.NewSource("case.mlir", p.src), text.Options{Verbatim: verbatim})
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, numbered(p.src))
	}
	if verbatim {
		return g
	}
	return ir.Settle(g)
}

func numbered(src string) string {
	lines := strings.Split(src, "\n")
	for i := range lines {
		lines[i] = fmt.Sprintf("%3d %s", i+1, lines[i])
	}
	return strings.Join(lines, "\n")
}

func show(g *ir.Graph) string { return text.String(g, text.PrintOptions{}) }

// transformed runs the pipeline with every check on, and returns its remarks. The target is the
// interpreter, so that what pays is the same on every machine.
func (p program) transformed(t *testing.T, g *ir.Graph) (*ir.Graph, string) {
	t.Helper()
	pipeline := p.pipeline
	if pipeline == "" {
		pipeline = "fuse,canonicalize"
	}
	list, err := pass.Parse(pipeline, passes.All())
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	m := &pass.Manager{VerifyEach: true, Count: true, Target: target.Interp(), Remark: func(_, text string) { said = append(said, text) }}
	if p.src != "" {
		m.Line = func(at ir.Loc) int { return 1 + strings.Count(p.src[:at-1], "\n") }
	}
	n, err := m.Run(context.Background(), g, list)
	if err != nil {
		t.Fatal(err)
	}
	return n, strings.Join(said, "\n")
}

// counted lists of each name in want how often it occurs.
func counted(want string, n func(name string) int64) string {
	var out []string
	for _, x := range strings.Split(want, ", ") {
		name, _, _ := strings.Cut(x, " ")
		out = append(out, fmt.Sprintf("%s %d", name, n(name)))
	}
	return strings.Join(out, ", ")
}

// census counts the ops of a program by name, and the generators of its loops by kind.
func census(g *ir.Graph, count map[string]int64) {
	for v := range ir.ScheduleOf(g).All() {
		count[g.Def(v).Name]++
		for _, c := range g.Children(v) {
			census(c, count)
		}
		if g.Def(v) == loop.For {
			generators(loop.Generators(g.NodeOf(v)), count)
		}
	}
}

func generators(list []loop.Generator, count map[string]int64) {
	for _, x := range list {
		count[x.Kind.String()]++
		generators(x.Inner, count)
	}
}

// judge wants of a program what it says, on all four axes.
func judge(t *testing.T, p program) {
	t.Helper()
	if len(p.runs) == 0 || p.static == "" || p.placed == "" || p.ran == "" {
		t.Fatalf("%s is not judged on every axis", p.id)
	}
	asBuilt := p.build(t, false)
	final, said := p.transformed(t, asBuilt)
	p.values(t, asBuilt, final)
	count := map[string]int64{}
	census(final, count)
	axis := func(name, got, want string) {
		if got != want {
			t.Errorf("%s: %s\n got %s\nwant %s\n%s\nof\n%s", p.id, name, got, want, show(final), numbered(p.src))
		}
	}
	axis("static counts", counted(p.static, func(name string) int64 { return count[name] }), p.static)
	axis("placement", irtest.Placed(final, p.placed), p.placed)
	_, ran := built.Outcome(t, final, p.runs[0][0])
	axis("dynamic counts", counted(p.ran, func(name string) (n int64) {
		for d, k := range ran {
			if d.Name == name {
				n += k
			}
		}
		return n
	}), p.ran)
	for _, s := range p.says {
		if !strings.Contains(said, s) {
			t.Errorf("%s: says\n%s\nwithout %q\n%s", p.id, said, s, numbered(p.src))
		}
	}
}

// values runs a program as it is written, as it is built, transformed, and taken down.
func (p program) values(t *testing.T, asBuilt, final *ir.Graph) {
	t.Helper()
	levels := map[string]func(args string) string{}
	graph := func(name string, g *ir.Graph) {
		levels[name] = func(args string) string { out, _ := built.Outcome(t, g, args); return out }
	}
	graph("built", asBuilt)
	graph("transformed", final)
	if p.make == nil {
		graph("as written", p.build(t, true))
	}
	e := built.Start(t, engine.Eval)
	defer e.Close()
	g := p.build(t, false)
	lowered, err := built.Prepare(t.Context(), e, g)
	if err != nil {
		t.Fatal(err)
	}
	levels["lowered"] = func(args string) string {
		out, _, err := built.Call(t.Context(), lowered, g, "f", args)
		if err != nil {
			return err.Error()
		}
		return out
	}
	for _, run := range p.runs {
		for name, f := range levels {
			if got := f(run[0]); got != run[1] && run[1] != "trap" {
				t.Errorf("%s: @f of %s, %s:\n got %s\nwant %s", p.id, run[0], name, got, run[1])
			}
		}
	}
}

func judgeAll(t *testing.T, list []program) {
	for _, p := range list {
		t.Run(p.id, func(t *testing.T) { judge(t, p) })
	}
}
