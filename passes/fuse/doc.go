// Package fuse makes one loop of several loop.for that run over the same rounds: the rules of
// "LMS Compiler Internals", chapter 3, "Loop Fusion and Deforestation".
//
// Two loops are fused side by side (horizontal) if their sizes are one value. A loop is fused with the loop
// that makes what it reads (vertical) if it reads that at its own index only; what a filter or flatMap makes
// is read where it is emitted. A plan says which loops of a region become one. The whole graph is then
// rebuilt at once, each body once, until nothing is left to fuse: loops in the bodies of loops that became
// one come next.
//
// A bucket does what a loop over its groups does with each of them (bucket.go). What is read at a
// shifted or reversed index is made where it is read (elements.go). Much work that runs in vectors
// stays out of loops that run in none (vectors.go). Which of it pays, the target's costs say.
package fuse
