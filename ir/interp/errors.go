package interp

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// A Failure says which op ended a run. Err is an *ir.Trap if the program did
// wrong, a *Budget if it ran out of one, an *Unsupported if we cannot run the op.
type Failure struct {
	Err      error    // why, without the place
	Op       string   // name of the op, "" if the run failed before its first op
	Locs     []ir.Loc // where it stands
	Function string   // its name, "" if none ran
	Callers  []string // functions under way, innermost first; at most maxCallers
}

const maxCallers = 16 // of a trace: a deep recursion shows its innermost calls

func (f *Failure) Error() string {
	var b strings.Builder
	b.WriteString(f.message())
	if f.Function != "" {
		fmt.Fprintf(&b, " in @%s", f.Function)
	}
	return b.String()
}

func (f *Failure) message() string {
	msg := strings.TrimPrefix(f.Err.Error(), f.Op+": ") // the op is named once
	if ir.IsTrap(f.Err) {
		msg = "trap: " + msg
	}
	if f.Op == "" {
		return msg
	}
	return fmt.Sprintf("'%s' op: %s", f.Op, msg)
}

// Unwrap returns what went wrong.
func (f *Failure) Unwrap() error { return f.Err }

// place is where the op stands in the source of Go or of another language, the first of its locations that has a file: "f.go:12", the
// name from the working directory where that is shorter. It is "" where none has one.
func (f *Failure) place(c *ir.Context) string {
	for _, l := range f.Locs {
		if l&ir.LocAttr == 0 {
			continue
		}
		file, rest, _ := strings.Cut(strings.TrimPrefix(c.LocText(l), `"`), `":`)
		line, _, _ := strings.Cut(rest, ":")
		if n, err := strconv.Atoi(line); err == nil {
			return diag.FileLine(file, n)
		}
	}
	return ""
}

// WithPlace is the error of a run behind the Place of the op that has ended it, where there is one.
func WithPlace(c *ir.Context, err error) error {
	var f *Failure
	if errors.As(err, &f) {
		if at := f.place(c); at != "" {
			return fmt.Errorf("%s: %w", at, err)
		}
	}
	return err
}

// IsTrap reports that the program did wrong.
func (f *Failure) IsTrap() bool { return ir.IsTrap(f.Err) }

// Diagnostic returns the failure at its place in the source, which may be nil.
func (f *Failure) Diagnostic(src *diag.Source) *diag.Diagnostic {
	d := diag.Errorf(diag.Span{}, "%s", f.Error())
	for _, l := range f.Locs {
		if src != nil && l != 0 && l&ir.LocAttr == 0 {
			d.Span = src.At(int(l) - 1)
			break
		}
	}
	if len(f.Callers) > 0 {
		d = d.WithNote(diag.Span{}, "called from @%s", strings.Join(f.Callers, ", @"))
	}
	var budget *Budget
	var missing *Unsupported
	switch {
	case errors.As(f.Err, &budget) && budget.Flag != "":
		d = d.WithFix("raise the limit with %s", budget.Flag)
	case errors.As(f.Err, &missing):
		d = d.WithFix("%s", missing.Fix)
	}
	var found *Violation
	if errors.As(f.Err, &found) {
		d = found.explain(d, src)
	}
	return d
}

// A Budget says that a run was stopped by a limit, not by what it did.
type Budget struct {
	What  string // "fuel", "memory" or "time"
	limit int64  // of fuel in ops, of memory in bytes; 0 for time
	Flag  string // the command-line option that sets it
	cause error  // of time: the context's error
}

func (b *Budget) Error() string {
	switch b.What {
	case "fuel":
		return fmt.Sprintf("stopped after %d ops: out of fuel", b.limit)
	case "memory":
		return fmt.Sprintf("stopped: more than %d bytes of memory wanted", b.limit)
	}
	return fmt.Sprintf("stopped: %v", b.cause)
}

// Unwrap returns the context's error.
func (b *Budget) Unwrap() error { return b.cause }

// Unsupported says that an op or function cannot be run.
type Unsupported struct {
	Reason, Fix string // what cannot be run, and what to do about it or ""
}

func (u *Unsupported) Error() string { return u.Reason }

// fail adds the place to an error of an op.
func (m *Machine) fail(err error, o *Op) error {
	if e, ok := err.(*ir.OpError); ok { // of a function that could not begin
		return e
	}
	if f, ok := err.(*Failure); ok {
		if f.Op == "" && f.Locs == nil { // a call that could not begin
			f.Op, f.Locs = o.Def.Name, o.G.LocsOf(o.V)
		}
		return f
	}
	f := &Failure{Err: err, Op: o.Def.Name, Locs: o.G.LocsOf(o.V)}
	if m.fn != nil {
		f.Function = m.fn.Name
	}
	return f
}
