package lower

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// A running reduction combines elements from a fixed one to one that moves on by one in each
// iteration of a loop, as sum(x[1:i]) does. The loop carries it: an element is defined once, before it
// is read, so what the last iteration combined is what this one combines but for its last element, by the same
// operations in the same order.
type running struct {
	op      ir.Value      // bugs.reduce or bugs.fold
	dim     int           // of the array of a bugs.reduce, that grows
	lo, hi  ir.Value      // bounds, from 1
	ahead   []affine.Term // of the upper bound of the variable of the loop; one without a value is a number
	before  int64         // how many elements the first iteration has but its last, if counted
	counted bool
}

// runningIn lists those of the body of a loop.
func (m *model) runningIn(loop ir.Value) (out []running) {
	if m.g.Attr(loop, "reverse") != 0 {
		return nil
	}
	r := m.g.Regions(loop)[0]
	for _, v := range m.s.Body(r) {
		if !m.need[v] || m.invariant[v] {
			continue
		}
		args := m.g.Args(v)
		var x running
		ok := false
		switch m.g.Def(v) {
		case ops.Fold:
			x, ok = m.growing(loop, args, 0)
		case ops.Reduce:
			for d := range (len(args) - 1) / 2 {
				if y, grows := m.growing(loop, args[1:], d); grows {
					x, ok = y, !ok // in one dimension
				}
			}
			// Of a product the order of operations is that of the elements.
			ok = ok && (x.dim == 0 || m.g.Ctx.AttrInfo(m.g.Attr(v, "kind")).Str != "prod")
		}
		x.op = v
		if ok && m.isSteady(x, loop) {
			out = append(out, x)
		}
	}
	return out
}

// growing reports bounds in a dimension of which the lower is fixed in a loop, and the upper is the
// variable of the loop plus what is fixed.
func (m *model) growing(loop ir.Value, bounds []ir.Value, d int) (x running, ok bool) {
	g, r := m.g, m.g.Regions(loop)[0]
	iv := g.Params(r)[0]
	x.dim, x.lo, x.hi = d, bounds[2*d], bounds[2*d+1]
	known := affine.Of(g)
	hi := known.Linear(x.hi)
	if !m.isFixed(x.lo, r) {
		return x, false
	}
	for _, t := range hi.Terms {
		switch {
		case t.Value == iv && t.Coef == 1:
			ok = true
		case !m.isFixed(t.Value, r):
			return x, false
		}
	}
	minus := func(a, b affine.Linear) affine.Linear { return a.Plus(^uint64(0), b) }
	ahead := minus(hi, known.Linear(iv))
	x.ahead = append(ahead.Terms, affine.Term{Coef: ahead.Const})
	before := minus(ahead.Plus(1, known.Linear(g.Args(loop)[0])), known.Linear(x.lo))
	x.before, x.counted = before.Int(before.Const), len(before.Terms) == 0
	return x, ok
}

// isIn reports a value that stands in a region, or in one in it.
func (m *model) isIn(v ir.Value, r ir.Region) bool {
	at, _, isParam := m.g.Param(v)
	if !isParam {
		at = m.s.Place(v)
	}
	for ; at != r; at = m.g.Parent(at) {
		if at == ir.Root {
			return false
		}
	}
	return true
}

// isFixed reports a value that is there before a loop, and no index that may be wrong.
func (m *model) isFixed(v ir.Value, r ir.Region) bool {
	return !m.isIn(v, r) && m.g.Def(v) != ops.IndexOf && len(m.s.Copies(v)) == 0
}

// isSteady reports that the elements of a reduction are the same in each iteration of a loop;
// those before the last of the first iteration are combined before the loop, which must not write them then.
func (m *model) isSteady(x running, loop ir.Value) bool {
	g, r := m.g, m.g.Regions(loop)[0]
	early := !x.counted || x.before > 0
	if early && !m.runs(loop) {
		return false
	}
	reads := func(array ir.Value) bool {
		return !slices.Contains(m.writesOf(r), array) || g.Def(array) == ops.LogicalVar && !early
	}
	if args := g.Args(x.op); g.Def(x.op) == ops.Reduce {
		for i, a := range args[1:] {
			if i != 2*x.dim+1 && !m.isFixed(a, r) {
				return false
			}
		}
		return reads(args[0])
	}
	inside := g.Regions(x.op)[0]
	var steady func(in ir.Region) bool
	steady = func(in ir.Region) bool {
		for _, v := range m.s.Body(in) {
			args := g.Args(v)
			switch d := g.Def(v); {
			case d == ops.Read || d == ops.Reduce:
				if !reads(args[0]) {
					return false
				}
			case d == ops.Element || d == ops.Fold:
			case d == ops.IndexOf || !g.IsPure(v):
				return false
			}
			for _, a := range args {
				if !m.isIn(a, inside) && !m.isFixed(a, r) {
					return false
				}
			}
			if slices.ContainsFunc(g.Regions(v), func(in ir.Region) bool { return !steady(in) }) {
				return false
			}
		}
		return true
	}
	return steady(inside)
}

// runningStart is what a running reduction has before the first iteration of a loop.
func (l *lowering) runningStart(x running, loop ir.Value) ir.Value {
	acc := l.startOf(x.op)
	if x.counted && x.before <= 0 {
		return acc
	}
	end := l.zero(l.model.g.Args(loop)[0]) // from 0, so that it is 1 less
	for _, t := range x.ahead {
		y := l.b.Index(int64(t.Coef))
		if t.Value != 0 {
			y = arith.MulI(l.b, l.value(t.Value), y)
		}
		end = arith.AddI(l.b, end, y)
	}
	return l.combine(x, l.zero(x.lo), end, acc)
}

// runningStep adds what this iteration has more.
func (l *lowering) runningStep(x running, acc ir.Value) ir.Value {
	end := l.value(x.hi)
	last := l.zero(x.hi)
	if x.counted && x.before >= 0 {
		return l.combineAt(x, last, acc)
	}
	return l.combine(x, l.b.Op(arith.Maxsi, l.zero(x.lo), last), end, acc)
}

// combine combines elements of a reduction, counted from 0.
func (l *lowering) combine(x running, from, to, acc ir.Value) ir.Value {
	loop := scf.BuildFor(l.b, from, to, l.b.Index(1), []ir.Value{acc}, func(iv ir.Value, carried []ir.Value) []ir.Value {
		return []ir.Value{l.combineAt(x, iv, carried[0])}
	})
	return l.b.Result(loop, 0)
}

func (l *lowering) combineAt(x running, at, acc ir.Value) ir.Value {
	if l.model.g.Def(x.op) == ops.Fold {
		return l.foldAt(x.op, at, acc)
	}
	return l.reduceFrom(x.op, acc, x.dim, at)
}
