package emit

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/lists"
)

// Loops are the counted loops that are being translated, from the outermost on, and how they test, step and stop: with checks at once,
// or behind the loop that has late ones.
type Loops struct {
	f      *Fn
	b      *Builder
	Open   []*Loop
	checks *lateChecks // of the loop that is being translated, or nil
}

// Loop is a loop that is being translated.
type Loop struct {
	Keeps bool // memory allocated in an iteration may be used in the next
}

// TypesOf lists the types of nodes.
func (f *Fn) TypesOf(vs []ir.Value) []ir.Type {
	out := make([]ir.Type, len(vs))
	for i, v := range vs {
		out[i] = f.G.Type(v)
	}
	return out
}

// results lists the result types of the current op.
func (f *Fn) resultTypes() []ir.Type { return f.C.Results(f.G.Type(f.V)) }

// branch is one way into a join: the block it starts in and what it does.
type branch struct {
	from *llir.Block
	do   func() []Val
}

// join translates branches and lets them meet in one block, with phis for what
// they give.
func (f *Fn) join(ts []ir.Type, branches []branch) {
	end := f.B.Block("join")
	vals, feed := f.Phis.make(end, ts)
	for _, b := range branches {
		f.B.Place(b.from)
		feed(b.do())
		f.B.Br(end)
	}
	f.B.Place(end)
	f.Phis.After()
	f.SetAll(vals)
}

func EmitIf(f *Fn) {
	regions := f.G.Regions(f.V)
	then, els := f.B.Block("then"), f.B.Block("else")
	cond := f.Arg(0)
	if f.resultTypes() == nil && len(f.G.Yields(regions[1])) == 0 && len(f.S.Body(regions[1])) <= 1 {
		end := f.B.Block("join")
		f.B.Cur.NewCondBr(cond, then, end)
		f.B.Place(then)
		f.Body(regions[0])
		f.B.Br(end)
		f.B.Place(end)
		return
	}
	br := f.B.Cur.NewCondBr(cond, then, els)
	if f.G.Attr(f.V, scf.RareAttr) != 0 {
		br.Metadata = append(br.Metadata, &metadata.Attachment{Name: "prof", Node: f.rareHint()})
	}
	f.join(f.resultTypes(), []branch{
		{then, func() []Val { return f.Body(regions[0]) }},
		{els, func() []Val { return f.Body(regions[1]) }},
	})
}

func EmitSwitch(f *Fn) {
	regions := f.G.Regions(f.V)
	cases := f.C.Ints(f.G.Attr(f.V, "cases"))
	branches := make([]branch, len(regions))
	for i, r := range regions {
		branches[i] = branch{f.B.Block("case"), func() []Val { return f.Body(r) }}
	}
	sw := make([]*llir.Case, len(cases))
	for i, n := range cases {
		sw[i] = llir.NewCase(lit.I64(n), branches[i+1].from)
	}
	f.B.Cur.NewSwitch(f.Arg(0), branches[0].from, sw...)
	f.join(f.resultTypes(), branches)
}

func EmitExecute(f *Fn) {
	f.SetAll(f.Body(f.G.Regions(f.V)[0]))
}

// bound is a bound or the step of a loop, and what is certain of it.
type bound struct {
	v value.Value
	n affine.Number
}

// boundOf is a value as a bound.
func (f *Fn) boundOf(v ir.Value) bound { return bound{f.Of(v).V, f.Known.At(f.Region).Number(v)} }

// bounds are values as bounds.
func (f *Fn) bounds(vs []ir.Value) []bound {
	return lists.Map(vs, f.boundOf)
}

// plain is a bound of which only that it may be a constant is known.
func plain(v value.Value) bound {
	if n, ok := lit.Number(v); ok {
		return bound{v, affine.Just(int(WidthOf(v.Type())), n)}
	}
	return bound{v, affine.Any(int(WidthOf(v.Type())))}
}

