package model

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// Multi reports a left side of several elements.
func (s *Statement) Multi() bool {
	return slices.ContainsFunc(s.LHS.Indices, func(x syntax.Expr) bool { return !Single(x) })
}

func (s *Statement) Source() syntax.Node {
	if s.Assign != nil {
		return s.Assign
	}
	return s.Sample
}

// SourceText is the text of a node on one line; that of a copy that byElement or
// byPosition made, which stands where its left side stands, is printed.
func SourceText(n syntax.Node) string {
	if a, ok := n.(*syntax.Assign); ok && a.LHS.At == a.At {
		return syntax.PrintExpr(a.LHS) + " <- " + syntax.PrintExpr(a.RHS)
	}
	at := n.Span()
	if at.Source == nil {
		return "?"
	}
	return strings.Join(strings.Fields(at.Source.Text[at.Start:at.End]), " ")
}

// Refs calls f for every name in the statement and in the bounds of its loops,
// with the number of loops whose variable is visible there.
func (s *Statement) Refs(f func(r *syntax.Ref, level int)) {
	walk := func(e syntax.Expr, level int) {
		syntax.Walk(e, func(e syntax.Expr) bool {
			if r, ok := e.(*syntax.Ref); ok {
				f(r, level)
			}
			return true
		})
	}
	for k, l := range s.Loops {
		walk(l.Node.Over, k)
	}
	f(s.LHS, 0)
	for _, x := range s.LHS.Indices {
		walk(x, len(s.Loops))
	}
	for _, e := range s.Rights() {
		walk(e, len(s.Loops))
	}
}

// Rights lists the expressions on the right side, bounds included.
func (s *Statement) Rights() []syntax.Expr {
	if s.Assign != nil {
		return []syntax.Expr{s.Assign.RHS}
	}
	out := append([]syntax.Expr(nil), s.Sample.Args...)
	if bd := s.Sample.Bound; bd != nil {
		if bd.Lower != nil {
			out = append(out, bd.Lower)
		}
		if bd.Upper != nil {
			out = append(out, bd.Upper)
		}
	}
	return out
}
