// Package lowering takes data-parallel loops down to loops over memory.
//
// Every array becomes the memory of its leaves; what a loop gives to a generator goes to an
// accumulator, which is begun before the loop, given the tuples of its rounds, and asked for
// its results behind it: a collector fills memory, a reducer combines, a scanner
// does both, a bucketer has a table of the groups. Below it stand the tables (package hash), the
// sorting (package order), and small programs on memory (package kit), which know nothing of
// loops.
//
// A rule (down) asks the graph that it lowers (source), builds arrays (arrays), and keeps what inner loops emit
// (streamFusion); none of these three knows of the others.
//
// For a target with several cores there are two of a loop that is worth it: one as above, for few rounds, and one over
// parts of the rounds, which the cores share (sharing).
package lowering
