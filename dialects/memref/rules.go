package memref

import "github.com/irc-lang/irc/ir"

// FoldGlobals returns the rules that replace loads of constant globals at
// constant indices by what stands there. A fold could not: a function's graph
// does not see the module's.
func FoldGlobals(s *ir.Schedule) ir.Rules {
	globals := map[string]ir.Node{}
	collectGlobals(s.Graph(), globals)
	return ir.Rules{Load: func(m *ir.Mirror, n ir.Node) ir.Value {
		if n.Arg(0).Def() != GetGlobal {
			return 0
		}
		c := m.B.Ctx()
		global, ok := globals[c.AttrInfo(n.Arg(0).Attr("name")).Str]
		if !ok || global.Graph() == nil {
			return 0
		}
		shape, at := c.Info(n.Arg(0).Type()).Shape, int64(0)
		for i, extent := range shape {
			x, ok := n.Arg(i + 1).Const()
			if !ok || x.Ref != nil || x.Bits >= uint64(extent) {
				return 0
			}
			at = at*extent + int64(x.Bits)
		}
		elem := n.Type()
		if !c.IsInt(elem) && !c.IsFloat(elem) || c.Info(elem).Width > 64 {
			return 0
		}
		init, err := c.Elements(global.Attr("initial_value"))
		if err != nil {
			return 0
		}
		return m.B.Const(elem, ir.IntVal(int64(c.Elem(init, at)), c.Info(elem).Width))
	}}
}

// collectGlobals finds the constant globals with dense values; a name that is
// there twice, in nested modules, stands for none.
func collectGlobals(g *ir.Graph, out map[string]ir.Node) {
	for n := range g.All() {
		if n.Def() != Global {
			continue
		}
		name := g.Ctx.AttrInfo(n.Attr("sym_name")).Str
		if _, twice := out[name]; twice || n.Attr("constant") == 0 || n.Attr("initial_value") == 0 {
			n = ir.Node{}
		}
		out[name] = n
	}
}
