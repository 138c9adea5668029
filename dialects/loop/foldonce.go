package loop

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// Loops of one round: how arrays of given values and concatenations are written.

func forOnce(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	list, _ := generatorsIn(c.Ctx(), c.Get("generators"))
	takes := func(x Generator, given []ir.Value) bool {
		return x.Kind == EmitKind || x.Kind == ReduceKind && !EmitsIn(g, given)
	}
	any := false
	eachGenerator(c, list, func(x Generator, given []ir.Value, _, _, _ int) { any = any || takes(x, given) })
	if !any || !isConst(g, c.Args[0], 1) || !Quiet(g, c.Regions[0]) {
		return 0
	}
	all := Split(g, list, b.Splice(c.Regions[0], []ir.Value{b.Index(0)}))
	replaced, k := results(c), 0
	eachGenerator(c, list, func(x Generator, given []ir.Value, id, region, result int) {
		now := all[k]
		k++
		switch {
		case !takes(x, given):
		case x.Kind == ReduceKind:
			copy(replaced[result:], x.combined(b, x.identity(b, c.Args[id:]), now, func(xy []ir.Value) []ir.Value { return b.Splice(c.Regions[region], xy) }))
		case EmitsIn(g, now):
			replaced[result] = now[0]
		default:
			replaced[result] = b.Op(Emit, now...)
		}
	})
	return without(b, c, list, replaced, nil)
}

// combined combines two tuples, as a reduce does.
func (g Generator) combined(b *ir.Builder, x, y []ir.Value, region func(xy []ir.Value) []ir.Value) []ir.Value {
	if g.By == ByRegion {
		return region(slices.Concat(x, y))
	}
	return g.CombineNamed(b, x, y)
}

// forBody leaves the loop nothing but to give its generators what is there: so what the body of
// a concatenation emits stands beside the loops that make the parts, and fuses with them.
func forBody(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	body := c.Regions[0]
	outside := func(v ir.Value) bool { n, _, _ := g.Projection(v); return g.Home(n) != body && v != g.Params(body)[0] }
	if !isConst(g, c.Args[0], 1) || !Quiet(g, body) || !slices.ContainsFunc(g.Yields(body), func(v ir.Value) bool { return !outside(v) }) {
		return 0
	}
	given := b.Splice(body, []ir.Value{b.Index(0)})
	list, _ := generatorsIn(c.Ctx(), c.Get("generators"))
	var combine []func(xy []ir.Value) []ir.Value
	for k := range Regional(list) {
		combine = append(combine, func(xy []ir.Value) []ir.Value { return b.Splice(c.Regions[1+k], xy) })
	}
	return b.Pack(BuildFor(b, c.Args[0], list, c.Args[1:], combine, func(ir.Value) []ir.Value { return given })...)
}
