package vet

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass"
)

// A Program is what is checked: all dialects and passes of an irc, since they must go together.
type Program struct {
	Dialects []*ir.Dialect
	Passes   pass.List
	// Compiles tells an op that is compiled or lowered on the way there; nil if none is.
	Compiles func(*ir.Dialect, *ir.OpDef) bool
	// Whole says that the process has these dialects alone, as a command has: an op that is defined and that none of
	// them lists was forgotten.
	Whole bool
}

// A Mistake is what an author got wrong, in a dialect or a pass. Its Diagnostic stands at the author's Go where that
// is known, or in the format.
type Mistake struct {
	Dialect, Op, Pass string
	*diag.Diagnostic
}

// A check is a row of what is looked at.
type check struct {
	right string // what is right
	find  func(*finder)
}

// DialectRules are the sentences of what CheckDialects looks at.
func DialectRules() []string { return sentences(slices.Concat(dialectChecks, opChecks)) }

// PassRules are the sentences of what CheckPasses looks at.
func PassRules() []string { return sentences(passChecks) }

func sentences(checks []check) []string {
	return lists.Map(checks, func(c check) string { return c.right })
}

// finder is what a check is given: the dialect, its op or the pass that it looks at, among all others.
type finder struct {
	*Program
	d    *ir.Dialect
	op   *ir.OpDef
	pass *pass.Info

	found   []Mistake
	known   *known
	joining map[*ir.OpDef]bool // of the dialect; see joins
}

// CheckDialects finds the mistakes of some dialects. There are warnings about a dialect once it has no errors.
func (p Program) CheckDialects(of func(*ir.Dialect) bool) []Mistake {
	f := &finder{Program: &p, known: p.know()}
	for _, d := range p.Dialects {
		if !of(d) {
			continue
		}
		f.d, f.op, f.joining = d, nil, nil
		before := len(f.found)
		f.run(dialectChecks)
		for i, op := range d.Ops {
			if op != nil && !slices.Contains(d.Ops[:i], op) {
				f.op = op
				f.run(opChecks)
			}
		}
		f.found = append(f.found[:before], heaviest(f.found[before:])...)
	}
	return f.found
}

// Errors joins the mistakes that are errors, in one error; nil if there are none.
func Errors(list []Mistake) error {
	var out []error
	for _, m := range list {
		if m.Severity == diag.Error {
			out = append(out, m.Diagnostic)
		}
	}
	return errors.Join(out...)
}

// heaviest are the errors; the warnings if there are none.
func heaviest(list []Mistake) []Mistake {
	heavy := lists.Filter(list, func(m Mistake) bool { return m.Severity == diag.Error })
	if len(heavy) == 0 {
		return list
	}
	return heavy
}

// CheckPasses finds the mistakes of some passes.
func (p Program) CheckPasses(of func(*pass.Info) bool) []Mistake {
	f := &finder{Program: &p, known: p.know()}
	for _, row := range p.Passes {
		if of(row) {
			f.pass = row
			before := len(f.found)
			f.run(passChecks)
			f.found = append(f.found[:before], heaviest(f.found[before:])...)
		}
	}
	return f.found
}

// Start finds what no run may begin with, and costs next to nothing: names that are taken twice or cannot be read, and
// rows of which the part is missing that is asked for at once.
func (p Program) Start() []Mistake {
	f := &finder{Program: &p, known: &known{}}
	for _, d := range p.Dialects {
		f.d, f.op = d, nil
		f.twoDialects()
		f.shapes()
		f.folds()
		f.typeLowerings()
		for i := range d.Ops {
			f.nilOp(i)
			if f.op = d.Ops[i]; f.op != nil {
				f.prefix()
			}
			f.op = nil
		}
	}
	f.d, f.op = nil, nil
	seen := make(map[string]bool, len(p.Passes))
	for _, row := range p.Passes {
		if f.pass = row; seen[row.Name] {
			f.twoPasses()
		}
		seen[row.Name] = true
	}
	return f.found
}

func (f *finder) run(rows []check) {
	for _, c := range rows {
		c.find(f)
	}
}

// wrong notes a mistake of what is looked at; at is a function of the author near it, or nil.
func (f *finder) wrong(at any, format string, args ...any) *diag.Diagnostic {
	return f.note(diag.Errorf(place(at), format, args...))
}

// warn notes what may be meant.
func (f *finder) warn(at any, format string, args ...any) *diag.Diagnostic {
	return f.note(diag.Warningf(place(at), format, args...))
}

// note enters a diagnostic of what is looked at, and says of what it is.
func (f *finder) note(d *diag.Diagnostic) *diag.Diagnostic {
	m := Mistake{Diagnostic: d}
	switch {
	case f.pass != nil:
		m.Pass = f.pass.Name
		d.Message = fmt.Sprintf("pass %s: %s", m.Pass, d.Message)
	case f.op != nil:
		m.Dialect, m.Op = f.d.Name, f.op.Name
		d.Message = fmt.Sprintf("dialect %s, op %s: %s", m.Dialect, m.Op, d.Message)
	default:
		m.Dialect = f.d.Name
		d.Message = fmt.Sprintf("dialect %s: %s", m.Dialect, d.Message)
	}
	f.found = append(f.found, m)
	return d
}

// own is the part of a name behind the dialect's prefix.
func own(d *ir.Dialect, name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, d.Name)
	if !ok || len(rest) < 2 || rest[0] != '.' {
		return "", false
	}
	return rest[1:], true
}
