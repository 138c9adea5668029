package density

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/ir/diag"
)

// linkShapes are ways in which a program makes a probability p[j] of the predictor a*j: by a
// link, by its inverse, by way of another node, as 1 less that of the other link.
var linkShapes = map[string][]string{
	"logit":   {"logit(p[j]) <- a * j", "p[j] <- ilogit(a * j)", "logit(q[j]) <- a * j  p[j] <- q[j]", "p[j] <- 1 - ilogit(-a * j)"},
	"probit":  {"probit(p[j]) <- a * j", "p[j] <- phi(a * j)", "probit(q[j]) <- a * j  p[j] <- q[j]", "q[j] <- phi(-a * j)  p[j] <- 1 - q[j]"},
	"cloglog": {"cloglog(p[j]) <- a * j", "p[j] <- icloglog(a * j)", "cloglog(q[j]) <- a * j  p[j] <- q[j]"},
	"loglog":  {"cloglog(q[j]) <- a * j  p[j] <- 1 - q[j]", "p[j] <- 1 - icloglog(a * j)"},
	"log":     {"log(p[j]) <- a * j", "p[j] <- exp(a * j)", "q[j] <- exp(a * j)  p[j] <- q[j]"},
}

// Probabilities that links make keep the digits of p and of 1 - p in both tails, to the
// last digits of the log density: where the law reads them as they are made, or an index
// picks them, in the reference and in lowered code.
func TestLinksInTheTails(t *testing.T) {
	for link, shapes := range linkShapes {
		for i, law := range []string{"dbern(p[I])", "dbin(p[I], 3)", "dnegbin(p[I], 2)", "dgeom0(p[I])", "dpois(p[I])"} {
			if strings.HasPrefix(law, "dpois") && link != "log" {
				continue // p next to 1 loses nothing there
			}
			for j, made := range shapes {
				index := []string{"i", "g[i]"}[(i+j)%2]
				program := "model { for (j in 1:2) { " + made + " }  for (i in 1:2) { y[i] ~ " + strings.ReplaceAll(law, "I", index) + " }  a ~ dflat() }"
				p := compile(t, parse(t, diag.NewSource("m.bug", program)), parseData(t, diag.NewSource("d.json", `{"g": [1, 2], "y": [0, 1]}`)))
				for _, a := range []float64{-1e-20, -0.01, -0.5, -3, -6, -9, -20, -36, -40, -370, -400, -1e5, 1e-20, 0.5, 3, 4, 6, 6.7, 8.5, 20, 40, 350} {
					if link == "log" && a > 0 || link == "probit" && a > 1e5 {
						continue
					}
					tail(t, p, program, a, exactLink(link, law, a, 0)+exactLink(link, law, 2*a, 1))
				}
			}
		}
	}
}

// So do those of data and of constants, which are made before the model runs.
func TestLinksOfData(t *testing.T) {
	for _, c := range []struct {
		made, law string
		want      float64
	}{
		{"probit(p[j]) <- x[j]", "dbern(p[i])", logNormalCDF(-8.5) + logNormalCDF(-9)},
		{"p[j] <- 1 - phi(-x[j])", "dbern(p[i])", logNormalCDF(-8.5) + logNormalCDF(-9)},
		{"p[j] <- icloglog(4)", "dbern(p[i])", -2 * math.Exp(4)},
		{"p[j] <- 1", "dbern(ilogit(300))", -600},
		{"p[j] <- 1", "dbern(1 - phi(-20))", 2 * logNormalCDF(-20)},
	} {
		program := "model { for (j in 1:2) { " + c.made + " }  for (i in 1:2) { y[i] ~ " + c.law + " }  a ~ dflat() }"
		p := compile(t, parse(t, diag.NewSource("m.bug", program)), parseData(t, diag.NewSource("d.json", `{"x": [8.5, 9], "y": [0, 0]}`)))
		tail(t, p, program, 0, c.want)
	}
}

func tail(t *testing.T, p *Program, program string, a, want float64) {
	t.Helper()
	st := eval.NewState(p.Model)
	st[p.Model.Lookup("a").ID][0] = a
	got, err := p.LogDensity(st)
	if err != nil {
		t.Errorf("%s at %v: %v", program, a, err)
		return
	}
	ref := 0.0
	if err := eval.Visit(p.Model, st, func(f eval.Factor) { ref += f.Logp }); err != nil {
		t.Errorf("%s at %v: the reference says %v", program, a, err)
	}
	for who, x := range map[string]float64{"lowered code": got.Logp, "the reference": ref} {
		if !(x == want || math.Abs(x-want) <= 1e-10*math.Abs(want)+4e-15) {
			t.Errorf("%s at %v: %s gives %.17g, want %.17g", program, a, who, x, want)
		}
	}
}

// exactLink is the log density of y, by log p and log(1 - p) of the predictor.
func exactLink(link, law string, eta, y float64) float64 {
	lp, lq := linkLogs(link, eta)
	times := func(n, l float64) float64 {
		if n == 0 {
			return 0
		}
		return n * l
	}
	switch law[:strings.Index(law, "(")] {
	case "dbern":
		return times(y, lp) + times(1-y, lq)
	case "dbin":
		return math.Log([]float64{1, 3}[int(y)]) + times(y, lp) + times(3-y, lq)
	case "dnegbin":
		return math.Log([]float64{1, 2}[int(y)]) + 2*lp + times(y, lq)
	case "dgeom0":
		return lp + times(y, lq)
	case "dpois":
		return times(y, lp) - math.Exp(lp)
	}
	panic(fmt.Sprint("no law ", law))
}

func linkLogs(link string, eta float64) (lp, lq float64) {
	log1mexp := func(x float64) float64 { // of x < 0
		if x > -math.Ln2 {
			return math.Log(-math.Expm1(x))
		}
		return math.Log1p(-math.Exp(x))
	}
	switch link {
	case "logit":
		lp, lq = -math.Max(-eta, 0)-math.Log1p(math.Exp(-math.Abs(eta))), -math.Max(eta, 0)-math.Log1p(math.Exp(-math.Abs(eta)))
	case "probit":
		lp, lq = logNormalCDF(eta), logNormalCDF(-eta)
	case "cloglog", "loglog":
		if lq = -math.Exp(eta); eta < -40 {
			lp = eta
		} else {
			lp = log1mexp(lq)
		}
		if link == "loglog" {
			lp, lq = lq, lp
		}
	case "log":
		lp, lq = eta, log1mexp(eta)
	}
	return lp, lq
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
