package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// loop is a loop that is being translated.
type loop struct {
	keeps bool // memory allocated in an iteration may be used in the next
}

// typesOf lists the types of nodes.
func (f *fn) typesOf(vs []ir.Value) []ir.Type {
	out := make([]ir.Type, len(vs))
	for i, v := range vs {
		out[i] = f.g.Type(v)
	}
	return out
}

// results lists the result types of the current op.
func (f *fn) resultTypes() []ir.Type { return f.c.Results(f.g.Type(f.v)) }

// branch is one way into a join: the block it starts in and what it does.
type branch struct {
	from *llir.Block
	do   func() []val
}

// join translates branches and lets them meet in one block, with phis for what
// they give.
func (f *fn) join(ts []ir.Type, branches []branch) {
	end := f.block("join")
	vals, feed := f.phis(end, ts)
	for _, b := range branches {
		f.place(b.from)
		feed(b.do())
		f.br(end)
	}
	f.place(end)
	f.afterPhis()
	f.setAll(vals)
}

func emitIf(f *fn) {
	regions := f.g.Regions(f.v)
	then, els := f.block("then"), f.block("else")
	cond := f.arg(0)
	if f.resultTypes() == nil && len(f.g.Yields(regions[1])) == 0 && len(f.s.Body(regions[1])) <= 1 {
		end := f.block("join")
		f.cur.NewCondBr(cond, then, end)
		f.place(then)
		f.body(regions[0])
		f.br(end)
		f.place(end)
		return
	}
	br := f.cur.NewCondBr(cond, then, els)
	if f.g.Attr(f.v, scf.RareAttr) != 0 {
		br.Metadata = append(br.Metadata, &metadata.Attachment{Name: "prof", Node: f.rareHint()})
	}
	f.join(f.resultTypes(), []branch{
		{then, func() []val { return f.body(regions[0]) }},
		{els, func() []val { return f.body(regions[1]) }},
	})
}

func emitSwitch(f *fn) {
	regions := f.g.Regions(f.v)
	cases := f.c.Ints(f.g.Attr(f.v, "cases"))
	branches := make([]branch, len(regions))
	for i, r := range regions {
		branches[i] = branch{f.block("case"), func() []val { return f.body(r) }}
	}
	sw := make([]*llir.Case, len(cases))
	for i, n := range cases {
		sw[i] = llir.NewCase(i64(n), branches[i+1].from)
	}
	f.cur.NewSwitch(f.arg(0), branches[0].from, sw...)
	f.join(f.resultTypes(), branches)
}

func emitExecute(f *fn) {
	f.setAll(f.body(f.g.Regions(f.v)[0]))
}

// bound is a bound or the step of a loop, and what is certain of it.
type bound struct {
	v value.Value
	n affine.Number
}

// boundOf is a value as a bound.
func (f *fn) boundOf(v ir.Value) bound { return bound{f.of(v).v, f.known.At(f.region).Number(v)} }

// bounds are values as bounds.
func (f *fn) bounds(vs []ir.Value) (out []bound) {
	for _, v := range vs {
		out = append(out, f.boundOf(v))
	}
	return out
}

// plain is a bound of which only that it may be a constant is known.
func plain(v value.Value) bound {
	if n, ok := number(v); ok {
		return bound{v, affine.Just(int(widthOf(v.Type())), n)}
	}
	return bound{v, affine.Any(int(widthOf(v.Type())))}
}

// counted is a loop over low <= i < high by step, with carried values. All three
// are of the same integer type; body gets i.
//
// The increment of the loop cannot overflow: with a step of 1 because i < high,
// with others if the last one is known to fit; otherwise the iterations are counted
// first and i is computed from their number, so that an upper bound near the
// largest integer ends the loop as it should.
func (f *fn) counted(low, high, step bound, ts []ir.Type, inits []val, body func(i value.Value, carried []val) []val) []val {
	lanes := f.lanesWanted()
	t := low.v.Type().(*types.IntType)
	f.checkStep(step)
	start, limit, by := low.v, high.v, step.v
	direct := f.direct(t, high, step)
	if !direct {
		start, limit, by = intLit(t, 0), f.trips(t, low.v, high.v, step.v), intLit(t, 1)
	}
	head, in, out := f.block("loop"), f.block("body"), f.block("exit")
	k := &llir.InstPhi{Typ: t}
	head.Insts = append(head.Insts, k)
	vals, feed := f.phis(head, ts)
	feed(inits)
	before := f.cur
	k.Incs = append(k.Incs, llir.NewIncoming(start, before))
	f.br(head)
	f.place(head)
	f.afterPhis()
	pred := enum.IPredSLT
	if !direct {
		pred = enum.IPredULT
	}
	f.cur.NewCondBr(add(f, llir.NewICmp(pred, k, limit)), in, out)
	f.place(in)
	var i value.Value = k
	if !direct {
		i = f.sumOf(t, low.v, f.timesOf(t, k, step.v))
	}
	ys := f.loopBody(ts, func() []val { return body(i, vals) })
	next := add(f, llir.NewAdd(k, by))
	next.OverflowFlags = []enum.OverflowFlag{enum.OverflowFlagNSW}
	if low.n.Low >= 0 || !direct {
		next.OverflowFlags = []enum.OverflowFlag{enum.OverflowFlagNUW, enum.OverflowFlagNSW}
	}
	if !direct {
		next.OverflowFlags = next.OverflowFlags[:1]
	}
	f.checks.collect(f, before, head)
	feed(ys)
	k.Incs = append(k.Incs, llir.NewIncoming(next, f.cur))
	latch := f.cur.NewBr(head)
	if hints := f.hints(lanes, f.isLong(head) || lanes > 1 && isShort(start, limit)); hints != nil {
		latch.Metadata = append(latch.Metadata, &metadata.Attachment{Name: "llvm.loop", Node: hints})
	}
	f.place(out)
	return vals
}

