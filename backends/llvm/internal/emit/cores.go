package emit

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/scf/iteration"
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
	body            func(f *Fn, at []value.Value) []Val
}

// parallel translates a loop over a box whose body is r.
func (b *box) parallel(f *Fn, r ir.Region) []Val {
	for d := range b.low {
		b.trips = append(b.trips, f.B.rounds(b.low[d], b.high[d], b.step[d]))
	}
	b.all = f.B.productOf(b.trips)
	b.short = len(b.low) == 1 && b.reduce.anyInLanes(f) && f.isShort(r)
	n, known := lit.Number(b.all)
	switch {
	case known && b.reduce != nil && n <= iteration.ReduceChunk:
		return b.one(f, n)
	case b.mayShare(f, r):
		work, even := f.workOf(r, b.all)
		least := int64(f.Opts.Target.Costs.MinParallel)
		if each, ok := lit.Number(work); !known || !ok || n > least/each {
			return b.share(f, work, even)
		}
	}
	if b.reduce != nil {
		return b.reduceAll(f)
	}
	f.Loops.nest(b.low, b.high, b.step, nil, nil, func(at []value.Value, _ []Val) []Val { return b.body(f, at) })
	return nil
}

// mayShare reports that the iterations of the current op, whose body is r, may be shared by
// cores: they do nothing that has an order.
func (b *box) mayShare(f *Fn, r ir.Region) bool {
	return f.Opts.Cores && f.Gpu == nil && f.part == 0 && !f.ordered(r) && (b.reduce == nil || b.reduce.plain(f))
}

// share translates a box of iterations to be shared by cores, if there are enough of them.
func (b *box) share(f *Fn, work value.Value, even bool) []Val {
	enough := f.B.Icmp(enum.IPredSGT, b.all, f.B.quotient(lit.I64(int64(f.Opts.Target.Costs.MinParallel)), work))
	grain := f.B.quotient(lit.I64(int64(f.Opts.Target.Costs.MinChunk)), work)
	p := f.newPart()
	if b.reduce != nil {
		return b.shareReduction(f, p, enough, grain, even)
	}
	b.iterations(p.Fn, p.B.Func.Params[0], p.B.Func.Params[1], nil, nil, func(_ value.Value, at []value.Value, _ []Val) []Val { return b.body(p.Fn, at) })
	p.B.Cur.NewRet(nil)
	p.shareOut(f, enough, b.all, grain, even)
	return nil
}

