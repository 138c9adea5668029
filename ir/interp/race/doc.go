// Package race finds races of parallel loops: two iterations that access one element of memory, of which one
// writes. The interpreter runs iterations one after the other, so what a program gives says nothing of
// races; a Checker sees all accesses of a run and stops it at the first that another iteration forbids.
//
// What is checked is a run, with its input, and there exactly: each byte has, for each parallel loop that is
// under way, the iteration that wrote it last and two of those that read it. (So the detectors for fork-join
// programs of Feng and Leiserson 1997 have one writer and one reader; here iterations of a loop are known to
// be parallel, and two readers tell whether one of them is another iteration than a writer). A loop in an
// iteration of another runs before or after the rest of that iteration. So for the outer loop its accesses
// are the iteration's own. For the inner loop, accesses outside of it are none.
//
// Atomic updates do not race with each other, but with plain accesses. Memory that an iteration allocates is its own.
package race