// counted is a loop over low <= i < high by step, with carried values. All three
// are of the same integer type; body gets i.
//
// The increment of the loop cannot overflow: with a step of 1 because i < high,
// with others if the last one is known to fit; otherwise the iterations are counted
// first and i is computed from their number, so that an upper bound near the
// largest integer ends the loop as it should.
func (lp *Loops) counted(low, high, step bound, ts []ir.Type, inits []Val, body func(i value.Value, carried []Val) []Val) []Val {
	lanes := lp.lanesWanted()
	t := low.v.Type().(*types.IntType)
	lp.checkStep(step)
	start, limit, by := low.v, high.v, step.v
	direct := isDirect(t, high, step)
	if !direct {
		start, limit, by = lit.IntLit(t, 0), lp.b.trips(t, low.v, high.v, step.v), lit.IntLit(t, 1)
	}
	head, in, out := lp.b.Block("loop"), lp.b.Block("body"), lp.b.Block("exit")
	k := &llir.InstPhi{Typ: t}
	head.Insts = append(head.Insts, k)
	vals, feed := lp.f.Phis.make(head, ts)
	feed(inits)
	before := lp.b.Cur
	k.Incs = append(k.Incs, llir.NewIncoming(start, before))
	lp.b.Br(head)
	lp.b.Place(head)
	lp.f.Phis.After()
	pred := enum.IPredSLT
	if !direct {
		pred = enum.IPredULT
	}
	lp.b.Cur.NewCondBr(Add(lp.b, llir.NewICmp(pred, k, limit)), in, out)
	lp.b.Place(in)
	var i value.Value = k
	if !direct {
		i = lp.b.sumOf(t, low.v, lp.b.timesOf(t, k, step.v))
	}
	ys := lp.loopBody(ts, func() []Val { return body(i, vals) })
	next := Add(lp.b, llir.NewAdd(k, by))
	next.OverflowFlags = []enum.OverflowFlag{enum.OverflowFlagNSW}
	if low.n.Low >= 0 || !direct {
		next.OverflowFlags = []enum.OverflowFlag{enum.OverflowFlagNUW, enum.OverflowFlagNSW}
	}
	if !direct {
		next.OverflowFlags = next.OverflowFlags[:1]
	}
	lp.checks.collect(lp.b, before, head)
	feed(ys)
	k.Incs = append(k.Incs, llir.NewIncoming(next, lp.b.Cur))
	latch := lp.b.Cur.NewBr(head)
	if hints := lp.hints(lanes, lp.b.isLong(head) || lanes > 1 && isShort(start, limit)); hints != nil {
		latch.Metadata = append(latch.Metadata, &metadata.Attachment{Name: "llvm.loop", Node: hints})
	}
	lp.b.Place(out)
	return vals
}

// isDirect reports that high - 1 + step is representable.
func isDirect(t *types.IntType, high, step bound) bool {
	s, ok := lit.Number(step.v)
	if !ok || t.BitSize > 64 {
		return false
	}
	return s == 1 || high.n.Width > 0 && high.n.High <= affine.Any(high.n.Width).High-s
}

// trips is the number of iterations, unsigned: (high - low - 1) / step + 1.
func (ib *Builder) trips(t *types.IntType, low, high, step value.Value) value.Value {
	span := Add(ib, llir.NewSub(high, low))
	less := Add(ib, llir.NewSub(span, lit.IntLit(t, 1)))
	// Where nothing runs, a step of zero must not divide: unchecked code may have one.
	full := Add(ib, llir.NewUDiv(less, step))
	n := Add(ib, llir.NewAdd(full, lit.IntLit(t, 1)))
	runs := Add(ib, llir.NewICmp(enum.IPredSLT, low, high))
	return Add(ib, llir.NewSelect(runs, n, lit.IntLit(t, 0)))
}

func (ib *Builder) sumOf(t *types.IntType, x, y value.Value) value.Value {
	if n, ok := lit.Number(x); ok && n == 0 {
		return y
	}
	return Add(ib, llir.NewAdd(x, y))
}

func (ib *Builder) timesOf(t *types.IntType, x, y value.Value) value.Value {
	if n, ok := lit.Number(y); ok && n == 1 {
		return x
	}
	return Add(ib, llir.NewMul(x, y))
}

func (lp *Loops) checkStep(step bound) {
	if step.n.Width > 0 && step.n.Low > 0 {
		return
	}
	lp.f.Check(Add(lp.b, llir.NewICmp(enum.IPredSLE, step.v, lit.IntLit(step.v.Type(), 0))), "the step of a loop is not positive")
}

// loopBody runs body as an iteration: what it allocates on the stack is freed at
// its end, unless a memref is carried on.
func (lp *Loops) loopBody(ts []ir.Type, body func() []Val) []Val {
	l := &Loop{}
	for _, t := range ts {
		l.Keeps = l.Keeps || lp.f.C.Info(t).Kind == ir.KindMemRef
	}
	lp.Open = append(lp.Open, l)
	ys := lp.b.Scoped(l.Keeps, body)
	lp.Open = lp.Open[:len(lp.Open)-1]
	return ys
}

// Scoped restores the stack after body if that allocates on it.
func (ib *Builder) Scoped(keep bool, body func() []Val) []Val {
	start, n := ib.Cur, len(ib.Cur.Insts)
	before := ib.Stack
	ib.Stack = 0
	ys := body()
	grew := ib.Stack > 0
	ib.Stack += before
	if !grew || keep {
		return ys
	}
	ib.Stack = before
	save := llir.NewCall(ib.e.External("llvm.stacksave", lit.Ptr, nil))
	start.Insts = append(start.Insts[:n:n], append([]llir.Instruction{save}, start.Insts[n:]...)...)
	Add(ib, llir.NewCall(ib.e.External("llvm.stackrestore", types.Void, []types.Type{lit.Ptr}), save))
	return ys
}