// rounds is how many iterations a dimension has, 2^63-1 if there are more.
func (ib *Builder) rounds(low, high, step bound) value.Value {
	l, okL := lit.Number(low.v)
	h, okH := lit.Number(high.v)
	s, okS := lit.Number(step.v)
	switch {
	case okL && okH && okS && s > 0 && (l >= 0 || h < 0):
		return lit.I64(max(0, (h-l-1)/s+1) * b2i(h > l))
	case okS && s == 1 && (low.n.Low >= 0 || high.n.High < 0): // the difference cannot overflow
		return ib.Intrinsic("llvm.smax.i64", types.I64, nil, ib.Minus(high.v, low.v), lit.I64(0))
	}
	return ib.Intrinsic("llvm.umin.i64", types.I64, nil, ib.trips(types.I64, low.v, high.v, step.v), lit.IntLit(types.I64, 1<<63-1))
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// productOf is the product of numbers that are not negative, 2^63-1 if it is larger: so many
// iterations never end, so what comes after them does not matter.
func (ib *Builder) productOf(xs []value.Value) value.Value {
	out := xs[0]
	pair := types.NewStruct(types.I64, types.I1)
	for _, x := range xs[1:] {
		if a, ok := lit.Number(out); ok {
			if b, ok := lit.Number(x); ok && (a == 0 || b <= (1<<63-1)/a) {
				out = lit.I64(a * b)
				continue
			}
		}
		r := ib.Intrinsic("llvm.smul.with.overflow.i64", pair, nil, out, x)
		product, over := Add(ib, llir.NewExtractValue(r, 0)), Add(ib, llir.NewExtractValue(r, 1))
		out = Add(ib, llir.NewSelect(over, lit.IntLit(types.I64, 1<<63-1), product))
	}
	return out
}

// quotient is x / y, at least 1, of numbers above 0.
func (ib *Builder) quotient(x, y value.Value) value.Value {
	a, okA := lit.Number(x)
	b, okB := lit.Number(y)
	if okA && okB {
		return lit.I64(max(1, a/b))
	}
	return ib.Intrinsic("llvm.umax.i64", types.I64, nil, Add(ib, llir.NewUDiv(x, y)), lit.I64(1))
}

// share is the function of a part of the iterations of a loop.
type share struct {
	*Fn
	number int
}

func (f *Fn) newPart() *share {
	f.sharing++
	low, high := llir.NewParam("", types.I64), llir.NewParam("", types.I64)
	in := f.IR.NewFunc(fmt.Sprintf("irc.part.%d", f.sharing), types.Void, low, high)
	in.Linkage = enum.LinkageInternal
	in.FuncAttrs = []llir.FuncAttribute{Attr("nounwind"), f.callAttr()}
	p := &share{number: f.sharing, Fn: NewFn(f.Emitter, in, Fn{Callee: f.Callee, G: f.G, S: f.S, Vals: f.Vals, V: f.V,
		Region: f.Region, Known: f.Known, part: f.sharing})}
	return p
}

// iterations translates iterations first to last of a box, with carried values; body is given the iteration's number and its indices.
func (b *box) iterations(f *Fn, first, last value.Value, ts []ir.Type, inits []Val, body func(k value.Value, at []value.Value, acc []Val) []Val) []Val {
	one, many := plain(lit.I64(1)), affine.Number{Width: 64, Low: 0, High: 1<<63 - 1, Step: 1}
	index := func(d int, k value.Value) value.Value { return f.B.Sum(b.low[d].v, f.B.Times(k, b.step[d].v)) }
	if len(b.low) == 1 {
		return f.Loops.counted(bound{first, many}, bound{last, many}, one, ts, inits, func(k value.Value, acc []Val) []Val {
			return body(k, []value.Value{index(0, k)}, acc)
		})
	}
	inner := len(b.low) - 1
	n := b.trips[inner]
	from := Add(f.B, llir.NewUDiv(first, n))
	to := f.B.Sum(Add(f.B, llir.NewUDiv(f.B.Minus(last, lit.I64(1)), n)), lit.I64(1))
	return f.Loops.counted(bound{from, many}, bound{to, many}, one, ts, inits, func(row value.Value, acc []Val) []Val {
		at := make([]value.Value, len(b.low))
		k := row
		for d := inner - 1; d > 0; d-- {
			at[d] = index(d, Add(f.B, llir.NewURem(k, b.trips[d])))
			k = Add(f.B, llir.NewUDiv(k, b.trips[d]))
		}
		at[0] = index(0, k)
		before := f.B.Times(row, n)
		begin := f.B.Intrinsic("llvm.smax.i64", types.I64, nil, f.B.Minus(first, before), lit.I64(0))
		end := f.B.Intrinsic("llvm.smin.i64", types.I64, nil, f.B.Minus(last, before), n)
		return f.Loops.counted(bound{begin, many}, bound{end, many}, one, ts, acc, func(k value.Value, acc []Val) []Val {
			at[inner] = index(inner, k)
			return body(f.B.Sum(before, k), at, acc)
		})
	})
}

// close ends the function: what it uses of the one around it becomes parameters, whose values
// are the result.
func (p *share) close() (captured []value.Value) {
	p.Finish()
	own := map[value.Value]bool{}
	for _, b := range p.B.Func.Blocks {
		for _, i := range b.Insts {
			if v, ok := i.(value.Value); ok {
				own[v] = true
			}
		}
	}
	for _, q := range p.B.Func.Params {
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
			p.B.Func.Params = append(p.B.Func.Params, params[v])
		}
		return params[v]
	}
	for _, b := range p.B.Func.Blocks {
		for _, i := range b.Insts {
			operands(i, take)
		}
		operands(b.Term, take)
	}
	p.B.Func.Sig = types.NewFunc(types.Void, paramTypes(p.B.Func.Params)...)
	p.B.Func.Typ = nil
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
		if v.Type() != types.Type(lit.Ptr) {
			continue
		}
		switch v := v.(type) {
		case *llir.Param:
			for _, a := range v.Attrs {
				if a == enum.ParamAttrNoAlias {
					alone = append(alone, params[v])
				}
			}
		case Alloca:
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
func (p *share) shareOut(f *Fn, enough, n, grain value.Value, even bool) {
	captured := p.close()
	shared, few, serial, done := f.B.Block("enough"), f.B.Block("few"), f.B.Block("serial"), f.B.Block("shared")
	f.B.Cur.NewCondBr(enough, shared, few)
	f.B.Place(shared)
	p.callPool(f, captured, n, grain, even)
	f.B.Br(done)
	f.B.Place(few)
	f.B.Cur.NewCondBr(f.B.Icmp(enum.IPredSGT, n, lit.I64(0)), serial, done)
	f.B.Place(serial)
	Add(f.B, llir.NewCall(p.B.Func, append([]value.Value{lit.I64(0), n}, captured...)...))
	f.B.Br(done)
	f.B.Place(done)
}

// callPool calls irc_parallel_for for a part, with what it uses in memory.
func (p *share) callPool(f *Fn, captured []value.Value, all, grain value.Value, even bool) {
	first := 0 // of the fields that are captured, after the word for a status
	var fields []types.Type
	if f.Opts.Checked {
		fields, first = append(fields, types.I64), 1
	}
	for _, x := range captured {
		fields = append(fields, x.Type())
	}
	of := types.NewStruct(fields...)
	field := func(ib *Builder, at value.Value, i int) value.Value {
		return Add(ib, &llir.InstGetElementPtr{ElemType: of, Src: at, Indices: []value.Value{lit.I32(0), lit.I32(int64(i))}, InBounds: true, Typ: lit.Ptr})
	}
	low, high, at := llir.NewParam("", types.I64), llir.NewParam("", types.I64), llir.NewParam("", lit.Ptr)
	in := f.IR.NewFunc(fmt.Sprintf(chunkName+"%d", p.number), types.Void, low, high, at)
	in.Linkage = enum.LinkageInternal
	in.FuncAttrs = p.B.Func.FuncAttrs
	c := NewBuilder(f.Emitter, in)
	args := []value.Value{low, high}
	for i, x := range captured {
		args = append(args, Add(c, &llir.InstLoad{ElemType: x.Type(), Src: field(c, at, first+i)}))
	}
	Add(c, llir.NewCall(p.B.Func, args...))
	c.Cur.NewRet(nil)

	var closure value.Value = &lit.Lit{Typ: lit.Ptr, Text: "null"}
	if len(fields) > 0 {
		memory := Alloca{&llir.InstAlloca{ElemType: of}} // aligned as its fields are, vectors among them
		f.B.Top = append(f.B.Top, memory)
		closure = memory
	}
	for i, x := range captured {
		Add(f.B, &llir.InstStore{Src: x, Dst: field(f.B, closure, first+i)})
	}
	if f.Opts.Checked {
		Add(f.B, &llir.InstStore{Src: noStatus(), Dst: closure})
	}
	if even {
		grain = f.B.Minus(lit.I64(0), grain)
	}
	f.shared = true
	run := f.External(parallelFor, types.Void, []types.Type{lit.Ptr, lit.Ptr, types.I64, types.I64, types.I64}, "nounwind")
	Add(f.B, llir.NewCall(run, &lit.Lit{Typ: lit.Ptr, Text: in.Ident()}, closure, lit.I64(0), all, grain))
	if f.Opts.Checked {
		f.B.stopAt(p.B.Func, closure)
	}
}

// chunkName begins the names of the functions that a pool calls.
const chunkName = "irc.chunk."

// FinishSharing defines irc_parallel_for where no pool does.
func (e *Emitter) FinishSharing() {
	f := e.Runtime[parallelFor]
	if f == nil || e.Opts.Thunks {
		return
	}
	f.Linkage = enum.LinkageWeak
	b := f.NewBlock("entry")
	some, done := f.NewBlock("some"), f.NewBlock("done")
	b.NewCondBr(b.NewICmp(enum.IPredSLT, f.Params[2], f.Params[3]), some, done)
	some.NewCall(pointerTo{f.Params[0], types.NewFunc(types.Void, types.I64, types.I64, lit.Ptr)}, f.Params[2], f.Params[3], f.Params[1])
	some.NewBr(done)
	done.NewRet(nil)
}
