package bugs

import "math"

// A precision or a rate that overflows, as exp(eta) does for eta above 709.8, makes of the
// terms of a log density Inf - Inf. The limit is what is meant: all probability is at one
// point, or at infinity, and elsewhere the density is 0. Lowered code that takes eta itself
// for the logarithm has the limit of the sum, too.

// concentrated are the distributions that do that, by the table's name: which parameter,
// and where the probability goes.
var concentrated = map[string]struct {
	param int
	at    func(p []float64) float64
}{
	"dnorm":  {1, first},
	"dt":     {1, first},
	"dlogis": {1, first},
	"ddexp":  {1, first},
	"dlnorm": {1, func(p []float64) float64 { return math.Exp(p[0]) }},
	"dgamma": {1, zero},
	"dexp":   {0, zero},
	"dweib":  {1, zero},
	"dpois":  {0, func([]float64) float64 { return inf }},
}

func zero([]float64) float64 { return 0 }

// isLimit reports a density that is 0 at x because the distribution is concentrated
// elsewhere.
func isLimit(dist string, x float64, p []float64) bool {
	c, ok := concentrated[dist]
	return ok && math.IsInf(p[c.param], 1) && !math.IsNaN(x) && x != c.at(p)
}