// direct reports that high - 1 + step is representable.
func (f *fn) direct(t *types.IntType, high, step bound) bool {
	s, ok := number(step.v)
	if !ok || t.BitSize > 64 {
		return false
	}
	return s == 1 || high.n.Width > 0 && high.n.High <= affine.Any(high.n.Width).High-s
}

// trips is the number of iterations, unsigned: (high - low - 1) / step + 1.
func (f *fn) trips(t *types.IntType, low, high, step value.Value) value.Value {
	span := add(f, llir.NewSub(high, low))
	less := add(f, llir.NewSub(span, intLit(t, 1)))
	// Where nothing runs, a step of zero must not divide: unchecked code may have one.
	full := add(f, llir.NewUDiv(less, step))
	n := add(f, llir.NewAdd(full, intLit(t, 1)))
	runs := add(f, llir.NewICmp(enum.IPredSLT, low, high))
	return add(f, llir.NewSelect(runs, n, intLit(t, 0)))
}

func (f *fn) sumOf(t *types.IntType, x, y value.Value) value.Value {
	if n, ok := number(x); ok && n == 0 {
		return y
	}
	return add(f, llir.NewAdd(x, y))
}

func (f *fn) timesOf(t *types.IntType, x, y value.Value) value.Value {
	if n, ok := number(y); ok && n == 1 {
		return x
	}
	return add(f, llir.NewMul(x, y))
}

func (f *fn) checkStep(step bound) {
	if step.n.Width > 0 && step.n.Low > 0 {
		return
	}
	f.check(add(f, llir.NewICmp(enum.IPredSLE, step.v, intLit(step.v.Type(), 0))), "the step of a loop is not positive")
}

// loopBody runs body as an iteration: what it allocates on the stack is freed at
// its end, unless a memref is carried on.
func (f *fn) loopBody(ts []ir.Type, body func() []val) []val {
	l := &loop{}
	for _, t := range ts {
		l.keeps = l.keeps || f.c.Info(t).Kind == ir.KindMemRef
	}
	f.loops = append(f.loops, l)
	ys := f.scoped(l.keeps, body)
	f.loops = f.loops[:len(f.loops)-1]
	return ys
}

// scoped restores the stack after body if that allocates on it.
func (f *fn) scoped(keep bool, body func() []val) []val {
	start, n := f.cur, len(f.cur.Insts)
	before := f.stack
	f.stack = 0
	ys := body()
	grew := f.stack > 0
	f.stack += before
	if !grew || keep {
		return ys
	}
	f.stack = before
	save := llir.NewCall(f.external("llvm.stacksave", ptr, nil))
	start.Insts = append(start.Insts[:n:n], append([]llir.Instruction{save}, start.Insts[n:]...)...)
	add(f, llir.NewCall(f.external("llvm.stackrestore", types.Void, []types.Type{ptr}), save))
	return ys
}

func emitFor(f *fn) {
	args := f.g.Args(f.v)
	r := f.g.Regions(f.v)[0]
	inits := args[3:]
	loop := func() []val {
		return f.counted(f.boundOf(args[0]), f.boundOf(args[1]), f.boundOf(args[2]), f.typesOf(inits), f.args(inits), func(i value.Value, carried []val) []val {
			return f.bodyWith(r, append([]val{{v: i}}, carried...))
		})
	}
	if slow, ok := f.readOnly(f.v); ok {
		f.setAll(f.late(slow, f.typesOf(inits), loop))
	} else {
		f.setAll(loop())
	}
}

