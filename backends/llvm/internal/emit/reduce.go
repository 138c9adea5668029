package emit

import (
	"math"
	"math/bits"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf/combine"
	"github.com/irc-lang/irc/dialects/scf/iteration"
	"github.com/irc-lang/irc/ir"
)

// The values of a parallel loop's iterations are combined in the order of iteration.ReduceChunk: chunks from the
// first to the last or in lanes, then a tree, which is built as a number is counted up in binary, as iteration.Tree does. A block
// of 2^k chunks, beginning at a multiple of that, is a part of the tree, so cores do whole blocks.

// maxBlocks is how many blocks a loop is cut into at most; their results lie on the stack.
const maxBlocks = 256

// reduction is what a loop makes of the values of its iterations.
type reduction struct {
	ts      []ir.Type
	inits   []Val
	regions []ir.Region // that combine two values
}

// of combines values of which the first are of earlier iterations.
func (red *reduction) of(f *Fn, x, y []Val) []Val {
	out := make([]Val, len(x))
	for i, region := range red.regions {
		if red.isInLanes(f, i) {
			out[i] = Val{V: f.B.inOrder(combine.Op(f.G, region), x[i].V, y[i].V)}
		} else {
			out[i] = f.BodyWith(region, []Val{x[i], y[i]})[0]
		}
	}
	return out
}

func (red *reduction) isInLanes(f *Fn, i int) bool { return combine.InLanes(f.G, red.regions[i]) }

func (red *reduction) anyInLanes(f *Fn) bool {
	return red != nil && slices.ContainsFunc(red.regions, func(region ir.Region) bool { return combine.InLanes(f.G, region) })
}

// pick is the reduction of the values that are combined in lanes, or of the others.
func (red *reduction) pick(f *Fn, lanes bool) (some *reduction, at []int) {
	some = &reduction{}
	for i, region := range red.regions {
		if red.isInLanes(f, i) == lanes {
			some.ts, some.inits, some.regions = append(some.ts, red.ts[i]), append(some.inits, red.inits[i]), append(some.regions, region)
			at = append(at, i)
		}
	}
	return some, at
}

func picked(vs []Val, at []int) []Val {
	out := make([]Val, len(at))
	for i, k := range at {
		out[i] = vs[k]
	}
	return out
}

// inOrder adds or multiplies floats, or vectors of them, as they are given: that the program may do it in another order is made use of already.
// Integers are bf16.
func (ib *Builder) inOrder(op *ir.OpDef, x, y value.Value) value.Value {
	if types.IsInt(ScalarOf(x.Type())) {
		return ib.ToBF16(ib.inOrder(op, ib.FromBF16(x), ib.FromBF16(y)))
	}
	if op == arith.Addf {
		return Add(ib, NewFAdd(x, y))
	}
	return Add(ib, NewFMul(x, y))
}

// plain reports that to combine values neither stops nor has effects, and that they are no memory: then it
// may happen later than on one core.
func (red *reduction) plain(f *Fn) bool {
	for i, region := range red.regions {
		if f.C.Info(red.ts[i]).Kind == ir.KindMemRef {
			return false
		}
		for _, v := range f.S.Body(region) {
			def := f.G.Def(v)
			if !def.Has(ir.Terminator) && (def.Effects != nil || def.Has(ir.Partial) || f.G.IsPartial(v) || len(f.G.Regions(v)) > 0) {
				return false
			}
		}
	}
	return true
}

// starts are the values with which a chunk begins that is not the first: x such that x combined
// with y is y to the bit. Nil if one is not known.
func (red *reduction) starts(f *Fn) []Val {
	var out []Val
	for i := range red.regions {
		x := red.identity(f, i)
		if x == nil {
			return nil
		}
		out = append(out, Val{V: x})
	}
	return out
}

