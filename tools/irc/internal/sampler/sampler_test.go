package sampler

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/tools/irc/internal/mcmc"
	"github.com/irc-lang/irc/tools/stage"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// built compiles a model with the step of a chain.
func built(t *testing.T, kind *engine.Kind, model, data string) *Worker {
	t.Helper()
	ctx := t.Context()
	u, d := space.New(bugstest.Bind(t, model, data))
	if d != nil {
		t.Fatal(d)
	}
	e, _, err := kind.Start(ctx, engine.Options{Lower: lowering.Compile})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	c := ir.NewContext(dialects.All...)
	lower := func(g *ir.Graph, err error) *ir.Graph {
		if err == nil {
			g, err = lowering.Compile(ctx, g, e.Target())
		}
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	g, step := lower(density.SamplerGraph(c, u)), lower(Step(ctx, c))
	lib, err := density.LibraryOf(u, g)
	if err != nil {
		t.Fatal(err)
	}
	ps, err := e.Prepare(ctx, Link(c, g, step, lib.Gradient))
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWorker(ctx, ps[0], lib, 10)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close(); ps[0].Close() })
	return w
}

// isNative reports libLLVM.
func isNative(t *testing.T) bool {
	e, _, err := engine.LLVM.Start(t.Context(), engine.Options{Lower: lowering.Compile})
	if errors.Is(err, jit.ErrMissing) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
	return true
}

// options are those of a test.
func options(warmup, draws int) Options {
	return Options{Seed: 7, Chain: 2, Warmup: warmup, Draws: draws, Thin: 1, MaxDepth: 10, TargetAccept: 0.8}
}

