package models_test

import (
	"strings"
	"testing"
)

// A precision or a rate that overflows leaves no density but at one point: there is none
// elsewhere, on every engine, whether the logarithm of the parameter is taken from a link
// or of the parameter, and at the point it is an error.
func TestConcentrated(t *testing.T) {
	forms := []string{"exp(800 + b)", "1 / exp(-400 - b) / exp(-400 - b)"}
	for _, c := range []struct{ law, point string }{
		{"dnorm(0, TAU)", "0"}, {"dt(0, TAU, 4)", "0"}, {"ddexp(0, TAU)", "0"}, {"dlogis(0, TAU)", "0"},
		{"dlnorm(0, TAU)", "1"}, {"dgamma(2, TAU)", ""}, {"dexp(TAU)", ""}, {"dweib(2, TAU)", ""}, {"dpois(TAU)", ""},
	} {
		for _, form := range forms {
			program := "model { y ~ " + strings.Replace(c.law, "TAU", form, 1) + "\n b ~ dnorm(0, 1) }"
			for _, engine := range engines() {
				status, out, said := both(t, program, "logdensity", "-engine="+engine, "-D", "y=2", "-D", "b=0")
				if status != 0 || !strings.HasPrefix(out, "logp          -Infinity\n") || !strings.Contains(said, "warning: the density of y is 0: it is 2 in the data") {
					t.Errorf("%s, %s: status %d: %s%s", program, engine, status, out, said)
				}
				if c.point == "" {
					continue
				}
				status, out, said = both(t, program, "logdensity", "-engine="+engine, "-D", "y="+c.point, "-D", "b=0")
				if status != 1 || !strings.Contains(said, "node y: there is no density at "+c.point) {
					t.Errorf("%s, %s: status %d: %s%s", program, engine, status, out, said)
				}
			}
		}
	}
}
