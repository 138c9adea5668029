package llvm

import (
	"math/bits"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// The values of a parallel loop's iterations are combined in the order of scf.ReduceChunk: chunks from the
// first to the last or in lanes, then a tree, which is built as a number is counted up in binary, as scf.Tree does. A block
// of 2^k chunks, beginning at a multiple of that, is a part of the tree, so cores do whole blocks.

// maxBlocks is how many blocks a loop is cut into at most; their results lie on the stack.
const maxBlocks = 256

// reduction is what a loop makes of the values of its iterations.
type reduction struct {
	ts      []ir.Type
	inits   []val
	regions []ir.Region // that combine two values
}

// of combines values of which the first are of earlier iterations.
func (r *reduction) of(f *fn, x, y []val) []val {
	out := make([]val, len(x))
	for i, region := range r.regions {
		if r.isInLanes(f, i) {
			out[i] = val{v: f.inOrder(scf.Combiner(f.g, region), x[i].v, y[i].v)}
		} else {
			out[i] = f.bodyWith(region, []val{x[i], y[i]})[0]
		}
	}
	return out
}

func (r *reduction) isInLanes(f *fn, i int) bool { return scf.InLanes(f.g, r.regions[i]) }

func (r *reduction) anyInLanes(f *fn) bool {
	return r != nil && slices.ContainsFunc(r.regions, func(region ir.Region) bool { return scf.InLanes(f.g, region) })
}

// pick is the reduction of the values that are combined in lanes, or of the others.
func (r *reduction) pick(f *fn, lanes bool) (some *reduction, at []int) {
	some = &reduction{}
	for i, region := range r.regions {
		if r.isInLanes(f, i) == lanes {
			some.ts, some.inits, some.regions = append(some.ts, r.ts[i]), append(some.inits, r.inits[i]), append(some.regions, region)
			at = append(at, i)
		}
	}
	return some, at
}

func picked(vs []val, at []int) []val {
	out := make([]val, len(at))
	for i, k := range at {
		out[i] = vs[k]
	}
	return out
}

// inOrder adds or multiplies floats, or vectors of them, as they are given: that the program may do it in another order is made use of already.
func (f *fn) inOrder(op *ir.OpDef, x, y value.Value) value.Value {
	if op == arith.Addf {
		return add(f, newFAdd(x, y))
	}
	return add(f, newFMul(x, y))
}

// plain reports that to combine values neither stops nor has effects, and that they are no memory: then it
// may happen later than on one core.
func (r *reduction) plain(f *fn) bool {
	for i, region := range r.regions {
		if f.c.Info(r.ts[i]).Kind == ir.KindMemRef {
			return false
		}
		for _, v := range f.s.Body(region) {
			def := f.g.Def(v)
			if !def.Has(ir.Terminator) && (def.Effects != nil || def.Has(ir.Partial) || f.g.IsPartial(v) || len(f.g.Regions(v)) > 0) {
				return false
			}
		}
	}
	return true
}

// starts are the values with which a chunk begins that is not the first: x such that x combined
// with y is y to the bit. Nil if one is not known.
func (r *reduction) starts(f *fn) []val {
	var out []val
	for i, region := range r.regions {
		x := f.identity(region, r.ts[i])
		if x == nil {
			return nil
		}
		out = append(out, val{v: x})
	}
	return out
}

// identity is that of a region which is one op.
func (f *fn) identity(region ir.Region, t ir.Type) value.Value {
	g, body, ps := f.g, f.s.Body(region), f.g.Params(region)
	if len(body) != 2 || !slices.Equal(g.Yields(region), body[:1]) || len(ps) != 2 {
		return nil
	}
	args := g.Args(body[0])
	if len(args) != 2 || !(args[0] == ps[0] && args[1] == ps[1]) && !(args[0] == ps[1] && args[1] == ps[0]) {
		return nil
	}
	l := f.llType(t)
	if w, ok := l.(*types.IntType); ok && f.c.IsInt(t) && w.BitSize <= 64 {
		least := int64(-1) << (w.BitSize - 1)
		for n, defs := range map[int64][]*ir.OpDef{0: {arith.Addi, arith.Ori, arith.Xori, arith.Maxui}, 1: {arith.Muli}, -1: {arith.Andi, arith.Minui},
			least: {arith.Maxsi}, ^least: {arith.Minsi}} {
			if slices.Contains(defs, g.Def(body[0])) {
				return intLit(l, n)
			}
		}
		return nil
	}
	return nil
}

// reduceAll reduces a box on this thread.
func (f *fn) reduceAll(b *box) []val {
	n, known := number(b.all)
	if known && n == 0 {
		return b.reduce.inits
	}
	if known {
		return f.tree(b, i64(0), b.all)
	}
	return f.unlessNone(b, func() []val { return f.tree(b, i64(0), b.all) })
}

// unlessNone is what do gives if there are iterations, else the initial values.
func (f *fn) unlessNone(b *box, do func() []val) []val {
	some, done := f.block("some"), f.block("reduced")
	vals, feed := f.phis(done, b.reduce.ts)
	feed(b.reduce.inits)
	f.cur.NewCondBr(f.icmp(enum.IPredSGT, b.all, i64(0)), some, done)
	f.place(some)
	feed(do())
	f.br(done)
	f.place(done)
	f.afterPhis()
	return vals
}

// rack is memory for values by number.
type rack struct {
	ts     []ir.Type
	fields [][]alloca
	n      int64
}

// rackAlign is that of a vector register.
const rackAlign = 64

func (f *fn) newRack(ts []ir.Type, n int64) *rack {
	r := &rack{ts: ts, n: n}
	for _, t := range ts {
		var list []alloca
		for _, ft := range f.carried(t) {
			a := alloca{&llir.InstAlloca{ElemType: types.NewArray(uint64(n), ft), Align: rackAlign}}
			f.top = append(f.top, a)
			list = append(list, a)
		}
		r.fields = append(r.fields, list)
	}
	return r
}

func (r *rack) place(f *fn, a alloca, i value.Value) value.Value {
	return add(f, &llir.InstGetElementPtr{ElemType: a.ElemType, Src: a, Indices: []value.Value{i64(0), i}, InBounds: true, Typ: ptr})
}

func (r *rack) put(f *fn, i value.Value, vs []val) {
	for k, t := range r.ts {
		for j, x := range f.toCarried(t, vs[k]) {
			add(f, &llir.InstStore{Src: x, Dst: r.place(f, r.fields[k][j], i)})
		}
	}
}

func (r *rack) get(f *fn, i value.Value) []val {
	out := make([]val, len(r.ts))
	for k, t := range r.ts {
		var fs []value.Value
		for _, a := range r.fields[k] {
			fs = append(fs, add(f, &llir.InstLoad{ElemType: a.ElemType.(*types.ArrayType).ElemType, Src: r.place(f, a, i)}))
		}
		out[k] = f.fromCarried(t, fs)
	}
	f.afterPhis()
	return out
}

// tree combines iterations low to high of a box, of which there is one at least; low is a multiple of the chunk's size.
func (f *fn) tree(b *box, low, high value.Value) []val {
	size := i64(scf.ReduceChunk)
	r := f.newRack(b.reduce.ts, 64)
	n := f.chunks(f.minus(high, low), size)
	chunks := func(from, to value.Value, whole bool) {
		f.counted(plain(from), bound{v: to}, plain(i64(1)), nil, nil, func(c value.Value, _ []val) []val {
			from := f.sum(low, f.times(c, size))
			var to value.Value
			if !whole {
				to = f.intrinsic("llvm.umin.i64", types.I64, nil, f.sum(from, size), high)
			}
			acc := f.chunk(b, from, to, scf.ReduceChunk)
			top := f.intrinsic("llvm.ctpop.i64", types.I64, nil, c)
			carries := f.intrinsic("llvm.cttz.i64", types.I64, nil, add(f, llir.NewXor(c, i64(-1))), bit(false))
			acc = f.joinParts(b.reduce, r, top, carries, acc)
			r.put(f, f.minus(top, carries), acc)
			return nil
		})
	}
	var whole value.Value = i64(0)
	if b.short {
		whole = add(f, llir.NewUDiv(f.minus(high, low), size))
		chunks(i64(0), whole, true)
	}
	chunks(whole, n, false)
	last := f.minus(f.intrinsic("llvm.ctpop.i64", types.I64, nil, n), i64(1))
	return f.joinParts(b.reduce, r, last, last, r.get(f, last))
}

// joinParts combines the n parts below a place with what there is, the last one first.
func (f *fn) joinParts(red *reduction, r *rack, place, n value.Value, acc []val) []val {
	return f.counted(plain(i64(0)), bound{v: n}, plain(i64(1)), red.ts, acc, func(k value.Value, acc []val) []val {
		return red.of(f, r.get(f, f.minus(f.minus(place, k), i64(1))), acc)
	})
}

// chunks is x / size, rounded up, of unsigned numbers.
func (f *fn) chunks(x, size value.Value) value.Value {
	n, ok := number(x)
	s, okS := number(size)
	if ok && okS && n > 0 {
		return i64((n-1)/s + 1)
	}
	return f.sum(add(f, llir.NewUDiv(f.minus(x, i64(1)), size)), i64(1))
}

// one combines the n iterations of a box, which are one chunk.
func (f *fn) one(b *box, n int64) []val {
	if n == 0 {
		return b.reduce.inits
	}
	return f.chunk(b, i64(0), i64(n), 1<<bits.Len64(uint64(n-1)))
}

// mostShort is how many ops a body has at most that may be made twice.
const mostShort = 40

// isShort reports a body that may be made twice: once for chunks that are whole, whose number of iterations is a constant.
func (f *fn) isShort(r ir.Region) bool {
	body := f.s.Body(r)
	return len(body) <= mostShort && !slices.ContainsFunc(body, func(v ir.Value) bool { return len(f.g.Regions(v)) > 0 && v != f.g.Term(r) })
}

// chunk combines iterations from to to of a box, of which there are at most most, a power of 2; if to is nil there are as many.
func (f *fn) chunk(b *box, from, to value.Value, most int64) []val {
	first := f.icmp(enum.IPredEQ, from, i64(0))
	sums, atSums := b.reduce.pick(f, true)
	rest, atRest := b.reduce.pick(f, false)
	r := f.newRack(sums.ts, most)
	vals := f.inTurn(b, rest, from, to, first, func(k value.Value, at []value.Value) []val {
		ys := b.body(f, at)
		r.put(f, k, picked(ys, atSums))
		return picked(ys, atRest)
	})
	out := make([]val, len(b.reduce.ts))
	for i, k := range atRest {
		out[k] = vals[i]
	}
	for i, k := range atSums {
		if to != nil {
			f.fill(sums, i, r, f.minus(to, from))
		}
		out[k] = val{v: f.inLanes(sums, i, r, first)}
	}
	return out
}

// fill puts what changes nothing behind the first n of the values i in memory.
func (f *fn) fill(p *reduction, i int, r *rack, n value.Value) {
	none := &lit{typ: f.llType(p.ts[i]), text: "-0.0"}
	if scf.Combiner(f.g, p.regions[i]) == arith.Mulf {
		none.text = "1.0"
	}
	f.counted(plain(n), plain(i64(r.n)), plain(i64(1)), nil, nil, func(k value.Value, _ []val) []val {
		add(f, &llir.InstStore{Src: none, Dst: r.place(f, r.fields[i][0], k)})
		return nil
	})
}

// inLanes combines the values i in memory, as scf.ReduceChunk says, in vectors of the target's width.
func (f *fn) inLanes(p *reduction, i int, r *rack, first value.Value) value.Value {
	op, t := scf.Combiner(f.g, p.regions[i]), f.llType(p.ts[i])
	lanes := min(r.n, scf.ReduceLanes)
	bytes, _ := f.c.MemBytes(p.ts[i])
	width := min(lanes, int64(f.opts.Target.Lanes(int(max(1, bytes)))))
	load := func(from int64) value.Value {
		return add(f, &llir.InstLoad{ElemType: types.NewVector(uint64(width), t), Src: r.place(f, r.fields[i][0], i64(from)), Align: llir.Align(bytes)})
	}
	var vs []value.Value
	for from := int64(0); from < lanes; from += width {
		vs = append(vs, load(from))
	}
	x := add(f, llir.NewExtractElement(vs[0], i64(0)))
	vs[0] = add(f, llir.NewInsertElement(vs[0], add(f, llir.NewSelect(first, f.inOrder(op, p.inits[i].v, x), x)), i64(0)))
	for from := lanes; from < r.n; from += width {
		k := from % lanes / width
		vs[k] = f.inOrder(op, vs[k], load(from))
	}
	for n := len(vs) / 2; n > 0; n /= 2 {
		for k := range n {
			vs[k] = f.inOrder(op, vs[k], vs[k+n])
		}
	}
	v := vs[0]
	for w := width / 2; w > 0; w /= 2 {
		v = f.inOrder(op, f.lanes(v, 0, w), f.lanes(v, w, w))
	}
	return add(f, llir.NewExtractElement(v, i64(0)))
}

// lanes are n of a vector's.
func (f *fn) lanes(v value.Value, from, n int64) value.Value {
	list := make([]int, n)
	for i := range list {
		list[i] = int(from) + i
	}
	return f.shuffleTwo(v, v, list)
}

// inTurn combines iterations from to to of a box, from the first to the last; if to is nil they are as many as a chunk has.
// body is given their numbers from 0 on.
func (f *fn) inTurn(b *box, r *reduction, from, to, first value.Value, body func(k value.Value, at []value.Value) []val) []val {
	rounds := func(ts []ir.Type, inits []val, round func(k value.Value, at []value.Value, acc []val) []val) []val {
		if to == nil {
			return f.counted(plain(i64(0)), plain(i64(scf.ReduceChunk)), plain(i64(1)), ts, inits, func(k value.Value, acc []val) []val {
				return round(k, []value.Value{f.sum(b.low[0].v, f.times(f.sum(from, k), b.step[0].v))}, acc)
			})
		}
		return f.iterations(b, from, to, ts, inits, func(k value.Value, at []value.Value, acc []val) []val {
			return round(f.minus(k, from), at, acc)
		})
	}
	if starts := r.starts(f); starts != nil || len(r.ts) == 0 {
		for i, init := range r.inits {
			starts[i].v = add(f, llir.NewSelect(first, init.v, starts[i].v))
		}
		return rounds(r.ts, starts, func(k value.Value, at []value.Value, acc []val) []val { return r.of(f, acc, body(k, at)) })
	}
	// The first value is what a chunk begins with: until then there is none.
	ts := append(slices.Clone(r.ts), ir.I1)
	out := rounds(ts, append(slices.Clone(r.inits), val{v: first}), func(k value.Value, at []value.Value, acc []val) []val {
		ys := body(k, at)
		have, take, done := f.block("have"), f.block("first"), f.block("next")
		vals, feed := f.phis(done, r.ts)
		f.cur.NewCondBr(acc[len(r.ts)].v, have, take)
		f.place(have)
		feed(r.of(f, acc[:len(r.ts)], ys))
		f.br(done)
		f.place(take)
		feed(ys)
		f.br(done)
		f.place(done)
		f.afterPhis()
		return append(vals, val{v: bit(true)})
	})
	return out[:len(r.ts)]
}

// shareReduction shares a box with reductions: the cores take blocks, whose results are combined behind.
func (f *fn) shareReduction(p *share, b *box, enough, grain value.Value, even bool) []val {
	return f.unlessNone(b, func() []val {
		size := i64(scf.ReduceChunk)
		// Chunks of a block: a power of 2, enough to be worth it, and so many that there are few blocks.
		least := f.chunks(grain, size)
		many := f.chunks(f.chunks(b.all, size), i64(maxBlocks))
		per := f.intrinsic("llvm.umax.i64", types.I64, nil, least, many)
		shift := f.minus(i64(64), f.intrinsic("llvm.ctlz.i64", types.I64, nil, f.minus(per, i64(1)), bit(false)))
		block := add(f, llir.NewSelect(enough, add(f, llir.NewShl(size, shift)), b.all))
		n := f.chunks(b.all, block)
		parts := f.newRack(b.reduce.ts, maxBlocks)
		p.counted(plain(p.f.Params[0]), plain(p.f.Params[1]), plain(i64(1)), nil, nil, func(k value.Value, _ []val) []val {
			low := p.times(k, block)
			high := p.intrinsic("llvm.umin.i64", types.I64, nil, p.sum(low, block), b.all)
			parts.put(p.fn, k, p.tree(b, low, high))
			return nil
		})
		p.cur.NewRet(nil)
		f.shareOut(p, enough, n, i64(1), even)
		f.joinBlocks(b.reduce, parts, n)
		return parts.get(f, i64(0))
	})
}

// joinBlocks combines the results of n blocks, in place: pairs of neighbours, pairs of those, and so on.
func (f *fn) joinBlocks(red *reduction, parts *rack, n value.Value) {
	levels := f.minus(i64(64), f.intrinsic("llvm.ctlz.i64", types.I64, nil, f.minus(n, i64(1)), bit(false)))
	f.counted(plain(i64(0)), bound{v: levels}, plain(i64(1)), nil, nil, func(level value.Value, _ []val) []val {
		width := add(f, llir.NewShl(i64(1), level))
		pairs := add(f, llir.NewLShr(f.minus(f.sum(n, width), i64(1)), f.sum(level, i64(1))))
		f.counted(plain(i64(0)), bound{v: pairs}, plain(i64(1)), nil, nil, func(k value.Value, _ []val) []val {
			at := add(f, llir.NewShl(k, f.sum(level, i64(1))))
			parts.put(f, at, red.of(f, parts.get(f, at), parts.get(f, f.sum(at, width))))
			return nil
		})
		return nil
	})
}
