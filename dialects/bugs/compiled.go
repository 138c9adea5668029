package bugs

import (
	"errors"
	"math"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// Compiled expressions are for walks over many iterations: a Go function of the
// loop variables for each node of the expression, without allocation.
type (
	number func(at []int32) (float64, status)
	whole  func(at []int32) (int, status)
)

// status says how an evaluation ended.
type status uint8

const (
	valued  status = iota
	missing        // an element has no value yet
	failed         // something is wrong: the frame's evaluation has the words
)

func statusOf(err error) status {
	switch {
	case err == nil:
		return valued
	case errors.Is(err, errUnknown):
		return missing
	}
	return failed
}

// A compiler makes functions that read the variables of the model as they are when
// they are called.
type compiler struct{ f *frame }

// number compiles an expression whose value is a number.
func (c *compiler) number(e syntax.Expr) number {
	switch e := e.(type) {
	case *syntax.Num:
		return func([]int32) (float64, status) { return e.Value, valued }
	case *syntax.Ref:
		if l := c.f.m.bind[e].level; l > 0 {
			return func(at []int32) (float64, status) { return float64(at[l-1]), valued }
		}
	}
	var out number
	switch e := e.(type) {
	case *syntax.Ref:
		out = c.read(e)
	case *syntax.Unary:
		x := c.number(e.X)
		out = func(at []int32) (float64, status) {
			y, st := x(at)
			return unary(e.Op, y), st
		}
	case *syntax.Binary:
		if e.Op != syntax.OpMatMul {
			out = c.binary(e)
		}
	case *syntax.Call:
		if fn := scalarFunction(canonical(e)); fn != nil {
			out = c.call(e, fn)
		}
	}
	if out == nil {
		out = c.interpreted(e)
	}
	if c.f.m.loopFree(e) {
		return remembered(out)
	}
	return out
}

// remembered keeps the value of an expression without loop variables: values that
// are known do not change.
func remembered(f number) number {
	var x float64
	have := false
	return func(at []int32) (float64, status) {
		if have {
			return x, valued
		}
		y, st := f(at)
		if st == valued {
			x, have = y, true
		}
		return y, st
	}
}

// interpreted leaves an expression to the frame.
func (c *compiler) interpreted(e syntax.Expr) number {
	return func(at []int32) (float64, status) {
		old := c.f.at
		c.f.at = at
		x, err := c.f.scalar(e)
		c.f.at = old
		return x, statusOf(err)
	}
}

func (c *compiler) binary(e *syntax.Binary) number {
	x, y := c.number(e.X), c.number(e.Y)
	op := e.Op
	return func(at []int32) (float64, status) {
		a, st := x(at)
		if st != valued {
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
		return binary(op, a, b), st
	}
}

func (c *compiler) call(e *syntax.Call, fn func([]float64) float64) number {
	args, vals := make([]number, len(e.Args)), make([]float64, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.number(a)
	}
	return func(at []int32) (float64, status) {
		for i, a := range args {
			x, st := a(at)
			if st != valued {
				return 0, st
			}
			vals[i] = x
		}
		return fn(vals), valued
	}
}

// read compiles the reading of one element.
func (c *compiler) read(r *syntax.Ref) number {
	v := c.f.m.bind[r].v
	if len(r.Indices) != len(v.Dims) {
		return nil
	}
	idx := make([]whole, len(r.Indices))
	for d, e := range r.Indices {
		if !single(e) {
			return nil
		}
		idx[d] = c.whole(e)
	}
	return func(at []int32) (float64, status) {
		k := 0
		for d, f := range idx {
			i, st := f(at)
			if st != valued {
				return 0, st
			}
			if i < 1 || i > v.Dims[d] {
				return 0, failed
			}
			k = k*v.Dims[d] + i - 1
		}
		if v.abstract || !v.known.has(k) {
			return 0, missing
		}
		return v.Value[k], valued
	}
}

// whole compiles an expression that must be an integer.
func (c *compiler) whole(e syntax.Expr) whole {
	if a, ok := c.f.affine(e); ok {
		return func(at []int32) (int, status) { return a.value(at), valued }
	}
	x := c.number(e)
	return func(at []int32) (int, status) {
		y, st := x(at)
		n := math.Round(y)
		if st == valued && (!(math.Abs(y-n) <= indexSlack) || math.Abs(n) >= 1<<31) {
			st = failed
		}
		return int(n), st
	}
}
