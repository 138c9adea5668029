package libm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering/libm"
	"github.com/irc-lang/irc/tests/libm/ref"
)

// log1pexp of the quick functions is within 3 ulp of the value, where that is not less than 2^-1000.
func TestQuickLog1pexp(t *testing.T) {
	g, err := (&ir.Phase{Name: "quick", Rules: libm.Rules(libm.Options{Quick: true})}).Run(parse(t, loop("f", "special.log1pexp", 1, "f64")))
	if err != nil {
		t.Fatal(err)
	}
	e := start(t, "eval", 0)
	p := prepare(t, e, g)
	r := rand.New(rand.NewPCG(1, 2))
	x := []float64{0, math.Copysign(0, -1), 1e-300, -1e-300, 1, -1, 36, -36, 37.5, -37.5, 709, -700, 1e10, -1e10, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	for range 3000 {
		x = append(x, 5*r.NormFloat64(), 100*r.NormFloat64())
	}
	worst := 0.0
	for i, y := range apply(t, p, "f", ir.F64, [][]float64{x}) {
		switch v := x[i]; {
		case v != v:
			if y == y {
				t.Error("log1pexp of NaN is", y)
			}
		case math.IsInf(v, 1) || v > 800:
			if y != v {
				t.Errorf("log1pexp(%v) = %v", v, y)
			}
		case v < -690:
			if !(y >= 0 && y < 1e-299) {
				t.Errorf("log1pexp(%v) = %v", v, y)
			}
		default:
			want, _ := ref.Log1pexp(ref.New(v)).Float64()
			ulp := math.Nextafter(want, math.Inf(1)) - want
			if d := math.Abs(y-want) / ulp; d > 3 {
				t.Errorf("log1pexp(%v) = %v, off by %.1f ulp", v, y, d)
			} else {
				worst = max(worst, d)
			}
		}
	}
	t.Logf("worst %.2f ulp", worst)
}
