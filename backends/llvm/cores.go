package llvm

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// A loop whose iterations may run in any order becomes a function of a part of them, numbered
// from 0 in the order of their indices, the last of which changes fastest:
//
//	define internal void @irc.part.N(i64 %low, i64 %high, what it uses of the function ...)
//	define internal void @irc.chunk.N(i64 %low, i64 %high, ptr %closure)
//
// The second one takes what it uses from memory and calls the first. Where there is enough to do,
//
//	void @irc_parallel_for(ptr @irc.chunk.N, ptr %closure, i64 0, i64 %n, i64 %grain)
//
// calls it for parts of at least grain iterations, on as many cores as it likes; a grain below 0
// says that iterations take equally long. Else the first is called for all of them.
//
// The jit's pool defines irc_parallel_for. So does a module without thunks, weakly, with one call
// of its function: a program that links it may have a better one.

const parallelFor = "irc_parallel_for"

// box is the iterations of a parallel loop, whose reductions are nil if there are none.
type box struct {
	low, high, step []bound
	trips           []value.Value
	all             value.Value // the product of the trips
	reduce          *reduction
	short           bool // the body may be made twice
	body            func(f *fn, at []value.Value) []val
}

// parallel translates a loop over a box whose body is r.
func (f *fn) parallel(b *box, r ir.Region) []val {
	for d := range b.low {
		b.trips = append(b.trips, f.rounds(b.low[d], b.high[d], b.step[d]))
	}
	b.all = f.productOf(b.trips)
	b.short = len(b.low) == 1 && b.reduce.anyInLanes(f) && f.isShort(r)
	n, known := number(b.all)
	switch {
	case known && b.reduce != nil && n <= scf.ReduceChunk:
		return f.one(b, n)
	case f.mayShare(b, r):
		work, even := f.workOf(r, b.all)
		least := int64(f.opts.Target.Costs.MinParallel)
		if each, ok := number(work); !known || !ok || n > least/each {
			return f.share(b, work, even)
		}
	}
	if b.reduce != nil {
		return f.reduceAll(b)
	}
	f.nest(b.low, b.high, b.step, nil, nil, func(at []value.Value, _ []val) []val { return b.body(f, at) })
	return nil
}

// mayShare reports that the iterations of the current op, whose body is r, may be shared by
// cores: they do nothing that has an order.
func (f *fn) mayShare(b *box, r ir.Region) bool {
	return f.opts.Cores && f.gpu == nil && f.part == 0 && !f.ordered(r) && (b.reduce == nil || b.reduce.plain(f))
}

// share translates a box of iterations to be shared by cores, if there are enough of them.
func (f *fn) share(b *box, work value.Value, even bool) []val {
	enough := f.icmp(enum.IPredSGT, b.all, f.quotient(i64(int64(f.opts.Target.Costs.MinParallel)), work))
	grain := f.quotient(i64(int64(f.opts.Target.Costs.MinChunk)), work)
	p := f.newPart()
	if b.reduce != nil {
		return f.shareReduction(p, b, enough, grain, even)
	}
	p.iterations(b, p.f.Params[0], p.f.Params[1], nil, nil, func(_ value.Value, at []value.Value, _ []val) []val { return b.body(p.fn, at) })
	p.cur.NewRet(nil)
	f.shareOut(p, enough, b.all, grain, even)
	return nil
}

