// Package saturate is equality saturation: it keeps all forms of an expression that rules find, and takes the cheapest.
//
// What makes it sound where values may be poison:
//
//  1. A class is one value of the program, poison included; two classes are united only where a rule holds with an equal
//     sign: the left side is never poison, or both sides are poison just where one of the same operands is.
//  2. Any other rule drops an operand, a promise not to wrap or the rounding of floats: it adds an arrow from the class of
//     the left side to that of the right one, which may stand for the left one and never the other way.
//  3. A pattern is matched along arrows, since ops of operands that are less poison are less poison; what is found so is
//     an arrow from the class at which the match began.
//  4. A class is built of one of its terms, or of one of a class that arrows lead to, for all its users at once.
//  5. Memory, regions, and ops that may trap, have effects or choose a number (ub.freeze) are leaves, and no rule makes
//     an op that may trap.
//
// A term is taken only if its leaves stand before the value that it replaces. An iteration finds all matches before it
// applies one, in the order of rules and classes, so that the result depends on nothing else.
//
// The design is that of egg (Willsey and others, POPL 2021), with the congruence of its rebuilding. Cranelift's acyclic
// e-graphs (Fallin 2023) have the classes of a program's values in one place, as here, and no arrows.
package saturate
