package libm_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
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

// tanh and erf of the quick functions are within 3 and 2 ulp of the value, with the sign and the NaN of their argument.
func TestQuickOdd(t *testing.T) {
	e := start(t, "eval", 0)
	r := rand.New(rand.NewPCG(3, 4))
	for _, f := range []struct {
		op   string
		want func(ref.F) ref.F
	}{{"math.tanh", ref.Tanh}, {"math.erf", ref.Erf}} {
		for _, elem := range []string{"f32", "f64"} {
			g, err := (&ir.Phase{Name: "quick", Rules: libm.Rules(libm.Options{Quick: true})}).Run(parse(t, loop("f", f.op, 1, elem)))
			if err != nil {
				t.Fatal(err)
			}
			single := elem == "f32"
			x := []float64{0, math.Copysign(0, -1), 0x1p-100, 0.625, 0.62499994, 1, 0.99999994, 3.9, 4, 4.1, 5.9, 6, 6.1, 9, 12, 20, 24, 30, 100, math.Inf(1), math.Inf(-1), math.NaN()}
			for range 2000 {
				x = append(x, 4*r.NormFloat64(), r.NormFloat64(), math.Exp(-20*r.Float64()))
			}
			typ := ir.F64
			if single {
				typ = ir.F32
				for i := range x {
					x[i] = float64(float32(x[i]))
				}
			}
			worst := 0.0
			for i, y := range apply(t, prepare(t, e, g), "f", typ, [][]float64{x}) {
				if math.Signbit(y) != math.Signbit(x[i]) || (y != y) != (x[i] != x[i]) {
					t.Errorf("%s %v of %s = %v", f.op, x[i], elem, y)
				}
				if x[i] == 0 || x[i] != x[i] {
					continue
				}
				want, _ := f.want(ref.New(math.Max(-50, math.Min(50, x[i])))).Float64()
				ulp := math.Nextafter(math.Abs(want), 2) - math.Abs(want)
				if single {
					ulp = math.Ldexp(1, math.Ilogb(want)-23)
				}
				d := math.Abs(y-want) / ulp
				if worst = max(worst, d); d > map[string]float64{"math.tanh": 3, "math.erf": 2}[f.op] {
					t.Errorf("%s %v of %s = %v, off by %.1f ulp", f.op, x[i], elem, y, d)
				}
			}
			t.Logf("%s of %s: worst %.2f ulp", f.op, elem, worst)
		}
	}
}

// An exp that says afn is within 2 ulp of the value where that is normal and below 2^127, and 0 below.
func TestQuickExp(t *testing.T) {
	e := start(t, "eval", 0)
	r := rand.New(rand.NewPCG(5, 6))
	for _, f := range []struct {
		elem string
		typ  ir.Type
		top  float64
	}{{"f32", ir.F32, 88}, {"f64", ir.F64, 709}} {
		src := strings.Replace(loop("f", "math.exp", 1, f.elem), " : "+f.elem+"\n", " fastmath<afn> : "+f.elem+"\n", 1)
		if !strings.Contains(src, "math.exp") || !strings.Contains(src, "afn") {
			t.Fatal(src)
		}
		g, err := (&ir.Phase{Name: "quick", Rules: libm.Rules(libm.Options{Quick: true})}).Run(parse(t, src))
		if err != nil {
			t.Fatal(err)
		}
		x := []float64{0, math.Copysign(0, -1), 1, -1, 1e-30, -87.25, -87.5, -708.25, -708.5, -1e6, math.Inf(-1), math.NaN()}
		for range 3000 {
			x = append(x, 5*r.NormFloat64(), f.top*(2*r.Float64()-1))
		}
		worst := 0.0
		for i, v := range x {
			if f.typ == ir.F32 {
				x[i] = float64(float32(v))
			}
		}
		for i, y := range apply(t, prepare(t, e, g), "f", f.typ, [][]float64{x}) {
			if x[i] != x[i] {
				if y == y {
					t.Error("exp of NaN is", y)
				}
				continue
			}
			want, _ := ref.Exp(ref.New(math.Max(x[i], -2000))).Float64()
			least, bits := 0x1p-1022, 52
			if f.typ == ir.F32 {
				least, bits = 0x1p-126, 23
			}
			if want < least*1.2 {
				if y < 0 || y > least*1.2 {
					t.Errorf("exp %v = %v", x[i], y)
				}
				continue
			}
			d := math.Abs(y-want) / math.Ldexp(1, math.Ilogb(want)-bits)
			if worst = max(worst, d); d > 2 {
				t.Errorf("exp %v of %s = %v, off by %.1f ulp", x[i], f.elem, y, d)
			}
		}
		t.Logf("%s: worst %.2f ulp", f.elem, worst)
	}
}

