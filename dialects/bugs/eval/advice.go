package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// outOfRange is the error for an index without an element, with the iteration that
// it was met in.
func (f *Frame) outOfRange(v *model.Var, at syntax.Expr, bad, size int) *diag.Diagnostic {
	d := diag.Errorf(at.Span(), "index %d of %s is out of range: the dimension has %s", bad, v.Name, model.Plural(size, "element"))
	from, read, drawn := f.readIndex(at)
	switch {
	case drawn != "":
		d.Message += ": " + from
		d.WithFix("give %s another value, from 1 to %d", drawn, size)
	case read:
		d.Message += ": " + from
		d.WithFix("correct the data, or give %s more elements", v.Name)
	case len(f.Loops) == 0:
		d.WithFix("keep the index within 1 to %d, or give %s more elements", size, v.Name)
	case bad < 1:
		d.WithFix("indices start at 1: begin the loop later, or treat the first element apart")
	default:
		d.WithFix("end the loop earlier, or give %s more elements", v.Name)
	}
	if v.FromFile.Count > 0 && v.At.Source != nil {
		d.WithNote(v.At, "%s is given here, %s", v.Name, model.SpellShape(v.Dims))
	}
	return f.iteration(d)
}

// readIndex names the first element of the data, or of the parameters, that an index is
// computed from; drawn is that of a parameter.
func (f *Frame) readIndex(index syntax.Expr) (what string, ok bool, drawn string) {
	syntax.Walk(index, func(e syntax.Expr) bool {
		r, is := e.(*syntax.Ref)
		if !is || ok {
			return !ok
		}
		v := f.Model.Bindings[r].Var
		if v == nil || v.FromFile.Count == 0 && !v.Has(model.Parameter) || len(r.Indices) != len(v.Dims) {
			return true
		}
		if k, err := f.Element(r, v); err == nil {
			parameter := v.ClassAt(k) == model.Parameter
			if x, err := f.Scalar(r); err == nil && (parameter || len(r.Indices) > 0) {
				if what, ok = fmt.Sprintf("%s is %v", v.ElemName(k), x), true; parameter {
					drawn = v.ElemName(k)
				}
			}
		}
		return !ok
	})
	return what, ok, drawn
}

// iteration notes the values of the loop variables.
func (f *Frame) iteration(d *diag.Diagnostic) *diag.Diagnostic {
	var parts []string
	for k, l := range f.Loops {
		if k < len(f.At) {
			parts = append(parts, fmt.Sprintf("%s = %d", l.Var, f.At[k]))
		}
	}
	if parts != nil {
		d.WithNote(diag.Span{}, "here %s", strings.Join(parts, ", "))
	}
	return d
}

// adviseInvalid says what to do about a distribution whose parameters have no meaning;
// number is the one that no initial value mends, "" if there is none.
func adviseInvalid(m *model.Model, d *diag.Diagnostic, s *model.Statement, number string) *diag.Diagnostic {
	fixed := true
	for _, a := range s.Rights() {
		fixed = fixed && FromData(m, a)
	}
	literal := true
	for _, a := range s.Rights() {
		literal = literal && !hasNames(a)
	}
	message, hint, hinted := strings.Cut(d.Message, "; ")
	d.Message = message
	switch {
	case strings.HasPrefix(hint, "the order is"):
		d.WithFix("%s: exchange the two, or correct the values", hint)
	case strings.HasSuffix(message, "cut points must ascend") && FromData(m, s.Sample.Args[1]):
		d.WithFix("correct the cut points: each must be above the one before it")
	case (literal || number != "") && hinted:
		d.WithFix("%s", hint)
	case number != "":
		d.WithFix("write another number in place of %s", number)
	case literal:
		d.WithFix("correct the numbers")
	case fixed:
		d.WithFix("the parameters follow from the data alone: correct these")
	default:
		d.WithFix("start from other values, or take priors that exclude such ones")
	}
	return d
}

// wrongNumber is the text of the parameter without meaning if it is a number in the program: the one that
// is wrong whatever the others are, and without which that is not said.
func wrongNumber(s *model.Statement, p []float64, why string) string {
	for i, a := range s.Sample.Args {
		if i >= len(p) || hasNames(a) {
			continue
		}
		without, alone := slices.Clone(p), slices.Repeat([]float64{1}, len(p))
		without[i], alone[i] = 1, p[i]
		if wrong := s.Dist.Law.Wrong; wrong(p) == why && wrong(alone) == why && wrong(without) != why {
			return model.SourceText(a)
		}
	}
	return ""
}

// hasNames reports an expression that reads something.
func hasNames(e syntax.Expr) (yes bool) {
	syntax.Walk(e, func(x syntax.Expr) bool {
		_, is := x.(*syntax.Ref)
		yes = yes || is
		return !yes
	})
	return yes
}

// blame says of a parameter without meaning that it comes from an initial value whose own
// density is 0, if it does.
func (r *Runner) blame(d *diag.Diagnostic, s *model.Statement) *diag.Diagnostic {
	for _, z := range r.impossible {
		if dependsOn(r.Model, s, z.Var) {
			return d.WithFix("give %s another initial value: it is %v, and its own density is 0 there", z.Var.ElemName(z.Elem), r.Frame.Store[z.Var.ID][z.Elem])
		}
	}
	return d
}

// dependsOn reports that a statement reads a variable, or what is computed from it.
func dependsOn(m *model.Model, s *model.Statement, v *model.Var) bool {
	seen := map[*model.Var]bool{}
	var reads func(s *model.Statement) bool
	reads = func(s *model.Statement) (found bool) {
		for _, e := range s.Rights() {
			syntax.Walk(e, func(x syntax.Expr) bool {
				r, is := x.(*syntax.Ref)
				if !is || found {
					return !found
				}
				w := m.Bindings[r].Var
				if found = w == v && w != nil; found || w == nil || seen[w] {
					return !found
				}
				seen[w] = true
				for _, t := range m.Statements {
					found = found || t.Assign != nil && t.Var == w && reads(t)
				}
				return !found
			})
		}
		return found
	}
	return reads(s)
}
