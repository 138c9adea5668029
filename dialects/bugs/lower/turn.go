package lower

import (
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir"
)

// shouldTurn reports a loop w directly in an outermost loop v that runs faster in a
// nest of its own with the two interchanged: most arrays in it are stored along the
// outer loop. The density adds up factors that do not depend on each other, so any
// order will do as long as w reads no logical node that v computes.
func (l *lowering) shouldTurn(v, w ir.Value) bool {
	if len(l.loops) > 0 || l.g.Def(w) != ops.For || !l.need[w] || l.turned[w] || !l.isConstant(v) || !l.isConstant(w) {
		return false
	}
	r, in := l.g.Regions(v)[0], l.g.Regions(w)[0]
	if l.hasLoop(in) || !l.standsAlone(r, in) {
		return false
	}
	outer, inner := l.g.Params(r)[0], l.g.Params(in)[0]
	along, across := 0, 0
	for _, x := range l.s.Body(in) {
		if !l.need[x] || l.g.Def(x) != ops.Read && l.g.Def(x) != ops.Stochastic {
			continue
		}
		args := l.g.Args(x)
		rank := len(l.g.Ctx.Info(l.g.Type(args[0])).Shape)
		if rank < 2 || l.g.Def(args[0]) == ops.LogicalVar {
			continue
		}
		switch last := args[rank]; {
		case l.dependsOn(last, inner):
			along++
		case l.dependsOn(last, outer):
			across++
		}
	}
	return across > along
}

// isConstant reports a loop with constant bounds.
func (l *lowering) isConstant(v ir.Value) bool {
	args := l.g.Args(v)
	_, ok1 := l.g.Const(args[0])
	_, ok2 := l.g.Const(args[1])
	return ok1 && ok2
}

// standsAlone reports that a region within r neither reads logical nodes of others nor
// stores any.
func (l *lowering) standsAlone(r, in ir.Region) bool {
	var seen []place
	for _, x := range l.s.Body(in) {
		if !l.need[x] {
			continue
		}
		args := l.g.Args(x)
		switch l.g.Def(x) {
		case ops.Assign:
			if l.stored[args[1]] {
				return false
			}
			seen = append(seen, place{node: args[1], indices: args[2:]})
		case ops.Read:
			own := false
			for _, p := range seen {
				own = own || p.is(args[0], args[1:])
			}
			if l.g.Def(args[0]) == ops.LogicalVar && !own {
				return false
			}
		case ops.Stochastic:
			if l.g.Def(args[0]) == ops.LogicalVar {
				return false
			}
		case ops.Reduce, ops.Function, ops.Multivariate:
			return false
		}
	}
	for _, x := range l.s.Body(r) { // what w shares with the loop around it
		if l.need[x] && (l.g.Def(x) == ops.Reduce || l.g.Def(x) == ops.Function || l.g.Def(x) == ops.Read && l.g.Def(l.g.Args(x)[0]) == ops.LogicalVar) {
			return false
		}
	}
	return true
}

// dependsOn reports an index that is made of a loop variable.
func (l *lowering) dependsOn(x, iv ir.Value) bool {
	if x == iv {
		return true
	}
	if _, _, isParam := l.g.Param(x); isParam {
		return false
	}
	for _, a := range l.g.Args(x) {
		if l.dependsOn(a, iv) {
			return true
		}
	}
	return false
}

// turn lowers a loop w of a loop v as a nest with w outside.
func (l *lowering) turn(v, w ir.Value) {
	r, in := l.g.Regions(v)[0], l.g.Regions(w)[0]
	slots := l.slotsIn(in, nil)
	l.nest(w, slots, func() {
		l.nest(v, slots, func() {
			depth := len(l.assigned)
			for _, x := range l.s.Body(r) {
				if def := l.g.Def(x); l.need[x] && def != ops.For && def != ops.Assign && !isFactor(def) {
					l.op(x)
				}
			}
			l.region(in)
			l.assigned = l.assigned[:depth]
		})
	})
}
