package syntax

import (
	"strings"
	"sync"

	"github.com/irc-lang/irc/dialects/prob/family"
)

// A Role says which function of a distribution a Function is.
type Role uint8

// The roles; most functions have none.
const (
	NoRole     Role = iota
	Cumulative      // pX(x, parameters): P(X <= x)
	Quantile        // qX(p, parameters)
	Density         // dX(x, parameters), not its logarithm
	LogDensity      // logdensity.X(x, parameters)
)

// A Function is a row of the table of functions.
type Function struct {
	Name     string
	Aliases  []string
	Args     []string
	Min, Max int     // number of arguments; Max < 0: any number
	Dialect  Dialect // where it comes from; both dialects accept it
	Role     Role
	Of       *Distribution // of a Role
	Doc      string
}

// Signature is the function as it is called, such as pow(a, b).
func (f *Function) Signature() string { return signature(f.Name, f.Args, f.Min, f.Max) }

// Functions returns the table of functions; those of distributions come last.
var Functions = sync.OnceValue(func() []*Function {
	return append([]*Function{
		fun("abs", "x", Both, "absolute value"),
		fun("exp", "x", Both, "exponential"),
		fun("log", "x", Both, "natural logarithm"),
		fun("sqrt", "x", Both, "square root"),
		fun("pow", "a b", Both, "a to the power b"),
		fun("cube", "x", BUGS, "x to the power 3"),
		fun("sin", "x", Both, "sine"),
		fun("cos", "x", Both, "cosine"),
		fun("tan", "x", Both, "tangent"),
		fun("sinh", "x", Both, "hyperbolic sine"),
		fun("cosh", "x", Both, "hyperbolic cosine"),
		fun("tanh", "x", Both, "hyperbolic tangent"),
		fun("arcsin asin", "x", Both, "inverse sine"),
		fun("arccos acos", "x", Both, "inverse cosine"),
		fun("arctan atan", "x", Both, "inverse tangent"),
		fun("arcsinh asinh", "x", Both, "inverse hyperbolic sine"),
		fun("arccosh acosh", "x", Both, "inverse hyperbolic cosine"),
		fun("arctanh atanh", "x", Both, "inverse hyperbolic tangent"),
		fun("round", "x", Both, "floor(x + 0.5)"),
		fun("trunc", "x", Both, "integer part, towards zero"),
		fun("step nimStep", "x", Both, "1 if x >= 0, else 0"),
		fun("equals nimEquals", "a b", Both, "1 if a = b exactly, else 0"),
		fun("logit", "p", Both, "log(p / (1 - p))"),
		fun("ilogit logistic expit", "x", Both, "1 / (1 + exp(-x))"),
		fun("probit", "p", Both, "quantile of the standard normal"),
		fun("phi iprobit", "x", Both, "distribution function of the standard normal"),
		fun("cloglog", "p", Both, "log(-log(1 - p))"),
		fun("icloglog cexpexp", "x", Both, "1 - exp(-exp(x))"),
		fun("loggam lgamma", "x", Both, "logarithm of the gamma function"),
		fun("logfact lfactorial", "x", Both, "logarithm of the factorial"),
		fun("modulo", "a b", Both, "what is left of a by division by b, with the sign of b; written a %% b"),
		fun("besselk", "x nu", Both, "modified Bessel function of the second kind, of order nu"),
		fun("gammap", "s x", BUGS, "regularised lower incomplete gamma function"),
		fun("softplus", "x", BUGS, "log(1 + exp(x))"),
		fun("sum", "x...", Both, "sum of all elements of all arguments; 0 of none"),
		fun("prod", "x...", Both, "product of all elements of all arguments; 1 of none"),
		fun("max", "x...", Both, "largest element of all arguments"),
		fun("min", "x...", Both, "smallest element of all arguments"),
		fun("mean", "v", Both, "arithmetic mean of all elements"),
		fun("sd", "v", Both, "standard deviation with divisor n - 1"),
		fun("length", "v", Both, "number of elements"),
		fun("inprod inprod2", "a b", Both, "inner product"),
		fun("sort", "v", Both, "elements in ascending order"),
		fun("order", "v", JAGS, "positions that sort v"),
		fun("rank", "v [s]", Both, "ranks of the elements; with s, how many are <= v[s]"),
		fun("ranked", "v s", BUGS, "the s-th smallest element"),
		fun("inverse", "A", Both, "inverse of a symmetric positive definite matrix"),
		fun("logdet", "A", Both, "logarithm of the determinant"),
		fun("t", "A", Both, "transpose"),
		fun("mexp", "A", JAGS, "exponential of a matrix"),
		fun("dim", "A", JAGS, "dimensions"),
		fun("eigen.vals", "A", BUGS, "eigenvalues"),
		fun("c", "x...", Both, "vector of all elements of all arguments"),
		fun("rep", "v n", JAGS, "v repeated n times"),
		fun("ifelse", "condition a b", JAGS, "a where the condition is not 0, else b"),
		fun("interp.lin", "x xs[] ys[]", Both, "linear interpolation; outside the grid the end value"),
		fun("min.bound", "C[] adj[] num[] M[]", BUGS, "the least gamma of car.proper"),
		fun("max.bound", "C[] adj[] num[] M[]", BUGS, "the greatest gamma of car.proper"),
		fun("cut", "x", BUGS, "the value of x; information does not flow back"),
		fun("dinterval", "t c[]", JAGS, "number of cut points strictly below t"),
	}, distributionFunctions()...)
})

