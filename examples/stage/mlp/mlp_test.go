package mlp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/stage"
	"github.com/irc-lang/irc/tools/stage/stagetest"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	m.Run()
}

type array = stage.Array[float64]

// plain are the parameters of a layer on values.
type plain struct{ W, B array }

// parameters are some, from a fixed sequence.
func parameters(widths ...int) (out []plain) {
	seed := uint32(7)
	next := func() float64 {
		seed = seed*1664525 + 1013904223
		return float64(seed>>8)/(1<<23) - 1
	}
	for i := range len(widths) - 1 {
		p := plain{zeros(widths[i], widths[i+1]), zeros(widths[i+1])}
		for k := range p.W.Data {
			p.W.Data[k] = next()
		}
		out = append(out, p)
	}
	return out
}

func zeros(shape ...int) array {
	n := 1
	for _, k := range shape {
		n *= k
	}
	return stage.ArrayOf(make([]float64, n), shape...)
}

// byHand is Train with loops over one element at a time, and slopes that are differences of losses.
func byHand(widths []int, x, y array, net []plain, steps int, rate, enough float64) (int, float64) {
	loss := func() float64 {
		sum := 0.0
		for n := range x.Shape[0] {
			v := x.Data[n*widths[0] : (n+1)*widths[0]]
			for i, p := range net {
				out := make([]float64, widths[i+1])
				for o := range out {
					out[o] = p.B.Data[o]
					for k, a := range v {
						out[o] += a * p.W.Data[k*widths[i+1]+o]
					}
					if i < len(net)-1 {
						out[o] = math.Tanh(out[o])
					}
				}
				v = out
			}
			for o, a := range v {
				d := a - y.Data[n*len(v)+o]
				sum += d * d
			}
		}
		return sum
	}
	last := 0.0
	for taken := range steps {
		if last = loss(); last < enough {
			return taken, last
		}
		var slopes []float64
		each := func(f func(p *float64)) {
			for _, l := range net {
				for k := range l.W.Data {
					f(&l.W.Data[k])
				}
				for k := range l.B.Data {
					f(&l.B.Data[k])
				}
			}
		}
		each(func(p *float64) {
			const h = 1e-5
			at := *p
			*p = at + h
			up := loss()
			*p = at - h
			down := loss()
			*p = at
			slopes = append(slopes, (up-down)/(2*h))
		})
		each(func(p *float64) {
			*p -= rate * slopes[0]
			slopes = slopes[1:]
		})
	}
	return steps, last
}

var inputs, outputs = stage.ArrayOf([]float64{0, 0, 0, 1, 1, 0, 1, 1}, 4, 2), stage.ArrayOf([]float64{0, 1, 1, 0}, 4, 1)

// check compares the training of a network with that by hand, and with the direct run.
func check[L Layers, P ~[1]plain | ~[2]plain | ~[3]plain | ~[4]plain](t *testing.T, widths ...int) {
	t.Helper()
	type f = func(x, y array, params P, steps int, rate, enough float64) (P, int, float64)
	p := stagetest.Compile[f](t, Train[L](widths...))
	var params P
	for i, l := range parameters(widths...) {
		params[i] = l
	}
	p.Relative = 1e-11
	p.Same(inputs, outputs, params, 20, 0.1, 0.0)
	p.Same(inputs, outputs, params, 20, 0.1, 1.5)
	p.Relative = 1e-5
	byHand := func(x, y array, params P, steps int, rate, enough float64) (P, int, float64) {
		var net []plain
		for i := range len(params) {
			net = append(net, plain{stage.ArrayOf(slices.Clone(params[i].W.Data), params[i].W.Shape...), stage.ArrayOf(slices.Clone(params[i].B.Data), params[i].B.Shape...)})
		}
		taken, loss := byHand(widths, x, y, net, steps, rate, enough)
		return P(net), taken, loss
	}
	p.Like(byHand, inputs, outputs, params, 10, 0.1, 0.0)
	p.Like(byHand, stage.ArrayOf([]float64{0.5, -1, 1, 1, 2, 0}, 3, 2), stage.ArrayOf([]float64{0.25, 1, -1}, 3, 1), params, 4, 0.05, 0.0) // any batch
	if n := strings.Count(p.Text(), "scf.while"); n != 1 || strings.Count(p.Text(), "math.tanh") != len(params)-1 {
		t.Errorf("%d loops, and as many layers as\n%s", n, p.Text())
	}
}

func TestTrain(t *testing.T) {
	check[[1]Layer, [1]plain](t, 2, 1)
	check[[3]Layer, [3]plain](t, 2, 3, 4, 1)
}

// A network of two layers learns the exclusive or, which one of one layer does not.
func Example() {
	ctx := context.Background()
	type net = [2]plain
	type train = func(x, y array, params net, steps int, rate, enough float64) (net, int, float64)
	learn, err := stage.Compile[train](ctx, "train", Train[[2]Layer](2, 4, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer learn.Close()
	apply, err := stage.Compile[func(x array, params net) (array, error)](ctx, "predict", Predict[[2]Layer](2, 4, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer apply.Close()
	params, taken, loss := learn.Call(inputs, outputs, net(parameters(2, 4, 1)), 5000, 0.05, 1e-4)
	fmt.Println("learned before the last step:", taken < 5000 && loss < 1e-4)
	for _, x := range []array{inputs, stage.ArrayOf([]float64{1, 0, 1, 1}, 2, 2)} {
		y, err := apply.Call(x, params)
		if err != nil {
			fmt.Println(err)
			return
		}
		for i := range y.Data {
			y.Data[i] = math.Round(10*y.Data[i])/10 + 0 // not -0
		}
		fmt.Println(y.Shape, y.Data)
	}
	_, err = apply.Call(stage.ArrayOf([]float64{1, 0, 1}, 1, 3), params)
	wrong := &stage.Error{}
	fmt.Println(errors.As(err, &wrong), wrong.What)
	// Output:
	// learned before the last step: true
	// [4 1] [0 1 1 0]
	// [2 1] [1 0]
	// true x has extent 3 in dimension 1, and 2 is wanted
}
