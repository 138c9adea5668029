package emit

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
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
		n, ok := lit.Lanes(info)
		return int(n), ok && lit.LLType(c, info.Elem) != nil
	}
	return 1, (c.IsInt(t) || c.IsFloat(t)) && lit.LLType(c, t) != nil
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

// Thunk makes the entry of a function for the jit.
func (e *Emitter) Thunk(c *Callee) {
	if c.private || c.Declaration {
		return
	}
	for _, t := range append(c.In[:len(c.In):len(c.In)], c.Out...) {
		if _, ok := Slots(e.C, t); !ok {
			c.NoThunk = "it has an argument or result of type " + lit.Spell(e.C, t) + ", which cannot be passed from outside"
			return
		}
	}
	c.Thunk = Internal("thunk", c.Name)
	args, results := llir.NewParam("args", lit.Ptr), llir.NewParam("results", lit.Ptr)
	w := e.IR.NewFunc(c.Thunk, types.I32, args, results)
	w.FuncAttrs = []llir.FuncAttribute{Attr("nounwind")}
	if c.long { // it may have very many arguments
		w.FuncAttrs = append(w.FuncAttrs, Attr("noinline"), Attr("optnone"))
	}
	if c.made > mostInThunk && !c.long {
		c.Fn.FuncAttrs = append(c.Fn.FuncAttrs, Attr("noinline"))
	}
	f := NewFn(e, w, Fn{Callee: c, G: e.G, V: c.V})
	if e.mayTrap(c.Fn) {
		f.B.setjmp()
	}
	in := lists.Map(c.In, (&slots{f: f, mem: args}).value)
	var outs []Val
	if e.Opts.Times {
		f.B.takeTime(0, func() { outs = f.call(c, in) })
	} else {
		outs = f.call(c, in)
	}
	at := int64(0)
	for i, t := range c.Out {
		for _, s := range f.B.slotsOf(outs[i], t) {
			Add(f.B, &llir.InstStore{Src: s, Dst: f.B.Slot(results, at)})
			at++
		}
	}
	f.B.Cur.NewRet(lit.I32(0))
}

