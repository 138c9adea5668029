// Package elementwise has what the dialects of arithmetic (arith, math, special and vector) share: the classes of types, how ops on
// scalars work on vectors and tensors, the flags of MLIR's arith, and what folds ask. It knows no op. It is of this repository
// alone.
package elementwise
