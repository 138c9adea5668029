package stage_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/stage"
)

// curve is the sum over i of exp(a x[i]) with a power of a, and stores a x[0] in x[1].
func curve(s *stage.S, a stage.Dyn[float64], x stage.Slice[float64], n stage.Dyn[int]) stage.Dyn[float64] {
	sum := stage.Var[float64](s, "sum", 0.0)
	i := stage.Var[int](s, "i", 0)
	for s.While(i.Lt(x.Len())) {
		sum.Set(sum.Add(stage.Exp(a.Mul(x.At(i)))))
		i.Set(i.Add(1))
	}
	if s.If(n.Gt(2)) {
		sum.Set(sum.Mul(a))
	}
	return sum.Get()
}

func onEngines(t *testing.T, do func(t *testing.T, kind *engine.Kind)) {
	for _, kind := range []*engine.Kind{engine.Eval, engine.Auto} {
		t.Run(kind.Name, func(t *testing.T) { do(t, kind) })
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// The gradient of a function with a loop over a slice and a branch is that by hand, and is added to what the shadow holds.
func TestGrad(t *testing.T) {
	onEngines(t, func(t *testing.T, kind *engine.Kind) {
		g, err := stage.Grad[func(a float64, x []float64, n int, dx []float64) (float64, float64, error)](t.Context(), kind, "curve", curve)
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		a, x, dx := 0.5, []float64{1, -2, 3}, []float64{10, 0, 0}
		y, da, err := g.Call(a, x, 7, dx)
		if err != nil {
			t.Fatal(err)
		}
		var sum, by float64
		for i, v := range x {
			sum, by = sum+math.Exp(a*v), by+v*math.Exp(a*v)
			want := a * a * math.Exp(a*v)
			if i == 0 {
				want += 10
			}
			near(t, "dx", dx[i], want)
		}
		near(t, "y", y, a*sum)
		near(t, "da", da, sum+a*by)
		if _, _, err := g.Call(a, x, 7, dx[:2]); err == nil || !strings.Contains(err.Error(), "slice 2 is longer or shorter than what belongs to it, slice 4") {
			t.Error(err)
		}
		if _, _, err := g.Call(a, x, 7, x); err == nil || !strings.Contains(err.Error(), "arguments 2 and 4 share memory") {
			t.Error(err)
		}
	})
}

// The derivative in a direction is that by hand, of each float that the function gives.
func TestJvp(t *testing.T) {
	both := func(s *stage.S, a stage.Dyn[float64], x stage.Slice[float32]) (stage.Dyn[float64], stage.Dyn[bool], stage.Dyn[float32]) {
		v := x.At(0)
		x.Set(1, v.Mul(v))
		return stage.Sin(a), a.Gt(0), stage.To[float32](a).Mul(v)
	}
	onEngines(t, func(t *testing.T, kind *engine.Kind) {
		j, err := stage.Jvp[func(a float64, x []float32, da float64, dx []float32) (float64, bool, float32, float64, float32)](t.Context(), kind, "both", both)
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		x, dx := []float32{3, 0}, []float32{2, 9}
		sin, up, z, dsin, dz := j.Call(0.5, x, 1, dx)
		near(t, "sin", sin, math.Sin(0.5))
		near(t, "dsin", dsin, math.Cos(0.5))
		if !up || z != 1.5 || dz != 3+0.5*2 || !slices.Equal(x, []float32{3, 9}) || !slices.Equal(dx, []float32{2, 12}) {
			t.Error(up, z, dz, x, dx)
		}
	})
}

// network is the loss of a layer: the sum of (tanh(x w) - y)^2.
func network(_ *stage.S, x, w, y stage.Tensor[float64]) stage.Dyn[float64] {
	d := x.Einsum("ij,jk->ik", w).Tanh().Sub(y)
	return d.Mul(d).Sum(0, 1).At()
}

// The gradient of a network over tensors goes down by its weights.
func TestGradOfNetwork(t *testing.T) {
	type array = stage.Array[float64]
	of := stage.Shaped(network, stage.Extents{"n", 2}, stage.Extents{2, 1}, stage.Extents{"n", 1})
	onEngines(t, func(t *testing.T, kind *engine.Kind) {
		g, err := stage.Grad[func(x, w, y, dx, dw, dy array) (float64, error)](t.Context(), kind, "network", of)
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		zeros := func(shape ...int) array { return stage.ArrayOf(make([]float64, shape[0]*shape[1]), shape...) }
		x, w, y := stage.ArrayOf([]float64{1, 0, 0, 2}, 2, 2), stage.ArrayOf([]float64{0.5, -0.25}, 2, 1), stage.ArrayOf([]float64{0.25, 0.5}, 2, 1)
		dx, dw, dy := zeros(2, 2), zeros(2, 1), zeros(2, 1)
		loss, err := g.Call(x, w, y, dx, dw, dy)
		if err != nil {
			t.Fatal(err)
		}
		h := []float64{math.Tanh(0.5), math.Tanh(-0.5)}
		e := []float64{h[0] - 0.25, h[1] - 0.5}
		near(t, "loss", loss, e[0]*e[0]+e[1]*e[1])
		for i := range 2 {
			z := 2 * e[i] * (1 - h[i]*h[i])
			near(t, "dw", dw.Data[i], z*x.Data[3*i])
			near(t, "dx", dx.Data[2*i], z*0.5)
			near(t, "dx", dx.Data[2*i+1], z*-0.25)
			near(t, "dy", dy.Data[i], -2*e[i])
		}
		if _, err := g.Call(x, w, y, dx, dy, dy); err == nil || !strings.Contains(err.Error(), "share memory") {
			t.Error(err)
		}
		if _, err := g.Call(x, w, y, dx, zeros(1, 2), dy); err == nil || !strings.Contains(err.Error(), "what belongs to w has extent 1 in dimension 0, and 2 is wanted") {
			t.Error(err)
		}
	})
}

// What has no derivative is told at its line of Go, and a type that is not that of the derivatives with what is wanted.
func TestWithoutDerivatives(t *testing.T) {
	type f = func(float64) (float64, float64)
	outside := stage.Extern[func(s *stage.S, x stage.Dyn[float64]) stage.Dyn[float64]]("outside", func(x float64) float64 { return x })
	calls := func(s *stage.S, x stage.Dyn[float64]) stage.Dyn[float64] {
		return outside(s, x).Mul(x)
	}
	_, err := stage.Grad[f](t.Context(), engine.Eval, "calls", calls)
	var e *stage.Error
	if !errors.As(err, &e) || !strings.Contains(e.File, "derive_test.go:") || !strings.Contains(e.What, "'func.call' op has no derivative: @outside has no body here") {
		t.Errorf("%v", err)
	}
	square := func(_ *stage.S, x stage.Dyn[float64]) stage.Dyn[float64] { return x.Mul(x) }
	two := func(_ *stage.S, x stage.Dyn[float64]) (a, b stage.Dyn[float64]) { return x, x }
	none := func(_ *stage.S, x stage.Dyn[float64]) stage.Dyn[int] { return stage.To[int](x) }
	whole := func(_ *stage.S, n stage.Dyn[int]) stage.Dyn[float64] { return stage.To[float64](n) }
	tensor := func(_ *stage.S, x stage.Tensor[float64]) stage.Tensor[float64] { return x.Exp() }
	for name, c := range map[string]struct {
		err  func() error
		want string
	}{
		"type": {func() error {
			_, err := stage.Grad[func(float64) float64](t.Context(), engine.Eval, "f", square)
			return err
		}, "behind the parameters come none, behind the results float64"},
		"jvp":   {func() error { _, err := stage.Jvp[f](t.Context(), engine.Eval, "f", square); return err }, "behind the parameters come float64, behind the results float64"},
		"two":   {func() error { _, err := stage.Grad[f](t.Context(), engine.Eval, "f", two); return err }, "the function gives 2 floats, and Grad is of one"},
		"none":  {func() error { _, err := stage.Grad[f](t.Context(), engine.Eval, "f", none); return err }, "the function gives 0 floats, and Grad is of one"},
		"value": {func() error { _, err := stage.Grad[int](t.Context(), engine.Eval, "f", square); return err }, "int is not what"},
		"nil":   {func() error { _, err := stage.Grad[f](t.Context(), engine.Eval, "f", nil); return err }, "there is no function: it is nil"},
		"whole": {func() error { _, err := stage.Grad[f](t.Context(), engine.Eval, "f", whole); return err }, "behind the parameters come none, behind the results none"},
		"tensor": {func() error {
			_, err := stage.Jvp[func(x, dx stage.Array[float64]) stage.Array[float64]](t.Context(), engine.Eval, "f", stage.Shaped(tensor, stage.Extents{2}))
			return err
		}, "gives a Tensor, whose derivatives have no place: Store it in a Slice"},
	} {
		if err := c.err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