// identity is that of the region that combines values i, if it is one op.
func (red *reduction) identity(f *Fn, i int) value.Value {
	region, t := red.regions[i], red.ts[i]
	g, body, ps := f.G, f.S.Body(region), f.G.Params(region)
	if len(body) != 2 || !slices.Equal(g.Yields(region), body[:1]) || len(ps) != 2 {
		return nil
	}
	args := g.Args(body[0])
	if len(args) != 2 || !(args[0] == ps[0] && args[1] == ps[1]) && !(args[0] == ps[1] && args[1] == ps[0]) {
		return nil
	}
	l := f.LLType(t)
	if w, ok := l.(*types.IntType); ok && f.C.IsInt(t) && w.BitSize <= 64 {
		least := int64(-1) << (w.BitSize - 1)
		for n, defs := range map[int64][]*ir.OpDef{0: {arith.Addi, arith.Ori, arith.Xori, arith.Maxui}, 1: {arith.Muli}, -1: {arith.Andi, arith.Minui},
			least: {arith.Maxsi}, ^least: {arith.Minsi}} {
			if slices.Contains(defs, g.Def(body[0])) {
				return lit.IntLit(l, n)
			}
		}
		return nil
	}
	return nil
}

// reduceAll reduces a box on this thread.
func (b *box) reduceAll(f *Fn) []Val {
	n, known := lit.Number(b.all)
	if known && n == 0 {
		return b.reduce.inits
	}
	if known {
		return b.tree(f, lit.I64(0), b.all)
	}
	return b.unlessNone(f, func() []Val { return b.tree(f, lit.I64(0), b.all) })
}

// unlessNone is what do gives if there are iterations, else the initial values.
func (b *box) unlessNone(f *Fn, do func() []Val) []Val {
	some, done := f.B.Block("some"), f.B.Block("reduced")
	vals, feed := f.Phis.make(done, b.reduce.ts)
	feed(b.reduce.inits)
	f.B.Cur.NewCondBr(f.B.Icmp(enum.IPredSGT, b.all, lit.I64(0)), some, done)
	f.B.Place(some)
	feed(do())
	f.B.Br(done)
	f.B.Place(done)
	f.Phis.After()
	return vals
}

// rack is memory for values by number.
type rack struct {
	ts     []ir.Type
	fields [][]Alloca
	n      int64
}

// rackAlign is that of a vector register.
const rackAlign = 64

func (f *Fn) newRack(ts []ir.Type, n int64) *rack {
	r := &rack{ts: ts, n: n}
	for _, t := range ts {
		var list []Alloca
		for _, ft := range f.Phis.Carried(t) {
			a := Alloca{&llir.InstAlloca{ElemType: types.NewArray(uint64(n), ft), Align: rackAlign}}
			f.B.Top = append(f.B.Top, a)
			list = append(list, a)
		}
		r.fields = append(r.fields, list)
	}
	return r
}

func (r *rack) place(ib *Builder, a Alloca, i value.Value) value.Value {
	return Add(ib, &llir.InstGetElementPtr{ElemType: a.ElemType, Src: a, Indices: []value.Value{lit.I64(0), i}, InBounds: true, Typ: lit.Ptr})
}

func (r *rack) put(f *Fn, i value.Value, vs []Val) {
	for k, t := range r.ts {
		for j, x := range f.Phis.ToCarried(t, vs[k]) {
			Add(f.B, &llir.InstStore{Src: x, Dst: r.place(f.B, r.fields[k][j], i)})
		}
	}
}

func (r *rack) get(f *Fn, i value.Value) []Val {
	out := make([]Val, len(r.ts))
	for k, t := range r.ts {
		var fs []value.Value
		for _, a := range r.fields[k] {
			fs = append(fs, Add(f.B, &llir.InstLoad{ElemType: a.ElemType.(*types.ArrayType).ElemType, Src: r.place(f.B, a, i)}))
		}
		out[k] = f.Phis.FromCarried(t, fs)
	}
	f.Phis.After()
	return out
}

