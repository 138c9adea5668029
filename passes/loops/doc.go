// Package loops has the passes that change loops and keep what they do in an iteration: their order, how they
// are cut into others, and which of them stand in one.
//
// All of them ask one question of one analysis (order.go): of each two accesses to one element, of which one
// writes, in what direction, loop by loop, the later iteration is from the earlier one (package
// dialects/poly/depend; passes/polyhedral/raise reads the accesses). A change of order is legal if it leaves
// each such pair in its order (Allen and Kennedy, "Optimizing compilers for modern architectures", 2001; Wolf
// and Lam, "A loop transformation theory and an algorithm to maximize parallelism", 1991). What stands in the
// way is said with both accesses, the array and two iterations. What is not affine counts as any element, and
// what is no access to memory, a call say, is never put in another order.
//
// A nest is some loops, each with nothing in it but the next and what may go into that (nest.go). The ops of an
// iteration are made again as they were, in new loops (build.go), so that the result is what the pass is named for.
//
// A trap may become another trap, or none where the program would have ended otherwise, and
// none is added: each iteration that ran runs, and no other.
package loops
