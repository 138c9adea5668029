package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// A check is a way out of a loop, and of loops with several ways out LLVM makes no
// vectors. A loop that does nothing but read may find out at its end that an index was
// wrong: it reads element 0 in its place and goes on. Then it runs again, with checks,
// and stops at the one that fails first, since it reads what it has read before. What it
// did with the element 0 is for nothing.

// lateChecks are the checks of a loop that is being translated so.
type lateChecks struct {
	bad  value.Value   // of a round: nil while nothing is checked
	flag *llir.InstPhi // of all rounds, at their end
}

// readOnly reports a loop whose checks may be late: a short one, whose body is pure but
// for loads of memory of constant sizes, and holds no loop.
func (f *fn) readOnly(v ir.Value) bool {
	low, l := number(f.of(f.g.Args(v)[0]).v)
	high, h := number(f.of(f.g.Args(v)[1]).v)
	costs := f.opts.Target.Costs
	if f.opts.Unchecked || f.gpu != nil || !l || !h || low < 0 || high-low < int64(costs.MinRounds) || high-low > int64(costs.MaxLate) {
		return false
	}
	r := f.g.Regions(v)[0]
	for _, x := range f.s.Body(r) {
		switch def := f.g.Def(x); {
		case x == f.g.Term(r):
		case def == memref.Load:
			if m := f.of(f.g.Args(x)[0]).m; m == nil || !f.hasFirst(m) {
				return false
			}
		case def.Effects != nil || len(f.g.Regions(x)) > 0 || def.Has(ir.Partial) || f.c.Info(f.g.Type(x)).Kind == ir.KindMemRef:
			return false
		}
	}
	return true
}

// hasFirst reports memory that has an element 0, whose indices alone are checked.
func (f *fn) hasFirst(m *view) bool {
	for _, n := range m.sizes {
		if k, ok := number(n); !ok || k <= 0 {
			return false
		}
	}
	return m.inside || m.length == nil
}

// late translates a loop whose checks may be late.
func (f *fn) late(loop func() []val) []val {
	f.checks = &lateChecks{}
	out := loop()
	flag := f.checks.flag
	f.checks = nil
	if flag == nil {
		return out
	}
	again, done := f.block("again"), f.block("done")
	f.cur.NewCondBr(flag, again, done)
	f.place(again)
	loop()
	f.cur.NewUnreachable()
	f.place(done)
	return out
}

// inBounds are indices of an access in a loop whose checks are late.
func (f *fn) inBounds(m *view, at []value.Value, of []ir.Value) []value.Value {
	if f.promised() {
		return at
	}
	out := make([]value.Value, len(at))
	for i, x := range at {
		if out[i] = x; f.within(x, of[i], m.sizes[i]) {
			continue
		}
		bad := f.icmp(enum.IPredUGE, x, m.sizes[i])
		out[i] = add(f, llir.NewSelect(bad, i64(0), x))
		if l := f.checks; l.bad == nil {
			l.bad = bad
		} else {
			l.bad = f.or(l.bad, bad)
		}
	}
	return out
}

// collect carries on whether a check has failed, from the block before the loop to the
// end of its body.
func (l *lateChecks) collect(f *fn, before, head *llir.Block) {
	if l == nil || l.bad == nil {
		return
	}
	l.flag = &llir.InstPhi{Typ: types.I1}
	head.Insts = append([]llir.Instruction{l.flag}, head.Insts...)
	all := add(f, llir.NewOr(l.flag, l.bad))
	l.flag.Incs = []*llir.Incoming{llir.NewIncoming(bit(false), before), llir.NewIncoming(all, f.cur)}
}
