package bugs

import (
	"errors"

	"github.com/irc-lang/irc/ir/diag"
)

// assignAll computes the iterations of an assignment that have what they need; it
// reports whether there was one.
func (b *builder) assignAll(s *Statement, forward bool) bool {
	if s.v.abstract {
		return false // there is nowhere to put the values
	}
	f := newFrame(b.m, s)
	if s.rhs == nil && !s.multi() {
		s.rhs = (&compiler{f}).number(s.Assign.RHS)
	}
	changed := false
	for j := range s.n {
		it := j
		if !forward {
			it = s.n - 1 - j
		}
		if s.done.has(it) {
			continue
		}
		s.dom.at(it, f.at)
		if b.tryAssign(s, f, it) {
			changed = true
		}
		if b.failed() {
			break
		}
	}
	return changed
}

// multi reports a left side of several elements.
func (s *Statement) multi() bool {
	for _, x := range s.LHS.Indices {
		if !single(x) {
			return true
		}
	}
	return false
}

// tryAssign computes one iteration.
func (b *builder) tryAssign(s *Statement, f *frame, it int) bool {
	if s.rhs != nil {
		switch x, st := s.rhs(f.at); st {
		case missing:
			return false
		case valued:
			var buf [16]int32
			k := 0
			for d, r := 0, s.span(it, f.at, buf[:0]); d < len(s.v.Dims); d++ {
				k = k*s.v.Dims[d] + int(r[2*d]) - 1
			}
			b.finish(s, it, k, inverseLink(s.Assign.Link, x))
			return true
		}
	}
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
			s.v.setValue(k, vals[n])
		}
		n++
	})
	if n != len(vals) {
		b.report(diag.Errorf(s.Span(), "%d values are assigned to %s", len(vals), plural(n, "element")).
			WithFix("let the left side and the right side have one length"))
		return false
	}
	s.done.set(it)
	s.left--
	return true
}

func (b *builder) finish(s *Statement, it, k int, x float64) {
	s.v.setValue(k, x)
	s.done.set(it)
	s.left--
}

// setValue makes an element known.
func (v *Var) setValue(k int, x float64) {
	switch {
	case v.Value == nil:
		v.Value = make([]float64, v.Len())
	case v.shared:
		v.Value = append([]float64(nil), v.Value...)
	}
	v.shared = false
	v.Value[k] = x
	v.known.set(k)
}
