package eval

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/ir/diag"
)

// extentsOf finds the extents of an argument without reading its elements; an index
// that picks one position has none. It fails for what only its value can tell.
func (f *Frame) extentsOf(e syntax.Expr) ([]int, error) {
	r, ok := e.(*syntax.Ref)
	if !ok || f.Model.Bindings[r].Level > 0 {
		g := *f
		g.shape = true
		x, err := g.Array(e)
		return x.Dims, err
	}
	v := f.Model.Bindings[r].Var
	if len(r.Indices) == 0 {
		return v.Dims, nil
	}
	var dims []int
	for d, x := range r.Indices {
		if model.Single(x) {
			continue
		}
		lo, hi, err := f.span(v, d, x)
		if err != nil {
			return nil, err
		}
		dims = append(dims, max(hi-lo+1, 0))
	}
	return dims, nil
}

// nodeExtents are the extents of the left side of a statement. A name without
// indices there is a single value.
func (f *Frame) nodeExtents(s *model.Statement) ([]int, error) {
	if len(s.LHS.Indices) == 0 {
		return nil, nil
	}
	return f.extentsOf(s.LHS)
}

// shapesOf is in how many iterations extents may differ: in one, unless a range, or
// how often something is repeated, depends on a loop.
func ShapesOf(m *model.Model, s *model.Statement) int {
	fixed := true
	constant := func(e syntax.Expr) {
		syntax.Walk(e, func(x syntax.Expr) bool {
			r, ok := x.(*syntax.Ref)
			fixed = fixed && !(ok && m.Bindings[r].Level > 0)
			return fixed
		})
	}
	look := func(e syntax.Expr) {
		syntax.Walk(e, func(x syntax.Expr) bool {
			switch x := x.(type) {
			case *syntax.Range:
				constant(x)
			case *syntax.Call:
				if function.Canonical(x) == "rep" {
					constant(x)
				}
			}
			return fixed
		})
	}
	look(s.LHS)
	for _, e := range s.Rights() {
		look(e)
	}
	if fixed {
		return min(s.Iterations, 1)
	}
	return s.Iterations
}

// hasParts reports that an expression has more than numbers in it, or a function that
// may want more.
func HasParts(m *model.Model, e syntax.Expr) bool {
	found := false
	syntax.Walk(e, func(x syntax.Expr) bool {
		switch x := x.(type) {
		case *syntax.Range:
			found = true
		case *syntax.Ref:
			found = found || m.Bindings[x].Var != nil && IsPart(m.Bindings[x].Var, x)
		case *syntax.Call:
			found = found || function.ArrayOpOf(function.Canonical(x)) != nil
		}
		return !found
	})
	return found
}

// IsPart reports a reference to more than one position.
func IsPart(v *model.Var, r *syntax.Ref) bool {
	if len(r.Indices) == 0 {
		return len(v.Dims) > 0
	}
	return slices.ContainsFunc(r.Indices, func(x syntax.Expr) bool { return !model.Single(x) })
}

// Misfit checks one iteration. What cannot be known yet is left to those who need it.
func (f *Frame) Misfit(s *model.Statement, j *family.Joint) error {
	node, err := f.nodeExtents(s)
	if err != nil {
		return nil
	}
	args := make([][]int, len(s.Sample.Args))
	for i, e := range s.Sample.Args {
		if j.Args[i] == 0 {
			continue
		}
		if args[i], err = f.extentsOf(e); err != nil {
			return nil
		}
	}
	arg, why := apply.Mismatch(j, node, args)
	if why == "" {
		return nil
	}
	at := s.LHS.Span()
	if arg >= 0 {
		at = s.Sample.Args[arg].Span()
	}
	return diag.Errorf(at, "%s: %s", s.Sample.Dist, why).WithFix("the form is %s", s.Dist.Signature())
}

// nodeElements are the elements that a left side names, and how they are spelled.
func (f *Frame) nodeElements(s *model.Statement) (elems []int, name string, err error) {
	if len(s.LHS.Indices) == 0 {
		return []int{0}, s.Var.Name, nil
	}
	idx := make([]string, len(s.LHS.Indices))
	for d, x := range s.LHS.Indices {
		lo, hi, err := f.span(s.Var, d, x)
		if err != nil {
			return nil, "", err
		}
		idx[d] = spanText(lo, hi)
	}
	err = f.Each(s.LHS, s.Var, false, func(k int) error { elems = append(elems, k); return nil })
	return elems, s.Var.Name + "[" + strings.Join(idx, ",") + "]", err
}
