package contraction

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
)

// edges tells from the conditions on the points of a contraction which of a box are there.
type edges struct {
	*Emitter
	of *Contraction
}

// whole tests that all points between some are there: each condition on them holds where it is the tightest.
func (g *edges) whole(rows, columns, depth span) ir.Value {
	all := arith.ConstBool(g.Builder, true)
	for _, r := range g.of.conditions.Ge {
		v := g.least(r, rows, columns, depth)
		all = g.And(all, g.Is(arith.SGE, v, g.Index(0)))
	}
	return all
}

// least is the least value of a condition between some points.
func (g *edges) least(r []presburger.Int, rows, columns, depth span) ir.Value {
	// A linear condition is least at a corner of the box, which its signs say.
	dims := make([]ir.Value, 3)
	for d, s := range map[int]span{g.of.i: rows, g.of.j: columns, g.of.k: depth} {
		switch r[1+len(g.of.conditions.Params)+d].Sign() {
		case 1:
			dims[d] = s.from
		case -1:
			dims[d] = g.add(s.end, -1)
		}
	}
	v, err := g.Row(g.of.conditions, r, dims)
	if err != nil {
		g.Fail(err)
	}
	return v
}

// common are the values of k that all rows have; there may be none.
func (g *edges) common(rows, depth span) span {
	out := depth
	at := 1 + len(g.of.conditions.Params)
	for _, r := range g.of.conditions.Ge {
		n, _ := r[at+g.of.k].Int64()
		if n == 0 {
			continue
		}
		r = slices.Clone(r)
		r[at+g.of.k] = presburger.NewInt(0)
		rest := g.least(r, rows, span{}, span{})
		if n > 0 { // n k + rest >= 0
			out.from = g.Max(out.from, g.Op(arith.Ceildivsi, g.Sub(g.Index(0), rest), g.Index(n)))
		} else {
			out.end = g.Min(out.end, g.add(g.Op(arith.Floordivsi, rest, g.Index(-n)), 1))
		}
	}
	// An empty range moves to the end: storePartial then finds all values of k before it.
	none := g.Less(out.end, out.from)
	return span{g.Choose(none, depth.end, out.from), g.Choose(none, depth.end, out.end)}
}
