package cli

import (
	"io"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
)

// A Program is an irc, as lists of rows; its method Main runs a command line and returns the exit status. A nil list
// stands for the least: text IR, the interpreter.
type Program = cli.Program

// An Input is a language in which programs are written: how a file of it is known, and the function that makes a graph
// of its text. See docs/new-input.md.
type Input = cli.Input

// ReadOptions are what the command line says about reading; Input.Read is given them.
type ReadOptions = cli.ReadOptions

// A Target is a row of the machines that -target names.
type Target = cli.Target

// TextIR is the input that every irc has: the text form of graphs.
var TextIR = cli.TextIR

// Emit is a form of output for the list of a Program: -emit=name asks for it, and doc is what help calls it. write gets
// the program as the passes of the command line left it. Its error ends the command; of what fails nothing is written.
func Emit(name, doc string, write func(w io.Writer, program *ir.Graph) error) *emit.Kind {
	return &emit.Kind{Name: name, Doc: doc, Write: func(w io.Writer, o *emit.Output) error { return write(w, o.Graph) }}
}
