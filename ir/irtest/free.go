package irtest

import "slices"

// dealloc prints the free of memory, maybe through a cast.
func (g *gen) dealloc(m *memory) {
	name, typ := m.name, m.typ()
	if len(m.dims) == 1 && !m.dynamic && m.layout == "" && g.Chance(0.3) {
		d := *m
		d.name, d.dynamic = g.Name(), true
		g.Line(`%s = "memref.cast"(%s) : (%s) -> %s`, d.name, name, typ, d.typ())
		name, typ = d.name, d.typ()
	}
	g.Line(`"memref.dealloc"(%s) : (%s) -> ()`, name, typ)
}

// free prints deallocs of what the body that ends has allocated.
func (g *gen) free() {
	for i := g.body0; i < len(g.mems); i++ {
		if g.mems[i].heap && g.Chance(0.3) {
			g.dealloc(&g.mems[i])
		}
	}
}

// freeEarly frees what the body under way has allocated, before its end: always,
// on one branch only, or on both. What may be a view of it leaves the scope.
func (g *gen) freeEarly() {
	var own []int
	for i := g.body0; i < len(g.mems); i++ {
		if g.mems[i].heap {
			own = append(own, i)
		}
	}
	if len(own) == 0 {
		return
	}
	at := own[g.IntN(len(own))]
	m := g.mems[at]
	switch g.IntN(4) {
	case 0, 1:
		g.dealloc(&m)
	case 2:
		g.freeIf(&m, true)
	default:
		g.freeIf(&m, false)
	}
	i := -1
	g.mems = slices.DeleteFunc(g.mems, func(x memory) bool {
		i++
		return i >= at && (x.origin == 0 || x.origin == m.origin)
	})
}

// freeIf frees memory on one branch or on both.
func (g *gen) freeIf(m *memory, both bool) {
	g.Line(`"scf.if"(%s) ({`, g.value("i1"))
	for i := range 2 {
		if i == 1 {
			g.Line(`}, {`)
		}
		g.Indent++
		if i == 0 || both {
			g.dealloc(m)
		}
		g.Line(`"scf.yield"() : () -> ()`)
		g.Indent--
	}
	g.Line(`}) : (i1) -> ()`)
}
