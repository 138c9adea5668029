// Package lit is what LLVM's types and constants are of those of the IR, and the text of modules that depends on no program.
//
//   - A type or constant stands for the same bits in LLVM as in the IR's interpreter; nil is one that is not compiled.
//   - Integers in memory take whole bytes, a power of two of them; a bf16 is an i16.
//   - A constant integer of up to 64 bits knows its value (Number), so that arithmetic on addresses folds.
package lit
