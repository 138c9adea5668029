// Package grid makes kernels for GPUs of ops on tensors, and of loops over arrays.
//
// Products of matrices are kernels by tiles (passes/contraction/gpu). A map of a product is computed in its registers:
// it is the epilogue of the kernel. The other ops have a kernel each: maps (neighbours by neighbouring threads), products
// of a matrix by a vector, softmax, layer norm and reductions along rows (a warp for each).
//
// The rounds of a loop are shared by threads, which collect, and reduce in an order that the number of rounds decides. What
// has to know of other rounds is done behind them: scans by tiles (scan.go), filters by a scan of flags (filter.go), groups by a
// table of keys (bucket.go) and, where atomics do not reduce them, by a sort (sorted.go).
//
// Memory of the device is in space 1 (dialects/device): an operand moves there before the first kernel that
// reads it, what kernels compute stays there for other kernels, and moves to the host if something there uses it.
package grid