func EmitFor(f *Fn) {
	args := f.G.Args(f.V)
	r := f.G.Regions(f.V)[0]
	inits := args[3:]
	loop := func() []Val {
		return f.Loops.counted(f.boundOf(args[0]), f.boundOf(args[1]), f.boundOf(args[2]), f.TypesOf(inits), f.Args(inits), func(i value.Value, carried []Val) []Val {
			return f.BodyWith(r, append([]Val{{V: i}}, carried...))
		})
	}
	if slow, ok := f.Loops.readOnly(f.V); ok {
		f.SetAll(f.Loops.late(slow, f.TypesOf(inits), loop))
	} else {
		f.SetAll(loop())
	}
}

func EmitWhile(f *Fn) {
	regions := f.G.Regions(f.V)
	inits := f.G.Args(f.V)
	ts := f.TypesOf(inits)
	before, after, out := f.B.Block("while"), f.B.Block("do"), f.B.Block("exit")
	vals, feed := f.Phis.make(before, ts)
	feed(f.Args(inits))
	f.B.Br(before)
	f.B.Place(before)
	f.Phis.After()
	passTypes := f.resultTypes()
	l := &Loop{}
	for _, t := range append(append([]ir.Type(nil), ts...), passTypes...) {
		l.Keeps = l.Keeps || f.C.Info(t).Kind == ir.KindMemRef
	}
	f.Loops.Open = append(f.Loops.Open, l)
	pass := f.B.Scoped(l.Keeps, func() []Val { return f.BodyWith(regions[0], vals) })
	f.B.Cur.NewCondBr(pass[0].V, after, out)
	f.B.Place(after)
	ys := f.B.Scoped(l.Keeps, func() []Val { return f.BodyWith(regions[1], pass[1:]) })
	feed(ys)
	f.B.Br(before)
	f.Loops.Open = f.Loops.Open[:len(f.Loops.Open)-1]
	f.B.Place(out)
	f.SetAll(pass[1:])
}

// nest runs body for all points of a box, the last dimension innermost.
func (lp *Loops) nest(low, high, step []bound, ts []ir.Type, acc []Val, body func(at []value.Value, acc []Val) []Val) []Val {
	var level func(d int, at []value.Value, acc []Val) []Val
	level = func(d int, at []value.Value, acc []Val) []Val {
		if d == len(low) {
			return body(at, acc)
		}
		return lp.counted(low[d], high[d], step[d], ts, acc, func(i value.Value, acc []Val) []Val {
			return level(d+1, append(at[:d:d], i), acc)
		})
	}
	return level(0, nil, acc)
}

// Everywhere runs body for the indices of all elements of memory of some sizes.
func (lp *Loops) Everywhere(sizes []value.Value, body func(at []value.Value)) {
	var low, high, step []bound
	for _, n := range sizes {
		low, high, step = append(low, plain(lit.I64(0))), append(high, plain(n)), append(step, plain(lit.I64(1)))
	}
	lp.nest(low, high, step, nil, nil, func(at []value.Value, _ []Val) []Val {
		body(at)
		return nil
	})
}

func (f *Fn) ValuesOf(vs []ir.Value) []value.Value {
	out := make([]value.Value, len(vs))
	for i, v := range vs {
		out[i] = f.Of(v).V
	}
	return out
}

func AsVals(vs []value.Value) []Val {
	out := make([]Val, len(vs))
	for i, v := range vs {
		out[i] = Val{V: v}
	}
	return out
}

func EmitParallel(f *Fn) {
	seg := f.G.Segments(f.V)
	r := f.G.Regions(f.V)[0]
	term := f.G.Term(r)
	ts := f.TypesOf(seg[3])
	steps := f.bounds(seg[2])
	for _, s := range steps {
		f.Loops.checkStep(s) // all of them before the first iteration
	}
	b := &box{low: f.bounds(seg[0]), high: f.bounds(seg[1]), step: steps, body: func(f *Fn, at []value.Value) []Val { return f.BodyWith(r, AsVals(at)) }}
	if len(ts) > 0 {
		b.reduce = &reduction{ts: ts, inits: f.Args(seg[3]), regions: f.G.Regions(term)}
	}
	f.SetAll(b.parallel(f, r))
}

func EmitForall(f *Fn) {
	seg := f.G.Segments(f.V)
	if len(seg[3]) > 0 {
		f.Fail("has shared outputs, which are tensors: tensors have no memory yet; bufferize it to memrefs first")
	}
	var sides [3][]bound
	for i, name := range []string{"staticLowerBound", "staticUpperBound", "staticStep"} {
		dynamic := f.bounds(seg[i])
		for _, n := range f.C.Ints(f.G.Attr(f.V, name)) {
			if n == ir.Dynamic {
				sides[i], dynamic = append(sides[i], dynamic[0]), dynamic[1:]
			} else {
				sides[i] = append(sides[i], plain(lit.I64(n)))
			}
		}
	}
	for _, s := range sides[2] {
		f.Loops.checkStep(s)
	}
	r := f.G.Regions(f.V)[0]
	b := &box{low: sides[0], high: sides[1], step: sides[2], body: func(f *Fn, at []value.Value) []Val {
		f.BodyWith(r, AsVals(at))
		return nil
	}}
	b.parallel(f, r)
	f.SetAll(nil)
}
