package naive

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// logProbabilities is log p and log(1 - p) of an argument that is a probability. Where
// it is the inverse link of a number, both come from the number: p near 1 has lost
// the digits of 1 - p.
func (r *run) logProbabilities(e syntax.Expr, env env) (lp, lq float64) {
	switch e := e.(type) {
	case *syntax.Ref:
		at := r.positions(e, env)
		var k key
		product(at, func(at []int) { k = keyOf(e.Name, at) })
		if d, ok := r.m.defs[k]; ok && d.whole {
			if d.s.Link == "" {
				return r.logProbabilities(d.s.RHS, d.env)
			}
			if d.s.Link != "log" {
				return byLink(d.s.Link, r.scalar(d.s.RHS, d.env))
			}
		}
	case *syntax.Call:
		link := map[string]string{"ilogit": "logit", "phi": "probit", "icloglog": "cloglog"}
		if f := syntax.LookupFunction(e.Name); f != nil && link[f.Name] != "" {
			return byLink(link[f.Name], r.scalar(e.Args[0], env))
		}
	}
	p := r.scalar(e, env)
	return ln(p), math.Log1p(-p)
}

func byLink(link string, x float64) (lp, lq float64) {
	switch link {
	case "logit":
		return -log1pexp(-x), -log1pexp(x)
	case "probit":
		return logNormalCDF(x), logNormalCDF(-x)
	}
	return ln(-math.Expm1(-math.Exp(x))), -math.Exp(x)
}

func log1pexp(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

// logNormalCDF continues with the asymptotic series where erfc underflows.
func logNormalCDF(x float64) float64 {
	if x > -30 {
		return ln(normalCDF(x))
	}
	z := 1 / (x * x)
	return -x*x/2 - ln(-x) - 0.5*ln(2*math.Pi) + math.Log1p(-z+3*z*z-15*z*z*z+105*z*z*z*z)
}

// successes is the log mass of a binomial count.
func successes(x, n, lp, lq float64) float64 {
	return support(whole(x) && x >= 0 && x <= n, func() float64 {
		s := lchoose(n, x)
		if x > 0 {
			s += x * lp
		}
		if x < n {
			s += (n - x) * lq
		}
		return s
	})
}
