package main

import (
	"math"

	"github.com/irc-lang/irc/ir"
)

// spread is a number between -1 and 1 that has little to do with i; others have other seeds.
func spread(seed uint32) func(i int) float64 {
	at := scrambled(1 << 20)
	return func(i int) float64 { return at(i+int(seed)*7_654_321)/(1<<19) - 1 }
}

func scaled(seed uint32, by float64) func(i int) float64 {
	at := spread(seed)
	return func(i int) float64 { return by * at(i) }
}

func shaped(at func(i int) float64, dims ...int) data {
	d := data{elem: ir.F64, at: at}
	for _, n := range dims {
		d.dims = append(d.dims, int64(n))
	}
	return d
}

var adProblems = []adProblem{
	{"gmm", "differentiate{of=gmm wrt=0,1,2,3}", "gmm_grad", [][]int{{2, 5}, {10, 25}, {20, 50}, {32, 100}, {64, 200}}, 3, gmmArguments},
	{"lstm", "differentiate{of=lstm wrt=0,1}", "lstm_grad", [][]int{{2, 1024}, {4, 1024}}, 2, lstmArguments},
	{"ba", "differentiate{of=ba wrt=0}", "ba_grad", [][]int{{31_843}}, 1, bundleArguments},
}

// gmmArguments are a mixture of K laws of d dimensions, and a thousand points.
func gmmArguments(sizes []int) adArguments {
	const n = 1000
	d, k := sizes[0], sizes[1]
	below := max(1, d*(d-1)/2)
	a := adArguments{in: []data{shaped(spread(1), k), shaped(spread(2), k, d), shaped(scaled(3, 0.5), k, d), shaped(scaled(4, 1/math.Sqrt(float64(d))), k, below), shaped(scaled(5, 2), n, d)}}
	a.rest = []ir.Val{ir.FloatVal(1, ir.F64), ir.FloatVal(0, ir.F64), ir.FloatVal(1, ir.F64)}
	for _, x := range a.in[:4] {
		a.out = append(a.out, x.dims)
	}
	return a
}

// lstmArguments are a network of so many layers and a sequence of some length of vectors of 14 bits.
func lstmArguments(sizes []int) adArguments {
	l, t := sizes[0], sizes[1]
	bits := func(i int) float64 { return math.Floor(spread(14)(i) + 1) }
	a := adArguments{in: []data{shaped(spread(11), l, 8, 14), shaped(spread(12), 3, 14), shaped(spread(13), l, 2, 14), shaped(bits, t, 14)}}
	a.rest = []ir.Val{ir.FloatVal(1, ir.F64)}
	for _, x := range a.in[:2] {
		a.out = append(a.out, x.dims)
	}
	return a
}

// bundleArguments are observations; a pass over them with a seed of 1 for each of the errors along one axis gives a row of the Jacobian of each.
func bundleArguments(sizes []int) adArguments {
	n := sizes[0]
	kinds := []struct{ from, by float64 }{{0.2, 0.1}, {0.1, 0.1}, {0.1, 0.1}, {0, 1}, {0, 1}, {-8, 1}, {500, 100}, {0, 5}, {0, 5}, {0, 0.05}, {0, 0.01}, {0, 1}, {0, 1}, {0, 1}, {0.5, 0.4}}
	at := func(i int) float64 { k := kinds[i/n]; return k.from + k.by*spread(21)(i) }
	axis := func(k int) data {
		return shaped(func(i int) float64 { return map[bool]float64{true: 1}[i/n == k] }, 2, n)
	}
	a := adArguments{in: []data{shaped(at, 15, n), shaped(scaled(22, 100), 2, n)}}
	a.out = [][]int64{{15, int64(n)}, {15, int64(n)}}
	a.others = []data{axis(0), axis(1), shaped(zero, 2, n)}
	a.calls = [][]int{{0, 1, 6, 2, 4}, {0, 1, 6, 3, 5}}
	return a
}
