package bugs

import "slices"

// merge makes the loops of clusters in their order: those of the program that stay
// whole, and of what was taken apart neighbours with equal loops in one, where no
// dependence speaks against it.
func (o *orderer) merge(cs []*cluster, sc scope) []Item {
	o.noteMoved(cs, sc)
	var out []Item
	for _, c := range cs {
		switch {
		case c.knots != nil:
			items := o.mergeKnots(c.knots, scope{c.stmts, sc.level, c.deps})
			o.noteApart(c, items, sc.level)
			out = append(out, items...)
		case sc.level < len(c.stmts[0].Loops):
			o.noteLoop(c, sc.level)
			out = append(out, o.block(c.stmts, sc.level, c.deps, c.dirs))
		default:
			out = append(out, Item{Stmt: c.stmts[0]})
		}
	}
	return out
}

// block makes a loop around statements; deps are those among them.
func (o *orderer) block(stmts []*Statement, level int, deps []*dep, dirs directions) Item {
	inner := scope{stmts, level + 1, o.inner(deps, level)}
	cs, err := o.arrange(inner)
	if err != nil {
		panic("bugs: an inner loop that was found to have an order has none")
	}
	return Item{Loop: &Block{Level: level, Of: stmts[0], Reverse: dirs&forward == 0, Body: o.merge(cs, inner)}}
}

// mergeKnots puts neighbours into one loop as far as join lets them.
func (o *orderer) mergeKnots(ks []*knot, sc scope) []Item {
	l := o.links(ks, sc)
	var out []Item
	for i := 0; i < len(ks); {
		k := ks[i]
		if k.key() == "" {
			if k.own != nil {
				o.noteKnot(k)
				out = append(out, k.own...)
			} else {
				out = append(out, Item{Stmt: k.stmts[0]})
			}
			i++
			continue
		}
		g := newGroup(k)
		deps := slices.Clone(k.deps)
		for i++; i < len(ks) && ks[i].key() == k.key() && o.join(g, ks[i], l.into[i]); i++ {
			for _, d := range l.into[i] {
				if g.in[d.from] {
					deps = append(deps, d)
				}
			}
			deps = append(deps, ks[i].deps...)
		}
		var stmts []*Statement
		for _, k := range g.knots {
			stmts = append(stmts, k.stmts...)
		}
		out = append(out, o.block(sorted(stmts), sc.level, deps, g.dirs))
	}
	return out
}
