// Package prove decides whether one function may stand for another.
//
// A function @tgt refines @src if on all arguments, poison included, it does what @src does: where @src has undefined
// behaviour it may do anything; where a result of @src is poison that result may be anything; else it is the same, and
// defined (Lopes and others, "Alive2", PLDI 2021). What is proven of functions of 8 bits is proven of 8 bits alone.
//
// Refines translates both functions into one circuit of the bits that are not known, and asks for arguments on which they
// differ. A value is its bits and one more, that it is poison; a trap is a bit of the whole function, true on some path.
// Branches are translated both ways and merged, so there is no path to enumerate. Up to 24 bits of arguments are tried,
// 64 at once (package circuit, Enumerate); beyond, a SAT solver searches.
//
// A freeze of poison chooses a number. A choice of @tgt is one more argument. A choice of @src is quantified the other way
// round: @tgt is wrong where no choice of @src does what it does. That is a question of two quantifiers, which is
// answered by trying choices, and by adding those that answer to the question.
//
// Rewrite asks the same of a rule (package rule) at each width. Its constants are arguments that are never poison, and its
// condition is where the question is asked.
//
// What an op means to the circuit is a row of a Table: package prove has those of arith, func, scf and ub on integers and
// vectors of them, a dialect from outside adds its own (Dialect.Tables). A test holds each row against the interpreter on
// all arguments of 3 and 4 bits. Loops, memory and floats have no rows: a program with them is refused by name, never
// taken for proven.
//
// A test of this package proves all folds of the dialects on integers: it builds what a fold may look for, and compares
// with the graph that the fold returns.
package prove
