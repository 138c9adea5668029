package irctest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/passes/pass"
)

// flat is an input whose values of types that have parts are these: what a function takes once it is lowered.
func (in input) flat() (out input) {
	for _, a := range in {
		if a.cells != nil {
			out = append(out, a.columns()...)
		} else if a.parts != nil && !strings.HasPrefix(a.typ, "vector") {
			out = append(out, input(a.parts).flat()...)
		} else {
			out = append(out, a)
		}
	}
	return out
}

// lowerTo lowers a program to llvm; nil if some op of it has no rule, which is noted.
func (x *dialectTest) lowerTo(g *ir.Graph) *ir.Graph {
	out, err := (&pass.Manager{VerifyEach: true}).Run(context.Background(), g, x.lower)
	var crash *pass.CrashError
	if errors.As(err, &crash) && !crash.Refused {
		panic(err) // a mistake of a rule, which the guard of the check reports
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	var left *ir.OpError
	switch {
	case errors.As(err, &left) && left.Author:
		panic(left)
	case errors.As(err, &left):
		x.unlowers[left.Error()] = true
		return nil
	case err != nil:
		x.unlowers[err.Error()] = true
		return nil
	}
	x.lowered++
	return out
}

// perModule is how many programs are compiled at once: starting LLVM costs more than one of them.
const perModule = 25

// native compares some of the programs with native code.
func (x *dialectTest) native(t testing.TB, c Config) {
	t.Helper()
	if !served {
		t.Log("nothing is compared with LLVM: TestMain does not call irctest.Main")
		return
	}
	kind := contract.Find(c.irc().Engines, "llvm")
	if kind == nil {
		t.Log("nothing is compared with LLVM: this irc has no such engine")
		return
	}
	e, _, err := kind.Start(context.Background(), contract.Options{Level: contract.LevelOf(1)})
	if err != nil {
		t.Logf("nothing is compared with LLVM: %v", err)
		return
	}
	defer e.Close()
	n := max(c.programs()/4, 1)
	ctx := ir.NewContext(x.list...)
	ran := 0
	for first := 0; first < n; first += perModule {
		k, err := x.batch(t, e, ctx, c.seed()+uint64(first), min(perModule, n-first))
		if ran += k; err != nil {
			t.Error(err)
			return
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d calls were compared with LLVM", ran)
}

// prepared is a program whose native code is to be compared.
type prepared struct {
	*program
	g *ir.Graph // lowered
	w *ir.Graph // as written
}

// batch compiles the programs of some seeds as one module and compares their calls.
func (x *dialectTest) batch(t testing.TB, e contract.Engine, ctx *ir.Context, first uint64, n int) (ran int, err error) {
	t.Helper()
	var ps []prepared
	var graphs []*ir.Graph
	for i := range n {
		p := x.gen.program(ctx, first+uint64(i))
		w, err := parse(ctx, p.text, true)
		if err != nil {
			continue
		}
		if g := x.forNative(ctx, p.text); g != nil {
			ps, graphs = append(ps, prepared{p, g, w}), append(graphs, g)
		}
	}
	compiled, err := e.Prepare(context.Background(), graphs...)
	if err != nil {
		return 0, err
	}
	for i, code := range compiled {
		for _, in := range ps[i].inputs {
			f, k := x.compareNative(code, ps[i].w, ps[i].entry, in)
			ran += k
			if f != nil {
				report(t, x.list, ps[i].program, f, x.nativeCheck(e))
				return ran, nil
			}
		}
		if err := code.Close(); err != nil {
			return ran, err
		}
	}
	return ran, nil
}

// forNative lowers a program; nil if that is not possible.
func (x *dialectTest) forNative(c *ir.Context, src string) *ir.Graph {
	g, err := parse(c, src, false)
	if err != nil {
		return nil
	}
	return x.lowerTo(g)
}

// nativeCheck is the check of one program.
func (x *dialectTest) nativeCheck(e contract.Engine) check {
	return func(c *ir.Context, src, entry string, inputs []input) *fault {
		w, err := parse(c, src, true)
		if err != nil {
			return nil
		}
		g := x.forNative(c, src)
		if g == nil {
			return nil
		}
		compiled, err := e.Prepare(context.Background(), g)
		if err != nil {
			return nil
		}
		defer compiled[0].Close()
		for _, in := range inputs {
			if f, _ := x.compareNative(compiled[0], w, entry, in); f != nil {
				return f
			}
		}
		return nil
	}
}

// compareNative makes one call of native code, unless it means nothing: then native code may do anything.
func (x *dialectTest) compareNative(code contract.Program, written *ir.Graph, entry string, in input) (f *fault, ran int) {
	want, fits, err := call(written, entry, in, interp.Options{})
	if err != nil || !fits || !want.means() {
		return nil, 0
	}
	const kind = "native code changes the meaning"
	m, err := interp.New(written, interp.Options{})
	if err != nil {
		return nil, 0
	}
	fn, err := m.Resolve(entry)
	if err != nil {
		return nil, 0
	}
	types, out, err := code.Signature(entry)
	if err != nil {
		return nil, 0
	}
	// Memory that is poison is nowhere, and nobody can look at it.
	if slices.Contains(want.results, "poison") && slices.ContainsFunc(out, func(t ir.Type) bool { return written.Ctx.Info(t).Kind == ir.KindMemRef }) {
		return nil, 0
	}
	args, ok := in.flat().vals(written.Ctx, m, types)
	if !ok {
		return nil, 0
	}
	results, printed, err := code.Call(context.Background(), entry, args)
	if err != nil {
		return &fault{kind: kind, what: err.Error(), input: in}, 1
	}
	var got outcome
	want.near = x.near
	lowered := *fn
	lowered.Results = out
	got.record(written.Ctx, &lowered, results, args, printed)
	if !got.refines(want) {
		got.kept = want.kept
		return &fault{kind: kind, what: "\n  wanted " + want.String() + "\n  got    " + got.String(), input: in}, 1
	}
	return nil, 1
}
