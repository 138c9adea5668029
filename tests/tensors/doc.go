// Package tensors makes random programs of tensors, with conditionals and loops, and compares what becomes of them: what the interpreter makes of
// the ops, of the loops that they are lowered to, and native code. Elements are small whole numbers, so that all sums
// are exact in any order; what softmax and the like make of them is compared within a bound.
package tensors
