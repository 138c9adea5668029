package random

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

var (
	programs  = flag.Int("programs", 100, "how many random programs run, each through every pass and compiled")
	firstSeed = flag.Uint64("seed", 0, "the first seed")
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// config varies the shape of programs with the seed.
func config(seed uint64) irtest.Config {
	c := irtest.Config{Ops: []int{10, 25, 40, 80}[seed%4], Traps: seed%5 == 0 || seed%12 == 1, Wide: seed%8 < 6, Poison: seed%7 == 3, Guarded: seed%2 == 1, Vars: seed%3 == 1, Narrow: seed%5 == 3, Sizes: seed%6 == 1}
	switch seed % 1000 {
	case 200:
		c.Ops = 2000
	case 201:
		c.Ops, c.Depth = 200, 30
	}
	return c
}

func parse(ctx *ir.Context, src string, verbatim bool) (*ir.Graph, error) {
	g, ds := text.Parse(ctx, diag.NewSource("program.mlir", src), text.Options{Verbatim: verbatim})
	if err := ds.Err(); err != nil {
		return nil, err
	}
	return ir.Settle(g), nil
}

func print(g *ir.Graph, generic bool) (string, error) {
	var b bytes.Buffer
	err := text.Print(&b, g, text.PrintOptions{Generic: generic})
	return b.String(), err
}

// tally counts what the programs did, so that a test that runs nothing shows.
type tally struct{ ended, trapped, compiled atomic.Int64 }

// each runs f for the seeds on all processors until one fails, and gives up
// after a few failures.
func each(t *testing.T, n int, f func(ctx *ir.Context, seed uint64) error) {
	t.Helper()
	var wg sync.WaitGroup
	var next, failures atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var ctx *ir.Context
			for done := 0; failures.Load() < 5; done++ {
				i := next.Add(1) - 1
				if i >= int64(n) {
					return
				}
				if done%200 == 0 { // a context keeps what it interned
					ctx = ir.NewContext(dialects.All...)
					ctx.AskAll = true
				}
				seed := *firstSeed + uint64(i)
				if err := guard(func() error { return f(ctx, seed) }); err != nil {
					failures.Add(1)
					t.Errorf("seed %d: %v", seed, err)
				}
			}
		}()
	}
	wg.Wait()
}

// guard makes a panic an error.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			buf := make([]byte, 4096)
			err = fmt.Errorf("panic: %v\n%s", r, buf[:runtime.Stack(buf, false)])
		}
	}()
	return f()
}

// Built verbatim a program is what is written; built normally, scheduled in any
// legal way, and after any pass, it does the same.
func TestInterpreterAndPasses(t *testing.T) {
	t.Parallel()
	var count tally
	n := *programs
	each(t, n, func(ctx *ir.Context, seed uint64) error {
		p := irtest.New(seed, config(seed))
		want, g, err := oracle(ctx, p, &count)
		if err != nil {
			return err
		}
		r := rand.New(rand.NewPCG(seed, 5))
		shuffled := interp.Options{Schedule: &ir.ScheduleOptions{Shuffle: r.IntN}}
		for _, opts := range []interp.Options{{}, shuffled, {Schedule: &ir.ScheduleOptions{}}} {
			if err := same(g, p, opts, want); err != nil {
				return fmt.Errorf("normal build: %w\n%s", err, p.Text)
			}
		}
		if err := fixpoint(ctx, g); err != nil {
			return fmt.Errorf("%w\n%s", err, p.Text)
		}
		if err := settled(g); err != nil {
			return fmt.Errorf("%w\n%s", err, p.Text)
		}
		return passesKeepMeaning(g, p, want, r)
	})
	t.Logf("%d programs ended, %d trapped", count.ended.Load(), count.trapped.Load())
	if count.ended.Load() < int64(n)/2 {
		t.Errorf("only %d of %d programs ended without a trap", count.ended.Load(), n)
	}
}

// oracle runs the program as written and builds it normally.
func oracle(ctx *ir.Context, p *irtest.Program, count *tally) (Outcome, *ir.Graph, error) {
	v, err := parse(ctx, p.Text, true)
	if err != nil {
		return Outcome{}, nil, err
	}
	want, err := Interpret(v, p, interp.Options{})
	if err != nil {
		return Outcome{}, nil, fmt.Errorf("verbatim: %w", err)
	}
	if want.Trap == "" {
		count.ended.Add(1)
	} else {
		count.trapped.Add(1)
	}
	g, err := parse(ctx, p.Text, false)
	if err == nil {
		err = ir.Verify(g)
	}
	return want, g, err
}

func same(g *ir.Graph, p *irtest.Program, opts interp.Options, want Outcome) error {
	got, err := Interpret(g, p, opts)
	if err != nil {
		return err
	}
	if !got.Refines(want) {
		return fmt.Errorf("got  %v\nwant %v", got, want)
	}
	return nil
}

// fixpoint: what is printed is read as what prints the same, byte for byte.
func fixpoint(ctx *ir.Context, g *ir.Graph) error {
	for _, generic := range []bool{true, false} {
		first, err := print(g, generic)
		if err != nil {
			return err
		}
		h, err := parse(ctx, first, false)
		if err != nil {
			return fmt.Errorf("reading what was printed (generic %v): %w", generic, err)
		}
		second, err := print(h, generic)
		if err != nil {
			return err
		}
		if first != second {
			return fmt.Errorf("print(read(print)) changes (generic %v):\n%s\nbecomes\n%s", generic, first, second)
		}
	}
	return nil
}

