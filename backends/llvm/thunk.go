package llvm

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/ir"
)

// Slots returns the number of 8-byte slots in which a thunk takes or gives a value
// of type t, and false for types that thunks do not pass.
func Slots(c *ir.Context, t ir.Type) (int, bool) {
	info := c.Info(t)
	switch {
	case info.Kind == ir.KindMemRef:
		_, ok := memrefLayout(c, t)
		return 1 + 2*len(info.Shape), ok
	case info.Kind == ir.KindVector:
		n, ok := lanes(info)
		return int(n), ok && llType(c, info.Elem) != nil
	}
	return 1, (c.IsInt(t) || c.IsFloat(t)) && llType(c, t) != nil
}

// SlotsOf is Slots of a list.
func SlotsOf(c *ir.Context, ts []ir.Type) (int, bool) {
	all := 0
	for _, t := range ts {
		n, ok := Slots(c, t)
		if !ok {
			return 0, false
		}
		all += n
	}
	return all, true
}

// mostInThunk is how many instructions of a function LLVM may put into its thunk, if that alone calls it: it optimises them once more
// there, with less freedom, since what calls setjmp may return twice.
const mostInThunk = 2000

// thunk makes the entry of a function for the jit.
func (e *emitter) thunk(c *callee) {
	if c.private || c.Declaration {
		return
	}
	for _, t := range append(c.In[:len(c.In):len(c.In)], c.Out...) {
		if _, ok := Slots(e.c, t); !ok {
			c.NoThunk = "it has an argument or result of type " + spell(e.c, t) + ", which cannot be passed from outside"
			return
		}
	}
	c.Thunk = internal("thunk", c.Name)
	args, results := llir.NewParam("args", ptr), llir.NewParam("results", ptr)
	w := e.IR.NewFunc(c.Thunk, types.I32, args, results)
	w.FuncAttrs = []llir.FuncAttribute{attr("nounwind")}
	if c.long { // it may have very many arguments
		w.FuncAttrs = append(w.FuncAttrs, attr("noinline"), attr("optnone"))
	}
	if c.made > mostInThunk && !c.long {
		c.fn.FuncAttrs = append(c.fn.FuncAttrs, attr("noinline"))
	}
	f := &fn{emitter: e, callee: c, g: e.g, v: c.v, f: w}
	f.place(llir.NewBlock("entry"))
	if e.mayTrap(c.fn) {
		f.setjmp()
	}
	at := int64(0)
	var in []val
	for _, t := range c.In {
		in = append(in, f.fromSlots(args, &at, t))
	}
	var outs []val
	if e.opts.Times {
		f.takeTime(0, func() { outs = f.call(c, in) })
	} else {
		outs = f.call(c, in)
	}
	at = 0
	for i, t := range c.Out {
		for _, s := range f.slotsOf(outs[i], t) {
			add(f, &llir.InstStore{Src: s, Dst: f.slot(results, at)})
			at++
		}
	}
	f.cur.NewRet(i32(0))
}

// mayTrap reports a function that a trap may leave: itself, or what it calls. What is called by its address, and
// what others define, but for the runtime and LLVM, may do anything.
func (e *emitter) mayTrap(f *llir.Func) bool {
	if e.trap == nil {
		return false
	}
	seen := map[*llir.Func]bool{}
	var walk func(f *llir.Func) bool
	walk = func(f *llir.Func) bool {
		if f == e.trap || len(f.Blocks) == 0 && (e.runtime[f.Name()] != f || f.Name() == parallelFor) {
			return true
		}
		if seen[f] {
			return false
		}
		seen[f] = true
		return slices.ContainsFunc(f.Blocks, func(b *llir.Block) bool {
			return slices.ContainsFunc(b.Insts, func(i llir.Instruction) bool {
				call, ok := i.(*llir.InstCall)
				if !ok {
					return false
				}
				to, ok := call.Callee.(*llir.Func)
				return !ok || walk(to)
			})
		})
	}
	return walk(f)
}

