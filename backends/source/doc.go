// Package source is what printers of structured programs (func, scf, memref, arith, math) as source
// text have in common, whatever the language:
//
//   - A Plan says which ops become part of the expression that uses them: those with one use, unless
//     something between the two may change what they read.
//   - A Function walks the schedule of a function. Loops and conditionals become those of the
//     language; what they give are variables, which are written as if all at once.
//   - A memref is a View: a base, an offset, sizes and strides, each a constant or a variable. Views
//     of views are computed here; a language says only what a base is.
//   - What iterations of a parallel loop give is combined as the tree of iteration.ReduceChunk.
//
// A Language says how the pieces are written, and translates what depends on its types: arithmetic,
// calls, allocations. An op that neither knows is an *ir.OpError that names it and its place.
package source
