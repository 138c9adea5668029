package engine

import (
	"context"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
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
		p := &evalProgram{}
		m, err := interp.New(g, interp.Options{Context: p, Fuel: e.o.Fuel, MemLimit: e.o.MemLimit,
			Output: func(x interp.Printed) {
				if e.o.Output != nil {
					e.o.Output(x)
					return
				}
				p.printed = append(p.printed, x)
			}})
		if err != nil {
			return nil, err
		}
		p.m = m
		out = append(out, p)
	}
	return out, nil
}

// evalProgram is a machine and, as the context that the machine looks at, that of
// the call under way.
type evalProgram struct {
	context.Context
	m       *interp.Machine
	printed []interp.Printed
}

func (p *evalProgram) Err() error {
	if p.Context == nil {
		return nil
	}
	return p.Context.Err()
}

func (p *evalProgram) Signature(name string) (in, out []ir.Type, err error) {
	f, err := p.m.Resolve(name)
	if err != nil {
		return nil, nil, err
	}
	return f.Params, f.Results, nil
}

func (p *evalProgram) Call(ctx context.Context, name string, args []ir.Val) ([]ir.Val, []interp.Printed, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	p.Context, p.printed = ctx, nil
	vals, err := p.m.Call(name, args)
	return vals, p.printed, err
}

func (p *evalProgram) Batch(ctx context.Context, calls []Call) ([]Result, error) {
	return inTurn(ctx, calls, p.Call)
}

// inTurn makes one call after the other.
func inTurn(ctx context.Context, calls []Call, call func(context.Context, string, []ir.Val) ([]ir.Val, []interp.Printed, error)) ([]Result, error) {
	out := make([]Result, len(calls))
	for i, c := range calls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i].Values, out[i].Printed, out[i].Err = call(ctx, c.Name, c.Args)
	}
	return out, nil
}

func (*evalProgram) Engine() (name, why string) { return "eval", "" }

func (p *evalProgram) Close() error { return nil }
