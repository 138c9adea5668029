package llvm

import (
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
// first to the last, then a tree, which is built as a number is counted up in binary, as scf.Tree does. A block
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
		out[i] = f.bodyWith(region, []val{x[i], y[i]})[0]
	}
	return out
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
	if l != types.Type(types.Double) && l != types.Type(types.Float) {
		return nil
	}
	switch g.Def(body[0]) {
	case arith.Addf:
		return &lit{typ: l, text: "-0.0"}
	case arith.Mulf:
		return &lit{typ: l, text: "1.0"}
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

func (f *fn) newRack(ts []ir.Type, n int64) *rack {
	r := &rack{ts: ts, n: n}
	for _, t := range ts {
		var list []alloca
		for _, ft := range f.carried(t) {
			a := alloca{&llir.InstAlloca{ElemType: types.NewArray(uint64(n), ft), Align: 16}}
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
	f.counted(plain(i64(0)), bound{v: n}, plain(i64(1)), nil, nil, func(c value.Value, _ []val) []val {
		from := f.sum(low, f.times(c, size))
		to := f.intrinsic("llvm.umin.i64", types.I64, nil, f.sum(from, size), high)
		acc := f.chunk(b, from, to)
		top := f.intrinsic("llvm.ctpop.i64", types.I64, nil, c)
		carries := f.intrinsic("llvm.cttz.i64", types.I64, nil, add(f, llir.NewXor(c, i64(-1))), bit(false))
		acc = f.joinParts(b.reduce, r, top, carries, acc)
		r.put(f, f.minus(top, carries), acc)
		return nil
	})
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

// chunk combines iterations from to to, from the first to the last.
func (f *fn) chunk(b *box, from, to value.Value) []val {
	r := b.reduce
	first := f.icmp(enum.IPredEQ, from, i64(0))
	if starts := r.starts(f); starts != nil {
		for i, init := range r.inits {
			starts[i].v = add(f, llir.NewSelect(first, init.v, starts[i].v))
		}
		return f.iterations(b, from, to, r.ts, starts, func(at []value.Value, acc []val) []val { return r.of(f, acc, b.body(f, at)) })
	}
	// The first value is what a chunk begins with: until then there is none.
	ts := append(slices.Clone(r.ts), ir.I1)
	out := f.iterations(b, from, to, ts, append(slices.Clone(r.inits), val{v: first}), func(at []value.Value, acc []val) []val {
		ys := b.body(f, at)
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
