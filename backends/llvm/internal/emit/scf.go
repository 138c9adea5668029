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
	end := f.Block("join")
	vals, feed := f.phis(end, ts)
	for _, b := range branches {
		f.Place(b.from)
		feed(b.do())
		f.Br(end)
	}
	f.Place(end)
	f.AfterPhis()
	f.SetAll(vals)
}

func EmitIf(f *Fn) {
	regions := f.G.Regions(f.V)
	then, els := f.Block("then"), f.Block("else")
	cond := f.Arg(0)
	if f.resultTypes() == nil && len(f.G.Yields(regions[1])) == 0 && len(f.S.Body(regions[1])) <= 1 {
		end := f.Block("join")
		f.Cur.NewCondBr(cond, then, end)
		f.Place(then)
		f.Body(regions[0])
		f.Br(end)
		f.Place(end)
		return
	}
	br := f.Cur.NewCondBr(cond, then, els)
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
		branches[i] = branch{f.Block("case"), func() []Val { return f.Body(r) }}
	}
	sw := make([]*llir.Case, len(cases))
	for i, n := range cases {
		sw[i] = llir.NewCase(lit.I64(n), branches[i+1].from)
	}
	f.Cur.NewSwitch(f.Arg(0), branches[0].from, sw...)
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
func (f *Fn) counted(low, high, step bound, ts []ir.Type, inits []Val, body func(i value.Value, carried []Val) []Val) []Val {
	lanes := f.lanesWanted()
	t := low.v.Type().(*types.IntType)
	f.checkStep(step)
	start, limit, by := low.v, high.v, step.v
	direct := f.direct(t, high, step)
	if !direct {
		start, limit, by = lit.IntLit(t, 0), f.trips(t, low.v, high.v, step.v), lit.IntLit(t, 1)
	}
	head, in, out := f.Block("loop"), f.Block("body"), f.Block("exit")
	k := &llir.InstPhi{Typ: t}
	head.Insts = append(head.Insts, k)
	vals, feed := f.phis(head, ts)
	feed(inits)
	before := f.Cur
	k.Incs = append(k.Incs, llir.NewIncoming(start, before))
	f.Br(head)
	f.Place(head)
	f.AfterPhis()
	pred := enum.IPredSLT
	if !direct {
		pred = enum.IPredULT
	}
	f.Cur.NewCondBr(Add(f, llir.NewICmp(pred, k, limit)), in, out)
	f.Place(in)
	var i value.Value = k
	if !direct {
		i = f.sumOf(t, low.v, f.timesOf(t, k, step.v))
	}
	ys := f.loopBody(ts, func() []Val { return body(i, vals) })
	next := Add(f, llir.NewAdd(k, by))
	next.OverflowFlags = []enum.OverflowFlag{enum.OverflowFlagNSW}
	if low.n.Low >= 0 || !direct {
		next.OverflowFlags = []enum.OverflowFlag{enum.OverflowFlagNUW, enum.OverflowFlagNSW}
	}
	if !direct {
		next.OverflowFlags = next.OverflowFlags[:1]
	}
	f.checks.collect(f, before, head)
	feed(ys)
	k.Incs = append(k.Incs, llir.NewIncoming(next, f.Cur))
	latch := f.Cur.NewBr(head)
	if hints := f.hints(lanes, f.isLong(head) || lanes > 1 && isShort(start, limit)); hints != nil {
		latch.Metadata = append(latch.Metadata, &metadata.Attachment{Name: "llvm.loop", Node: hints})
	}
	f.Place(out)
	return vals
}

// direct reports that high - 1 + step is representable.
func (f *Fn) direct(t *types.IntType, high, step bound) bool {
	s, ok := lit.Number(step.v)
	if !ok || t.BitSize > 64 {
		return false
	}
	return s == 1 || high.n.Width > 0 && high.n.High <= affine.Any(high.n.Width).High-s
}

// trips is the number of iterations, unsigned: (high - low - 1) / step + 1.
func (f *Fn) trips(t *types.IntType, low, high, step value.Value) value.Value {
	span := Add(f, llir.NewSub(high, low))
	less := Add(f, llir.NewSub(span, lit.IntLit(t, 1)))
	// Where nothing runs, a step of zero must not divide: unchecked code may have one.
	full := Add(f, llir.NewUDiv(less, step))
	n := Add(f, llir.NewAdd(full, lit.IntLit(t, 1)))
	runs := Add(f, llir.NewICmp(enum.IPredSLT, low, high))
	return Add(f, llir.NewSelect(runs, n, lit.IntLit(t, 0)))
}

func (f *Fn) sumOf(t *types.IntType, x, y value.Value) value.Value {
	if n, ok := lit.Number(x); ok && n == 0 {
		return y
	}
	return Add(f, llir.NewAdd(x, y))
}

func (f *Fn) timesOf(t *types.IntType, x, y value.Value) value.Value {
	if n, ok := lit.Number(y); ok && n == 1 {
		return x
	}
	return Add(f, llir.NewMul(x, y))
}