func emitWhile(f *fn) {
	regions := f.g.Regions(f.v)
	inits := f.g.Args(f.v)
	ts := f.typesOf(inits)
	before, after, out := f.block("while"), f.block("do"), f.block("exit")
	vals, feed := f.phis(before, ts)
	feed(f.args(inits))
	f.br(before)
	f.place(before)
	f.afterPhis()
	passTypes := f.resultTypes()
	l := &loop{}
	for _, t := range append(append([]ir.Type(nil), ts...), passTypes...) {
		l.keeps = l.keeps || f.c.Info(t).Kind == ir.KindMemRef
	}
	f.loops = append(f.loops, l)
	pass := f.scoped(l.keeps, func() []val { return f.bodyWith(regions[0], vals) })
	f.cur.NewCondBr(pass[0].v, after, out)
	f.place(after)
	ys := f.scoped(l.keeps, func() []val { return f.bodyWith(regions[1], pass[1:]) })
	feed(ys)
	f.br(before)
	f.loops = f.loops[:len(f.loops)-1]
	f.place(out)
	f.setAll(pass[1:])
}

// nest runs body for all points of a box, the last dimension innermost.
func (f *fn) nest(low, high, step []bound, ts []ir.Type, acc []val, body func(at []value.Value, acc []val) []val) []val {
	var level func(d int, at []value.Value, acc []val) []val
	level = func(d int, at []value.Value, acc []val) []val {
		if d == len(low) {
			return body(at, acc)
		}
		return f.counted(low[d], high[d], step[d], ts, acc, func(i value.Value, acc []val) []val {
			return level(d+1, append(at[:d:d], i), acc)
		})
	}
	return level(0, nil, acc)
}

// everywhere runs body for the indices of all elements of memory of some sizes.
func (f *fn) everywhere(sizes []value.Value, body func(at []value.Value)) {
	var low, high, step []bound
	for _, n := range sizes {
		low, high, step = append(low, plain(i64(0))), append(high, plain(n)), append(step, plain(i64(1)))
	}
	f.nest(low, high, step, nil, nil, func(at []value.Value, _ []val) []val {
		body(at)
		return nil
	})
}

// segments splits the operands of the current op.
func (f *fn) segments() [][]ir.Value {
	rest := f.g.Args(f.v)
	var out [][]ir.Value
	for _, n := range f.c.Ints(f.g.Attr(f.v, "operandSegmentSizes")) {
		out = append(out, rest[:n])
		rest = rest[n:]
	}
	return out
}

func (f *fn) valuesOf(vs []ir.Value) []value.Value {
	out := make([]value.Value, len(vs))
	for i, v := range vs {
		out[i] = f.of(v).v
	}
	return out
}

func asVals(vs []value.Value) []val {
	out := make([]val, len(vs))
	for i, v := range vs {
		out[i] = val{v: v}
	}
	return out
}

func emitParallel(f *fn) {
	seg := f.segments()
	r := f.g.Regions(f.v)[0]
	term := f.g.Term(r)
	ts := f.typesOf(seg[3])
	steps := f.bounds(seg[2])
	for _, s := range steps {
		f.checkStep(s) // all of them before the first iteration
	}
	b := &box{low: f.bounds(seg[0]), high: f.bounds(seg[1]), step: steps, body: func(f *fn, at []value.Value) []val { return f.bodyWith(r, asVals(at)) }}
	if len(ts) > 0 {
		b.reduce = &reduction{ts: ts, inits: f.args(seg[3]), regions: f.g.Regions(term)}
	}
	f.setAll(f.parallel(b, r))
}

func emitForall(f *fn) {
	seg := f.segments()
	if len(seg[3]) > 0 {
		f.fail("has shared outputs, which are tensors: tensors have no memory yet; bufferize it to memrefs first")
	}
	var sides [3][]bound
	for i, name := range []string{"staticLowerBound", "staticUpperBound", "staticStep"} {
		dynamic := f.bounds(seg[i])
		for _, n := range f.c.Ints(f.g.Attr(f.v, name)) {
			if n == ir.Dynamic {
				sides[i], dynamic = append(sides[i], dynamic[0]), dynamic[1:]
			} else {
				sides[i] = append(sides[i], plain(i64(n)))
			}
		}
	}
	for _, s := range sides[2] {
		f.checkStep(s)
	}
	r := f.g.Regions(f.v)[0]
	f.parallel(&box{low: sides[0], high: sides[1], step: sides[2], body: func(f *fn, at []value.Value) []val {
		f.bodyWith(r, asVals(at))
		return nil
	}}, r)
	f.setAll(nil)
}