// fun makes a row; names holds the name and its aliases, args the arguments.
func fun(names, args string, dialect Dialect, doc string) *Function {
	n := fields(names)
	a, least, most := arguments(args)
	return &Function{Name: n[0], Aliases: n[1:], Args: a, Min: least, Max: most, Dialect: dialect, Doc: doc}
}

// distributionFunctions makes the rows pX, qX, dX and logdensity.X.
func distributionFunctions() []*Function {
	var out []*Function
	for _, d := range Distributions() {
		for _, r := range []struct {
			bit  family.Functions
			role Role
		}{{family.CDF, Cumulative}, {family.QuantileFunction, Quantile}, {family.DensityFunction, Density}, {family.LogDensityFunction, LogDensity}} {
			if d.Functions&r.bit != 0 {
				out = append(out, ofDistribution(d, r.role))
			}
		}
	}
	return out
}

func ofDistribution(d *Distribution, role Role) *Function {
	prefix, first, doc := "p", "x", "distribution function"
	switch role {
	case Quantile:
		prefix, first, doc = "q", "p", "quantile"
	case Density:
		prefix, doc = "d", "density"
	case LogDensity:
		prefix, doc = "logdensity.", "log density"
	}
	f := &Function{Name: prefix + d.Name[1:], Role: role, Of: d, Dialect: JAGS,
		Args: append([]string{first}, d.Args...), Min: d.Min + 1, Max: d.Max, Doc: doc + " of " + d.Signature()}
	if f.Max >= 0 {
		f.Max++
	}
	for _, a := range d.Aliases {
		f.Aliases = append(f.Aliases, prefix+a[1:])
	}
	return f
}

func fields(s string) []string { return strings.Fields(s) }

// arguments reads a description of arguments: `x...` is any number, at least
// one, and `[x]` may be left out.
func arguments(s string) (names []string, least, most int) {
	for _, a := range fields(s) {
		switch {
		case strings.HasSuffix(a, "..."):
			return append(names, strings.TrimSuffix(a, "...")), least + 1, -1
		case strings.HasPrefix(a, "["):
			a = a[1 : len(a)-1]
		default:
			least++
		}
		names = append(names, a)
	}
	return names, least, len(names)
}

func signature(name string, args []string, least, most int) string {
	var parts []string
	for i, a := range args {
		if i >= least {
			a = "[" + a + "]"
		}
		parts = append(parts, a)
	}
	if most < 0 {
		parts = append(parts, "...")
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}