// tree combines iterations low to high of a box, of which there is one at least; low is a multiple of the chunk's size.
func (b *box) tree(f *Fn, low, high value.Value) []Val {
	size := lit.I64(iteration.ReduceChunk)
	r := f.newRack(b.reduce.ts, 64)
	n := f.B.chunks(f.B.Minus(high, low), size)
	chunks := func(from, to value.Value, whole bool) {
		f.Loops.counted(plain(from), bound{v: to}, plain(lit.I64(1)), nil, nil, func(c value.Value, _ []Val) []Val {
			from := f.B.Sum(low, f.B.Times(c, size))
			var to value.Value
			if !whole {
				to = f.B.Intrinsic("llvm.umin.i64", types.I64, nil, f.B.Sum(from, size), high)
			}
			acc := b.chunk(f, from, to, iteration.ReduceChunk)
			top := f.B.Intrinsic("llvm.ctpop.i64", types.I64, nil, c)
			carries := f.B.Intrinsic("llvm.cttz.i64", types.I64, nil, Add(f.B, llir.NewXor(c, lit.I64(-1))), lit.Bit(false))
			acc = b.reduce.joinParts(f, r, top, carries, acc)
			r.put(f, f.B.Minus(top, carries), acc)
			return nil
		})
	}
	var whole value.Value = lit.I64(0)
	if b.short {
		whole = Add(f.B, llir.NewUDiv(f.B.Minus(high, low), size))
		chunks(lit.I64(0), whole, true)
	}
	chunks(whole, n, false)
	last := f.B.Minus(f.B.Intrinsic("llvm.ctpop.i64", types.I64, nil, n), lit.I64(1))
	return b.reduce.joinParts(f, r, last, last, r.get(f, last))
}

// joinParts combines the n parts below a place with what there is, the last one first.
func (red *reduction) joinParts(f *Fn, r *rack, place, n value.Value, acc []Val) []Val {
	return f.Loops.counted(plain(lit.I64(0)), bound{v: n}, plain(lit.I64(1)), red.ts, acc, func(k value.Value, acc []Val) []Val {
		return red.of(f, r.get(f, f.B.Minus(f.B.Minus(place, k), lit.I64(1))), acc)
	})
}

// chunks is x / size, rounded up, of unsigned numbers.
func (ib *Builder) chunks(x, size value.Value) value.Value {
	n, ok := lit.Number(x)
	s, okS := lit.Number(size)
	if ok && okS && n > 0 {
		return lit.I64((n-1)/s + 1)
	}
	return ib.Sum(Add(ib, llir.NewUDiv(ib.Minus(x, lit.I64(1)), size)), lit.I64(1))
}

// one combines the n iterations of a box, which are one chunk.
func (b *box) one(f *Fn, n int64) []Val {
	if n == 0 {
		return b.reduce.inits
	}
	return b.chunk(f, lit.I64(0), lit.I64(n), 1<<bits.Len64(uint64(n-1)))
}

// mostShort is how many ops a body has at most that may be made twice.
const mostShort = 40

// isShort reports a body that may be made twice: once for chunks that are whole, whose number of iterations is a constant.
func (f *Fn) isShort(r ir.Region) bool {
	body := f.S.Body(r)
	return len(body) <= mostShort && !slices.ContainsFunc(body, func(v ir.Value) bool { return len(f.G.Regions(v)) > 0 && v != f.G.Term(r) })
}

// chunk combines iterations from to to of a box, of which there are at most most, a power of 2; if to is nil there are as many.
func (b *box) chunk(f *Fn, from, to value.Value, most int64) []Val {
	first := f.B.Icmp(enum.IPredEQ, from, lit.I64(0))
	sums, atSums := b.reduce.pick(f, true)
	rest, atRest := b.reduce.pick(f, false)
	r := f.newRack(sums.ts, most)
	vals := b.inTurn(f, rest, from, to, first, func(k value.Value, at []value.Value) []Val {
		ys := b.body(f, at)
		r.put(f, k, picked(ys, atSums))
		return picked(ys, atRest)
	})
	out := make([]Val, len(b.reduce.ts))
	for i, k := range atRest {
		out[k] = vals[i]
	}
	for i, k := range atSums {
		if to != nil {
			sums.fill(f, i, r, f.B.Minus(to, from))
		}
		out[k] = Val{V: sums.inLanes(f, i, r, first)}
	}
	return out
}

