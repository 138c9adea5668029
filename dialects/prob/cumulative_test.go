package prob

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"gonum.org/v1/gonum/integrate/quad"
)

// parameters makes valid ones for a distribution, small and large.
func parameters(r *rand.Rand, dist string) []float64 {
	pos := func() float64 { return math.Exp(1.5 * r.NormFloat64()) }
	size := func() float64 { return float64(r.IntN(30)) }
	prob := 0.02 + 0.96*r.Float64()
	switch dist {
	case "dnorm", "dlnorm", "dlogis", "ddexp":
		return []float64{r.NormFloat64(), pos()}
	case "dt", "dnt":
		return []float64{r.NormFloat64(), pos(), pos() * 4}
	case "dexp", "dchisqr", "dpois":
		return []float64{pos() * 2}
	case "dhalfcauchy":
		return []float64{pos()}
	case "dtri":
		a, n := r.NormFloat64(), pos()
		return []float64{a, a + n, a + n*float64(r.IntN(5))/4}
	case "dunif":
		a := r.NormFloat64()
		return []float64{a, a + pos()}
	case "dgev", "dgpar":
		return []float64{r.NormFloat64(), pos(), 0.4 * r.NormFloat64()}
	case "dgen.gamma":
		return []float64{1 + pos(), pos(), pos()}
	case "dbern", "dgeom", "dgeom0":
		return []float64{prob}
	case "dbin":
		return []float64{prob, size()}
	case "dnegbin":
		return []float64{prob, pos()}
	case "dbetabin":
		return []float64{pos(), pos(), size()}
	case "dhyper":
		a, b := size(), size()
		return []float64{a, b, float64(r.IntN(int(a+b) + 1)), pos()}
	case "df":
		return []float64{2 + pos(), 1 + pos(), r.NormFloat64(), pos()}[:2+2*r.IntN(2)]
	}
	return []float64{1 + pos(), 1 + pos()}
}

func distributions() (names []string) {
	for _, l := range Laws {
		if l.Joint == nil && apply.HasCDF(l) {
			names = append(names, l.Name)
		}
	}
	slices.Sort(names)
	return names
}

var (
	tails    = flag.Int("tails", 20, "with how many parameters and limits the tails of each law are compared with integrals")
	tailSeed = flag.Uint64("tailseed", 11, "their seed")
)

// The tails are the sums of the masses, and the integrals of the densities, that
// densities say: a difference of the distribution function between two quantiles
// is compared with Gauss and Legendre's rule.
func TestTailsAgainstIntegration(t *testing.T) {
	r := rand.New(rand.NewPCG(*tailSeed, 12))
	t.Logf("%d parameters and limits of each law", *tails)
	for _, dist := range distributions() {
		for range *tails {
			p := parameters(r, dist)
			if why := Lookup(dist).Wrong(p); why != "" {
				t.Fatal(dist, p, why)
			}
			at := func(x float64) cumulative.Tails[float64] { return apply.Tails(Lookup(dist), x, p) }
			if Lookup(dist).Counts {
				summedMass(t, dist, p, at)
				continue
			}
			u, v := 0.97*r.Float64(), 0.97*r.Float64()
			u, v = min(u, v)+0.01, max(u, v)+0.02
			lo := apply.Quantile(Lookup(dist), u, p)
			hi := apply.Quantile(Lookup(dist), v, p)
			if got := math.Exp(at(lo).Below); !(math.Abs(got-u) <= 1e-10) && dist != "dunif" {
				t.Errorf("%s%v: P(X <= q(%v)) = %v", dist, p, u, got)
			}
			density := func(x float64) float64 { return math.Exp(Lookup(dist).LogDensity(x, p)) }
			want, from := 0.0, lo
			if c, ok := corner(dist, p); ok && lo < c && c < hi {
				want, from = integral(density, lo, c), c
			}
			want += integral(density, from, hi)
			got := math.Exp(cumulative.Truncation(kit.Float{}, false, at, &lo, &hi))
			if !(math.Abs(got-want) <= 1e-9*want+1e-12) {
				t.Errorf("%s%v: P(%v <= X <= %v) = %.15g, integral %.15g", dist, p, lo, hi, got, want)
			}
		}
	}
}

