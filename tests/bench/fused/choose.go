package fused

import (
	"context"
	"errors"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/fusion"
)

// Sizes that programs are tried at, and what they may take there: a program with so many steps for each
// element does something with its inputs and ends. One whose steps do not more than double with its inputs
// does not go through pairs of elements.
const (
	small, large = 500, 1000
	least, most  = 20, 1500
	growth       = 2.3
)

// read is the program of a seed.
func read(c *ir.Context, seed uint64) (*ir.Graph, error) {
	return fusion.Parse(c, fusion.New(c, seed, fusion.Options{Silent: true}), false)
}

// Fits reports a program whose work grows with its inputs, no faster than they do, and
// that fusion changes. Both ways are to where the interpreter takes programs over.
func Fits(ctx context.Context, seed uint64, to [ways]*target.Target) (bool, error) {
	c := ir.NewContext(dialects.All...)
	g, err := read(c, seed)
	if err != nil {
		return false, err
	}
	only := *target.Interp()
	only.Pipeline = fusion.Fuse
	n, err := lowering.Compile(ctx, g, &only)
	if err != nil || fusion.Loops(n) >= fusion.Loops(g) {
		return false, err
	}
	for _, t := range to {
		low, err := lowering.Compile(ctx, g, t)
		if err != nil {
			return false, err
		}
		a, ok, err := steps(ctx, low, small)
		if err != nil || !ok || a < least*small {
			return false, err
		}
		b, ok, err := steps(ctx, low, large)
		if err != nil || !ok || float64(b) >= growth*float64(a) {
			return false, err
		}
	}
	return true, nil
}

// steps counts the ops of a lowered program that the interpreter runs for arrays of n
// elements; ok is false if they are too many, or the program traps.
func steps(ctx context.Context, g *ir.Graph, n int) (used int64, ok bool, err error) {
	fuel := int64(most * n)
	m, err := interp.New(g, interp.Options{Context: ctx, Fuel: fuel})
	if err != nil {
		return 0, false, err
	}
	_, err = m.Call("f", inputs(g.Ctx, n))
	if errors.As(err, new(*interp.Budget)) || ir.IsTrap(err) {
		return 0, false, nil
	}
	return fuel - m.Fuel(), err == nil, err
}
