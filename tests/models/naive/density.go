package naive

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// logDensity is the log density or mass of a distribution by its name in the table.
func logDensity(dist string, x value, args []value) float64 {
	if f := vectors[dist]; f != nil {
		return f(x, args)
	}
	f := scalars[dist]
	if f == nil {
		fail("the distribution %s", dist)
	}
	if len(x.v) != 1 {
		fail("%s of %d values", dist, len(x.v))
	}
	p := all(args)
	y := f(x.v[0], p)
	if i, ok := scales[dist]; ok && math.IsNaN(y) && math.IsInf(p[i], 1) {
		return -inf // the limit, where there is one
	}
	return y
}

// scales are the parameters that, where they overflow, leave density at one point alone.
var scales = map[string]int{"dnorm": 1, "dlnorm": 1, "dt": 1, "dlogis": 1, "ddexp": 1, "dgamma": 1, "dexp": 0, "dweib": 1, "dpois": 0}

var inf = math.Inf(1)

// support is d where ok, else minus infinity.
func support(ok bool, d func() float64) float64 {
	if !ok {
		return -inf
	}
	return d()
}

func whole(x float64) bool { return x == math.Trunc(x) }

// xlogy is x log y, 0 for x = 0.
func xlogy(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x * ln(y)
}

func lchoose(n, k float64) float64 { return lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1) }

func lbeta(a, b float64) float64 { return lgamma(a) + lgamma(b) - lgamma(a+b) }

func binomial(x, p, n float64) float64 {
	return support(whole(x) && x >= 0 && x <= n, func() float64 {
		s := lchoose(n, x) + xlogy(x, p)
		if x < n {
			s += (n - x) * math.Log1p(-p)
		}
		return s
	})
}

func poisson(x, l float64) float64 {
	if x > 1e6 {
		panic(failure{why: ErrTail.Error()}) // large terms cancel
	}
	return support(whole(x) && x >= 0, func() float64 { return xlogy(x, l) - l - lgamma(x+1) })
}

func student(x, m, t, k float64) float64 {
	z := t * (x - m) * (x - m) / k
	return lgamma((k+1)/2) - lgamma(k/2) + 0.5*ln(t/(k*math.Pi)) - (k+1)/2*math.Log1p(z)
}

