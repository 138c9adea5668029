// Package cli is the command line of irc; tools/irc/cli is the part of it that others build an irc of their own with.
//
// A Program is lists of rows: dialects, passes, kinds of input, forms of output,
// engines, targets, commands. Flags, help, completion and advice are made of them, and
// the package knows none by name, but for text IR and the interpreter, which every irc
// has: what no list has is no part of the binary. Package product has the lists of this
// repository, package commands what needs more than programs that run.
//
// What always holds:
//
//   - Standard output carries results only; diagnostics, dumps and progress go
//     to standard error.
//   - Exit status 0: done; 1: the input is wrong; 2: the command line is wrong;
//     3: a bug of ours, with a reproducer whose path is named; 128+n: ended by signal n.
//   - A file named with -o is complete or is not touched at all.
//
// Flags take one dash or two and stand anywhere. The flag library stops at the first argument that is no
// flag, so the arguments are put in order before (permute.go).
package cli
