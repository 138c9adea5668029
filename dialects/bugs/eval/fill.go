package eval

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/ir/diag"
)

// OfParameters runs over the nodes that are parameters and what these depend on: of those
// that the model computes, no others get memory and values.
func OfParameters(m *model.Model, st State) *Runner {
	passed := withoutParameters(m)
	for _, s := range m.Statements {
		if v := s.Var; !passed[s] && len(st[v.ID]) < v.Len() {
			st[v.ID] = v.WithGaps()
		}
	}
	return &Runner{Model: m, Frame: &Frame{Model: m, Store: st}, passed: passed}
}

// Fill gives each parameter that is not given the centre of its distribution given
// its parents, within its bounds.
func Fill(m *model.Model, st State, given Assigned) error {
	if m.Cyclic {
		return diag.Errorf(diag.Span{}, "initial values cannot be filled in: the nodes have no sequential order").
			WithFix("give all initial values")
	}
	r := OfParameters(m, st)
	r.assigned, r.fills = given, true
	r.choose = func(law *family.Law, p []float64, lo, hi float64) (float64, error) {
		return apply.CentreWithin(law, p, lo, hi), nil
	}
	r.chooseJoint = func(j *family.Joint, x []float64, keep []bool, p []function.Value) error {
		for i, y := range j.Centre(p, len(x)) {
			if !keep[i] {
				x[i] = y
			}
		}
		return nil
	}
	return r.Named(r.Items(m.Order))
}

// withoutParameters are the statements that neither give a parameter a value nor compute
// what one that does, or the cut of an interval, depends on.
func withoutParameters(m *model.Model) map[*model.Statement]bool {
	passed := map[*model.Statement]bool{}
	of := map[*model.Var][]*model.Statement{}
	var need func(s *model.Statement)
	need = func(s *model.Statement) {
		if !passed[s] {
			return
		}
		passed[s] = false
		s.Refs(func(r *syntax.Ref, _ int) {
			for _, t := range of[m.Bindings[r].Var] {
				need(t)
			}
		})
	}
	for _, s := range m.Statements {
		passed[s] = true
		if s.Assign != nil {
			of[s.Var] = append(of[s.Var], s)
		}
	}
	for _, s := range m.Statements {
		if s.Sample != nil && (s.Var.Has(model.Parameter) || s.Dist.Law.Censors) {
			need(s)
		}
	}
	return passed
}

// passes reports an item all of whose statements are passed over.
func (r *Runner) passes(it model.Item) bool {
	switch {
	case len(r.passed) == 0:
		return false
	case it.Stmt != nil:
		return r.passed[it.Stmt]
	case it.Loop != nil:
		return !slices.ContainsFunc(it.Loop.Body, func(x model.Item) bool { return !r.passes(x) })
	}
	return false
}

// remaining are the items that are not passed over.
func (r *Runner) remaining(items []model.Item) []model.Item {
	if !slices.ContainsFunc(items, r.passes) {
		return items
	}
	return slices.DeleteFunc(slices.Clone(items), r.passes)
}
