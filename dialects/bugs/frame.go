package bugs

import (
	"errors"
	"math"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir/diag"
)

// A frame is where an expression of the program is evaluated in Go: the values of
// all variables and of the loops around it. The front end computes bounds, sizes
// and transformed data with it, and the reference evaluation everything.
type frame struct {
	m     *Model
	store [][]float64 // by Var.ID; nil: what is known of the variables
	loops []*Loop
	at    []int32
	// shape asks for extents alone: elements without a value are NaN.
	shape bool
}

// shapeFrame is a frame for the extents of a statement's expressions.
func (m *Model) shapeFrame(s *Statement) *frame {
	f := newFrame(m, s)
	f.shape = true
	return f
}

// errUnknown says that an expression needs an element that has no value yet.
var errUnknown = errors.New("no value yet")

// value is an array, stored row by row; dims is nil for a scalar.
type value = prob.Array

// newFrame is a frame for the iterations of a statement; without one, for what is outside
// of all loops.
func newFrame(m *Model, s *Statement) *frame {
	f := &frame{m: m}
	if s != nil {
		f.loops, f.at = s.Loops, make([]int32, len(s.Loops))
	}
	return f
}

// indexSlack is how far a number may be from an integer and still be an index.
const indexSlack = 1e-6

// integer evaluates an expression that must be an integer.
func (f *frame) integer(e syntax.Expr, what string) (int, error) {
	switch e := e.(type) {
	case *syntax.Num:
		if e.Value == math.Trunc(e.Value) && e.Value < 1<<31 {
			return int(e.Value), nil
		}
	case *syntax.Ref:
		if b := f.m.bind[e]; b.level > 0 {
			return int(f.at[b.level-1]), nil
		}
	}
	x, err := f.scalar(e)
	switch {
	case err != nil:
		return 0, err
	case f.shape && math.IsNaN(x):
		return 0, errUnknown
	}
	return asInteger(x, e, what)
}

func asInteger(x float64, e syntax.Expr, what string) (int, error) {
	n := math.Round(x)
	if !(math.Abs(x-n) <= indexSlack) || math.Abs(n) >= 1<<31 {
		return 0, diag.Errorf(e.Span(), "%s is %v, which is not an integer", what, x).WithFix("round it with round() or trunc(), or correct the data")
	}
	return int(n), nil
}

// span evaluates an index to a range of positions; lo to hi inclusive.
func (f *frame) span(v *Var, d int, e syntax.Expr) (lo, hi int, err error) {
	switch e := e.(type) {
	case *syntax.All:
		return 1, v.Dims[d], nil
	case *syntax.Range:
		if lo, err = f.integer(e.From, "an index of "+v.Name); err != nil {
			return 0, 0, err
		}
		hi, err = f.integer(e.To, "an index of "+v.Name)
	default:
		lo, err = f.integer(e, "an index of "+v.Name)
		hi = lo
	}
	if err == nil && lo <= hi && (lo < 1 || hi > v.Dims[d]) {
		bad := lo
		if lo >= 1 {
			bad = hi
		}
		err = f.outOfRange(v, e.Span(), bad, v.Dims[d])
	}
	return lo, hi, err
}

// single reports that an index picks one position.
func single(e syntax.Expr) bool {
	switch e.(type) {
	case *syntax.All, *syntax.Range:
		return false
	}
	return true
}

// element evaluates a reference to one element to its position.
func (f *frame) element(r *syntax.Ref, v *Var) (int, error) {
	if len(r.Indices) != len(v.Dims) {
		if v.Len() == 1 {
			return 0, nil
		}
		return 0, diag.Errorf(r.Span(), "%s is an array, and a single value is wanted here", r.Name).
			WithFix("write %s", indices(v))
	}
	k := 0
	for d, e := range r.Indices {
		lo, hi, err := f.span(v, d, e)
		if err != nil {
			return 0, err
		}
		if lo != hi {
			return 0, diag.Errorf(e.Span(), "%s has %s here, and a single value is wanted", r.Name, plural(max(hi-lo+1, 0), "element")).
				WithFix("give a single index, or take sum(), mean() or another function of the part")
		}
		k = k*v.Dims[d] + lo - 1
	}
	return k, nil
}

// get reads an element.
func (f *frame) get(v *Var, k int, r *syntax.Ref) (float64, error) {
	if f.store != nil {
		return f.store[v.ID][k], nil
	}
	if v.abstract || !v.known.has(k) {
		if f.shape {
			return math.NaN(), nil
		}
		return 0, errUnknown
	}
	return v.Value[k], nil
}

