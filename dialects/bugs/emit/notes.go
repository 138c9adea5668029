package emit

import (
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir"
)

// written makes a bugs.written of a statement.
func (e *Emitter) written(s *model.Statement) {
	why := "quantity"
	switch {
	case s.Iterations == 0:
		why = "never"
	case !s.Runs():
		why = "data"
	}
	c := e.Builder.Ctx()
	props := []ir.NamedAttr{{Name: "name", Value: c.StringAttr(s.Var.Name)}, {Name: "text", Value: c.StringAttr(model.SourceText(s.Source()))}, {Name: "why", Value: c.StringAttr(why)}}
	notes := e.Notes(s)
	for i, n := range notes {
		if n.Name == ops.TextAttr {
			notes = append(notes[:i:i], notes[i+1:]...)
			break
		}
	}
	e.Builder.Must(ir.Call{Def: ops.Written, Attr: c.Props(props, notes), Loc: ir.Loc(s.Span().Start + 1)})
}

// props are the attributes of the op of the statement that is emitted.
func (e *Emitter) props(props []ir.NamedAttr) ir.Attr {
	var notes []ir.NamedAttr
	if e.Notes != nil && e.exprs.stmt != nil {
		notes = e.Notes(e.exprs.stmt)
	}
	return e.Builder.Ctx().Props(props, notes)
}
