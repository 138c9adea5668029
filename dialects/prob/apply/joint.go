package apply

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir/lists"
)

// Group is the number in Extents of a parameter, counted from 0; 0 for the node, as -1.
func Group(j *family.Joint, arg int) int {
	if arg < 0 || arg >= len(j.Extents) {
		return 0
	}
	return j.Extents[arg]
}

// Mismatch finds what does not fit in the extents of a node and its parameters: a
// parameter counted from 0, or the node as -1; "" if all is well.
func Mismatch(j *family.Joint, node []int, args [][]int) (arg int, why string) {
	for i := range args {
		args[i] = Fitted(j, args[i], j.Args[i])
	}
	if len(node) != j.Node {
		return -1, fmt.Sprintf("the node must be %s, and is %s", ShapeName(j.Node), ShapeName(len(node)))
	}
	size := map[int]int{} // by group
	for i := -1; i < len(args); i++ {
		dims, rank := node, j.Node
		if i >= 0 {
			dims, rank = args[i], j.Args[i]
		}
		if rank == 0 {
			continue
		}
		if len(dims) != rank {
			return i, fmt.Sprintf("parameter %d must be %s, and is %s", i+1, ShapeName(rank), ShapeName(len(dims)))
		}
		for _, d := range dims {
			n, ok := size[Group(j, i)]
			if !ok {
				size[Group(j, i)] = d
			} else if d != n {
				return i, fmt.Sprintf("%s elements are wanted, and here are %s", extents(slices.Repeat([]int{n}, rank)), extents(dims))
			}
		}
	}
	if n, ok := size[0]; ok && n == 0 {
		return 0, "it has no elements"
	}
	return 0, ""
}

// Fitted are the extents of a parameter as a distribution wants them: a matrix with one
// row or column is a vector, and for some a number is one.
func Fitted(j *family.Joint, dims []int, rank int) []int {
	switch {
	case len(dims) == 0 && rank == 1 && j.Single:
		return []int{1}
	case len(dims) <= rank:
		return dims
	}
	out := lists.Filter(dims, func(n int) bool { return n != 1 })
	if rank == 1 && len(out) == 0 {
		out = []int{1}
	}
	if len(out) != rank {
		return dims
	}
	return out
}

// ShapeName says what something of a number of dimensions is.
func ShapeName(rank int) string {
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

// JointWrong says what is wrong with the parameters, "" for nothing.
func JointWrong(j *family.Joint, p []family.Array) string {
	for i, x := range p {
		for k, y := range x.V {
			switch {
			case !math.IsNaN(y):
			case j.Args[i] == 0:
				return fmt.Sprintf("parameter %d is not a number", i+1)
			default:
				return fmt.Sprintf("element %s of parameter %d is not a number", position(x.Dims, k), i+1)
			}
		}
	}
	return j.Invalid(p)
}

// drawTries is after how many draws outside of its bounds a node is given up.
const drawTries = 100000

// JointSimulate draws the elements of x that keep does not mark.
func JointSimulate(j *family.Joint, r *rand.Rand, x []float64, keep []bool, p []family.Array) error {
	switch {
	case j.Go.Draw == nil:
		return errors.New("an improper distribution cannot be drawn from: give all of the node in the data or as initial values")
	case !slices.Contains(keep, true):
		if copy(x, JointDraw(j, r, p, len(x))); math.IsNaN(x[0]) {
			return fmt.Errorf("no draw in %d fell within the bounds", drawTries)
		}
	case j.Conditional != nil:
		return j.Conditional(r, x, keep, p)
	default:
		return errors.New("this distribution cannot be drawn from where a part of the node is observed")
	}
	return nil
}

// position is where an element is, such as [2,1].
func position(dims []int, k int) string {
	at := make([]string, len(dims))
	for d := len(dims) - 1; d >= 0; d-- {
		at[d] = strconv.Itoa(k%dims[d] + 1)
		k /= dims[d]
	}
	return "[" + strings.Join(at, ",") + "]"
}

// JointWithin is the law of a single node between bounds; truncated says that its density is
// renormalised.
func JointWithin(j *family.Joint, lo, hi float64, truncated bool) *family.Joint {
	inside := func(x float64) bool { return x >= lo && x <= hi }
	out := *j
	mass := func(p []kit.Part[float64, int]) float64 {
		return j.Go.Mass(kit.Floats{}, p, []float64{lo}, []float64{hi})
	}
	out.Invalid = func(p []family.Array) string {
		why := j.Invalid(p)
		if why == "" && truncated && !(mass(partsOf(p)) > -kit.Inf) {
			why = fmt.Sprintf("there is no probability between the bounds %v and %v", lo, hi)
		}
		return why
	}
	type arrays = kit.Arrays[float64, bool, int]
	type part = kit.Part[float64, int]
	out.Go.LogDensity = func(k arrays, x part, p []part) float64 {
		switch {
		case !inside(x.Number()):
			return -kit.Inf
		case truncated:
			return j.Go.LogDensity(k, x, p) - mass(p)
		}
		return j.Go.LogDensity(k, x, p)
	}
	out.Go.Draw = func(k arrays, d draw.Deviates[float64, int], x part, p []part) {
		for range drawTries {
			if j.Go.Draw(k, d, x, p); inside(x.Number()) {
				return
			}
		}
		x.Store(math.NaN(), 0)
	}
	out.Centre = func(p []family.Array, n int) []float64 {
		return []float64{math.Min(math.Max(j.Centre(p, n)[0], lo), hi)}
	}
	return &out
}