// fill puts what changes nothing behind the first n of the values i in memory.
func (red *reduction) fill(f *Fn, i int, r *rack, n value.Value) {
	x := math.Copysign(0, -1)
	if combine.Op(f.G, red.regions[i]) == arith.Mulf {
		x = 1
	}
	none := lit.ConstLit(f.C, f.C.FloatAttr(x, red.ts[i])) // in the format's own form: a bf16 is an integer
	f.Loops.counted(plain(n), plain(lit.I64(r.n)), plain(lit.I64(1)), nil, nil, func(k value.Value, _ []Val) []Val {
		Add(f.B, &llir.InstStore{Src: none, Dst: r.place(f.B, r.fields[i][0], k)})
		return nil
	})
}

// inLanes combines the values i in memory, as iteration.ReduceChunk says, in vectors of the target's width.
func (red *reduction) inLanes(f *Fn, i int, r *rack, first value.Value) value.Value {
	op, t := combine.Op(f.G, red.regions[i]), f.LLType(red.ts[i])
	lanes := min(r.n, iteration.ReduceLanes)
	bytes, _ := f.C.MemBytes(red.ts[i])
	width := min(lanes, int64(f.Opts.Target.Lanes(int(max(1, bytes)))))
	load := func(from int64) value.Value {
		return Add(f.B, &llir.InstLoad{ElemType: types.NewVector(uint64(width), t), Src: r.place(f.B, r.fields[i][0], lit.I64(from)), Align: llir.Align(bytes)})
	}
	var vs []value.Value
	for from := int64(0); from < lanes; from += width {
		vs = append(vs, load(from))
	}
	x := Add(f.B, llir.NewExtractElement(vs[0], lit.I64(0)))
	vs[0] = Add(f.B, llir.NewInsertElement(vs[0], Add(f.B, llir.NewSelect(first, f.B.inOrder(op, red.inits[i].V, x), x)), lit.I64(0)))
	for from := lanes; from < r.n; from += width {
		k := from % lanes / width
		vs[k] = f.B.inOrder(op, vs[k], load(from))
	}
	for n := len(vs) / 2; n > 0; n /= 2 {
		for k := range n {
			vs[k] = f.B.inOrder(op, vs[k], vs[k+n])
		}
	}
	v := vs[0]
	for w := width / 2; w > 0; w /= 2 {
		v = f.B.inOrder(op, f.B.lanes(v, 0, w), f.B.lanes(v, w, w))
	}
	return Add(f.B, llir.NewExtractElement(v, lit.I64(0)))
}

// lanes are n of a vector's.
func (ib *Builder) lanes(v value.Value, from, n int64) value.Value {
	list := make([]int, n)
	for i := range list {
		list[i] = int(from) + i
	}
	return ib.ShuffleTwo(v, v, list)
}

// inTurn combines iterations from to to of a box, from the first to the last; if to is nil they are as many as a chunk has.
// body is given their numbers from 0 on.
func (b *box) inTurn(f *Fn, r *reduction, from, to, first value.Value, body func(k value.Value, at []value.Value) []Val) []Val {
	rounds := func(ts []ir.Type, inits []Val, round func(k value.Value, at []value.Value, acc []Val) []Val) []Val {
		if to == nil {
			return f.Loops.counted(plain(lit.I64(0)), plain(lit.I64(iteration.ReduceChunk)), plain(lit.I64(1)), ts, inits, func(k value.Value, acc []Val) []Val {
				return round(k, []value.Value{f.B.Sum(b.low[0].v, f.B.Times(f.B.Sum(from, k), b.step[0].v))}, acc)
			})
		}
		return b.iterations(f, from, to, ts, inits, func(k value.Value, at []value.Value, acc []Val) []Val {
			return round(f.B.Minus(k, from), at, acc)
		})
	}
	if starts := r.starts(f); starts != nil || len(r.ts) == 0 {
		for i, init := range r.inits {
			starts[i].V = Add(f.B, llir.NewSelect(first, init.V, starts[i].V))
		}
		return rounds(r.ts, starts, func(k value.Value, at []value.Value, acc []Val) []Val { return r.of(f, acc, body(k, at)) })
	}
	// The first value is what a chunk begins with: until then there is none.
	ts := append(slices.Clone(r.ts), ir.I1)
	out := rounds(ts, append(slices.Clone(r.inits), Val{V: first}), func(k value.Value, at []value.Value, acc []Val) []Val {
		ys := body(k, at)
		have, take, done := f.B.Block("have"), f.B.Block("first"), f.B.Block("next")
		vals, feed := f.Phis.make(done, r.ts)
		f.B.Cur.NewCondBr(acc[len(r.ts)].V, have, take)
		f.B.Place(have)
		feed(r.of(f, acc[:len(r.ts)], ys))
		f.B.Br(done)
		f.B.Place(take)
		feed(ys)
		f.B.Br(done)
		f.B.Place(done)
		f.Phis.After()
		return append(vals, Val{V: lit.Bit(true)})
	})
	return out[:len(r.ts)]
}

