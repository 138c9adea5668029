package sampler

import "github.com/irc-lang/irc/tools/stage"

type (
	s     = *stage.S
	num   = stage.Dyn[float64]
	whole = stage.Dyn[int]
	truth = stage.Dyn[bool]
	list  = stage.Slice[float64]
)

// A Chain is the memory of one chain in a program. All but Draws and Stats is its state.
type Chain struct {
	// The target reads Position and writes Gradient, of as many elements as there are coordinates.
	Position, Gradient list
	Rows               list // rowCount rows of as many elements
	Numbers            list // by the constants below
	Draws              list // of each iteration the position
	Stats              list // of each iteration StatCount numbers: see Stats
}

// The numbers of a state. Counts are whole numbers.
const (
	logDensity = iota
	stepSize
	stepMean // the logarithm of the averaged step size
	stepBias // how much the acceptance was under its target, averaged
	stepGoal // where the logarithm of the step size is drawn to
	stepCount
	iteration  // from 0, warm-up included
	foreground // draws in the estimators of the metric
	background
	numberCount
)

// Settings of a chain, which are numbers of the program.
type Settings struct {
	Seed, Chain  stage.Dyn[int64]
	Warmup       whole
	MaxDepth     whole
	TargetAccept num
}

// Stats are what a chain says of an iteration, in the order of its numbers; the names are Stan's.
var Stats = []string{"lp", "accept_stat", "stepsize", "treedepth", "n_leapfrog", "divergent", "energy"}

// The rows of a state.
const (
	inverseMetric = iota // the variances by which momenta become velocities
	momentum
	sample         // position, and gradient behind it
	sampleGradient // so that both are copied at once
	total          // sum of momenta over the tree
	backward       // the ends of the tree: position, gradient, momentum
	_
	_
	forward
	_
	_
	estimators    // foreground mean and sum of squares of draws, then of gradients
	newEstimators = estimators + 4
	levels        = newEstimators + 4
)

// A subtree has rows behind levels.
const (
	firstMomentum = iota
	lastMomentum
	sumOfMomenta
	proposal
	proposalGradient
	levelRows
)

// DepthLimit bounds Settings.MaxDepth.
const DepthLimit = 20

// Numbers of a subtree, behind those of the state.
const (
	logWeight = iota
	proposalLogDensity
	levelNumbers
)

// Memory is that of a chain in Go.
type Memory struct {
	Position, Gradient, Rows, Numbers, Draws, Stats []float64
}

// NewMemory makes it, for iterations that a call makes at most.
func NewMemory(coordinates, depth, iterations int) *Memory {
	return &Memory{make([]float64, coordinates), make([]float64, coordinates), make([]float64, (levels+(depth+1)*levelRows)*coordinates),
		make([]float64, numberCount+(depth+1)*levelNumbers), make([]float64, iterations*coordinates), make([]float64, iterations*len(Stats))}
}

// A row is some elements of memory.
type row struct {
	of list
	at whole
}

func (c *chain) row(which any) row { return row{c.Rows, stage.Lit(c.s, 0).Add(which).Mul(c.n)} }

func (r row) get(i whole) num    { return r.of.At(r.at.Add(i)) }
func (r row) set(i whole, x any) { r.of.Set(r.at.Add(i), x) }
