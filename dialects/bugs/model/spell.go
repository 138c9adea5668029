package model

import (
	"fmt"
	"sort"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/lists"
)

// SpellShape spells dimensions for a message.
func SpellShape(dims []int) string {
	switch len(dims) {
	case 0:
		return "a single number"
	case 1:
		return fmt.Sprintf("a vector of %d", dims[0])
	}
	parts := lists.Map(dims, func(n int) string { return fmt.Sprint(n) })
	return "an array of " + strings.Join(parts, " x ")
}

// Spell writes an expression with loop variables as their depth.
func (m *Model) Spell(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Num:
		return fmt.Sprint(e.Value)
	case *syntax.Ref:
		bd := m.Bindings[e]
		if bd.Level > 0 {
			return fmt.Sprintf("$%d", bd.Level)
		}
		return e.Name + m.SpellAll("[", e.Indices, "]")
	case *syntax.Unary:
		return "(" + e.Op.String() + m.Spell(e.X) + ")"
	case *syntax.Binary:
		return "(" + m.Spell(e.X) + e.Op.String() + m.Spell(e.Y) + ")"
	case *syntax.Range:
		return "(" + m.Spell(e.From) + ":" + m.Spell(e.To) + ")"
	case *syntax.Call:
		return e.Name + m.SpellAll("(", e.Args, ")")
	}
	return "*"
}

// SpellIndices spells an element of a variable with as many indices as it has dimensions.
func SpellIndices(v *Var) string {
	return v.Name + "[" + strings.Join([]string{"i", "j", "k", "l", "m", "n", "o", "p"}[:min(len(v.Dims), 8)], ", ") + "]"
}

func (m *Model) SpellAll(open string, es []syntax.Expr, end string) string {
	parts := lists.Map(es, m.Spell)
	return open + strings.Join(parts, ",") + end
}

func SortedKeys[T any](m map[string]T) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// Single reports that an index picks one position.
func Single(e syntax.Expr) bool {
	switch e.(type) {
	case *syntax.All, *syntax.Range:
		return false
	}
	return true
}

func Plural(n int, what string) string {
	switch {
	case n == 0:
		return "no " + what
	case n == 1:
		return "1 " + what
	case what == "index":
		return fmt.Sprintf("%d indices", n)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
