package scf

import "github.com/irc-lang/irc/ir"

// enterFor bounds the induction variable of a loop with constant bounds.
func enterFor(b *ir.Builder, args []ir.Value, _ int, params []ir.Value) {
	if len(args) >= 3 && len(params) >= 1 {
		bound(b, params[0], args[0], args[1], args[2])
	}
}

// enterParallel bounds those of a parallel loop, whose lower bounds, upper
// bounds and steps are as many as its region has parameters.
func enterParallel(b *ir.Builder, args []ir.Value, _ int, params []ir.Value) {
	n := len(params)
	if len(args) < 3*n {
		return
	}
	for i, p := range params {
		bound(b, p, args[i], args[n+i], args[2*n+i])
	}
}

// bound: a loop whose step is positive gives lower <= i <= upper-1; with
// constants all round, the last value that is taken.
func bound(b *ir.Builder, iv, lower, upper, step ir.Value) {
	g := b.Graph()
	if g.Type(iv) != ir.Index || g.Type(lower) != ir.Index {
		return
	}
	l, ok1 := g.Const(lower)
	u, ok2 := g.Const(upper)
	s, ok3 := g.Const(step)
	if !ok1 || !ok2 || !ok3 || int64(s.Bits) <= 0 || int64(l.Bits) >= int64(u.Bits) {
		return
	}
	n, _ := Trips(int64(l.Bits), int64(u.Bits), int64(s.Bits))
	b.SetRange(iv, int64(l.Bits), int64(l.Bits+(n-1)*s.Bits))
}
