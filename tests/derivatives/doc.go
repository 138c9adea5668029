// Package derivatives holds differentiate against differences: random programs of floats, loops, branches and memory, whose
// derivatives by the pass must be what central differences of the program itself come to.
package derivatives