// shareReduction shares a box with reductions: the cores take blocks, whose results are combined behind.
func (b *box) shareReduction(f *Fn, p *share, enough, grain value.Value, even bool) []Val {
	return b.unlessNone(f, func() []Val {
		size := lit.I64(iteration.ReduceChunk)
		// Chunks of a block: a power of 2, enough to be worth it, and so many that there are few blocks.
		least := f.B.chunks(grain, size)
		many := f.B.chunks(f.B.chunks(b.all, size), lit.I64(maxBlocks))
		per := f.B.Intrinsic("llvm.umax.i64", types.I64, nil, least, many)
		shift := f.B.Minus(lit.I64(64), f.B.Intrinsic("llvm.ctlz.i64", types.I64, nil, f.B.Minus(per, lit.I64(1)), lit.Bit(false)))
		block := Add(f.B, llir.NewSelect(enough, Add(f.B, llir.NewShl(size, shift)), b.all))
		n := f.B.chunks(b.all, block)
		parts := f.newRack(b.reduce.ts, maxBlocks)
		p.Loops.counted(plain(p.B.Func.Params[0]), plain(p.B.Func.Params[1]), plain(lit.I64(1)), nil, nil, func(k value.Value, _ []Val) []Val {
			low := p.B.Times(k, block)
			high := p.B.Intrinsic("llvm.umin.i64", types.I64, nil, p.B.Sum(low, block), b.all)
			parts.put(p.Fn, k, b.tree(p.Fn, low, high))
			return nil
		})
		p.B.Cur.NewRet(nil)
		p.shareOut(f, enough, n, lit.I64(1), even)
		b.reduce.joinBlocks(f, parts, n)
		return parts.get(f, lit.I64(0))
	})
}

// joinBlocks combines the results of n blocks, in place: pairs of neighbours, pairs of those, and so on.
func (red *reduction) joinBlocks(f *Fn, parts *rack, n value.Value) {
	levels := f.B.Minus(lit.I64(64), f.B.Intrinsic("llvm.ctlz.i64", types.I64, nil, f.B.Minus(n, lit.I64(1)), lit.Bit(false)))
	f.Loops.counted(plain(lit.I64(0)), bound{v: levels}, plain(lit.I64(1)), nil, nil, func(level value.Value, _ []Val) []Val {
		width := Add(f.B, llir.NewShl(lit.I64(1), level))
		pairs := Add(f.B, llir.NewLShr(f.B.Minus(f.B.Sum(n, width), lit.I64(1)), f.B.Sum(level, lit.I64(1))))
		f.Loops.counted(plain(lit.I64(0)), bound{v: pairs}, plain(lit.I64(1)), nil, nil, func(k value.Value, _ []Val) []Val {
			at := Add(f.B, llir.NewShl(k, f.B.Sum(level, lit.I64(1))))
			parts.put(f, at, red.of(f, parts.get(f, at), parts.get(f, f.B.Sum(at, width))))
			return nil
		})
		return nil
	})
}
