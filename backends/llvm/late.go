package llvm

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

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
func (f *fn) readOnly(v ir.Value) (slow value.Value, ok bool) {
	low, high := f.of(f.g.Args(v)[0]).v, f.of(f.g.Args(v)[1]).v
	if f.opts.Unchecked || f.gpu != nil || !f.maybeShort(low, high) {
		return nil, false
	}
	r := f.g.Regions(v)[0]
	// What changes from round to round, and what of that is computed of what the body loads.
	varies, loaded := map[ir.Value]bool{}, map[ir.Value]bool{}
	for _, p := range f.g.Params(r) {
		varies[p] = true
	}
	anyOf := func(xs []ir.Value, of map[ir.Value]bool) bool {
		return slices.ContainsFunc(xs, func(x ir.Value) bool { return of[x] })
	}
	gathers := false
	var checked []ir.Value
	for _, x := range f.s.Body(r) {
		varies[x] = anyOf(f.g.Args(x), varies)
		loaded[x] = varies[x] && f.g.Def(x) == memref.Load || anyOf(f.g.Args(x), loaded)
		switch def := f.g.Def(x); {
		case x == f.g.Term(r):
		case def == memref.Load:
			m := f.of(f.g.Args(x)[0]).m
			if m == nil || !m.inside && m.length != nil {
				return nil, false
			}
			if f.g.Attr(x, memref.InBoundsAttr) == 0 {
				checked = append(checked, x)
				gathers = gathers || anyOf(f.g.Args(x)[1:], loaded)
			}
		case def.Effects != nil || len(f.g.Regions(x)) > 0 || def.Has(ir.Partial) || f.c.Info(f.g.Type(x)).Kind == ir.KindMemRef:
			return nil, false
		}
	}
	if !gathers {
		return nil, false
	}
	slow = f.notShort(low, high)
	for _, x := range checked { // there must be an element 0
		for _, n := range f.of(f.g.Args(x)[0]).m.sizes {
			slow = f.or(slow, f.icmp(enum.IPredEQ, n, i64(0)))
		}
	}
	n, constant := number(slow)
	return slow, !constant || n == 0
}

// maybeShort reports bounds that do not say that a loop has too few rounds for vectors, or so
// many that one would wait for its end; notShort is what they say when it runs.
func (f *fn) maybeShort(low, high value.Value) bool {
	costs := &f.opts.Target.Costs
	l, ok1 := number(low)
	h, ok2 := number(high)
	if ok1 && ok2 {
		return l >= 0 && h-l >= int64(costs.MinRounds) && h-l <= int64(costs.MaxLate)
	}
	return types.Equal(low.Type(), types.I64)
}

func (f *fn) notShort(low, high value.Value) value.Value {
	rounds := f.minus(high, low)
	if _, constant := number(rounds); constant {
		return bit(false)
	}
	least, most := int64(f.opts.Target.Costs.MinRounds), int64(f.opts.Target.Costs.MaxLate)
	return f.icmp(enum.IPredUGT, f.minus(rounds, i64(least)), i64(most-least))
}

// late translates a loop whose checks may be late, unless slow holds.
func (f *fn) late(slow value.Value, ts []ir.Type, loop func() []val) []val {
	again, done := f.block("again"), f.block("done")
	vals, feed := f.phis(done, ts)
	n, constant := number(slow)
	never := constant && n == 0
	if !never {
		first := f.block("late")
		f.cur.NewCondBr(slow, again, first)
		f.place(first)
	}
	f.checks = &lateChecks{}
	out := loop()
	flag := f.checks.failed(f)
	f.checks = nil
	feed(out)
	if flag == nil {
		f.br(done)
	} else {
		f.cur.NewCondBr(flag, again, done)
	}
	f.place(again)
	out = loop()
	if never {
		f.cur.NewUnreachable()
	} else {
		feed(out)
		f.br(done)
	}
	f.place(done)
	f.afterPhis()
	return vals
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
		out[i] = f.intrinsic("llvm.umin.i64", types.I64, nil, x, f.minus(m.sizes[i], i64(1)))
		f.checks.add(x, m.sizes[i])
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
func (l *lateChecks) collect(f *fn, before, head *llir.Block) {
	if l == nil {
		return
	}
	for _, y := range l.indices {
		y.most = &llir.InstPhi{Typ: types.I64}
		head.Insts = append([]llir.Instruction{y.most}, head.Insts...)
		all := f.intrinsic("llvm.umax.i64", types.I64, nil, y.most, y.x)
		y.most.Incs = []*llir.Incoming{llir.NewIncoming(i64(0), before), llir.NewIncoming(all, f.cur)}
	}
}

// failed says behind the loop whether an index was out of bounds; nil if none was checked.
func (l *lateChecks) failed(f *fn) value.Value {
	if len(l.indices) == 0 {
		return nil
	}
	var bad value.Value = bit(false)
	for _, y := range l.indices {
		for _, n := range y.sizes {
			bad = f.or(bad, f.icmp(enum.IPredUGE, y.most, n))
		}
	}
	return bad
}
