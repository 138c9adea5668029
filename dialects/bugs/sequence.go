package bugs

import (
	"fmt"
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
	line := func(format string, args ...any) { *out = append(*out, indent+fmt.Sprintf(format, args...)) }
	for _, it := range items {
		switch {
		case it.Stmt != nil:
			line("%s", sourceOf(it.Stmt.node()))
		case it.Loop != nil:
			l := it.Loop.Of.Loops[it.Loop.Level].Node
			line("for (%s in %s) {", l.Var, it.Loop.over())
			sequenceOf(it.Loop.Body, indent+"  ", out)
			line("}")
		case it.Turns != nil:
			line("for (turn in %d:%d) {", it.Turns.Lo, it.Turns.Hi)
			for _, t := range it.Turns.Body {
				from := len(*out)
				sequenceOf(t.Body, indent+"  ", out)
				(*out)[from] += t.note(it.Turns.Level)
			}
			line("}")
		case it.Waves != nil:
			line("for (level in 1:%d) {", it.Waves.Levels)
			for _, w := range it.Waves.Parts {
				line("  %s%s", sourceOf(w.Stmt.node()), w.note())
			}
			line("}")
		}
	}
}

// over writes the values of a loop in the order in which it takes them.
func (l *Block) over() string {
	over := l.Of.Loops[l.Level].Node.Over
	if r, ok := over.(*syntax.Range); ok && l.Reverse {
		return "(" + sourceOf(r.To) + "):(" + sourceOf(r.From) + ")"
	}
	return sourceOf(over)
}

// note says what the loop variable is in a turn, as a comment.
func (t *Turn) note(level int) string {
	if t.Once {
		return ""
	}
	var s *Statement
	each(t.Body, func(x *Statement) { s = x })
	return "  # " + s.Loops[level].Var + " = " + linearText(t.Scale, t.Shift)
}

func linearText(scale, shift int) string {
	out := fmt.Sprintf("%d * turn", scale)
	switch {
	case scale == 1:
		out = "turn"
	case scale == -1:
		out = "-turn"
	}
	switch {
	case shift > 0:
		out += fmt.Sprintf(" + %d", shift)
	case shift < 0:
		out += fmt.Sprintf(" - %d", -shift)
	}
	return out
}

// note says how many iterations of a statement there are in its levels.
func (w *Wave) note() string {
	if len(w.Stmt.Loops) == 0 {
		return ""
	}
	vars := make([]string, len(w.Stmt.Loops))
	for d, l := range w.Stmt.Loops {
		vars[d] = l.Var
	}
	return fmt.Sprintf("  # for each (%s) of the level", strings.Join(vars, ", "))
}

func (s *Statement) node() syntax.Node {
	if s.Assign != nil {
		return s.Assign
	}
	return s.Sample
}

// sourceOf is the text of a node on one line; that of a copy that byElement or
// byPosition made, which stands where its left side stands, is printed.
func sourceOf(n syntax.Node) string {
	if a, ok := n.(*syntax.Assign); ok && a.LHS.At == a.At {
		return syntax.PrintExpr(a.LHS) + " <- " + syntax.PrintExpr(a.RHS)
	}
	at := n.Span()
	if at.Source == nil {
		return "?"
	}
	return strings.Join(strings.Fields(at.Source.Text[at.Start:at.End]), " ")
}
