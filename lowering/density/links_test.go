package density

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tests/models/naive"
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
					tail(t, p, program, a, exactLink(link, law, a, 0)+exactLink(link, law, 2*a, 1), 0)
				}
			}
		}
	}
}

// truncatedLinks are laws between bounds that leave 1 in, with what is left of their mass by the
// logarithms of p and 1 - p.
var truncatedLinks = []struct {
	law  string
	mass func(lp, lq float64) float64
}{
	{"dbern(p[I]) T(1,)", func(lp, lq float64) float64 { return lp }},
	{"dbern(p[I]) T(,1)", func(lp, lq float64) float64 { return 0 }},
	{"dbin(p[I], 3) T(1,)", func(lp, lq float64) float64 { return logSum(math.Log(3)+lp+2*lq, math.Log(3)+2*lp+lq, 3*lp) }},
	{"dbin(p[I], 3) T(,1)", func(lp, lq float64) float64 { return logSum(3*lq, math.Log(3)+lp+2*lq) }},
	{"dbin(p[I], 3) T(1, 2)", func(lp, lq float64) float64 { return logSum(math.Log(3)+lp+2*lq, math.Log(3)+2*lp+lq) }},
	{"dnegbin(p[I], 2) T(1,)", func(lp, lq float64) float64 { return lq + math.Log1p(math.Exp(lp)) }},
	{"dnegbin(p[I], 2) T(,1)", func(lp, lq float64) float64 { return logSum(2*lp, math.Ln2+2*lp+lq) }},
	{"dgeom0(p[I]) T(1,)", func(lp, lq float64) float64 { return lq }},
	{"dgeom0(p[I]) T(,1)", func(lp, lq float64) float64 { return logSum(lp, lp+lq) }},
	{"dpois(p[I]) T(1,)", func(lp, lq float64) float64 {
		if lp < -40 {
			return lp
		}
		return math.Log(-math.Expm1(-math.Exp(lp)))
	}},
	{"dpois(p[I]) T(,1)", func(lp, lq float64) float64 { return math.Log1p(math.Exp(lp)) - math.Exp(lp) }},
}

func logSum(xs ...float64) float64 {
	most, sum := slices.Max(xs), 0.0
	for _, x := range xs {
		sum += math.Exp(x - most)
	}
	return most + math.Log(sum)
}

// Between bounds they keep them, too: as the law reads them, and as an index picks them.
func TestTruncatedLinks(t *testing.T) {
	for link, shapes := range linkShapes {
		for i, c := range truncatedLinks {
			if strings.HasPrefix(c.law, "dpois") && link != "log" {
				continue
			}
			for j, made := range shapes {
				if (i+j)%3 > 0 {
					continue
				}
				index := []string{"i", "g[i]"}[i%2]
				program := "model { for (j in 1:2) { " + made + " }  for (i in 1:2) { y[i] ~ " + strings.ReplaceAll(c.law, "I", index) + " }  a ~ dflat() }"
				p := compile(t, parse(t, diag.NewSource("m.bug", program)), parseData(t, diag.NewSource("d.json", `{"g": [1, 2], "y": [1, 1]}`)))
				for _, a := range []float64{-0.01, -0.5, -3, -9, -36, -370, -400, -1e5, 0.5, 3, 4, 6.7, 8.5, 40, 340} {
					if link == "log" && a > 0 {
						continue
					}
					want, size := 0.0, 0.0
					for _, eta := range []float64{a, 2 * a} {
						lp, lq := linkLogs(link, eta)
						mass := c.mass(lp, lq)
						want += exactLink(link, c.law, eta, 1) - mass
						size += math.Abs(mass) // of which the difference may leave little
					}
					tail(t, p, program, a, want, 1e-15*size)
				}
			}
		}
	}
}

