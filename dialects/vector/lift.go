package vector

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// Lift makes, for so many elements at once, what a body of pure elementwise ops yields for one: have are the vectors of its
// parameters, each op becomes one on vectors, and what depends on no parameter is repeated.
func Lift(m *ir.Mirror, body ir.Block, have map[ir.Node]ir.Value, lanes int64) ir.Value {
	params, at := body.Params(), m.B.Loc
	depends := MadeOf(params)
	m.BodyWithout(body, depends, make([]ir.Value, len(params))...)
	m.B.Loc = at
	var lift func(n ir.Node) ir.Value
	lift = func(n ir.Node) ir.Value {
		if v := have[n]; v != 0 {
			return v
		}
		if !depends(n) {
			have[n] = BuildBroadcast(m.B, m.Of(n), lanes)
			return have[n]
		}
		args := make([]ir.Value, n.NumArgs())
		for i, a := range n.Args() {
			args[i] = lift(a)
		}
		have[n] = m.B.Must(ir.Call{Def: n.Def(), Args: args, Attr: n.Attrs(), Type: m.B.Ctx().Vector([]int64{lanes}, n.Type()), Loc: at})
		return have[n]
	}
	return lift(body.Yields()[0])
}

// MadeOf reports values that are made of some others; each value is looked at once.
func MadeOf(on []ir.Node) func(n ir.Node) bool {
	known := map[ir.Node]bool{}
	for _, n := range on {
		known[n] = true
	}
	var is func(n ir.Node) bool
	is = func(n ir.Node) bool {
		if yes, ok := known[n]; ok {
			return yes
		}
		known[n] = slices.ContainsFunc(n.Args(), is)
		return known[n]
	}
	return is
}
