package bugs

import (
	"errors"
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	accurate "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir/diag"
	"gonum.org/v1/gonum/mathext"
)

var inf = math.Inf(1)

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// lgamma is the logarithm of the gamma function of a positive number.
func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}

func unary(op syntax.Op, x float64) float64 {
	if op == syntax.OpNot {
		return truth(x == 0)
	}
	return -x
}

func binary(op syntax.Op, x, y float64) float64 {
	switch op {
	case syntax.OpOr:
		return truth(x != 0 || y != 0)
	case syntax.OpAnd:
		return truth(x != 0 && y != 0)
	case syntax.OpEq:
		return truth(x == y)
	case syntax.OpNe:
		return truth(x != y)
	case syntax.OpLt:
		return truth(x < y)
	case syntax.OpLe:
		return truth(x <= y)
	case syntax.OpGt:
		return truth(x > y)
	case syntax.OpGe:
		return truth(x >= y)
	case syntax.OpAdd:
		return x + y
	case syntax.OpSub:
		return x - y
	case syntax.OpMul:
		return x * y
	case syntax.OpDiv:
		return x / y
	}
	return accurate.Pow(x, y)
}

func ilogit(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + math.Exp(-x))
	}
	return math.Exp(x) / (1 + math.Exp(x))
}

func normalCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

func probit(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return mathext.NormalQuantile(p)
}