// drawn runs a chain: what it says of each iteration, and the first node.
func drawn(t *testing.T, w *Worker, o Options) (stats [][]float64, nodes []float64) {
	t.Helper()
	err := w.Run(o, func(d Draw) error {
		stats = append(stats, slices.Clone(d.Stats))
		if d.Nodes != nil {
			nodes = append(nodes, d.Nodes[0]...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return stats, nodes
}

// directly are the sources of a chain that Go runs.
func directly(density func() float64) Sources {
	number := func(name string, f func(c draw.Counter[float64, bool, int]) float64) Random {
		return stage.Extern[func(s *stage.S, seed, stream, counter stage.Dyn[int64]) stage.Dyn[float64]](name, func(seed, stream, counter int64) float64 {
			return f(draw.CounterOf(uint64(seed), uint64(stream), uint64(counter)))
		})
	}
	return Sources{stage.Extern[func(s *stage.S) stage.Dyn[float64]]("target", density),
		number("uniform", func(c draw.Counter[float64, bool, int]) float64 { return c.Uniform(0) }),
		number("normal", func(c draw.Counter[float64, bool, int]) float64 { return c.Normal(0) })}
}

// TestEngines has the step run by Go itself, in the interpreter and as native code: all draw the same.
func TestEngines(t *testing.T) {
	const model, data = "model { x ~ dnorm(0, 0.25)  z ~ dnorm(x, 4)  y ~ dnorm(z, 1) }", `{"y": 1.5}`
	const warmup, draws = 30, 10
	m := NewMemory(2, 10, warmup+draws)
	target := func() float64 {
		x, z := m.Position[0], m.Position[1]
		m.Gradient[0], m.Gradient[1] = -x/4+4*(z-x), -4*(z-x)+1.5-z
		return -x*x/8 - 2*(z-x)*(z-x) - (1.5-z)*(1.5-z)/2 + math.Log(math.Sqrt(0.25*4)) - 1.5*math.Log(2*math.Pi)
	}
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		if kind.Native && !isNative(t) {
			t.Log("without libLLVM the interpreter alone is compared")
			continue
		}
		w := built(t, kind, model, data)
		stats, _ := drawn(t, w, options(warmup, draws))
		*m = *NewMemory(2, 10, warmup+draws)
		o := options(warmup, draws)
		r := draw.CounterOf(o.Seed, uint64(o.Chain)<<40|(1<<40-1), 0)
		for i := range m.Position {
			m.Position[i] = 4*r.Uniform(i) - 2
		}
		s := stage.Direct()
		c := Chain{stage.Of(s, m.Position), stage.Of(s, m.Gradient), stage.Of(s, m.Rows), stage.Of(s, m.Numbers), stage.Of(s, m.Draws), stage.Of(s, m.Stats)}
		settings := Settings{stage.Lit(s, int64(o.Seed)), stage.Lit(s, int64(o.Chain)), stage.Lit(s, warmup), stage.Lit(s, o.MaxDepth), stage.Lit(s, o.TargetAccept)}
		Iterate(directly(target))(s, c, settings, stage.Lit(s, warmup+draws))
		for i, got := range stats {
			for k, want := range m.Stats[i*len(Stats) : (i+1)*len(Stats)] {
				if math.Abs(got[k]-want) > 1e-6*(1+math.Abs(want)) {
					t.Fatalf("%s: iteration %d: %s is %v, and in Go %v", kind.Name, i, Stats[k], got[k], want)
				}
			}
		}
	}
}

// TestCalls has a chain stopped between calls at other places, and run after another one: the draws are the same to the bit.
func TestCalls(t *testing.T) {
	w := built(t, engine.Eval, "model { x ~ dgamma(2, 3)  y ~ dpois(x) }", `{"y": 4}`)
	_, want := drawn(t, w, options(20, 30))
	other := options(5, 3)
	other.Chain = 1
	drawn(t, w, other)
	w.room = 7
	if _, got := drawn(t, w, options(20, 30)); !slices.Equal(got, want) {
		t.Errorf("in calls of at most 7 iterations the draws are %v, not %v", got, want)
	}
	o := options(20, 15)
	o.Thin = 2
	_, got := drawn(t, w, o)
	for i, x := range got {
		if x != want[2*i+1] {
			t.Fatalf("draw %d of each second iteration is %v, not %v", i, x, want[2*i+1])
		}
	}
}

// placed puts a chain behind its warm-up, at a place, with a step size and an inverse metric.
func (w *Worker) placed(at []float64, size, scale float64) error {
	lp, gradient, err := w.evaluate(at)
	n := len(at)
	clear(w.memory.Numbers)
	w.memory.Numbers[iteration], w.memory.Numbers[stepSize], w.memory.Numbers[logDensity] = 1, size, lp
	for i := range at {
		w.memory.Rows[inverseMetric*n+i], w.memory.Rows[sample*n+i], w.memory.Rows[sampleGradient*n+i] = scale, at[i], gradient[i]
	}
	return err
}

// TestStationary runs long chains, which begin with a draw of the posterior distribution and adapt nothing. As many draws are under each decile of
// the distribution as belong there, within what their autocorrelation allows. Step sizes are such that trajectories have from 1 to 31 steps.
func TestStationary(t *testing.T) {
	const iterations = 100000
	if !isNative(t) {
		t.Skip("a million steps need native code, and there is no libLLVM")
	}
	w := built(t, engine.LLVM, "model { x ~ dnorm(0, 1)  y ~ dnorm(x, 1)  s ~ dgamma(3, 2)  k ~ dpois(s)  p ~ dbeta(1, 2)  j ~ dbin(p, 3) }", `{"y": 1, "k": 2, "j": 1}`)
	x, s, p := distuv.Normal{Mu: 0.5, Sigma: math.Sqrt(0.5)}, distuv.Gamma{Alpha: 5, Beta: 3}, distuv.Beta{Alpha: 2, Beta: 4}
	cumulative := []func(u float64) float64{x.CDF, func(u float64) float64 { return s.CDF(math.Exp(u)) }, func(u float64) float64 { return p.CDF(1 / (1 + math.Exp(-u))) }}
	for _, c := range []struct {
		size, scale float64
		depths      int // that most iterations have at least
	}{{0.8, 1, 1}, {0.5, 0.5, 2}, {0.12, 0.6, 3}} {
		if err := w.placed([]float64{x.Quantile(0.3), math.Log(s.Quantile(0.6)), math.Log(p.Quantile(0.4)) - math.Log1p(-p.Quantile(0.4))}, c.size, c.scale); err != nil {
			t.Fatal(err)
		}
		got := make([][]float64, len(cumulative))
		deep := 0
		for at := 0; at < iterations; at += w.room {
			if err := w.iterate(options(0, 1), 1, w.room, at == 0); err != nil {
				t.Fatal(err)
			}
			for i := range w.room {
				for k, f := range cumulative {
					got[k] = append(got[k], f(w.memory.Draws[i*len(cumulative)+k]))
				}
				if int(w.memory.Stats[i*len(Stats)+3]) >= c.depths {
					deep++
				}
			}
		}
		if deep < iterations/2 {
			t.Errorf("step %v: of %d iterations %d have depth %d", c.size, iterations, deep, c.depths)
		}
		for k, u := range got {
			for tenth := 1; tenth < 10; tenth++ {
				decile := float64(tenth) / 10
				under := mcmc.Chains{make([]float64, len(u))}
				for i, v := range u {
					if v <= decile {
						under[0][i] = 1
					}
				}
				share := stat.Mean(under[0], nil)
				if z := (share - decile) / math.Sqrt(decile*(1-decile)/mcmc.MeanESS(under)); math.Abs(z) > 4.5 {
					t.Errorf("step %v, coordinate %d: %.4f of the draws are under decile %d, which is %.1f standard errors off", c.size, k, share, tenth, z)
				}
			}
		}
	}
}

// TestAdaptation has the warm-up find scales that are far apart, and a step size by which as many steps are accepted as asked for.
func TestAdaptation(t *testing.T) {
	if !isNative(t) {
		t.Skip("thousands of steps need native code, and there is no libLLVM")
	}
	w := built(t, engine.LLVM, "model { a ~ dnorm(0, 1.0E-4)  b ~ dnorm(3, 1.0E6)  y ~ dnorm(a + b, 1.0E-8) }", `{"y": 0}`)
	for _, accept := range []float64{0.7, 0.9} {
		o := options(600, 2000)
		o.TargetAccept = accept
		stats, _ := drawn(t, w, o)
		var mean float64
		for _, s := range stats[600:] {
			mean += s[1] / 2000
			if s[2] != stats[600][2] {
				t.Fatal("the step size changes after the warm-up")
			}
		}
		if math.Abs(mean-accept) > 0.1 {
			t.Errorf("%.3f of the steps are accepted, and %v was asked for", mean, accept)
		}
		for i, scale := range []float64{1e4, 1e-6} {
			if ratio := w.memory.Rows[i] / scale; ratio < 0.5 || ratio > 2 {
				t.Errorf("the variance of coordinate %d is taken for %.3g, and is %.3g", i, w.memory.Rows[i], scale)
			}
		}
	}
}
