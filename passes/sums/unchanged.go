package sums

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// unchanged knows what is the same in every round of a loop: what stands outside, and what is
// made of that alone. An op that may trap stands in the loop, as that may not run.
type unchanged struct {
	g       *ir.Graph
	s       *ir.Schedule
	body    ir.Region
	effects func(ir.Value) []ir.Effect
	known   map[ir.Value]bool
}

func (u *unchanged) is(v ir.Value) bool {
	if same, ok := u.known[v]; ok {
		return same
	}
	same := !u.inLoop(v) || u.canLeave(v) && !slices.ContainsFunc(u.g.Args(v), func(a ir.Value) bool { return !u.is(a) })
	u.known[v] = same
	return same
}

// canLeave reports an op with one value, without regions, that writes nothing and reads what
// the loop does not write.
func (u *unchanged) canLeave(v ir.Value) bool {
	g := u.g
	if _, _, ok := g.Projection(v); ok || !g.IsOp(v) || g.Results(v) != 1 || len(g.Regions(v)) > 0 || g.HasEffect(v) || g.IsPinned(v) {
		return false
	}
	for _, e := range u.effects(v) {
		if e.Writes() || slices.ContainsFunc(g.EffectsOf(u.body), func(w ir.Effect) bool { return w.Writes() && g.MayAlias(w.On, e.On) }) {
			return false
		}
	}
	return true
}

// inLoop reports a value that is made in the loop.
func (u *unchanged) inLoop(v ir.Value) bool {
	if _, ok := u.g.Const(v); ok {
		return false
	}
	r := u.g.Home(v)
	if _, _, param := u.g.Param(v); !param {
		n, _, _ := u.g.Projection(v)
		if n == 0 {
			n = v
		}
		r = u.s.Place(n)
	}
	for ; r != ir.Root; r = u.g.Parent(r) {
		if r == u.body {
			return true
		}
	}
	return false
}

// again makes values anew behind the loop.
func (u *unchanged) again(m *ir.Mirror) func(ir.Value) ir.Value { return u.round(m, 0) }

// round makes values anew in a round of another loop.
func (u *unchanged) round(m *ir.Mirror, iv ir.Value) func(ir.Value) ir.Value {
	made := map[ir.Value]ir.Value{u.g.Params(u.body)[0]: iv}
	var of func(v ir.Value) ir.Value
	of = func(v ir.Value) ir.Value {
		if !u.inLoop(v) {
			return m.Of(u.g.NodeOf(v))
		}
		if _, ok := made[v]; !ok {
			var args []ir.Value
			for _, a := range u.g.Args(v) {
				args = append(args, of(a))
			}
			made[v] = m.B.Must(ir.Call{Def: u.g.Def(v), Attr: u.g.AttrsOf(v), Type: u.g.Type(v), Args: args})
		}
		return made[v]
	}
	return of
}
