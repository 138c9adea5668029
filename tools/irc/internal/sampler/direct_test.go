package sampler

import (
	"math"
	"testing"

	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/tools/stage"
	"gonum.org/v1/gonum/stat"
)

// directly are the sources of a chain that Go runs.
func directly(density func(q, g []float64) float64, m *Memory) Sources {
	number := func(f func(c draw.Counter[float64, bool, int]) float64) Random {
		return func(s *stage.S, seed, stream, counter stage.Dyn[int64]) stage.Dyn[float64] {
			return stage.Extern[func(s *stage.S, seed, stream, counter stage.Dyn[int64]) stage.Dyn[float64]]("random", func(seed, stream, counter int64) float64 {
				return f(draw.CounterOf(uint64(seed), uint64(stream), uint64(counter)))
			})(s, seed, stream, counter)
		}
	}
	return Sources{
		Target: func(s *stage.S) stage.Dyn[float64] {
			return stage.Extern[func(s *stage.S) stage.Dyn[float64]]("target", func() float64 { return density(m.Position, m.Gradient) })(s)
		},
		Uniform: number(func(c draw.Counter[float64, bool, int]) float64 { return c.Uniform(0) }),
		Normal:  number(func(c draw.Counter[float64, bool, int]) float64 { return c.Normal(0) }),
	}
}

func TestNormal(t *testing.T) {
	scale := []float64{1, 10, 0.01}
	density := func(q, g []float64) (lp float64) {
		for i, x := range q {
			g[i] = -x / scale[i] / scale[i]
			lp += x * g[i] / 2
		}
		return lp
	}
	const n = 600
	m := NewMemory(3, 10, n)
	for i := range m.Position {
		m.Position[i] = scale[i] * 2
	}
	s := stage.Direct()
	c := Chain{stage.Of(s, m.Position), stage.Of(s, m.Gradient), stage.Of(s, m.Rows), stage.Of(s, m.Numbers), stage.Of(s, m.Draws), stage.Of(s, m.Stats)}
	l := func(x int64) stage.Dyn[int64] { return stage.Lit(s, x) }
	Iterate(directly(density, m))(s, c, Settings{l(1), l(2), stage.Lit(s, 200), stage.Lit(s, 10), stage.Lit(s, 0.8)}, stage.Lit(s, n))
	for i := range scale {
		var x []float64
		for k := 200; k < n; k++ {
			x = append(x, m.Draws[k*3+i])
		}
		mean, sd := stat.MeanStdDev(x, nil)
		t.Logf("%d: %g %g, metric %g", i, mean/scale[i], sd/scale[i], math.Sqrt(m.Rows[i])/scale[i])
	}
	for k := 0; k < n; k += 40 {
		t.Log(m.Stats[k*len(Stats) : (k+1)*len(Stats)])
	}
}
