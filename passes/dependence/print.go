package dependence

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
)

// String spells an access as people write it: x[i][0] is x[i,0].
func (a *Access) String() string {
	if len(a.Subs) == 0 {
		return a.Var.Name
	}
	parts := lists.Map(a.Subs, func(s Sub) string { return s.spell(a.Domain.Loops) })
	return a.Var.Name + "[" + strings.Join(parts, ",") + "]"
}

func (s Sub) spell(loops []*Loop) string {
	switch {
	case !s.Known:
		return "?"
	case s.Lo.Equal(s.Hi):
		return spell(s.Lo, loops)
	}
	return spell(s.Lo, loops) + ":" + spell(s.Hi, loops)
}

// spell writes an affine expression with the loops' own names.
func spell(a presburger.Sum, loops []*Loop) string {
	var b strings.Builder
	for _, t := range a.Terms {
		name := t.Var
		for _, l := range loops {
			if l.Index == t.Var && l.Name != "" {
				name = l.Name
			}
		}
		switch {
		case t.Times < 0:
			b.WriteString("-")
		case b.Len() > 0:
			b.WriteString("+")
		}
		if n := max(t.Times, -t.Times); n != 1 {
			fmt.Fprintf(&b, "%d*", n)
		}
		b.WriteString(name)
	}
	switch {
	case b.Len() == 0:
		return fmt.Sprint(a.Const)
	case a.Const != 0:
		fmt.Fprintf(&b, "%+d", a.Const)
	}
	return b.String()
}
