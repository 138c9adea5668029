package irtest

import (
	"fmt"
	"strings"
)

// statement prints one random op, or a structured one with its body.
func (g *gen) statement(depth int) {
	g.budget--
	type choice struct {
		weight int
		do     func()
	}
	choices := []choice{
		{20, g.intOp}, {10, g.floatOp}, {6, g.compare}, {4, g.choose}, {6, g.convert},
		{3, func() { g.constant(g.pick(scalars)) }}, {3, g.alloc}, {10, g.load}, {10, g.store}, {3, g.print}, {3, g.call},
	}
	if depth < 3 {
		choices = append(choices, choice{5, func() { g.cond(depth) }}, choice{5, func() { g.loop(depth) }},
			choice{2, func() { g.while(depth) }}, choice{1, func() { g.switchOp(depth) }}, choice{1, func() { g.execute(depth) }})
	}
	total := 0
	for _, c := range choices {
		total += c.weight
	}
	n := g.r.IntN(total)
	for _, c := range choices {
		if n -= c.weight; n < 0 {
			c.do()
			return
		}
	}
}

func (g *gen) print() {
	t := g.pick(scalars)
	if g.cfg.NoPrint {
		return
	}
	g.line(`"special.print"(%s) : (%s) -> ()`, g.value(t), t)
}

