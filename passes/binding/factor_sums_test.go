package binding_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// over is a function that sums %t, which a body makes, over static data.
func over(body string) string {
	return `func.func @f(%x: memref<?xf64> {func.static, llvm.noalias}, %y: memref<?xf64> {func.static, llvm.noalias}, %n: index {func.static}, %a: f64, %m: f64, %p: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %never = arith.constant 0xFFF0000000000000 : f64
  %la = math.log %a : f64
  %mp = arith.negf %p : f64
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (f64) {
    %v = memref.load %x[%i] : memref<?xf64>
    %w = memref.load %y[%i] : memref<?xf64>
` + body + `
    %next = arith.addf %s, %t fastmath<reassoc> : f64
    scf.yield %next : f64
  }
  return %r : f64
}
`
}

// inEvery finds loops that every call of a function reaches: none of these is inside of anything.
var inEvery = regexp.MustCompile(`(?m)^    (?:%\S+ = )?scf\.for %\S+ = %\S+ to (%\S+)`)

// constantTime reports that a function has no loops left, once what is static is computed ahead,
// but for those that have rounds on a condition.
func constantTime(t *testing.T, g *ir.Graph) bool {
	t.Helper()
	_, f, _ := strings.Cut(text.String(built.Through(t, g, "specialize-data"), text.PrintOptions{}), "@f(")
	for _, loop := range inEvery.FindAllStringSubmatch(f, -1) {
		if !strings.Contains(f, "\n    "+loop[1]+" = arith.select") {
			return false
		}
	}
	return true
}

// number reads what a function gives.
func number(t *testing.T, g *ir.Graph, args string) float64 {
	t.Helper()
	out := strings.Trim(built.Run(t, g, "f", args), "[]\" \n")
	x, err := strconv.ParseFloat(strings.Replace(out, "Infinity", "Inf", 1), 64)
	if err != nil {
		t.Fatal(out, err)
	}
	return x
}

