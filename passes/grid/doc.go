// Package grid makes kernels for GPUs of ops on tensors, and of loops over arrays.
//
// A product is a sum of products of two tensors with an index of rows, one of columns, one that is summed over and at
// most one of batches. Each block of threads computes a tile of the result: it goes along the summed index in steps,
// brings a tile of either operand to shared memory, and each thread keeps a part of the result's tile in registers
// (as in Volkov and Demmel 2008, and CUTLASS). Operands may be transposed as they like: what is contiguous in memory
// is read by neighbouring threads, in vectors where the extents allow for it, and transposed on its way to shared
// memory.
//
// The other ops have a kernel each: maps (neighbours by neighbouring threads), products of a matrix by a vector, softmax, layer norm and reductions
// along rows (a warp for each). A map of a product is computed in the product's registers (its epilogue).
//
// The rounds of a loop are shared by threads, which collect, and reduce in an order that the number of rounds decides. What
// has to know of other rounds is done behind them: scans by tiles (scan.go), filters by a scan of flags (filter.go), groups by a
// table of keys (bucket.go) and, where atomics do not reduce them, by a sort (sorted.go).
//
// Memory of the device is in space 1 (dialects/device): an operand moves there before the first kernel that
// reads it, what kernels compute stays there for other kernels, and moves to the host if something there uses it.
package grid
