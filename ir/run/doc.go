// Package run says what a program is that is ready to run, whatever runs it: calls of
// its functions, and memory that stays bound to it from call to call. The interpreter
// as such a program is here (Interpret); backends/engine has the engines that make them.
//
// # Bound memory
//
// Program.Call takes its arguments as they are and leaves them so: an engine whose code
// has memory of its own copies all memrefs there and back. Bind keeps arguments where
// the program's code has them. A call on a Binding says what is different from the call
// before (Set, Wrote); what is not said costs nothing, however large it is:
//
//	b, err := run.Bind(ctx, p, x.Val(), y.Val(), ir.F64Val(2))
//	out, _, err := b.Call(ctx, "f")                          // f(x, y, 2)
//	out, _, err = b.Call(ctx, "g", run.Set(2, ir.F64Val(3))) // g(x, y, 3)
//	err = b.Fetch(ctx, 1)                                    // now y is up to date here
//	b.Close(ctx)
//
// The contract, of every engine:
//
//   - A bound memref is the memref that was given, and its Memory is the one that the
//     program changes. Two arguments with one Memory, or views of it, see each other's
//     stores, and a memref that a call returns may be a view of a bound one.
//   - The host reads bound memory after Fetch, and tells by Wrote that it has written.
//     Where the memory is shared both cost nothing.
//   - A function takes the first of the bound arguments, as many as it has, or those that
//     its call lists; so several functions of a module work on one Binding, and several
//     Bindings, also of other programs of the engine, on one Memory.
//   - A call that traps leaves all that was written before the trap, as the interpreter
//     does, and the Binding is as good as before.
//   - When the process that runs the code dies, of a fault, a timeout or a kill, the next
//     call starts another, which has all that is bound again. Native code then finds what
//     was written up to the end, since the memory is shared, and its globals begin anew; a
//     device finds what the host had, globals too: kernels' results that were not fetched
//     are lost.
//     A process that dies between calls is replaced without an error.
//   - What is bound to native code has no poison: elements that nobody stored are 0 there
//     and then here. The interpreter keeps poison in bound memory.
//   - Close brings the contents home, into memory of this process, but for memory that the
//     host has discarded. The slices that Memory.Bytes and Floats gave before are void.
//
// A Binding is for one goroutine, as its program is.
package run
