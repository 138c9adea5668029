package bugs

import (
	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// warnCuts tells of cut(x), which is for samplers: what depends on it is not to inform x,
// and there is no joint density whose conditionals do that. Here it is x.
func warnCuts(b *bind.Builder) {
	for _, s := range b.Model.Statements {
		for _, e := range s.Rights() {
			syntax.Walk(e, func(x syntax.Expr) bool {
				c, is := x.(*syntax.Call)
				if is && c.Name == "cut" && len(c.Args) == 1 && !eval.FromData(b.Model, c.Args[0]) && informs(b.Model, s) {
					b.Once("cut", func() { warnCut(b, c) })
				}
				return true
			})
		}
	}
}

// informs reports that a statement is part of the density of the parameters.
func informs(m *model.Model, s *model.Statement) bool {
	role, mixed := roles.OfStatement(m, s)
	return mixed || role != roles.GeneratedQuantity
}

func warnCut(b *bind.Builder, c *syntax.Call) {
	x := model.SourceText(c.Args[0])
	b.Warn(c.Span(), "cut(%s) is %s here: the density is the joint one, in which what depends on this informs %s", x, x, x).
		WithFix("draw %s from a model without what depends on it, and evaluate the rest at each draw with %s in the data", x, x)
}
