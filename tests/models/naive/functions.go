package naive

import (
	"math"
	"slices"
	"sort"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

func normalCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}

func ilogit(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// elementary are the functions of numbers.
var elementary = map[string]func(x []float64) float64{
	"abs":      func(x []float64) float64 { return math.Abs(x[0]) },
	"exp":      func(x []float64) float64 { return math.Exp(x[0]) },
	"log":      func(x []float64) float64 { return ln(x[0]) },
	"sqrt":     func(x []float64) float64 { return math.Sqrt(x[0]) },
	"pow":      func(x []float64) float64 { return math.Pow(x[0], x[1]) },
	"sin":      func(x []float64) float64 { return math.Sin(x[0]) },
	"cos":      func(x []float64) float64 { return math.Cos(x[0]) },
	"arctan":   func(x []float64) float64 { return math.Atan(x[0]) },
	"tanh":     func(x []float64) float64 { return math.Tanh(x[0]) },
	"round":    func(x []float64) float64 { return math.Floor(x[0] + 0.5) },
	"trunc":    func(x []float64) float64 { return math.Trunc(x[0]) },
	"step":     func(x []float64) float64 { return truth(x[0] >= 0) },
	"equals":   func(x []float64) float64 { return truth(x[0] == x[1]) },
	"logit":    func(x []float64) float64 { return ln(x[0] / (1 - x[0])) },
	"ilogit":   func(x []float64) float64 { return ilogit(x[0]) },
	"probit":   func(x []float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*x[0]) },
	"phi":      func(x []float64) float64 { return normalCDF(x[0]) },
	"cloglog":  func(x []float64) float64 { return ln(-math.Log1p(-x[0])) },
	"icloglog": func(x []float64) float64 { return -math.Expm1(-math.Exp(x[0])) },
	"loggam":   func(x []float64) float64 { return lgamma(x[0]) },
	"logfact":  func(x []float64) float64 { return lgamma(x[0] + 1) },
	"softplus": func(x []float64) float64 { return math.Log1p(math.Exp(x[0])) },
	"cut":      func(x []float64) float64 { return x[0] },
	"ifelse": func(x []float64) float64 {
		if x[0] != 0 {
			return x[1]
		}
		return x[2]
	},
}

// ofArrays are the functions of whole arrays.
var ofArrays = map[string]func(a []value) value{
	"sum": func(a []value) value {
		s := 0.0
		for _, x := range all(a) {
			s += x
		}
		return number(s)
	},
	"prod": func(a []value) value {
		s := 1.0
		for _, x := range all(a) {
			s *= x
		}
		return number(s)
	},
	"max":    func(a []value) value { return number(slices.Max(all(a))) },
	"min":    func(a []value) value { return number(slices.Min(all(a))) },
	"mean":   func(a []value) value { return number(mean(a[0].v)) },
	"sd":     func(a []value) value { return number(sd(a[0].v)) },
	"length": func(a []value) value { return number(float64(len(a[0].v))) },
	"dim": func(a []value) value {
		out := value{dims: []int{len(a[0].dims)}}
		for _, d := range a[0].dims {
			out.v = append(out.v, float64(d))
		}
		return out
	},
	"inprod": func(a []value) value {
		s := 0.0
		for i, x := range a[0].v {
			s += x * a[1].v[i]
		}
		return number(s)
	},
	"c":       func(a []value) value { return vector(all(a)) },
	"sort":    func(a []value) value { v := slices.Clone(a[0].v); sort.Float64s(v); return vector(v) },
	"rank":    rank,
	"ranked":  func(a []value) value { v := slices.Clone(a[0].v); sort.Float64s(v); return number(v[int(a[1].v[0])-1]) },
	"t":       transpose,
	"inverse": func(a []value) value { return value{a[0].dims, inverse(a[0].v, side(a[0]))} },
	"logdet":  func(a []value) value { return number(logDet(a[0].v, side(a[0]))) },
	"rep": func(a []value) value {
		var out []float64
		for range int(a[1].v[0]) {
			out = append(out, a[0].v...)
		}
		return vector(out)
	},
	"interp.lin": func(a []value) value { return number(interpolate(a[0].v[0], a[1].v, a[2].v)) },
}

func call(name string, args []value) value {
	f := syntax.LookupFunction(name)
	if f == nil {
		fail("the function %s", name)
	}
	if g := ofArrays[f.Name]; g != nil {
		return g(args)
	}
	if g := elementary[f.Name]; g != nil {
		return broadcast(g, args...)
	}
	switch f.Role {
	case syntax.LogDensity:
		return number(logDensity(f.Of.Name, args[0], args[1:]))
	case syntax.Density:
		return number(math.Exp(logDensity(f.Of.Name, args[0], args[1:])))
	case syntax.Cumulative:
		return number(cumulative(f.Of.Name, args[0].v[0], all(args[1:])))
	}
	fail("the function %s", name)
	return value{}
}

func vector(v []float64) value { return value{[]int{len(v)}, v} }

func all(a []value) []float64 {
	var out []float64
	for _, x := range a {
		out = append(out, x.v...)
	}
	return out
}

func mean(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s / float64(len(v))
}

func sd(v []float64) float64 {
	m, s := mean(v), 0.0
	for _, x := range v {
		s += (x - m) * (x - m)
	}
	return math.Sqrt(s / float64(len(v)-1))
}

// rank gives the ranks, or with a position how many elements are no larger.
func rank(a []value) value {
	v := a[0].v
	count := func(x float64) (n float64) {
		for _, y := range v {
			n += truth(y <= x)
		}
		return n
	}
	if len(a) == 2 {
		return number(count(v[int(a[1].v[0])-1]))
	}
	out := make([]float64, len(v))
	for i, x := range v {
		for j, y := range v {
			out[i] += truth(y < x || y == x && j <= i)
		}
	}
	return vector(out)
}

func interpolate(x float64, xs, ys []float64) float64 {
	n := len(xs)
	switch {
	case x <= xs[0]:
		return ys[0]
	case x >= xs[n-1]:
		return ys[n-1]
	}
	i := sort.SearchFloat64s(xs, x)
	w := (x - xs[i-1]) / (xs[i] - xs[i-1])
	return (1-w)*ys[i-1] + w*ys[i]
}

// ln is math.Log, which is wrong for subnormal numbers in Go's assembly for amd64.
func ln(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}
