package mlp

import (
	"context"
	"fmt"
	"math"
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

// plain are the parameters of a layer on values.
type plain struct{ W, B []float64 }

// parameters are some, from a fixed sequence.
func parameters(widths ...int) (out []plain) {
	seed := uint32(7)
	next := func() float64 {
		seed = seed*1664525 + 1013904223
		return float64(seed>>8)/(1<<23) - 1
	}
	for i := range len(widths) - 1 {
		p := plain{make([]float64, widths[i]*widths[i+1]), make([]float64, widths[i+1])}
		for k := range p.W {
			p.W[k] = next()
		}
		out = append(out, p)
	}
	return out
}

// byHand is Train with loops over one element at a time, and slopes that are differences of losses.
func byHand(batch int, widths []int, x, y []float64, net []plain, steps int, rate, enough float64) (int, float64) {
	loss := func() float64 {
		sum := 0.0
		for n := range batch {
			v := x[n*widths[0] : (n+1)*widths[0]]
			for i, p := range net {
				out := make([]float64, widths[i+1])
				for o := range out {
					out[o] = p.B[o]
					for k, a := range v {
						out[o] += a * p.W[k*widths[i+1]+o]
					}
					if i < len(net)-1 {
						out[o] = math.Tanh(out[o])
					}
				}
				v = out
			}
			for o, a := range v {
				d := a - y[n*len(v)+o]
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
				for k := range l.W {
					f(&l.W[k])
				}
				for k := range l.B {
					f(&l.B[k])
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

var inputs, outputs = []float64{0, 0, 0, 1, 1, 0, 1, 1}, []float64{0, 1, 1, 0}

// check compares the training of a network with that by hand, and with the direct run.
func check[L Layers, P ~[1]plain | ~[2]plain | ~[3]plain | ~[4]plain](t *testing.T, widths ...int) {
	t.Helper()
	type f = func(x, y []float64, params P, steps int, rate, enough float64) (int, float64)
	p := stagetest.Compile[f](t, Train[L](4, widths...))
	var params P
	for i, l := range parameters(widths...) {
		params[i] = l
	}
	p.Relative = 1e-11
	p.Same(inputs, outputs, params, 20, 0.1, 0.0)
	p.Same(inputs, outputs, params, 20, 0.1, 1.5)
	p.Relative = 1e-5
	p.Like(func(x, y []float64, params P, steps int, rate, enough float64) (int, float64) {
		var net []plain
		for i := range len(params) {
			net = append(net, params[i])
		}
		return byHand(4, widths, x, y, net, steps, rate, enough)
	}, inputs, outputs, params, 10, 0.1, 0.0)
	if n := strings.Count(p.Text(), "scf.while"); n != 1 || strings.Count(p.Text(), "math.tanh") != len(params)-1 {
		t.Errorf("%d loops, and as many layers as\n%s", n, p.Text())
	}
}

func TestTrain(t *testing.T) {
	check[[1]Layer, [1]plain](t, 2, 1)
	check[[2]Layer, [2]plain](t, 2, 4, 1)
	check[[4]Layer, [4]plain](t, 2, 3, 4, 3, 1)
}

// A network of two layers learns the exclusive or, which one of one layer does not.
func Example() {
	ctx := context.Background()
	type train = func(x, y []float64, params [2]plain, steps int, rate, enough float64) (int, float64)
	learn, err := stage.Compile[train](ctx, "train", Train[[2]Layer](4, 2, 4, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer learn.Close()
	apply, err := stage.Compile[func(x, y []float64, params [2]plain)](ctx, "predict", Predict[[2]Layer](4, 2, 4, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer apply.Close()
	params := [2]plain(parameters(2, 4, 1))
	taken, loss := learn.Call(inputs, outputs, params, 5000, 0.05, 1e-4)
	fmt.Println("learned before the last step:", taken < 5000 && loss < 1e-4)
	y := make([]float64, 4)
	apply.Call(inputs, y, params)
	for i := range y {
		y[i] = math.Round(10*y[i])/10 + 0 // not -0
	}
	fmt.Println(y)
	// Output:
	// learned before the last step: true
	// [0 1 1 0]
}
