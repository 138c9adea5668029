package irctest

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/reduce"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// A fault is something that is wrong, shown by a program.
type fault struct {
	kind  string // what was done: a fault is reduced to a program with one of the same kind
	what  string
	input input     // of the call that shows it; nil if reading does
	after *ir.Graph // what became of the program, or nil
}

// A check looks for a fault in a program. It calls its functions with inputs.
type check func(c *ir.Context, src, entry string, inputs []input) *fault

// guard makes a panic a fault of the hooks that are tested.
func guard(f check) check {
	return func(c *ir.Context, src, entry string, inputs []input) (found *fault) {
		defer func() {
			thrown := recover()
			if thrown == nil {
				return
			}
			what := fmt.Sprint(thrown)
			if e := ir.AuthorError(thrown); e != nil { // it looks at the stack, so it is asked here
				what = e.Error()
			}
			found = &fault{kind: "panic", what: what}
		}()
		return f(c, src, entry, inputs)
	}
}

// perContext is how many programs are read in one context, which keeps what it interned.
const perContext = 100

// search looks for a fault in the programs of n seeds, on all processors, and returns that of the lowest seed.
func search(g *generator, first uint64, n int, find check) (*program, *fault) {
	var mu sync.Mutex
	var at *program
	var found *fault
	next := 0
	take := func() (i int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if i = next; i >= n || found != nil && first+uint64(i) > at.seed {
			return 0, false
		}
		next++
		return i, true
	}
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var c *ir.Context
			for done := 0; ; done++ {
				i, ok := take()
				if !ok {
					return
				}
				if done%perContext == 0 {
					c = ir.NewContext(g.dialects...)
					c.CheckHooks = true
				}
				p := g.program(c, first+uint64(i))
				f := guard(find)(c, p.text, p.entry, p.inputs)
				if f == nil {
					continue
				}
				mu.Lock()
				if found == nil || p.seed < at.seed {
					at, found = p, f
				}
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return at, found
}

// mostChecks bounds the reduction of a fault: programs of 40 ops take some 100.
const mostChecks = 1500

// smaller reduces the program of a fault, and returns what it shows then.
func smaller(list []*ir.Dialect, p *program, f *fault, find check) (string, *fault) {
	inputs := p.inputs
	if f.input != nil {
		inputs = []input{f.input}
	}
	find = guard(find)
	c := ir.NewContext(list...)
	holds := func(_ context.Context, src string) bool {
		g := find(c, src, p.entry, inputs)
		return g != nil && g.kind == f.kind
	}
	out, err := reduce.Reduce(ir.NewContext(list...), p.text, holds, reduce.Options{MaxChecks: mostChecks, Valid: symbols.Check, Workers: runtime.GOMAXPROCS(0)})
	if err != nil {
		return p.text, f
	}
	if g := find(c, out, p.entry, inputs); g != nil {
		return out, g
	}
	return p.text, f
}

// report reduces a fault and fails the test with it.
func report(t testing.TB, list []*ir.Dialect, p *program, f *fault, find check) {
	t.Helper()
	out, small := smaller(list, p, f, find)
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %s: %s\nprogram, reduced from %d lines to %d:\n%s", p.seed, small.kind, small.what, strings.Count(p.text, "\n"), strings.Count(out, "\n"), out)
	if small.input != nil {
		fmt.Fprintf(&b, "@%s is called with %s\n", p.entry, showInput(list, out, p.entry, small.input))
	}
	if small.after != nil {
		fmt.Fprintf(&b, "becomes\n%s", text.String(small.after, text.PrintOptions{}))
	}
	fmt.Fprintf(&b, "again: go test -run '^%s$' -irctest.seed=%d -irctest.programs=1", t.Name(), p.seed)
	t.Error(b.String())
}
