package bugs

import (
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// element is one element of a variable.
type element struct {
	v *Var
	k int
}

func (e element) name() string { return e.v.ElemName(e.k) }

// definer is the statement that gives an element its value.
func (m *Model) definer(e element) *Statement {
	by := e.v.assignedBy(e.k)
	if e.v.ClassAt(e.k) == Parameter {
		by = e.v.drawnBy(e.k)
	}
	return m.Statements[by.stmt-1]
}

// rotated starts a cycle at its first element, by variables and storage.
func rotated(path []element) []element {
	first := 0
	for i, e := range path {
		f := path[first]
		if e.v.ID < f.v.ID || e.v.ID == f.v.ID && e.k < f.k {
			first = i
		}
	}
	return append(append([]element(nil), path[first:]...), path[:first]...)
}

// maxPath bounds what is shown of a cycle.
const maxPath = 12

// arrows writes a cycle as x[3] <- y[2] <- x[3].
func arrows(path []element) string {
	var names []string
	for i, e := range path {
		if i == maxPath {
			names = append(names, "...")
			break
		}
		names = append(names, e.name())
	}
	return strings.Join(append(names, path[0].name()), " <- ")
}

// addElements shows a cycle with its lines.
func (b *builder) addElements(d *diag.Diagnostic, path []element) {
	for i, e := range path {
		if i == maxPath {
			d.WithNote(diag.Span{}, "and %d more elements", len(path)-i)
			return
		}
		next := path[(i+1)%len(path)]
		d.WithNote(b.m.definer(e).Span(), "%s depends on %s", e.name(), next.name())
	}
}
