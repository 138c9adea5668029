package engine

import (
	"context"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/race"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
)

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
		o := interp.Options{Fuel: e.o.Fuel, MemLimit: e.o.MemLimit, Output: e.o.Output}
		if e.o.Races {
			c := race.New(memref.IsAtomic)
			o.Watch, o.Wrap = c, c.Wrap
		}
		p, err := run.Interpret(g, o)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}
