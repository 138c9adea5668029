// Package placement gives memory of the host that kernels use a copy on the device, and moves between the two what has to.
//
// Each memory has two places, its own and one on the device, and two flags that say which of them hold what the program
// has written last. One at least does. An access on a side that does not hold it fetches it, whole, and then both do;
// a write leaves the side that wrote alone with it. So a copy is made only if the other side has written since, and
// this side needs what was written: this is the demand paging of unified memory, by arrays and known before it runs.
//
// Flags are memory of one element, which the pass mem2reg makes values of; where they are known, folds leave a plain
// copy or none. In a loop they are carried: what a loop does not touch on the host moves before its first launch alone.
//
// What counts as one access:
//
//   - a launch, of what its kernel reads and writes. What the kernel is seen to overwrite whole it does not need;
//   - a loop of the host without launches, and any other op but a branch. A loop that runs no round accesses nothing.
//
// What is claimed, of a run:
//
//   - Results are those of the program without the pass.
//   - No sequence of whole copies moves fewer bytes, in whatever loops and branches, given what accesses need: each copy is
//     needed by the access before which it stands, and serves all up to the other side's next write.
//   - An access needs what is there if it reads it, or writes a part. That it overwrites all is seen of memref.copy, and of stores in
//     counted loops and kernels up to extents that are known to be those of the memory: equal numbers, one value that both were allocated with, or
//     memref.dim. Then the second claim is exact. Where extents are equal and it is not seen, or a write stands in a branch that is not
//     taken, a copy may be one too many.
//   - In any case no more moves than if each launch moved its arguments in before it and out behind it: a copy to the device stands
//     before a launch that uses it, and one back has a launch before it that wrote.
//   - Whole memories move: a kernel that uses a part of one (memref.subview) moves all of it.
//
// Memory stays as it is, with a remark, in two cases: it may be another's; or it goes where accesses are not
// seen (a call that returns memory, a value that a loop carries).
package placement
