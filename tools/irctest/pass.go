package irctest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/internal/vet"
)

// Pass runs random programs on the interpreter before and after a pass. After it they do the same, or more:
// what was poison may be anything, and what trapped means nothing; no trap and no poison comes in, and no memory is
// left that was freed. Programs are made of the Example of the pass and of Samples. The first that shows a
// fault is reduced, and fails the test with its seed.
func (c Config) Pass(t testing.TB, p *pass.Info) {
	t.Helper()
	at, f, find, tally, err := c.passFault(p)
	if err != nil {
		t.Fatal(err)
	}
	if f != nil {
		report(t, tally.dialects, at, f, find)
		return
	}
	t.Logf("%s", tally)
	tally.unread.log(t)
	for _, why := range tally.uncalled {
		t.Log(why)
	}
	if tally.changed.Load() == 0 {
		t.Errorf("pass %s changes none of the programs: give Samples on which it does something", p.Name)
	}
}

// tally counts what the programs of a test did.
type tally struct {
	dialects                                []*ir.Dialect
	near                                    float64 // how far floats may be after the pass
	free                                    *pass.Pipeline
	programs, meaning, calls, changed, said atomic.Int64
	unread                                  unread
	uncalled                                []string // why functions of samples are not called
}

func (t *tally) String() string {
	return fmt.Sprintf("%d programs, %d calls of which %d have a meaning; the pass changes %d programs and refuses %d",
		t.programs.Load(), t.calls.Load(), t.meaning.Load(), t.changed.Load(), t.said.Load())
}

// passFault looks for a program that shows a fault of a pass.
func (c Config) passFault(p *pass.Info) (*program, *fault, check, *tally, error) {
	irc := c.irc()
	list := dialectsOf(irc.Dialects)
	if !slices.Contains(irc.Passes, p) {
		irc.Passes = append(slices.DeleteFunc(irc.Passes, func(q *pass.Info) bool { return q.Name == p.Name }), p)
	}
	count := &tally{dialects: list, near: c.Tolerance}
	if err := (pass.List{p}).Validate(); err != nil {
		return nil, nil, nil, count, err
	}
	mine := func(row *pass.Info) bool { return row == p }
	if err := vet.Errors(vet.Program{Dialects: list, Passes: irc.Passes}.CheckPasses(mine)); err != nil {
		return nil, nil, nil, count, err
	}
	line, err := pass.Parse(cmp.Or(c.Pipeline, p.Pipeline, p.Name), irc.Passes)
	if err != nil {
		return nil, nil, nil, count, err
	}
	var samples []string
	if p.Example != "" && !p.Model {
		samples = append(samples, p.Example)
	}
	g, err := c.newGenerator(list, samples, nil)
	if err != nil {
		return nil, nil, nil, count, err
	}
	count.uncalled = g.uncalled
	count.free, _ = pass.Parse("free-buffers", irc.Passes) // nil if this irc has none
	find := count.keepsMeaning(line)
	at, f := search(g, c.seed(), c.programs(), find)
	return at, f, find, count, nil
}

// keepsMeaning compares a program as it is written with what it is after a pipeline.
func (t *tally) keepsMeaning(line *pass.Pipeline) check {
	return func(c *ir.Context, src, entry string, inputs []input) *fault {
		written, err := parse(c, src, true)
		if err != nil {
			t.unread.add(err)
			return nil
		}
		built, err := parse(c, src, false)
		if err != nil {
			return &fault{kind: "the program is refused when rules run", what: err.Error()}
		}
		t.programs.Add(1)
		after, err := (&pass.Manager{VerifyEach: true}).Run(context.Background(), built, line)
		var crash *pass.CrashError
		var said *ir.OpError
		switch {
		case errors.As(err, &crash) && !crash.Refused, errors.As(err, &said) && said.Author:
			return &fault{kind: "the pass makes a wrong graph", what: err.Error()}
		case err != nil: // it says that its input is wrong
			t.said.Add(1)
			return nil
		case after == built || text.String(after, text.PrintOptions{}) == text.String(built, text.PrintOptions{}):
			after = nil
		default:
			t.changed.Add(1)
		}
		return t.compare(written, built, after, entry, inputs)
	}
}

// compare runs three forms of a program. What already differs before the pass is the fault of a fold or of an effect.
func (t *tally) compare(written, built, after *ir.Graph, entry string, inputs []input) *fault {
	for _, in := range inputs {
		want, fits, err := call(written, entry, in, interp.Options{})
		if err != nil || !fits {
			return nil
		}
		t.calls.Add(1)
		if !want.means() {
			continue
		}
		t.meaning.Add(1)
		f := differs("rules change the meaning before the pass", built, entry, in, want, interp.Options{})
		want.near = t.near
		if f == nil && after != nil {
			f = differs("the pass changes the meaning", after, entry, in, want, interp.Options{})
		}
		if f == nil && after != nil {
			r := rand.New(rand.NewPCG(uint64(len(in)), 5))
			f = differs("the pass changes the meaning", after, entry, in, want, interp.Options{Schedule: &ir.ScheduleOptions{Shuffle: r.IntN}})
		}
		if f != nil && after != nil && t.gives(after, entry, in, want) {
			continue
		}
		if f != nil {
			return f
		}
	}
	return nil
}

// gives reports that a program is right once free-buffers has given back what a pass owns. That is asked of a
// program that is wrong alone, so that nothing else is blamed on the pass.
func (t *tally) gives(g *ir.Graph, entry string, in input, want outcome) bool {
	if t.free == nil {
		return false
	}
	want.near = t.near
	h, err := (&pass.Manager{}).Run(context.Background(), g, t.free)
	return err == nil && differs("", h, entry, in, want, interp.Options{}) == nil
}

// differs runs a program that is to refine an outcome.
func differs(kind string, g *ir.Graph, entry string, in input, want outcome, opts interp.Options) *fault {
	opts.Fuel = 10 * fuel // a pass may make a program longer, but not endless
	got, fits, err := call(g, entry, in, opts)
	if err == nil && !fits { // types may have become their parts
		got, fits, err = call(g, entry, in.flat(), opts)
	}
	switch {
	case err != nil:
		return &fault{kind: kind, what: err.Error(), input: in, after: g}
	case !fits:
		return &fault{kind: kind, what: "the function takes other arguments", input: in, after: g}
	case !got.refines(want):
		return &fault{kind: kind, what: fmt.Sprintf("\n  wanted %s\n  got    %s", want, got), input: in, after: g}
	}
	return nil
}

// showInput spells the arguments of a call.
func showInput(list []*ir.Dialect, src, entry string, in input) string {
	c := ir.NewContext(list...)
	g, err := parse(c, src, true)
	if err != nil {
		return "?"
	}
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		return "?"
	}
	f, err := m.Resolve(entry)
	if err != nil {
		return "?"
	}
	vals, _ := in.vals(c, m, f.Params)
	out := make([]string, len(vals))
	for i, v := range vals {
		out[i] = interp.FormatVal(c, v, f.Params[i])
	}
	return "(" + strings.Join(out, ", ") + ")"
}
