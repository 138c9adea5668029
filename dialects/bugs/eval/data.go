package eval

import (
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// fromData reports that an expression reads nothing but data: the front end has
// then seen all of its values.
func FromData(m *model.Model, x syntax.Expr) bool {
	ok := true
	syntax.Walk(x, func(y syntax.Expr) bool {
		if r, is := y.(*syntax.Ref); is {
			if v := m.Bindings[r].Var; v != nil && (v.Has(model.Logical) || v.Has(model.Parameter) || v.ShapeOnly) {
				ok = false
			}
		}
		return ok
	})
	return ok
}
