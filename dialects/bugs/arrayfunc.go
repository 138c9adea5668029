package bugs

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"
)

// arrayFunctions are functions of arrays in Go, by the table's name.
var arrayFunctions = map[string]func(x []value) (value, error){
	"order": func(x []value) (value, error) {
		at := make([]float64, len(x[0].v))
		for i := range at {
			at[i] = float64(i + 1)
		}
		sort.SliceStable(at, func(i, j int) bool { return x[0].v[int(at[i])-1] < x[0].v[int(at[j])-1] })
		return value{dims: []int{len(at)}, v: at}, nil
	},
	"rep": func(x []value) (value, error) {
		if len(x[1].v) != 1 || !isInteger(x[1].v[0]) || x[1].v[0] < 0 || x[1].v[0]*float64(len(x[0].v)) > maxRange {
			return value{}, fmt.Errorf("the number of repetitions must be a whole number")
		}
		v := slices.Repeat(x[0].v, int(x[1].v[0]))
		return value{dims: []int{len(v)}, v: v}, nil
	},
	"interp.lin": func(x []value) (value, error) {
		xs, ys := x[1].v, x[2].v
		switch {
		case len(x[0].v) != 1:
			return value{}, fmt.Errorf("the first argument must be a single value")
		case len(xs) == 0 || len(xs) != len(ys):
			return value{}, fmt.Errorf("the grid has %d and %d elements: the lengths must agree", len(xs), len(ys))
		}
		for i := range xs[1:] {
			if !(xs[i] < xs[i+1]) {
				return value{}, fmt.Errorf("the grid must ascend")
			}
		}
		return value{v: []float64{interpolate(x[0].v[0], xs, ys)}}, nil
	},
	"dinterval": func(x []value) (value, error) {
		if len(x[0].v) != 1 {
			return value{}, fmt.Errorf("the first argument must be a single value")
		}
		return value{v: []float64{countBelow(x[0].v[0], x[1].v)}}, nil
	},
	"mexp": func(x []value) (value, error) {
		d := x[0].dims
		if len(d) != 2 || d[0] != d[1] || d[0] == 0 {
			return value{}, fmt.Errorf("the argument must be a square matrix")
		}
		var e mat.Dense
		e.Exp(mat.NewDense(d[0], d[0], slices.Clone(x[0].v)))
		return value{dims: d, v: e.RawMatrix().Data}, nil
	},
}

// interpolate is linear between the points of a grid; outside it has the end values.
func interpolate(x float64, xs, ys []float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	n := len(xs)
	i := sort.SearchFloat64s(xs, x)
	switch {
	case i == 0:
		return ys[0]
	case i == n:
		return ys[n-1]
	}
	return ys[i-1] + (ys[i]-ys[i-1])*(x-xs[i-1])/(xs[i]-xs[i-1])
}