// setjmp marks where traps go: they return their code.
func (f *fn) setjmp() {
	set := f.external("_setjmp", types.I32, []types.Type{ptr}, "nounwind", "returns_twice")
	code := add(f, llir.NewCall(set, f.jumpBuffer(f.cur)))
	code.FuncAttrs = []llir.FuncAttribute{attr("returns_twice")}
	run, trapped := f.block("run"), f.block("trapped")
	f.cur.NewCondBr(add(f, llir.NewICmp(enum.IPredEQ, code, i32(0))), run, trapped)
	f.place(trapped)
	f.cur.NewRet(code)
	f.place(run)
}

// jumpBytes holds a jmp_buf of every processor that the jit runs on.
const jumpBytes = 512

// jumpBuffer is where the running thunk can be returned to. Where cores share loops, each thread
// has one of its own, which the runtime knows.
func (e *emitter) jumpBuffer(b *llir.Block) value.Value {
	if e.shared {
		return b.NewCall(e.external("irc_jump_buffer", ptr, nil, "nounwind"))
	}
	const name = "irc.jump"
	if e.globals[name] == nil {
		g := llir.NewGlobalDef(name, &lit{typ: types.NewArray(jumpBytes, types.I8), text: "zeroinitializer"})
		g.Linkage, g.Align = enum.LinkageInternal, 16
		e.IR.Globals = append(e.IR.Globals, g)
		e.globals[name] = &globalVar{ref: &lit{typ: ptr, text: g.Ident()}}
	}
	return e.globals[name].ref
}

func (f *fn) slot(p value.Value, i int64) value.Value {
	if i == 0 {
		return p
	}
	return add(f, &llir.InstGetElementPtr{ElemType: types.I64, Src: p, Indices: []value.Value{i64(i)}, InBounds: true, Typ: ptr})
}

func (f *fn) loadSlot(p value.Value, at *int64, t types.Type) value.Value {
	*at++
	return add(f, &llir.InstLoad{ElemType: t, Src: f.slot(p, *at-1)})
}

// fromSlots reads a value.
func (f *fn) fromSlots(p value.Value, at *int64, t ir.Type) val {
	info := f.c.Info(t)
	switch info.Kind {
	case ir.KindMemRef:
		return val{m: f.viewFromSlots(p, at, t)}
	case ir.KindVector:
		typ := f.llType(t)
		var out value.Value = &lit{typ: typ, text: "poison"}
		for i := range typ.(*types.VectorType).Len {
			out = add(f, llir.NewInsertElement(out, f.scalarFrom(f.loadSlot(p, at, types.I64), info.Elem), i32(int64(i))))
		}
		return val{v: out}
	}
	return val{v: f.scalarFrom(f.loadSlot(p, at, types.I64), t)}
}

// viewFromSlots reads a descriptor. What its type says is not read: the caller
// has checked it.
func (f *fn) viewFromSlots(p value.Value, at *int64, t ir.Type) *view {
	l := f.layout(t)
	m := &view{elem: l.elem, base: f.loadSlot(p, at, ptr), off: i64(0), ident: l.ident}
	read := func(static []int64) (out []value.Value) {
		for _, n := range static {
			if n == ir.Dynamic {
				out = append(out, f.loadSlot(p, at, types.I64))
			} else {
				out = append(out, i64(n))
				*at++
			}
		}
		return out
	}
	m.sizes, m.strides = read(l.sizes), read(l.strides)
	return m
}

// scalarFrom makes a scalar of the bits in a slot.
func (f *fn) scalarFrom(x value.Value, t ir.Type) value.Value {
	typ, w := f.llType(t), f.c.Info(t).Width
	if w < 64 {
		x = add(f, llir.NewTrunc(x, intType(w)))
	}
	if f.c.IsFloat(t) {
		return add(f, llir.NewBitCast(x, typ))
	}
	return x
}

// slots are the bits of a scalar or of the lanes of a vector, zero-extended.
func (f *fn) slots(x value.Value, t ir.Type) []value.Value {
	if v, ok := x.Type().(*types.VectorType); ok {
		var out []value.Value
		for i := range v.Len {
			out = append(out, f.slots(add(f, llir.NewExtractElement(x, i32(int64(i)))), f.c.Info(t).Elem)...)
		}
		return out
	}
	w := f.c.Info(t).Width
	if f.c.IsFloat(t) {
		x = add(f, llir.NewBitCast(x, intType(w)))
	}
	if w < 64 {
		x = add(f, llir.NewZExt(x, types.I64))
	}
	return []value.Value{x}
}

