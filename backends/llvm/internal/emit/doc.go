// Package emit is the state of a translation to LLVM IR, and what all ops share of it: values, control flow, calls, checks,
// views of memory, loops and their sharing among cores.
//
//   - An Emitter translates a module, an Fn one of its functions; an op is translated by the function that Emitter.Ops has for
//     it, which reads its operands by Arg, Of or MemArg and gives its results to Set or SetAll.
//   - Instructions go through the Builder Fn.B to the end of its Cur; what is translated next goes on in the block that was
//     placed last. A Builder knows LLVM's values alone; Fn knows what nodes are.
//   - Phis are what loops carry and branches give, Loops the counted loops; a box is a parallel loop, with its reduction.
//   - Ops of one kind stand in rooms above this one (numbers, memory, vectors, kernels), which it does not know.
package emit
