package bind

import (
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// notNumbers refuses data that are NaN: what is missing is NA or null.
func (b *Builder) notNumbers(name string, a *input.Array) {
	if a.AreNumbers() {
		return // the reader has looked
	}
	for k, x := range a.Values {
		if x != x && !a.IsMissing(k) {
			v := &model.Var{Name: name, Dims: a.Dims}
			b.ErrorAt(b.Data.Span(name), "%s is NaN in the data", v.ElemName(k)).
				WithFix("write null (NA in R) for a missing value")
			return
		}
	}
}

// without is the variable of the first loop around a statement that no index of what it
// defines depends on, "" if there is none.
func without(s *model.Statement) string {
	for _, l := range s.Loops {
		uses := false
		for _, e := range s.LHS.Indices {
			syntax.Walk(e, func(x syntax.Expr) bool {
				r, ok := x.(*syntax.Ref)
				uses = uses || ok && r.Name == l.Var
				return true
			})
		}
		if !uses {
			return l.Var
		}
	}
	return ""
}

// withIndex spells a reference with one more index.
func withIndex(r *syntax.Ref, index string) string {
	at := r.Span()
	if text, ok := strings.CutSuffix(at.Source.Text[at.Start:at.End], "]"); ok {
		return text + ", " + index + "]"
	}
	return r.Name + "[" + index + "]"
}
