package eval

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// Nodes of a statement whose distribution does not vary in a loop have one centre, and get
// it when the first of them is met: a node's parents are there before it, and never change
// once they have a value. The other iterations pass the statement over, and a loop of
// nothing else ends after its first.

// together is how the nodes of a statement get their values.
type together struct {
	can    bool   // the nodes are a region, numbers, and without intervals
	varies []bool // by loop: the distribution depends on its variable
}

// togetherOf says how those of a statement do.
func (r *Runner) togetherOf(s *model.Statement) *together {
	if r.wholes == nil {
		r.wholes = make([]*together, len(r.Model.Statements))
	}
	if w := r.wholes[s.Index]; w != nil {
		return w
	}
	w := &together{}
	r.wholes[s.Index] = w
	if s.Sample == nil || s.Dist.Law.Joint != nil || s.Defines.Region == nil || Intervals(r.Model)[s.Var] != nil {
		return w
	}
	w.can, w.varies = true, make([]bool, len(s.Loops))
	for _, e := range s.Rights() {
		syntax.Walk(e, func(e syntax.Expr) bool {
			if ref, ok := e.(*syntax.Ref); ok {
				if l := r.Model.Bindings[ref].Level; l > 0 {
					w.varies[l-1] = true
				}
			}
			return true
		})
	}
	return w
}

// onceIn reports an item whose statements are done with the first iteration of a loop.
func (r *Runner) onceIn(it model.Item, level int) bool {
	switch {
	case it.Stmt != nil:
		w := r.togetherOf(it.Stmt)
		return r.passed[it.Stmt] || w.can && !w.varies[level]
	case it.Loop != nil:
		return !slices.ContainsFunc(it.Loop.Body, func(x model.Item) bool { return !r.onceIn(x, level) })
	}
	return false
}

// centres gives nodes of a statement their values together, those that differ from the one
// at hand in loops in which the distribution does not vary; done is false if that is not how
// they get them. It is the first iteration of the loops whose entry in first says so.
func (r *Runner) centres(s *model.Statement, at []int32) (done bool, err error) {
	if !r.fills || len(r.first) != len(at) || len(at) == 0 {
		return false, nil
	}
	w := r.togetherOf(s)
	if !w.can || !slices.Contains(w.varies, false) {
		return false, nil
	}
	region := slices.Clone(s.Defines.Region)
	for l, varies := range w.varies {
		d := s.Defines.DimOf[l]
		switch {
		case !varies && !r.first[l]:
			return true, nil // they have them
		case varies && d >= 0:
			i := int32(s.Defines.Lo[d].Value(at))
			region[2*d], region[2*d+1] = i, i
		}
	}
	var x float64
	have := false
	st, given := r.Frame.Store[s.Var.ID], r.assigned.of(s.Var)
	region.Runs(s.Var.Dims, func(from, to int) {
		for k := from; k < to && err == nil; k++ {
			if s.Var.Known.Has(k) || given.Has(k) {
				continue
			}
			if !have {
				if err = r.draw(s, k); err != nil {
					return
				}
				x, have = st[k], true
			}
			st[k] = x
		}
	})
	return true, err
}

// Assigned says which parameters have got a value, by Var.ID; nil is none.
type Assigned []model.Mask

// of are the elements of a variable.
func (g Assigned) of(v *model.Var) *model.Mask {
	if g == nil {
		return &model.Mask{Len: v.Len()}
	}
	return &g[v.ID]
}

// Has reports an element that has got one.
func (g Assigned) Has(v *model.Var, k int) bool { return g != nil && g[v.ID].Has(k) }

// Others is how many parameters of a variable have got none.
func (g Assigned) Others(v *model.Var) int { return v.Count(model.Parameter) - g.of(v).Count }
