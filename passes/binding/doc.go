// Package binding divides functions by when their values are known.
//
// An argument of a function with the attribute func.static is the same in every call: a
// number, or all that memory holds. What such arguments alone decide is static, the rest
// dynamic: binding-time analysis (Jones, Gomard and Sestoft 1993, chapter 5), by the
// forward slice of what is dynamic (Times). Memory of the function's own is static if all that
// it stores there is, by code that every call reaches, and if it does nothing else with it
// than to read elements.
//
// The pass specialize-data makes two functions of one (Knoblock and Ruf 1996, Data
// Specialization): a setup that computes, once, static values into a buffer, and what is
// left, which reads them. Unlike partial evaluation it needs no values of the arguments, and
// makes no code for them.
//
// Invariants:
//   - What is computed ahead is computed in every call of the function, in code that it
//     always reaches: a setup stops only where every call would.
//   - What is computed ahead has no effect but to fill static memory, and reads only that and memory of
//     static arguments. What it reads from memory that a loop fills varies in that loop.
//   - Static memory that nothing left of the function reads is not filled by it.
//   - Both functions come of one graph and one list of values, so they agree on the buffer.
package binding
