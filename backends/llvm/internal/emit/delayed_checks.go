package emit

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// A check is a way out of a loop, and of loops with several ways out LLVM makes no
// vectors. A loop that does nothing but read may find out at its end that an index was
// wrong: it reads the last element in its place, keeps the greatest index of all, and goes on.
// Then it runs again, with checks, and stops at the one that fails first, since it reads what
// it has read before. What it did with the last element is for nothing.

// lateChecks are the checks of a loop that is being translated so.
type lateChecks struct{ indices []*lateIndex }

// lateIndex is a value that is an index in each round, and the sizes that it must be less than.
type lateIndex struct {
	x     value.Value
	sizes []value.Value
	most  *llir.InstPhi // of all rounds so far, without sign
}

// readOnly reports a loop whose checks may be late: a short one that loads at indices which it
// loads and which change, whose body is pure but for loads, and holds no loop. (LLVM takes checks of other indices
// out of loops.) What is known of that only when it runs is a condition: slow says that the
// checks must not be late after all.
func (lp *Loops) readOnly(v ir.Value) (slow value.Value, ok bool) {
	low, high := lp.f.Of(lp.f.G.Args(v)[0]).V, lp.f.Of(lp.f.G.Args(v)[1]).V
	if lp.f.Opts.Unchecked || lp.f.Gpu != nil || !lp.maybeShort(low, high) {
		return nil, false
	}
	r := lp.f.G.Regions(v)[0]
	// What changes from round to round, and what of that is computed of what the body loads.
	varies, loaded := map[ir.Value]bool{}, map[ir.Value]bool{}
	for _, p := range lp.f.G.Params(r) {
		varies[p] = true
	}
	anyOf := func(xs []ir.Value, of map[ir.Value]bool) bool {
		return slices.ContainsFunc(xs, func(x ir.Value) bool { return of[x] })
	}
	gathers := false
	var checked []ir.Value
	for _, x := range lp.f.S.Body(r) {
		varies[x] = anyOf(lp.f.G.Args(x), varies)
		loaded[x] = varies[x] && lp.f.G.Def(x) == memref.Load || anyOf(lp.f.G.Args(x), loaded)
		switch def := lp.f.G.Def(x); {
		case x == lp.f.G.Term(r):
		case def == memref.Load:
			m := lp.f.Of(lp.f.G.Args(x)[0]).M
			if m == nil || !m.Inside && m.Length != nil {
				return nil, false
			}
			if lp.f.G.Attr(x, memref.InBoundsAttr) == 0 {
				checked = append(checked, x)
				gathers = gathers || anyOf(lp.f.G.Args(x)[1:], loaded)
			}
		case def.Effects != nil || len(lp.f.G.Regions(x)) > 0 || def.Has(ir.Partial) || lp.f.C.Info(lp.f.G.Type(x)).Kind == ir.KindMemRef:
			return nil, false
		}
	}
	if !gathers {
		return nil, false
	}
	slow = lp.notShort(low, high)
	for _, x := range checked { // there must be an element 0
		for _, n := range lp.f.Of(lp.f.G.Args(x)[0]).M.Sizes {
			slow = lp.b.Or(slow, lp.b.Icmp(enum.IPredEQ, n, lit.I64(0)))
		}
	}
	n, constant := lit.Number(slow)
	return slow, !constant || n == 0
}

// maybeShort reports bounds that do not say that a loop has too few rounds for vectors, or so
// many that one would wait for its end; notShort is what they say when it runs.
func (lp *Loops) maybeShort(low, high value.Value) bool {
	costs := &lp.f.Opts.Target.Costs
	l, ok1 := lit.Number(low)
	h, ok2 := lit.Number(high)
	if ok1 && ok2 {
		return l >= 0 && h-l >= int64(costs.MinRounds) && h-l <= int64(costs.MaxLate)
	}
	return types.Equal(low.Type(), types.I64)
}

func (lp *Loops) notShort(low, high value.Value) value.Value {
	rounds := lp.b.Minus(high, low)
	if _, constant := lit.Number(rounds); constant {
		return lit.Bit(false)
	}
	least, most := int64(lp.f.Opts.Target.Costs.MinRounds), int64(lp.f.Opts.Target.Costs.MaxLate)
	return lp.b.Icmp(enum.IPredUGT, lp.b.Minus(rounds, lit.I64(least)), lit.I64(most-least))
}

// late translates a loop whose checks may be late, unless slow holds.
func (lp *Loops) late(slow value.Value, ts []ir.Type, loop func() []Val) []Val {
	again, done := lp.b.Block("again"), lp.b.Block("done")
	vals, feed := lp.f.Phis.make(done, ts)
	n, constant := lit.Number(slow)
	never := constant && n == 0
	if !never {
		first := lp.b.Block("late")
		lp.b.Cur.NewCondBr(slow, again, first)
		lp.b.Place(first)
	}
	lp.checks = &lateChecks{}
	out := loop()
	flag := lp.checks.failed(lp.b)
	lp.checks = nil
	feed(out)
	if flag == nil {
		lp.b.Br(done)
	} else {
		lp.b.Cur.NewCondBr(flag, again, done)
	}
	lp.b.Place(again)
	out = loop()
	if never {
		lp.b.Cur.NewUnreachable()
	} else {
		feed(out)
		lp.b.Br(done)
	}
	lp.b.Place(done)
	lp.f.Phis.After()
	return vals
}

// inBounds are indices of an access in a loop whose checks are late.
func (f *Fn) inBounds(m *View, at []value.Value, of []ir.Value) []value.Value {
	if f.Promised() {
		return at
	}
	out := make([]value.Value, len(at))
	for i, x := range at {
		if out[i] = x; f.Within(x, of[i], m.Sizes[i]) {
			continue
		}
		out[i] = f.B.Intrinsic("llvm.umin.i64", types.I64, nil, x, f.B.Minus(m.Sizes[i], lit.I64(1)))
		f.Loops.checks.add(x, m.Sizes[i])
	}
	return out
}

func (l *lateChecks) add(x, size value.Value) {
	k := slices.IndexFunc(l.indices, func(y *lateIndex) bool { return y.x == x })
	if k < 0 {
		k = len(l.indices)
		l.indices = append(l.indices, &lateIndex{x: x})
	}
	if y := l.indices[k]; !slices.Contains(y.sizes, size) {
		y.sizes = append(y.sizes, size)
	}
}

// collect carries on the greatest indices, from the block before the loop to the end of its
// body.
func (l *lateChecks) collect(ib *Builder, before, head *llir.Block) {
	if l == nil {
		return
	}
	for _, y := range l.indices {
		y.most = &llir.InstPhi{Typ: types.I64}
		head.Insts = append([]llir.Instruction{y.most}, head.Insts...)
		all := ib.Intrinsic("llvm.umax.i64", types.I64, nil, y.most, y.x)
		y.most.Incs = []*llir.Incoming{llir.NewIncoming(lit.I64(0), before), llir.NewIncoming(all, ib.Cur)}
	}
}

// failed says behind the loop whether an index was out of bounds; nil if none was checked.
func (l *lateChecks) failed(ib *Builder) value.Value {
	if len(l.indices) == 0 {
		return nil
	}
	var bad value.Value = lit.Bit(false)
	for _, y := range l.indices {
		for _, n := range y.sizes {
			bad = ib.Or(bad, ib.Icmp(enum.IPredUGE, y.most, n))
		}
	}
	return bad
}
