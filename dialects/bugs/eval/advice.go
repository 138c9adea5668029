package eval

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/ir/diag"
)

// outOfRange is the error for an index without an element, with the iteration that
// it was met in.
func (f *Frame) outOfRange(v *model.Var, at diag.Span, bad, size int) *diag.Diagnostic {
	d := diag.Errorf(at, "index %d of %s is out of range: the dimension has %s", bad, v.Name, model.Plural(size, "element"))
	switch {
	case len(f.Loops) == 0:
		d.WithFix("keep the index within 1 to %d, or give %s more elements", size, v.Name)
	case bad < 1:
		d.WithFix("indices start at 1: begin the loop later, or treat the first element apart")
	default:
		d.WithFix("end the loop earlier, or give %s more elements", v.Name)
	}
	if v.Given.Count > 0 && v.At.Source != nil {
		d.WithNote(v.At, "%s is given here, %s", v.Name, model.SpellShape(v.Dims))
	}
	return f.iteration(d)
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

// adviseInvalid says what to do about a distribution whose parameters have no meaning.
func adviseInvalid(m *model.Model, d *diag.Diagnostic, s *model.Statement) *diag.Diagnostic {
	fixed := true
	for _, a := range s.Rights() {
		fixed = fixed && FromData(m, a)
	}
	switch {
	case strings.Contains(d.Message, "; the order is"):
		var order string
		d.Message, order, _ = strings.Cut(d.Message, "; ")
		d.WithFix("%s: exchange the two, or correct the values", order)
	case fixed:
		d.WithFix("the parameters follow from the data alone: correct these")
	default:
		d.WithFix("start from other values, or take priors that exclude such ones")
	}
	return d
}
