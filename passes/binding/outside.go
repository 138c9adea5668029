package binding

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// findOutside finds sums that a function makes once, guarded or not, of which several parts are
// static: made by themselves they are one number that is computed ahead.
func findOutside(c *code, t *Times, uses map[ir.Value]int, found map[ir.Node][]*sum) {
	if t == nil {
		return
	}
	absorbed := map[ir.Value]bool{}
	for _, v := range slices.Backward(c.s.Body(ir.Root)) {
		if absorbed[v] || t.Static(v) || c.g.Type(v) != ir.F64 && c.g.Type(v) != ir.F32 {
			continue
		}
		x := &sum{code: c, uses: uses, times: t, flags: ^arith.FastMath(0), absorb: func(v ir.Value) { absorbed[v] = true }}
		x.take(v, false)
		some := len(x.unless[static]) > 0 || len(x.terms[static]) > 1
		if some && x.flags&arith.Reassoc != 0 && x.flags != ^arith.FastMath(0) {
			found[c.g.NodeOf(v)] = []*sum{x}
		}
	}
}

// regroup makes a sum outside of loops with its static parts together.
func (x *sum) regroup(m *ir.Mirror, n ir.Node) ir.Value {
	t := x.g.Type(n.Old())
	of := func(v ir.Value) ir.Value { return m.Of(x.g.NodeOf(v)) }
	all := x.added(m.B, x.terms[varying], x.unless[varying], t, of)
	ahead := x.added(m.B, x.terms[static], x.unless[static], t, of)
	if all == 0 {
		return ahead
	}
	return x.plus(m, all, ahead)
}
