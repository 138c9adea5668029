// Package emitc compiles what -emit=c prints and runs it: examples, kernels and equations beside the
// interpreter, and random programs. A compiler of C checks that nothing is undefined (clang's
// -fsanitize=undefined, in code that traps by itself).
package emitc
