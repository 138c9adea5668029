package cli

// The kinds of input of this repository that need no room of their own. The rows of
// a Program are explicit lists: nothing registers itself.
var (
	TextIR = &Input{Name: "ir", What: "text IR", Extensions: []string{".mlir", ".ir"}, Text: true, Read: ReadText,
		Flags: append([]string{"verbatim"}, ProgramFlags...)}
	Equations = &Input{Name: "eq", What: "a system of equations", Extensions: []string{".eq"}, Absent: "equations (.eq) are not in this version of irc"}
)

// Inputs lists them.
var Inputs = []*Input{TextIR, Equations}
