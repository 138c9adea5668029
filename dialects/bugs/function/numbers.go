package function

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/math/values"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

var Inf = math.Inf(1)

func Truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func Unary(op syntax.Op, x float64) float64 {
	if op == syntax.OpNot {
		return Truth(x == 0)
	}
	return -x
}

func Binary(op syntax.Op, x, y float64) float64 {
	switch op {
	case syntax.OpOr:
		return Truth(x != 0 || y != 0)
	case syntax.OpAnd:
		return Truth(x != 0 && y != 0)
	case syntax.OpEq:
		return Truth(x == y)
	case syntax.OpNe:
		return Truth(x != y)
	case syntax.OpLt:
		return Truth(x < y)
	case syntax.OpLe:
		return Truth(x <= y)
	case syntax.OpGt:
		return Truth(x > y)
	case syntax.OpGe:
		return Truth(x >= y)
	case syntax.OpAdd:
		return x + y
	case syntax.OpSub:
		return x - y
	case syntax.OpMul:
		return x * y
	case syntax.OpDiv:
		return x / y
	}
	return values.Pow(x, y)
}

// value is a function that is an op of special: a model's data has the digits of its nodes.
func value(d *ir.OpDef) func([]float64) float64 {
	return func(x []float64) float64 { return special.Value(d, x...) }
}

func one(f func(float64) float64) func([]float64) float64 {
	return func(x []float64) float64 { return f(x[0]) }
}

// scalarFunctions are the functions of numbers, by the table's name.
var scalarFunctions = map[string]func(x []float64) float64{
	"abs": one(math.Abs), "exp": one(math.Exp), "log": one(kit.Log), "sqrt": one(math.Sqrt),
	"pow": func(x []float64) float64 { return values.Pow(x[0], x[1]) },
	"modulo": func(x []float64) float64 {
		r := math.Mod(x[0], x[1])
		if r != 0 && (r < 0) != (x[1] < 0) {
			r += x[1]
		}
		return r
	},
	"cube": one(func(x float64) float64 { return x * x * x }),
	"sin":  one(math.Sin), "cos": one(math.Cos), "tan": one(math.Tan),
	"sinh": one(math.Sinh), "cosh": one(math.Cosh), "tanh": one(math.Tanh),
	"arcsin": one(math.Asin), "arccos": one(math.Acos), "arctan": one(math.Atan),
	"arcsinh": one(math.Asinh), "arccosh": one(math.Acosh), "arctanh": one(math.Atanh),
	"round":    one(func(x float64) float64 { return math.Floor(x + 0.5) }),
	"trunc":    one(math.Trunc),
	"step":     one(func(x float64) float64 { return Truth(x >= 0) }),
	"equals":   func(x []float64) float64 { return Truth(x[0] == x[1]) },
	"logit":    value(special.Logit),
	"ilogit":   value(special.Ilogit),
	"probit":   value(special.Probit),
	"phi":      value(special.Phi),
	"cloglog":  value(special.Cloglog),
	"icloglog": value(special.Icloglog),
	"loggam":   value(special.Lgamma),
	"logfact":  value(special.Logfact),
	"softplus": value(special.Log1pexp),
	"besselk":  func(x []float64) float64 { return functions.BesselK[float64, bool](kit.Float{}, x[0], x[1]) },
	"gammap": func(x []float64) float64 {
		if !(x[0] > 0 && x[1] >= 0) {
			return math.NaN()
		}
		return math.Exp(functions.GammaTails[float64, bool](kit.Float{}, functions.RealShape, x[0], x[1]).Below)
	},
	"cut": one(func(x float64) float64 { return x }),
	"ifelse": func(x []float64) float64 {
		if x[0] != 0 {
			return x[1]
		}
		return x[2]
	},
}

