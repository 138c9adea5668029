package scf

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// BuildFor makes a loop; body gets the induction variable and the carried
// values and returns those of the next iteration. What is known to run once, or never, is made
// without a loop, or not at all.
func BuildFor(b *ir.Builder, lower, upper, step ir.Value, inits []ir.Value, body func(iv ir.Value, carried []ir.Value) []ir.Value) ir.Value {
	return BuildForWith(b, 0, lower, upper, step, inits, body)
}

// BuildForWith is BuildFor with attributes, hints say.
func BuildForWith(b *ir.Builder, attr ir.Attr, lower, upper, step ir.Value, inits []ir.Value, body func(iv ir.Value, carried []ir.Value) []ir.Value) ir.Value {
	region := func(params []ir.Type, fill func(args []ir.Value)) ir.Region { return b.Region(ir.Loop, params, fill) }
	return buildFor(b, attr, []ir.Value{lower, upper, step}, inits, region, body)
}

// BuildForWriting is BuildFor where it is known what the body writes, of all that there is before the loop: what else was
// stored there is known in it. Where that proves wrong the body is made again.
func BuildForWriting(b *ir.Builder, writes map[ir.Resource]bool, lower, upper, step ir.Value, inits []ir.Value, body func(iv ir.Value, carried []ir.Value) []ir.Value) ir.Value {
	region := func(params []ir.Type, fill func(args []ir.Value)) ir.Region {
		return b.LoopRegion(writes, params, fill)
	}
	return buildFor(b, 0, []ir.Value{lower, upper, step}, inits, region, body)
}

func buildFor(b *ir.Builder, attr ir.Attr, bounds, inits []ir.Value, region func([]ir.Type, func([]ir.Value)) ir.Region, body func(iv ir.Value, carried []ir.Value) []ir.Value) ir.Value {
	g := b.Graph()
	if n, ok := constTrips(g, bounds[0], bounds[1], bounds[2]); ok && n < 2 && b.Folds() {
		if n == 1 {
			inits = body(bounds[0], inits)
		}
		return b.Pack(inits...)
	}
	r := region(append([]ir.Type{g.Type(bounds[0])}, typesOf(g, inits)...), func(args []ir.Value) {
		enterFor(b, attr, bounds, 0, args)
		b.Op(Yield, body(args[0], args[1:])...)
	})
	return b.Must(ir.Call{Def: For, Args: slices.Concat(bounds, inits), Attr: attr, Regions: []ir.Region{r}})
}

// BuildIf makes a conditional; els may be nil if then yields nothing. Of a condition that is known only the
// branch that is taken is made.
func BuildIf(b *ir.Builder, cond ir.Value, then, els func() []ir.Value) ir.Value {
	return buildIf(b, 0, cond, then, els)
}

// BuildRareIf is BuildIf for a condition that seldom holds.
func BuildRareIf(b *ir.Builder, cond ir.Value, then, els func() []ir.Value) ir.Value {
	return buildIf(b, b.Ctx().WithDiscardable(0, RareAttr, b.Ctx().UnitAttr()), cond, then, els)
}

func buildIf(b *ir.Builder, attr ir.Attr, cond ir.Value, then, els func() []ir.Value) ir.Value {
	if v, ok := b.Graph().Const(cond); ok && v.Ref == nil && b.Folds() {
		taken := then
		if !v.Bool() {
			taken = els
		}
		if taken == nil {
			return b.Pack()
		}
		return b.Pack(taken()...)
	}
	branch := func(i int, f func() []ir.Value) ir.Region {
		return b.Region(ir.Branch, nil, func([]ir.Value) {
			enterIf(b, 0, []ir.Value{cond}, i, nil)
			if f == nil {
				b.NoBlock()
				return
			}
			b.Op(Yield, f()...)
		})
	}
	return b.Must(ir.Call{Def: If, Args: []ir.Value{cond}, Attr: attr, Regions: []ir.Region{branch(0, then), branch(1, els)}})
}

// BuildWhile makes a while loop: before returns the condition and what it passes
// on, after the values of the next round.
func BuildWhile(b *ir.Builder, inits []ir.Value, before func(args []ir.Value) (ir.Value, []ir.Value), after func(args []ir.Value) []ir.Value) ir.Value {
	g := b.Graph()
	var out []ir.Type
	r1 := b.Region(ir.Loop, typesOf(g, inits), func(args []ir.Value) {
		cond, pass := before(args)
		out = typesOf(g, pass)
		b.Op(Condition, append([]ir.Value{cond}, pass...)...)
	})
	r2 := b.Region(ir.Loop, out, func(args []ir.Value) { b.Op(Yield, after(args)...) })
	return b.Must(ir.Call{Def: While, Args: inits, Regions: []ir.Region{r1, r2}})
}

// BuildParallel makes a loop whose rounds may run in any order, and at once.
func BuildParallel(b *ir.Builder, lower, upper, step ir.Value, body func(iv ir.Value)) ir.Value {
	c := b.Ctx()
	attr := c.Props([]ir.NamedAttr{{Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, 1, 1, 1, 0)}}, nil)
	args := []ir.Value{lower, upper, step}
	r := b.Region(ir.Loop, []ir.Type{ir.Index}, func(params []ir.Value) {
		b.Enter(Parallel, attr, args, 0, params)
		body(params[0])
		b.Op(Reduce)
	})
	return b.Must(ir.Call{Def: Parallel, Args: args, Attr: attr, Regions: []ir.Region{r}})
}
