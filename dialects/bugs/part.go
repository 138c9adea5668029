package bugs

import (
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir/diag"
)

// extentsOf finds the extents of an argument without reading its elements; an index
// that picks one position has none. It fails for what only its value can tell.
func (f *frame) extentsOf(e syntax.Expr) ([]int, error) {
	r, ok := e.(*syntax.Ref)
	if !ok || f.m.bind[r].level > 0 {
		g := *f
		g.shape = true
		x, err := g.array(e)
		return x.Dims, err
	}
	v := f.m.bind[r].v
	if len(r.Indices) == 0 {
		return v.Dims, nil
	}
	var dims []int
	for d, x := range r.Indices {
		if single(x) {
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
func (f *frame) nodeExtents(s *Statement) ([]int, error) {
	if len(s.LHS.Indices) == 0 {
		return nil, nil
	}
	return f.extentsOf(s.LHS)
}

// shapes checks that nodes and parameters that are arrays fit each other in every
// iteration.
func (b *builder) shapes() {
	for _, s := range b.m.Statements {
		if s.n == 0 {
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
		if d := boundable(s); d != nil {
			b.report(d)
			continue
		}
		f := b.m.shapeFrame(s)
		for i := range b.m.shapesOf(s) {
			f.at = s.at(i)
			if d := f.misfit(s, j); d != nil {
				b.report(d)
				break
			}
		}
	}
}

// shapesOf is in how many iterations extents may differ: in one, unless a range, or
// how often something is repeated, depends on a loop.
func (m *Model) shapesOf(s *Statement) int {
	fixed := true
	constant := func(e syntax.Expr) {
		syntax.Walk(e, func(x syntax.Expr) bool {
			r, ok := x.(*syntax.Ref)
			fixed = fixed && !(ok && m.bind[r].level > 0)
			return fixed
		})
	}
	look := func(e syntax.Expr) {
		syntax.Walk(e, func(x syntax.Expr) bool {
			switch x := x.(type) {
			case *syntax.Range:
				constant(x)
			case *syntax.Call:
				if canonical(x) == "rep" {
					constant(x)
				}
			}
			return fixed
		})
	}
	look(s.LHS)
	for _, e := range s.rights() {
		look(e)
	}
	if fixed {
		return min(s.n, 1)
	}
	return s.n
}

// hasParts reports that an expression has more than numbers in it, or a function that
// may want more.
func (m *Model) hasParts(e syntax.Expr) bool {
	found := false
	syntax.Walk(e, func(x syntax.Expr) bool {
		switch x := x.(type) {
		case *syntax.Range:
			found = true
		case *syntax.Ref:
			found = found || m.bind[x].v != nil && isPart(m.bind[x].v, x)
		case *syntax.Call:
			found = found || arrayOpOf(canonical(x)) != nil
		}
		return !found
	})
	return found
}

// assignedShape checks that the arrays in an assignment fit each other and the left
// side. What follows from data has been computed, and so checked.
func (b *builder) assignedShape(s *Statement) {
	if s.left == 0 || !b.m.hasParts(s.LHS) && !b.m.hasParts(s.Assign.RHS) {
		return
	}
	f := b.m.shapeFrame(s)
	for i := range b.m.shapesOf(s) {
		f.at = s.at(i)
		vals, err := f.assigned(s)
		n := 0
		b.m.elements(s, i, func(int) { n++ })
		if err == nil && len(vals) != n {
			err = diag.Errorf(s.Span(), "%s assigned to %s", plural(len(vals), "value"), plural(n, "element"))
		}
		if err != nil {
			b.report(err)
			return
		}
	}
}

// noElements refuses the choice of an element of an array that has none: an index
// that no data tell is not looked at otherwise.
func (b *builder) noElements(s *Statement) {
	s.refs(func(r *syntax.Ref, level int) {
		v := b.m.bind[r].v
		if v == nil || r == s.LHS || v.Len() > 0 || len(r.Indices) == 0 {
			return
		}
		for d, x := range r.Indices {
			if single(x) && v.Dims[d] == 0 {
				b.once("empty "+v.Name, func() {
					b.errorAt(r.Span(), "%s has no elements", v.Name).WithFix("look at the bounds of the loop that defines it").WithNote(v.At, "it is defined here")
				})
				return
			}
		}
	})
}

// parameterShapes checks that the arrays within the parameters and bounds of a
// distribution fit each other.
func (b *builder) parameterShapes(s *Statement, j *prob.Joint) {
	f := b.m.shapeFrame(s)
	for k, e := range s.rights() {
		if _, plain := e.(*syntax.Ref); plain || !b.m.hasParts(e) {
			continue
		}
		single := j == nil || k >= len(j.Args) || j.Args[k] == 0
		for i := range b.m.shapesOf(s) {
			f.at = s.at(i)
			x, err := f.array(e)
			if err == nil && single && len(x.V) != 1 {
				_, err = f.scalar(e)
			}
			if err != nil {
				b.report(err)
				break
			}
		}
	}
}

// misfit checks one iteration. What cannot be known yet is left to those who need it.
func (f *frame) misfit(s *Statement, j *prob.Joint) error {
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
	arg, why := j.Mismatch(node, args)
	if why == "" {
		return nil
	}
	at := s.LHS.Span()
	if arg >= 0 {
		at = s.Sample.Args[arg].Span()
	}
	return diag.Errorf(at, "%s: %s", s.Sample.Dist, why).WithFix("the form is %s", s.Dist.Signature())
}

// singleNode refuses a distribution of numbers for a node that is an array.
func (b *builder) singleNode(s *Statement) {
	if s.Dist.Multivariate {
		return // this version does not know it
	}
	for _, x := range s.LHS.Indices {
		if !single(x) {
			b.errorAt(s.LHS.Span(), "%s is a distribution of a single value, and the node is an array", s.Sample.Dist).
				WithFix("write a loop over its elements")
			return
		}
	}
}

// nodeElements are the elements that a left side names, and how they are spelled.
func (f *frame) nodeElements(s *Statement) (elems []int, name string, err error) {
	if len(s.LHS.Indices) == 0 {
		return []int{0}, s.v.Name, nil
	}
	idx := make([]string, len(s.LHS.Indices))
	for d, x := range s.LHS.Indices {
		lo, hi, err := f.span(s.v, d, x)
		if err != nil {
			return nil, "", err
		}
		idx[d] = spanText(lo, hi)
	}
	err = f.each(s.LHS, s.v, false, func(k int) error { elems = append(elems, k); return nil })
	return elems, s.v.Name + "[" + strings.Join(idx, ",") + "]", err
}
