package eval

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// Affine writes an expression as a form in the loop variables, with the values that
// data have now; ok is false if it is none, or not made of whole numbers.
func (f *Frame) Affine(e syntax.Expr) (a model.Affine, ok bool) {
	if LoopFree(f.Model, e) {
		x, err := f.Scalar(e)
		if err != nil || x != math.Trunc(x) || math.Abs(x) >= model.MaxCoef {
			return a, false
		}
		return model.Affine{Const: int(x)}, true
	}
	switch e := e.(type) {
	case *syntax.Ref:
		if l := f.Model.Bindings[e].Level; l > 0 {
			a.Coef = make([]int, l)
			a.Coef[l-1] = 1
			return a, true
		}
	case *syntax.Unary:
		if x, ok := f.Affine(e.X); ok && e.Op == syntax.OpNeg {
			return model.Affine{}.Plus(-1, x)
		}
	case *syntax.Binary:
		return f.affineBinary(e)
	}
	return a, false
}

func (f *Frame) affineBinary(e *syntax.Binary) (a model.Affine, ok bool) {
	switch e.Op {
	case syntax.OpAdd, syntax.OpSub, syntax.OpMul:
	default:
		return a, false
	}
	x, ok := f.Affine(e.X)
	if !ok {
		return a, false
	}
	y, ok := f.Affine(e.Y)
	switch {
	case !ok:
		return a, false
	case e.Op == syntax.OpAdd:
		return x.Plus(1, y)
	case e.Op == syntax.OpSub:
		return x.Plus(-1, y)
	case y.Constant():
		return model.Affine{}.Plus(y.Const, x)
	case x.Constant():
		return model.Affine{}.Plus(x.Const, y)
	}
	return a, false
}

// LoopFree reports that an expression has no loop variable.
func LoopFree(m *model.Model, e syntax.Expr) bool {
	free := true
	syntax.Walk(e, func(x syntax.Expr) bool {
		if r, ok := x.(*syntax.Ref); ok && m.Bindings[r].Level > 0 {
			free = false
		}
		return free
	})
	return free
}

// AffineSpan writes an index as the form of its least and its greatest position.
func (f *Frame) AffineSpan(e syntax.Expr, v *model.Var, d int) (lo, hi model.Affine, ok bool) {
	switch e := e.(type) {
	case *syntax.All:
		return model.Affine{Const: 1}, model.Affine{Const: v.Dims[d]}, true
	case *syntax.Range:
		if lo, ok = f.Affine(e.From); ok {
			hi, ok = f.Affine(e.To)
		}
	default:
		lo, ok = f.Affine(e)
		hi = lo
	}
	return lo, hi, ok
}

// ConstantBounds are the bounds of a loop of a statement, if they are the same in
// every iteration of the loops around it. A statement without that loop runs once.
func (f *Frame) ConstantBounds(s *model.Statement, level int) (lo, hi int, ok bool) {
	if level >= len(s.Loops) {
		return 0, 0, true
	}
	r, is := s.Loops[level].Node.Over.(*syntax.Range)
	if !is {
		return 0, 0, false
	}
	from, ok := f.Affine(r.From)
	to, ok2 := f.Affine(r.To)
	return from.Const, to.Const, ok && ok2 && from.Constant() && to.Constant() && from.Const <= to.Const
}
