package function

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"gonum.org/v1/gonum/mat"
)

// An ArrayOp is a function of arrays that works on memory: bugs.apply and bugs.compute
// stand for it.
type ArrayOp struct {
	Args   []int // numbers of dimensions
	Result int   // of the result, which has the first extents of the first argument
	InGo   func(x []Value) (Value, error)
	Lower  func(k kit.Ops, w kit.Workspace, out kit.View, p []kit.View) ir.Value
}

// Misshapen is an error in the extents of arguments, whatever their values.
type Misshapen string

func (m Misshapen) Error() string { return string(m) }

// arrayOps are these functions by the table's name; with `.one` that of two arguments.
var arrayOps = map[string]*ArrayOp{
	"inverse":    {Args: []int{2}, Result: 2, InGo: ofSquare(inverseValue), Lower: lowerInverse},
	"logdet":     {Args: []int{2}, InGo: ofSquare(logDetValue), Lower: lowerLogDet},
	"mexp":       {Args: []int{2}, Result: 2, InGo: ofSquare(expValue), Lower: lowerMatrixExp},
	"eigen.vals": {Args: []int{2}, Result: 1, InGo: ofSquare(eigenValues), Lower: lowerEigenValues},
	"sort":       {Args: []int{1}, Result: 1, InGo: sorting(sortedValues), Lower: lowerSort},
	"order":      {Args: []int{1}, Result: 1, InGo: sorting(func(_ []float64, at []int) []float64 { return positions(at) }), Lower: lowerOrder},
	"rank":       {Args: []int{1}, Result: 1, InGo: sorting(ranks), Lower: lowerRank},
	"rank.one":   {Args: []int{1, 0}, InGo: rankOne, Lower: lowerRankOne},
	"ranked.one": {Args: []int{1, 0}, InGo: rankedOne, Lower: lowerRankedOne},
	"interp.lin": {Args: []int{0, 1, 1}, InGo: interpolated, Lower: lowerInterpolate},
	"dinterval":  {Args: []int{0, 1}, InGo: countedBelow, Lower: lowerCountBelow},
	"min.bound":  neighbourBound(true),
	"max.bound":  neighbourBound(false),
}

// densityOf is logdensity.X of a distribution of arrays; without valid parameters it
// has no value.
func densityOf(j *family.Joint) *ArrayOp {
	op := &ArrayOp{Args: append([]int{j.Node}, j.Args...)}
	op.InGo = func(x []Value) (Value, error) {
		dims := make([][]int, len(x))
		for i := range x {
			x[i].Dims = apply.Fitted(j, x[i].Dims, op.Args[i])
			dims[i] = x[i].Dims
		}
		if arg, why := apply.Mismatch(j, dims[0], dims[1:]); why != "" {
			return Value{}, Misshapen(fmt.Sprintf("argument %d: %s", arg+2, why))
		}
		out := Value{V: []float64{math.NaN()}}
		if !slices.ContainsFunc(x[0].V, math.IsNaN) && apply.JointWrong(j, x[1:]) == "" {
			out.V[0] = apply.JointDensity(j, x[0].V, x[1:])
		}
		return out, nil
	}
	op.Lower = func(k kit.Ops, w kit.Workspace, _ kit.View, p []kit.View) ir.Value {
		return apply.JointDensityOps(j, k, w, p[0], p[1:])
	}
	return op
}

// ArrayFunctions are functions of arrays that need no op of their own.
var ArrayFunctions = map[string]func(x []Value) (Value, error){
	"rep": func(x []Value) (Value, error) {
		switch times := x[1].V; {
		case len(times) != 1:
			return Value{}, fmt.Errorf("of %d elements there must be one number of repetitions, or as many, each a whole number from 0", len(x[0].V))
		case !kit.IsInteger(times[0]) || times[0] < 0:
			return Value{}, fmt.Errorf("the number of repetitions must be a whole number from 0, and is %v", times[0])
		case times[0]*float64(len(x[0].V)) > MaxRange:
			return Value{}, fmt.Errorf("%v times %d elements are more than %d", times[0], len(x[0].V), MaxRange)
		}
		v := slices.Repeat(ByColumns(x[0]), int(x[1].V[0]))
		return Value{Dims: []int{len(v)}, V: v}, nil
	},
	"dim": func(x []Value) (Value, error) {
		if len(x[0].Dims) == 0 {
			return Value{V: []float64{1}}, nil
		}
		out := Value{Dims: []int{len(x[0].Dims)}}
		for _, n := range x[0].Dims {
			out.V = append(out.V, float64(n))
		}
		return out, nil
	},
	"t": func(x []Value) (Value, error) { return transpose(x[0]), nil },
	"inprod": func(x []Value) (Value, error) {
		if len(x[0].V) != len(x[1].V) {
			return Value{}, Misshapen(fmt.Sprintf("%d and %d elements: the lengths must agree", len(x[0].V), len(x[1].V)))
		}
		s := 0.0
		for i, y := range x[0].V {
			s += y * x[1].V[i]
		}
		return Value{V: []float64{s}}, nil
	},
}

