package special

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// values are the functions that the ops stand for.
var values = map[*ir.OpDef]func(x []float64) float64{}

// Value is the value of a function of this dialect at numbers in f64.
func Value(d *ir.OpDef, x ...float64) float64 { return values[d](x) }

func function(name, doc string, args []string, traits ir.Trait, f func(x []float64) float64) *ir.OpDef {
	d := ir.Define(&ir.OpDef{Name: "special." + name, Doc: doc, Args: args, Traits: traits | ir.Elementwise,
		Infer: elementwise.Same(len(args), elementwise.FloatLike), Eval: elementwise.FloatEval(f)})
	values[d] = f
	return d
}

// unary defines a function of one float.
func unary(name, doc string, f func(x float64) float64) *ir.OpDef {
	return function(name, doc, []string{"x"}, 0, func(x []float64) float64 { return f(x[0]) })
}

// binary defines a function of two floats.
func binary(name, doc string, args [2]string, traits ir.Trait, f func(x, y float64) float64) *ir.OpDef {
	return function(name, doc, args[:], traits, func(x []float64) float64 { return f(x[0], x[1]) })
}

// ternary defines a function of three floats.
func ternary(name, doc string, args [3]string, f func(x, y, z float64) float64) *ir.OpDef {
	return function(name, doc, args[:], 0, func(x []float64) float64 { return f(x[0], x[1], x[2]) })
}

// Functions of one float.
var (
	Lgamma   = unary("lgamma", "log |gamma(x)|.", lgamma)
	Digamma  = unary("digamma", "The derivative of lgamma.", digamma)
	Trigamma = unary("trigamma", "The derivative of digamma.", trigamma)
	Logfact  = unary("logfact", "log x! = lgamma(x + 1).", logfact)
	Erfc     = unary("erfc", "1 - erf(x), accurate where erf is near 1.", erfc)
	Phi      = unary("phi", "The distribution function of the standard normal distribution.", phi)
	LogPhi   = unary("log_phi", "log(phi(x)), accurate in both tails.", logPhi)
	Probit   = unary("probit", "The inverse of phi.", probit)
	Log1mexp = unary("log1mexp", "log(1 - exp(x)) for x <= 0.", log1mexp)
	Log1pexp = unary("log1pexp", "log(1 + exp(x)) (softplus), without overflow.", log1pexp)
	Logit    = unary("logit", "log(x / (1 - x)), accurate near 1/2.", logit)
	Ilogit   = unary("ilogit", "1 / (1 + exp(-x)), the inverse of logit.", ilogit)
	Cloglog  = unary("cloglog", "log(-log(1 - x)).", cloglog)
	Icloglog = unary("icloglog", "1 - exp(-exp(x)), the inverse of cloglog.", icloglog)
	Step     = unary("step", "1 if x >= 0, else 0.", step)
)

// Functions of two or three floats.
var (
	Xlogy       = binary("xlogy", "x * log(y); 0 if x is 0 and y not NaN.", [2]string{"x", "y"}, 0, xlogy)
	Xlog1py     = binary("xlog1py", "x * log(1 + y); 0 if x is 0 and y not NaN.", [2]string{"x", "y"}, 0, xlog1py)
	Lbeta       = binary("lbeta", "log of the beta function: lgamma(a) + lgamma(b) - lgamma(a + b) without its cancellation.", [2]string{"a", "b"}, ir.Commutative, lbeta)
	Lchoose     = binary("lchoose", "log of the binomial coefficient n over k; -inf outside 0 <= k <= n.", [2]string{"n", "k"}, 0, lchoose)
	Gammainc    = binary("gammainc", "The regularised lower incomplete gamma function P(a, x).", [2]string{"a", "x"}, 0, gammainc)
	Gammaincc   = binary("gammaincc", "The regularised upper incomplete gamma function Q(a, x).", [2]string{"a", "x"}, 0, gammaincc)
	Gammaincinv = binary("gammaincinv", "The x with gammainc(a, x) = p.", [2]string{"a", "p"}, 0, gammaincinv)
	Betainc     = ternary("betainc", "The regularised incomplete beta function I_x(a, b).", [3]string{"a", "b", "x"}, betainc)
	Betaincinv  = ternary("betaincinv", "The x with betainc(a, b, x) = p.", [3]string{"a", "b", "p"}, betaincinv)
)

// Print is special.print.
var Print = ir.Define(&ir.OpDef{Name: "special.print", Doc: "Shows its operands, numbers, on a line.", Args: []string{"values..."},
	Traits: ir.NoCapture, Infer: inferPrint, Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.IO}} }})

func inferPrint(c *ir.Call) (ir.Type, error) {
	for i := range c.Args {
		if t := c.ArgType(i); !c.Ctx().IsInt(t) && !c.Ctx().IsFloat(t) {
			return 0, c.Errorf("operand #%d must be a number, but got %s", i, elementwise.Quote(c.Ctx(), t))
		}
	}
	return ir.Void, nil
}

// Dialect is the special dialect.
var Dialect = &ir.Dialect{Name: "special", Clean: true, Doc: "Special functions that MLIR's math lacks, and print.",
	Ops:   append(functions[:len(functions):len(functions)], Print),
	Folds: folds, Tables: []any{syntax, table, lowerings, derivatives, noDerivative},
}
