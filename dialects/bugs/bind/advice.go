package bind

import (
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// notNumbers refuses data that are NaN: what is missing is NA or null.
func (b *Builder) notNumbers(name string, a *syntax.Array) {
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
