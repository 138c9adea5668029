package random

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

var (
	millions = flag.Int("millions", 3000, "how many random programs TestMillions runs, most of them small")
	compiled = flag.Bool("compiled", false, "TestMillions also runs each module on llvm, before and after the passes")
	level    = flag.Int("level", 3, "with -compiled: how much LLVM optimises; at 0 twice as many programs run in the same time")
	progress = flag.Duration("progress", time.Minute, "how often TestMillions says how far it is")
)

// small is the shape of most programs of TestMillions: what two or three ops do
// wrong together shows in a few, and they are quick. One in 48 is larger.
func small(seed uint64) irtest.Config {
	c := irtest.Config{
		Ops:    []int{3, 5, 7, 9, 12, 16}[seed/16%6],
		Depth:  []int{0, 0, 0, 6}[seed/3%4],
		Funcs:  []int{1, 1, 1, 0}[seed/5%4],
		Traps:  seed%11 == 0,
		Wide:   seed%8 < 6,
		Poison: seed%7 == 3, Guarded: seed%2 == 1,
		Narrow: seed%5 == 3,
		Sizes:  seed%9 == 4,
	}
	if seed%48 == 47 {
		c = config(seed)
		c.Ops = min(c.Ops, 200)
	}
	c.Name = fmt.Sprintf("p%d_", seed)
	return c
}

// perText is how many programs TestMillions reads as one module.
const perText = 32

// TestMillions asks less of each program than TestInterpreterAndPasses, so that
// millions run: programs are read many to a module; built normally they do what
// is written, under a schedule and after a few passes that the seed picks; some
// modules are printed and read again. With -compiled each module also runs as
// native code, as built normally and after the passes.
func TestMillions(t *testing.T) {
	t.Parallel()
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	var count tally
	start := time.Now()
	var said atomic.Int64
	run := modules{count: &count, engines: make(chan engine.Engine, runtime.GOMAXPROCS(0))}
	defer run.close()
	for range cap(run.engines) {
		run.engines <- native(t)
	}
	texts := (*millions + perText - 1) / perText
	first := *firstSeed
	each(t, texts, func(ctx *ir.Context, at uint64) error {
		if last, now := said.Load(), int64(time.Since(start)); now-last > int64(*progress) && said.CompareAndSwap(last, now) {
			fmt.Printf("%d of %d programs, %v\n", (at-first)*perText, *millions, time.Duration(now).Round(time.Second))
		}
		seed := first + (at-first)*perText
		err := guard(func() error { return run.quick(ctx, seed, perText) })
		if err == nil {
			return nil
		}
		for s := seed; s < seed+perText; s++ { // which is it?
			if err := guard(func() error { return run.quick(ctx, s, 1) }); err != nil {
				return fmt.Errorf("program %d: %w", s, err)
			}
		}
		return fmt.Errorf("programs %d to %d as one module, not one by one: %w", seed, seed+perText-1, err)
	})
	t.Logf("%d programs ended, %d trapped, %d runs of native code, seeds from %d, %v on %d threads", count.ended.Load(), count.trapped.Load(), count.compiled.Load(), first, time.Since(start).Round(time.Second), runtime.GOMAXPROCS(0))
	if count.ended.Load() < int64(*millions)/2 {
		t.Errorf("only %d of %d programs ended without a trap", count.ended.Load(), *millions)
	}
}

// together makes one module of the programs of n seeds.
func together(seed uint64, n int) ([]*irtest.Program, string) {
	const head, tail = "\"builtin.module\"() ({\n", "}) : () -> ()\n"
	var b strings.Builder
	b.WriteString(head)
	ps := make([]*irtest.Program, n)
	for i := range ps {
		ps[i] = irtest.New(seed+uint64(i), small(seed+uint64(i)))
		b.WriteString(strings.TrimSuffix(strings.TrimPrefix(ps[i].Text, head), tail))
	}
	b.WriteString(tail)
	return ps, b.String()
}

// modules compares programs that are read many to a module.
type modules struct {
	count   *tally
	engines chan engine.Engine // one for each thread; nil without -compiled
}

// native makes an engine for -compiled, else none.
func native(t *testing.T) engine.Engine {
	if !*compiled {
		return nil
	}
	e, why, err := engine.New(context.Background(), "llvm", engine.Options{CountHeap: true, Level: jit.LevelOf(*level)})
	if err != nil {
		t.Skip("random programs are compiled: needs libLLVM (libllvm19): ", why, err)
	}
	return e
}

func (ms *modules) close() {
	for range cap(ms.engines) {
		if e := <-ms.engines; e != nil {
			e.Close()
		}
	}
}

