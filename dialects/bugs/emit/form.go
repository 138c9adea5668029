package emit

import (
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir"
)

// A Form says how far a program is on its way to sequential code. The attribute
// `form` of a bugs.model holds it until its observations are lowered.
type Form string

// The forms.
const (
	FormSource        Form = "source"        // in the order of the text
	FormFissioned     Form = "fissioned"     // a nest of loops for each statement
	FormOrdered       Form = "ordered"       // the same, each after what it depends on
	FormFused         Form = "fused"         // statements that need each other run together
	FormReconstructed Form = "reconstructed" // neighbours share their loops
)

func (f Form) Text() string {
	switch f {
	case FormSource:
		return "in the order of its text"
	case FormFused:
		return "prob.Fused, and not reconstructed"
	}
	return string(f) + ", and not fused"
}

// FormOf is the form of the model in a graph; "" if it is sequential, or there is none.
func FormOf(g *ir.Graph) Form {
	if in, op := ops.FindModel(g); op != 0 {
		if a := in.Attr(op, "form"); a != 0 {
			return Form(g.Ctx.AttrInfo(a).Str)
		}
	}
	return ""
}