// rounds is how many iterations a dimension has, 2^63-1 if there are more.
func (f *fn) rounds(low, high, step bound) value.Value {
	l, okL := number(low.v)
	h, okH := number(high.v)
	s, okS := number(step.v)
	switch {
	case okL && okH && okS && s > 0 && (l >= 0 || h < 0):
		return i64(max(0, (h-l-1)/s+1) * b2i(h > l))
	case okS && s == 1 && (low.n.Low >= 0 || high.n.High < 0): // the difference cannot overflow
		return f.intrinsic("llvm.smax.i64", types.I64, nil, f.minus(high.v, low.v), i64(0))
	}
	return f.intrinsic("llvm.umin.i64", types.I64, nil, f.trips(types.I64, low.v, high.v, step.v), intLit(types.I64, 1<<63-1))
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// productOf is the product of numbers that are not negative, 2^63-1 if it is larger: so many
// iterations never end, so what comes after them does not matter.
func (f *fn) productOf(xs []value.Value) value.Value {
	out := xs[0]
	pair := types.NewStruct(types.I64, types.I1)
	for _, x := range xs[1:] {
		if a, ok := number(out); ok {
			if b, ok := number(x); ok && (a == 0 || b <= (1<<63-1)/a) {
				out = i64(a * b)
				continue
			}
		}
		r := f.intrinsic("llvm.smul.with.overflow.i64", pair, nil, out, x)
		product, over := add(f, llir.NewExtractValue(r, 0)), add(f, llir.NewExtractValue(r, 1))
		out = add(f, llir.NewSelect(over, intLit(types.I64, 1<<63-1), product))
	}
	return out
}

// quotient is x / y, at least 1, of numbers above 0.
func (f *fn) quotient(x, y value.Value) value.Value {
	a, okA := number(x)
	b, okB := number(y)
	if okA && okB {
		return i64(max(1, a/b))
	}
	return f.intrinsic("llvm.umax.i64", types.I64, nil, add(f, llir.NewUDiv(x, y)), i64(1))
}

// share is the function of a part of the iterations of a loop.
type share struct {
	*fn
	number int
}

func (f *fn) newPart() *share {
	f.sharing++
	low, high := llir.NewParam("", types.I64), llir.NewParam("", types.I64)
	in := f.IR.NewFunc(fmt.Sprintf("irc.part.%d", f.sharing), types.Void, low, high)
	in.Linkage = enum.LinkageInternal
	in.FuncAttrs = []llir.FuncAttribute{attr("nounwind"), f.callAttr()}
	p := &share{number: f.sharing, fn: &fn{emitter: f.emitter, callee: f.callee, g: f.g, s: f.s, f: in, vals: f.vals, v: f.v,
		region: f.region, known: f.known, part: f.sharing}}
	p.entry = llir.NewBlock("entry")
	p.place(p.entry)
	return p
}

// iterations translates iterations first to last of a box, with carried values; body is given the iteration's number and its indices.
func (f *fn) iterations(b *box, first, last value.Value, ts []ir.Type, inits []val, body func(k value.Value, at []value.Value, acc []val) []val) []val {
	one, many := plain(i64(1)), affine.Number{Width: 64, Low: 0, High: 1<<63 - 1, Step: 1}
	index := func(d int, k value.Value) value.Value { return f.sum(b.low[d].v, f.times(k, b.step[d].v)) }
	if len(b.low) == 1 {
		return f.counted(bound{first, many}, bound{last, many}, one, ts, inits, func(k value.Value, acc []val) []val {
			return body(k, []value.Value{index(0, k)}, acc)
		})
	}
	inner := len(b.low) - 1
	n := b.trips[inner]
	from := add(f, llir.NewUDiv(first, n))
	to := f.sum(add(f, llir.NewUDiv(f.minus(last, i64(1)), n)), i64(1))
	return f.counted(bound{from, many}, bound{to, many}, one, ts, inits, func(row value.Value, acc []val) []val {
		at := make([]value.Value, len(b.low))
		k := row
		for d := inner - 1; d > 0; d-- {
			at[d] = index(d, add(f, llir.NewURem(k, b.trips[d])))
			k = add(f, llir.NewUDiv(k, b.trips[d]))
		}
		at[0] = index(0, k)
		before := f.times(row, n)
		begin := f.intrinsic("llvm.smax.i64", types.I64, nil, f.minus(first, before), i64(0))
		end := f.intrinsic("llvm.smin.i64", types.I64, nil, f.minus(last, before), n)
		return f.counted(bound{begin, many}, bound{end, many}, one, ts, acc, func(k value.Value, acc []val) []val {
			at[inner] = index(inner, k)
			return body(f.sum(before, k), at, acc)
		})
	})
}

// close ends the function: what it uses of the one around it becomes parameters, whose values
// are the result.
func (p *share) close() (captured []value.Value) {
	p.finish()
	own := map[value.Value]bool{}
	for _, b := range p.f.Blocks {
		for _, i := range b.Insts {
			if v, ok := i.(value.Value); ok {
				own[v] = true
			}
		}
	}
	for _, q := range p.f.Params {
		own[q] = true
	}
	params := map[value.Value]*llir.Param{}
	take := func(v value.Value) value.Value {
		if own[v] {
			return v
		}
		if params[v] == nil {
			params[v] = llir.NewParam("", v.Type())
			captured = append(captured, v)
			p.f.Params = append(p.f.Params, params[v])
		}
		return params[v]
	}
	for _, b := range p.f.Blocks {
		for _, i := range b.Insts {
			operands(i, take)
		}
		operands(b.Term, take)
	}
	p.f.Sig = types.NewFunc(types.Void, paramTypes(p.f.Params)...)
	p.f.Typ = nil
	distinct(captured, params)
	return captured
}

func paramTypes(ps []*llir.Param) []types.Type {
	out := make([]types.Type, len(ps))
	for i, q := range ps {
		out[i] = q.Typ
	}
	return out
}

// distinct says of the pointers that a part takes that they are of different memory, where those
// of the function are: its parameters that are said to be, and what it reserves itself. If one is computed
// of another nothing is said.
func distinct(captured []value.Value, params map[value.Value]*llir.Param) {
	var alone []*llir.Param
	for _, v := range captured {
		if v.Type() != types.Type(ptr) {
			continue
		}
		switch v := v.(type) {
		case *llir.Param:
			for _, a := range v.Attrs {
				if a == enum.ParamAttrNoAlias {
					alone = append(alone, params[v])
				}
			}
		case alloca:
			alone = append(alone, params[v])
		case *llir.InstCall: // malloc
			if c, ok := v.Callee.(*llir.Func); ok && (c.Name() == "malloc" || c.Name() == "aligned_alloc") {
				alone = append(alone, params[v])
			}
		default:
			return
		}
	}
	for _, q := range alone {
		q.Attrs = append(q.Attrs, enum.ParamAttrNoAlias)
	}
}

// shareOut calls a part for 0 to n: by irc_parallel_for where there is enough to do, else itself.
func (f *fn) shareOut(p *share, enough, n, grain value.Value, even bool) {
	captured := p.close()
	shared, few, serial, done := f.block("enough"), f.block("few"), f.block("serial"), f.block("shared")
	f.cur.NewCondBr(enough, shared, few)
	f.place(shared)
	f.callPool(p, captured, n, grain, even)
	f.br(done)
	f.place(few)
	f.cur.NewCondBr(f.icmp(enum.IPredSGT, n, i64(0)), serial, done)
	f.place(serial)
	add(f, llir.NewCall(p.f, append([]value.Value{i64(0), n}, captured...)...))
	f.br(done)
	f.place(done)
}

// callPool calls irc_parallel_for for a part, with what it uses in memory.
func (f *fn) callPool(p *share, captured []value.Value, all, grain value.Value, even bool) {
	first := 0 // of the fields that are captured, after the word for a status
	var fields []types.Type
	if f.opts.Checked {
		fields, first = append(fields, types.I64), 1
	}
	for _, x := range captured {
		fields = append(fields, x.Type())
	}
	of := types.NewStruct(fields...)
	field := func(f *fn, at value.Value, i int) value.Value {
		return add(f, &llir.InstGetElementPtr{ElemType: of, Src: at, Indices: []value.Value{i32(0), i32(int64(i))}, InBounds: true, Typ: ptr})
	}
	low, high, at := llir.NewParam("", types.I64), llir.NewParam("", types.I64), llir.NewParam("", ptr)
	in := f.IR.NewFunc(fmt.Sprintf(chunkName+"%d", p.number), types.Void, low, high, at)
	in.Linkage = enum.LinkageInternal
	in.FuncAttrs = p.f.FuncAttrs
	c := &fn{emitter: f.emitter, g: f.g, f: in}
	c.place(llir.NewBlock("entry"))
	args := []value.Value{low, high}
	for i, x := range captured {
		args = append(args, add(c, &llir.InstLoad{ElemType: x.Type(), Src: field(c, at, first+i)}))
	}
	add(c, llir.NewCall(p.f, args...))
	c.cur.NewRet(nil)

	var closure value.Value = &lit{typ: ptr, text: "null"}
	if len(fields) > 0 {
		memory := alloca{&llir.InstAlloca{ElemType: of}} // aligned as its fields are, vectors among them
		f.top = append(f.top, memory)
		closure = memory
	}
	for i, x := range captured {
		add(f, &llir.InstStore{Src: x, Dst: field(f, closure, first+i)})
	}
	if f.opts.Checked {
		add(f, &llir.InstStore{Src: noStatus(), Dst: closure})
	}
	if even {
		grain = f.minus(i64(0), grain)
	}
	f.shared = true
	run := f.external(parallelFor, types.Void, []types.Type{ptr, ptr, types.I64, types.I64, types.I64}, "nounwind")
	add(f, llir.NewCall(run, &lit{typ: ptr, text: in.Ident()}, closure, i64(0), all, grain))
	if f.opts.Checked {
		f.stopAt(p.f, closure)
	}
}

// chunkName begins the names of the functions that a pool calls.
const chunkName = "irc.chunk."

// finishSharing defines irc_parallel_for where no pool does.
func (e *emitter) finishSharing() {
	f := e.runtime[parallelFor]
	if f == nil || e.opts.Thunks {
		return
	}
	f.Linkage = enum.LinkageWeak
	b := f.NewBlock("entry")
	some, done := f.NewBlock("some"), f.NewBlock("done")
	b.NewCondBr(b.NewICmp(enum.IPredSLT, f.Params[2], f.Params[3]), some, done)
	some.NewCall(pointerTo{f.Params[0], types.NewFunc(types.Void, types.I64, types.I64, ptr)}, f.Params[2], f.Params[3], f.Params[1])
	some.NewBr(done)
	done.NewRet(nil)
}
