// Package c prints structured programs (func, scf, memref, arith, math) as readable C, for
// people and for other compilers.
//
// A loop is a loop, a conditional a conditional; an op that is used once becomes part of the
// expression that uses it, unless something between the two may change what it reads. What an
// expression of C leaves undefined, the IR defines, so:
//
//   - Integers are signed in C and wrap around in the IR: sums that may not fit are computed
//     without sign. A shift by the width or more, and a float that no integer holds, are
//     poison: any value, but no undefined behaviour.
//   - What the interpreter traps on returns a status from NAME_checked, and ends the program
//     from NAME (see twin.go): an index out of bounds, a division by zero, a step that is not
//     positive, an impossible allocation, a cf.assert. Each is checked by a statement before
//     the one whose expression needs it. What the analysis of integers (ir/affine) proves is
//     not checked, and with Options.Unchecked nothing is but the last.
//   - Floats are computed as they are written: `#pragma STDC FP_CONTRACT OFF` stands in a file
//     where an op does not allow contraction. GCC obeys it with -std=c11 or
//     -ffp-contract=off. The licences of fastmath are C's flag -ffast-math, of whole files.
//   - Functions are called as docs/abi.md says, so that the header of an object file fits.
//   - Memory is a pointer and sizes, and an element is addressed by one index, since C
//     allows no array types of size 0. llvm.noalias is restrict.
//
// With Options.Freestanding no library is needed, but hooks for traps and memory, which the head
// of the file names. What hardware may lack, to round, sqrt and fma, are functions of the file.
//
// Types are i1, integers of 8, 16, 32 and 64 bits, index, f32, f64, and memrefs of them. What
// has no translation is an *ir.OpError that names the op and its place; wrong C is never made.
package c