// scalars are the distributions of one number, with parameters in order.
var scalars = map[string]func(x float64, p []float64) float64{
	"dnorm": func(x float64, p []float64) float64 {
		return 0.5*ln(p[1]/(2*math.Pi)) - p[1]*(x-p[0])*(x-p[0])/2
	},
	"dlnorm": func(x float64, p []float64) float64 {
		return support(x > 0, func() float64 {
			z := ln(x) - p[0]
			return 0.5*ln(p[1]/(2*math.Pi)) - p[1]*z*z/2 - ln(x)
		})
	},
	"dt": func(x float64, p []float64) float64 { return student(x, p[0], p[1], p[2]) },
	"dlogis": func(x float64, p []float64) float64 {
		z := math.Abs(p[1] * (x - p[0]))
		return ln(p[1]) - z - 2*math.Log1p(math.Exp(-z))
	},
	"ddexp": func(x float64, p []float64) float64 { return ln(p[1]/2) - p[1]*math.Abs(x-p[0]) },
	"dgamma": func(x float64, p []float64) float64 {
		return support(x > 0, func() float64 { return p[0]*ln(p[1]) + (p[0]-1)*ln(x) - p[1]*x - lgamma(p[0]) })
	},
	"dexp": func(x float64, p []float64) float64 {
		return support(x >= 0, func() float64 { return ln(p[0]) - p[0]*x })
	},
	"dchisqr": func(x float64, p []float64) float64 {
		return support(x > 0, func() float64 {
			return -p[0]/2*math.Ln2 + (p[0]/2-1)*ln(x) - x/2 - lgamma(p[0]/2)
		})
	},
	"dweib": func(x float64, p []float64) float64 {
		return support(x > 0, func() float64 {
			return ln(p[0]*p[1]) + (p[0]-1)*ln(x) - p[1]*math.Pow(x, p[0])
		})
	},
	"dbeta": func(x float64, p []float64) float64 {
		return support(x > 0 && x < 1, func() float64 {
			return (p[0]-1)*ln(x) + (p[1]-1)*math.Log1p(-x) - lbeta(p[0], p[1])
		})
	},
	"dunif": func(x float64, p []float64) float64 {
		return support(x >= p[0] && x <= p[1], func() float64 { return -ln(p[1] - p[0]) })
	},
	"dpar": func(x float64, p []float64) float64 {
		return support(x >= p[1], func() float64 { return ln(p[0]) + p[0]*ln(p[1]) - (p[0]+1)*ln(x) })
	},
	"dgev": func(x float64, p []float64) float64 {
		z := 1 + p[2]*(x-p[0])/p[1]
		return support(z > 0, func() float64 {
			return -ln(p[1]) - (1/p[2]+1)*ln(z) - math.Pow(z, -1/p[2])
		})
	},
	"dflat":   func(x float64, p []float64) float64 { return 0 },
	"dloglik": func(x float64, p []float64) float64 { return p[0] },
	"dbern":   func(x float64, p []float64) float64 { return binomial(x, p[0], 1) },
	"dbin":    func(x float64, p []float64) float64 { return binomial(x, p[0], p[1]) },
	"dpois":   func(x float64, p []float64) float64 { return poisson(x, p[0]) },
	"dnegbin": func(x float64, p []float64) float64 {
		return support(whole(x) && x >= 0, func() float64 {
			if x > 1e7 {
				panic(failure{why: ErrTail.Error()}) // the difference of two large logarithms
			}
			s := lgamma(x+p[1]) - lgamma(x+1) - lgamma(p[1]) + p[1]*ln(p[0])
			if x > 0 {
				s += x * math.Log1p(-p[0])
			}
			return s
		})
	},
	"dgeom": func(x float64, p []float64) float64 {
		return support(whole(x) && x >= 1, func() float64 { return ln(p[0]) + (x-1)*math.Log1p(-p[0]) })
	},
	"dbetabin": func(x float64, p []float64) float64 {
		return support(whole(x) && x >= 0 && x <= p[2], func() float64 {
			return lchoose(p[2], x) + lbeta(x+p[0], p[2]-x+p[1]) - lbeta(p[0], p[1])
		})
	},
	"dhyper": func(x float64, p []float64) float64 {
		mass := func(y float64) float64 {
			return math.Exp(lchoose(p[0], y) + lchoose(p[1], p[2]-y) + y*ln(p[3]))
		}
		lo, hi := math.Max(0, p[2]-p[1]), math.Min(p[0], p[2])
		return support(whole(x) && x >= lo && x <= hi, func() float64 {
			s := 0.0
			for y := lo; y <= hi; y++ {
				s += mass(y)
			}
			return ln(mass(x) / s)
		})
	},
}

// cumulative is P(X <= x), of the distributions that models truncate.
func cumulative(dist string, x float64, p []float64) float64 {
	switch dist {
	case "dnorm":
		return normalCDF((x - p[0]) * math.Sqrt(p[1]))
	case "dlnorm":
		return normalCDF((ln(math.Max(x, 0)) - p[0]) * math.Sqrt(p[1]))
	case "dlogis":
		return ilogit(p[1] * (x - p[0]))
	case "dexp":
		return -math.Expm1(-p[0] * math.Max(x, 0))
	case "dweib":
		return -math.Expm1(-p[1] * math.Pow(math.Max(x, 0), p[0]))
	case "dgamma":
		return mathext.GammaIncReg(p[0], p[1]*math.Max(x, 0))
	case "dbeta":
		return mathext.RegIncBeta(p[0], p[1], math.Min(math.Max(x, 0), 1))
	case "dunif":
		return math.Min(math.Max((x-p[0])/(p[1]-p[0]), 0), 1)
	case "dt":
		z := (x - p[0]) * math.Sqrt(p[1])
		tail := 0.5 * mathext.RegIncBeta(p[2]/2, 0.5, p[2]/(p[2]+z*z))
		if z < 0 {
			return tail
		}
		return 1 - tail
	case "dpois", "dbin", "dbern", "dnegbin", "dgeom", "dbetabin", "dhyper":
		s := 0.0
		for y := 0.0; y <= x; y++ {
			s += math.Exp(scalars[dist](y, p))
		}
		return s
	}
	fail("the distribution function of %s", dist)
	return 0
}
