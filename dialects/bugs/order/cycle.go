package order

import (
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/ir/diag"
)

// Element is one element of a variable.
type Element struct {
	Var  *model.Var
	Elem int
}

func (e Element) Name() string { return e.Var.ElemName(e.Elem) }

// Definer is the statement that gives an element its value.
func Definer(m *model.Model, e Element) *model.Statement {
	by := e.Var.DrawnBy(e.Elem)
	if by.Stmt == 0 {
		by = e.Var.AssignedBy(e.Elem)
	}
	return m.Statements[by.Stmt-1]
}

// rotated starts a cycle at its first element, by variables and storage.
func rotated(path []Element) []Element {
	first := 0
	for i, e := range path {
		f := path[first]
		if e.Var.ID < f.Var.ID || e.Var.ID == f.Var.ID && e.Elem < f.Elem {
			first = i
		}
	}
	return append(append([]Element(nil), path[first:]...), path[:first]...)
}

// arrows writes a cycle as x[3] <- y[2] <- x[3].
func arrows(path []Element) string {
	var names []string
	for i, e := range path {
		if i == diag.MaxShown {
			names = append(names, "...")
			break
		}
		names = append(names, e.Name())
	}
	return strings.Join(append(names, path[0].Name()), " <- ")
}

// addElements shows a cycle with its lines.
func addElements(b *bind.Builder, d *diag.Diagnostic, path []Element) {
	for i, e := range path {
		if i == diag.MaxShown {
			d.WithNote(diag.Span{}, "and %d more elements", len(path)-i)
			return
		}
		next := path[(i+1)%len(path)]
		d.WithNote(Definer(b.Model, e).Span(), "%s depends on %s", e.Name(), next.Name())
	}
}
