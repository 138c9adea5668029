package loop

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/lists"
)

// inferFor checks a loop against its generators.
func inferFor(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 || c.ArgType(0) != ir.Index {
		return 0, c.Errorf("runs over a size of type index")
	}
	list, ok := generatorsIn(c.Ctx(), c.Get("generators"))
	if !ok {
		return 0, c.Errorf("has generators, a list of #loop.generator")
	}
	regional := Regional(list)
	if len(c.Regions) != 1+len(regional) {
		return 0, c.Errorf("has %d regions that combine, for %d generators that combine by one", max(len(c.Regions)-1, 0), len(regional))
	}
	if err := checkIdentities(c, regional); err != nil {
		return 0, err
	}
	g := c.Graph()
	if got := typesOf(g, g.Params(c.Regions[0])); !slices.Equal(got, []ir.Type{ir.Index}) {
		return 0, c.Errorf("has a body with one parameter, an index")
	}
	if err := checkYield(c, list); err != nil {
		return 0, err
	}
	for i, y := range g.Yields(c.Regions[0]) {
		if err := checkMade(c, y, c.Def); err != nil {
			return 0, c.Errorf("yields as value #%d %v", i, err)
		}
	}
	for i, x := range regional {
		if err := checkCombine(c, i+1, x.Types); err != nil {
			return 0, err
		}
	}
	return c.Ctx().Multi(lists.Join(list, func(x Generator) []ir.Type { return x.Results(c.Ctx()) })...), nil
}

// checkIdentities wants an identity for each value that is combined by a region.
func checkIdentities(c *ir.Call, regional []Generator) error {
	want := lists.Join(regional, func(x Generator) []ir.Type { return x.Types })
	if got := typesOf(c.Graph(), c.Args[1:]); !slices.Equal(got, want) {
		return c.Errorf("has identities of type %s for generators that combine %s", spell(c.Ctx(), got...), spell(c.Ctx(), want...))
	}
	return nil
}

// terminated returns what region i yields.
func terminated(c *ir.Call, i int) ([]ir.Value, error) {
	g := c.Graph()
	if t := g.Term(c.Regions[i]); t == 0 || g.Def(t) != Yield {
		return nil, c.Errorf("has region #%d that does not end with loop.yield", i)
	}
	return g.Yields(c.Regions[i]), nil
}

// checkYield compares what the body yields with what the generators take.
func checkYield(c *ir.Call, list []Generator) error {
	ys, err := terminated(c, 0)
	if err != nil {
		return err
	}
	g := c.Graph()
	for i, x := range list {
		tuple := x.Tuple()
		if len(ys) > 0 {
			if ts, ok := TupleOf(c.Ctx(), g.Type(ys[0])); ok {
				if !slices.Equal(ts, tuple) {
					return c.Errorf("generator #%d, %s, takes %s, and is given %s", i, x.Kind, spell(c.Ctx(), tuple...), spell(c.Ctx(), ts...))
				}
				ys = ys[1:]
				continue
			}
		}
		n := min(len(tuple), len(ys))
		if got := typesOf(g, ys[:n]); !slices.Equal(got, tuple) {
			return c.Errorf("generator #%d, %s, takes %s, and is given %s", i, x.Kind, spell(c.Ctx(), tuple...), spell(c.Ctx(), got...))
		}
		ys = ys[n:]
	}
	if len(ys) > 0 {
		return c.Errorf("yields more than its generators take: %s", spell(c.Ctx(), typesOf(g, ys)...))
	}
	return nil
}

// checkMade: a sequence is made where it is yielded, so that all who see the loop see what it
// emits. (loop is For, whose definition would refer to itself.)
func checkMade(c *ir.Call, v ir.Value, loop *ir.OpDef) error {
	g := c.Graph()
	if _, ok := TupleOf(c.Ctx(), g.Type(v)); !ok {
		return nil
	}
	by := stranger(g, v, loop)
	if by == 0 {
		return nil
	}
	from := "a parameter"
	if _, _, param := g.Param(by); !param {
		from = g.Def(by).Name
	}
	return fmt.Errorf("a !loop.emit that comes from %s; a sequence is made in the body that yields it, by loop.emit, loop.none, loop.seq, scf.if, arith.select or a loop.for with emit", from)
}

// stranger finds what a sequence comes from that does not say what is in it, or 0.
func stranger(g *ir.Graph, v ir.Value, loop *ir.OpDef) ir.Value {
	n, i, _ := g.Projection(v)
	if _, _, param := g.Param(n); param {
		return n
	}
	switch rs := g.Regions(n); {
	case g.Def(n) == loop:
		return 0
	case len(rs) > 0:
		for _, r := range rs {
			if g.KindOf(r) == ir.Loop || !g.HasBlock(r) {
				return n
			}
			if by := stranger(g, g.Yields(r)[i], loop); by != 0 {
				return by
			}
		}
		return 0
	case g.Def(n) == arith.Select:
		return max(stranger(g, g.Args(n)[1], loop), stranger(g, g.Args(n)[2], loop))
	case g.Def(n).Eval == nil:
		return n
	}
	return 0
}

// checkCombine checks a region that combines two tuples.
func checkCombine(c *ir.Call, i int, ts []ir.Type) error {
	g := c.Graph()
	if got := typesOf(g, g.Params(c.Regions[i])); !slices.Equal(got, append(slices.Clone(ts), ts...)) {
		return c.Errorf("has a region that combines two tuples %s, and its parameters are %s", spell(c.Ctx(), ts...), spell(c.Ctx(), got...))
	}
	ys, err := terminated(c, i)
	if err != nil {
		return err
	}
	if got := typesOf(g, ys); !slices.Equal(got, ts) {
		return c.Errorf("has a region that combines two tuples %s to one %s", spell(c.Ctx(), ts...), spell(c.Ctx(), got...))
	}
	return nil
}

// Split cuts what a body yields into what each generator is given: one value, a
// sequence, or the values of one tuple.
func Split(g *ir.Graph, list []Generator, ys []ir.Value) [][]ir.Value {
	out := make([][]ir.Value, len(list))
	for i, x := range list {
		n := 1
		if _, ok := TupleOf(g.Ctx, g.Type(ys[0])); !ok {
			n = len(x.Tuple())
		}
		out[i], ys = ys[:n:n], ys[n:]
	}
	return out
}

// sizeTraps: a negative size is undefined.
func sizeTraps(c *ir.Call) bool {
	n := affine.In(c.Builder()).Certain().Number(c.Args[0])
	return n.Width == 0 || n.Low < 0
}

// enterFor: the index is not negative, and below a size that is known.
func enterFor(b *ir.Builder, _ ir.Attr, args []ir.Value, i int, params []ir.Value) {
	if i != 0 || len(params) != 1 {
		return
	}
	b.SetClean(params[0])
	size := affine.Any(64)
	if len(args) > 0 {
		b.SetUpper(params[0], args[0])
		size = affine.In(b).Number(args[0])
	}
	if size.High > 0 {
		b.SetRange(params[0], 0, size.High-1, 1)
	}
}
