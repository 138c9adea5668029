package bind

import (
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// leftSide finds the left side of a statement whose domain is known.
func (b *Builder) leftSide(s *model.Statement) error {
	f := eval.NewFrame(b.Model, s)
	if b.affineLeft(s, f) {
		return nil
	}
	e := &enumerator{b: b, s: s, f: f}
	s.Defines = model.LeftSide{Dims: append([]int(nil), s.Var.Dims...)}
	var err error
	s.Domain.Each(func(_ int, at []int32) bool {
		f.At = at
		err = e.iteration()
		return err == nil
	})
	for d, n := range s.Var.Dims {
		if err == nil && s.Var.Fixed && s.Defines.Dims[d] > n {
			err = b.beyondExtent(s, d, s.Defines.Dims[d])
		}
	}
	return err
}

// affineLeft finds indices that are affine and in bounds; what is not is left to
// the evaluation of each iteration, which has the words for it.
func (b *Builder) affineLeft(s *model.Statement, f *eval.Frame) bool {
	v, idx := s.Var, s.LHS.Indices
	l := model.LeftSide{Dims: append([]int(nil), v.Dims...), Lo: []model.Affine{}}
	if b.Elementwise || s.Iterations == 0 || len(idx) == 0 && v.Len() != 1 {
		return false
	}
	for d := range v.Dims {
		lo, hi := model.Affine{Const: 1}, model.Affine{Const: 1}
		if len(idx) > 0 {
			var ok bool
			if lo, hi, ok = f.AffineSpan(idx[d], v, d); !ok {
				return false
			}
		}
		if _, all := model.IndexAt(idx, d).(*syntax.All); all && !v.Fixed {
			return false
		}
		least, most, ok := model.Extremes(&s.Domain, lo, hi)
		if !ok || least < 1 || most > function.MaxElements || v.Fixed && most > v.Dims[d] {
			return false
		}
		l.Lo, l.Hi, l.Dims[d] = append(l.Lo, lo), append(l.Hi, hi), max(v.Dims[d], most)
	}
	s.Defines = l
	s.Defines.Simplify(&s.Domain)
	return true
}

// lhsIndex evaluates an index on the left, which may enlarge an array of which nothing
// fixes the extents.
func (e *enumerator) lhsIndex(v *model.Var, d int, x syntax.Expr) (lo, hi int, err error) {
	switch x := x.(type) {
	case *syntax.All:
		if !v.Fixed {
			return 0, 0, diag.Errorf(x.Span(), "the extent of %s is not known on the left side", v.Name).
				WithFix("write the range, as in 1:n")
		}
		return 1, v.Dims[d], nil
	case *syntax.Range:
		if lo, err = e.f.Integer(x.From, "an index of "+v.Name); err != nil {
			return 0, 0, err
		}
		hi, err = e.f.Integer(x.To, "an index of "+v.Name)
	case *syntax.Call:
		return 0, 0, function.Unsupported(x.Span(), "a vector as an index on the left side")
	default:
		lo, err = e.f.Integer(x, "an index of "+v.Name)
		hi = lo
	}
	switch {
	case err != nil:
	case lo < 1:
		err = diag.Errorf(x.Span(), "index %d of %s is out of range: indices start at 1", lo, v.Name).WithFix("begin the loop at 1, or shift the index")
	case lo > hi:
		err = diag.Errorf(x.Span(), "the range %d:%d is empty", lo, hi).WithFix("write the smaller index first, or remove the statement")
	case hi > function.MaxElements:
		err = diag.Errorf(x.Span(), "index %d of %s is too large", hi, v.Name).WithFix("arrays have at most %d elements", function.MaxElements)
	}
	return lo, hi, err
}
