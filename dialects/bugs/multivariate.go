package bugs

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// A joint is what the reference evaluation knows of a distribution whose node or
// parameters are arrays; a family is that of numbers alone.
type joint struct {
	// node and args are the numbers of dimensions. All extents of a node and of its
	// parameters are the same number.
	node int
	args []int
	// single says that a number stands for a vector of one element.
	single bool
	// invalid names what is wrong with the parameters, "" for nothing.
	invalid func(p []value) string
	// logp is the log density at x, stored row by row, for valid parameters.
	logp func(x []float64, p []value) float64
	// mass is log P(lo <= x <= hi) of a single node; nil where there is no distribution
	// function.
	mass func(p []value, lo, hi float64) float64
	// draw simulates a node of n elements.
	draw func(r *rand.Rand, p []value, n int) []float64
	// given draws the elements of x that keep does not mark, given the others; nil
	// if this version cannot.
	given func(r *rand.Rand, x []float64, keep []bool, p []value) error
	// centre is the value that -fill-inits=prior gives a node of n elements.
	centre func(p []value, n int) []float64
}

// mismatch finds what does not fit in the extents of a node and its parameters: a
// parameter counted from 0, or the node as -1; "" if all is well.
func (j *joint) mismatch(node []int, args [][]int) (arg int, why string) {
	for i := range args {
		args[i] = j.fitted(args[i], j.args[i])
	}
	if len(node) != j.node {
		return -1, fmt.Sprintf("the node must be %s, and is %s", shapeName(j.node), shapeName(len(node)))
	}
	n := -1
	if j.node > 0 {
		n = node[0]
	}
	for i := -1; i < len(args); i++ {
		dims, rank := node, j.node
		if i >= 0 {
			dims, rank = args[i], j.args[i]
		}
		if rank == 0 {
			continue
		}
		if len(dims) != rank {
			return i, fmt.Sprintf("parameter %d must be %s, and is %s", i+1, shapeName(rank), shapeName(len(dims)))
		}
		for _, d := range dims {
			if n < 0 {
				n = d
			}
			if d != n {
				return i, fmt.Sprintf("%s elements are wanted, and here are %s", extents(slices.Repeat([]int{n}, rank)), extents(dims))
			}
		}
	}
	if n == 0 {
		return 0, "it has no elements"
	}
	return 0, ""
}

// fitted are the extents of a parameter as a distribution wants them: a matrix with one
// row or column is a vector, and for some a number is one.
func (j *joint) fitted(dims []int, rank int) []int {
	switch {
	case len(dims) == 0 && rank == 1 && j.single:
		return []int{1}
	case len(dims) <= rank:
		return dims
	}
	var out []int
	for _, n := range dims {
		if n != 1 {
			out = append(out, n)
		}
	}
	if rank == 1 && len(out) == 0 {
		out = []int{1}
	}
	if len(out) != rank {
		return dims
	}
	return out
}

func shapeName(rank int) string {
	switch rank {
	case 0:
		return "a single value"
	case 1:
		return "a vector"
	case 2:
		return "a matrix"
	}
	return fmt.Sprintf("an array of %d dimensions", rank)
}

func extents(dims []int) string {
	s := fmt.Sprint(dims[0])
	for _, d := range dims[1:] {
		s += fmt.Sprintf(" by %d", d)
	}
	return s
}

// wrong says what is wrong with the parameters, "" for nothing.
func (j *joint) wrong(p []value) string {
	for i, x := range p {
		for k, y := range x.v {
			switch {
			case !math.IsNaN(y):
			case j.args[i] == 0:
				return fmt.Sprintf("parameter %d is not a number", i+1)
			default:
				return fmt.Sprintf("element %s of parameter %d is not a number", (&Var{Dims: x.dims}).ElemName(k), i+1)
			}
		}
	}
	return j.invalid(p)
}

// drawTries is after how many draws outside of its bounds a node is given up.
const drawTries = 100000

// simulate draws the elements of x that keep does not mark.
func (j *joint) simulate(r *rand.Rand, x []float64, keep []bool, p []value) error {
	switch {
	case !slices.Contains(keep, true):
		if copy(x, j.draw(r, p, len(x))); math.IsNaN(x[0]) {
			return fmt.Errorf("no draw in %d fell within the bounds", drawTries)
		}
	case j.given != nil:
		return j.given(r, x, keep, p)
	default:
		return errors.New("this distribution cannot be drawn from where a part of the node is observed")
	}
	return nil
}

// joints are the distributions of arrays of this version, by the table's name.
var joints = map[string]*joint{
	"dmulti": multinomial, "ddirch": dirichlet, "dmnorm": multinormal, "dmt": multiStudent, "dwish": wishart,
	"dmnorm.vcov": covarianceNormal, "dscaled.wishart": scaledWishart, "dsample": withoutReplacement,
	"dnormmix": normalMixture, "dinterval": intervalOf,
	"dordered.logit": ordered(logisticBetweenGo, func(r *rand.Rand) float64 {
		u := open(r)
		return logOf(u) - math.Log1p(-u)
	}),
	"dordered.probit": ordered(normalBetweenGo, (*rand.Rand).NormFloat64),
	"dcat": {args: []int{1}, invalid: func(p []value) string { return weightsInvalid(p[0].v) },
		logp: func(x []float64, p []value) float64 {
			if !(x[0] >= 1 && x[0] <= float64(len(p[0].v))) || !isInteger(x[0]) {
				return -inf
			}
			return logOf(p[0].v[int(x[0])-1]) - logOf(sum(p[0].v))
		},
		mass: func(p []value, lo, hi float64) float64 {
			in := 0.0
			for i, w := range p[0].v {
				in += truth(float64(i+1) >= lo && float64(i+1) <= hi) * w
			}
			return logOf(in) - logOf(sum(p[0].v))
		},
		draw: func(r *rand.Rand, p []value, _ int) []float64 { return []float64{float64(category(r, p[0].v) + 1)} },
		centre: func(p []value, _ int) []float64 {
			return []float64{float64(slices.Index(p[0].v, slices.Max(p[0].v)) + 1)}
		}},
}

// weightsInvalid is what is wrong with probabilities that are normalised by their sum.
func weightsInvalid(p []float64) string {
	for i, x := range p {
		if x < 0 {
			return fmt.Sprintf("probability %d is negative", i+1)
		}
	}
	if s := sum(p); !(s > 0) || math.IsInf(s, 1) {
		return "the probabilities must have a positive sum"
	}
	return ""
}

// category draws a position of p with a chance in proportion to its weight.
func category(r *rand.Rand, p []float64) int {
	return int(distuv.NewCategorical(p, r).Rand())
}
