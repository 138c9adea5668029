package emitted

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/c"
	"github.com/irc-lang/irc/backends/golang"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/random"
)

var (
	programs  = flag.Int("programs", 8, "how many random programs are printed as C, compiled and run")
	inGoToo   = flag.Int("goprograms", 50, "how many are printed as Go, compiled and run")
	firstSeed = flag.Uint64("seed", 0, "the first seed")
)

// config varies the shape of programs with the seed. What C lacks is left out but for some:
// those are refused.
func config(seed uint64) irtest.Config {
	return irtest.Config{Ops: []int{10, 25, 40, 80}[seed%4], Traps: seed%5 == 0, Wide: seed%8 == 7, Poison: seed%7 == 3, Guarded: seed%2 == 1, Vars: seed%3 == 1, Narrow: seed%25 == 24,
		NoPrint: true, Name: "p_"}
}

// Random programs do in C what they mean.
func TestRandomC(t *testing.T) {
	needCompiler(t)
	var ended, trapped, refused int
	for seed := *firstSeed; seed < *firstSeed+uint64(*programs); seed++ {
		p := irtest.New(seed, config(seed))
		ctx := ir.NewContext(dialects.All...)
		read := func(verbatim bool) *ir.Graph {
			g, list := text.Parse(ctx, diag.NewSource("program.mlir", p.Text), text.Options{Verbatim: verbatim})
			if err := list.Err(); err != nil {
				t.Fatal(err)
			}
			return ir.Settle(g)
		}
		want, err := random.Interpret(read(true), p, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		g := read(false)
		src, err := printed(t, g, c.Options{Freestanding: seed%3 == 2})
		var op *ir.OpError
		if errors.As(err, &op) {
			refused++
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if want.Trap != "" { // it means nothing, but it is C
			trapped++
		}
		m, err := interp.New(g, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Resolve(p.Entry)
		if err != nil {
			t.Fatal(err)
		}
		args, err := random.Args(ctx, m, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := call{p.Entry, f.Params, f.Results, args}.run(t, ctx, src)
		switch {
		case err != nil && (want.Trap == "" || !errors.Is(err, errUndefined)):
			t.Fatalf("seed %d: %v\n%s\n%s", seed, err, p.Text, src)
		case want.Trap == "":
			ended++
			want.Kept, got.Kept = 0, 0
			if !got.Refines(want) {
				t.Fatalf("seed %d: got  %v\nwant %v\n%s\n%s", seed, got, want, p.Text, src)
			}
		case got.Trap != "" && !strings.HasPrefix(got.Trap, "irc: "):
			t.Fatalf("seed %d: %v", seed, got)
		}
	}
	t.Logf("%d programs ended, %d trapped, %d refused", ended, trapped, refused)
	if ended < *programs/2 {
		t.Errorf("only %d of %d programs ran", ended, *programs)
	}
}

const (
	together = 25  // programs that are one module
	atOnce   = 500 // programs that are one build
)

// Random programs do in Go what they mean: many are one module, and many modules one build. Those of
// which something is no Go are left out.
func TestRandomGo(t *testing.T) {
	var ended, trapped, refused int
	for from := 0; from < *inGoToo; from += atOnce {
		var b batch
		var cases []randomCase
		for at := from; at < min(from+atOnce, *inGoToo); at += together {
			list, out := goModule(t, &b, *firstSeed+uint64(at), min(together, *inGoToo-at))
			cases, refused = append(cases, list...), refused+out
		}
		for i, got := range b.run(t) {
			p := cases[i]
			if p.want.Trap != "" { // it means nothing, but it is Go
				trapped++
				continue
			}
			ended++
			p.want.Kept, got.Kept = 0, 0
			if !got.Refines(p.want) {
				t.Fatalf("seed %d: got  %v\nwant %v\n%s\n%s", p.seed, got, p.want, p.text, goOf(t, p.text))
			}
		}
	}
	t.Logf("%d programs ended, %d trapped, %d refused", ended, trapped, refused)
	if ended < *inGoToo/2 {
		t.Errorf("only %d of %d programs ran", ended, *inGoToo)
	}
}

// A randomCase is a program and what it means.
type randomCase struct {
	seed uint64
	text string
	want random.Outcome
}

func parsed(t *testing.T, ctx *ir.Context, src string, verbatim bool) *ir.Graph {
	t.Helper()
	g, list := text.Parse(ctx, diag.NewSource("program.mlir", src), text.Options{Verbatim: verbatim})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return ir.Settle(g)
}

// goOf is a program in Go.
func goOf(t *testing.T, src string) string {
	out, err := printedGo(t, parsed(t, ir.NewContext(dialects.All...), src, false), golang.Options{})
	if err != nil {
		return err.Error()
	}
	return out
}

// goModule adds a module of programs to a batch, and a call of each; the answer is what they mean, and
// how many are no Go.
func goModule(t *testing.T, b *batch, seed uint64, n int) (cases []randomCase, refused int) {
	t.Helper()
	const head, tail = "\"builtin.module\"() ({\n", "}) : () -> ()\n"
	var all strings.Builder
	all.WriteString(head)
	var ps []*irtest.Program
	for s := seed; s < seed+uint64(n); s++ {
		conf := config(s)
		conf.Name = fmt.Sprintf("p%d_", s)
		p := irtest.New(s, conf)
		ctx := ir.NewContext(dialects.All...)
		want, err := random.Interpret(parsed(t, ctx, p.Text, true), p, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var op *ir.OpError
		if _, err := printedGo(t, parsed(t, ctx, p.Text, false), golang.Options{}); errors.As(err, &op) {
			refused++
			continue
		} else if err != nil {
			t.Fatalf("seed %d: %v", s, err)
		}
		ps, cases = append(ps, p), append(cases, randomCase{s, p.Text, want})
		all.WriteString(strings.TrimSuffix(strings.TrimPrefix(p.Text, head), tail))
	}
	ctx := ir.NewContext(dialects.All...)
	g := parsed(t, ctx, all.String()+tail, false)
	src, err := printedGo(t, g, golang.Options{Package: fmt.Sprintf("p%d", len(b.texts))})
	if err != nil {
		t.Fatal(err)
	}
	pkg := b.add(src)
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		f, err := m.Resolve(p.Entry)
		if err != nil {
			t.Fatal(err)
		}
		args, err := random.Args(ctx, m, p)
		if err != nil {
			t.Fatal(err)
		}
		b.call(ctx, pkg, call{p.Entry, f.Params, f.Results, args})
	}
	return cases, refused
}
