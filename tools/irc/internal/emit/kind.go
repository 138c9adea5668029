// Package emit writes programs in the forms that -emit names. A form is a row, a Kind; it
// knows no command line. Text IR stands here, pictures and code in the packages picture and code.
package emit

import (
	"context"
	"fmt"
	"io"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tools/irc/internal/plate"
)

// A Kind is a form in which programs are written.
type Kind struct {
	Name string // what -emit calls it
	Doc  string // what it is
	// Write writes a program; of one that fails nothing is shown.
	Write func(w io.Writer, o *Output) error

	Text       bool                      // text IR: parts of a file, its generic form
	Compiles   bool                      // code for Output.Target, for which the program is lowered
	Raw        bool                      // of Compiles: as LLVM is given it, unless the pipeline says how LLVM optimises
	Structured func() *target.Target     // of Compiles: of loops and memory, for another compiler, which is a target
	Kernels    bool                      // of Compiles: of a GPU alone
	HostOnly   string                    // of Compiles: what to do instead for a GPU
	Library    bool                      // of Compiles: of a model on the unconstrained scale, the functions that samplers ask for
	Shared     bool                      // of Library: what others load, and of a model nothing else
	Binary     bool                      // nothing to read on a terminal
	Draw       func(*plate.Model) string // of a picture: draws models, and dependences
	Pages      bool                      // of a picture: SVG pages, which others draw too
	Examples   []string                  // command lines that help shows
}

// An Output is what is written, and how.
type Output struct {
	Context context.Context
	Graph   *ir.Graph
	Source  *diag.Source
	Name    string // of the input
	Print   text.PrintOptions

	Target    *target.Target
	Level     contract.Level // of LLVM's optimisation
	Unchecked bool
	Held      *contract.Process            // what LLVM compiles in; nil: in this process
	Package   string                       // of Go, "" for one that is named after the input
	Omitted   func(name string, err error) // hears of functions without code

	// Model is the picture of a model on which no pass ran, or nil; Statements draws what
	// passes on models found in a graph, "" if there is nothing.
	Model      *plate.Model
	Statements func(*ir.Graph) (string, error)
	// OfModel says that the program is of a model, whose objects never abort.
	OfModel bool

	// Extend, of a model's library, gives LLVM IR to add to that of a lowered program, and declares in C what that adds; or
	// it is nil.
	Extend func(lowered *ir.Graph, text string) (more, header string, err error)

	// Beside, if it is written to a file, makes a second one with an extension, whose
	// text may name it, unless that is empty.
	Beside func(ext string, text func(name string) string) error
}

// A UsageError is a mistake on the command line, with what to do about it.
type UsageError struct{ Msg, Fix string }

func (e *UsageError) Error() string { return e.Msg }

// Usagef makes one.
func Usagef(fix, format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...), fix}
}

// Find finds the kind of a name, or nil.
func Find(list []*Kind, name string) *Kind {
	return First(list, func(k *Kind) bool { return k.Name == name })
}

// First is the first kind of which something holds, or nil.
func First(list []*Kind, holds func(*Kind) bool) *Kind {
	for _, k := range list {
		if holds(k) {
			return k
		}
	}
	return nil
}
