package syntax

import (
	"sort"

	"github.com/irc-lang/irc/ir/diag"
)

// maxErrors is how many errors are shown of one text; later ones are mostly
// consequences of earlier ones.
const maxErrors = 20

// A reporter collects diagnostics, at most maxErrors errors and as many warnings.
type reporter struct {
	list             diag.List
	errors, warnings int
	cut              bool // the text ended inside a comment: what is missing is no news
}

// add keeps a diagnostic unless there are too many already.
func (r *reporter) add(d *diag.Diagnostic) {
	n := &r.errors
	if d.Severity != diag.Error {
		n = &r.warnings
	}
	*n++
	if *n <= maxErrors {
		r.list = append(r.list, d)
	} else if *n == maxErrors+1 {
		r.list = append(r.list, &diag.Diagnostic{Severity: diag.Note, Span: d.Span,
			Message: "more follow and are not shown"})
	}
}

// full says that further errors would not be shown.
func (r *reporter) full() bool { return r.errors > maxErrors }

// sorted returns the diagnostics in the order of their places.
func (r *reporter) sorted() diag.List {
	sort.SliceStable(r.list, func(i, j int) bool { return r.list[i].Span.Start < r.list[j].Span.Start })
	return r.list
}
