package models

import (
	"context"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering/density"
)

// native runs compiled densities on an engine of the backends.
type native struct {
	ctx  context.Context
	e    engine.Engine
	name string // of what runs the program, once it is loaded
	runs func(engine.Program)
}

func (n *native) Name() string { return n.name }

// Load prepares the module and the memory of its arguments.
func (n *native) Load(g *ir.Graph, setup, name string, args []density.Arg) (density.Func, error) {
	frame, err := density.NewFrame(args)
	if err != nil {
		return nil, err
	}
	ps, err := n.e.Prepare(n.ctx, g)
	if err != nil {
		return nil, err
	}
	n.name, _ = ps[0].Engine()
	if n.runs != nil {
		n.runs(ps[0])
	}
	if setup != "" {
		frame.In()
		if _, _, err := ps[0].Call(n.ctx, setup, frame.Vals); err != nil {
			return nil, err
		}
	}
	return &function{ctx: n.ctx, p: ps[0], name: name, frame: frame}, nil
}

type function struct {
	ctx   context.Context
	p     engine.Program
	name  string
	frame *density.Frame
}

// Call runs the function on the memory of the arguments.
func (f *function) Call() (density.Outcome, error) {
	f.frame.In()
	out, _, err := f.p.Call(f.ctx, f.name, f.frame.Vals)
	if err != nil {
		return density.Outcome{}, err
	}
	return density.OutcomeOf(out), nil
}

func (f *function) Close() error { return f.p.Close() }