func (f *Fn) checkStep(step bound) {
	if step.n.Width > 0 && step.n.Low > 0 {
		return
	}
	f.Check(Add(f, llir.NewICmp(enum.IPredSLE, step.v, lit.IntLit(step.v.Type(), 0))), "the step of a loop is not positive")
}

// loopBody runs body as an iteration: what it allocates on the stack is freed at
// its end, unless a memref is carried on.
func (f *Fn) loopBody(ts []ir.Type, body func() []Val) []Val {
	l := &Loop{}
	for _, t := range ts {
		l.Keeps = l.Keeps || f.C.Info(t).Kind == ir.KindMemRef
	}
	f.Loops = append(f.Loops, l)
	ys := f.Scoped(l.Keeps, body)
	f.Loops = f.Loops[:len(f.Loops)-1]
	return ys
}

// Scoped restores the stack after body if that allocates on it.
func (f *Fn) Scoped(keep bool, body func() []Val) []Val {
	start, n := f.Cur, len(f.Cur.Insts)
	before := f.Stack
	f.Stack = 0
	ys := body()
	grew := f.Stack > 0
	f.Stack += before
	if !grew || keep {
		return ys
	}
	f.Stack = before
	save := llir.NewCall(f.External("llvm.stacksave", lit.Ptr, nil))
	start.Insts = append(start.Insts[:n:n], append([]llir.Instruction{save}, start.Insts[n:]...)...)
	Add(f, llir.NewCall(f.External("llvm.stackrestore", types.Void, []types.Type{lit.Ptr}), save))
	return ys
}

func EmitFor(f *Fn) {
	args := f.G.Args(f.V)
	r := f.G.Regions(f.V)[0]
	inits := args[3:]
	loop := func() []Val {
		return f.counted(f.boundOf(args[0]), f.boundOf(args[1]), f.boundOf(args[2]), f.TypesOf(inits), f.Args(inits), func(i value.Value, carried []Val) []Val {
			return f.BodyWith(r, append([]Val{{V: i}}, carried...))
		})
	}
	if slow, ok := f.readOnly(f.V); ok {
		f.SetAll(f.late(slow, f.TypesOf(inits), loop))
	} else {
		f.SetAll(loop())
	}
}

func EmitWhile(f *Fn) {
	regions := f.G.Regions(f.V)
	inits := f.G.Args(f.V)
	ts := f.TypesOf(inits)
	before, after, out := f.Block("while"), f.Block("do"), f.Block("exit")
	vals, feed := f.phis(before, ts)
	feed(f.Args(inits))
	f.Br(before)
	f.Place(before)
	f.AfterPhis()
	passTypes := f.resultTypes()
	l := &Loop{}
	for _, t := range append(append([]ir.Type(nil), ts...), passTypes...) {
		l.Keeps = l.Keeps || f.C.Info(t).Kind == ir.KindMemRef
	}
	f.Loops = append(f.Loops, l)
	pass := f.Scoped(l.Keeps, func() []Val { return f.BodyWith(regions[0], vals) })
	f.Cur.NewCondBr(pass[0].V, after, out)
	f.Place(after)
	ys := f.Scoped(l.Keeps, func() []Val { return f.BodyWith(regions[1], pass[1:]) })
	feed(ys)
	f.Br(before)
	f.Loops = f.Loops[:len(f.Loops)-1]
	f.Place(out)
	f.SetAll(pass[1:])
}

// nest runs body for all points of a box, the last dimension innermost.
func (f *Fn) nest(low, high, step []bound, ts []ir.Type, acc []Val, body func(at []value.Value, acc []Val) []Val) []Val {
	var level func(d int, at []value.Value, acc []Val) []Val
	level = func(d int, at []value.Value, acc []Val) []Val {
		if d == len(low) {
			return body(at, acc)
		}
		return f.counted(low[d], high[d], step[d], ts, acc, func(i value.Value, acc []Val) []Val {
			return level(d+1, append(at[:d:d], i), acc)
		})
	}
	return level(0, nil, acc)
}

// Everywhere runs body for the indices of all elements of memory of some sizes.
func (f *Fn) Everywhere(sizes []value.Value, body func(at []value.Value)) {
	var low, high, step []bound
	for _, n := range sizes {
		low, high, step = append(low, plain(lit.I64(0))), append(high, plain(n)), append(step, plain(lit.I64(1)))
	}
	f.nest(low, high, step, nil, nil, func(at []value.Value, _ []Val) []Val {
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
		f.checkStep(s) // all of them before the first iteration
	}
	b := &box{low: f.bounds(seg[0]), high: f.bounds(seg[1]), step: steps, body: func(f *Fn, at []value.Value) []Val { return f.BodyWith(r, AsVals(at)) }}
	if len(ts) > 0 {
		b.reduce = &reduction{ts: ts, inits: f.Args(seg[3]), regions: f.G.Regions(term)}
	}
	f.SetAll(f.parallel(b, r))
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
		f.checkStep(s)
	}
	r := f.G.Regions(f.V)[0]
	f.parallel(&box{low: sides[0], high: sides[1], step: sides[2], body: func(f *Fn, at []value.Value) []Val {
		f.BodyWith(r, AsVals(at))
		return nil
	}}, r)
	f.SetAll(nil)
}
