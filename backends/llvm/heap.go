package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
)

// HeapThunk is the function of a module that counts its heap: it takes nothing and
// gives how many blocks were allocated and freed so far.
const HeapThunk = "irc.heap"

// The counters, in the order of the results of HeapThunk.
const (
	countAllocs = iota
	countFrees
	numCounts
)

// count adds one to a counter. It is ordinary memory, so LLVM keeps the count of
// what the program does even where it does without the call.
func (f *fn) count(which int64) {
	if !f.opts.CountHeap {
		return
	}
	at := f.slot(f.heapCounts(), which)
	if f.opts.Cores {
		add(f, &llir.InstAtomicRMW{Op: enum.AtomicOpAdd, Dst: at, X: i64(1), Ordering: enum.AtomicOrderingMonotonic, Typ: types.I64})
		return
	}
	n := &llir.InstLoad{ElemType: types.I64, Src: at}
	add(f, n)
	add(f, &llir.InstStore{Src: add(f, llir.NewAdd(n, i64(1))), Dst: at})
}

// heapCounts is the memory of the counters.
func (e *emitter) heapCounts() *lit {
	if e.counts == nil {
		g := llir.NewGlobalDef("irc.heap.counts", &lit{typ: types.NewArray(numCounts, types.I64), text: "zeroinitializer"})
		g.Linkage = enum.LinkageInternal
		e.IR.Globals = append(e.IR.Globals, g)
		e.counts = &lit{typ: ptr, text: g.Ident()}
	}
	return e.counts
}

func (e *emitter) heapThunk() {
	args, results := llir.NewParam("args", ptr), llir.NewParam("results", ptr)
	f := &fn{emitter: e, g: e.g, f: e.IR.NewFunc(HeapThunk, types.I32, args, results)}
	f.place(llir.NewBlock("entry"))
	for i := range int64(numCounts) {
		n := &llir.InstLoad{ElemType: types.I64, Src: f.slot(e.heapCounts(), i)}
		add(f, n)
		add(f, &llir.InstStore{Src: n, Dst: f.slot(results, i)})
	}
	f.cur.NewRet(i32(0))
}
