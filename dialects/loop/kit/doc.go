// Package kit says in few words what loops, tables and sorts are made of: the ops of
// arith, scf and memref that a lowering builds, growable arrays, and the components that
// keys have.
//
// A kit makes ops where its Builder stands. Nothing of it may trap unless it says so.
package kit
