package bugs

import (
	"errors"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Bounds on what one model may ask for.
const (
	maxElements   = 1 << 24
	maxIterations = 1 << 24
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

// enumerate lists the iterations of a statement and what each defines. It
// returns false if a bound or an index is not known yet.
func (b *builder) enumerate(s *Statement) bool {
	for _, v := range b.wholeReads(s, func(r *syntax.Ref, level int) bool { return level < len(s.Loops) || within(s.LHS, r) }) {
		if !b.settledBut(v, s) {
			return false
		}
	}
	e := &enumerator{b: b, s: s, f: b.frame(s)}
	e.count = true // that the loops are too long shows before their iterations are kept
	err := e.loop(0)
	if e.count, e.steps = false, 0; err == nil {
		err = e.loop(0)
	}
	if errors.Is(err, errUnknown) {
		return false
	}
	if err != nil {
		b.report(err)
		s.expanded = true
		return true
	}
	s.iters, s.spans, s.n, s.expanded = e.iters, e.spans, e.n, true
	if b.total += e.n; b.total > maxIterations {
		b.errorAt(s.Span(), "the loops of the model run more than %d times", maxIterations)
		return true
	}
	if s.Assign != nil && s.left == 0 {
		s.left, s.done = s.n, make([]bool, s.n)
	}
	b.claim(s, e.dims)
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

type enumerator struct {
	b     *builder
	s     *Statement
	f     *frame
	iters []int32
	spans []int32
	dims  []int // largest indices on the left
	n     int
	steps int  // of the loops of all levels
	count bool // only count the steps
}

func (e *enumerator) loop(k int) error {
	if k == len(e.s.Loops) {
		if e.count {
			return nil
		}
		return e.iteration()
	}
	over := e.s.Loops[k].Node.Over
	r, ok := over.(*syntax.Range)
	if !ok {
		x, err := e.f.array(over)
		if err != nil {
			return err
		}
		for _, y := range x.v {
			n, err := asInteger(y, over, "a value of the loop variable "+e.s.Loops[k].Var)
			if err != nil {
				return err
			}
			e.f.at[k] = int32(n)
			if err := e.loop(k + 1); err != nil {
				return err
			}
		}
		return nil
	}
	lo, err := e.f.integer(r.From, "the lower bound of the loop over "+e.s.Loops[k].Var)
	if err != nil {
		return err
	}
	hi, err := e.f.integer(r.To, "the upper bound of the loop over "+e.s.Loops[k].Var)
	if err != nil {
		return err
	}
	if e.steps += max(hi-lo+1, 0); e.steps > maxIterations {
		return diag.Errorf(e.s.Span(), "the loops around this statement run more than %d times", maxIterations)
	}
	if e.count && k == len(e.s.Loops)-1 {
		return nil
	}
	for i := lo; i <= hi; i++ {
		e.f.at[k] = int32(i)
		if err := e.loop(k + 1); err != nil {
			return err
		}
	}
	return nil
}

func (e *enumerator) iteration() error {
	e.n++
	e.iters = append(e.iters, e.f.at...)
	v := e.s.v
	if e.dims == nil && len(v.Dims) > 0 {
		e.dims = append([]int(nil), v.Dims...)
	}
	idx := e.s.LHS.Indices
	if len(idx) == 0 && len(v.Dims) > 0 {
		if v.Len() != 1 {
			return diag.Errorf(e.s.LHS.Span(), "%s is an array", v.Name).WithFix("write %s[] for the whole of it, or give an index", v.Name)
		}
		for range v.Dims {
			e.spans = append(e.spans, 1, 1)
		}
	}
	for d, x := range idx {
		lo, hi, err := e.left(v, d, x)
		if err != nil {
			return err
		}
		e.spans = append(e.spans, int32(lo), int32(hi))
		e.dims[d] = max(e.dims[d], hi)
	}
	return nil
}

// left evaluates an index on the left, which may enlarge an array that the data
// do not give.
func (e *enumerator) left(v *Var, d int, x syntax.Expr) (lo, hi int, err error) {
	switch x := x.(type) {
	case *syntax.All:
		if !v.fixed {
			return 0, 0, diag.Errorf(x.Span(), "the extent of %s is not known on the left side", v.Name).
				WithFix("write the range, as in 1:n")
		}
		return 1, v.Dims[d], nil
	case *syntax.Range:
		if lo, err = e.f.integer(x.From, "an index of "+v.Name); err != nil {
			return 0, 0, err
		}
		hi, err = e.f.integer(x.To, "an index of "+v.Name)
	case *syntax.Call:
		return 0, 0, unsupported(x.Span(), "a vector as an index on the left side")
	default:
		lo, err = e.f.integer(x, "an index of "+v.Name)
		hi = lo
	}
	switch {
	case err != nil:
	case lo < 1:
		err = diag.Errorf(x.Span(), "index %d of %s is out of range: indices start at 1", lo, v.Name)
	case lo > hi:
		err = diag.Errorf(x.Span(), "the range %d:%d is empty", lo, hi)
	case hi > maxElements:
		err = diag.Errorf(x.Span(), "index %d of %s is too large", hi, v.Name)
	case v.fixed && hi > v.Dims[d] && v.declared():
		err = diag.Errorf(x.Span(), "index %d of %s is out of range: `var` declares %d", hi, v.Name, v.Dims[d])
	}
	return lo, hi, err
}

// declared reports dimensions that an index on the left may not enlarge: those of
// `var`. Data of fewer elements grow.
func (v *Var) declared() bool { return v.fixed && !anyTrue(v.given) }

func anyTrue(b []bool) bool {
	for _, x := range b {
		if x {
			return true
		}
	}
	return false
}

// claim enters who defines each element; a second definition is an error.
func (b *builder) claim(s *Statement, dims []int) {
	v := s.v
	total := 1
	for d := range dims {
		if total *= max(dims[d], 1); total > maxElements {
			b.errorAt(s.LHS.Span(), "%s would have more than %d elements", v.Name, maxElements)
			return
		}
	}
	for d := range dims {
		if dims[d] > v.Dims[d] {
			v.grow(dims)
			break
		}
	}
	for i := range s.n {
		b.m.elements(s, i, func(k int) {
			by := &v.stoch[k]
			if s.Assign != nil {
				by = &v.logical[k]
			}
			if by.stmt != 0 {
				b.twice(s, b.m.Statements[by.stmt-1], v, k)
				return
			}
			*by = origin{int32(s.Index + 1), int32(i)}
			if s.Assign != nil && v.given[k] && !s.InData {
				b.once(v.Name+" is data", func() {
					b.errorAt(s.LHS.Span(), "%s is given in the data and assigned here", v.ElemName(k)).
						WithFix("remove it from the data, or this statement").WithNote(v.At, "the data")
				})
			}
		})
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
		f := b.frame(s)
		for j := range s.n {
			it := j
			if !forward {
				it = s.n - 1 - j
			}
			if !s.done[it] && b.tryAssign(s, f, it) {
				changed = true
			}
		}
	}
	return changed
}

func (b *builder) tryAssign(s *Statement, f *frame, it int) bool {
	f.at = s.at(it)
	vals, err := f.assigned(s)
	if err != nil {
		var d *diag.Diagnostic
		if errors.As(err, &d) && b.settledAll(s) {
			b.report(err)
		}
		return false
	}
	n := 0
	b.m.elements(s, it, func(k int) {
		if n < len(vals) {
			s.v.Value[k], s.v.known[k] = vals[n], true
		}
		n++
	})
	if n != len(vals) {
		b.report(diag.Errorf(s.Span(), "%d values are assigned to %s", len(vals), plural(n, "element")))
		return false
	}
	s.done[it] = true
	s.left--
	return true
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
	for i := range x.v {
		x.v[i] = inverseLink(s.Assign.Link, x.v[i])
	}
	return x.v, err
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

// settledBut is settled as far as other statements than s go.
func (b *builder) settledBut(v *Var, s *Statement) bool {
	for _, t := range b.m.Statements {
		if t.v == v && !t.expanded && t != s {
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
		if v == nil || allTrue(v.known) && b.settled(v) {
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

func allTrue(b []bool) bool {
	for _, x := range b {
		if !x {
			return false
		}
	}
	return true
}
