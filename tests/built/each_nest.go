package built

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

// A RandomNest is what Nest writes, read, and what it computes.
type RandomNest struct {
	Seed      uint64
	Graph     *ir.Graph
	Want      string // what is in the arguments after a call, or why that ends
	src, args string
}

// EachNest calls f with n random nests and counts those for which it says yes. If f ends the test, the
// log has the seed.
func EachNest(t *testing.T, n int, first uint64, f func(p *RandomNest) bool) (count int) {
	t.Helper()
	return each(t, n, first, Nest, f)
}

// EachLoops is EachNest with what Loops writes.
func EachLoops(t *testing.T, n int, first uint64, f func(p *RandomNest) bool) (count int) {
	t.Helper()
	return each(t, n, first, Loops, f)
}

func each(t *testing.T, n int, first uint64, write func(seed uint64) (text, args string), f func(p *RandomNest) bool) (count int) {
	t.Helper()
	p := &RandomNest{}
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", p.Seed)
		}
	}()
	for i := range uint64(n) {
		p = &RandomNest{Seed: first + i}
		p.src, p.args = write(p.Seed)
		p.Graph = Parse(t, p.src, text.Options{})
		p.Want = After(t, p.Graph, "f", p.args)
		if f(p) {
			count++
		}
	}
	return count
}

// On is what is in the arguments after a call on an engine, or why that ends.
func (p *RandomNest) On(t *testing.T, e engine.Engine, g *ir.Graph) string {
	t.Helper()
	return AfterOn(t, e, g, "f", p.args)
}

// AfterOn is what is in the arguments after a call of a function on an engine, or why that ends.
func AfterOn(t *testing.T, e engine.Engine, g *ir.Graph, entry, args string) string {
	t.Helper()
	prog, err := Prepare(t.Context(), e, g)
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, vals, err := arguments(m, g, entry, args)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := prog.Call(t.Context(), entry, vals); err != nil {
		return err.Error()
	}
	js, err := interp.ToJSON(g.Ctx, vals, f.Params)
	if err != nil {
		t.Fatal(err)
	}
	return string(js)
}

// Refined is Same, but a program that trapped may do anything.
func (p *RandomNest) Refined(t *testing.T, g *ir.Graph, what string) {
	t.Helper()
	if !strings.Contains(p.Want, "trap") {
		p.Same(t, g, what)
	}
}

// Same ends the test if what is made of the nest computes something else. That an access is outside of
// its memory may be found at another place.
func (p *RandomNest) Same(t *testing.T, g *ir.Graph, what string) {
	t.Helper()
	p.SameWith(t, g, what, interp.Options{})
}

// SameWith is Same on an interpreter with options.
func (p *RandomNest) SameWith(t *testing.T, g *ir.Graph, what string, opts interp.Options) {
	t.Helper()
	got := AfterWith(t, g, "f", p.args, opts)
	if got == p.Want || strings.Contains(got, "trap") && strings.Contains(p.Want, "trap") {
		return
	}
	t.Fatalf("seed %d, %s: %s, want %s\n%s\n%s\n%s", p.Seed, what, got, p.Want, p.args, p.src, text.String(g, text.PrintOptions{}))
}
