// Package storage decides where the elements of an array are kept: elements that are not
// needed at the same time share a place.
//
// # Lifetimes
//
// Under a schedule an element is alive from its first access to its last. Two elements
// conflict if their lifetimes meet: if the first access of either is not after the last of
// the other. That is so where some access of each is not after some access of the other,
// so that no minimum and maximum over accesses has to be found (Conflicts). An instance
// reads before it writes: what it reads for the last time may give its place to what it
// writes first.
//
// To compare all accesses takes work that grows with the square of their number. The times
// of rounds of the outermost loops (Rounds) take far less: all that is executed in one place
// of a round is one access, from the first to the last. More elements conflict by these
// times, never fewer.
//
// # Mappings
//
// Choose folds each dimension by a modulus: element i is kept at i mod m. The dimensions
// are looked at one after the other; the modulus of each is one more than a distance: the greatest in it of
// two conflicting elements with the same indices in those before (Lefebvre and Feautrier, "Automatic storage
// management for parallel programs", Parallel Computing 24, 1998; the modular mappings of Darte, Schreiber
// and Villard, "Lattice-based memory allocation", IEEE Transactions on Computers 54, 2005, with canonical
// directions). The modulus 1 drops the dimension. A dimension without a constant bound on the distance keeps
// its indices. All orders of few dimensions are tried, and one that keeps the fewest is taken.
//
// Check proves a mapping, however it was found: it looks for conflicting elements with a
// common place.
package storage
