package family

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// A Joint is what a law has whose node or parameters are arrays.
type Joint struct {
	// Node and Args are the numbers of dimensions. All extents of a node and of its
	// parameters are the same number, but for parameters whose number in Extents is not 0:
	// those that share one have the same extents. Nil is 0 for all.
	Node    int
	Args    []int
	Extents []int
	// Single says that a number stands for a vector of one element.
	Single bool
	// Invalid names what is wrong with the parameters, "" for nothing.
	Invalid func(p []Array) string
	// Conditional draws the elements of x that keep does not mark, given the others; nil
	// if this version cannot.
	Conditional func(r *rand.Rand, x []float64, keep []bool, p []Array) error
	// Centre is the value that -fill-inits=prior gives a node of n elements.
	Centre func(p []Array, n int) []float64
	Go     ArrayFormulas[float64, bool, int]
	Ops    ArrayFormulas[ir.Value, ir.Value, ir.Value]
	// AtLogs is the log density where the logarithms of weights, which are the first parameter, are known
	// to more digits than these: some may have come to 0. Nil is none.
	AtLogs func(x, logs []float64, p []Array) float64
	// Matrix is a parameter of which another law has the inverse.
	Matrix Matrix
	// Square says that LogDensity makes a matrix with as many rows as the node has elements.
	Square bool
}

// Two laws with a Matrix of the same name, other than "", belong together. The one with Inverse has the
// density of the other where the inverse of parameter Param, counted from 0, stands in place of it.
type Matrix struct {
	Of      string // the name that the two laws share; "" is none
	Param   int    // counted from 0
	Inverse bool   // this law has the inverse of the other's matrix
}

// ArrayFormulas are what is written once for Go and for ops.
type ArrayFormulas[T, B, I any] struct {
	// LogDensity is -inf outside of the support, and NaN for invalid parameters.
	LogDensity func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T
	// Mass is log P(lo <= x <= hi) of a single node, with the bounds that there are; nil
	// where there is no distribution function.
	Mass func(k kit.Arrays[T, B, I], p []kit.Part[T, I], lo, hi []T) T
	// LeastWeight is the least weight whose logarithm is in the density at x, or 1, for laws with AtLogs.
	LeastWeight func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T
	// Draw stores a draw in x, for valid parameters; nil for what is improper.
	Draw Drawing[T, B, I]
}

// Drawing is the formula of a draw.
type Drawing[T, B, I any] func(k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I])
