package lower

import (
	"maps"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// findEarly finds the ops of a region that stand before the loops that need them, since
// these do not change what they give. Where such a loop may have no iteration, an op before
// it may read with indices that the model never uses: there its value is NaN. It tells what
// the region needs whenever it runs.
func (m *model) findEarly(r ir.Region, all bool) (needed map[ir.Value]bool) {
	body := m.s.Body(r)
	needed = map[ir.Value]bool{}
	for i := len(body) - 1; i >= 0; i-- {
		v := body[i]
		if !m.floating(v) || needed[v] {
			for _, a := range m.g.Args(v) {
				needed[a] = true
			}
		}
		m.invariant[v] = all || m.floating(v) && !needed[v]
		for _, in := range m.g.Regions(v) {
			inner := m.findEarly(in, m.invariant[v])
			if !m.invariant[v] && m.runs(v) {
				maps.Copy(needed, inner)
			}
		}
	}
	return needed
}

// runs reports a loop that has an iteration.
func (m *model) runs(loop ir.Value) bool {
	args := m.g.Args(loop)
	return m.known.Number(args[0]).High <= m.known.Number(args[1]).Low
}

// floating reports an op that stands where the scheduler put it.
func (m *model) floating(v ir.Value) bool {
	switch m.g.Def(v) {
	case ops.For, ops.Stochastic, ops.Multivariate, ops.Term, ops.Constrain, ops.Assign, ops.Compute, ops.Yield:
		return false
	}
	return true
}

// inside reports an index, from 1, that is one of n elements wherever it stands.
func (m *model) inside(v ir.Value, n int64) bool { return m.known.Number(v).Within(1, n) }

// earlyIndex is an index from 0 of an op; ok, unless it is 0, says whether it is one of n
// elements, and the index is 0 where it is not.
func (l *lowering) earlyIndex(v, x ir.Value, n int64) (index, ok ir.Value) {
	if !l.model.invariant[l.at] || l.model.inside(v, n) {
		return x, 0
	}
	ok = arith.CmpI(l.b, arith.ULT, x, l.b.Index(n))
	return arith.Choose(l.b, ok, x, l.b.Index(0)), ok
}

// partsInside is the condition that the parts of arrays that an early op reads are there; 0
// where that is sure.
func (l *lowering) partsInside(parts []ops.Part[ir.Value]) (ok ir.Value) {
	if !l.model.invariant[l.at] {
		return 0
	}
	for _, p := range parts {
		if p.Scalar {
			continue
		}
		for d, n := range l.model.g.Ctx.Info(l.model.g.Type(p.Array)).Shape {
			l.join(&ok, l.rangeInside(p.Bounds[2*d], p.Bounds[2*d+1], n))
		}
	}
	return ok
}

// orNothing leaves a view as it is where a condition holds; else it is at the begin, and
// without elements unless their number is constant.
func (l *lowering) orNothing(ok ir.Value, w kit.View) kit.View {
	if ok == 0 || w.Scalar != 0 {
		return w
	}
	none := l.b.Index(0)
	for d, x := range w.At {
		w.At[d] = arith.Choose(l.b, ok, x, none)
	}
	for d, n := range w.Ext {
		if _, constant := l.b.Graph().Const(n); !constant {
			w.Ext[d] = arith.Choose(l.b, ok, n, none)
		}
	}
	if len(w.Ext) > 0 {
		w.N = w.Ext[0]
	}
	return w
}

// rangeInside says that lo to hi are among n elements, or that there is none of them; 0
// where that is sure.
func (l *lowering) rangeInside(lo, hi ir.Value, n int64) ir.Value {
	if l.model.inside(lo, n) && l.model.inside(hi, n) {
		return 0
	}
	if lo == hi {
		x, ok := l.checkedIndex(lo, n)
		if ok == 0 {
			_, ok = l.earlyIndex(lo, x, n)
		}
		return ok
	}
	b, from, to := l.b, l.zero(lo), l.value(hi)
	in := b.Op(arith.Andi, arith.CmpI(b, arith.SGE, from, b.Index(0)), arith.CmpI(b, arith.SLE, to, b.Index(n)))
	return b.Op(arith.Ori, in, arith.CmpI(b, arith.SGE, from, to))
}
