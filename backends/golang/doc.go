// Package golang prints structured programs (func, scf, memref, arith, math) as readable Go, for people
// and for the go tool. What it has in common with C is in backends/source.
//
//   - Integers wrap around in Go as in the IR, so that sums are sums. One of a width that Go lacks is
//     held by the next wider type, and shifted left and right again where it may have grown. An index
//     is an int, which must have 64 bits: a line in the file does not compile where it has not.
//   - What has no meaning in Go where the IR has one is a function at the end of the file: a division
//     that traps on overflow, maxnum, a float that no integer holds (which is poison: 0).
//   - What the interpreter traps on panics. An index of a slice of one dimension is checked by Go
//     itself; one of more dimensions by at(i, n), unless the analysis of integers (ir/affine) proves
//     that it is inside. Of two traps in one expression either may be the one that is told.
//   - Floats are rounded after each operation: where Go may fuse a product and a sum and the ops do not
//     allow contraction, a conversion stands around the product.
//   - Memory is a slice, then the offset, sizes and strides that its type leaves open; of one dimension
//     without gaps the slice alone, whose length is the size. Nothing needs package unsafe.
//   - What nobody reads is not declared: Go refuses it.
//
// Types are i1, integers up to 64 bits, index, f32, f64 and memrefs of them. What has no translation is an
// *ir.OpError that names the op and its place; wrong Go is never made.
package golang