// quick compares n programs, read as one module.
func (ms *modules) quick(ctx *ir.Context, seed uint64, n int) error {
	ps, src := together(seed, n)
	explain := func(what string, err error) error {
		if n > 1 {
			src = "" // it is tried again alone
		}
		return fmt.Errorf("%s: %w\n%s", what, err, src)
	}
	g, err := parse(ctx, src, true)
	if err != nil {
		return explain("verbatim", err)
	}
	wants, err := runAll(g, ps, interp.Options{})
	if err != nil {
		return explain("verbatim", err)
	}
	for _, w := range wants {
		if w.Trap == "" {
			ms.count.ended.Add(1)
		} else {
			ms.count.trapped.Add(1)
		}
	}
	if g, err = parse(ctx, src, false); err == nil {
		err = ir.Verify(g)
	}
	if err != nil {
		return explain("normal build", err)
	}
	r := rand.New(rand.NewPCG(seed, 7))
	schedules := []interp.Options{{}, {Schedule: &ir.ScheduleOptions{Shuffle: r.IntN}}, {Schedule: &ir.ScheduleOptions{}}}
	if err := allSame(g, ps, schedules[r.IntN(len(schedules))], wants); err != nil {
		return explain("normal build", err)
	}
	if seed/perText%8 == 0 {
		if err = fixpoint(ctx, g); err == nil {
			err = settled(g)
		}
		if err != nil {
			return explain("print and read", err)
		}
	}
	line := pickLine(r)
	pl, err := pass.Parse(line, lowering.AllPasses())
	if err != nil {
		return err
	}
	h, err := (&pass.Manager{VerifyEach: true}).Run(context.Background(), g, pl)
	if err == nil {
		err = allSame(h, ps, schedules[r.IntN(len(schedules))], wants)
	}
	if err != nil {
		return explain(line, err)
	}
	graphs := []*ir.Graph{g, h}
	if strings.Contains(line, "outline-kernels") {
		graphs = graphs[:1] // kernels run on no host
	}
	if err := ms.native(graphs, ps, wants); err != nil {
		return explain("compiled, or compiled after "+line, err)
	}
	return nil
}

// compilable lowers what no engine compiles: affine loops, masks of vectors.
var compilable = sync.OnceValue(func() *pass.Pipeline {
	pl, err := pass.Parse("lower{to=llvm}", lowering.AllPasses())
	if err != nil {
		panic(err)
	}
	return pl
})

// native runs the programs of graphs that mean the same as native code. What
// traps means nothing; it is left out.
func (ms *modules) native(graphs []*ir.Graph, ps []*irtest.Program, wants []Outcome) error {
	e := <-ms.engines
	defer func() { ms.engines <- e }()
	if e == nil {
		return nil
	}
	lowered := make([]*ir.Graph, len(graphs))
	for i, g := range graphs {
		h, err := (&pass.Manager{}).Run(context.Background(), g, compilable())
		if err != nil {
			return err
		}
		lowered[i] = h
	}
	made, err := e.Prepare(context.Background(), lowered...)
	if err != nil {
		return err
	}
	for i, c := range made {
		for j, p := range ps {
			if wants[j].Trap == "" {
				if err := runCompiled(c, graphs[i], p, wants[j]); err != nil {
					return fmt.Errorf("program %d, graph %d: %w", p.Seed, i, err)
				}
				ms.count.compiled.Add(1)
			}
		}
		if err := c.Close(); err != nil {
			return err
		}
	}
	return nil
}

// runAll runs all programs of a module.
func runAll(g *ir.Graph, ps []*irtest.Program, opts interp.Options) ([]Outcome, error) {
	opts.Fuel = 50_000_000
	var printed []interp.Printed
	opts.Output = func(p interp.Printed) { printed = append(printed, p) }
	m, err := interp.New(g, opts)
	if err != nil {
		return nil, err
	}
	out := make([]Outcome, len(ps))
	for i, p := range ps {
		printed = printed[:0]
		before := m.Heap()
		args, err := Args(g.Ctx, m, p)
		if err != nil {
			return nil, err
		}
		results, err := m.Call(p.Entry, args)
		switch {
		case ir.IsTrap(err):
			out[i] = Outcome{Trap: err.Error()}
		case err != nil:
			return nil, fmt.Errorf("program %d: %w", p.Seed, err)
		default:
			out[i] = outcome(g.Ctx, p, results, args, printed, m.Heap().Since(before))
		}
	}
	return out, nil
}

func allSame(g *ir.Graph, ps []*irtest.Program, opts interp.Options, wants []Outcome) error {
	got, err := runAll(g, ps, opts)
	if err != nil {
		return err
	}
	for i := range got {
		if !got[i].Refines(wants[i]) {
			return fmt.Errorf("program %d: got  %v\nwant %v", ps[i].Seed, got[i], wants[i])
		}
	}
	return nil
}

// pickLine picks one to three passes.
func pickLine(r *rand.Rand) string {
	all := lines(r)
	line := all[r.IntN(len(all))]
	for range r.IntN(3) {
		line += "," + all[r.IntN(len(all))]
	}
	return line + ",free-buffers" // which gives back what passes allocate
}
