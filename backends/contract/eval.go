package contract

import (
	"context"
	"fmt"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/race"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
)

// A Check is something that the interpreter looks for while it runs a program.
type Check struct {
	Name string // of the flag: -check-NAME
	New  func() Checker
}

// A Checker watches the runs of one program.
type Checker interface {
	interp.Watcher
	Wrap(def *ir.OpDef, f interp.Func) interp.Func
}

// Races stops a run at a race of a parallel loop.
var Races = &Check{Name: "races", New: func() Checker { return race.New(memref.IsAtomic) }}

// checkedProgram is one whose runs are checked.
type checkedProgram struct {
	*run.Interpreted
	checker Checker
}

// Stats says what was counted up to now, "" for nothing.
func (p *checkedProgram) Stats() string {
	if c, ok := p.checker.(fmt.Stringer); ok {
		return c.String()
	}
	return ""
}

// Interpreter is the engine of Eval.
type Interpreter struct{ o Options }

// NewInterpreter makes one for an engine that falls back on it.
func NewInterpreter(o Options) *Interpreter { return &Interpreter{o: o} }

// Name is that of Eval.
func (*Interpreter) Name() string { return "eval" }

// Target is that of the options, if it is an interpreter.
func (e *Interpreter) Target() *target.Target {
	if t := e.o.Target; t != nil && t.Kind == target.Interpreter {
		return t
	}
	return target.Interp()
}

// Close ends nothing.
func (*Interpreter) Close() error { return nil }

// Prepare takes programs as they are.
func (e *Interpreter) Prepare(_ context.Context, graphs ...*ir.Graph) ([]Program, error) {
	var out []Program
	for _, g := range graphs {
		if err := CheckExternals(g, e.o.Externs); err != nil {
			return nil, err
		}
		o := interp.Options{Fuel: e.o.Fuel, MemLimit: e.o.MemLimit, Output: e.o.Output, Extern: e.o.InGo}
		var checker Checker
		if e.o.Check != nil {
			checker = e.o.Check.New()
			o.Watch, o.Wrap = checker, checker.Wrap
		}
		p, err := run.Interpret(g, o)
		if err != nil {
			return nil, err
		}
		if checker != nil {
			out = append(out, &checkedProgram{p, checker})
		} else {
			out = append(out, p)
		}
	}
	return out, nil
}

// What some engines tell of themselves and of their programs.

// A Holding is what holds native code in.
type Holding struct {
	Filter bool // it may call the system for little else than memory
	Text   string
}

// HoldingOf says what holds the native code of an engine in, and false for others.
func HoldingOf(e Engine) (Holding, bool) {
	if h, ok := e.(interface{ Holding() (Holding, bool) }); ok {
		return h.Holding()
	}
	return Holding{}, false
}

// StatsOf says what a program has counted up to now, "" for nothing.
func StatsOf(p Program) string {
	if c, ok := p.(interface{ Stats() string }); ok {
		return c.Stats()
	}
	return ""
}

// Uncompiled is why a program is interpreted although there is what compiles others; nil
// if it is not.
func Uncompiled(p Program) error {
	if c, ok := p.(interface{ Refused() error }); ok {
		return c.Refused()
	}
	return nil
}
