package loops

import (
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/ir"
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
		subscripts := n.subscripts(v)
		for k, l := range n.loops {
			iv := n.g.Params(n.body(l))[0]
			for d, s := range subscripts {
				if slices.ContainsFunc(s, func(v ir.Value) bool { return n.reaches(v, iv) }) {
					if out[k]++; d < len(subscripts)-1 {
						out[k] += apart - 1
					}
				}
			}
		}
	}
	return out
}

// subscripts are the values that each subscript of an access is made of.
func (n *nest) subscripts(v ir.Value) (out [][]ir.Value) {
	if d := n.g.Def(v); d == affinedialect.Load || d == affinedialect.Store {
		for _, p := range affinedialect.Subscripts(n.g.NodeOf(v)) {
			var used []ir.Value
			dims, syms := make([]bool, len(p.Dims)), make([]bool, len(p.Syms))
			p.Expr.Uses(dims, syms)
			for i, u := range dims {
				if u {
					used = append(used, p.Dims[i])
				}
			}
			out = append(out, used)
		}
		return out
	}
	a, _ := ir.As[ir.AccessLike](n.g.NodeOf(v))
	for _, x := range a.Accesses {
		for _, i := range x.Indices {
			out = append(out, []ir.Value{i})
		}
	}
	return out
}
