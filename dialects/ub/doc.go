// Package ub is MLIR's dialect of undefined behaviour: the poison value.
//
// Poison is what the interpreter calls so: a value that may be stored, passed and
// yielded, that makes poison of what is computed with it, and that is immediate
// undefined behaviour (a trap there) as condition, index or address.
package ub
