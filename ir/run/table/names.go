package table

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir/diag"
)

// A BadName is a wanted column that a file lacks or has more than once.
type BadName struct {
	Want  Want
	Has   []string // the columns of the file
	Twice []int    // the first two of the name; nil if it has none
}

// Choose finds for each column of a file which of the wanted ones it is, or -1. No two of the
// wanted have one name.
func Choose(wants []Want, has []string) ([]int, *BadName) {
	plan := make([]int, len(has))
	for i := range plan {
		plan[i] = -1
	}
	for k, w := range wants {
		i := slices.Index(has, w.Name)
		if i < 0 {
			return nil, &BadName{Want: w, Has: has}
		}
		if j := slices.Index(has[i+1:], w.Name); j >= 0 {
			return nil, &BadName{w, has, []int{i, i + 1 + j}}
		}
		if plan[i] >= 0 {
			panic("table: column " + w.Name + " is wanted twice")
		}
		plan[i] = k
	}
	return plan, nil
}

// Diagnostic says what is wrong and which columns there are; at is the place of the names.
func (b *BadName) Diagnostic(file string, at diag.Span) *diag.Diagnostic {
	if b.Twice != nil {
		return diag.Errorf(at, "%s has two columns %q, the columns %d and %d", file, b.Want.Name, b.Twice[0]+1, b.Twice[1]+1).
			WithFix("give one of them another name")
	}
	d := diag.Errorf(at, "%s has no column %q; it has %s", file, b.Want.Name, list(b.Has))
	if near := diag.Nearest(b.Want.Name, b.Has); near != "" {
		return d.WithFix("did you mean %q?", near)
	}
	return d
}

// list spells names: "a", "b" and "c".
func list(names []string) string {
	out := ""
	for i, n := range names {
		switch {
		case i > 0 && i == len(names)-1:
			out += " and "
		case i > 0:
			out += ", "
		}
		out += fmt.Sprintf("%q", n)
	}
	return out
}
