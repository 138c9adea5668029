// Package codegen makes a syntax tree of loops from a schedule: code that executes each
// instance of the statements once, in the order of the schedule.
//
//	block, err := codegen.Generate(tree, context, codegen.Options{})
//	text := block.String()
//
// Dimensions of time are scanned one after another (Quilleré, Rajopadhye and Wilde,
// "Generation of efficient nested loops from polyhedra", 2000; Bastoul, "Code generation
// in the polyhedral model is easier than you think", 2004; Grosser, Verdoolaege and Cohen,
// "Polyhedral AST generation is more than scanning polyhedra", 2015). The values of a
// dimension, for given ones of those before it, are a projection: that of the rationals
// where the integers have holes that no floor tells, so that loops may go where there is
// nothing to execute. Statements of which one is over before the other starts are taken
// apart, strongly connected components of their order. What is left is a union that
// becomes disjoint conjunctions; where they can be brought into an order each becomes a
// loop, and those that cannot one loop around all. The options of a band say otherwise:
// separate makes pieces in which the same statements are executed, atomic one loop, unroll
// a copy for each value: from a lower bound on, in steps of the stride from the first
// value of the class that is not below it. A band that is isolated as a whole, by conditions
// on the members around it, has two codes, one where they hold and one where they do not.
//
// A loop has the bounds and the residue class that its piece has, as far as the code
// around it does not establish them; what its piece says of outer dimensions is tested
// before it. A loop of one value is none: its value stands for the iterator. At a leaf
// what is left of a statement's conditions is tested, and its coordinates are functions of
// the dimensions; where they are none, the coordinates are scanned too.
package codegen
