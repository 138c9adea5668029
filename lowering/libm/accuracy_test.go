package libm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering/libm"
	"github.com/irc-lang/irc/tests/libm/ref"
)

// format is what an error is measured in.
type format struct {
	t    ir.Type
	name string
	prec int
	min  int // exponent of the least subnormal number
	top  int // 2^top overflows
}

var formats = []format{{ir.F32, "f32", 24, -149, 128}, {ir.F64, "f64", 53, -1074, 1024}}

// ulps is the distance of y from the true value, in units of its last place;
// or of least if that is greater; infinity counts as the number after the last.
func (f format) ulps(y float64, want ref.F, least float64) float64 {
	exp := min(want.MantExp(nil), f.top)
	if want.Sign() == 0 {
		exp = f.min
	}
	if least > 0 {
		exp = max(exp, ref.New(least).MantExp(nil))
	}
	var b ref.F
	if math.IsInf(y, 0) {
		if want.MantExp(nil) > f.top && want.Signbit() == math.Signbit(y) {
			return 0
		}
		b = ref.Scale(ref.New(math.Copysign(1, y)), f.top)
	} else {
		b = ref.New(y)
	}
	u, _ := ref.Scale(ref.Sub(b, want), -max(exp-f.prec, f.min)).Float64()
	return math.Abs(u)
}

func (f format) round(x float64) float64 { return ir.BitsToFloat(ir.FloatToBits(x, f.t), f.t) }

// check is how an op is held to its reference: arguments from [lo, hi] are denser.
type check struct {
	op     string
	f      func(x []ref.F) ref.F
	by     func(f format, x []float64) ref.F // in place of f: what is rounded on the way is part of the meaning
	lo, hi float64
	yLo    float64 // of a second operand
	yHi    float64
	hard   []float64                 // places to look at closely
	scale  func(x []float64) float64 // errors are counted in ulp of this where the result is less; nil is 0
}

func one(f func(ref.F) ref.F) func([]ref.F) ref.F {
	return func(x []ref.F) ref.F { return f(x[0]) }
}

func (c check) arity() int {
	if c.yLo != c.yHi {
		return 2
	}
	return 1
}

// arguments are stratified: the interval, all exponents with both signs, and the
// neighbours of hard places.
func (c check) arguments(f format, n int, r *rand.Rand) [][]float64 {
	x := make([][]float64, c.arity())
	lo, hi := []float64{c.lo, c.yLo}, []float64{c.hi, c.yHi}
	for k := range x {
		for i := range n {
			var v float64
			switch i % 8 {
			case 0, 1, 2:
				v = lo[k] + (hi[k]-lo[k])*r.Float64()
			case 3: // near the ends, and near 0, in ever smaller steps
				v = []float64{0, lo[k], hi[k]}[r.IntN(3)] + (hi[k]-lo[k])*math.Ldexp(r.Float64()-0.5, -r.IntN(f.prec+2))
			case 4:
				v = c.near(r, f)
			default: // all exponents
				e := f.min + r.IntN(f.top-f.min)
				v = math.Ldexp(1+r.Float64(), e)
				if r.IntN(2) == 0 {
					v = -v
				}
				if i%8 == 7 && k == 0 { // of size about 1
					v = math.Copysign(math.Ldexp(1+r.Float64(), -r.IntN(12)), v)
				}
			}
			x[k] = append(x[k], f.round(v))
		}
	}
	return x
}

func (c check) near(r *rand.Rand, f format) float64 {
	hard := append([]float64{0.5, 1, 2, -1, math.Sqrt2, math.Sqrt2 / 2}, c.hard...)
	v := f.round(hard[r.IntN(len(hard))])
	bits := int64(ir.FloatToBits(v, f.t)) + int64(r.IntN(41)) - 20
	if f.t == ir.F32 {
		bits = int64(uint32(bits))
	}
	return ir.BitsToFloat(uint64(bits), f.t)
}

// specials are arguments at which a function may need words of its own.
func specials(f format) []float64 {
	big := math.Ldexp(2-math.Ldexp(1, 1-f.prec), f.top-1)
	out := []float64{0, 1, 2, 0.5, 3, 1.5, big, math.Ldexp(1, f.min), math.Ldexp(1, f.min+f.prec-1), math.Inf(1)}
	for _, x := range slices.Clone(out) {
		out = append(out, -x)
	}
	return append(out, math.NaN())
}

// subnormals are some of all sizes, with both signs.
func (f format) subnormals() (out []float64) {
	for e := f.min; e <= f.min+f.prec; e += 3 {
		x := f.round(math.Ldexp(1.6875, e))
		out = append(out, x, -x)
	}
	return out
}

