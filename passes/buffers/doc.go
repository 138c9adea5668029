// Package buffers holds the passes that decide how long allocations live.
//
// A level above may give arrays the meaning of values, and makes an allocation for each:
// it says so at the allocation (memref.OwnedAttr) and leaves it to free-buffers to give the
// memory back. Ownership moves, as in languages with affine types: every block of memory has
// at most one owner at a time, a value of the graph. Where a branch yields it or a loop
// carries it on, the result or parameter owns it from there; whoever owns it after its last
// use gives it back. A value that may be the memory of several owners, or of none, is a
// borrower: while it is used none of them is given back. Where it depends on the run who
// owns, a truth value in memory says so, as MLIR's ownership-based deallocation has it; where
// a borrower is handed on and its owner ends, their addresses say whether it takes that over.
//
// A function says of each result whether it is new memory, and whose it may be else: of
// functions that call each other by a fixed point. Where a run decides, it returns a truth
// value too.
package buffers
