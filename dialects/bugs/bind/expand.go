package bind

import (
	"errors"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// expand finds the iterations of every statement and computes what follows from
// the data alone. Each may need the other (a bound may be a computed value, a
// value may need the size of an array), so it goes on until nothing changes.
func (b *Builder) expand(stmts []*model.Statement) {
	b.traceData()
	forward := true
	for changed := true; changed && !b.Failed(); {
		changed = false
		for _, s := range stmts {
			if !s.Expanded && b.enumerate(s) {
				changed = true
			}
		}
		if b.evaluate(stmts, forward) {
			changed = true
		}
		forward = !forward // chains in either direction take few rounds
	}
	if b.Failed() {
		return
	}
	for _, s := range stmts {
		if !s.Expanded {
			b.explainBounds(s)
		}
	}
}

// traceData marks the assignments that may follow from data alone: those that
// read only names of which some part is data or may follow from data.
func (b *Builder) traceData() {
	may := map[*model.Var]bool{}
	for _, v := range b.Model.Vars {
		may[v] = v.Fixed
	}
	fits := map[*model.Statement]bool{}
	for changed := true; changed; {
		changed = false
		for _, s := range b.Model.Statements {
			if s.Assign == nil || fits[s] {
				continue
			}
			ok := true
			s.Refs(func(r *syntax.Ref, level int) {
				if bd := b.Model.Bindings[r]; r != s.LHS && bd.Var != nil && !may[bd.Var] {
					ok = false
				}
			})
			if ok {
				fits[s], may[s.Var], changed = true, true, true
			}
		}
	}
	for _, s := range b.Model.Statements {
		if !fits[s] {
			s.Pending = -1
		}
	}
}

// enumerate finds the iterations of a statement and what each defines. It returns
// false if a bound or an index is not known yet.
func (b *Builder) enumerate(s *model.Statement) bool {
	for _, v := range b.wholeReads(s, func(r *syntax.Ref, level int) bool { return level < len(s.Loops) || within(s.LHS, r) }) {
		if !b.settledBut(v, s) {
			return false
		}
	}
	err := b.wholeLeft(s)
	if err == nil {
		err = b.iterations(s)
	}
	if err == nil {
		err = b.leftSide(s)
	}
	if errors.Is(err, eval.ErrUnknown) {
		return false
	}
	s.Expanded = true
	if err != nil {
		b.Report(err)
		s.Domain, s.Iterations = model.Domain{Depth: len(s.Loops)}, 0
		return true
	}
	if b.total += s.Iterations; b.total > function.MaxIterations {
		b.ErrorAt(s.Span(), "the loops of the model run more than %d times", function.MaxIterations)
		return true
	}
	if s.Assign != nil && s.Pending == 0 {
		s.Pending, s.Done = s.Iterations, model.Mask{Len: s.Iterations}
	}
	b.claim(s)
	return true
}

// Report adds an error that an evaluation gave.
func (b *Builder) Report(err error) {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		for _, old := range b.Diags {
			if old.Span == d.Span && old.Message == d.Message {
				return
			}
		}
		b.Diags = append(b.Diags, d)
	}
}

func (b *Builder) Once(key string, f func()) {
	if !b.Said[key] {
		b.Said[key] = true
		f()
	}
}

func (b *Builder) twice(s, old *model.Statement, v *model.Var, k int) {
	b.Once("twice "+v.Name, func() {
		if loop := without(s); loop != "" {
			b.ErrorAt(s.LHS.Span(), "%s is defined in each iteration of the loop over %s", v.ElemName(k), loop).
				WithFix("write %s here and where it is read, or move the line out of the loop", withIndex(s.LHS, loop))
			return
		}
		d := b.ErrorAt(s.LHS.Span(), "%s is defined twice", v.ElemName(k))
		d.WithNote(old.LHS.Span(), "the first definition is here")
		d.WithFix("define each element once")
	})
}