// So do those of data and of constants, which are made before the model runs.
func TestLinksOfData(t *testing.T) {
	tailOf := func(x float64) float64 { lp, _ := linkLogs("probit", x); return lp }
	for _, c := range []struct {
		made, law string
		want      float64
	}{
		{"probit(p[j]) <- x[j]", "dbern(p[i])", tailOf(-8.5) + tailOf(-9)},
		{"p[j] <- 1 - phi(-x[j])", "dbern(p[i])", tailOf(-8.5) + tailOf(-9)},
		{"p[j] <- icloglog(4)", "dbern(p[i])", -2 * math.Exp(4)},
		{"p[j] <- 1", "dbern(ilogit(300))", -600},
		{"p[j] <- 1", "dbern(1 - phi(-20))", 2 * tailOf(-20)},
	} {
		program := "model { for (j in 1:2) { " + c.made + " }  for (i in 1:2) { y[i] ~ " + c.law + " }  a ~ dflat() }"
		p := compile(t, parse(t, diag.NewSource("m.bug", program)), parseData(t, diag.NewSource("d.json", `{"x": [8.5, 9], "y": [0, 0]}`)))
		tail(t, p, program, 0, c.want, 0)
	}
}

func tail(t *testing.T, p *Program, program string, a, want, slack float64) {
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
		if !(x == want || math.Abs(x-want) <= 1e-10*math.Abs(want)+4e-15+slack) {
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
	if link == "loglog" {
		lq, lp = naive.ByLink["cloglog"](eta)
		return lp, lq
	}
	return naive.ByLink[link](eta)
}

// Weights that links make keep their digits, and those that come to 0 or to infinity have logarithms.
func TestLinkedWeights(t *testing.T) {
	share := func(lp, lq float64) (float64, float64) { return lp, lq }
	weights := func(a, b float64) (float64, float64) { return a - logSum(a, b), b - logSum(a, b) }
	const other = "  p[2] <- 1 - p[1]  y ~ "
	for _, c := range []struct {
		link, model string
		multi       bool
		logs        func(x, y float64) (float64, float64)
	}{
		{"probit", "probit(p[1]) <- a" + other + "dcat(p[])", false, share},
		{"logit", "p[1] <- ilogit(a)" + other + "dcat(p[1:2])", false, share},
		{"cloglog", "p[1] <- icloglog(a)" + other + "dcat(1 - p[])", false, func(lp, lq float64) (float64, float64) { return lq, lp }},
		{"probit", "p[1] <- phi(a)  p[2] <- phi(-a)  y ~ dcat(p[])", false, share},
		{"probit", "y ~ dcat(c(phi(a), 1 - phi(a)))", false, share},
		{"probit", "e[1] <- a  e[2] <- -a  y ~ dcat(phi(e[]))", false, share},
		{"exp", "for (j in 1:2) { log(p[j]) <- a * j }  y ~ dcat(p[])", false, weights},
		{"exp", "for (j in 1:2) { e[j] <- a * j }  y ~ dcat(exp(e[]))", false, weights},
		{"probit", "p[1] <- phi(a)" + other + "dmulti(p[], 3)", true, share},
		{"exp", "for (j in 1:2) { log(p[j]) <- a * j }  y ~ dmulti(p[], 3)", true, weights},
	} {
		for k := range 2 {
			program, data := c.model, fmt.Sprintf(`{"y": %d}`, k+1)
			if c.multi {
				program, data = strings.Replace(program, "y ~", "y[1:2] ~", 1), []string{`{"y": [3, 0]}`, `{"y": [1, 2]}`}[k]
			}
			p := compile(t, parse(t, diag.NewSource("m.bug", "model { a ~ dflat()  "+program+" }")), parseData(t, diag.NewSource("d.json", data)))
			for _, a := range []float64{-800, -370, -40, -9, -3, 0.5, 3, 6.5, 8.5, 40, 370} {
				x, y := a, 2*a
				if c.link != "exp" {
					x, y = linkLogs(c.link, a)
				}
				first, second := c.logs(x, y)
				want := []float64{first, second}[k]
				if c.multi {
					want = []float64{3 * first, math.Log(3) + first + 2*second}[k]
				}
				tail(t, p, program+" "+data, a, want, 0)
			}
		}
	}
}
