package funcs

import "github.com/irc-lang/irc/ir"

// symbolUses checks that a function value names a function of its type. (Calls are
// checked by the attribute "callee", whatever their dialect.)
var symbolUses = ir.SymbolUses{Constant: func(n ir.Node, find func(string) (ir.Node, bool)) error {
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
