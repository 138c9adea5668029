package fuse_test

import (
	"context"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

func read(t *testing.T, src string) *ir.Graph {
	t.Helper()
	return ir.Settle(built.Parse(t, src, text.Options{}))
}

// fuse runs the pass, with every check on, and returns what it says of a source.
func fuse(t *testing.T, g *ir.Graph, pipeline, src string) (*ir.Graph, []string) {
	t.Helper()
	p, err := pass.Parse(pipeline, passes.All())
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	m := &pass.Manager{VerifyEach: true, Count: true}
	if src != "" {
		m.Remark = func(_, text string) { said = append(said, text) }
		m.Line = func(at ir.Loc) int { return 1 + strings.Count(src[:at-1], "\n") }
	}
	n, err := m.Run(context.Background(), g, p)
	if err != nil {
		t.Fatal(err)
	}
	return n, said
}

func show(g *ir.Graph) string { return text.String(g, text.PrintOptions{}) }

// static counts the loops of a program, the generators that make arrays, and all.
func static(g *ir.Graph) (loops, arrays, generators int) {
	s := ir.ScheduleOf(g)
	for v := range s.All() {
		for _, c := range g.Children(v) {
			l, a, n := static(c)
			loops, arrays, generators = loops+l, arrays+a, generators+n
		}
		if g.Def(v) != loop.For {
			continue
		}
		loops++
		for _, x := range loop.Generators(g.NodeOf(v)) {
			generators++
			if x.Kind == loop.CollectKind || x.Kind == loop.ScanKind {
				arrays++
			}
		}
	}
	return
}

// A program is one to fuse.
type program struct {
	name, src     string
	args          []string
	want          string // of the first arguments, "" if any
	loops, arrays int
	says          string // a remark has this
}

// check wants the same of a program before and after, and so many loops and arrays.
func check(t *testing.T, p program) {
	t.Helper()
	g := read(t, p.src)
	n, said := fuse(t, g, "fuse", p.src)
	for i, args := range p.args {
		before, _ := built.Outcome(t, g, args)
		after, _ := built.Outcome(t, n, args)
		if before != after && before != "trap" {
			t.Errorf("%s of %s: %s, fused %s\n%s", p.name, args, before, after, show(n))
		}
		if i == 0 && p.want != "" && after != p.want {
			t.Errorf("%s of %s: %s, want %s", p.name, args, after, p.want)
		}
	}
	loops, arrays, _ := static(n)
	if loops != p.loops || arrays != p.arrays {
		t.Errorf("%s: %d loops and %d arrays, want %d and %d\n%s\nof\n%s", p.name, loops, arrays, p.loops, p.arrays, show(n), show(g))
	}
	if !strings.Contains(strings.Join(said, "\n"), p.says) {
		t.Errorf("%s: says\n%s\nwithout %q", p.name, strings.Join(said, "\n"), p.says)
	}
}