func worst(f format, c check, x [][]float64, got, plain []float64) (most float64, at string) {
	for i := range got {
		args := make([]ref.F, len(x))
		var vals []float64
		fine := !math.IsNaN(plain[i])
		for k := range x {
			vals = append(vals, x[k][i])
			fine = fine && !math.IsInf(x[k][i], 0) && !math.IsNaN(x[k][i])
		}
		var u float64
		switch {
		case math.IsNaN(plain[i]) != math.IsNaN(got[i]):
			u = math.Inf(1)
		case math.IsNaN(plain[i]) || got[i] == plain[i] && (got[i] == 0 || math.IsInf(got[i], 0)):
			if got[i] == 0 && math.Signbit(got[i]) != math.Signbit(plain[i]) {
				u = math.Inf(1)
			}
		case !fine:
			u = f.ulps(got[i], ref.New(finite(f, plain[i])), 0)
		default:
			for k := range x {
				args[k] = ref.New(x[k][i])
			}
			var want ref.F
			if c.by != nil {
				want = c.by(f, vals)
			} else {
				want = c.f(args)
			}
			least := 0.0
			if c.scale != nil {
				least = c.scale(vals)
			}
			u = f.ulps(got[i], want, least)
		}
		if u > most || math.IsNaN(u) {
			most, at = u, fmt.Sprintf("%s(%x, %v) = %v, math: %v", c.op, vals, vals, got[i], plain[i])
		}
	}
	return most, at
}

func finite(f format, x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Copysign(math.Ldexp(1, 1023), x)
	}
	return x
}

func selected(op string) bool {
	return *only == "" || slices.Contains(strings.Split(*only, ","), op[strings.Index(op, ".")+1:])
}

// Every function stays within the bound that the table promises, on each format.
func TestAccuracy(t *testing.T) {
	var src strings.Builder
	var todo []check
	for _, c := range checks {
		if !selected(c.op) {
			continue
		}
		todo = append(todo, c)
		for _, f := range formats {
			src.WriteString(loop(name(c.op, f), c.op, c.arity(), f.name))
		}
	}
	native := compiled(t)
	meaning := prepare(t, start(t, "eval", 0), parse(t, src.String()))
	if *only == "" { // fpowi and ipowi have tests of their own
		if n := len(libm.Table) - 2; len(todo) != n {
			t.Errorf("%d of %d functions are checked", len(todo), n)
		}
	}
	for _, c := range todo {
		for _, f := range formats {
			n := *points
			if slow[c.op] {
				n /= 4
			}
			t.Run(name(c.op, f), func(t *testing.T) { accuracy(t, native, meaning, c, f, n) })
		}
	}
}

// slow are the functions whose references cost milliseconds.
var slow = map[string]bool{"special.probit": true, "special.lbeta": true, "special.lchoose": true, "special.lgamma": true, "special.logfact": true}

func name(op string, f format) string { return op[strings.Index(op, ".")+1:] + "_" + f.name }

func accuracy(t *testing.T, native, meaning engine.Program, c check, f format, n int) {
	r := rand.New(rand.NewPCG(1, 2))
	x := c.arguments(f, n, r)
	special := specials(f)
	for i := range special {
		x[0] = append(x[0], special[i])
		if len(x) == 2 {
			x[1] = append(x[1], special[r.IntN(len(special))])
		}
	}
	switch len(x) {
	case 1:
		x[0] = append(x[0], f.subnormals()...)
	case 2:
		for i := range special {
			for k := range special {
				if slow[c.op] && (i+k)%3 > 0 {
					continue
				}
				x[0], x[1] = append(x[0], special[i]), append(x[1], special[k])
			}
		}
	}
	got := apply(t, native, name(c.op, f), f.t, x)
	plain := apply(t, meaning, name(c.op, f), f.t, x)
	most, at := worst(f, c, x, got, plain)
	record(t, measured{c.op, f.name, "sampled", int64(len(got)), most})
	bound := boundOf(t, c.op, f)
	t.Logf("%-20s %-4s %8.3f ulp  %s", c.op, f.name, most, at)
	if !(most <= bound) {
		t.Errorf("%s on %s: %.3f ulp, bound %v: %s", c.op, f.name, most, bound, at)
	}
}

func boundOf(t *testing.T, op string, f format) float64 {
	for _, row := range libm.Table {
		if row.Op.Name == op {
			if f.t == ir.F32 {
				return row.F32
			}
			return row.F64
		}
	}
	t.Fatalf("%s is not in the table", op)
	return 0
}
