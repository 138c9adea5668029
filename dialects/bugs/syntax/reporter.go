package syntax

import (
	"sort"

	"github.com/irc-lang/irc/ir/diag"
)

// A Reporter collects diagnostics, at most diag.MaxErrors errors and as many warnings.
type Reporter struct {
	List             diag.List
	Errors, warnings int
	cut              bool // the text ended inside a comment: what is missing is no news
}

// Add keeps a diagnostic unless there are too many already.
func (r *Reporter) Add(d *diag.Diagnostic) {
	n := &r.Errors
	if d.Severity != diag.Error {
		n = &r.warnings
	}
	*n++
	if *n <= diag.MaxErrors {
		r.List = append(r.List, d)
	} else if *n == diag.MaxErrors+1 {
		r.List = append(r.List, &diag.Diagnostic{Severity: diag.Note, Span: d.Span,
			Message: "more follow and are not shown"})
	}
}

// Full says that further errors would not be shown.
func (r *Reporter) Full() bool { return r.Errors > diag.MaxErrors }

// Sorted returns the diagnostics in the order of their places.
func (r *Reporter) Sorted() diag.List {
	sort.SliceStable(r.List, func(i, j int) bool { return r.List[i].Span.Start < r.List[j].Span.Start })
	return r.List
}
