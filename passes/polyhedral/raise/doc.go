// Package raise makes programs over polyhedra (dialect poly) of affine loops.
//
// A nest is some loops that stand one after the other in a region. It is read once, in the
// order in which it is written (read.go), with indices, bounds and conditions as formulas over
// integers (affine.go): a floor, a minimum or a choice is an integer of its own with what defines
// it, so that every access stays a relation. Loops, branches and accesses are found by their
// interfaces, with the bounds and subscripts of dialect affine.
//
// Each store becomes a statement (build.go). Its body is made of the ops that its value needs,
// loads among them, which are thereby moved from where they stand to the statement; a load that a
// store may overwrite in between is kept in an array of one element. Values that loops carry and
// branches give live in such arrays, too, so that nothing but memory leads from one statement to
// another. What is written as it was there, with something added to it, is an update, if the order of
// additions is free. (Feautrier, "Dataflow analysis of array and scalar references", 1991; Grosser,
// Groesslinger and Lengauer, "Polly - performing polyhedral optimizations on a low-level intermediate
// representation", 2012, has scalars as arrays of one element, too.)
//
// That an access is outside of its memory is a set of parameters and sizes, by projection (bounds.go):
// the program ends there before the loops as it would in them.
package raise
