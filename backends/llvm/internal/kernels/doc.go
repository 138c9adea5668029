// Package kernels translates the kernels of a graph, and what they reach, for NVIDIA's GPUs: in place of functions of the host.
//
// Ops that a GPU lacks are refused by name. Accesses outside of memory are checked as on the host; a trap is noted in
// a variable and ends the thread.
package kernels
