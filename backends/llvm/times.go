package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/ir"
)

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
