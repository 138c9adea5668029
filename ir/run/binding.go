package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

// A Binding is arguments for the functions of a program, whose memory the program keeps
// (see the package comment).
type Binding struct {
	p      Program
	args   []ir.Val
	kept   []*interp.Memory
	counts map[string]int // of the arguments of functions
	closed bool
}

// Bind keeps arguments with a program until Close. Arguments that are no memrefs are
// what calls take unless they Set another value.
func Bind(ctx context.Context, p Program, args ...ir.Val) (*Binding, error) {
	b := &Binding{p: p, counts: map[string]int{}}
	for i, v := range args {
		if err := b.Add(ctx, v); err != nil {
			return nil, errors.Join(fmt.Errorf("argument #%d: %w", i, err), b.Close(ctx))
		}
	}
	return b, nil
}

// Add binds one more argument, the last.
func (b *Binding) Add(ctx context.Context, v ir.Val) error {
	if r, ok := v.Ref.(*interp.MemRef); ok {
		if r.Buf.Freed {
			return errors.New("the memory was freed")
		}
		if err := b.p.Keep(ctx, r.Buf.Memory); err != nil {
			return err
		}
		b.kept = append(b.kept, r.Buf.Memory)
	}
	b.args = append(b.args, v)
	return nil
}

// Arg is a bound argument, as it was set last.
func (b *Binding) Arg(i int) ir.Val { return b.args[i] }

// Len is how many arguments are bound.
func (b *Binding) Len() int { return len(b.args) }

// A Change is what is different from the call before: Set or Wrote.
type Change struct {
	arg int
	val ir.Val
	set bool
}

// Set makes argument i another value, for this call and those that follow. Memory that
// is not bound is copied for each call that takes it.
func Set(i int, v ir.Val) Change { return Change{i, v, true} }

// Wrote tells that the memory of argument i was written to by the host.
func Wrote(i int) Change { return Change{arg: i} }

// A BoundCall asks for one run of a function on bound arguments.
type BoundCall struct {
	Name    string
	Args    []int // which; nil are the first, as many as the function has
	Changes []Change
}

// Call runs a function on bound arguments after the changes.
func (b *Binding) Call(ctx context.Context, name string, changes ...Change) ([]ir.Val, []interp.Printed, error) {
	args, err := b.take(BoundCall{Name: name, Changes: changes})
	if err != nil {
		return nil, nil, err
	}
	return b.p.Call(ctx, name, args)
}

// Batch runs calls in order, each after its changes and whatever became of those
// before. What the host wrote, it wrote before the first. Calls that cannot be made,
// for want of arguments, are an error before any runs.
func (b *Binding) Batch(ctx context.Context, calls []BoundCall) ([]Result, error) {
	list := make([]Call, len(calls))
	for i, c := range calls {
		args, err := b.take(c)
		if err != nil {
			return nil, err
		}
		list[i] = Call{c.Name, args}
	}
	return b.p.Batch(ctx, list)
}

// take makes the changes of a call and finds its arguments.
func (b *Binding) take(c BoundCall) ([]ir.Val, error) {
	if b.closed {
		return nil, errors.New("the binding is closed")
	}
	for _, x := range c.Changes {
		if x.arg < 0 || x.arg >= len(b.args) {
			return nil, fmt.Errorf("@%s: argument #%d changes, and %d are bound", c.Name, x.arg, len(b.args))
		}
		if x.set {
			b.args[x.arg] = x.val
		} else if r, ok := b.args[x.arg].Ref.(*interp.MemRef); ok {
			b.p.Wrote(r.Buf.Memory)
		}
	}
	if c.Args != nil {
		out := make([]ir.Val, len(c.Args))
		for k, i := range c.Args {
			if i < 0 || i >= len(b.args) {
				return nil, fmt.Errorf("@%s takes argument #%d, and %d are bound", c.Name, i, len(b.args))
			}
			out[k] = b.args[i]
		}
		return out, nil
	}
	n, err := b.count(c.Name)
	if err != nil {
		return nil, err
	}
	if n > len(b.args) {
		return nil, fmt.Errorf("@%s has %d arguments, and %d are bound", c.Name, n, len(b.args))
	}
	return append([]ir.Val(nil), b.args[:n]...), nil // a later call of the batch may set others
}

// count is how many arguments a function has.
func (b *Binding) count(name string) (int, error) {
	n, ok := b.counts[name]
	if !ok {
		in, _, err := b.p.Signature(name)
		if err != nil {
			return 0, err
		}
		n = len(in)
		b.counts[name] = n
	}
	return n, nil
}

// Fetch makes what calls have written to the memory of arguments seen here; without
// any, of all.
func (b *Binding) Fetch(ctx context.Context, args ...int) error {
	if len(args) == 0 {
		for _, m := range b.kept {
			if err := b.p.Fetch(ctx, m); err != nil {
				return err
			}
		}
		return nil
	}
	for _, i := range args {
		r, ok := b.args[i].Ref.(*interp.MemRef)
		if !ok {
			continue
		}
		if err := b.p.Fetch(ctx, r.Buf.Memory); err != nil {
			return err
		}
	}
	return nil
}

// Close brings the memory home and ends the binding. A second Close does nothing.
func (b *Binding) Close(ctx context.Context) error {
	errs := lists.Map(b.kept, func(m *interp.Memory) error { return b.p.Drop(ctx, m) })
	b.kept, b.closed = nil, true
	return errors.Join(errs...)
}
