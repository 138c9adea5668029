package loop

import (
	"context"
	"fmt"
	"os"
	"reflect"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/loop/tables"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/partwise"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/run/table"
	"github.com/irc-lang/irc/ir/text"
)

// A Program is a compiled query. It is for one goroutine.
type Program[R any] struct {
	e      engine.Engine
	p      engine.Program
	whole  *ir.Graph        // as the query says it
	low    *interp.Function // as it runs
	types  []ir.Type        // of the results
	inputs []input
	result result
	out    *plain
}

// CSV is an argument: the path of a table, of which the columns are read that the program
// reads.
type CSV string

// Text is the program as the query says it, as text of the dialect loop.
func (p *Program[R]) Text() string { return text.String(p.whole, text.PrintOptions{}) }

// Engine is what runs it, "llvm" or "eval".
func (p *Program[R]) Engine() string {
	name, _ := p.p.Engine()
	return name
}

// Close ends the program, and frees its engine, whose error it returns. It is called once.
func (p *Program[R]) Close() error { return p.e.Close() }

// Run runs the program: an argument for each input, a slice of structs or of plain values or a
// CSV file for rows, a plain value for a Param. Arguments are not kept. It is an error if
// they are not those of the inputs, in number and type, if a file cannot be read, or if the program traps.
func (p *Program[R]) Run(ctx context.Context, args ...any) (out R, err error) {
	flat, _, err := p.flatten(ctx, args)
	if err != nil {
		return out, err
	}
	vals, _, err := p.p.Call(ctx, entry, flat)
	if err != nil {
		return out, interp.WithPlace(p.whole.Ctx, err)
	}
	return p.read(vals)
}

// flatten takes arguments apart; at says where each begins.
func (p *Program[R]) flatten(ctx context.Context, args []any) (flat []ir.Val, at []int, err error) {
	if len(args) != len(p.inputs) {
		return nil, nil, fmt.Errorf("loop: the program has %d inputs, %s, and is given %d arguments", len(p.inputs), list(p.names()), len(args))
	}
	for i, in := range p.inputs {
		at = append(at, len(flat))
		vals, err := p.argument(ctx, in, args[i], len(flat))
		if err != nil {
			return nil, nil, err
		}
		flat = append(flat, vals...)
	}
	return flat, at, nil
}

func (p *Program[R]) names() []string {
	return lists.Map(p.inputs, func(in input) string { return in.name })
}

// argument makes the values of an argument, which are parameters from at on.
func (p *Program[R]) argument(ctx context.Context, in input, x any, at int) (out []ir.Val, err error) {
	err = mistakes(func() (err error) {
		out, err = p.values(ctx, in, x, at)
		return err
	})
	return out, err
}

func (p *Program[R]) values(ctx context.Context, in input, x any, at int) (out []ir.Val, err error) {
	c := p.whole.Ctx
	if !in.array {
		v := in.plain(reflect.TypeOf(x), false, fmt.Sprintf("the input %q", in.name)).scalar(reflect.ValueOf(x))
		out, _ = partwise.Flatten(c, []ir.Type{in.elem(c)}, []ir.Val{v})
		return out, nil
	}
	wants := in.wants()
	used := tables.Used(p.low.Graph, wants, p.low.Graph.Params(ir.Root)[at:])
	if path, ok := x.(CSV); ok {
		t, err := readCSV(ctx, string(path), tables.Chosen(wants, used))
		if err != nil {
			return nil, err
		}
		return tables.Parts(c, wants, used, t), nil
	}
	t := in.plain(reflect.TypeOf(x), true, fmt.Sprintf("the input %q", in.name)).columns(x, wants, used)
	return tables.Parts(c, wants, used, t), nil
}

func readCSV(ctx context.Context, path string, wants []table.Want) (*table.Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return table.ReadCSV(ctx, path, f, info.Size(), wants)
}

// read makes the plain result of values.
func (p *Program[R]) read(vals []ir.Val) (out R, err error) {
	at := reflect.ValueOf(&out).Elem()
	if p.result.array == nil {
		list, err := partwise.Unflatten(p.whole.Ctx, p.types, vals)
		if err == nil {
			err = p.out.set(at, list)
		}
		return out, err
	}
	t, err := tables.Of(p.whole.Ctx, p.types, vals)
	if err == nil {
		p.out.rows(at, t)
	}
	return out, err
}

// A Bound is a program with its arguments, which are where the program has them.
type Bound[R any] struct {
	p       *Program[R]
	b       *run.Binding
	at      []int
	changes []run.Change
}

// Bind keeps arguments for many runs, until Close; what Set does not change costs a run
// nothing. Its errors are those of Run about arguments.
func (p *Program[R]) Bind(ctx context.Context, args ...any) (*Bound[R], error) {
	flat, at, err := p.flatten(ctx, args)
	if err != nil {
		return nil, err
	}
	b, err := run.Bind(ctx, p.p, flat...)
	if err != nil {
		return nil, err
	}
	return &Bound[R]{p: p, b: b, at: at}, nil
}

// Set gives a Param, the input of this number, another value from the next run on. It is an error if the
// input is none, or has another type.
func (b *Bound[R]) Set(i int, x any) error {
	if i < 0 || i >= len(b.at) || b.p.inputs[i].array {
		return fmt.Errorf("loop: input %d is no Param: rows that are bound stay; bind others anew", i)
	}
	vals, err := b.p.argument(context.Background(), b.p.inputs[i], x, b.at[i])
	if err != nil {
		return err
	}
	for k, v := range vals {
		b.changes = append(b.changes, run.Set(b.at[i]+k, v))
	}
	return nil
}

// Run runs the program. The error is the trap of the program, with its place, or the end of ctx.
func (b *Bound[R]) Run(ctx context.Context) (out R, err error) {
	vals, _, err := b.b.Call(ctx, entry, b.changes...)
	b.changes = nil
	if err != nil {
		return out, interp.WithPlace(b.p.whole.Ctx, err)
	}
	return b.p.read(vals)
}

// Close ends the binding; the program can go on. The error is the engine's.
func (b *Bound[R]) Close(ctx context.Context) error { return b.b.Close(ctx) }
