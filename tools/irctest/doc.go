// Package irctest tests dialects and passes, also those of other modules. There are three things to do with it:
//
//   - Pass runs random programs before and after a pass, and compares what they do;
//   - Dialect runs random programs of a dialect's ops, and compares what its definitions say of them: text, Eval, traits,
//     effects, regions, loops and accesses as passes see them, poison, folds and lowering. Mutate then says which folds
//     could be wrong and nobody would notice;
//   - Files runs the commands that files have in comments, and compares what they print.
//
// A test is a line:
//
//	func TestMain(m *testing.M)     { os.Exit(irctest.Main(m)) }
//	func TestSquare(t *testing.T)   { irctest.Config{}.Pass(t, SquarePass) }
//	func TestDialect(t *testing.T)  { irctest.Config{}.Dialect(t, Dialect) }
//	func TestMutants(t *testing.T)  { irctest.Config{}.Mutate(t, Dialect) }
//	func TestFiles(t *testing.T)    { irctest.Config{}.Files(t, "testdata/*.mlir") }
//
// They are methods of a Config, which says what else there is: dialects and passes of one's own, Samples, how many
// programs, and by a Bias what they look like.
//
// # What is right
//
// A program means what the interpreter does with it as it is written, op by op, without folds. What is made of it must
// refine that: give the same results, memory and output, where they are not poison; no trap, no poison and no
// memory left behind that were not there. A program that traps means nothing, and is not compared. So a pass may
// remove poison and traps, and add none. NaNs are all one, and other floats are compared exactly unless
// Config.Tolerance says otherwise.
//
// # Programs
//
// A program is random text of a seed, the same on every machine and for any number of processors. Half of them are a
// few ops on the function's arguments, each called with 16 inputs; others have loops, branches, calls, memory that
// aliases, and control by what is poison but for a guard. Numbers are often 0, 1, -1 and the least and greatest.
//
// Ops come from three places. Those of a dialect without attributes or regions are found by asking Infer which operands
// they take. Those with them come from Samples, and from the Example of a pass: one by one, with the ops that feed
// them, and as whole functions, with other constants, flags and types. And a function of a sample is a program by
// itself. So give a sample of each op that did not run, as Dialect's log says, and of each form
// that a pass looks for.
//
// # What a failure says
//
// The first program that shows a fault is reduced by the engine of `irc reduce`. It is printed with the arguments of the
// call, with what was wanted and what came, and with the rules that fired. The last line is the command that runs it again.
// The flags are -irctest.seed, -irctest.programs, and -update for Files.
//
// What is not compared: how long a program takes, locations, ops that only other engines run, and functions that take
// tensors. LLVM is left out with a message where it is not installed, and where TestMain does not call Main.
package irctest
