// Package irtest makes random programs for tests: text in MLIR's generic form,
// so that the same program can be built verbatim (as written, the oracle), built
// normally, put through passes, compiled, and read by mlir-opt.
//
// Programs end: loops have few iterations, calls go to earlier functions, and
// recursion counts down. They stay clear of what engines may answer differently:
// the sign and payload of NaN, and math functions whose last bits are free. Traps
// (division by zero, indices out of bounds) and poison appear only where Config
// asks for them.
//
// A choice at random seldom brings together what is hard for a compiler, so some
// statements are patterns: a place that is read, written by another name, and
// seen again behind a branch or a loop.
//
// Only tests import it.
package irtest
