package emit

import (
	"io"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// Text are the forms of text IR.
var Text = []*Kind{
	{Name: "ir", Doc: "text IR", Text: true, Write: func(w io.Writer, o *Output) error { return printText(w, o, o.Print.Generic) }},
	{Name: "generic", Doc: "text IR in MLIR's generic form", Text: true, Write: func(w io.Writer, o *Output) error { return printText(w, o, true) },
		Examples: []string{"irc sum.mlir -emit=generic"}},
}

func printText(w io.Writer, o *Output, generic bool) error {
	p := o.Print
	p.Generic = generic
	return text.Print(w, ir.Settle(o.Graph), p)
}
