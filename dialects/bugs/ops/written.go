package ops

import (
	"github.com/irc-lang/irc/ir"
)

// Attributes of statements on their way to sequential code.
const (
	StmtAttr      = "stmt"      // its number in the text, from 1
	NeedsAttr     = "needs"     // the numbers of the statements that it depends on
	DistancesAttr = "distances" // of each of these dependences: the variable, the classes and the sign vectors
	TextAttr      = "text"      // the statement
)

// Written is a statement without an op of its own.
var Written = ir.Define(&ir.OpDef{Name: "bugs.written",
	Doc: "A statement of a program as it is written that does nothing at run time: data alone give what it defines (`why` is data), " +
		"it has no iterations (never), or it is a quantity outside of the density that has no op (quantity).",
	Attrs: []string{"name", "text", "why"}, Infer: inferWritten, Effects: func(c *ir.Call) []ir.Effect {
		return []ir.Effect{{Kind: ir.Write, On: c.Builder().Named("bugs.density", ir.World)}}
	}})

func inferWritten(c *ir.Call) (ir.Type, error) {
	for _, n := range []string{"name", "text", "why"} {
		if a := c.Get(n); a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrString {
			return 0, c.Errorf("requires the string attribute '%s'", n)
		}
	}
	if len(c.Args) > 0 {
		return 0, c.Errorf("wants no operands")
	}
	return ir.Void, nil
}
