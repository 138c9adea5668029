package eval

import (
	"errors"
	"math"

	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// A Frame is where an expression of the program is evaluated in Go: the values of
// all variables and of the loops around it. The front end computes bounds, sizes
// and transformed data with it, and the reference evaluation everything.
type Frame struct {
	Model *model.Model
	Store [][]float64 // by Var.ID; nil: what is known of the variables
	Loops []*model.Loop
	At    []int32
	// shape asks for extents alone: elements without a value are NaN.
	shape bool
	folds map[*syntax.Call]*fold // see folded
}

// shapeFrame is a frame for the extents of a statement's expressions.
func ShapeFrame(m *model.Model, s *model.Statement) *Frame {
	f := NewFrame(m, s)
	f.shape = true
	return f
}

// ErrUnknown says that an expression needs an element that has no value yet.
var ErrUnknown = errors.New("no value yet")

// NewFrame is a frame for the iterations of a statement; without one, for what is outside
// of all loops.
func NewFrame(m *model.Model, s *model.Statement) *Frame {
	f := &Frame{Model: m}
	if s != nil {
		f.Loops, f.At = s.Loops, make([]int32, len(s.Loops))
	}
	return f
}

// Integer evaluates an expression that must be an integer.
func (f *Frame) Integer(e syntax.Expr, what string) (int, error) {
	switch e := e.(type) {
	case *syntax.Num:
		if e.Value == math.Trunc(e.Value) && e.Value < 1<<31 {
			return int(e.Value), nil
		}
	case *syntax.Ref:
		if b := f.Model.Bindings[e]; b.Level > 0 {
			return int(f.At[b.Level-1]), nil
		}
	}
	x, err := f.Scalar(e)
	switch {
	case err != nil:
		return 0, err
	case f.shape && math.IsNaN(x):
		return 0, ErrUnknown
	}
	n := math.Round(x)
	switch isInteger := math.Abs(x-n) <= function.IndexSlack; {
	case isInteger && math.Abs(n) >= 1<<31:
		return 0, f.iteration(diag.Errorf(e.Span(), "%s is %v, and indices and bounds of loops end at 2^31 - 1", what, x).WithFix("correct the data"))
	case !isInteger:
		d := diag.Errorf(e.Span(), "%s is %v, which is not an integer", what, x).WithFix("round it with round() or trunc(), or correct the data")
		if from, read, _ := f.readIndex(e); read {
			d.Message += ": " + from
		}
		return 0, f.iteration(d)
	}
	return int(n), nil
}

// span evaluates an index to a range of positions; lo to hi inclusive.
func (f *Frame) span(v *model.Var, d int, e syntax.Expr) (lo, hi int, err error) {
	switch e := e.(type) {
	case *syntax.All:
		return 1, v.Dims[d], nil
	case *syntax.Range:
		if lo, err = f.Integer(e.From, "an index of "+v.Name); err != nil {
			return 0, 0, err
		}
		hi, err = f.Integer(e.To, "an index of "+v.Name)
	default:
		lo, err = f.Integer(e, "an index of "+v.Name)
		hi = lo
	}
	if err == nil && lo <= hi && (lo < 1 || hi > v.Dims[d]) {
		bad := lo
		if lo >= 1 {
			bad = hi
		}
		err = f.outOfRange(v, e, bad, v.Dims[d])
	}
	return lo, hi, err
}

// Element evaluates a reference to one element to its position.
func (f *Frame) Element(r *syntax.Ref, v *model.Var) (int, error) {
	if len(r.Indices) != len(v.Dims) {
		if v.Len() == 1 {
			return 0, nil
		}
		return 0, diag.Errorf(r.Span(), "%s is an array, and a single value is wanted here", r.Name).
			WithFix("write %s", model.SpellIndices(v))
	}
	k := 0
	for d, e := range r.Indices {
		lo, hi, err := f.span(v, d, e)
		if err != nil {
			return 0, err
		}
		if lo != hi {
			return 0, diag.Errorf(e.Span(), "%s has %s here, and a single value is wanted", r.Name, model.Plural(max(hi-lo+1, 0), "element")).
				WithFix("give a single index, or take sum(), mean() or another function of the part")
		}
		k = k*v.Dims[d] + lo - 1
	}
	return k, nil
}

// get reads an element.
func (f *Frame) get(v *model.Var, k int, r *syntax.Ref) (float64, error) {
	if f.Store != nil {
		if st := f.Store[v.ID]; st != nil {
			return st[k], nil
		}
		return math.NaN(), nil
	}
	if v.ShapeOnly || !v.Known.Has(k) {
		if f.shape {
			return math.NaN(), nil
		}
		return 0, ErrUnknown
	}
	return v.Value[k], nil
}

// Scalar evaluates an expression whose value is a number.
func (f *Frame) Scalar(e syntax.Expr) (float64, error) {
	switch e := e.(type) {
	case *syntax.Num:
		return e.Value, nil
	case *syntax.Ref:
		b := f.Model.Bindings[e]
		if b.Level > 0 {
			return float64(f.At[b.Level-1]), nil
		}
		k, err := f.Element(e, b.Var)
		if err != nil {
			return 0, err
		}
		return f.get(b.Var, k, e)
	case *syntax.Unary:
		x, err := f.Scalar(e.X)
		return function.Unary(e.Op, x), err
	case *syntax.Binary:
		if e.Op == syntax.OpMatMul {
			break
		}
		x, err := f.Scalar(e.X)
		if err != nil {
			return 0, err
		}
		y, err := f.Scalar(e.Y)
		return function.Binary(e.Op, x, y), err
	case *syntax.Call:
		if fn := function.ScalarFunction(function.Canonical(e)); fn != nil {
			var buf [4]float64
			args := buf[:0]
			for _, a := range e.Args {
				x, err := f.Scalar(a)
				if err != nil {
					return 0, err
				}
				args = append(args, x)
			}
			return fn(args), nil
		}
	}
	x, err := f.Array(e)
	if err != nil {
		return 0, err
	}
	if len(x.V) != 1 {
		return 0, diag.Errorf(e.Span(), "a single value is wanted here, and this has %d", len(x.V)).
			WithFix("give a single index, or take sum(), mean() or another function of the part")
	}
	return x.V[0], nil
}

// Array evaluates any expression.
func (f *Frame) Array(e syntax.Expr) (function.Value, error) {
	switch e := e.(type) {
	case *syntax.Ref:
		if b := f.Model.Bindings[e]; b.Level == 0 {
			return f.slice(e, b.Var)
		}
	case *syntax.Range:
		lo, err := f.Integer(e.From, "the start of a range")
		if err != nil {
			return function.Value{}, err
		}
		hi, err := f.Integer(e.To, "the end of a range")
		if err == nil && hi-lo > function.MaxRange {
			err = diag.Errorf(e.Span(), "a range of more than %d elements", function.MaxRange)
		}
		if err != nil {
			return function.Value{}, err
		}
		out := function.Value{Dims: []int{max(hi-lo+1, 0)}}
		for i := lo; i <= hi; i++ {
			out.V = append(out.V, float64(i))
		}
		return out, nil
	case *syntax.Unary:
		x, err := f.Array(e.X)
		if err != nil {
			return x, err
		}
		out := function.Value{Dims: x.Dims, V: make([]float64, len(x.V))}
		for i, y := range x.V {
			out.V[i] = function.Unary(e.Op, y)
		}
		return out, nil
	case *syntax.Binary:
		return f.elementwise(e)
	case *syntax.Call:
		return f.callArray(e)
	}
	x, err := f.Scalar(e)
	return function.Value{V: []float64{x}}, err
}

// slice reads a part of an array; a single index drops its dimension.
func (f *Frame) slice(r *syntax.Ref, v *model.Var) (function.Value, error) {
	var out function.Value
	if len(r.Indices) == 0 {
		out.Dims = v.Dims
	}
	for d, e := range r.Indices {
		if !model.Single(e) {
			lo, hi, err := f.span(v, d, e)
			if err != nil {
				return out, err
			}
			out.Dims = append(out.Dims, max(hi-lo+1, 0))
		}
	}
	err := f.Each(r, v, false, func(k int) error {
		x, err := f.get(v, k, r)
		out.V = append(out.V, x)
		return err
	})
	return out, err
}

// Each calls g for every element that a reference reads. An index without a value
// yet reaches the whole extent if wide is set.
func (f *Frame) Each(r *syntax.Ref, v *model.Var, wide bool, g func(k int) error) error {
	spans, err := f.Box(r, v, wide)
	if err != nil || spans == nil {
		return err
	}
	if len(v.Dims) == 0 {
		return g(0)
	}
	model.EachInBox(v.Dims, spans, 0, 0, func(k int) {
		if err == nil {
			err = g(k)
		}
	})
	return err
}

// Box is the region of the elements that a reference reads; nil if there are none.
func (f *Frame) Box(r *syntax.Ref, v *model.Var, wide bool) (model.Region, error) {
	spans := make(model.Region, 2*len(v.Dims))
	for d := range v.Dims {
		lo, hi := 1, v.Dims[d]
		if len(r.Indices) > 0 {
			var err error
			lo, hi, err = f.span(v, d, r.Indices[d])
			if wide && errors.Is(err, ErrUnknown) {
				lo, hi, err = 1, v.Dims[d], nil
			}
			if err != nil {
				return nil, err
			}
		}
		if lo > hi {
			return nil, nil
		}
		spans[2*d], spans[2*d+1] = int32(lo), int32(hi)
	}
	return spans, nil
}

func (f *Frame) elementwise(e *syntax.Binary) (function.Value, error) {
	x, err := f.Array(e.X)
	if err != nil {
		return x, err
	}
	y, err := f.Array(e.Y)
	if err != nil {
		return y, err
	}
	if e.Op == syntax.OpMatMul {
		return function.MatMul(e, x, y)
	}
	n := len(x.V) // one of nothing is nothing
	if n == 1 {
		n = len(y.V)
	}
	if len(x.V) != len(y.V) && len(x.V) != 1 && len(y.V) != 1 {
		return function.Value{}, diag.Errorf(e.Span(), "%s of %d and %d elements: the lengths must agree", e.Op, len(x.V), len(y.V)).
			WithFix("take parts of equal length, as in x[1:n]")
	}
	out := function.Value{Dims: x.Dims, V: make([]float64, n)}
	if len(x.V) == 1 {
		out.Dims = y.Dims
	}
	for i := range out.V {
		out.V[i] = function.Binary(e.Op, x.V[i%len(x.V)], y.V[i%len(y.V)])
	}
	return out, nil
}

func statusOf(err error) model.Status {
	switch {
	case err == nil:
		return model.Valued
	case errors.Is(err, ErrUnknown):
		return model.NoValue
	}
	return model.Failing
}

// Assigned evaluates the right side of an assignment, its link undone.
func (f *Frame) Assigned(s *model.Statement) ([]float64, error) {
	multi := false
	for _, x := range s.LHS.Indices {
		multi = multi || !model.Single(x)
	}
	if !multi {
		x, err := f.Scalar(s.Assign.RHS)
		return []float64{function.InverseLink(s.Assign.Link, x)}, err
	}
	x, err := f.Array(s.Assign.RHS)
	for i := range x.V {
		x.V[i] = function.InverseLink(s.Assign.Link, x.V[i])
	}
	return x.V, err
}
