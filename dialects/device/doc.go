// Package device is a dialect of its own (no part of MLIR) for kernels: functions
// that many threads run at once, and what tells those threads apart and makes them
// meet.
//
// device.launch runs a kernel over a grid of blocks of threads and goes on when all
// of them are done. What holds inside:
//
//   - Threads of a block run in any order between barriers, blocks in any order at
//     all. The interpreter takes them in the order of their numbers, x fastest.
//   - A barrier is reached by all threads of a block or by none; anything else traps.
//     It orders all accesses of the block, to shared and to global memory.
//   - Memory of device.shared belongs to a block: all its threads see the same, and
//     it holds nothing when the block begins.
//   - Atomics are memref.atomic_rmw, memref.generic_atomic_rmw and device.atomic_cas.
//     They order nothing but themselves.
//   - Two threads that access an element of which one writes it, without a barrier
//     between them and not both by atomics, race: what they see is undefined. The
//     interpreter does not report races. A thread that waits in a loop for what
//     another one writes may wait forever.
//   - 32 threads with numbers in a row are a warp. device.shuffle has them hand values to one another: all of
//     them are there, or it traps.
//   - Ids belong to the thread that asks. They are pure, so they are shared and moved
//     within a kernel like constants, and never out of it: a kernel is a graph of its
//     own. Functions called by kernels may use them, too; elsewhere they are 0.
package device

import (
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/lower"
)

// Dialect is the device dialect.
var Dialect = &ir.Dialect{
	Name:   "device",
	Clean:  true,
	Doc:    "Kernels: launches, ids of threads, barriers, shared memory.",
	Ops:    []*ir.OpDef{AtomicCAS, Barrier, BlockDim, BlockID, GridDim, Kernel, Launch, Return, Shared, Shuffle, ThreadID},
	Tables: []any{syntax, table, symbolUses, calls, allocations, accesses, forms, elsewhere, ir.AttrParts{Kernel: funcs.Parts}},
}

var elsewhere lower.Elsewhere = func(*ir.OpDef) string { return "the backend of GPUs translates it" }

// forms: a thread has no negative number, and is in a block and a grid.
var forms = affine.Forms{ThreadID: {Bounded: true}, BlockID: {Bounded: true}, BlockDim: {Bounded: true, Least: 1}, GridDim: {Bounded: true, Least: 1}}

// SharedSpace is the memory space of shared memory in types: memref<64xf32, 3>.
const SharedSpace = 3

// GlobalSpace is the device's memory, to which a program moves itself what is there (package transfers). Memory of no
// space moves when a launch uses it.
const GlobalSpace = 1

// What hardware runs (compute capability 3.0 and later), and the interpreter as well.
const (
	MaxThreads = 1024 // of a block
)

// Discardable attributes of a kernel, integers: it is launched with at most so many threads a block, all along x, and compiled so
// that as many blocks find registers on a multiprocessor at once.
const (
	MaxThreadsAttr = "device.max_threads"
	MinBlocksAttr  = "device.min_blocks"
)

// MaxBlock and MaxGrid bound the extents of blocks and grids.
var (
	MaxBlock = [3]int64{1024, 1024, 64}
	MaxGrid  = [3]int64{1<<31 - 1, 65535, 65535}
)
