package bugs

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// outOfRange is the error for an index without an element, with the iteration that
// it was met in.
func (f *frame) outOfRange(v *Var, at diag.Span, bad, size int) *diag.Diagnostic {
	d := diag.Errorf(at, "index %d of %s is out of range: the dimension has %s", bad, v.Name, plural(size, "element"))
	switch {
	case len(f.loops) == 0:
		d.WithFix("keep the index within 1 to %d, or give %s more elements", size, v.Name)
	case bad < 1:
		d.WithFix("indices start at 1: begin the loop later, or treat the first element apart")
	default:
		d.WithFix("end the loop earlier, or give %s more elements", v.Name)
	}
	if v.given.count > 0 && v.At.Source != nil {
		d.WithNote(v.At, "%s is given here, %s", v.Name, shapeOf(v.Dims))
	}
	return f.iteration(d)
}

// iteration notes the values of the loop variables.
func (f *frame) iteration(d *diag.Diagnostic) *diag.Diagnostic {
	var parts []string
	for k, l := range f.loops {
		if k < len(f.at) {
			parts = append(parts, fmt.Sprintf("%s = %d", l.Var, f.at[k]))
		}
	}
	if parts != nil {
		d.WithNote(diag.Span{}, "here %s", strings.Join(parts, ", "))
	}
	return d
}

// adviseInvalid says what to do about a distribution whose parameters have no meaning.
func (m *Model) adviseInvalid(d *diag.Diagnostic, s *Statement) *diag.Diagnostic {
	fixed := true
	for _, a := range s.rights() {
		fixed = fixed && m.fromData(a)
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

// notNumbers refuses data that are NaN: what is missing is NA or null.
func (b *builder) notNumbers(name string, a *syntax.Array) {
	if a.AreNumbers() {
		return // the reader has looked
	}
	for k, x := range a.Values {
		if x != x && !a.IsMissing(k) {
			v := &Var{Name: name, Dims: a.Dims}
			b.errorAt(b.data.Span(name), "%s is NaN in the data", v.ElemName(k)).
				WithFix("write null (NA in R) for a missing value")
			return
		}
	}
}

// shapeOf spells dimensions for a message.
func shapeOf(dims []int) string {
	switch len(dims) {
	case 0:
		return "a single number"
	case 1:
		return fmt.Sprintf("a vector of %d", dims[0])
	}
	parts := make([]string, len(dims))
	for i, n := range dims {
		parts[i] = fmt.Sprint(n)
	}
	return "an array of " + strings.Join(parts, " x ")
}

// indices spells an element of a variable with as many indices as it has dimensions.
func indices(v *Var) string {
	return v.Name + "[" + strings.Join([]string{"i", "j", "k", "l", "m", "n", "o", "p"}[:min(len(v.Dims), 8)], ", ") + "]"
}
