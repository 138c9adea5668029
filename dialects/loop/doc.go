// Package loop is the dialect of data-parallel loops over collections, after chapter 3
// of "LMS Compiler Internals" ("Loop Fusion and Deforestation", "Data Structures").
//
// Everything is a value: there is no memory at this level, so that folds, sharing and dead
// code see all of it. An op, loop.for, runs a body for 0 <= i < n and gives what its body emits
// to generators:
//
//	collect(T...)             an array of each component
//	reduce(add : T...)        combined from the first to the last, beginning with the identity, which
//	                          is NaN of the least and the greatest of floats: these leave NaN out, and
//	                          of NaN alone, or of nothing, are NaN;
//	                          `reassoc` allows another order, with identities in between. By a
//	                          region (reduce(%e : T...)) that has to be associative then, and to
//	                          commute, and %e an identity of it
//	scan(add : T...)          the array of what a reduce has after each tuple; `reassoc` leaves
//	                          tuples in their order, so that a region need not commute
//	bucket(K..., [G, ...])    tuples by key, in the order in which keys first appear; of each
//	                          group what the generators G make; all NaN are one key, the zeros
//	                          are the key 0, and what is null is one, with a value of zero
//	emit(T...)                hands them to the loop around it
//
// What a body emits to a generator is a finite sequence of tuples, a value of type !loop.emit,
// the paper's E[x <- f(i)]: loop.emit is one tuple, loop.none no tuple, loop.seq several sequences in turn,
// an scf.if the one or the other (filter). A loop with the generator emits those of all its iterations
// (flatMap).
//
// A collection of structs is a struct of collections from the start: folds turn what collects structs into
// something that collects each field. An element of such an array becomes the struct of the elements of its
// columns, and a field of a struct the value that it was made of. A nullable value is a struct of a value and
// whether there is one.
package loop

import "github.com/irc-lang/irc/ir"

// Dialect is the loop dialect.
var Dialect = &ir.Dialect{
	Name:  "loop",
	Clean: true,
	Doc:   "Data-parallel loops over collections of numbers, strings and structs.",
	Types: []ir.Defined{arrayType, structType, nullableType, stringType, bucketsType, emitType},
	Attrs: []ir.Defined{generatorAttr, stringAttr},
	Ops: []*ir.OpDef{At, Column, Compare, Constant, Emit, Field, Find, For, Keys, Len, None,
		Pack, Rekey, Seq, Slice, Sort, Struct, Unpack, Yield, Zip},
	Folds: folds, Cleanups: prune,
	Tables: []any{syntax, table, loops, forms, typeLowerings, looks},
}
