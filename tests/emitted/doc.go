// Package emitted compiles what -emit=c and -emit=go print and runs it: examples, kernels and equations
// beside the interpreter, and random programs. A compiler of C checks that nothing is undefined (clang's
// -fsanitize=undefined, in code that traps by itself); in Go many programs are one build.
package emitted
