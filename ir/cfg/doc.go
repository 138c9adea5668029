// Package cfg gives control-flow graphs a structured form: branches become ifs that join, cycles become loops with one
// test, and no jump is left.
//
// Invariants:
//
//   - The tree does what the graph does: the same blocks run in the same order, with the same values of the variables.
//   - A block that can be reached occurs once in the tree, or several times if it says what a copy costs: that makes loops
//     reducible that are entered at several blocks, where it costs little; else guards do.
//   - A guard variable is made only where control meets that goes on to different places; it holds where to.
//   - Variables are slots: a block may read and write them, in SSA form or not. An edge assigns in parallel.
//   - An If yields, and a Loop carries, exactly the variables that it writes and that are read later on (before they
//     are written again); the rest is what it was outside.
//
// How a client emits a [Tree]: it keeps one table from variables to values, walks the nodes in order, and
//
//   - at a [Run], emits the ops of the block (not its branch) and enters what they write;
//   - at an [Assign] or a [Set], enters the values (parallel moves: all read before the first is written);
//   - at an [If], emits each arm with a copy of the table and yields Yields from the copy (poison for those that the
//     arm says are undefined); then enters the results under Yields;
//   - at a [Loop], enters the arguments of the before region under Carries, emits Before, ends it by the test, which passes
//     on Passes; enters the arguments of the after region under Passes, emits After, yields Carries. Then enters the
//     results of the loop under Passes. Carries get their initial values from the table before the loop (poison for those
//     in Undefined).
//
// Loops with one entry and one exit by means of guards are those of Bahmann et al., "Perfect
// Reconstructability of Control Flow from Demand Dependence Graphs" (2015). What follows a branch, in the
// order of the dominator tree, is of Ramsey, "Beyond Relooper" (2022).
package cfg
