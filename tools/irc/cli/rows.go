package cli

import (
	"github.com/irc-lang/irc/ir/target"
)

// The kinds of input of this repository that need no room of their own. The rows of
// a Program are explicit lists: nothing registers itself.
var (
	TextIR = &Input{Name: "ir", What: "text IR", Extensions: []string{".mlir", ".ir"}, Text: true, Read: ReadText,
		Flags: append([]string{"verbatim"}, ProgramFlags...)}
	Equations = &Input{Name: "eq", What: "a system of equations", Extensions: []string{".eq"}, Comment: "#", Sniff: startsProgram, Read: readEquations, Bind: bindEquations, Arguments: equationArguments,
		Flags: append([]string{"data", "D"}, ProgramFlags...)}
)

// Inputs lists them.
var Inputs = []*Input{TextIR, Equations}

// Targets lists the machines of this repository that have a name.
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

// thisMachine are words of -mcpu for the processor that irc runs on.
var thisMachine = []string{"host", "native"}
