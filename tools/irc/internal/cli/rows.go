package cli

import (
	"github.com/irc-lang/irc/ir/target"
)

// TextIR is the kind of input that every irc reads. The rows of a Program are explicit lists: nothing registers itself.
var TextIR = &Input{Name: "ir", What: "text IR", Extensions: []string{".mlir", ".ir"}, Text: true, Read: ReadText,
	Flags: append([]string{"verbatim"}, ProgramFlags...)}

// Targets lists the machines that have a name.
var Targets = []*Target{
	{Name: "host", Get: target.Host},
	{Name: "nvptx64", Doc: "kernels", Kernels: true, Get: machine("nvptx64")},
	{Name: "interpreter", Get: target.Interp},
}

func machine(name string) func() *target.Target {
	return func() *target.Target {
		t, err := target.Named(name, "")
		if err != nil {
			panic(err)
		}
		return t
	}
}
