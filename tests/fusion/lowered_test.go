package fusion

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass/symbols"
	"github.com/irc-lang/irc/tests/built"
)

var (
	nth    = flag.Int("lowered", 4, "one of so many programs runs lowered on the interpreter too")
	native = flag.Int("native", 25, "one of so many programs runs as native code too")
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// ways are a program taken down to an engine's target, fused and not.
func ways(g *ir.Graph, e engine.Engine) (out []*ir.Graph, err error) {
	apart, err := Unfused(e.Target())
	if err != nil {
		return nil, err
	}
	for _, t := range []*target.Target{e.Target(), apart} {
		low, err := lowering.Compile(context.Background(), g, t)
		if err != nil {
			return nil, fmt.Errorf("%w\n%s", err, text.String(g, text.PrintOptions{}))
		}
		out = append(out, low)
	}
	return out, nil
}

// call calls @f of a program that was taken down from g, and shows what it prints and gives.
// Blocks of memory that are left, besides those that it says it gives, are an error.
func call(p engine.Program, low, g *ir.Graph, args string) (string, error) {
	out, n, err := built.Call(context.Background(), p, g, "f", args)
	if left := n.Live - given(low); err == nil && left != 0 {
		return "", leak(left)
	}
	return out, err
}

// A leak is how many blocks of memory a call leaves besides its results.
type leak int64

func (l leak) Error() string { return fmt.Sprintf("%d blocks of memory are left", int64(l)) }

// given counts the results of @f that are marked as new memory.
func given(low *ir.Graph) (n int64) {
	for v := range ir.ScheduleOf(low).All() {
		f := low.NodeOf(v)
		for _, c := range low.Children(v) {
			n += given(c)
		}
		if symbols.Of(f) != "f" || f.Attr("res_attrs") == 0 {
			continue
		}
		for _, said := range low.Ctx.AttrInfo(f.Attr("res_attrs")).List {
			if low.Ctx.Get(said, memref.OwnedAttr) != 0 {
				n++
			}
		}
	}
	return n
}

// answers are what a program gives for each of Inputs, "" where that means nothing.
func answers(written *ir.Graph, count *tally) ([]string, error) {
	out := make([]string, len(Inputs))
	for i, args := range Inputs {
		got, err := outcome(written, args)
		switch {
		case errors.As(err, new(*interp.Budget)): // a program may run long
		case err != nil:
			return nil, err
		case got == "trap":
			count.trapped.Add(1)
		default:
			count.ran.Add(1)
			out[i] = got
		}
	}
	return out, nil
}

// compare wants of programs, which are what was taken down from g, what g gives.
func compare(ps []engine.Program, low []*ir.Graph, g *ir.Graph, src string, wants []string, count *tally) error {
	for i, want := range wants {
		for k, p := range ps {
			if want == "" {
				continue
			}
			name, _ := p.Engine()
			got, err := call(p, low[k], g, Inputs[i])
			if err == nil && !same(src, got, want) {
				err = wrong{fmt.Errorf("%s, want %s", got, want)}
			}
			if err != nil {
				return fmt.Errorf("lowered on %s, fused %v, of %s: %w", name, k == 0, Inputs[i], err)
			}
		}
	}
	return nil
}

// interpreted wants of a lowered program what it gives as it is written.
func interpreted(g *ir.Graph, src string, wants []string, count *tally) error {
	e, _, err := engine.Eval.Start(context.Background(), engine.Options{})
	if err != nil {
		return err
	}
	defer e.Close()
	low, err := ways(g, e)
	if err != nil {
		return err
	}
	ps, err := e.Prepare(context.Background(), low...)
	if err != nil {
		return err
	}
	return compare(ps, low, g, src, wants, count)
}

// perModule is how many programs are compiled as one LLVM module.
const perModule = 25

// As native code, fused or not, a program gives what it gives as it is written.
func TestNative(t *testing.T) {
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	var seeds []uint64
	var count tally
	for i := 0; i < *programs; i += *native {
		seeds = append(seeds, *firstSeed+uint64(i))
	}
	for len(seeds) > 0 && !t.Failed() {
		n := min(perModule, len(seeds))
		compareNative(t, e, seeds[:n], &count)
		seeds = seeds[n:]
	}
	t.Logf("%d runs ended, %d trapped", count.ran.Load(), count.trapped.Load())
}

// compareNative compiles the programs of seeds as one module and runs them.
func compareNative(t *testing.T, e engine.Engine, seeds []uint64, count *tally) {
	ctx := ir.NewContext(dialects.All...)
	wants, graphs, low := make([][]string, len(seeds)), make([]*ir.Graph, len(seeds)), make([][]*ir.Graph, len(seeds))
	ir.Parallel(len(seeds), func(i int) {
		err := guarded(func() error {
			src := New(ctx, seeds[i], Options{})
			written, err := Parse(ctx, src, true)
			if err == nil {
				wants[i], err = answers(written, count)
			}
			if err == nil {
				graphs[i], err = Parse(ctx, src, false)
			}
			if err == nil {
				low[i], err = ways(graphs[i], e)
			}
			return err
		})
		if err != nil {
			t.Errorf("seed %d: %v", seeds[i], err)
		}
	})
	if t.Failed() {
		return
	}
	ps, err := e.Prepare(t.Context(), slices.Concat(low...)...)
	if err != nil {
		t.Errorf("seeds %d: %v", seeds, err)
		return
	}
	for i := range seeds {
		if err := compare(ps[2*i:][:2], low[i], graphs[i], New(ctx, seeds[i], Options{}), wants[i], count); err != nil {
			t.Errorf("seed %d: %v\n%s", seeds[i], err, New(ctx, seeds[i], Options{}))
		}
	}
	for _, p := range ps {
		p.Close()
	}
}