// corner is where a density is continuous and has no derivative.
func corner(dist string, p []float64) (x float64, ok bool) {
	switch dist {
	case "ddexp":
		return p[0], true
	case "dtri":
		return p[2], true
	}
	return 0, false
}

// integral halves the interval until two rules agree.
func integral(f func(float64) float64, lo, hi float64) float64 {
	coarse, fine := quad.Fixed(f, lo, hi, 20, quad.Legendre{}, 0), 0.0
	mid := lo + (hi-lo)/2
	fine = quad.Fixed(f, lo, mid, 20, quad.Legendre{}, 0) + quad.Fixed(f, mid, hi, 20, quad.Legendre{}, 0)
	if math.Abs(coarse-fine) <= 1e-13 || mid == lo || mid == hi || hi-lo < 1e-300 {
		return fine
	}
	return integral(f, lo, mid) + integral(f, mid, hi)
}

func summedMass(t *testing.T, dist string, p []float64, at func(float64) cumulative.Tails[float64]) {
	t.Helper()
	below := 0.0
	for n := -1.0; n < 200; n++ {
		below += math.Exp(Lookup(dist).LogDensity(n, p))
		v := at(n + 0.5)
		if !(math.Abs(math.Exp(v.Below)-below) <= 1e-11) || !(math.Abs(math.Exp(v.Above)-(1-below)) <= 1e-11) {
			t.Fatalf("%s%v at %v: %v and %v, sum %v", dist, p, n, math.Exp(v.Below), math.Exp(v.Above), below)
		}
		if n >= 0 && below > 1e-9 && below < 1-1e-9 {
			if q := apply.Quantile(Lookup(dist), math.Exp(v.Below), p); q > n {
				t.Fatalf("%s%v: the quantile at P(X <= %v) is %v", dist, p, n, q)
			}
		}
	}
}

// Far out the tails keep their relative precision; the values are those of closed
// forms, and of the normal distribution's asymptotic series.
func TestFarTails(t *testing.T) {
	for _, c := range []struct {
		dist string
		x    float64
		p    []float64
		want float64 // log P(X > x)
	}{
		{"dnorm", 40, []float64{0, 1}, -804.6084420137538},
		{"dexp", 5000, []float64{2}, -10000},
		{"dlogis", 900, []float64{0, 1}, -900},
		{"dgamma", 1000, []float64{1, 1}, -1000},
		{"dgamma", 1000, []float64{2, 1}, math.Log(1001) - 1000},
		{"dweib", 100, []float64{2, 1}, -10000},
		{"dt", 1e100, []float64{0, 1, 1}, -100*math.Ln10 - math.Log(math.Pi)},
		{"dbeta", 0.999999, []float64{1, 60}, 60 * math.Log1p(-0.999999)},
		{"dbin", 99, []float64{1e-5, 100}, 100 * math.Log(1e-5)},
		{"dgeom0", 1e4, []float64{0.5}, -10001 * math.Ln2},
		{"dpois", 0, []float64{1e-9}, math.Log(-math.Expm1(-1e-9))},
		{"dpois", -1, []float64{3}, 0},
		{"df", 1e80, []float64{2, 2}, -80 * math.Ln10},
	} {
		if got := apply.Tails(Lookup(c.dist), c.x, c.p).Above; !(math.Abs(got-c.want) <= 1e-12*math.Abs(c.want)) {
			t.Errorf("log P(%s%v > %v) = %.17g, want %.17g", c.dist, c.p, c.x, got, c.want)
		}
	}
}

// No argument gives NaN, and the two tails add up to 1.
func TestTailsAreNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	xs := []float64{-kit.Inf, -1e300, -1e10, -1, -1e-300, 0, 1e-300, 1e-10, 0.5, 1, 2, 29, 1e5, 1e300, kit.Inf}
	for _, dist := range distributions() {
		for range 40 {
			p := parameters(r, dist)
			for _, x := range xs {
				v := apply.Tails(Lookup(dist), x, p)
				if s := math.Exp(v.Below) + math.Exp(v.Above); !(math.Abs(s-1) <= 1e-12) || v.Below > 0 || v.Above > 0 {
					t.Error(fmt.Sprint(dist, p, " at ", x, ": ", v))
				}
			}
		}
	}
}
