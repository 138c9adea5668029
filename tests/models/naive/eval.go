package naive

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// run evaluates expressions at one point; a nil point leaves only the data.
type run struct {
	m     *Model
	point map[key]float64
	memo  map[key]float64
	busy  map[key]bool

	shapes bool // only extents are wanted: what has no value is NaN
}

// fromData evaluates what follows from the data alone.
func (m *Model) fromData() *run { return m.at(nil) }

func (m *Model) at(point map[key]float64) *run {
	return &run{m: m, point: point, memo: map[key]float64{}, busy: map[key]bool{}}
}

// value is one element: of the data, computed, or of the point.
func (r *run) value(k key) float64 {
	if x, ok := r.m.data[k]; ok {
		return x
	}
	if x, ok := r.memo[k]; ok {
		return x
	}
	d, ok := r.m.defs[k]
	if !ok {
		x, ok := r.point[k]
		if !ok {
			if ext, ok := r.m.extent[k.name]; r.shapes && ok && k.rank == len(ext) {
				return math.NaN()
			}
			panic(failure{unknown: true, why: k.String() + " has no value"})
		}
		return x
	}
	if r.busy[k] {
		fail("%v depends on itself", k)
	}
	r.busy[k] = true
	defer delete(r.busy, k)
	a := r.array(d.s.RHS, d.env)
	if d.whole && len(a.v) != 1 {
		fail("%v is given %d values", k, len(a.v))
	}
	x := inverseLink(d.s.Link, a.v[d.part])
	r.memo[k] = x
	return x
}

func inverseLink(link string, x float64) float64 {
	switch link {
	case "log":
		return math.Exp(x)
	case "logit":
		return 1 / (1 + math.Exp(-x))
	case "probit":
		return normalCDF(x)
	case "cloglog":
		return -math.Expm1(-math.Exp(x))
	}
	return x
}

// value of an expression: dims is nil for a number; the last index runs fastest.
type value struct {
	dims []int
	v    []float64
}

func number(x float64) value { return value{v: []float64{x}} }

func (r *run) scalar(e syntax.Expr, env env) float64 {
	a := r.array(e, env)
	if len(a.v) != 1 {
		fail("a number is wanted, found %d", len(a.v))
	}
	return a.v[0]
}

func (r *run) integer(e syntax.Expr, env env) int {
	x := r.scalar(e, env)
	n := math.Round(x)
	if !(math.Abs(x-n) <= 1e-6) {
		fail("%v is no integer", x)
	}
	return int(n)
}

func (r *run) array(e syntax.Expr, env env) value {
	switch e := e.(type) {
	case *syntax.Num:
		return number(e.Value)
	case *syntax.Ref:
		if i, ok := env[e.Name]; ok && len(e.Indices) == 0 {
			return number(float64(i))
		}
		return r.part(e, env)
	case *syntax.Range:
		lo, hi := r.integer(e.From, env), r.integer(e.To, env)
		out := value{dims: []int{max(0, hi-lo+1)}}
		for i := lo; i <= hi; i++ {
			out.v = append(out.v, float64(i))
		}
		return out
	case *syntax.Unary:
		return broadcast(func(x []float64) float64 {
			if e.Op == syntax.OpNeg {
				return -x[0]
			}
			return truth(x[0] == 0)
		}, r.array(e.X, env))
	case *syntax.Binary:
		x, y := r.array(e.X, env), r.array(e.Y, env)
		if e.Op == syntax.OpMatMul {
			return matMul(x, y)
		}
		return broadcast(func(v []float64) float64 { return binary(e.Op, v[0], v[1]) }, x, y)
	case *syntax.Call:
		args := make([]value, len(e.Args))
		for i, a := range e.Args {
			args[i] = r.array(a, env)
		}
		return call(e.Name, args)
	}
	fail("an expression of kind %T", e)
	return value{}
}

// positions lists for each dimension of a reference the indices it names.
func (r *run) positions(ref *syntax.Ref, env env) [][]int {
	dims := r.m.extent[ref.Name]
	if len(ref.Indices) == 0 {
		out := make([][]int, len(dims))
		for d, n := range dims {
			for i := range n {
				out[d] = append(out[d], i+1)
			}
		}
		return out
	}
	out := make([][]int, len(ref.Indices))
	for d, x := range ref.Indices {
		if _, all := x.(*syntax.All); all {
			if d >= len(dims) {
				panic(failure{unknown: true, why: "the extent of " + ref.Name + " is not known"})
			}
			for i := range dims[d] {
				out[d] = append(out[d], i+1)
			}
			continue
		}
		for _, y := range r.array(x, env).v {
			n := math.Round(y)
			if r.shapes && y != y {
				n, y = 1, 1 // which element does not matter
			}
			if !(math.Abs(y-n) <= 1e-6) || n < 1 {
				fail("index %v of %s", y, ref.Name)
			}
			out[d] = append(out[d], int(n))
		}
	}
	return out
}

func single(e syntax.Expr) bool {
	switch e.(type) {
	case *syntax.All, *syntax.Range:
		return false
	}
	return true
}

// part reads what a reference names; a single index drops its dimension.
func (r *run) part(ref *syntax.Ref, env env) value {
	at := r.positions(ref, env)
	var out value
	for d, list := range at {
		if len(ref.Indices) == 0 || !single(ref.Indices[d]) || len(list) != 1 {
			out.dims = append(out.dims, len(list))
		}
	}
	product(at, func(at []int) { out.v = append(out.v, r.value(keyOf(ref.Name, at))) })
	return out
}

// broadcast applies f elementwise; numbers stretch.
func broadcast(f func([]float64) float64, args ...value) value {
	shape := args[0]
	for _, a := range args {
		if len(shape.v) == 1 && len(a.v) != 1 {
			shape = a
		}
	}
	out := value{dims: shape.dims}
	x := make([]float64, len(args))
	for i := range shape.v {
		for k, a := range args {
			switch len(a.v) {
			case 1:
				x[k] = a.v[0]
			case len(shape.v):
				x[k] = a.v[i]
			default:
				fail("%d and %d elements do not match", len(a.v), len(shape.v))
			}
		}
		out.v = append(out.v, f(x))
	}
	return out
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
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
	case syntax.OpPow:
		return math.Pow(x, y)
	}
	fail("operator %v", op)
	return 0
}