func softplus(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

func one(f func(float64) float64) func([]float64) float64 {
	return func(x []float64) float64 { return f(x[0]) }
}

// scalarFunctions are the functions of numbers, by the table's name.
var scalarFunctions = map[string]func(x []float64) float64{
	"abs": one(math.Abs), "exp": one(math.Exp), "log": one(prob.Log), "sqrt": one(math.Sqrt),
	"pow": func(x []float64) float64 { return accurate.Pow(x[0], x[1]) },
	"modulo": func(x []float64) float64 {
		r := math.Mod(x[0], x[1])
		if r != 0 && (r < 0) != (x[1] < 0) {
			r += x[1]
		}
		return r
	},
	"sin": one(math.Sin), "cos": one(math.Cos), "tan": one(math.Tan),
	"sinh": one(math.Sinh), "cosh": one(math.Cosh), "tanh": one(math.Tanh),
	"arcsin": one(math.Asin), "arccos": one(math.Acos), "arctan": one(math.Atan),
	"arcsinh": one(math.Asinh), "arccosh": one(math.Acosh), "arctanh": one(math.Atanh),
	"round":    one(func(x float64) float64 { return math.Floor(x + 0.5) }),
	"trunc":    one(math.Trunc),
	"step":     one(func(x float64) float64 { return truth(x >= 0) }),
	"equals":   func(x []float64) float64 { return truth(x[0] == x[1]) },
	"logit":    one(func(p float64) float64 { return prob.Log(p) - math.Log1p(-p) }),
	"ilogit":   one(ilogit),
	"probit":   one(probit),
	"phi":      one(normalCDF),
	"cloglog":  one(func(p float64) float64 { return prob.Log(-math.Log1p(-p)) }),
	"icloglog": one(func(x float64) float64 { return -math.Expm1(-math.Exp(x)) }),
	"loggam":   one(lgamma),
	"logfact":  one(func(x float64) float64 { return lgamma(x + 1) }),
	"softplus": one(softplus),
	"besselk":  func(x []float64) float64 { return prob.BesselK[float64, bool](prob.Float{}, x[0], x[1]) },
	"gammap": func(x []float64) float64 {
		if !(x[0] > 0 && x[1] >= 0) {
			return math.NaN()
		}
		return math.Exp(prob.GammaTails[float64, bool](prob.Float{}, x[0], x[1]).Below)
	},
	"cut": one(func(x float64) float64 { return x }),
	"ifelse": func(x []float64) float64 {
		if x[0] != 0 {
			return x[1]
		}
		return x[2]
	},
}

// reductions are the functions of all elements of their arguments.
var reductions = map[string]func(v []float64) float64{
	"sum":    prob.Sum,
	"prod":   func(v []float64) float64 { return fold(v, 1, func(a, x float64) float64 { return a * x }) },
	"max":    func(v []float64) float64 { return fold(v, math.Inf(-1), math.Max) },
	"min":    func(v []float64) float64 { return fold(v, math.Inf(1), math.Min) },
	"mean":   func(v []float64) float64 { return prob.Sum(v) / float64(len(v)) },
	"sd":     sd,
	"length": func(v []float64) float64 { return float64(len(v)) },
}

func fold(v []float64, a float64, f func(a, x float64) float64) float64 {
	for _, x := range v {
		a = f(a, x)
	}
	return a
}

func sd(v []float64) float64 {
	m, s := prob.Sum(v)/float64(len(v)), 0.0
	for _, x := range v {
		s += (x - m) * (x - m)
	}
	return math.Sqrt(s / float64(len(v)-1))
}

// mayBeEmpty are the reductions that an empty range does not make an error.
var mayBeEmpty = map[string]bool{"sum": true, "prod": true, "length": true}

// callArray applies a function to arrays.
func (f *frame) callArray(c *syntax.Call) (value, error) {
	name := canonical(c)
	args := make([]value, len(c.Args))
	var all []float64
	for i, a := range c.Args {
		x, err := f.array(a)
		if err != nil {
			return value{}, err
		}
		args[i] = x
		all = append(all, byColumns(x)...)
	}
	if r := reductions[name]; r != nil {
		if len(all) == 0 && !mayBeEmpty[name] {
			return value{}, diag.Errorf(c.Span(), "%s of no elements", c.Name).WithFix("let the range hold at least one element")
		}
		return value{V: []float64{r(all)}}, nil
	}
	if fn := scalarFunction(name); fn != nil {
		return mapped(c, fn, args)
	}
	if name == "c" {
		return value{Dims: []int{len(all)}, V: all}, nil
	}
	fn := arrayFunctions[name]
	if len(args) > 1 && arrayOpOf(name+".one") != nil {
		name += ".one"
	}
	if op := arrayOpOf(name); op != nil {
		fn = op.inGo
	}
	if fn == nil {
		return value{}, unsupported(c.NameAt, "the function "+c.Name)
	}
	out, err := fn(args)
	switch {
	case err == nil:
		return out, nil
	case f.shape && !errors.As(err, new(misshapen)) && slices.ContainsFunc(all, math.IsNaN):
		return out, errUnknown
	}
	return out, diag.Errorf(c.Span(), "%s: %v", c.Name, err).WithFix("the form is %s", syntax.LookupFunction(c.Name).Signature())
}

// unsupported is the error for a part of the language that is still to come.
func unsupported(at diag.Span, what string) *diag.Diagnostic {
	return diag.Errorf(at, "%s is not supported in this version", what)
}

// mapped applies a function of numbers to each element.
func mapped(c *syntax.Call, fn func([]float64) float64, args []value) (value, error) {
	n, out := 1, value{}
	for _, a := range args {
		if len(a.V) != 1 {
			if n != 1 && n != len(a.V) {
				return out, diag.Errorf(c.Span(), "%s of %d and %d elements: the lengths must agree", c.Name, n, len(a.V)).
					WithFix("take parts of equal length, as in x[1:n]")
			}
			n, out.Dims = len(a.V), a.Dims
		}
	}
	x := make([]float64, len(args))
	for i := range n {
		for j, a := range args {
			x[j] = a.V[i%len(a.V)]
		}
		out.V = append(out.V, fn(x))
	}
	return out, nil
}

func transpose(x value) value {
	if len(x.Dims) < 2 {
		return value{Dims: []int{1, len(x.V)}, V: x.V}
	}
	r, c := x.Dims[0], x.Dims[1]
	out := value{Dims: []int{c, r}, V: make([]float64, len(x.V))}
	for i := range r {
		for j := range c {
			out.V[j*r+i] = x.V[i*c+j]
		}
	}
	return out
}

// byColumns lists the elements of an array with the first index running fastest, as
// functions see an array that want a vector.
func byColumns(x value) []float64 {
	if len(x.Dims) < 2 {
		return x.V
	}
	rest := len(x.V) / max(x.Dims[0], 1)
	out := make([]float64, 0, len(x.V))
	rows := make([][]float64, x.Dims[0])
	for i := range rows {
		rows[i] = byColumns(value{Dims: x.Dims[1:], V: x.V[i*rest : (i+1)*rest]})
	}
	for k := range rest {
		for i := range rows {
			out = append(out, rows[i][k])
		}
	}
	return out
}

// matMul is a product of matrices. A vector is a row on the left and a column on the
// right, and what it adds to the shape is dropped.
func matMul(e *syntax.Binary, x, y value) (value, error) {
	if len(x.Dims) == 0 || len(y.Dims) == 0 {
		return scaledBy(x, y), nil
	}
	if len(x.Dims) > 2 || len(y.Dims) > 2 {
		return value{}, unsupported(e.Span(), "a product of arrays of more than 2 dimensions")
	}
	rows, inner, cols := 1, len(x.V), 1
	var dims []int
	if len(x.Dims) == 2 {
		rows, inner = x.Dims[0], x.Dims[1]
		dims = append(dims, rows)
	}
	k := len(y.V)
	if len(y.Dims) == 2 {
		k, cols = y.Dims[0], y.Dims[1]
		dims = append(dims, cols)
	}
	if inner != k {
		return value{}, diag.Errorf(e.Span(), "%%*%% of a matrix with %d columns and one with %d rows", inner, k)
	}
	out := value{Dims: dims, V: make([]float64, rows*cols)}
	for i := range rows {
		for j := range cols {
			for l := range inner {
				out.V[i*cols+j] += x.V[i*inner+l] * y.V[l*cols+j]
			}
		}
	}
	return out, nil
}

// scaledBy is the product of two arrays of which one is a number.
func scaledBy(x, y value) value {
	if len(y.Dims) > 0 {
		x, y = y, x
	}
	out := value{Dims: x.Dims, V: make([]float64, len(x.V))}
	for i := range x.V {
		out.V[i] = x.V[i] * y.V[0]
	}
	return out
}

// inverseLink is the value of a node from the right side of `link(node) <- x`.
func inverseLink(link string, x float64) float64 {
	switch link {
	case "log":
		return math.Exp(x)
	case "logit":
		return ilogit(x)
	case "probit":
		return normalCDF(x)
	case "cloglog":
		return -math.Expm1(-math.Exp(x))
	}
	return x
}