// log1p of the quick functions is within 1.5 ulp of the value, and x log y and x log1p y within 2.5.
func TestQuickLog1p(t *testing.T) {
	e := start(t, "eval", 0)
	r := rand.New(rand.NewPCG(7, 8))
	for _, f := range []struct {
		op    string
		arity int
		log   func(ref.F) ref.F
		from  float64 // of the argument of the logarithm
		most  float64
	}{{"math.log1p", 1, ref.Log1p, -1, 1.5}, {"special.xlog1py", 2, ref.Log1p, -1, 2.5}, {"special.xlogy", 2, ref.Log, 0, 2.5}} {
		for _, elem := range []string{"f32", "f64"} {
			g, err := (&ir.Phase{Name: "quick", Rules: libm.Rules(libm.Options{Quick: true})}).Run(parse(t, loop("f", f.op, f.arity, elem)))
			if err != nil {
				t.Fatal(err)
			}
			typ, bits := ir.F64, 52
			if elem == "f32" {
				typ, bits = ir.F32, 23
			}
			eps := math.Ldexp(1, -bits)
			var x, by []float64
			for _, v := range []float64{0, math.Copysign(0, -1), f.from, math.Nextafter(f.from, -2), 1, -0.5, 0x1p-100, -0x1p-100, eps, -eps, eps / 2, -eps / 2, 0.75 * eps, 1 - eps, 1 / eps, 3 / eps, 1e30, math.Inf(1), math.Inf(-1), math.NaN()} {
				for _, a := range []float64{1, 0, -1.25} {
					x, by = append(x, v), append(by, a)
				}
			}
			for range 500 {
				for _, v := range []float64{f.from + math.Exp(-40*r.Float64()), 2*r.Float64() - 1, math.Ldexp(2*r.Float64()-1, -r.IntN(bits+4)), math.Exp(60 * r.Float64())} {
					x, by = append(x, v), append(by, r.NormFloat64())
				}
			}
			if typ == ir.F32 {
				for i := range x {
					x[i], by[i] = float64(float32(x[i])), float64(float32(by[i]))
				}
			}
			args := [][]float64{x}
			if f.arity == 2 {
				args = [][]float64{by, x}
			} else {
				for i := range by {
					by[i] = 1
				}
			}
			worst := 0.0
			for i, y := range apply(t, prepare(t, e, g), "f", typ, args) {
				switch {
				case x[i] != x[i] || x[i] < f.from && by[i] != 0:
					if y == y {
						t.Errorf("%s %v, %v = %v", f.op, by[i], x[i], y)
					}
					continue
				case by[i] == 0 || x[i] == f.from || math.IsInf(x[i], 1):
					want := math.Copysign(math.Inf(1), by[i])
					if x[i] == f.from {
						want = -want
					}
					if by[i] == 0 {
						want = 0
					}
					if y != want {
						t.Errorf("%s %v, %v = %v, want %v", f.op, by[i], x[i], y, want)
					}
					continue
				}
				want, _ := new(big.Float).Mul(big.NewFloat(by[i]), f.log(ref.New(x[i]))).Float64()
				if want == 0 {
					if y != 0 || math.Signbit(y) != math.Signbit(x[i]) && f.arity == 1 {
						t.Errorf("%s %v, %v = %v", f.op, by[i], x[i], y)
					}
					continue
				}
				d := math.Abs(y-want) / math.Ldexp(1, math.Ilogb(want)-bits)
				if worst = max(worst, d); d > f.most {
					t.Errorf("%s %v, %v of %s = %v, off by %.2f ulp", f.op, by[i], x[i], elem, y, d)
				}
			}
			t.Logf("%s of %s: worst %.2f ulp", f.op, elem, worst)
		}
	}
}
