package memory

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
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
func count(f *emit.Fn, which int64) {
	if !f.Opts.CountHeap {
		return
	}
	at := f.B.Slot(heapCounts(f.Emitter), which)
	if f.Opts.Cores {
		emit.Add(f.B, &llir.InstAtomicRMW{Op: enum.AtomicOpAdd, Dst: at, X: lit.I64(1), Ordering: enum.AtomicOrderingMonotonic, Typ: types.I64})
		return
	}
	n := &llir.InstLoad{ElemType: types.I64, Src: at}
	emit.Add(f.B, n)
	emit.Add(f.B, &llir.InstStore{Src: emit.Add(f.B, llir.NewAdd(n, lit.I64(1))), Dst: at})
}

// heapCounts is the memory of the counters.
func heapCounts(e *emit.Emitter) *lit.Lit {
	if e.Counts == nil {
		g := llir.NewGlobalDef("irc.heap.counts", &lit.Lit{Typ: types.NewArray(numCounts, types.I64), Text: "zeroinitializer"})
		g.Linkage = enum.LinkageInternal
		e.IR.Globals = append(e.IR.Globals, g)
		e.Counts = &lit.Lit{Typ: lit.Ptr, Text: g.Ident()}
	}
	return e.Counts
}

func AddHeapThunk(e *emit.Emitter) {
	args, results := llir.NewParam("args", lit.Ptr), llir.NewParam("results", lit.Ptr)
	b := emit.NewBuilder(e, e.IR.NewFunc(HeapThunk, types.I32, args, results))
	for i := range int64(numCounts) {
		n := &llir.InstLoad{ElemType: types.I64, Src: b.Slot(heapCounts(e), i)}
		emit.Add(b, n)
		emit.Add(b, &llir.InstStore{Src: n, Dst: b.Slot(results, i)})
	}
	b.Cur.NewRet(lit.I32(0))
}
