package roles_test

import (
	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// parents lists the unknown elements that an element depends on, by evaluating what
// its definition reads.
func parents(b *bind.Builder, e order.Element) []order.Element {
	s := order.Definer(b.Model, e)
	by := e.Var.AssignedBy(e.Elem)
	if s.Sample != nil {
		by = e.Var.DrawnBy(e.Elem)
	}
	f := eval.NewFrame(b.Model, s)
	f.At = s.At(int(by.Iter))
	var out []order.Element
	s.Refs(func(r *syntax.Ref, level int) {
		v := b.Model.Bindings[r].Var
		if r == s.LHS || v == nil || level != len(s.Loops) {
			return
		}
		_ = f.Each(r, v, true, func(k int) error { // depend met its errors
			if c := v.ClassAt(k); c == model.Logical || c == model.Parameter {
				out = append(out, order.Element{Var: v, Elem: k})
			}
			return nil
		})
	})
	return out
}
