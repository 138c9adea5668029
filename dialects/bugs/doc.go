// Package bugs gives BUGS programs a meaning: it binds them to data, puts their
// statements in order, and makes graphs of them that keep their loops.
//
// The way of a model, and the room of each step; a room imports those above it in this
// list:
//
//	syntax    the program as it is written
//	input     data and points, as files hold them
//	function  what functions and operators mean, in Go and as ops
//	ops       the ops of the dialect
//	model     a program with its data: variables, statements, edges, order
//	eval      expressions at compile time, and the reference evaluation
//	roles     what each node is for
//	bind      names, sizes, iterations, what follows from data
//	order     dependences, a sequential order with loops
//	space     the unconstrained scale
//	emit      the graph: one bugs.model, whose ops are the statements
//	stage     the steps to it one at a time
//	run       the ops in the interpreter
//	lower     func.func @logdensity over scf, arith, math and special
//
// There are two evaluations. eval.Visit walks the program in Go; it is the reference,
// simulates, fills initial values, and finds the words for what is wrong with a
// node. The lowered function is for speed and says NaN where it cannot go on. The
// ops of the dialect also run in ir/interp by themselves, given a run.Session. All
// three take their laws from package prob; nothing here is keyed by the name of a law.
//
// A node of a law of arrays is one factor, whatever part of it is observed.
package bugs
