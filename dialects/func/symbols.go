package funcs

import "github.com/irc-lang/irc/ir"

// symbolUses checks that a function value names a function of its type. (What is an
// ir.CallLike is checked by whoever checks symbols.)
var symbolUses = ir.SymbolUses{Call: checkEffects, Constant: func(n ir.Node, find func(string) (ir.Node, bool)) error {
	c := n.Graph().Ctx
	name := c.AttrInfo(n.Attr("value")).Str
	f, ok := find(name)
	switch {
	case !ok:
		return n.Errorf("reference to undefined function '%s'", name)
	case f.Def() != Func:
		return n.Errorf("'%s' is a %s, not a function", name, f.Def().Name)
	case c.AttrInfo(f.Attr("function_type")).Type != n.Type():
		return n.Errorf("reference to function '%s' with mismatched type", name)
	}
	return nil
}}

// checkEffects: a call does not promise what the body of its callee breaks.
func checkEffects(n ir.Node, find func(string) (ir.Node, bool)) error {
	if n.Attr(ir.CallEffects) == 0 {
		return nil
	}
	c := n.Graph().Ctx
	name := c.AttrInfo(n.Attr("callee")).Str
	f, ok := find(name)
	if !ok || f.Def() != Func {
		return nil
	}
	if body := f.Children(); len(body) == 1 && !body[0].IsVerbatim() && body[0].WritesOutside() {
		return n.Errorf("irc.effects = %q, but @%s writes memory or prints", c.AttrInfo(n.Attr(ir.CallEffects)).Str, name)
	}
	return nil
}
