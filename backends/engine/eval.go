package engine

import (
	"context"
	"errors"

	"github.com/irc-lang/irc/dialects/device/simt"
	"github.com/irc-lang/irc/dialects/device/transfers"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/race"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
)

// checkedProgram is one whose transfers are checked.
type checkedProgram struct {
	*run.Interpreted
	moves *transfers.Checker
}

// TransfersOf returns what a program has moved to a device and back up to now, and false for one that was not
// prepared with Options.Transfers.
func TransfersOf(p Program) (transfers.Counts, bool) {
	c, ok := p.(*checkedProgram)
	if !ok {
		return transfers.Counts{}, false
	}
	return c.moves.Counts(), true
}

// watchedProgram is one whose kernels are.
type watchedProgram struct {
	*run.Interpreted
	kernels *simt.Checker
}

// KernelsOf returns what kernels have asked of memory up to now, and false for a program that was not prepared with
// Options.Kernels.
func KernelsOf(p Program) (simt.Counts, bool) {
	c, ok := p.(*watchedProgram)
	if !ok {
		return simt.Counts{}, false
	}
	return c.kernels.Counts(), true
}

// evalEngine runs the interpreter.
type evalEngine struct{ o Options }

func (*evalEngine) Name() string { return "eval" }

func (e *evalEngine) Target() *target.Target {
	if t := e.o.Target; t != nil && t.Kind == target.Interpreter {
		return t
	}
	return target.Interp()
}

func (*evalEngine) Close() error { return nil }

func (e *evalEngine) Prepare(_ context.Context, graphs ...*ir.Graph) ([]Program, error) {
	var out []Program
	for _, g := range graphs {
		if err := CheckExternals(g, e.o.Externs); err != nil {
			return nil, err
		}
		o := interp.Options{Fuel: e.o.Fuel, MemLimit: e.o.MemLimit, Output: e.o.Output, Extern: e.o.InGo}
		var moves *transfers.Checker
		var kernels *simt.Checker
		switch {
		case e.o.Races && e.o.Transfers || e.o.Kernels && (e.o.Races || e.o.Transfers):
			return nil, errors.New("a run is checked for races, for transfers or for kernels, not for several at once")
		case e.o.Kernels:
			kernels = simt.New()
			o.Watch, o.Wrap = kernels, kernels.Wrap
		case e.o.Races:
			c := race.New(memref.IsAtomic)
			o.Watch, o.Wrap = c, c.Wrap
		case e.o.Transfers:
			moves = transfers.New()
			o.Watch, o.Wrap = moves, moves.Wrap
		}
		p, err := run.Interpret(g, o)
		if err != nil {
			return nil, err
		}
		switch {
		case moves != nil:
			out = append(out, &checkedProgram{p, moves})
		case kernels != nil:
			out = append(out, &watchedProgram{p, kernels})
		default:
			out = append(out, p)
		}
	}
	return out, nil
}