// ofSquare is a function of a square matrix of n rows.
func ofSquare(f func(a *mat.Dense, n int) Value) func(x []Value) (Value, error) {
	return func(x []Value) (Value, error) {
		n := len(x[0].V)
		if len(x[0].Dims) == 2 {
			n = x[0].Dims[0]
		}
		if n == 0 || n*n != len(x[0].V) {
			return Value{}, Misshapen("a square matrix is wanted")
		}
		return f(mat.NewDense(n, n, slices.Clone(x[0].V)), n), nil
	}
}

// inverseValue is NaN for a singular matrix.
func inverseValue(a *mat.Dense, n int) Value {
	var inv mat.Dense
	if err := inv.Inverse(a); err != nil {
		if bad, ok := err.(mat.Condition); !ok || math.IsInf(float64(bad), 1) || math.IsNaN(float64(bad)) {
			return Value{Dims: []int{n, n}, V: slices.Repeat([]float64{math.NaN()}, n*n)}
		}
	}
	return Value{Dims: []int{n, n}, V: inv.RawMatrix().Data}
}

// logDetValue is NaN for a negative determinant.
func logDetValue(a *mat.Dense, _ int) Value {
	d, sign := mat.LogDet(a)
	if sign < 0 && !math.IsInf(d, -1) {
		d = math.NaN()
	}
	return Value{V: []float64{d}}
}

func expValue(a *mat.Dense, n int) Value {
	var e mat.Dense
	e.Exp(a)
	return Value{Dims: []int{n, n}, V: e.RawMatrix().Data}
}

// eigenValues are those of a symmetric matrix, the largest first; NaN for another.
func eigenValues(a *mat.Dense, n int) Value {
	s := mat.NewSymDense(n, nil)
	out := Value{Dims: []int{n}, V: slices.Repeat([]float64{math.NaN()}, n)}
	scale := mat.Norm(a, math.Inf(1))
	for i := range n {
		for j := range i + 1 {
			if x, y := a.At(i, j), a.At(j, i); !(math.Abs(x-y) <= kit.SymmetrySlack*scale) || math.IsInf(scale, 1) {
				return out
			}
			s.SetSym(i, j, 0.5*a.At(i, j)+0.5*a.At(j, i))
		}
	}
	var e mat.EigenSym
	if e.Factorize(s, false) {
		out.V = e.Values(nil)
		slices.Reverse(out.V)
	}
	return out
}

// sorting is a function of a vector and of its positions in ascending order of their
// elements; equal elements keep theirs.
func sorting(f func(v []float64, at []int) []float64) func(x []Value) (Value, error) {
	return func(x []Value) (Value, error) {
		v := ByColumns(x[0])
		at := make([]int, len(v))
		for i := range at {
			at[i] = i
		}
		sort.SliceStable(at, func(i, j int) bool { return v[at[i]] < v[at[j]] })
		return Value{Dims: []int{len(v)}, V: f(v, at)}, nil
	}
}

func sortedValues(v []float64, at []int) []float64 {
	out := make([]float64, len(v))
	for i, k := range at {
		out[i] = v[k]
	}
	return out
}

func positions(at []int) []float64 {
	return lists.Map(at, func(k int) float64 { return float64(k + 1) })
}

func ranks(_ []float64, at []int) []float64 {
	out := make([]float64, len(at))
	for i, k := range at {
		out[k] = float64(i + 1)
	}
	return out
}

// position is an index into a vector.
func position(v []float64, s Value) (int, error) {
	n := math.Round(s.V[0])
	if !(math.Abs(s.V[0]-n) <= IndexSlack && n >= 1 && n <= float64(len(v))) {
		return 0, fmt.Errorf("there is no element %v among %d", s.V[0], len(v))
	}
	return int(n) - 1, nil
}

// rankOne is how many elements are at most element s.
func rankOne(x []Value) (Value, error) {
	v := ByColumns(x[0])
	i, err := position(v, x[1])
	n := 0.0
	for _, y := range v {
		n += Truth(err == nil && y <= v[i])
	}
	return Value{V: []float64{n}}, err
}

// rankedOne is the s-th smallest element.
func rankedOne(x []Value) (Value, error) {
	v := slices.Clone(ByColumns(x[0]))
	slices.Sort(v)
	i, err := position(v, x[1])
	if err != nil {
		return Value{}, err
	}
	return Value{V: []float64{v[i]}}, nil
}

func countedBelow(x []Value) (Value, error) {
	if len(x[0].V) != 1 {
		return Value{}, Misshapen("the first argument must be a single value")
	}
	return Value{V: []float64{kit.CountBelow(kit.Floats{}, x[0].V[0], x[1].Part())}}, nil
}

func interpolated(x []Value) (Value, error) {
	xs, ys := x[1].V, x[2].V
	switch {
	case len(x[0].V) != 1:
		return Value{}, Misshapen("the first argument must be a single value")
	case len(xs) == 0 || len(xs) != len(ys):
		return Value{}, Misshapen(fmt.Sprintf("the grid has %d and %d elements: the lengths must agree", len(xs), len(ys)))
	}
	for i := range xs[1:] {
		if !(xs[i] < xs[i+1]) {
			return Value{}, errors.New("the grid must ascend")
		}
	}
	return Value{V: []float64{interpolate(x[0].V[0], xs, ys)}}, nil
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
