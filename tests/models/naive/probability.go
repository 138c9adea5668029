package naive

import (
	"math"
	"slices"

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
		if lp, lq, ok := r.logsOf(k); ok {
			return lp, lq
		}
	case *syntax.Binary:
		if one, is := e.X.(*syntax.Num); is && one.Value == 1 && e.Op == syntax.OpSub {
			lq, lp = r.logProbabilities(e.Y, env)
			return lp, lq
		}
	case *syntax.Call:
		if f := syntax.LookupFunction(e.Name); f != nil {
			if logs := ByLink[map[string]string{"ilogit": "logit", "phi": "probit", "icloglog": "cloglog", "exp": "log"}[f.Name]]; logs != nil {
				return logs(r.scalar(e.Args[0], env))
			}
		}
	}
	p := r.scalar(e, env)
	return ln(p), math.Log1p(-p)
}

// logsOf is log p and log(1 - p) of an element, where a single assignment defines it.
func (r *run) logsOf(k key) (lp, lq float64, ok bool) {
	d, is := r.m.defs[k]
	switch {
	case !is || !d.whole:
		return 0, 0, false
	case d.s.Link == "":
		lp, lq = r.logProbabilities(d.s.RHS, d.env)
		return lp, lq, true
	case ByLink[d.s.Link] == nil:
		return 0, 0, false
	}
	lp, lq = ByLink[d.s.Link](r.scalar(d.s.RHS, d.env))
	return lp, lq, true
}

// category is the log mass of dcat, by the logarithms of its weights.
func (r *run) category(x float64, e syntax.Expr, w value, env env) float64 {
	logs := make([]float64, len(w.v))
	for i, p := range w.v {
		logs[i] = ln(p)
	}
	if ref, is := e.(*syntax.Ref); is {
		i := 0
		product(r.positions(ref, env), func(at []int) {
			if lp, _, ok := r.logsOf(keyOf(ref.Name, at)); ok && lp == lp {
				logs[i] = lp
			}
			i++
		})
	}
	return support(whole(x) && x >= 1 && int(x) <= len(logs), func() float64 {
		most, sum := slices.Max(logs), 0.0
		for _, l := range logs {
			sum += math.Exp(l - most)
		}
		return logs[int(x)-1] - most - math.Log(sum)
	})
}

// ByLink are log p and log(1 - p) of what a link makes of a predictor.
var ByLink = map[string]func(x float64) (lp, lq float64){
	"logit":  logistic,
	"probit": func(x float64) (lp, lq float64) { return logNormalCDF(x), logNormalCDF(-x) },
	"cloglog": func(x float64) (lp, lq float64) {
		if lq = -math.Exp(x); x < -40 {
			return x, lq
		}
		return log1mexp(lq), lq
	},
	"log": func(x float64) (lp, lq float64) {
		if x > 0 {
			return math.NaN(), math.NaN()
		}
		return x, log1mexp(x)
	},
}

// log1mexp is log(1 - e^x) for x <= 0.
func log1mexp(x float64) float64 {
	if x > -math.Ln2 {
		return ln(-math.Expm1(x))
	}
	return math.Log1p(-math.Exp(x))
}

// logNormalCDF is log Phi(x), by the continued fraction of Laplace far below 0.
func logNormalCDF(x float64) float64 {
	switch {
	case x > 0:
		return math.Log1p(-0.5 * math.Erfc(x/math.Sqrt2))
	case x > -5:
		return math.Log(0.5 * math.Erfc(-x/math.Sqrt2))
	}
	f := -x
	for k := 200.0; k >= 1; k-- {
		f = -x + k/f
	}
	return -x*x/2 - 0.5*math.Log(2*math.Pi) - math.Log(f)
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

// failures is the log mass of a negative binomial count.
func failures(x, r, lp, lq float64) float64 {
	return support(whole(x) && x >= 0, func() float64 {
		if x > 1e7 {
			panic(failure{why: ErrTail.Error()}) // the difference of two large logarithms
		}
		s := lgamma(x+r) - lgamma(x+1) - lgamma(r) + r*lp
		if x > 0 {
			s += x * lq
		}
		return s
	})
}