// Sums whose terms are products of what data decide and what does not change, and squares of
// their differences, take no loop; others keep it, and so does what is not allowed.
func TestFactorSums(t *testing.T) {
	for _, c := range []struct {
		name, body string
		factored   bool
	}{
		{"a product", "%t = arith.mulf %v, %a fastmath<contract> : f64", true},
		{"of several factors", "%b = arith.mulf %v, %a fastmath<contract> : f64\n%c = arith.mulf %w, %m fastmath<contract> : f64\n%t = arith.mulf %b, %c fastmath<contract> : f64", true},
		{"a square", "%d = arith.subf %v, %m fastmath<contract> : f64\n%b = arith.mulf %a, %d fastmath<contract> : f64\n%t = arith.mulf %b, %d fastmath<contract> : f64", true},
		{"a square of a sum", "%d = arith.addf %m, %v fastmath<contract> : f64\n%t = arith.mulf %d, %d fastmath<contract> : f64", true},
		{"0 where a factor is 0", "%z = arith.cmpf oeq, %v, %none : f64\n%b = arith.mulf %v, %la fastmath<contract> : f64\n%t = arith.select %z, %none, %b : f64", true},
		{"a logarithm", "%t = special.xlog1py %v, %mp : f64", true},
		{"a guard by data", "%c = arith.cmpf oge, %v, %none : f64\n%b = arith.mulf %v, %a fastmath<contract> : f64\n%t = arith.select %c, %b, %never : f64", true},
		{"two terms", "%b = arith.mulf %v, %a fastmath<contract> : f64\n%c = arith.mulf %w, %m fastmath<contract> : f64\n%t = arith.subf %b, %c fastmath<reassoc> : f64", true},
		{"the usual one of two forms", "%c = arith.cmpf olt, %v, %none : f64\n%t = scf.if %c -> (f64) {\n scf.yield %never : f64\n} else {\n %b = arith.mulf %v, %a fastmath<contract> : f64\n scf.yield %b : f64\n}", true},
		{"what may trap on a condition", "%c = arith.cmpf olt, %v, %none : f64\n%t = scf.if %c -> (f64) {\n scf.yield %never : f64\n} else {\n %b = arith.mulf %w, %a fastmath<contract> : f64\n scf.yield %b : f64\n}", false},
		{"a product that is rounded", "%t = arith.mulf %v, %a : f64", false},
		{"terms in an order", "%b = arith.mulf %v, %a fastmath<contract> : f64\n%t = arith.addf %b, %v : f64", false},
		{"a weighted square", "%d = arith.subf %v, %m fastmath<contract> : f64\n%b = arith.mulf %w, %d fastmath<contract> : f64\n%t = arith.mulf %b, %d fastmath<contract> : f64", false},
		{"a power that is no square", "%d = arith.subf %v, %m fastmath<contract> : f64\n%b = arith.mulf %d, %d fastmath<contract> : f64\n%t = arith.mulf %b, %d fastmath<contract> : f64", false},
		{"powers of powers", "%d = arith.subf %v, %m fastmath<contract> : f64\n" + powers("%d", 60) + "%t = arith.mulf %d60, %a fastmath<contract> : f64", false},
		{"what is made of both in many ways", powers("%v", 60) + "%t = arith.mulf %d60, %a fastmath<contract> : f64", true},
		{"a product and what stays", "%b = arith.mulf %v, %a fastmath<contract> : f64\n%t = arith.addf %b, %m fastmath<reassoc> : f64", true},
		{"a function of both", "%d = arith.subf %v, %m fastmath<contract> : f64\n%t = math.exp %d : f64", false},
		{"0 where another number is 0", "%z = arith.cmpf oeq, %w, %none : f64\n%b = arith.mulf %v, %la fastmath<contract> : f64\n%t = arith.select %z, %none, %b : f64", false},
		{"a guard by both", "%c = arith.cmpf oge, %v, %a : f64\n%b = arith.mulf %v, %a fastmath<contract> : f64\n%t = arith.select %c, %b, %never : f64", false},
		{"what is written", "memref.store %a, %y[%i] : memref<?xf64>\n%t = arith.mulf %v, %a fastmath<contract> : f64", false},
	} {
		before := built.Parse(t, over(c.body), text.Options{})
		after := built.Through(t, before, "licm,split-sums,factor-sums")
		if got := constantTime(t, after); got != c.factored {
			t.Errorf("%s: without a loop is %v\n%s", c.name, got, text.String(after, text.PrintOptions{}))
		}
		// The sums are exact, but for those of numbers that are not finite.
		for _, args := range []string{"[[1, 2, 0], [0, 0, 4], 3, 1, 2, 0.5]", "[[0, 0], [1, 1], 2, 0, 1, 1]", "[[], [], 0, -1, 7, 2]", "[[1], [1], -5, 2, 7, 0.5]", "[[1, -2, 4], [0, 1, 0], 3, 0, 3, 1]",
			"[[\"Infinity\", 2], [1, 0], 2, 4, \"Infinity\", 0]", "[[1, 2], [1, 2], 2, \"Infinity\", 1.5, 1]", "[[1, \"NaN\"], [0, 1], 2, 1, 1, 0]", "[[1e300, 1e300], [0, 0], 2, 1e-300, 0, 0]",
			"[[1e200, -1e200], [0, 0], 2, 1e-300, 0, 0]", "[[0, 0], [0, 0], 2, \"NaN\", 0, \"NaN\"]"} {
			if got, want := built.Run(t, after, "f", args), built.Run(t, before, "f", args); got != want && !near(number(t, after, args), number(t, before, args)) {
				t.Errorf("%s of %s: %s, want %s", c.name, args, got, want)
			}
		}
	}
}

// powers are squares of squares.
func powers(of string, levels int) string {
	var b strings.Builder
	for k := range levels {
		fmt.Fprintf(&b, "%%d%d = arith.mulf %s, %s fastmath<contract> : f64\n", k+1, of, of)
		of = fmt.Sprintf("%%d%d", k+1)
	}
	return b.String()
}

func near(x, y float64) bool { return x == y || math.Abs(x-y) <= 1e-15*math.Abs(y) }

// A term of a random sum, as ops that make %t with a name of its own, and its value.
type randomTerm struct {
	ops   string
	value func(x, y, a, m, p float64) float64
}

