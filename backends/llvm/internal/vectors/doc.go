// Package vectors translates the ops on vectors: moves and reductions of lanes, accesses to memory, with masks and without.
//
// A vector of several dimensions is one long vector, in row-major order. Parts of one of very many lanes go through memory, as
// LLVM's time grows with the square of a shuffle's lanes. A lane that a mask leaves out touches no memory.
package vectors
