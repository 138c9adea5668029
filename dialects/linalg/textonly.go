package linalg

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/ir/text/textonly"
)

// What is read and printed, and does not run.
var textOnly, textSyntax = textonly.Define("linalg",
	textonly.Op{Name: "softmax", Doc: "exp(x) divided by the sum of such along a dimension.", Args: []string{"input", "output"}, Attrs: []string{"dimension"},
		Form: text.Form{Format: "attr-dict `dimension` `(` $dimension `)` " + insOuts("input") + " (`->` type($results)^)?",
			Attrs: map[string]text.AttrForm{"dimension": text.Number(ir.I64)}}},
	winograd("filter", "filter"), winograd("input", "input"), winograd("output", "value"),
)

func insOuts(in string) string {
	return "`ins` `(` $" + in + " `:` type($" + in + ") `)` `outs` `(` $output `:` type($output) `)`"
}

func winograd(what, in string) textonly.Op {
	number := text.Number(ir.I64)
	return textonly.Op{Name: "winograd_" + what + "_transform", Doc: "A part of a convolution by Winograd's algorithm.", Args: []string{in, "output"}, Attrs: []string{"m", "r"},
		Form: text.Form{Format: "attr-dict `m` `(` $m `)` `r` `(` $r `)` " + insOuts(in) + " `->` type($result)",
			Attrs: map[string]text.AttrForm{"m": number, "r": number}}}
}
