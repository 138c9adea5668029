package bind

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// A Reading is a reference that a statement reads, with the elements that it
// reaches over all iterations as a region.
type Reading struct {
	Stmt   *model.Statement
	r      *syntax.Ref
	Var    *model.Var
	Lo, Hi []model.Affine // the indices, where loose does not say otherwise
	Loose  []bool         // indices from data, of which only the extremes are known
	Reach  model.Region   // a box around all elements that are read
	Exact  bool           // every element of reach is read
}

// Outcome says how far regions and forms decide something.
type Outcome uint8

const (
	Decided Outcome = iota
	Unclear         // each iteration must be looked at
	Wrong           // there is an error: the evaluation of each iteration finds the words
)

// Reading finds the region of a reference.
func (b *Builder) Reading(s *model.Statement, f *eval.Frame, r *syntax.Ref) (*Reading, Outcome) {
	v := b.Model.Bindings[r].Var
	a := &Reading{Stmt: s, r: r, Var: v, Exact: s.Domain.IsBox(), Reach: model.Region{}}
	used := make([]bool, len(s.Loops))
	for d := range v.Dims {
		lo, hi := model.Affine{Const: 1}, model.Affine{Const: v.Dims[d]}
		loose := false
		if x := model.IndexAt(r.Indices, d); x != nil && !b.isWide(x) {
			var ok bool
			if lo, hi, ok = f.AffineSpan(x, v, d); !ok {
				if lo.Const, hi.Const, loose = b.dataSpan(f, x); !loose {
					return nil, Unclear
				}
				lo.Coef, hi.Coef = nil, nil
			}
		}
		least, most, ok := model.Extremes(&s.Domain, lo, hi)
		switch {
		case !ok || loose && (least < 1 || most > v.Dims[d]):
			return nil, Unclear
		case least < 1 || most > v.Dims[d]:
			return nil, Wrong
		}
		a.Lo, a.Hi, a.Loose = append(a.Lo, lo), append(a.Hi, hi), append(a.Loose, loose)
		a.Reach = append(a.Reach, int32(least), int32(most))
		a.Exact = a.Exact && !loose && contiguous(lo, hi, used)
	}
	return a, Decided
}

// contiguous reports that positions between lo and hi fill a range, by a loop
// variable that no other dimension uses.
func contiguous(lo, hi model.Affine, used []bool) bool {
	for k := range used {
		c := lo.At(k)
		if c != hi.At(k) || model.Abs(c) > 1 || c != 0 && used[k] {
			return false
		}
		used[k] = used[k] || c != 0
	}
	return true
}

// isWide reports an index that has no value before the model runs: it reaches the
// whole extent.
func (b *Builder) isWide(e syntax.Expr) bool {
	wide := false
	syntax.Walk(e, func(x syntax.Expr) bool {
		if r, ok := x.(*syntax.Ref); ok {
			v := b.Model.Bindings[r].Var
			wide = wide || v != nil && (v.Known.None() || v.ShapeOnly) && v.Size > 0
		}
		return !wide
	})
	return wide
}

// dataSpan is the range of an index that is an element of known data, plus or minus
// a constant.
func (b *Builder) dataSpan(f *eval.Frame, e syntax.Expr) (lo, hi int, ok bool) {
	shift := 0
	if x, is := e.(*syntax.Binary); is && (x.Op == syntax.OpAdd || x.Op == syntax.OpSub) {
		if c, whole := f.Affine(x.Y); whole && c.Constant() {
			e, shift = x.X, c.Const
			if x.Op == syntax.OpSub {
				shift = -shift
			}
		}
	}
	r, is := e.(*syntax.Ref)
	if !is || b.Model.Bindings[r].Var == nil {
		return 0, 0, false
	}
	for _, x := range r.Indices {
		if !model.Single(x) {
			return 0, 0, false
		}
	}
	if lo, hi, ok = integers(b.Model.Bindings[r].Var); !ok || len(r.Indices) != len(b.Model.Bindings[r].Var.Dims) {
		return 0, 0, false
	}
	return lo + shift, hi + shift, true
}

// integers finds the range once.
func integers(v *model.Var) (lo, hi int, ok bool) {
	if !v.Known.All() || v.Size == 0 || v.ShapeOnly {
		return 0, 0, false
	}
	if g := &v.Integers; !g.Done {
		g.Done, g.Known = true, true
		least, most := v.Value[0], v.Value[0]
		for _, x := range v.Value {
			if x != math.Trunc(x) || !(math.Abs(x) < 1<<31) {
				g.Known = false
				break
			}
			least, most = min(least, x), max(most, x)
		}
		if g.Known {
			g.Lo, g.Hi = int(least), int(most)
		}
	}
	return v.Integers.Lo, v.Integers.Hi, v.Integers.Known
}