// evaluate computes the assignments that have what they need; it reports whether
// there was one.
func (b *Builder) evaluate(stmts []*model.Statement, forward bool) bool {
	changed := false
	for i := range stmts {
		s := stmts[i]
		if !forward {
			s = stmts[len(stmts)-1-i]
		}
		if s.Assign == nil || !s.Expanded || s.Pending <= 0 || b.Failed() {
			continue
		}
		ready := true
		for _, v := range b.wholeReads(s, nil) {
			ready = ready && b.settled(v)
		}
		if !ready {
			continue
		}
		if b.assignAll(s, forward) {
			changed = true
		}
	}
	return changed
}

// wholeReads lists the variables of which a statement reads a whole extent; where,
// if not nil, chooses among the places.
func (b *Builder) wholeReads(s *model.Statement, where func(r *syntax.Ref, level int) bool) []*model.Var {
	var out []*model.Var
	s.Refs(func(r *syntax.Ref, level int) {
		v := b.Model.Bindings[r].Var
		if v == nil || r == s.LHS || where != nil && !where(r, level) {
			return
		}
		whole := len(r.Indices) == 0 && len(v.Dims) > 0
		for _, x := range r.Indices {
			_, all := x.(*syntax.All)
			whole = whole || all
		}
		if whole {
			out = append(out, v)
		}
	})
	return out
}

// within reports that a name stands among the indices of another.
func within(outer, r *syntax.Ref) bool {
	found := false
	for _, x := range outer.Indices {
		syntax.Walk(x, func(e syntax.Expr) bool {
			found = found || e == syntax.Expr(r)
			return !found
		})
	}
	return found
}

// settled reports that the extents of a variable will not change any more.
func (b *Builder) settled(v *model.Var) bool { return b.settledBut(v, nil) }

// settledBut is settled as far as other statements than s go. The data block knows
// nothing of the model.
func (b *Builder) settledBut(v *model.Var, s *model.Statement) bool {
	for _, t := range b.Model.Statements {
		if t.Var == v && !t.Expanded && t != s && (t.InData || !b.inData) {
			return false
		}
	}
	return true
}

func (b *Builder) settledAll(s *model.Statement) bool {
	ok := true
	s.Refs(func(r *syntax.Ref, _ int) {
		if v := b.Model.Bindings[r].Var; v != nil && r != s.LHS {
			ok = ok && b.settled(v)
		}
	})
	return ok
}

// explainBounds says why the iterations of a statement are not known.
func (b *Builder) explainBounds(s *model.Statement) {
	for k, l := range s.Loops {
		if b.blame(l.Node.Over, "the bounds of the loop over "+l.Var, s, k) {
			return
		}
	}
	for _, x := range s.LHS.Indices {
		if b.blame(x, "the index of "+s.Var.Name+" on the left", s, len(s.Loops)) {
			return
		}
	}
	b.ErrorAt(s.Span(), "the iterations of this statement cannot be computed from the data")
}

func (b *Builder) blame(e syntax.Expr, what string, s *model.Statement, level int) bool {
	found := false
	syntax.Walk(e, func(x syntax.Expr) bool {
		r, ok := x.(*syntax.Ref)
		if !ok || found {
			return !found
		}
		v := b.Model.Bindings[r].Var
		if v == nil || v.Known.All() && !v.ShapeOnly && b.settled(v) {
			return true
		}
		found = true
		b.Once("bounds "+v.Name, func() {
			d := b.ErrorAt(r.Span(), "%s must be known from the data, and %s has no value", what, v.Name)
			d.WithFix("give %s in the data", v.Name)
		})
		return false
	})
	return found
}

// Run expands the data block, whose results are data, and then the model.
func (b *Builder) Run() {
	var data, program []*model.Statement
	for _, s := range b.Model.Statements {
		if s.InData {
			data = append(data, s)
		} else {
			program = append(program, s)
		}
	}
	if len(data) > 0 {
		b.inData = true
		b.expand(data)
		b.inData = false
		for _, s := range data {
			if b.Failed() {
				return
			}
			if s.Pending != 0 {
				b.ErrorAt(s.Span(), "%s cannot be computed from the data", s.Var.Name).
					WithFix("move the statement into the model, or give in the data what it needs")
				return
			}
			s.Var.Fixed = true
		}
	}
	b.expand(program)
}