// Reductions are the functions of all elements of their arguments.
var Reductions = map[string]func(v []float64) float64{
	"sum":    kit.Sum,
	"prod":   func(v []float64) float64 { return fold(v, "prod") },
	"max":    func(v []float64) float64 { return fold(v, "max") },
	"min":    func(v []float64) float64 { return fold(v, "min") },
	"mean":   func(v []float64) float64 { return kit.Sum(v) / float64(len(v)) },
	"sd":     sd,
	"length": func(v []float64) float64 { return float64(len(v)) },
}

// ReduceSteps combine what there is of a reduction with one more element; ReduceStart is what it
// begins with.
var ReduceSteps = map[string]func(a, x float64) float64{
	"sum": func(a, x float64) float64 { return a + x }, "prod": func(a, x float64) float64 { return a * x }, "max": math.Max, "min": math.Min,
}

func fold(v []float64, kind string) float64 {
	a, f := ReduceStart[kind], ReduceSteps[kind]
	for _, x := range v {
		a = f(a, x)
	}
	return a
}

func sd(v []float64) float64 {
	m, s := kit.Sum(v)/float64(len(v)), 0.0
	for _, x := range v {
		s += (x - m) * (x - m)
	}
	return math.Sqrt(s / float64(len(v)-1))
}

// MayBeEmpty are the reductions that an empty range does not make an error.
var MayBeEmpty = map[string]bool{"sum": true, "prod": true, "length": true}

// Unsupported is the error for a part of the language that is still to come.
func Unsupported(at diag.Span, what string) *diag.Diagnostic {
	return diag.Errorf(at, "%s is not supported in this version", what)
}

// Elementwise applies a function of numbers to each element.
func Elementwise(c *syntax.Call, fn func([]float64) float64, args []Value) (Value, error) {
	n, out := 1, Value{}
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

func transpose(x Value) Value {
	if len(x.Dims) < 2 {
		return Value{Dims: []int{1, len(x.V)}, V: x.V}
	}
	r, c := x.Dims[0], x.Dims[1]
	out := Value{Dims: []int{c, r}, V: make([]float64, len(x.V))}
	for i := range r {
		for j := range c {
			out.V[j*r+i] = x.V[i*c+j]
		}
	}
	return out
}

// ByColumns lists the elements of an array with the first index running fastest, as
// functions see an array that want a vector.
func ByColumns(x Value) []float64 {
	if len(x.Dims) < 2 {
		return x.V
	}
	rest := len(x.V) / max(x.Dims[0], 1)
	out := make([]float64, 0, len(x.V))
	rows := make([][]float64, x.Dims[0])
	for i := range rows {
		rows[i] = ByColumns(Value{Dims: x.Dims[1:], V: x.V[i*rest : (i+1)*rest]})
	}
	for k := range rest {
		for i := range rows {
			out = append(out, rows[i][k])
		}
	}
	return out
}

// MatMul is a product of matrices. A vector is a row on the left and a column on the
// right, and what it adds to the shape is dropped.
func MatMul(e *syntax.Binary, x, y Value) (Value, error) {
	if len(x.Dims) == 0 || len(y.Dims) == 0 {
		return scaledBy(x, y), nil
	}
	if len(x.Dims) > 2 || len(y.Dims) > 2 {
		return Value{}, Unsupported(e.Span(), "a product of arrays of more than 2 dimensions")
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
		return Value{}, diag.Errorf(e.Span(), "%%*%% of a matrix with %d columns and one with %d rows", inner, k)
	}
	out := Value{Dims: dims, V: make([]float64, rows*cols)}
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
func scaledBy(x, y Value) Value {
	if len(y.Dims) > 0 {
		x, y = y, x
	}
	out := Value{Dims: x.Dims, V: make([]float64, len(x.V))}
	for i := range x.V {
		out.V[i] = x.V[i] * y.V[0]
	}
	return out
}

// InverseLink is the value of a node from the right side of `link(node) <- x`.
func InverseLink(link string, x float64) float64 {
	switch link {
	case "log":
		return math.Exp(x)
	case "logit":
		return special.Value(special.Ilogit, x)
	case "probit":
		return special.Value(special.Phi, x)
	case "cloglog":
		return special.Value(special.Icloglog, x)
	}
	return x
}