// slotsOf is slots for a value that may be a memref: pointer, sizes, strides.
func (f *fn) slotsOf(x val, t ir.Type) []value.Value {
	if x.m == nil {
		return f.slots(x.v, t)
	}
	out := []value.Value{f.address(x.m, x.m.off)}
	out = append(out, x.m.sizes...)
	return append(out, x.m.strides...)
}

// TimesThunk is the function of a module that takes the time of its loops: it takes nothing and gives for each of
// Module.Timed the number of ticks that it took so far, and how often it began. The first is all calls of thunks.
const TimesThunk = "irc.times"

// TimeSlots are the results of TimesThunk for each of Module.Timed.
const TimeSlots = 2

// Timed is an outermost loop of a function.
type Timed struct {
	Function string
	At       []ir.Loc // where what stands in it is written
}

// timed translates an op, and takes the time if it is a loop around which there is none. Ticks are those of the processor's
// clock that runs at one rate, whatever is executed. One loop may be entered on several cores, where others are around its call.
func (f *fn) timed(v ir.Value, do func()) {
	if !f.opts.Times || f.gpu != nil || f.callee == nil || !f.isOutermost(v) {
		do()
		return
	}
	t := Timed{Function: f.callee.Name}
	f.placed(v, func(l ir.Loc) { t.At = append(t.At, l) })
	n := len(f.Timed)
	f.Timed = append(f.Timed, t)
	f.takeTime(n, do)
}

// takeTime adds what something takes to the slots of a Timed.
func (f *fn) takeTime(n int, do func()) {
	begin := f.ticks()
	do()
	f.addTo(int64(TimeSlots*n), add(f, llir.NewSub(f.ticks(), begin)))
	f.addTo(int64(TimeSlots*n+1), i64(1))
}

func (f *fn) ticks() value.Value { return f.intrinsic("llvm.readcyclecounter", types.I64, nil) }

func (f *fn) addTo(slot int64, x value.Value) {
	add(f, &llir.InstAtomicRMW{Op: enum.AtomicOpAdd, Dst: f.slot(f.timeSlots(), slot), X: x, Ordering: enum.AtomicOrderingMonotonic, Typ: types.I64})
}

// timeSlots is the memory of the slots, which timesThunk defines.
func (e *emitter) timeSlots() *lit { return &lit{typ: ptr, text: "@irc.times.slots"} }

// isOutermost reports a loop that stands in no other one of its function.
func (f *fn) isOutermost(v ir.Value) bool {
	if _, ok := ir.As[ir.LoopLike](f.g.NodeOf(v)); !ok {
		return false
	}
	for r := f.s.Place(v); r != ir.Root; r = f.s.Place(f.g.Owner(r)) {
		if _, ok := ir.As[ir.LoopLike](f.g.NodeOf(f.g.Owner(r))); ok {
			return false
		}
	}
	return true
}

// placed calls found for the places of an op and of what stands in it.
func (f *fn) placed(v ir.Value, found func(ir.Loc)) {
	for _, l := range f.g.LocsOf(v) {
		if l&ir.LocAttr == 0 {
			found(l)
		}
	}
	for _, r := range f.g.Regions(v) {
		for _, op := range f.s.Body(r) {
			if !f.g.Def(op).Has(ir.ConstantLike) {
				f.placed(op, found)
			}
		}
	}
}

// timesThunk defines the slots, and what reads them.
func (e *emitter) timesThunk() {
	n := int64(TimeSlots * len(e.Timed))
	g := llir.NewGlobalDef("irc.times.slots", &lit{typ: types.NewArray(uint64(n), types.I64), text: "zeroinitializer"})
	g.Linkage = enum.LinkageInternal
	e.IR.Globals = append(e.IR.Globals, g)
	args, results := llir.NewParam("args", ptr), llir.NewParam("results", ptr)
	f := &fn{emitter: e, g: e.g, f: e.IR.NewFunc(TimesThunk, types.I32, args, results)}
	f.place(llir.NewBlock("entry"))
	for i := range n {
		x := &llir.InstLoad{ElemType: types.I64, Src: f.slot(e.timeSlots(), i)}
		add(f, x)
		add(f, &llir.InstStore{Src: x, Dst: f.slot(results, i)})
	}
	f.cur.NewRet(i32(0))
}
