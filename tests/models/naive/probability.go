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
			if d.s.Link == "logit" {
				return logistic(r.scalar(d.s.RHS, d.env))
			}
		}
	case *syntax.Call:
		if f := syntax.LookupFunction(e.Name); f != nil && f.Name == "ilogit" {
			return logistic(r.scalar(e.Args[0], env))
		}
	}
	p := r.scalar(e, env)
	return ln(p), math.Log1p(-p)
}

func logistic(x float64) (lp, lq float64) { return -log1pexp(-x), -log1pexp(x) }

func log1pexp(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
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
