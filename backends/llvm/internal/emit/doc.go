// Package emit is the state of a translation to LLVM IR, and what all ops share of it: values, control flow, calls, checks,
// views of memory, loops and their sharing among cores.
//
//   - An Emitter translates a module, an Fn one of its functions; an op is translated by the function that Emitter.Ops has for
//     it, which reads its operands by Arg, Of or MemArg and gives its results to Set or SetAll.
//   - Instructions go to the end of Fn.Cur; what is translated next goes on in the block that was placed last.
//   - Ops of one kind stand in rooms above this one (numbers, memory, vectors, kernels), which it does not know.
package emit
