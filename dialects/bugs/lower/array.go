package lower

import (
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// workspace bounds the memory that an op on arrays works with.
func (m *model) workspace(v ir.Value) kit.Workspace {
	most := m.mostElements(v)
	return kit.Workspace{Rows: most, Elements: most}
}

// mostElements bounds the extents of the parts of an op.
func (m *model) mostElements(v ir.Value) int64 {
	most := int64(0)
	parts := m.partsOf(v)
	if f, ok := m.factors[v]; ok {
		parts = f.parts
	}
	for _, p := range parts {
		for d, ranged := range p.Ranged {
			if ranged {
				most = max(most, m.g.Ctx.Info(m.g.Type(p.Array)).Shape[d])
			}
		}
	}
	return most
}

func (m *model) partsOf(v ir.Value) []ops.Part[ir.Value] {
	g, args := m.g, m.g.Args(v)
	ps, _ := ops.Parts(g.Ctx.Ints(g.Attr(v, "ranges")), args, func(i int) int { return ops.ArrayRank(g.Ctx, g.Type(args[i])) })
	return ps
}

// call lowers bugs.apply and bugs.compute. Where an index that picks a part is none,
// the value is NaN.
func (l *lowering) call(v ir.Value) {
	f := function.ArrayOpOf(l.model.g.Ctx.AttrInfo(l.model.g.Attr(v, "name")).Str)
	ps, valid := l.model.partsOf(v), ir.Value(0)
	inside := l.partsInside(ps)
	views := lists.Map(ps, func(p ops.Part[ir.Value]) kit.View { return l.orNothing(inside, l.view(p, &valid)) })
	l.join(&valid, inside)
	k, work := l.kit(), l.model.workspace(v)
	if f.Result > 0 {
		out := views[0]
		f.Lower(k, work, out, views[1:])
		if valid != 0 {
			k.EachOf(out, func(i []ir.Value) { out.Store(k, k.Valid(valid, out.Load(k, i...)), i...) })
		}
		return
	}
	x := f.Lower(k, work, kit.View{}, views)
	if valid != 0 {
		x = k.Valid(valid, x)
	}
	l.values[v] = x
}
