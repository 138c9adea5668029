package bind

import (
	"errors"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/ir/diag"
)

// assignAll computes the iterations of an assignment that have what they need; it
// reports whether there was one.
func (b *Builder) assignAll(s *model.Statement, forward bool) bool {
	if s.Var.ShapeOnly {
		return false // there is nowhere to put the values
	}
	f := eval.NewFrame(b.Model, s)
	if s.Compiled == nil && !s.Multi() {
		s.Compiled = (&eval.Compiler{Frame: f}).Number(s.Assign.RHS)
	}
	changed := false
	for j := range s.Iterations {
		it := j
		if !forward {
			it = s.Iterations - 1 - j
		}
		if s.Done.Has(it) {
			continue
		}
		s.Domain.At(it, f.At)
		if b.tryAssign(s, f, it) {
			changed = true
		}
		if b.Failed() {
			break
		}
	}
	return changed
}

// tryAssign computes one iteration.
func (b *Builder) tryAssign(s *model.Statement, f *eval.Frame, it int) bool {
	if s.Compiled != nil {
		switch x, st := s.Compiled(f.At); st {
		case model.NoValue:
			return false
		case model.Valued:
			var buf [16]int32
			k := 0
			for d, r := 0, s.Spans(it, f.At, buf[:0]); d < len(s.Var.Dims); d++ {
				k = k*s.Var.Dims[d] + int(r[2*d]) - 1
			}
			b.finish(s, it, k, function.InverseLink(s.Assign.Link, x))
			return true
		}
	}
	vals, err := f.Assigned(s)
	if err != nil {
		var d *diag.Diagnostic
		if errors.As(err, &d) && b.settledAll(s) {
			b.Report(err)
		}
		return false
	}
	n := 0
	b.Model.Elements(s, it, func(k int) {
		if n < len(vals) {
			s.Var.SetValue(k, vals[n])
		}
		n++
	})
	if n != len(vals) {
		b.Report(diag.Errorf(s.Span(), "%d values are assigned to %s", len(vals), model.Plural(n, "element")).
			WithFix("let the left side and the right side have one length"))
		return false
	}
	s.Done.Set(it)
	s.Pending--
	return true
}

func (b *Builder) finish(s *model.Statement, it, k int, x float64) {
	s.Var.SetValue(k, x)
	s.Done.Set(it)
	s.Pending--
}