// lines are the passes that programs are put through, with options.
func lines(r *rand.Rand) (out []string) {
	for _, info := range passes.All() {
		switch info.Name {
		case "print-op-stats", "lower", "rewrite", "differentiate": // which adds a function, of one that has derivatives: see tests/derivatives
		case "raise-affine": // what it makes is made into loops again
			out = append(out, "raise-affine,poly-codegen")
		default:
			out = append(out, info.Name)
		}
	}
	return append(out, "free-buffers{all=true}", "reuse-buffers{all=true},free-buffers{all=true}", "unroll{full=true}", fmt.Sprintf("unroll{factor=%d}", 2+r.IntN(3)), "inline{threshold=-1}", "lower{to=math}", "lower{to=scf}", "lower{to=llvm}")
}

// passesKeepMeaning runs every pass by itself, and three to five in a row.
func passesKeepMeaning(g *ir.Graph, p *irtest.Program, want Outcome, r *rand.Rand) error {
	all := lines(r)
	order := r.Perm(len(all))
	mixed := all[order[0]]
	for _, n := range order[1 : 3+r.IntN(3)] {
		mixed += "," + all[n]
	}
	mixed += ",free-buffers" // which gives back what passes allocate
	for _, line := range append(all, mixed) {
		pl, err := pass.Parse(line, lowering.AllPasses())
		if err != nil {
			return err
		}
		m := &pass.Manager{VerifyEach: true}
		h, err := m.Run(context.Background(), g, pl)
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", line, err, p.Text)
		}
		if err := same(h, p, interp.Options{}, want); err != nil {
			return fmt.Errorf("%s: %w\n%s", line, err, p.Text)
		}
	}
	return nil
}

// perModule is how many programs are compiled as one LLVM module.
const perModule = 100

// onLLVM is the engine that compiles; without libLLVM the test is skipped.
func onLLVM(t *testing.T, opts engine.Options) engine.Engine {
	t.Helper()
	opts.Level = built.Level()
	e, why, err := engine.New(context.Background(), "auto", opts)
	if err != nil {
		t.Fatal(err)
	}
	if e.Name() != "llvm" {
		t.Skip("random programs are compiled: needs libLLVM (libllvm19): " + why)
	}
	return e
}

// Compiled by LLVM a program does what it does in the interpreter.
func TestLLVM(t *testing.T) {
	t.Parallel()
	e := onLLVM(t, engine.Options{CountHeap: true})
	defer e.Close()
	var count tally
	batches := (*programs + perModule - 1) / perModule
	for batch := range batches {
		if err := compareBatch(e, *firstSeed+uint64(batch*perModule), ordinary, nil, &count); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d programs ended, %d trapped, %d ran compiled", count.ended.Load(), count.trapped.Load(), count.compiled.Load())
	if count.compiled.Load() < count.ended.Load() {
		t.Errorf("only %d of %d programs ran compiled", count.compiled.Load(), batches*perModule)
	}
}

// ordinary is the program of a seed.
func ordinary(seed uint64) *irtest.Program { return irtest.New(seed, config(seed)) }

// compareBatch compiles the programs of a run of seeds as one module, once they are lowered if that is
// asked for, and runs those that mean something.
func compareBatch(e engine.Engine, first uint64, program func(seed uint64) *irtest.Program, lower func(*ir.Graph) (*ir.Graph, error), count *tally) error {
	ctx := ir.NewContext(dialects.All...)
	ps, wants, graphs := make([]*irtest.Program, perModule), make([]Outcome, perModule), make([]*ir.Graph, perModule)
	errs := make([]error, perModule)
	ir.Parallel(perModule, func(i int) {
		ps[i] = program(first + uint64(i))
		if wants[i], graphs[i], errs[i] = oracle(ctx, ps[i], count); lower != nil && errs[i] == nil {
			graphs[i], errs[i] = lower(graphs[i])
		}
	})
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("seed %d: %w", first+uint64(i), err)
		}
	}
	compiled, err := e.Prepare(context.Background(), graphs...)
	if err != nil {
		return fmt.Errorf("seeds from %d: %w", first, err)
	}
	for i, c := range compiled {
		if wants[i].Trap != "" && ps[i].Sizes {
			if err := stopped(c, graphs[i], ps[i]); err != nil {
				return fmt.Errorf("seed %d: %w\n%s", first+uint64(i), err, ps[i].Text)
			}
		}
		if wants[i].Trap == "" {
			// What traps means nothing; it runs elsewhere.
			if err := runCompiled(c, graphs[i], ps[i], wants[i]); err != nil {
				return fmt.Errorf("seed %d: %w\n%s", first+uint64(i), err, ps[i].Text)
			}
			count.compiled.Add(1)
		}
		if err := c.Close(); err != nil {
			return err
		}
	}
	return nil
}

// stopped checks that checked code whose sizes wrap around ends, or traps by itself: it accesses no
// memory that is not the program's.
func stopped(c engine.Program, g *ir.Graph, p *irtest.Program) error {
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		return err
	}
	args, err := Args(g.Ctx, m, p)
	if err != nil {
		return err
	}
	if _, _, err := c.Call(context.Background(), p.Entry, args); err != nil && !ir.IsTrap(err) || err != nil && strings.Contains(err.Error(), "SIG") {
		return err
	}
	return nil
}

func runCompiled(c engine.Program, g *ir.Graph, p *irtest.Program, want Outcome) error {
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		return err
	}
	args, err := Args(g.Ctx, m, p)
	if err != nil {
		return err
	}
	before, err := engine.Heap(context.Background(), c)
	if err != nil {
		return err
	}
	results, printed, err := c.Call(context.Background(), p.Entry, args)
	if err != nil {
		return err
	}
	heap, err := engine.Heap(context.Background(), c)
	if err != nil {
		return err
	}
	if got := outcome(g.Ctx, p, results, args, printed, heap.Since(before)); !got.Refines(want) {
		return fmt.Errorf("got  %v\nwant %v", got, want)
	}
	return nil
}
