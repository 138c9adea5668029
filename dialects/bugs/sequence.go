package bugs

import (
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// Sequence is the sequential program as lines of text, for people: statements as
// they are written, in the loops and the order in which they run.
func (m *Model) Sequence() []string {
	var out []string
	sequenceOf(m.Order, "", &out)
	return out
}

func sequenceOf(items []Item, indent string, out *[]string) {
	for _, it := range items {
		if it.Loop == nil {
			*out = append(*out, indent+sourceOf(it.Stmt.node()))
			continue
		}
		l := it.Loop.Of.Loops[it.Loop.Level].Node
		*out = append(*out, indent+"for ("+l.Var+" in "+sourceOf(l.Over)+") {")
		sequenceOf(it.Loop.Body, indent+"  ", out)
		*out = append(*out, indent+"}")
	}
}

func (s *Statement) node() syntax.Node {
	if s.Assign != nil {
		return s.Assign
	}
	return s.Sample
}

// sourceOf is the text of a node on one line.
func sourceOf(n syntax.Node) string {
	at := n.Span()
	if at.Source == nil {
		return "?"
	}
	return strings.Join(strings.Fields(at.Source.Text[at.Start:at.End]), " ")
}
