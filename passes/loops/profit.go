package loops

import (
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/loops/lanes"
)

// mostAccesses bounds the accesses of nests for which an order is looked for: each is compared with each.
const mostAccesses = 64

// best is a legal order in which the loops that access memory with large strides are outside: memory order, or what is
// allowed that is near to it (McKinley, Carr and Tseng, "Improving data locality with loop transformations", 1996). It
// is nil if that is the order there is.
func (n *nest) best(o *order) []int {
	if len(o.acc.List) > mostAccesses {
		return nil
	}
	var ops []ir.Value
	for _, a := range o.acc.List {
		ops = append(ops, a.Op)
	}
	cost := n.strides(ops)
	wanted := make([]int, len(n.loops))
	for i := range wanted {
		wanted[i] = i
	}
	slices.SortStableFunc(wanted, func(i, j int) int { return cost[j] - cost[i] })
	quiet := func(conflict, depend.Vector) error { return errTurned }
	var order []int
	// Each step takes the wanted loop that comes first and is legal with the others behind it as they were.
	for len(order) < len(wanted) {
		next := slices.IndexFunc(wanted, func(k int) bool {
			return !slices.Contains(order, k) && n.turned(o, rest(append(slices.Clip(order), k), len(wanted)), quiet) == nil
		})
		if next < 0 {
			return nil
		}
		order = append(order, wanted[next])
	}
	if slices.IsSorted(order) {
		return nil
	}
	return order
}

// rest is an order that begins with some loops and has the others behind them as they were.
func rest(order []int, n int) []int {
	out := slices.Clone(order)
	for k := range n {
		if !slices.Contains(order, k) {
			out = append(out, k)
		}
	}
	return out
}

// strides is what it costs to have each loop innermost: nothing for what is accessed at one place, little for elements that
// follow one another.
func (n *nest) strides(ops []ir.Value) []int {
	const apart = 8 // elements of a line of a cache
	out := make([]int, len(n.loops))
	for _, v := range ops {
		subscripts := lists.Map(lanes.Subscripts(n.g, v), affinedialect.Point.Compact)
		for k, l := range n.loops {
			iv := n.g.Params(n.body(l))[0]
			for d, p := range subscripts {
				if slices.ContainsFunc(p.Dims, func(v ir.Value) bool { return n.reaches(v, iv) }) {
					if out[k]++; d < len(subscripts)-1 {
						out[k] += apart - 1
					}
				}
			}
		}
	}
	return out
}
