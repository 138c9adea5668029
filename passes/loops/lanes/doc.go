// Package lanes does several iterations of a loop at once, each in a lane of vectors. It says of a loop what keeps
// that from being written (Read), and writes it (Loop.Fill); whether the order of its accesses allows for it is
// asked by package loops.
//
// Every value of the body is one of three things (varies.go). So it is in the vectorisers of outer loops
// (Nuzman and Zaks, "Outer-loop vectorization", 2008) and of programs for GPUs (Karrenberg and Hack,
// "Whole-function vectorization", 2011). One that is the same in all lanes stays a scalar. One that grows by
// a constant from lane to lane, as the index of the loop does, is the scalar of the first lane; it becomes a
// vector where one is needed. All others are vectors.
//
// All lanes do op by op what the body says. Where a condition differs between them both sides are done, each with a
// mask (control.go): what a mask leaves out accesses no memory, divides by nothing and is in no result. A while loop runs as
// long as a lane does. A loop whose bounds are the same in all lanes stays a loop.
//
// An access is a load or a store of a vector where lanes follow one another, backward too. It is a gather or
// a scatter where they do not, or where an index is read from memory (access.go).
package lanes
