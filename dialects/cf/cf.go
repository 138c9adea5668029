package cf

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/cf/reason"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

// Assert is cf.assert. It writes to IO, so that what was printed before it is seen
// if it fails, and nothing that is printed after it; what may trap after it in its
// region does so, for no op that may trap moves up.
var Assert = ir.Define(&ir.OpDef{Name: "cf.assert", Doc: "Ends the program with a message if the condition is false.",
	Args: []string{"arg"}, Attrs: []string{"msg"}, Traits: ir.Partial | ir.NoCapture, Infer: infer,
	Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.IO}} }})

func infer(c *ir.Call) (ir.Type, error) {
	switch {
	case len(c.Args) != 1:
		return 0, c.Errorf("requires a single operand")
	case c.ArgType(0) != ir.I1:
		return 0, c.Errorf("operand #0 must be 1-bit signless integer, but got %s", elementwise.Quote(c.Ctx(), c.ArgType(0)))
	case c.Get("msg") == 0:
		return 0, c.Errorf("requires attribute 'msg'")
	case c.Ctx().AttrInfo(c.Get("msg")).Kind != ir.AttrString:
		return 0, c.Errorf("attribute 'msg' failed to satisfy constraint: string attribute")
	}
	return ir.Void, nil
}

var folds = []ir.Fold{{Of: Assert, Rule: "assert: what is true is not asserted", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
	if x, ok := c.Const(0); ok && x.Ref == nil && x.Bool() {
		return b.Pack()
	}
	return 0
}}}

var syntax = text.Syntax{
	Assert: {Format: "$arg `,` $msg attr-dict"},
	Br:     {Parse: parseBr},
	CondBr: {Parse: parseCondBr},
	Switch: {Parse: parseSwitch},
}

var table = interp.Table{Assert: func(_ *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	holds, err := interp.Bool(args[0])
	if err == nil && !holds {
		err = ir.Trapf("%s", reason.Of(o.G.Ctx, o.Call.Attr))
	}
	return err
}}

// Dialect is the cf dialect.
var Dialect = &ir.Dialect{Name: "cf", Clean: true, Doc: "Assertions, and branches between blocks, which become ifs and loops when a text is read.",
	Ops: []*ir.OpDef{Assert, Br, CondBr, Switch}, Folds: folds, Tables: []any{syntax, branches, table, derive.Without{Assert: derive.Effect}}}
