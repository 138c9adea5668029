package equations

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// An Interface is what a program takes and gives.
type Interface struct {
	Name    string
	Params  []string
	Context presburger.Set
	Arrays  []Argument // inputs and outputs, in the order of the function's arguments behind the parameters
}

// An Argument is an input or output.
type Argument struct {
	Name   string
	Output bool
	Type   ir.Type        // of an element
	Extent presburger.Set // its elements, from 0 on in each dimension
	Span   diag.Span
}

// InterfaceOf reads what a program takes and gives; the program is right.
func InterfaceOf(src *diag.Source) (Interface, diag.List) {
	var list diag.List
	prog := parse(src, &list)
	b := &builder{prog: prog, list: &list, arrays: map[string]*array{}, taken: map[string]bool{}}
	if list.Err() == nil {
		b.declare()
	}
	out := Interface{Name: prog.name.text, Context: b.context}
	for _, p := range prog.params {
		out.Params = append(out.Params, p.text)
	}
	for _, a := range b.order {
		if a.role != "local" {
			out.Arrays = append(out.Arrays, Argument{a.name, a.role == "output", a.typ.of(), a.extent, src.Span(a.at.start, a.at.end)})
		}
	}
	return out, list
}
