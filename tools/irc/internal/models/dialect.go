package models

import (
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// A reading is a program as one dialect reads it.
type reading struct {
	prog *syntax.Program
	m    *model.Model // nil with a syntax error
	list diag.List
}

func read(r cli.ModelRequest, name string, data *input.Data, dialect syntax.Dialect) *reading {
	x := &reading{}
	if x.prog, x.list = syntax.Parse(r.Source, syntax.Options{Dialect: dialect}); x.list.Err() != nil {
		return x
	}
	var more diag.List
	x.m, more = bugs.Analyze(x.prog, data, bugs.Options{Name: name, Dialect: dialect, Strict: r.Strict})
	x.list = append(x.list, more...)
	return x
}

// readAs reads a program in the dialect that the command line names. Without one it is
// BUGS, or JAGS if only that reads it; what neither reads is told of the dialect that
// gets further. A long program with an error is not read twice.
func readAs(r cli.ModelRequest, name string, data *input.Data) *reading {
	if r.Dialect == "jags" {
		return read(r, name, data, syntax.JAGS)
	}
	x := read(r, name, data, syntax.BUGS)
	first := firstError(x.list)
	if first == nil || r.Dialect != "" || r.Strict || len(r.Source.Text) > longest {
		return x
	}
	y := read(r, name, data, syntax.JAGS)
	other := firstError(y.list)
	switch {
	case other == nil:
		y.list = append(diag.List{{Severity: diag.Note, Span: first.Span, Message: "the model is read as JAGS, since as BUGS it has an error here: " + first.Message,
			Fix: "say -dialect=jags, or correct it with -dialect=bugs"}}, y.list...)
		return y
	case first.Error() == other.Error():
		if x.m == nil && !syntax.IsStan(r.Source) {
			first.WithNote(diag.Span{}, "read as BUGS; as JAGS (-dialect=jags) it has this error, too")
		}
		return x
	case y.m != nil && x.m == nil, (y.m != nil) == (x.m != nil) && first.Span.Source == other.Span.Source && first.Span.Start < other.Span.Start:
		other.WithNote(first.Span, "read as JAGS; as BUGS (-dialect=bugs): %s", first.Message)
		return y
	}
	first.WithNote(other.Span, "read as BUGS; as JAGS (-dialect=jags): %s", other.Message)
	return x
}

// longest is the length of a program up to which the dialect is guessed.
const longest = 1 << 18

func firstError(list diag.List) *diag.Diagnostic {
	for _, d := range list {
		if d.Severity == diag.Error {
			return d
		}
	}
	return nil
}
