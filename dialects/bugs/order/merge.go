package order

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/model"
)

// Merge makes the loops of clusters in their order: those of the program that stay
// whole, and of what was taken apart neighbours with equal loops in one, where no
// dependence speaks against it.
func (o *Orderer) Merge(cs []*Cluster, sc Scope) []model.Item {
	o.noteMoved(cs, sc)
	var out []model.Item
	for _, c := range cs {
		switch {
		case c.Components != nil:
			items := o.mergeComponents(c.Components, Scope{c.Stmts, sc.Level, c.Deps})
			o.noteApart(c, items, sc.Level)
			out = append(out, items...)
		case sc.Level < len(c.Stmts[0].Loops):
			o.noteLoop(c, sc.Level)
			out = append(out, o.Block(c.Stmts, sc.Level, c.Deps, c.dirs))
		default:
			out = append(out, model.Item{Stmt: c.Stmts[0]})
		}
	}
	return out
}

// Block makes a loop around statements; deps are those among them.
func (o *Orderer) Block(stmts []*model.Statement, level int, deps []*model.Dependence, dirs directions) model.Item {
	inner := Scope{stmts, level + 1, o.inner(deps, level)}
	cs, err := o.Arrange(inner)
	if err != nil {
		// A component of the inner scope lies within one of the outer scope. Where that is cyclic,
		// decide or whole has found before that what is inside of its loop has an order.
		panic("bugs: an inner loop that was found to have an order has none")
	}
	return model.Item{Loop: &model.Block{Level: level, Of: stmts[0], Reverse: dirs&forward == 0, Body: o.Merge(cs, inner)}}
}

// mergeComponents puts neighbours into one loop as far as join lets them.
func (o *Orderer) mergeComponents(ks []*Component, sc Scope) []model.Item {
	l := o.links(ks, sc)
	var out []model.Item
	for i := 0; i < len(ks); {
		k := ks[i]
		if k.key() == "" {
			if k.Own != nil {
				o.noteComponent(k)
				out = append(out, k.Own...)
			} else {
				out = append(out, model.Item{Stmt: k.Stmts[0]})
			}
			i++
			continue
		}
		g := newGroup(k)
		deps := slices.Clone(k.Deps)
		for i++; i < len(ks) && ks[i].key() == k.key() && o.join(g, ks[i], l.into[i]); i++ {
			for _, d := range l.into[i] {
				if g.in[d.From] {
					deps = append(deps, d)
				}
			}
			deps = append(deps, ks[i].Deps...)
		}
		var stmts []*model.Statement
		for _, k := range g.components {
			stmts = append(stmts, k.Stmts...)
		}
		out = append(out, o.Block(Sorted(stmts), sc.Level, deps, g.dirs))
	}
	return out
}
