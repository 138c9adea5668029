package buffers

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// resAttrs is the property of a function that says things of its results.
const resAttrs = "res_attrs"

// marks are the attributes that a function is to have.
type marks struct {
	node ir.Node
	attr ir.Attr
}

// newResults finds the public functions with results that are new memory in every run, of
// marked allocations or not, and gives them attributes which say that those are their caller's
// to free.
func newResults(g *ir.Graph) map[*ir.Graph]marks {
	out := map[*ir.Graph]marks{}
	newScope(g, nil, true, func(f *function) {
		n := f.node
		_, types, ok := symbols.Signature(n)
		if !ok || symbols.IsPrivate(n) || !slices.Contains(n.Def().Attrs, resAttrs) || !f.returnsMemory(types) {
			return
		}
		if attr := withOwned(g.Ctx, n.Attrs(), f.alwaysNew()); attr != n.Attrs() {
			out[f.body] = marks{n, attr}
		}
	})
	return out
}

// returnsMemory reports a function with a body that returns memory.
func (f *function) returnsMemory(out []ir.Type) bool {
	c := f.body.Ctx
	return f.body.HasBlock(ir.Root) && slices.ContainsFunc(out, func(t ir.Type) bool { return c.Info(t).Kind == ir.KindMemRef })
}

// alwaysNew says which results are new memory in every run, and no other's.
func (f *function) alwaysNew() []bool {
	out := lists.Map(f.gives, func(r result) bool { return r.flag == yes })
	for _, r := range f.gives {
		for _, j := range r.with {
			out[j] = false
		}
	}
	return out
}

// withOwned marks the results that are new in the attributes of a function.
func withOwned(c *ir.Context, attrs ir.Attr, isNew []bool) ir.Attr {
	var old []ir.Attr
	if a := c.Get(attrs, resAttrs); a != 0 {
		old = c.AttrInfo(a).List
	}
	list, some := make([]ir.Attr, len(isNew)), false
	for i, mark := range isNew {
		var dict []ir.NamedAttr
		if i < len(old) {
			dict = slices.Clone(c.AttrInfo(old[i]).Dict)
		}
		if mark && !slices.ContainsFunc(dict, func(a ir.NamedAttr) bool { return a.Name == memref.OwnedAttr }) {
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
