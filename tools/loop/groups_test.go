package loop_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/loop"
)

type weight struct {
	K    int64
	X    float64
	Y    float32
	Keep bool
}

type weightRow struct {
	K    int64s
	X    float
	Y    loop.Num[float32]
	Keep loop.Bool
}

type extremes struct {
	K           int64
	Least, Most float64
	Small       float32
	Sum         float64
}

type extremesRow struct {
	K           int64s
	Least, Most float
	Small       loop.Num[float32]
	Sum         float
}

// weights are random rows of a few groups, some of which are of NaN alone.
func weights(r *rand.Rand) (out []weight) {
	keys := r.IntN(6) + 1
	nans := make([]float64, keys) // how many of a group are NaN
	for k := range nans {
		nans[k] = []float64{0, 0.3, 1}[r.IntN(3)]
	}
	for range r.IntN(40) {
		w := weight{int64(r.IntN(keys)), r.NormFloat64(), float32(r.NormFloat64()), r.IntN(4) > 0}
		if r.Float64() < nans[w.K] {
			w.X = math.NaN()
		}
		if r.Float64() < nans[w.K] {
			w.Y = float32(math.NaN())
		}
		if r.IntN(9) == 0 {
			w.X = []float64{math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}[r.IntN(3)]
		}
		out = append(out, w)
	}
	return out
}

// grouped is what the query of the test gives, in plain Go.
func grouped(rows []weight) (out []extremes) {
	pick := func(x, y float64, better bool) float64 { // of two, that which is no NaN
		if x != x || better {
			return y
		}
		return x
	}
	for _, r := range rows {
		if !r.Keep {
			continue
		}
		i := slices.IndexFunc(out, func(e extremes) bool { return e.K == r.K })
		if i < 0 {
			i, out = len(out), append(out, extremes{r.K, r.X, r.X, r.Y, 0})
		}
		e := &out[i]
		e.Least, e.Most = pick(e.Least, r.X, r.X < e.Least), pick(e.Most, r.X, r.X > e.Most)
		e.Small = float32(pick(float64(e.Small), float64(r.Y), r.Y < e.Small))
		e.Sum += r.X
	}
	return out
}

// The least and the greatest of a group are numbers of it, and NaN where it has no others.
func TestRandomGroups(t *testing.T) {
	rows := loop.From[weightRow]("rows")
	q := loop.GroupBy(rows.Filter(func(r weightRow) loop.Bool { return r.Keep }), func(r weightRow) int64s { return r.K }, func(k int64s, g *loop.Group[weightRow]) extremesRow {
		x := func(r weightRow) float { return r.X }
		return extremesRow{k, loop.Min(g, x), loop.Max(g, x), loop.Min(g, func(r weightRow) loop.Num[float32] { return r.Y }), loop.Sum(g, x)}
	})
	onEngines(t, func(t *testing.T, kind *engine.Kind) {
		p := compile[[]extremes](t, kind, q, rows)
		for seed := range uint64(200) {
			in := weights(rand.New(rand.NewPCG(seed, 3)))
			got, err := p.Run(t.Context(), in)
			if want := grouped(in); err != nil || len(got)+len(want) > 0 && fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("seed %d: %v, %v; want %v\nof %v", seed, got, err, want, in)
			}
		}
	})
}
