package special

import "math"

// log1mexp chooses the form that does not cancel (Maechler 2012).
func log1mexp(x float64) float64 {
	if x > -math.Ln2 {
		return log(-math.Expm1(x))
	}
	return math.Log1p(-math.Exp(x))
}

func log1pexp(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

// logit: 2x - 1 is exact from 1/4 up.
func logit(x float64) float64 {
	if x < 0.25 {
		return log(x) - math.Log1p(-x)
	}
	return 2 * math.Atanh(2*x-1)
}

func ilogit(x float64) float64 {
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

func cloglog(x float64) float64 { return log(-math.Log1p(-x)) }

func icloglog(x float64) float64 { return -math.Expm1(-math.Exp(x)) }

func step(x float64) float64 {
	if x >= 0 {
		return 1
	}
	return 0
}

func xlogy(x, y float64) float64 {
	if x == 0 && y == y {
		return 0
	}
	return x * log(y)
}

func xlog1py(x, y float64) float64 {
	if x == 0 && y == y {
		return 0
	}
	return x * math.Log1p(y)
}