// scalar evaluates an expression whose value is a number.
func (f *frame) scalar(e syntax.Expr) (float64, error) {
	switch e := e.(type) {
	case *syntax.Num:
		return e.Value, nil
	case *syntax.Ref:
		b := f.m.bind[e]
		if b.level > 0 {
			return float64(f.at[b.level-1]), nil
		}
		k, err := f.element(e, b.v)
		if err != nil {
			return 0, err
		}
		return f.get(b.v, k, e)
	case *syntax.Unary:
		x, err := f.scalar(e.X)
		return unary(e.Op, x), err
	case *syntax.Binary:
		if e.Op == syntax.OpMatMul {
			break
		}
		x, err := f.scalar(e.X)
		if err != nil {
			return 0, err
		}
		y, err := f.scalar(e.Y)
		return binary(e.Op, x, y), err
	case *syntax.Call:
		if fn := scalarFunction(canonical(e)); fn != nil {
			var buf [4]float64
			args := buf[:0]
			for _, a := range e.Args {
				x, err := f.scalar(a)
				if err != nil {
					return 0, err
				}
				args = append(args, x)
			}
			return fn(args), nil
		}
	}
	x, err := f.array(e)
	if err != nil {
		return 0, err
	}
	if len(x.V) != 1 {
		return 0, diag.Errorf(e.Span(), "a single value is wanted here, and this has %d", len(x.V)).
			WithFix("give a single index, or take sum(), mean() or another function of the part")
	}
	return x.V[0], nil
}

func canonical(c *syntax.Call) string {
	if f := syntax.LookupFunction(c.Name); f != nil {
		return f.Name
	}
	return c.Name
}

// array evaluates any expression.
func (f *frame) array(e syntax.Expr) (value, error) {
	switch e := e.(type) {
	case *syntax.Ref:
		if b := f.m.bind[e]; b.level == 0 {
			return f.slice(e, b.v)
		}
	case *syntax.Range:
		lo, err := f.integer(e.From, "the start of a range")
		if err != nil {
			return value{}, err
		}
		hi, err := f.integer(e.To, "the end of a range")
		if err == nil && hi-lo > maxRange {
			err = diag.Errorf(e.Span(), "a range of more than %d elements", maxRange)
		}
		if err != nil {
			return value{}, err
		}
		out := value{Dims: []int{max(hi-lo+1, 0)}}
		for i := lo; i <= hi; i++ {
			out.V = append(out.V, float64(i))
		}
		return out, nil
	case *syntax.Unary:
		x, err := f.array(e.X)
		if err != nil {
			return x, err
		}
		out := value{Dims: x.Dims, V: make([]float64, len(x.V))}
		for i, y := range x.V {
			out.V[i] = unary(e.Op, y)
		}
		return out, nil
	case *syntax.Binary:
		return f.elementwise(e)
	case *syntax.Call:
		return f.callArray(e)
	}
	x, err := f.scalar(e)
	return value{V: []float64{x}}, err
}

// slice reads a part of an array; a single index drops its dimension.
func (f *frame) slice(r *syntax.Ref, v *Var) (value, error) {
	var out value
	if len(r.Indices) == 0 {
		out.Dims = v.Dims
	}
	for d, e := range r.Indices {
		if !single(e) {
			lo, hi, err := f.span(v, d, e)
			if err != nil {
				return out, err
			}
			out.Dims = append(out.Dims, max(hi-lo+1, 0))
		}
	}
	err := f.each(r, v, false, func(k int) error {
		x, err := f.get(v, k, r)
		out.V = append(out.V, x)
		return err
	})
	return out, err
}

// each calls g for every element that a reference reads. An index without a value
// yet reaches the whole extent if wide is set.
func (f *frame) each(r *syntax.Ref, v *Var, wide bool, g func(k int) error) error {
	spans := make([]int32, 2*len(v.Dims))
	for d := range v.Dims {
		lo, hi := 1, v.Dims[d]
		if len(r.Indices) > 0 {
			var err error
			lo, hi, err = f.span(v, d, r.Indices[d])
			if wide && errors.Is(err, errUnknown) {
				lo, hi, err = 1, v.Dims[d], nil
			}
			if err != nil {
				return err
			}
		}
		if lo > hi {
			return nil
		}
		spans[2*d], spans[2*d+1] = int32(lo), int32(hi)
	}
	if len(v.Dims) == 0 {
		return g(0)
	}
	var err error
	box(v.Dims, spans, 0, 0, func(k int) {
		if err == nil {
			err = g(k)
		}
	})
	return err
}

func (f *frame) elementwise(e *syntax.Binary) (value, error) {
	x, err := f.array(e.X)
	if err != nil {
		return x, err
	}
	y, err := f.array(e.Y)
	if err != nil {
		return y, err
	}
	if e.Op == syntax.OpMatMul {
		return matMul(e, x, y)
	}
	n := len(x.V) // one of nothing is nothing
	if n == 1 {
		n = len(y.V)
	}
	if len(x.V) != len(y.V) && len(x.V) != 1 && len(y.V) != 1 {
		return value{}, diag.Errorf(e.Span(), "%s of %d and %d elements: the lengths must agree", e.Op, len(x.V), len(y.V)).
			WithFix("take parts of equal length, as in x[1:n]")
	}
	out := value{Dims: x.Dims, V: make([]float64, n)}
	if len(x.V) == 1 {
		out.Dims = y.Dims
	}
	for i := range out.V {
		out.V[i] = binary(e.Op, x.V[i%len(x.V)], y.V[i%len(y.V)])
	}
	return out, nil
}
