// Package prove decides whether one function may stand for another.
//
// A function @tgt refines @src if on all arguments, poison included, it does what @src does: where @src has undefined
// behaviour it may do anything; where a result of @src is poison that result may be anything; else it is the same, and
// defined (Lopes and others, "Alive2", PLDI 2021). Refines translates both into a circuit of the bits that are not known
// and asks a SAT solver for arguments on which they differ. What it proves of functions of 8 bits it proves of 8 bits alone.
//
// What an op means to the circuit is a row of a Table: package prove has those of arith, func, scf and ub on integers and
// vectors of them, a dialect from outside adds its own (Dialect.Tables). A test holds each row against the interpreter on
// all arguments of 3 and 4 bits. Loops, memory and floats have no rows: a program with them is refused by name, never
// taken for proven.
package prove
