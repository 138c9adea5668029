package funcs

import (
	"errors"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// The ops of the dialect.
var (
	Func = ir.Define(&ir.OpDef{Name: "func.func", Doc: "A function, or the declaration of one.",
		Attrs:  []string{"sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"},
		Traits: ir.Symbol | ir.Isolated | ir.Carries, Infer: func(c *ir.Call) (ir.Type, error) { return InferFunction(c, Return) },
		Begin: func(b *ir.Builder, attr ir.Attr) { Prepare(b, attr) }})
	Return = ir.Define(&ir.OpDef{Name: "func.return", Doc: "Ends a function and gives its results.",
		Args: []string{"operands..."}, Traits: ir.Terminator | ir.ReturnLike | ir.Carries, Infer: inferReturn})
	Call = ir.Define(&ir.OpDef{Name: "func.call", Doc: "Calls a function by its symbol. The attribute irc.effects says what the callee does at most: \"pure\", \"partial\" (pure, but it may trap or not return) or \"reads\"; without it, anything.",
		Args: []string{"operands..."}, Attrs: []string{"callee"}, Infer: inferCall, Traits: ir.Partial | ir.Carries,
		Traps: func(c *ir.Call) bool { w := calleeDoes(c); return w != "" && w != ir.CallPure }, Effects: callEffects, Poisons: ir.Always})
	CallIndirect = ir.Define(&ir.OpDef{Name: "func.call_indirect", Doc: "Calls a function value.",
		Args: []string{"callee", "callee_operands..."}, Traits: ir.Carries, Infer: inferIndirect, Effects: unknown, Poisons: ir.Always})
	Constant = ir.Define(&ir.OpDef{Name: "func.constant", Doc: "A function as a value.",
		Attrs: []string{"value"}, Traits: ir.Carries, Infer: inferConstant})
)

// unknown: the callee may do anything.
func unknown(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.World}} }

// calleeDoes is the attribute ir.CallEffects of a call, or "".
func calleeDoes(c *ir.Call) string {
	a := c.Get(ir.CallEffects)
	if a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrString {
		return ""
	}
	return c.Ctx().AttrInfo(a).Str
}

// callEffects: what the callee does, if that is known.
func callEffects(c *ir.Call) []ir.Effect {
	switch calleeDoes(c) {
	case ir.CallPure, ir.CallPartial:
		return nil
	case ir.CallReads:
		return []ir.Effect{{Kind: ir.Read, On: ir.World}}
	}
	return unknown(c)
}

// TypeOf returns the function type of a func.func.
func TypeOf(c *ir.Context, op ir.Attr) *ir.TypeInfo {
	return c.Info(c.AttrInfo(c.Get(op, "function_type")).Type)
}

// NameOf returns the symbol of a func.func.
func NameOf(g *ir.Graph, v ir.Value) string {
	if a := g.Attr(v, "sym_name"); a != 0 {
		return g.Ctx.AttrInfo(a).Str
	}
	return ""
}

// InferFunction checks an op with the attributes of a func.func, whose body ends
// with ret. It is for the Infer of a dialect's own kind of function. The error, an *ir.OpError, says which attribute, parameter or result is wrong.
func InferFunction(c *ir.Call, ret *ir.OpDef) (ir.Type, error) {
	ctx := c.Ctx()
	name, ft := c.Get("sym_name"), c.Get("function_type")
	switch {
	case len(c.Args) != 0:
		return 0, c.Errorf("requires zero operands")
	case name == 0:
		return 0, c.Errorf("requires attribute 'sym_name'")
	case ctx.AttrInfo(name).Kind != ir.AttrString:
		return 0, c.Errorf("attribute 'sym_name' failed to satisfy constraint: string attribute")
	case ft == 0:
		return 0, c.Errorf("requires attribute 'function_type'")
	case ctx.AttrInfo(ft).Kind != ir.AttrType || ctx.Info(ctx.AttrInfo(ft).Type).Kind != ir.KindFunction:
		return 0, c.Errorf("attribute 'function_type' failed to satisfy constraint: type attribute of function type")
	case len(c.Graphs) != 1:
		return 0, c.Errorf("requires one region")
	}
	t := TypeOf(ctx, c.Attr)
	if err := checkArgAttrs(c, "arg_attrs", "argument", t.NumIn); err != nil {
		return 0, err
	}
	if err := checkArgAttrs(c, "res_attrs", "result", len(t.Types)-t.NumIn); err != nil {
		return 0, err
	}
	visibility := "public"
	if a := c.Get("sym_visibility"); a != 0 {
		visibility = ctx.AttrInfo(a).Str
		if visibility != "public" && visibility != "private" && visibility != "nested" {
			return 0, c.Errorf(`visibility expected to be one of ["public", "private", "nested"], but got "%s"`, visibility)
		}
	}
	if !c.Graphs[0].HasBlock(ir.Root) {
		if visibility == "public" {
			return 0, c.Errorf("symbol declaration cannot have public visibility; write `private`")
		}
		return ir.Void, nil
	}
	return ir.Void, checkBody(c, c.Graphs[0], t, ctx.AttrInfo(name).Str, ret)
}

