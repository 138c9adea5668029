package order

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/lists"
)

// Sequence is the sequential program as lines of text, for people: statements as
// they are written, in the loops and the order in which they run. A turn there is a round
// of an Interleaving, a level one of Wavefronts.
func Sequence(m *model.Model) []string {
	var out []string
	sequenceOf(m.Order, "", &out)
	return out
}

func sequenceOf(items []model.Item, indent string, out *[]string) {
	line := func(format string, args ...any) { *out = append(*out, indent+fmt.Sprintf(format, args...)) }
	for _, it := range items {
		switch {
		case it.Stmt != nil:
			line("%s", model.SourceText(it.Stmt.Source()))
		case it.Loop != nil:
			l := it.Loop.Of.Loops[it.Loop.Level].Node
			line("for (%s in %s) {", l.Var, over(it.Loop))
			sequenceOf(it.Loop.Body, indent+"  ", out)
			line("}")
		case it.Interleaving != nil:
			line("for (turn in %d:%d) {", it.Interleaving.Lo, it.Interleaving.Hi)
			for _, t := range it.Interleaving.Body {
				from := len(*out)
				sequenceOf(t.Body, indent+"  ", out)
				(*out)[from] += noteTurn(&t, it.Interleaving.Level)
			}
			line("}")
		case it.Wavefronts != nil:
			line("for (level in 1:%d) {", it.Wavefronts.Levels)
			for _, w := range it.Wavefronts.Parts {
				line("  %s%s", model.SourceText(w.Stmt.Source()), noteWave(&w))
			}
			line("}")
		}
	}
}

// over writes the values of a loop in the order in which it takes them.
func over(l *model.Block) string {
	over := l.Of.Loops[l.Level].Node.Over
	if r, ok := over.(*syntax.Range); ok && l.Reverse {
		return "(" + model.SourceText(r.To) + "):(" + model.SourceText(r.From) + ")"
	}
	return model.SourceText(over)
}

// noteTurn says what the loop variable is in a turn, as a comment.
func noteTurn(t *model.Interleaved, level int) string {
	if t.Once {
		return ""
	}
	var s *model.Statement
	model.EachStatement(t.Body, func(x *model.Statement) { s = x })
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

// noteWave says over which loop variables a level runs, as a comment.
func noteWave(w *model.Wavefront) string {
	if len(w.Stmt.Loops) == 0 {
		return ""
	}
	vars := lists.Map(w.Stmt.Loops, func(l *model.Loop) string { return l.Var })
	return fmt.Sprintf("  # for each (%s) of the level", strings.Join(vars, ", "))
}
