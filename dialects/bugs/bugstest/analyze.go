package bugstest

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Analyze binds a model's statements to data in JSON.
func Analyze(t testing.TB, program, data string, dialect syntax.Dialect) (*model.Model, diag.List) {
	t.Helper()
	if !strings.Contains(program, "model") {
		program = "model {\n" + program + "\n}"
	}
	prog, list := syntax.Parse(diag.NewSource("m.bug", program), syntax.Options{Dialect: dialect})
	if list.Err() != nil {
		t.Fatal(list)
	}
	if data == "" {
		data = "{}"
	}
	d, list := input.ParseData(diag.NewSource("d.json", data), input.JSON)
	if list.Err() != nil {
		t.Fatal(list)
	}
	return bugs.Analyze(prog, d, bugs.Options{Dialect: dialect})
}

// MustAnalyze is Analyze of a model that is right.
func MustAnalyze(t testing.TB, program, data string) *model.Model {
	t.Helper()
	m, list := Analyze(t, program, data, syntax.BUGS)
	if list.Err() != nil {
		t.Fatal(list)
	}
	return m
}

// Bind is Analyze of a model that may be refused: nil where it is.
func Bind(t testing.TB, program, data string) *model.Model {
	t.Helper()
	m, list := Analyze(t, program, data, syntax.BUGS)
	if list.Err() != nil {
		return nil
	}
	return m
}