// checkArgAttrs checks arg_attrs or res_attrs: one dictionary for each.
func checkArgAttrs(c *ir.Call, prop, what string, n int) error {
	a := c.Get(prop)
	if a == 0 {
		return nil
	}
	info := c.Ctx().AttrInfo(a)
	if info.Kind != ir.AttrArray {
		return c.Errorf("attribute '%s' failed to satisfy constraint: Array of dictionary attributes", prop)
	}
	if len(info.List) != n {
		return c.Errorf("expects %s attribute array to have the same number of elements as the number of function %ss, got %d, but expected %d", what, what, len(info.List), n)
	}
	for _, d := range info.List {
		dict := c.Ctx().AttrInfo(d)
		if dict.Kind != ir.AttrDict {
			return c.Errorf("attribute '%s' failed to satisfy constraint: Array of dictionary attributes", prop)
		}
		for _, e := range dict.Dict {
			if !dialectName(e.Name) {
				return c.Errorf("%ss may only have dialect attributes", what)
			}
		}
	}
	return nil
}

func dialectName(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] == '.' {
			return true
		}
	}
	return false
}

func checkBody(c *ir.Call, g *ir.Graph, t *ir.TypeInfo, name string, ret *ir.OpDef) error {
	ctx := c.Ctx()
	params := g.Params(ir.Root)
	if len(params) != t.NumIn {
		return c.Errorf("entry block must have %d arguments to match function signature", t.NumIn)
	}
	for i, p := range params {
		if g.Type(p) != t.Types[i] {
			return c.Errorf("type of entry block argument #%d(%s) must match the type of the corresponding argument in function signature(%s)",
				i, elementwise.Quote(ctx, g.Type(p)), elementwise.Quote(ctx, t.Types[i]))
		}
	}
	term := g.Term(ir.Root)
	last := lastOp(g)
	if term == 0 && last != 0 && !g.Def(last).Registered() {
		return nil // it may be a terminator for all that is known
	}
	if term == 0 {
		return at(g, last, c.Errorf("@%s does not end in a terminator such as %s", name, ret.Name))
	}
	if g.Def(term) != ret {
		return nil // someone else's terminator
	}
	out, vals := t.Types[t.NumIn:], g.Args(term)
	if len(vals) != len(out) {
		return at(g, term, c.Errorf("%s has %d operands, but enclosing function (@%s) returns %d", ret.Name, len(vals), name, len(out)))
	}
	for i, v := range vals {
		if g.Type(v) != out[i] {
			return at(g, term, c.Errorf("type of return operand %d (%s) doesn't match function result type (%s) in function @%s",
				i, elementwise.Quote(ctx, g.Type(v)), elementwise.Quote(ctx, out[i]), name))
		}
	}
	return nil
}

// lastOp returns the last op of a body, or 0.
func lastOp(g *ir.Graph) ir.Value {
	for v := ir.Value(g.Len() - 1); v > 0; v-- { // dead ones too
		if g.IsOp(v) && g.Home(v) == ir.Root {
			return v
		}
	}
	return 0
}

// at gives an error the place of an op of the body.
func at(g *ir.Graph, v ir.Value, err error) error {
	var oe *ir.OpError
	if v != 0 && errors.As(err, &oe) {
		if locs := g.LocsOf(v); len(locs) > 0 {
			oe.Loc = locs[0]
		}
	}
	return err
}

func inferReturn(c *ir.Call) (ir.Type, error) {
	if c.Builder().Depth() != 0 {
		return 0, c.Errorf("expects parent op 'func.func'")
	}
	return ir.Void, nil
}

// symbol checks a property that is a flat symbol reference.
func symbol(c *ir.Call, prop string) error {
	a := c.Get(prop)
	if a == 0 {
		return c.Errorf("requires attribute '%s'", prop)
	}
	if info := c.Ctx().AttrInfo(a); info.Kind != ir.AttrSymbol || len(info.List) != 0 {
		return c.Errorf("attribute '%s' failed to satisfy constraint: flat symbol reference attribute", prop)
	}
	return nil
}

func inferCall(c *ir.Call) (ir.Type, error) {
	if c.Type == ir.NoType {
		return 0, c.Errorf("needs its result types")
	}
	if a := c.Get(ir.CallEffects); a != 0 {
		switch calleeDoes(c) {
		case ir.CallPure, ir.CallPartial, ir.CallReads:
		default:
			return 0, c.Errorf("attribute 'irc.effects' is one of \"pure\", \"partial\" and \"reads\"")
		}
	}
	return c.Type, symbol(c, "callee")
}

func inferIndirect(c *ir.Call) (ir.Type, error) {
	ctx := c.Ctx()
	if len(c.Args) == 0 {
		return 0, c.Errorf("expected 1 or more operands, but found 0")
	}
	t := ctx.Info(c.ArgType(0))
	if t.Kind != ir.KindFunction {
		return 0, c.Errorf("operand #0 must be function type, but got %s", elementwise.Quote(ctx, c.ArgType(0)))
	}
	same := len(c.Args)-1 == t.NumIn
	for i := 1; same && i < len(c.Args); i++ {
		same = c.ArgType(i) == t.Types[i-1]
	}
	if !same {
		return 0, c.Errorf("failed to verify that callee input types match argument types")
	}
	out := ctx.Multi(t.Types[t.NumIn:]...)
	if c.Type != ir.NoType && c.Type != out {
		return 0, c.Errorf("failed to verify that callee result types match result types")
	}
	return out, nil
}

func inferConstant(c *ir.Call) (ir.Type, error) {
	if err := symbol(c, "value"); err != nil {
		return 0, err
	}
	if c.Type == ir.NoType || c.Ctx().Info(c.Type).Kind != ir.KindFunction {
		return 0, c.Errorf("reference to function with mismatched type")
	}
	return c.Type, nil
}

// Dialect is the func dialect.
var Dialect = &ir.Dialect{Name: "func", Clean: true, Doc: "Functions and calls.",
	Ops:    []*ir.OpDef{Func, Return, Call, CallIndirect, Constant},
	Tables: []any{syntax, table, symbolUses, calls, ir.AttrParts{Func: Parts}},
}
