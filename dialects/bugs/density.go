package bugs

import (
	"fmt"
	"math"
	"math/rand/v2"

	accurate "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"gonum.org/v1/gonum/stat/distuv"
)

// A family is what the reference evaluation knows of a scalar distribution: the
// meaning of `~` that every lowering is checked against.
type family struct {
	// invalid names what is wrong with the parameters, "" for nothing.
	invalid func(p []float64) string
	// logp is the log density at x for valid parameters: -Inf outside of the support.
	logp func(x float64, p []float64) float64
	// draw simulates, and centre is the value that -fill-inits=prior gives: the
	// mean where there is one, else the median; an integer where the family has
	// only those.
	draw   func(r *rand.Rand, p []float64) float64
	centre func(p []float64) float64
}

var inf = math.Inf(1)

const log2Pi = 1.8378770664093453

// wrong says what is wrong with the parameters, "" for nothing.
func (f *family) wrong(p []float64) string {
	for i, x := range p {
		if math.IsNaN(x) {
			return fmt.Sprintf("parameter %d is not a number", i+1)
		}
	}
	return f.invalid(p)
}

// positive returns a check that the parameters of the given positions are > 0.
func positive(names ...string) func(p []float64) string {
	return func(p []float64) string {
		for i, n := range names {
			if n != "" && !(p[i] > 0) {
				return n + " must be positive"
			}
		}
		return ""
	}
}

func probability(p []float64) string {
	if !(p[0] >= 0 && p[0] <= 1) {
		return "the probability must be between 0 and 1"
	}
	return ""
}

func isInteger(x float64) bool { return x == math.Trunc(x) && !math.IsInf(x, 0) }

// xlogy is x log y, and 0 where x is 0.
func xlogy(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x * logOf(y)
}

// xlog1py is x log(1 + y), and 0 where x is 0.
func xlog1py(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x * math.Log1p(y)
}

func gammaLogp(x, r, l float64) float64 {
	if !(x >= 0 && x < inf) {
		return -inf
	}
	if y := l * x; r > 100 && !math.IsInf(r, 1) && y > 0 && !math.IsInf(y, 1) {
		return gammaKernel[float64, bool](floats{}, r, y) - logOf(x)
	}
	return r*logOf(l) - lgamma(r) + xlogy(r-1, x) - l*x
}

func binomialInvalid(p []float64) string {
	if s := probability(p); s != "" {
		if p[0] > 1 && p[0] == math.Trunc(p[0]) && p[1] >= 0 && p[1] <= 1 {
			return s + "; the order is dbin(p, n)"
		}
		return s
	}
	if !isInteger(p[1]) || p[1] < 0 {
		return "the size must be a whole number; the order is dbin(p, n)"
	}
	return ""
}

func countLogp(f func(x float64, p []float64) float64) func(float64, []float64) float64 {
	return func(x float64, p []float64) float64 {
		if x < 0 || !isInteger(x) {
			return -inf
		}
		return f(x, p)
	}
}

func normalDraw(r *rand.Rand, mu, tau float64) float64 { return mu + r.NormFloat64()/math.Sqrt(tau) }

// gammaDraw never returns 0, where half of a gamma(0.001, 0.001) would go by
// underflow and then be an invalid precision: the least normal number stands for it.
func gammaDraw(r *rand.Rand, shape, rate float64) float64 {
	return math.Max(math.Exp(logGammaDraw(r, shape))/rate, 0x1p-1022)
}

// open is a uniform number strictly between 0 and 1.
func open(r *rand.Rand) float64 {
	for {
		if u := r.Float64(); u > 0 {
			return u
		}
	}
}

func first(p []float64) float64 { return p[0] }

