package special_test

import (
	gomath "math"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/special/opcost"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower/plan"
	"github.com/irc-lang/irc/tests/libm/ref"
)

// floats is a format: the exponents of its least subnormal and its least normal number, and its error in that of f64.
type floats struct {
	t           ir.Type
	least, norm int
	coarse      float64
}

// small are the numbers about 2^low to 2^high, one for each exponent, and the last one below each fourth of these.
func small(low, high int) (out []float64) {
	for e := low; e <= high; e++ {
		out = append(out, gomath.Ldexp([]float64{1, 1.25, 1.5, 1.875}[e&3], e))
		if e&3 == 3 {
			out = append(out, gomath.Nextafter(gomath.Ldexp(1, e), 0))
		}
	}
	return out
}

// between are n numbers.
func between(low, high float64, n int) (out []float64) {
	for i := range n {
		out = append(out, low+(high-low)*float64(i)/float64(n))
	}
	return out
}

func negative(x []float64) (out []float64) {
	for _, v := range x {
		out = append(out, -v)
	}
	return out
}

func (f floats) round(x float64) float64 { return ir.BitsToFloat(ir.FloatToBits(x, f.t), f.t) }

// relative is the error of a value; that of a subnormal one is in parts of the least normal number.
func (f floats) relative(got float64, exact ref.F) float64 {
	want, _ := exact.Float64()
	if got == f.round(want) {
		return 0
	}
	err := gomath.Abs(got-want) / gomath.Max(gomath.Abs(want), gomath.Ldexp(1, f.norm)) / f.coarse
	if gomath.IsNaN(err) {
		return gomath.Inf(1)
	}
	return err
}

// A limit is a function, what it is, and where: what is subnormal there, its arguments or results, or next to 1.
type limit struct {
	def *ir.OpDef
	f   func(ref.F) ref.F
	at  []float64
}

// limits are all functions of one number.
func (f floats) limits() []limit {
	up := small(f.least, f.norm+6)
	both := append(negative(up), up...)
	unit := append(between(0.01, 0.99, 30), up...)
	for k := 2; k <= f.norm-f.least+1; k++ {
		unit = append(unit, 1-gomath.Ldexp(1, -k))
	}
	// exp is subnormal, or 0, about low, and phi about -sqrt(-2 low).
	low := float64(f.least) * gomath.Ln2
	exps := between(low-1, low*0.95, 30)
	tails := between(-gomath.Sqrt(-2*low), -gomath.Sqrt(-1.8*low), 30)
	exp, tail := append(exps, both...), append(tails, both...)
	return []limit{
		{special.Probit, ref.Probit, unit}, {special.Logit, ref.Logit, unit}, {special.Cloglog, ref.Cloglog, unit},
		{special.Ilogit, ref.Ilogit, exp}, {special.Icloglog, ref.Icloglog, exp}, {special.Log1pexp, ref.Log1pexp, exp},
		{special.Phi, ref.Phi, tail}, {special.LogPhi, ref.LogPhi, tail}, {special.Log1mexp, ref.Log1mexp, append(exps, negative(up)...)},
		{special.Erfc, ref.Erfc, both}, {special.Lgamma, ref.Lgamma, append(between(0.05, 3, 100), both...)}, {special.Digamma, ref.Digamma, both},
		{special.Trigamma, ref.Trigamma, append(between(-3.01, 12, 100), both...)},
		{special.Logfact, ref.Logfact, slices.Concat(both, unit, small(-40, -2), negative(small(-40, -2)))},
	}
}

// Functions and their lowerings are right where arguments, or results, are subnormal, and next to 1.
func TestSubnormals(t *testing.T) {
	c := newContext()
	plan, err := plan.New(c, "math")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []floats{{ir.F64, -1074, -1022, 1}, {ir.F32, -149, -126, 0x1p29}} {
		for _, x := range f.limits() {
			name := x.def.Name[len("special."):]
			g := lower(t, c, x.def, f.t, plan)
			bound, loweredBound := bounds[name], lowered[name]
			if bound == 0 {
				bound = 2e-15
			}
			if loweredBound == 0 {
				loweredBound = 4e-15
			}
			for _, v := range x.at {
				v = f.round(v)
				want := x.f(ref.New(v))
				if r := f.relative(eval(t, c, name, v), want); f.t == ir.F64 && r > bound {
					t.Errorf("%s(%g) is %g, want %g: %.2g", name, v, eval(t, c, name, v), want, r)
				}
				if got := run(t, g, []float64{v}); f.relative(got, want) > loweredBound {
					t.Errorf("%s(%g) of %d bits is lowered to %g, want %g: %.2g", name, v, c.Info(f.t).Width, got, want, f.relative(got, want))
				}
			}
		}
	}
}

// Lowered for f16 and bf16, a function has the nearest number or one next to it, as it is computed as f32.
func TestNarrowLowerings(t *testing.T) {
	c := newContext()
	plan, err := plan.New(c, "math")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []floats{{ir.F16, -24, -14, 0x1p42}, {ir.BF16, -133, -126, 0x1p45}} {
		at := slices.Concat(between(-60, 60, 300), between(0, 1, 100), small(f.least, 0))
		for def := range plan.Ops() {
			if !slices.Contains(opcost.Functions, def) || len(def.Args) != 1 || !strings.HasPrefix(def.Name, "special.") {
				continue
			}
			g := lower(t, c, def, f.t, plan)
			for _, v := range at {
				v = f.round(v)
				want := eval(t, c, def.Name[len("special."):], v)
				got := run(t, g, []float64{v})
				if gomath.IsNaN(want) != gomath.IsNaN(got) || !gomath.IsNaN(want) && !gomath.IsInf(want, 0) && f.relative(got, ref.New(want)) > 4.5e-16 {
					t.Errorf("%s(%g) of %d bits is lowered to %g, want %g", def.Name, v, c.Info(f.t).Width, got, want)
				}
			}
		}
	}
}
