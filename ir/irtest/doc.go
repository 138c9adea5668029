// Package irtest makes random programs for tests: text in MLIR's generic form,
// so that the same program can be built verbatim (as written, the oracle), built
// normally, put through passes, compiled, and read by mlir-opt.
//
// Programs end: loops have few iterations, calls go to earlier functions, and
// recursion counts down. They stay clear of what engines may answer differently:
// poison, the sign and payload of NaN, and math functions whose last bits are
// free. Traps (division by zero, indices out of bounds) appear only where Config
// asks for them.
//
// Only tests import it.
package irtest