var randomTerms = []randomTerm{
	{"%tN = arith.mulf %v, %a fastmath<contract> : f64", func(x, _, a, _, _ float64) float64 { return x * a }},
	{"%uN = arith.mulf %v, %w fastmath<contract> : f64\n%tN = arith.mulf %m, %uN fastmath<contract> : f64", func(x, y, _, m, _ float64) float64 { return x * y * m }},
	{"%dN = arith.subf %v, %m fastmath<contract> : f64\n%bN = arith.mulf %a, %dN fastmath<contract> : f64\n%tN = arith.mulf %bN, %dN fastmath<contract> : f64",
		func(x, _, a, m, _ float64) float64 { return a * (x - m) * (x - m) }},
	{"%dN = arith.subf %m, %w fastmath<contract> : f64\n%tN = arith.mulf %dN, %dN fastmath<contract> : f64", func(_, y, _, m, _ float64) float64 { return (m - y) * (m - y) }},
	{"%zN = arith.cmpf oeq, %w, %none : f64\n%bN = arith.mulf %w, %la fastmath<contract> : f64\n%tN = arith.select %zN, %none, %bN : f64",
		func(_, y, a, _, _ float64) float64 {
			if y == 0 {
				return 0
			}
			return y * math.Log(a)
		}},
	{"%tN = special.xlog1py %w, %mp : f64", func(_, y, _, _, p float64) float64 {
		if y == 0 && !math.IsNaN(p) {
			return 0
		}
		return y * math.Log1p(-p)
	}},
	{"%cN = arith.cmpf olt, %v, %v : f64\n%tN = arith.select %cN, %never, %a : f64", func(_, _, a, _, _ float64) float64 { return a }},
	{"%gN = arith.cmpf oge, %w, %none : f64\n%tN = arith.select %gN, %v, %nan : f64", func(x, y, _, _, _ float64) float64 {
		if y >= 0 {
			return x
		}
		return math.NaN()
	}},
}

// A random sum is what its terms add up to, to 16 (n + 8) roundings of the sum of their
// magnitudes, and as the loop says where that is not finite; data lie far from 0 and close
// together, too.
func TestFactorSumsRandom(t *testing.T) {
	const u = 1.0 / (1 << 53)
	finite, factored := 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 19))
		var body strings.Builder
		var terms []randomTerm
		var signs []float64
		for i := range 1 + rng.IntN(4) {
			c := randomTerms[rng.IntN(len(randomTerms))]
			fmt.Fprintln(&body, strings.ReplaceAll(c.ops, "N", fmt.Sprint(i)))
			op, sign := "addf", 1.0
			if rng.IntN(2) == 0 {
				op, sign = "subf", -1
			}
			sum := fmt.Sprintf("%%sum%d", i-1)
			if i == 0 {
				sum = "%none"
			}
			fmt.Fprintf(&body, "%%sum%d = arith.%s %s, %%t%d fastmath<reassoc> : f64\n", i, op, sum, i)
			terms, signs = append(terms, c), append(signs, sign)
		}
		fmt.Fprintf(&body, "%%t = arith.addf %%sum%d, %%none fastmath<reassoc> : f64\n", len(terms)-1)
		before := built.Parse(t, over(body.String()), text.Options{})
		after := built.Through(t, before, "licm,split-sums,factor-sums")
		if constantTime(t, after) {
			factored++
		}
		n := []int{0, 1, 2, 30}[rng.IntN(4)]
		centre, scale := math.Ldexp(rng.NormFloat64(), rng.IntN(60)-20), math.Ldexp(1, -rng.IntN(50))
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i] = centre * (1 + scale*rng.NormFloat64())
			y[i] = float64(rng.IntN(4))
		}
		if n > 0 && rng.IntN(6) == 0 {
			x[rng.IntN(n)] = []float64{math.Inf(1), math.NaN(), 1e300, 0}[rng.IntN(4)]
		}
		if n > 0 && rng.IntN(6) == 0 {
			y[rng.IntN(n)] = -1
		}
		pick := func(usual float64) float64 {
			if rng.IntN(8) == 0 {
				return []float64{0, 1, math.Inf(1), math.NaN(), -1}[rng.IntN(5)]
			}
			return usual
		}
		a, m, p := pick(math.Exp(rng.NormFloat64())), pick(centre*(1+scale*rng.NormFloat64())), pick(rng.Float64())
		args := fmt.Sprintf("[%s, %s, %d, %s, %s, %s]", list(x), list(y), n, spell(a), spell(m), spell(p))
		got, loop := number(t, after, args), number(t, before, args)
		if isFinite(loop) != isFinite(got) || !isFinite(loop) && got != loop && !(math.IsNaN(got) && math.IsNaN(loop)) {
			t.Fatalf("seed %d: of %s: %v, want %v\n%s", seed, args, got, loop, body.String())
		}
		if !isFinite(loop) {
			continue
		}
		finite++
		want, size := new(big.Float).SetPrec(300), 0.0
		for i := range n {
			for k, c := range terms {
				v := signs[k] * c.value(x[i], y[i], a, m, p)
				want.Add(want, big.NewFloat(v))
				size += math.Abs(v)
			}
		}
		exact, _ := want.Float64()
		if bound := 16 * float64(n+8) * u * size; math.Abs(got-exact) > bound {
			t.Fatalf("seed %d: of %s: %v, want %v: off by %v, more than %v\n%s", seed, args, got, exact, got-exact, bound, body.String())
		}
	}
	t.Logf("%d of 400 sums are factored, %d are finite", factored, finite)
	if factored < 200 || finite < 150 {
		t.Errorf("only %d sums are factored, %d finite", factored, finite)
	}
}

func isFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

func spell(x float64) string {
	switch {
	case math.IsNaN(x):
		return `"NaN"`
	case math.IsInf(x, 1):
		return `"Infinity"`
	case math.IsInf(x, -1):
		return `"-Infinity"`
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func list(xs []float64) string {
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = spell(x)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// Densities of data with the same parameters are sums of these data, in any program that
// allows their terms to be added in any order, with the laws' supports and what is not valid.
func TestFactorSumsOfDensities(t *testing.T) {
	counts, shares, reals := "[0, 3, 1, 0, 7]", "[0.25, 0.5, 0.125, 0.75, 0.5]", "[1.5, 2.5, 0.5, 4, 0.25]"
	for _, c := range []struct {
		law, data string
		at        []string // parameters
	}{
		{"dnorm", reals, []string{"1.5, 2", "0.1, 1e-300", "1, 0", "1, -1", "\"Infinity\", 1", "1, \"Infinity\""}},
		{"dpois", counts, []string{"2.5", "0", "1e5", "-1", "\"NaN\"", "\"Infinity\""}},
		{"dpois", "[0, 0, 0]", []string{"0", "1"}},
		{"dpois", "[0, 1.5, 2]", []string{"0", "1"}},
		{"dbern", "[0, 1, 1, 0]", []string{"0.25", "0", "1", "2"}},
		{"dbern", "[1, 1]", []string{"0.25", "0", "1"}},
		{"dbern", "[1, 2]", []string{"0.25"}},
		{"dbin", "[0, 3, 1, 0, 7]", []string{"0.25", "0", "1", "2"}}, // of 9
		{"dbin", "[0, 10]", []string{"0.25"}},
		{"dgeom0", counts, []string{"0.25", "1", "0"}},
		{"dnegbin", counts, []string{"0.25", "1", "0"}},
		{"dexp", reals, []string{"2", "0", "\"Infinity\""}},
		{"dexp", "[1, -1]", []string{"2"}},
		{"dgamma", reals, []string{"2, 3", "1, 0.5", "1e5, 1e5", "0, 1"}},
		{"dbeta", shares, []string{"2, 3", "1, 1", "0, 1"}},
		{"dlnorm", reals, []string{"1, 2", "0, 0"}},
	} {
		n := 1 + strings.Count(c.at[0], ",")
		params, names := "", []string{}
		for i := range n {
			params, names = params+fmt.Sprintf(", %%p%d: f64", i), append(names, fmt.Sprintf("%%p%d", i))
		}
		if c.law == "dbin" || c.law == "dnegbin" {
			names = append(names, "%nine")
		}
		src := fmt.Sprintf(`func.func @f(%%x: memref<?xf64> {func.static, llvm.noalias}, %%n: index {func.static}%s) -> f64 {
  %%zero = arith.constant 0 : index
  %%one = arith.constant 1 : index
  %%none = arith.constant 0.0 : f64
  %%nine = arith.constant 9.0 : f64
  %%r = scf.for %%i = %%zero to %%n step %%one iter_args(%%s = %%none) -> (f64) {
    %%v = memref.load %%x[%%i] : memref<?xf64>
    %%t = prob.logpdf %q(%s) at %%v {prob.terms}
    %%next = arith.addf %%s, %%t fastmath<reassoc> : f64
    scf.yield %%next : f64
  }
  return %%r : f64
}
`, params, c.law, strings.Join(names, ", "))
		before := built.Through(t, built.Parse(t, src, text.Options{}), "lower{to=scf}")
		after := built.Through(t, before, "licm,split-sums,factor-sums")
		if !constantTime(t, after) {
			t.Errorf("%s has a loop left\n%s", c.law, text.String(after, text.PrintOptions{}))
		}
		for _, p := range c.at {
			args := fmt.Sprintf("[%s, %d, %s]", c.data, 1+strings.Count(c.data, ","), p)
			got, want := number(t, after, args), number(t, before, args)
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) && !(math.Abs(got-want) <= 1e-14*math.Max(1, math.Abs(want))) {
				t.Errorf("%s(%s) of %s: %v, want %v", c.law, p, c.data, got, want)
			}
		}
	}
}
