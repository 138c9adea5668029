package bind

import (
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/ir/diag"
)

// Shapes checks that nodes and parameters that are arrays fit each other in every
// iteration.
func (b *Builder) Shapes() {
	for _, s := range b.Model.Statements {
		if s.Iterations == 0 {
			continue
		}
		if s.Assign != nil {
			b.assignedShape(s)
			continue
		}
		j := s.Dist.Law.Joint
		b.noElements(s)
		b.parameterShapes(s, j)
		if j == nil {
			b.singleNode(s)
			continue
		}
		if d := eval.CanBeBounded(s); d != nil {
			b.Report(d)
			continue
		}
		f := eval.ShapeFrame(b.Model, s)
		for i := range eval.ShapesOf(b.Model, s) {
			f.At = s.At(i)
			if d := f.Misfit(s, j); d != nil {
				b.Report(d)
				break
			}
		}
	}
}

// assignedShape checks that the arrays in an assignment fit each other and the left
// side. What follows from data has been computed, and so checked.
func (b *Builder) assignedShape(s *model.Statement) {
	if s.Pending == 0 || !eval.HasParts(b.Model, s.LHS) && !eval.HasParts(b.Model, s.Assign.RHS) {
		return
	}
	f := eval.ShapeFrame(b.Model, s)
	for i := range eval.ShapesOf(b.Model, s) {
		f.At = s.At(i)
		n := 0
		b.Model.Elements(s, i, func(int) { n++ })
		if k, ok := f.Count(s.Assign.RHS); ok && k == n {
			continue
		}
		vals, err := f.Assigned(s)
		if err == nil && len(vals) != n {
			err = diag.Errorf(s.Span(), "%s assigned to %s", model.Plural(len(vals), "value"), model.Plural(n, "element"))
		}
		if err != nil {
			b.Report(err)
			return
		}
	}
}

// noElements refuses the choice of an element of an array that has none: an index
// that no data tell is not looked at otherwise.
func (b *Builder) noElements(s *model.Statement) {
	s.Refs(func(r *syntax.Ref, level int) {
		v := b.Model.Bindings[r].Var
		if v == nil || r == s.LHS || v.Len() > 0 || len(r.Indices) == 0 {
			return
		}
		for d, x := range r.Indices {
			if model.Single(x) && v.Dims[d] == 0 {
				b.Once("empty "+v.Name, func() {
					b.ErrorAt(r.Span(), "%s has no elements", v.Name).WithFix("look at the bounds of the loop that defines it").WithNote(v.At, "it is defined here")
				})
				return
			}
		}
	})
}

// parameterShapes checks that the arrays within the parameters and bounds of a
// distribution fit each other.
func (b *Builder) parameterShapes(s *model.Statement, j *family.Joint) {
	f := eval.ShapeFrame(b.Model, s)
	for k, e := range s.Rights() {
		if _, plain := e.(*syntax.Ref); plain || !eval.HasParts(b.Model, e) {
			continue
		}
		single := j == nil || k >= len(j.Args) || j.Args[k] == 0
		for i := range eval.ShapesOf(b.Model, s) {
			f.At = s.At(i)
			if n, ok := f.Count(e); ok && (n == 1 || !single) {
				continue
			}
			x, err := f.Array(e)
			if err == nil && single && len(x.V) != 1 {
				_, err = f.Scalar(e)
			}
			if err != nil {
				b.Report(err)
				break
			}
		}
	}
}

// singleNode refuses a distribution of numbers for a node that is an array.
func (b *Builder) singleNode(s *model.Statement) {
	if s.Dist.Multivariate {
		return // this version does not know it
	}
	for _, x := range s.LHS.Indices {
		if !model.Single(x) {
			b.ErrorAt(s.LHS.Span(), "%s is a distribution of a single value, and the node is an array", s.Sample.Dist).
				WithFix("write a loop over its elements")
			return
		}
	}
}
