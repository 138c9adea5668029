package eval

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// A Compiler makes functions that read the variables of the model as they are when
// they are called.
type Compiler struct{ Frame *Frame }

// Number compiles an expression whose value is a number.
func (c *Compiler) Number(e syntax.Expr) model.Number {
	switch e := e.(type) {
	case *syntax.Num:
		return func([]int32) (float64, model.Status) { return e.Value, model.Valued }
	case *syntax.Ref:
		if l := c.Frame.Model.Bindings[e].Level; l > 0 {
			return func(at []int32) (float64, model.Status) { return float64(at[l-1]), model.Valued }
		}
	}
	var out model.Number
	switch e := e.(type) {
	case *syntax.Ref:
		out = c.read(e)
	case *syntax.Unary:
		x := c.Number(e.X)
		out = func(at []int32) (float64, model.Status) {
			y, st := x(at)
			return function.Unary(e.Op, y), st
		}
	case *syntax.Binary:
		if e.Op != syntax.OpMatMul {
			out = c.binary(e)
		}
	case *syntax.Call:
		if fn := function.ScalarFunction(function.Canonical(e)); fn != nil {
			out = c.call(e, fn)
		}
	}
	if out == nil {
		out = c.interpreted(e)
	}
	if LoopFree(c.Frame.Model, e) {
		return remembered(out)
	}
	return out
}

// remembered keeps the value of an expression without loop variables: values that
// are known do not change.
func remembered(f model.Number) model.Number {
	var x float64
	have := false
	return func(at []int32) (float64, model.Status) {
		if have {
			return x, model.Valued
		}
		y, st := f(at)
		if st == model.Valued {
			x, have = y, true
		}
		return y, st
	}
}

// interpreted leaves an expression to the frame.
func (c *Compiler) interpreted(e syntax.Expr) model.Number {
	return func(at []int32) (float64, model.Status) {
		old := c.Frame.At
		c.Frame.At = at
		x, err := c.Frame.Scalar(e)
		c.Frame.At = old
		return x, statusOf(err)
	}
}

func (c *Compiler) binary(e *syntax.Binary) model.Number {
	x, y := c.Number(e.X), c.Number(e.Y)
	op := e.Op
	return func(at []int32) (float64, model.Status) {
		a, st := x(at)
		if st != model.Valued {
			return 0, st
		}
		b, st := y(at)
		switch op {
		case syntax.OpAdd:
			return a + b, st
		case syntax.OpSub:
			return a - b, st
		case syntax.OpMul:
			return a * b, st
		}
		return function.Binary(op, a, b), st
	}
}

func (c *Compiler) call(e *syntax.Call, fn func([]float64) float64) model.Number {
	args, vals := make([]model.Number, len(e.Args)), make([]float64, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.Number(a)
	}
	return func(at []int32) (float64, model.Status) {
		for i, a := range args {
			x, st := a(at)
			if st != model.Valued {
				return 0, st
			}
			vals[i] = x
		}
		return fn(vals), model.Valued
	}
}

// read compiles the reading of one element.
func (c *Compiler) read(r *syntax.Ref) model.Number {
	v := c.Frame.Model.Bindings[r].Var
	if len(r.Indices) != len(v.Dims) {
		return nil
	}
	idx := make([]model.IntNumber, len(r.Indices))
	for d, e := range r.Indices {
		if !model.Single(e) {
			return nil
		}
		idx[d] = c.Whole(e)
	}
	return func(at []int32) (float64, model.Status) {
		k := 0
		for d, f := range idx {
			i, st := f(at)
			if st != model.Valued {
				return 0, st
			}
			if i < 1 || i > v.Dims[d] {
				return 0, model.Failing
			}
			k = k*v.Dims[d] + i - 1
		}
		if v.ShapeOnly || !v.Known.Has(k) {
			return 0, model.NoValue
		}
		return v.Value[k], model.Valued
	}
}

// Whole compiles an expression that must be an integer.
func (c *Compiler) Whole(e syntax.Expr) model.IntNumber {
	if a, ok := c.Frame.Affine(e); ok {
		return func(at []int32) (int, model.Status) { return a.Value(at), model.Valued }
	}
	x := c.Number(e)
	return func(at []int32) (int, model.Status) {
		y, st := x(at)
		n := math.Round(y)
		if st == model.Valued && (!(math.Abs(y-n) <= function.IndexSlack) || math.Abs(n) >= 1<<31) {
			st = model.Failing
		}
		return int(n), st
	}
}
