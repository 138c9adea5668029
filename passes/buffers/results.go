package buffers

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// resAttrs is the property of a function that says things of its results.
const resAttrs = "res_attrs"

// markResults says of the results of public functions that are new memory in every run that
// they are their caller's to free, marked allocations or not: rules that write it there.
func markResults(g *ir.Graph, rules ir.Rules) (marked int) {
	attrs := map[*ir.Graph]ir.Attr{}
	newScope(g, nil, true, func(f *function) {
		n := f.node
		_, out, ok := pass.Signature(n)
		if !ok || pass.IsPrivate(n) || !slices.Contains(n.Def().Attrs, resAttrs) || attrs[f.body] != 0 || !f.returnsNew(out) {
			return
		}
		f.analyze()
		if attr := withOwned(g.Ctx, n.Attrs(), f.gives); attr != n.Attrs() {
			attrs[f.body] = attr
			marked++
			rules[n.Def()] = func(m *ir.Mirror, n ir.Node) ir.Value {
				if cs := n.Graph().Children(n.Old()); len(cs) == 1 && attrs[cs[0]] != 0 {
					return m.CopyWith(n, attrs[cs[0]])
				}
				return 0
			}
		}
	})
	return marked
}

// returnsNew reports a function that may return memory that it has allocated.
func (f *function) returnsNew(out []ir.Type) bool {
	c := f.body.Ctx
	return f.body.HasBlock(ir.Root) && slices.ContainsFunc(out, func(t ir.Type) bool { return c.Info(t).Kind == ir.KindMemRef })
}

// withOwned marks the results that are new in the attributes of a function.
func withOwned(c *ir.Context, attrs ir.Attr, gives []*ir.OpDef) ir.Attr {
	var old []ir.Attr
	if a := c.Get(attrs, resAttrs); a != 0 {
		old = c.AttrInfo(a).List
	}
	list, some := make([]ir.Attr, len(gives)), false
	for i, free := range gives {
		var dict []ir.NamedAttr
		if i < len(old) {
			dict = slices.Clone(c.AttrInfo(old[i]).Dict)
		}
		if free != nil && !slices.ContainsFunc(dict, func(a ir.NamedAttr) bool { return a.Name == memref.OwnedAttr }) {
			dict, some = append(dict, ir.NamedAttr{Name: memref.OwnedAttr, Value: c.UnitAttr()}), true
			slices.SortFunc(dict, func(a, b ir.NamedAttr) int { return strings.Compare(a.Name, b.Name) })
		}
		list[i] = c.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: dict})
	}
	if !some {
		return attrs
	}
	return c.With(attrs, resAttrs, c.ArrayAttr(list...))
}
