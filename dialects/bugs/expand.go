package bugs

import (
	"errors"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Bounds on what one model may ask for.
const (
	maxElements   = 1 << 28 // of an array
	maxIterations = 1 << 28 // of all statements
	maxStored     = 1 << 26 // of a statement whose loops have no constant bounds
	maxRange      = 1 << 24 // elements of a value that is computed
)

// expand finds the iterations of every statement and computes what follows from
// the data alone. Each may need the other (a bound may be a computed value, a
// value may need the size of an array), so it goes on until nothing changes.
func (b *builder) expand(stmts []*Statement) {
	b.traceData()
	forward := true
	for changed := true; changed && !b.failed(); {
		changed = false
		for _, s := range stmts {
			if !s.expanded && b.enumerate(s) {
				changed = true
			}
		}
		if b.evaluate(stmts, forward) {
			changed = true
		}
		forward = !forward // chains in either direction take few rounds
	}
	if b.failed() {
		return
	}
	for _, s := range stmts {
		if !s.expanded {
			b.explainBounds(s)
		}
	}
}

// traceData marks the assignments that may follow from data alone: those that
// read only names of which some part is data or may follow from data.
func (b *builder) traceData() {
	may := map[*Var]bool{}
	for _, v := range b.m.Vars {
		may[v] = v.fixed
	}
	fits := map[*Statement]bool{}
	for changed := true; changed; {
		changed = false
		for _, s := range b.m.Statements {
			if s.Assign == nil || fits[s] {
				continue
			}
			ok := true
			s.refs(func(r *syntax.Ref, level int) {
				if bd := b.m.bind[r]; r != s.LHS && bd.v != nil && !may[bd.v] {
					ok = false
				}
			})
			if ok {
				fits[s], may[s.v], changed = true, true, true
			}
		}
	}
	for _, s := range b.m.Statements {
		if !fits[s] {
			s.left = -1
		}
	}
}

// enumerate finds the iterations of a statement and what each defines. It returns
// false if a bound or an index is not known yet.
func (b *builder) enumerate(s *Statement) bool {
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
	if errors.Is(err, errUnknown) {
		return false
	}
	s.expanded = true
	if err != nil {
		b.report(err)
		s.dom, s.n = domain{depth: len(s.Loops)}, 0
		return true
	}
	if b.total += s.n; b.total > maxIterations {
		b.errorAt(s.Span(), "the loops of the model run more than %d times", maxIterations)
		return true
	}
	if s.Assign != nil && s.left == 0 {
		s.left, s.done = s.n, mask{n: s.n}
	}
	b.claim(s)
	return true
}

// report adds an error that an evaluation gave.
func (b *builder) report(err error) {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		for _, old := range b.diags {
			if old.Span == d.Span && old.Message == d.Message {
				return
			}
		}
		b.diags = append(b.diags, d)
	}
}

func (b *builder) once(key string, f func()) {
	if !b.said[key] {
		b.said[key] = true
		f()
	}
}

func (b *builder) twice(s, old *Statement, v *Var, k int) {
	b.once("twice "+v.Name, func() {
		d := b.errorAt(s.LHS.Span(), "%s is defined twice", v.ElemName(k))
		d.WithNote(old.LHS.Span(), "the first definition is here")
		d.WithFix("define each element once")
	})
}

// evaluate computes the assignments that have what they need; it reports whether
// there was one.
func (b *builder) evaluate(stmts []*Statement, forward bool) bool {
	changed := false
	for i := range stmts {
		s := stmts[i]
		if !forward {
			s = stmts[len(stmts)-1-i]
		}
		if s.Assign == nil || !s.expanded || s.left <= 0 || b.failed() {
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

// assigned evaluates the right side of an assignment, its link undone.
func (f *frame) assigned(s *Statement) ([]float64, error) {
	multi := false
	for _, x := range s.LHS.Indices {
		multi = multi || !single(x)
	}
	if !multi {
		x, err := f.scalar(s.Assign.RHS)
		return []float64{inverseLink(s.Assign.Link, x)}, err
	}
	x, err := f.array(s.Assign.RHS)
	for i := range x.V {
		x.V[i] = inverseLink(s.Assign.Link, x.V[i])
	}
	return x.V, err
}

// wholeReads lists the variables of which a statement reads a whole extent; where,
// if not nil, chooses among the places.
func (b *builder) wholeReads(s *Statement, where func(r *syntax.Ref, level int) bool) []*Var {
	var out []*Var
	s.refs(func(r *syntax.Ref, level int) {
		v := b.m.bind[r].v
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
func (b *builder) settled(v *Var) bool { return b.settledBut(v, nil) }

// settledBut is settled as far as other statements than s go. The data block knows
// nothing of the model.
func (b *builder) settledBut(v *Var, s *Statement) bool {
	for _, t := range b.m.Statements {
		if t.v == v && !t.expanded && t != s && (t.InData || !b.inData) {
			return false
		}
	}
	return true
}

func (b *builder) settledAll(s *Statement) bool {
	ok := true
	s.refs(func(r *syntax.Ref, _ int) {
		if v := b.m.bind[r].v; v != nil && r != s.LHS {
			ok = ok && b.settled(v)
		}
	})
	return ok
}

// explainBounds says why the iterations of a statement are not known.
func (b *builder) explainBounds(s *Statement) {
	for k, l := range s.Loops {
		if b.blame(l.Node.Over, "the bounds of the loop over "+l.Var, s, k) {
			return
		}
	}
	for _, x := range s.LHS.Indices {
		if b.blame(x, "the index of "+s.v.Name+" on the left", s, len(s.Loops)) {
			return
		}
	}
	b.errorAt(s.Span(), "the iterations of this statement cannot be computed from the data")
}

func (b *builder) blame(e syntax.Expr, what string, s *Statement, level int) bool {
	found := false
	syntax.Walk(e, func(x syntax.Expr) bool {
		r, ok := x.(*syntax.Ref)
		if !ok || found {
			return !found
		}
		v := b.m.bind[r].v
		if v == nil || v.known.all() && !v.abstract && b.settled(v) {
			return true
		}
		found = true
		b.once("bounds "+v.Name, func() {
			d := b.errorAt(r.Span(), "%s must be known from the data, and %s has no value", what, v.Name)
			d.WithFix("give %s in the data", v.Name)
		})
		return false
	})
	return found
}
