package irtest

import "strings"

// statement prints one random op, or a structured one with its body.
func (g *gen) statement(depth int) {
	g.budget--
	if len(g.foreign) > 0 && g.Chance(g.cfg.Share) {
		g.foreignOp()
		return
	}
	type choice struct {
		weight int
		do     func()
	}
	choices := []choice{
		{20, g.intOp}, {10, g.floatOp}, {6, g.compare}, {4, g.choose}, {6, g.convert},
		{3, func() { g.constant(g.One(g.scalars...)) }}, {3, g.alloc}, {10, g.load}, {10, g.store}, {3, g.print}, {3, g.call},
	}
	if g.cfg.Wide {
		choices = append(choices, choice{8, g.view}, choice{5, g.copy}, choice{8, func() { g.pattern(depth) }}, choice{3, g.atomic}, choice{1, g.dim}, choice{2, g.freeEarly}, choice{2, g.pickMemory},
			choice{3, g.vectorOp}, choice{3, g.extended}, choice{3, g.flagged}, choice{1, g.parallel}, choice{1, g.forall})
	}
	if g.cfg.Narrow {
		choices = append(choices, choice{12, g.convert})
	}
	if g.cfg.Vars {
		choices = append(choices, choice{10, g.readVar}, choice{10, g.writeVar})
		if depth < 3 {
			choices = append(choices, choice{10, func() { g.condVar(depth) }}, choice{10, func() { g.counted(depth) }}, choice{6, func() { g.steady(depth) }}, choice{8, func() { g.repeated(depth) }})
		}
	}
	if g.cfg.Sizes {
		choices = append(choices, choice{10, g.large}, choice{4, g.far})
	}
	if g.cfg.Guarded {
		choices = append(choices, choice{8, func() { g.poisoned(depth) }})
	}
	if len(g.exotic) > 0 {
		choices = append(choices, choice{4, g.chooseExotic})
	}
	if g.cfg.Unknown {
		choices = append(choices, choice{15, g.unknown})
	}
	if depth >= 3 && depth < g.cfg.Depth {
		choices = append(choices, choice{15, func() { g.cond(depth) }}, choice{5, func() { g.execute(depth) }})
	}
	if depth < 3 {
		choices = append(choices, choice{5, func() { g.cond(depth) }}, choice{5, func() { g.loop(depth) }},
			choice{2, func() { g.while(depth) }}, choice{1, func() { g.switchOp(depth) }}, choice{1, func() { g.execute(depth) }})
	}
	total := 0
	for _, c := range choices {
		total += c.weight
	}
	n := g.IntN(total)
	for _, c := range choices {
		if n -= c.weight; n < 0 {
			c.do()
			return
		}
	}
}

func (g *gen) print() {
	t := g.One(g.scalars...)
	if g.cfg.NoPrint {
		return
	}
	g.Line(`"special.print"(%s) : (%s) -> ()`, g.value(t), t)
}

// observe prints what the function has worked out and what is in its memory, so
// that little of it is dead.
func (g *gen) observe() {
	if g.cfg.NoPrint || !g.cfg.Wide {
		return
	}
	show := func(v value) { g.Line(`"special.print"(%s) : (%s) -> ()`, v.name, v.typ) }
	for range min(6, len(g.vals)) {
		if v := g.vals[g.IntN(len(g.vals))]; !strings.HasPrefix(v.typ, "vector") && g.makers[v.typ] == nil {
			show(v)
		}
	}
	for range min(5, len(g.mems)) {
		g.load()
		show(g.vals[len(g.vals)-1])
	}
}
