// Package llvm translates structured IR to LLVM IR, through llir: text that LLVM 16
// and newer accept (opaque pointers).
//
// A function is scheduled, each rarely run region with its own copies, and its
// regions become a control-flow graph whose carried values are phis: there is no
// alloca that was not in the program. index is i64. Vectors of several dimensions
// are one long vector.
//
// What always holds:
//
//   - The meaning of an op is that of its Eval, bit for bit for integers and for
//     the floats' basic ops; functions of libm differ from it in the last places.
//     Poison in the interpreter is poison or any value in LLVM.
//   - nsw and nuw stand on an instruction where the op's overflowFlags say so, or
//     where this package proves them (induction variables, addresses of accesses
//     that were checked); fast-math flags where the op's fastmath says so.
//   - bf16 and f16 are rounded by instructions that every processor has, or by
//     functions of the module (see internal/emit/bf16.go, internal/lit/half.go): an object needs no function of a
//     compiler's library for them.
//   - What the interpreter traps on is checked before it happens, unless
//     Options.Unchecked (which keeps cf.assert: the program asks for that): indices
//     out of bounds, division by zero, signed overflow of a division, loop steps
//     that are not positive, impossible allocations. Use after free is not checked. An access whose indices are known to be in range
//     (constants, induction variables) has no check.
//   - What has no translation is an *ir.OpError that names the op, its place and a
//     way out; invalid LLVM IR is never made. A public function whose arguments cannot
//     cross a border is left out, with those that call it (see internal/emit/omitted.go).
//
// # What is translated, and what was lowered before
//
// A backend translates what it is given, one op at a time; it decides nothing and has no
// pipeline of its own. What looks at more than one op, chooses by cost, or takes an op
// apart into others is a pass or a lowering rule in the lowering pipeline (lowering.Pipeline): which
// loops are to be vectors (loop-hints, whose mark on a loop becomes LLVM's metadata here),
// tables, functions as arithmetic, special functions. The order of the ops is the
// schedule's, with the weights of the target.
//
// Some ops become several instructions here all the same, since no ops of the IR say what
// those do: the rounding of bf16 and f16, on the bits and by the processor's instructions;
// rounded and extended integer arithmetic, powers by integers and 1/sqrt, whose overflow,
// checks and traps are those of one op; atomic updates, which are loops over LLVM's
// compare-exchange; copies and views of memory, in addresses; and the checks of all of
// these.
//
// # Calling
//
// docs/abi.md describes how C calls compiled functions; Header writes the
// declarations. The jit calls thunks instead (Options.Thunks): for each public
// function @NAME
//
//	define i32 @irc.thunk.NAME(ptr %args, ptr %results)
//
// reads its arguments from 8-byte slots and leaves its results in others. A scalar
// takes one slot (floats as their bits), a vector one for each element, a memref a
// pointer to its element (0, ..., 0), then all sizes, then all strides. The thunk
// returns 0, or the code of a trap: code n is Module.Traps[n-1]. A trap jumps back
// with longjmp to the setjmp of the thunk, so memory that the function had
// allocated stays allocated.
//
// # Long functions
//
// What a function of very many instructions does outside of loops becomes functions of some
// hundred each, which it calls (see internal/emit/pieces.go): the time that LLVM takes is linear then.
//
// # Cores
//
// With Options.Cores the iterations of scf.parallel and scf.forall are shared by the cores
// of the machine where there is enough to do (see internal/emit/cores.go): not those of a loop inside of
// another. Nor are they where a body prints, calls what is not in the module, or changes memory atomically in
// a way whose result depends on the order. The trap of the lowest iteration wins.
//
// # Memory
//
// memref.alloc is malloc (aligned_alloc above 16 bytes), memref.dealloc is free of
// the memory that its operand is a view of. A memref.alloca of fixed size is reserved once per call of the
// function. One in a loop that carries memrefs, to which something beside accesses and views refers, is
// reserved when it is executed. So is another of any size. An iteration of a loop gives back what it
// reserved, unless the loop carries memrefs. Integers in memory take whole bytes, a power of two of them;
// bits above their width are zero.
//
// # Output
//
// Printing ops append records by @irc_print_bits (see internal/memory/print.go), which the jit's
// runtime defines; package engine turns them into what the interpreter shows.
//
// # Rooms
//
// This one puts them together: the table of emitters by op (table.go), and the steps of a module (emit.go). internal/lit has types
// and constants, internal/emit the state of a translation and what all ops share; above it stand internal/numbers,
// internal/memory, internal/vectors and internal/kernels, each with the emitters of its ops.
package llvm
