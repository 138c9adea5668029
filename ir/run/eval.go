package run

import (
	"context"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Interpreted is a program that the interpreter runs: a machine and, as the context
// that the machine looks at, that of the call under way.
type Interpreted struct {
	context.Context
	m       *interp.Machine
	printed []interp.Printed
}

// Interpret makes a program of a graph, a parsed file or a module. The context of the
// options is that of each call, and without an Output calls return what is printed.
func Interpret(g *ir.Graph, o interp.Options) (*Interpreted, error) {
	p := &Interpreted{}
	o.Context = p
	if o.Output == nil {
		o.Output = func(x interp.Printed) { p.printed = append(p.printed, x) }
	}
	m, err := interp.New(g, o)
	p.m = m
	return p, err
}

// Err is that of the context of the call under way.
func (p *Interpreted) Err() error {
	if p.Context == nil {
		return nil
	}
	return p.Context.Err()
}

// Signature returns the types of a function.
func (p *Interpreted) Signature(name string) (in, out []ir.Type, err error) {
	f, err := p.m.Resolve(name)
	if err != nil {
		return nil, nil, err
	}
	return f.Params, f.Results, nil
}

// Call runs a function.
func (p *Interpreted) Call(ctx context.Context, name string, args []ir.Val) ([]ir.Val, []interp.Printed, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	p.Context, p.printed = ctx, nil
	vals, err := p.m.Call(name, args)
	for _, v := range vals {
		if r, ok := v.Ref.(*interp.MemRef); ok {
			p.m.Hand(r.Buf)
		}
	}
	return vals, p.printed, err
}

// Batch runs calls in order.
func (p *Interpreted) Batch(ctx context.Context, calls []Call) ([]Result, error) {
	return InTurn(ctx, p, calls)
}

// Heap is the machine's count of what it allocated.
func (p *Interpreted) Heap() interp.Heap { return p.m.Heap() }

// Engine is "eval".
func (*Interpreted) Engine() (name, why string) { return "eval", "" }

// Close does nothing: the collector takes it.
func (*Interpreted) Close() error { return nil }

// The interpreter works on the memory itself: nothing is to be kept or copied.

// Keep does nothing.
func (*Interpreted) Keep(context.Context, *interp.Memory) error { return nil }

// Drop does nothing.
func (*Interpreted) Drop(context.Context, *interp.Memory) error { return nil }

// Fetch does nothing.
func (*Interpreted) Fetch(context.Context, *interp.Memory) error { return nil }

// Wrote does nothing.
func (*Interpreted) Wrote(*interp.Memory) {}

// Copied is nothing.
func (*Interpreted) Copied() Copied { return Copied{} }
