package main

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run"
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
	{"hand", handPasses, "hand_jvp", [][]int{{1_600, 1}, {12_800, 1}, {1_600, 3}, {12_800, 3}}, 4, handArguments},
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
	a.calls = []run.BoundCall{{Name: "ba_grad", Args: []int{0, 1, 6, 2, 4}}, {Name: "ba_grad", Args: []int{0, 1, 6, 3, 5}}}
	return a
}

// Of the model of a hand: its bones, and its vertices.
const handBones, handVertices = 22, 544

// handPasses differentiate what fingers add to errors by one angle of all fingers, and errors by the turn and the shift of the whole, and by places
// in triangles.
const handPasses = "differentiate{of=share wrt=0 mode=forward directions=4 results=false},differentiate{of=share_uv wrt=0 mode=forward directions=4 results=false}," +
	"differentiate{of=by_turn wrt=0 mode=forward directions=3 results=false},differentiate{of=by_turn_uv wrt=0 mode=forward directions=3 results=false}," +
	"differentiate{of=by_shift wrt=1 mode=forward directions=3 results=false},differentiate{of=by_shift_uv wrt=1 mode=forward directions=3 results=false}," +
	"differentiate{of=by_uv wrt=2 mode=forward directions=2 results=false}"

// handArguments are a pose, a model, points, and to each a vertex, or the corners of a triangle and two coordinates in it. The Jacobian is compressed: each finger
// has sums of its own, so that a direction for one angle of all fingers gives five columns, and the coordinates take one direction each for all points.
func handArguments(sizes []int) adArguments {
	n, corners := sizes[0], sizes[1]
	place := func(seed uint32) data {
		return shaped(func(i int) float64 {
			x := 0.2 * spread(seed)(i)
			if i%12/4 == i%4 {
				x++
			}
			return x
		}, handBones, 3, 4)
	}
	weight := func(i int) float64 { return (1 + spread(35)(i)) / handBones }
	at := shaped(func(i int) float64 { return math.Floor((1 + spread(36)(i)) / 2 * (handVertices - 1)) }, corners, n)
	at.elem = ir.I32
	a := adArguments{in: []data{
		shaped(scaled(31, 0.7), 3), shaped(spread(30), 3), shaped(scaled(32, 0.5), 5, 4), place(33), place(34), shaped(spread(37), 3, handVertices), shaped(weight, handBones, handVertices), at,
		shaped(spread(38), 3, n), shaped(func(i int) float64 { return (1 + spread(39)(i)) / 2 }, 2, n),
	}}
	seed := func(j, of, each int, dims ...int) data { // 1 at the j-th of so many elements, each of them so long
		return shaped(func(i int) float64 { return map[bool]float64{true: 1}[i/each%of == j] }, dims...)
	}
	whole, share, errors := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, []int{2, 0, 3, 4, 5, 6, 7}, []int{3, n}
	names := []string{"share_jvp", "by_turn_jvp", "by_shift_jvp"}
	if corners == 3 {
		whole, share = slices.Insert(whole, 2, 9), append(share, 9)
		names = []string{"share_uv_jvp", "by_turn_uv_jvp", "by_shift_uv_jvp", "by_uv_jvp"}
	}
	kinds := []struct {
		args  []int
		out   []int // shape
		seeds []data
	}{
		{share, []int{5, 3, n}, []data{seed(0, 4, 1, 5, 4), seed(1, 4, 1, 5, 4), seed(2, 4, 1, 5, 4), seed(3, 4, 1, 5, 4)}},
		{whole, errors, []data{seed(0, 3, 1, 3), seed(1, 3, 1, 3), seed(2, 3, 1, 3)}},
		{whole, errors, []data{seed(0, 3, 1, 3), seed(1, 3, 1, 3), seed(2, 3, 1, 3)}},
		{whole, errors, []data{seed(0, 2, n, 2, n), seed(1, 2, n, 2, n)}},
	}[:len(names)]
	at1 := len(a.in)
	for _, k := range kinds {
		for range k.seeds {
			a.out = append(a.out, shaped(zero, k.out...).dims)
		}
	}
	found := at1
	for i, k := range kinds {
		call := run.BoundCall{Name: names[i], Args: append(slices.Clone(k.args), at1+len(a.out)+len(a.others))}
		a.others = append(a.others, shaped(zero, k.out...)) // what is not written
		for _, s := range k.seeds {
			call.Args = append(call.Args, at1+len(a.out)+len(a.others), found)
			a.others, found = append(a.others, s), found+1
		}
		a.calls = append(a.calls, call)
	}
	return a
}
