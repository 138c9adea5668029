package memref

import "github.com/irc-lang/irc/ir"

var tables = []any{syntax, table, symbolUses, allocations, views, accesses, forms}

// symbolUses checks that get_global names a global of the type that it gives.
var symbolUses = ir.SymbolUses{GetGlobal: func(n ir.Node, find func(string) (ir.Node, bool)) error {
	c := n.Graph().Ctx
	name := c.AttrInfo(n.Attr("name")).Str
	g, ok := find(name)
	switch {
	case !ok:
		return n.Errorf("'%s' does not reference a valid global memref", name)
	case g.Def() != Global:
		return n.Errorf("'%s' is a %s, not a global memref", name, g.Def().Name)
	case c.AttrInfo(g.Attr("type")).Type != n.Type():
		return n.Errorf("result type does not match type of the global memref @%s", name)
	}
	return nil
}}
