package family

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// A Law is a family of probability distributions with all that is known of it. It stands
// in one file, which has the name that the law has in BUGS, and in one row of Laws.
//
// A law whose node or parameters are arrays has a Joint; others are laws of numbers with
// numbers as parameters, to which Elsewhere, Draw, Centre, NeedsStable, Go and Ops belong.
type Law struct {
	Name    string   // in BUGS, as "dnorm"
	Aliases []string // other names for it, in BUGS or another language
	// Params is how parameters are written, in their order: x is a number, x[] a vector,
	// x[,] a matrix; [x] may be left out; x... is one or more.
	Params string
	// Named are further names of the parameters, and parameters that tell them, as sd does
	// tau: in dnorm(0, sd = 2).
	Named []Named
	// Forms are other sets of parameters, told by their names, as in dgamma(mean = m, sd = s).
	Forms  []Form
	Origin Origin
	Doc    string
	// Counts says that the values are whole numbers.
	Counts bool
	// NoCDF says that there is no distribution function, not even one to be written.
	NoCDF     bool
	Functions Functions

	// Support is where the density of a continuous law of numbers is not 0; nil for others.
	Support *support.Ends
	// Range is the whole numbers that have mass, and Where says in words what has a density
	// above 0; for laws without Support.
	Range func(p []Array) (from, to float64)
	Where func(p []Array) string
	// Transform is that of a vector or a matrix onto the support; of a number, Support tells it.
	Transform support.Transform
	// Atoms says that the law is continuous in name only: a density with respect to length
	// does not exist, and a sampler takes its nodes as data.
	Atoms bool
	// Flat says that the density is the same everywhere.
	Flat bool
	// Censors says that the value is between which of the cuts (the second parameter) the
	// first one lies.
	Censors bool
	// Total is the parameter, counted from 1, that is a total of counts: the law is that
	// of a count given it. 0 is none.
	Total int
	// Conjugate are the laws that this one is conjugate to.
	Conjugate []Conjugate

	// Elsewhere says that the density is 0 at x because a parameter is infinite, or makes a
	// number that is, and all probability is at another point; nil: that cannot be.
	Elsewhere func(x float64, p []float64) bool
	// Draw simulates; nil for what is improper. Centre is the mean where there is one, else
	// the median; a whole number where there are only those.
	Draw   func(r *rand.Rand, p []float64) float64
	Centre func(p []float64) float64
	// NeedsStable says where computing in Go takes the stable form; nil is everywhere.
	NeedsStable func(p []float64) bool
	Go          Formulas[float64, bool]
	Ops         Formulas[ir.Value, ir.Value]

	Joint *Joint // for a law whose node or parameters are arrays; nil for others
}

// Formulas are what is written once for numbers and for ops. All but LogDensity hold for
// valid parameters alone.
type Formulas[T, B any] struct {
	Rules []Rule[T, B] // for the parameters
	// LogDensity is -inf outside of the support, and NaN for invalid parameters. It may
	// be NaN where it comes to inf - inf.
	LogDensity func(k kit.Calc[T, B], x T, p []T) T
	// StableForm is another form where the numbers are large; nil if there is none.
	Stable *StableForm[T, B]
	// Tails are log P(X <= x) and log P(X > x). A law of counts has steps: P(X > x) is that
	// of the next count.
	Tails func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T]
	// Quantile is for 0 <= u <= 1; nil: Tails are inverted.
	Quantile func(k kit.Calc[T, B], u T, p []T) T
	// AtLink is the log density whose first parameter is a probability that a link makes,
	// and AtExp one whose first parameter is an exponential: both save logarithms, and digits.
	AtLink func(k kit.Calc[T, B], x T, p []T, c functions.Chance[T], either BySize[T, B]) T
	AtExp  func(k kit.Calc[T, B], x T, p []T) T
	// TailsAtLink is Tails there.
	TailsAtLink func(k kit.Calc[T, B], x T, p []T, c functions.Chance[T]) cumulative.Tails[T]
	// Without says where log p, and where log(1 - p), is no part of what AtLink is at x; of NaN, whether it is
	// at no x.
	Without func(k kit.Calc[T, B], x T, p []T) (logP, logQ B)
}