// mayTrap reports a function that a trap may leave: itself, or what it calls. What is called by its address, and
// what others define, but for the runtime and LLVM, may do anything.
func (e *Emitter) mayTrap(f *llir.Func) bool {
	if e.trap == nil {
		return false
	}
	seen := map[*llir.Func]bool{}
	var walk func(f *llir.Func) bool
	walk = func(f *llir.Func) bool {
		if f == e.trap || len(f.Blocks) == 0 && (e.Runtime[f.Name()] != f || f.Name() == parallelFor) {
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
func (ib *Builder) setjmp() {
	set := ib.e.External("_setjmp", types.I32, []types.Type{lit.Ptr}, "nounwind", "returns_twice")
	code := Add(ib, llir.NewCall(set, ib.e.jumpBuffer(ib.Cur)))
	code.FuncAttrs = []llir.FuncAttribute{Attr("returns_twice")}
	run, trapped := ib.Block("run"), ib.Block("trapped")
	ib.Cur.NewCondBr(Add(ib, llir.NewICmp(enum.IPredEQ, code, lit.I32(0))), run, trapped)
	ib.Place(trapped)
	ib.Cur.NewRet(code)
	ib.Place(run)
}

// jumpBytes holds a jmp_buf of every processor that the jit runs on.
const jumpBytes = 512

// jumpBuffer is where the running thunk can be returned to. Where cores share loops, each thread
// has one of its own, which the runtime knows.
func (e *Emitter) jumpBuffer(b *llir.Block) value.Value {
	if e.shared {
		return b.NewCall(e.External("irc_jump_buffer", lit.Ptr, nil, "nounwind"))
	}
	const name = "irc.jump"
	if e.Globals[name] == nil {
		g := llir.NewGlobalDef(name, &lit.Lit{Typ: types.NewArray(jumpBytes, types.I8), Text: "zeroinitializer"})
		g.Linkage, g.Align = enum.LinkageInternal, 16
		e.IR.Globals = append(e.IR.Globals, g)
		e.Globals[name] = &GlobalVar{Ref: &lit.Lit{Typ: lit.Ptr, Text: g.Ident()}}
	}
	return e.Globals[name].Ref
}

func (ib *Builder) Slot(p value.Value, i int64) value.Value {
	if i == 0 {
		return p
	}
	return Add(ib, &llir.InstGetElementPtr{ElemType: types.I64, Src: p, Indices: []value.Value{lit.I64(i)}, InBounds: true, Typ: lit.Ptr})
}

// slots are where a thunk reads its arguments from, one after the other.
type slots struct {
	f   *Fn
	mem value.Value
	at  int64 // the next one
}

// load reads the next one.
func (s *slots) load(t types.Type) value.Value {
	s.at++
	return Add(s.f.B, &llir.InstLoad{ElemType: t, Src: s.f.B.Slot(s.mem, s.at-1)})
}

// value reads a value.
func (s *slots) value(t ir.Type) Val {
	info := s.f.C.Info(t)
	switch info.Kind {
	case ir.KindMemRef:
		return Val{M: s.view(t)}
	case ir.KindVector:
		typ := s.f.LLType(t)
		var out value.Value = &lit.Lit{Typ: typ, Text: "poison"}
		for i := range typ.(*types.VectorType).Len {
			out = Add(s.f.B, llir.NewInsertElement(out, s.scalar(info.Elem), lit.I32(int64(i))))
		}
		return Val{V: out}
	}
	return Val{V: s.scalar(t)}
}

// view reads a descriptor. What its type says is not read: the caller has checked it.
func (s *slots) view(t ir.Type) *View {
	l := s.f.Layout(t)
	m := &View{Elem: l.Elem, Base: s.load(lit.Ptr), Off: lit.I64(0), Ident: l.Ident}
	read := func(static []int64) (out []value.Value) {
		for _, n := range static {
			if n == ir.Dynamic {
				out = append(out, s.load(types.I64))
			} else {
				out = append(out, lit.I64(n))
				s.at++
			}
		}
		return out
	}
	m.Sizes, m.Strides = read(l.Sizes), read(l.Strides)
	return m
}

// scalar makes a scalar of the bits in a slot.
func (s *slots) scalar(t ir.Type) value.Value {
	x, typ, w := s.load(types.I64), s.f.LLType(t), s.f.C.Info(t).Width
	if w < 64 {
		x = Add(s.f.B, llir.NewTrunc(x, lit.IntType(w)))
	}
	if s.f.C.IsFloat(t) {
		return Add(s.f.B, llir.NewBitCast(x, typ))
	}
	return x
}

// Slots are the bits of a scalar or of the lanes of a vector, zero-extended.
func (ib *Builder) Slots(x value.Value, t ir.Type) []value.Value {
	if v, ok := x.Type().(*types.VectorType); ok {
		var out []value.Value
		for i := range v.Len {
			out = append(out, ib.Slots(Add(ib, llir.NewExtractElement(x, lit.I32(int64(i)))), ib.e.C.Info(t).Elem)...)
		}
		return out
	}
	w := ib.e.C.Info(t).Width
	if ib.e.C.IsFloat(t) {
		x = Add(ib, llir.NewBitCast(x, lit.IntType(w)))
	}
	if w < 64 {
		x = Add(ib, llir.NewZExt(x, types.I64))
	}
	return []value.Value{x}
}

// slotsOf is slots for a value that may be a memref: pointer, sizes, strides.
func (ib *Builder) slotsOf(x Val, t ir.Type) []value.Value {
	if x.M == nil {
		return ib.Slots(x.V, t)
	}
	out := []value.Value{ib.Address(x.M, x.M.Off)}
	out = append(out, x.M.Sizes...)
	return append(out, x.M.Strides...)
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
func (f *Fn) timed(v ir.Value, do func()) {
	if !f.Opts.Times || f.Gpu != nil || f.Callee == nil || !isOutermost(f.S, v) {
		do()
		return
	}
	t := Timed{Function: f.Callee.Name}
	placed(f.S, v, func(l ir.Loc) { t.At = append(t.At, l) })
	n := len(f.Timed)
	f.Timed = append(f.Timed, t)
	f.B.takeTime(n, do)
}

// takeTime adds what something takes to the slots of a Timed.
func (ib *Builder) takeTime(n int, do func()) {
	begin := ib.ticks()
	do()
	ib.addTo(int64(TimeSlots*n), Add(ib, llir.NewSub(ib.ticks(), begin)))
	ib.addTo(int64(TimeSlots*n+1), lit.I64(1))
}

func (ib *Builder) ticks() value.Value { return ib.Intrinsic("llvm.readcyclecounter", types.I64, nil) }

func (ib *Builder) addTo(slot int64, x value.Value) {
	Add(ib, &llir.InstAtomicRMW{Op: enum.AtomicOpAdd, Dst: ib.Slot(ib.e.timeSlots(), slot), X: x, Ordering: enum.AtomicOrderingMonotonic, Typ: types.I64})
}

// timeSlots is the memory of the slots, which timesThunk defines.
func (e *Emitter) timeSlots() *lit.Lit { return &lit.Lit{Typ: lit.Ptr, Text: "@irc.times.slots"} }

// isOutermost reports a loop that stands in no other one of its function.
func isOutermost(s *ir.Schedule, v ir.Value) bool {
	g := s.Graph()
	if _, ok := ir.As[ir.LoopLike](g.NodeOf(v)); !ok {
		return false
	}
	for r := s.Place(v); r != ir.Root; r = s.Place(g.Owner(r)) {
		if _, ok := ir.As[ir.LoopLike](g.NodeOf(g.Owner(r))); ok {
			return false
		}
	}
	return true
}

// placed calls found for the places of an op and of what stands in it.
func placed(s *ir.Schedule, v ir.Value, found func(ir.Loc)) {
	g := s.Graph()
	for _, l := range g.LocsOf(v) {
		if l&ir.LocAttr == 0 {
			found(l)
		}
	}
	for _, r := range g.Regions(v) {
		for _, op := range s.Body(r) {
			if !g.Def(op).Has(ir.ConstantLike) {
				placed(s, op, found)
			}
		}
	}
}

// TimesThunk defines the slots, and what reads them.
func (e *Emitter) TimesThunk() {
	n := int64(TimeSlots * len(e.Timed))
	g := llir.NewGlobalDef("irc.times.slots", &lit.Lit{Typ: types.NewArray(uint64(n), types.I64), Text: "zeroinitializer"})
	g.Linkage = enum.LinkageInternal
	e.IR.Globals = append(e.IR.Globals, g)
	args, results := llir.NewParam("args", lit.Ptr), llir.NewParam("results", lit.Ptr)
	b := NewBuilder(e, e.IR.NewFunc(TimesThunk, types.I32, args, results))
	for i := range n {
		x := &llir.InstLoad{ElemType: types.I64, Src: b.Slot(e.timeSlots(), i)}
		Add(b, x)
		Add(b, &llir.InstStore{Src: x, Dst: b.Slot(results, i)})
	}
	b.Cur.NewRet(lit.I32(0))
}
