// Package cli builds an irc of one's own. With it one
//
//   - adds dialects, passes, inputs or targets to the irc of this repository, which is product.All: append to its lists;
//   - lists what a small irc has, in a Program: what no list has is no part of the binary;
//   - runs a command line of it, in main or in a test: Program.Main.
//
// A main of all that is here, and a dialect more:
//
//	func main() {
//		product.ServeIfChild()
//		irc := product.All()
//		irc.Dialects = append(irc.Dialects, mine.Dialect)
//		os.Exit(irc.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
//	}
//
// Flags, help, completion and advice are made of the rows. Standard output carries results only; diagnostics, dumps and
// progress go to standard error. The exit status is 0: done; 1: the input is wrong; 2: the command line is wrong; 3: a
// bug of irc, with a reproducer whose path is named; 128+n: ended by signal n. A file named with -o is complete or is
// not touched at all.
package cli