// StableForm is the form of a log density that keeps its digits where one of the numbers
// that Sizes lists is Large; Body holds where Inside does, which is never NaN.
type StableForm[T, B any] struct {
	Sizes func(x T, p []T) []T // what must not be large for the plain form
	// SmallNode is Sizes for a node that is known to be no large number; nil is none.
	SmallNode func(x T, p []T) []T
	Inside    func(k kit.Calc[T, B], x T, p []T) B
	Body      func(k kit.Calc[T, B], x T, p []T) T
}

// BySize is a stable form where one of the sizes is large and cond holds, else a plain
// one. Without sizes the plain one is right as far as its parameter is.
type BySize[T, B any] func(sizes []T, cond func(large B) B, stable func() T, plain T) T

// Named is a parameter by the name that other languages give it: parameter Of of the law,
// counted from 0, is that to Power.
type Named struct {
	Name      string // as it stands in programs
	Of, Power int    // the parameter, and what it is raised to
}

// Form is a set of parameters by their names, with the parameters of the law as expressions of them.
type Form struct {
	Names   []string // of the parameters that are given
	Inverse bool     // they are those of the law that has the inverse of the matrix
	Params  []string // those of the law, as expressions of Names, in the language of models
	Note    string   // what to know of it: a warning
}

// Conjugate is a fact: where Of is the law of parameter Param of this one, and the other
// parameters are known, the law of it given data is of the same family.
type Conjugate struct {
	Param int    // counted from 0
	Of    string // the name of its law, as Law.Name
}

// Origin is the language that a law comes from.
type Origin uint8

// The languages.
const (
	BUGS Origin = 1 << iota // OpenBUGS
	JAGS
	NIMBLE
	Both = BUGS | JAGS
)

// Functions are the functions that programs may call.
type Functions uint8

// The functions of a law X: pX, qX, dX, and logdensity.X.
const (
	CDF Functions = 1 << iota
	QuantileFunction
	DensityFunction
	LogDensityFunction
	NoFunctions  Functions = 0
	AllFunctions           = CDF | QuantileFunction | DensityFunction | LogDensityFunction
)

// An Array is stored row by row; Dims is nil for a number.
type Array struct {
	Dims []int     // the extents, none of them negative
	V    []float64 // as many elements as the product of Dims
}

// Wrong says what is wrong with the parameters, "" for nothing.
func (l *Law) Wrong(p []float64) string {
	for i, x := range p {
		if math.IsNaN(x) {
			return fmt.Sprintf("parameter %d is not a number", i+1)
		}
	}
	for _, r := range l.Go.Rules {
		if !r.Holds(kit.Float{}, p) {
			if r.Hint != nil {
				return r.Why + r.Hint(p)
			}
			return r.Why
		}
	}
	return ""
}

// LogDensity is the log density at x for valid parameters: -Inf outside of the support,
// NaN where it has no value.
func (l *Law) LogDensity(x float64, p []float64) float64 {
	if c := l.Go.Stable; c != nil && (l.NeedsStable == nil || l.NeedsStable(p)) && c.Inside(kit.Float{}, x, p) {
		return c.Body(kit.Float{}, x, p)
	}
	y := l.Go.LogDensity(kit.Float{}, x, p)
	if math.IsNaN(y) && l.Elsewhere != nil && l.Elsewhere(x, p) {
		return -kit.Inf
	}
	return y
}

// First is the first parameter, which is often a point to begin at (Law.Centre).
func First(p []float64) float64 { return p[0] }

// Part is the array as formulas read it.
func (a Array) Part() kit.Grid {
	g := kit.Grid{V: a.V}
	if len(a.Dims) > 1 {
		g.Columns = a.Dims[1]
	}
	return g
}
