// Package irtest makes random programs for tests: text in MLIR's generic form,
// so that the same program can be built verbatim (as written, the oracle), built
// normally, put through passes, compiled, and read by mlir-opt.
//
// Programs end: loops have few iterations, calls go to earlier functions, and
// recursion counts down. They stay clear of what engines may answer differently:
// the sign and payload of NaN, and math functions whose last bits are free. Traps
// (division by zero, indices out of bounds) and poison appear only where Config
// asks for them.
//
// A choice at random seldom brings together what is hard for a compiler, so some
// statements are patterns: a place that is read, written by another name, and
// seen again behind a branch or a loop.
//
// # Generators
//
// New is the generator for ops on numbers, memory, branches, loops and calls: Config has a switch for each kind of
// program, and a test of such programs adds a switch rather than a generator. Vectors makes programs of vectors.
// These stand apart, since what they make is of another kind; those that write MLIR embed Writer:
//
//   - tests/built: nests of loops as passes over loops meet them (Nest, Loops, Lanes), whose bounds and subscripts
//     are known to stay in memory; and equations (Equations, Rows, Writer), whose text is another language;
//   - dialects/affine: maps and sets with all their operators, whose meaning MLIR's lowering shows too;
//   - ir/affine: numbers of which each is printed, for ranges and linear forms to be held against;
//   - lowering: values of types that have parts;
//   - passes/binding: functions of static and dynamic arguments; passes/loops: sums of loops in loops;
//   - passes/grid, passes/placement: loops that become kernels, and what moves between them;
//   - passes/roofline, passes/dependence, dialects/poly: nests as trees, which the test counts or runs itself;
//   - tests/cores: parallel loops without races, and loops over collections whose results are hashed;
//   - tests/fusion, tests/tensors: programs whose values the test computes itself, with a bound for each;
//   - tests/mlir: tensors and structured ops within what MLIR 19 lowers;
//   - tests/random: memory with owners, and accesses near the ends of memory;
//   - ir, ir/cfg, ir/stage: graphs of dialects of their own, since ir imports none;
//   - dialects/bugs/bugstest, tests/models/randmodel: BUGS; tools/stage: staged Go; dialects/poly/presburger: sets.
//
// Ops of other dialects come in as Statements, which say how they are written and of what types their operands are:
// package tools/irctest makes them of a dialect, for authors outside of this repository. It is the public front. This
// package is of this repository alone, and may change with any commit: only tests and that package import it.
package irtest
