package tensors

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp/partwise"
	"github.com/irc-lang/irc/ir/run/npy"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/differentiate"
)

// A Type is that of a parameter: its elements and extents, -1 for those that are open.
type Type struct {
	elem  ir.Type
	shape []int64
}

func (t Type) in(c *ir.Context) ir.Type {
	shape := slices.Clone(t.shape)
	for i, n := range shape {
		if n < 0 {
			shape[i] = ir.Dynamic
		}
	}
	return c.Tensor(shape, t.elem)
}

// A Program is what a function of tensors became.
type Program struct {
	g       *ir.Graph
	e       engine.Engine
	p       engine.Program
	in, out []ir.Type
	grad    *differentiate.Interface // of Grad
}

const entry = "main"

// Compile makes a program of a function; it takes tensors of the given types. The error says which
// op is given what it does not take, or what cannot be compiled.
func Compile(ctx context.Context, in []Type, f func(x ...Tensor) []Tensor) (*Program, error) {
	return CompileOn(ctx, engine.Auto, in, f)
}

// CompileOn is Compile for an engine: engine.Eval, engine.LLVM or engine.Auto. It is an error, too, where the engine is not there.
func CompileOn(ctx context.Context, kind *engine.Kind, in []Type, f func(x ...Tensor) []Tensor) (*Program, error) {
	p, err := programOf(in, f)
	if err != nil {
		return nil, err
	}
	return p.compiled(ctx, kind)
}

// programOf is a program that is not compiled.
func programOf(in []Type, f func(x ...Tensor) []Tensor) (*Program, error) {
	p, c := &Program{}, ir.NewContext(dialects.All...)
	for _, t := range in {
		p.in = append(p.in, t.in(c))
	}
	var err error
	if p.g, p.out, err = module(c, p.in, f); err != nil {
		return nil, fmt.Errorf("tensors: %w", err)
	}
	return p, nil
}

// compiled is the program on an engine.
func (p *Program) compiled(ctx context.Context, kind *engine.Kind) (_ *Program, err error) {
	var low *ir.Graph
	if p.e, _, err = kind.Start(ctx, engine.Options{}); err != nil {
		return nil, err
	}
	if low, err = lowering.Compile(ctx, p.g, p.e.Target()); err == nil {
		var list []engine.Program
		if list, err = p.e.Prepare(ctx, low); err == nil {
			p.p = list[0]
			return p, nil
		}
	}
	return nil, errors.Join(err, p.e.Close())
}

// Text is the program as MLIR writes it.
func (p *Program) Text() string { return text.String(p.g, text.PrintOptions{}) }

// Close ends the program, and frees its engine, whose error it returns. It is called once.
func (p *Program) Close() error { return p.e.Close() }

// Run runs the program on an array for each parameter, of its type and extents. It is an error if the arrays are not
// those, or if the program traps.
func (p *Program) Run(ctx context.Context, args ...*npy.Array) ([]*npy.Array, error) {
	if len(args) != len(p.in) {
		return nil, fmt.Errorf("tensors: the program takes %d arrays, not %d", len(p.in), len(args))
	}
	c := p.g.Ctx
	vals := make([]ir.Val, len(args))
	for i, a := range args {
		v, err := a.Tensor(c, p.in[i])
		if err != nil {
			return nil, fmt.Errorf("tensors: argument %d %w", i, err)
		}
		vals[i] = v
	}
	flat, _ := partwise.Flatten(c, p.in, vals)
	if p.grad != nil {
		return p.derivatives(ctx, flat)
	}
	results, _, err := p.p.Call(ctx, entry, flat)
	if err != nil {
		return nil, err
	}
	return arrays(c, p.out, results)
}

// arrays are the tensors that a program gives, of their parts.
func arrays(c *ir.Context, types []ir.Type, parts []ir.Val) ([]*npy.Array, error) {
	whole, err := partwise.Unflatten(c, types, parts)
	if err != nil {
		return nil, err
	}
	out := make([]*npy.Array, len(whole))
	for i, v := range whole {
		if out[i], err = npy.Of(c, types[i], v); err != nil {
			return nil, err
		}
	}
	return out, nil
}