// families are the scalar distributions of this version, by the table's name.
var families = map[string]*family{
	"dnorm": {
		invalid: positive("", "the precision"),
		logp: func(x float64, p []float64) float64 {
			z := x - p[0]
			return 0.5*logOf(p[1]) - 0.5*log2Pi - 0.5*p[1]*z*z
		},
		draw: func(r *rand.Rand, p []float64) float64 { return normalDraw(r, p[0], p[1]) }, centre: first},
	"dlnorm": {
		invalid: positive("", "the precision"),
		logp: func(x float64, p []float64) float64 {
			if !(x > 0 && x < inf) {
				return -inf
			}
			z := logOf(x) - p[0]
			return 0.5*logOf(p[1]) - 0.5*log2Pi - 0.5*p[1]*z*z - logOf(x)
		},
		draw:   func(r *rand.Rand, p []float64) float64 { return math.Exp(normalDraw(r, p[0], p[1])) },
		centre: func(p []float64) float64 { return math.Exp(p[0]) }},
	"dt": {
		invalid: positive("", "the precision", "the degrees of freedom"),
		logp: func(x float64, p []float64) float64 {
			z, k := x-p[0], p[2]
			square := logOnePlusSquare[float64, bool](floats{}, z, math.Sqrt(p[1]), math.Sqrt(k))
			return studentConstant[float64, bool](floats{}, k) + 0.5*logOf(p[1]) - (k+1)/2*square
		},
		draw: func(r *rand.Rand, p []float64) float64 {
			return p[0] + r.NormFloat64()/math.Sqrt(p[1]*2*gammaDraw(r, p[2]/2, 1)/p[2])
		}, centre: first},
	"dlogis": {
		invalid: positive("", "the inverse scale"),
		logp: func(x float64, p []float64) float64 {
			z := p[1] * (x - p[0])
			return logOf(p[1]) - math.Abs(z) - 2*math.Log1p(math.Exp(-math.Abs(z)))
		},
		draw: func(r *rand.Rand, p []float64) float64 {
			u := open(r)
			return p[0] + (logOf(u)-math.Log1p(-u))/p[1]
		}, centre: first},
	"ddexp": {
		invalid: positive("", "the rate"),
		logp: func(x float64, p []float64) float64 {
			return logOf(p[1]/2) - p[1]*math.Abs(x-p[0])
		},
		draw: func(r *rand.Rand, p []float64) float64 {
			x := r.ExpFloat64() / p[1]
			if r.IntN(2) == 0 {
				x = -x
			}
			return p[0] + x
		}, centre: first},
	"dgamma": {
		invalid: positive("the shape", "the rate"),
		logp:    func(x float64, p []float64) float64 { return gammaLogp(x, p[0], p[1]) },
		draw:    func(r *rand.Rand, p []float64) float64 { return gammaDraw(r, p[0], p[1]) },
		centre:  func(p []float64) float64 { return p[0] / p[1] }},
	"dexp": {
		invalid: positive("the rate"),
		logp:    func(x float64, p []float64) float64 { return gammaLogp(x, 1, p[0]) },
		draw:    func(r *rand.Rand, p []float64) float64 { return r.ExpFloat64() / p[0] },
		centre:  func(p []float64) float64 { return 1 / p[0] }},
	"dchisqr": {
		invalid: positive("the degrees of freedom"),
		logp:    func(x float64, p []float64) float64 { return gammaLogp(x, p[0]/2, 0.5) },
		draw:    func(r *rand.Rand, p []float64) float64 { return gammaDraw(r, p[0]/2, 0.5) },
		centre:  first},
	"dweib": {
		invalid: positive("the shape", "lambda"),
		logp: func(x float64, p []float64) float64 {
			if !(x >= 0 && x < inf) {
				return -inf
			}
			return logOf(p[0]) + logOf(p[1]) + xlogy(p[0]-1, x) - p[1]*accurate.Pow(x, p[0])
		},
		draw:   func(r *rand.Rand, p []float64) float64 { return math.Pow(r.ExpFloat64()/p[1], 1/p[0]) },
		centre: func(p []float64) float64 { return math.Pow(math.Ln2/p[1], 1/p[0]) }},
	"dgen.gamma": {
		invalid: positive("the shape", "lambda", "the power"),
		logp: func(x float64, p []float64) float64 {
			if !(x >= 0 && x < inf) {
				return -inf
			}
			r, l, b := p[0], p[1], p[2]
			if math.IsInf(b*r, 1) && !math.IsInf(r, 1) {
				return -inf // all but one point
			}
			if y := accurate.Pow(l*x, b); r > 100 && !math.IsInf(r, 1) && y > 0 && !math.IsInf(y, 1) {
				return logOf(b) + gammaKernel[float64, bool](floats{}, r, y) - logOf(x)
			}
			return logOf(b) + b*r*logOf(l) + xlogy(b*r-1, x) - accurate.Pow(l*x, b) - lgamma(r)
		},
		draw:   func(r *rand.Rand, p []float64) float64 { return math.Pow(gammaDraw(r, p[0], 1), 1/p[2]) / p[1] },
		centre: func(p []float64) float64 { return math.Exp(lgamma(p[0]+1/p[2])-lgamma(p[0])) / p[1] }},
	"dbeta": {
		invalid: positive("a", "b"),
		logp: func(x float64, p []float64) float64 {
			if !(x >= 0 && x <= 1) {
				return -inf
			}
			if p[0] > 100 && p[1] > 100 && !math.IsInf(p[0]+p[1], 1) && x > 0 && x < 1 {
				return betaKernel[float64, bool](floats{}, p[0], p[1], x, 1-x) - logOf(x) - math.Log1p(-x)
			}
			return xlogy(p[0]-1, x) + xlog1py(p[1]-1, -x) - special.Value(special.Lbeta, p[0], p[1])
		},
		draw:   func(r *rand.Rand, p []float64) float64 { return betaDraw(r, p[0], p[1]) },
		centre: func(p []float64) float64 { return p[0] / (p[0] + p[1]) }},
	"dunif": {
		invalid: func(p []float64) string {
			if !(p[0] < p[1]) {
				return "the lower end must be below the upper"
			}
			return ""
		},
		logp: func(x float64, p []float64) float64 {
			if !(x >= p[0] && x <= p[1]) {
				return -inf
			}
			return -logOf(p[1] - p[0])
		},
		draw:   func(r *rand.Rand, p []float64) float64 { return p[0] + (p[1]-p[0])*r.Float64() },
		centre: func(p []float64) float64 { return p[0] + (p[1]-p[0])/2 }},
	"dpar": {
		invalid: positive("alpha", "the lower end c"),
		logp: func(x float64, p []float64) float64 {
			if !(x >= p[1]) {
				return -inf
			}
			return logOf(p[0]) + p[0]*logOf(p[1]) - (p[0]+1)*logOf(x)
		},
		draw:   func(r *rand.Rand, p []float64) float64 { return p[1] * math.Exp(r.ExpFloat64()/p[0]) },
		centre: func(p []float64) float64 { return p[1] * math.Pow(2, 1/p[0]) }},
	"dflat": {
		invalid: func([]float64) string { return "" },
		logp:    func(float64, []float64) float64 { return 0 },
		centre:  func([]float64) float64 { return 0 }},
	"dbern": {
		invalid: probability,
		logp: countLogp(func(x float64, p []float64) float64 {
			if x > 1 {
				return -inf
			}
			return xlogy(x, p[0]) + xlog1py(1-x, -p[0])
		}),
		draw:   func(r *rand.Rand, p []float64) float64 { return truth(r.Float64() < p[0]) },
		centre: func(p []float64) float64 { return math.Round(p[0]) }},
	"dbin": {
		invalid: binomialInvalid,
		logp: countLogp(func(x float64, p []float64) float64 {
			if x > p[1] {
				return -inf
			}
			return binomialMass[float64, bool](floats{}, x, p[1]-x, p[0])
		}),
		draw:   func(r *rand.Rand, p []float64) float64 { return distuv.Binomial{N: p[1], P: p[0], Src: r}.Rand() },
		centre: func(p []float64) float64 { return math.Round(p[0] * p[1]) }},
	"dpois": {
		invalid: func(p []float64) string {
			if !(p[0] >= 0) {
				return "the mean must not be negative"
			}
			return ""
		},
		logp: countLogp(func(x float64, p []float64) float64 {
			if math.IsInf(p[0], 1) {
				return -inf
			}
			return poissonMass[float64, bool](floats{}, x, p[0])
		}),
		draw: func(r *rand.Rand, p []float64) float64 {
			if p[0] == 0 || math.IsInf(p[0], 1) {
				return p[0]
			}
			return distuv.Poisson{Lambda: p[0], Src: r}.Rand()
		},
		centre: func(p []float64) float64 { return math.Round(p[0]) }},
	"dnegbin": {
		invalid: func(p []float64) string {
			if !(p[0] > 0 && p[0] <= 1) {
				return "the probability must be between 0 and 1"
			}
			return positive("", "the size")(p)
		},
		logp: countLogp(func(x float64, p []float64) float64 {
			return negativeMass[float64, bool](floats{}, x, p[0], p[1])
		}),
		draw: func(r *rand.Rand, p []float64) float64 {
			if p[0] == 1 {
				return 0
			}
			return distuv.Poisson{Lambda: gammaDraw(r, p[1], p[0]/(1-p[0])), Src: r}.Rand()
		},
		centre: func(p []float64) float64 { return math.Round(p[1] * (1 - p[0]) / p[0]) }},
	"dgeom":  geometric(1),
	"dgeom0": geometric(0),
}

// geometric counts trials from 1, or failures from 0.
func geometric(from float64) *family {
	return &family{
		invalid: func(p []float64) string {
			if !(p[0] > 0 && p[0] <= 1) {
				return "the probability must be between 0 and 1"
			}
			return ""
		},
		logp: countLogp(func(x float64, p []float64) float64 {
			if x < from {
				return -inf
			}
			return logOf(p[0]) + xlog1py(x-from, -p[0])
		}),
		draw: func(r *rand.Rand, p []float64) float64 {
			if p[0] == 1 {
				return from
			}
			return from + math.Floor(logOf(open(r))/math.Log1p(-p[0]))
		},
		centre: func(p []float64) float64 { return from + math.Round((1-p[0])/p[0]) }}
}
