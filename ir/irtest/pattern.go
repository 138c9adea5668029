package irtest

// pattern prints what random choice rarely brings together: reads and writes of
// the same place, seen through two names, with control flow between them.
func (g *gen) pattern(depth int) {
	m, ok := g.memory(false)
	if !ok {
		return
	}
	at := g.indices(&m)
	switch g.IntN(4) {
	case 0: // a read, a write, and users of the read in branches only
		old := g.get(&m, at)
		for range g.IntN(4) { // what joins several states of memory
			g.store()
			g.load()
		}
		g.put(g.value(m.elem), &m, g.indices(&m))
		g.split(depth, value{old, m.elem})
	case 1: // what is overwritten was seen in between
		g.put(g.value(m.elem), &m, at)
		g.look(m)
		g.put(g.value(m.elem), &m, at)
	case 2: // a loop that reads a place and writes it by another name
		if depth < 3 {
			g.rounds(depth, m, at)
		}
	default: // a branch that writes, around which one place is read
		old := g.get(&m, at)
		c := g.value("i1")
		g.Line(`"scf.if"(%s) ({`, c)
		g.inner(func() {
			g.safe = -1
			g.body(depth, 2, func() {
				g.put(g.value(m.elem), &m, g.indices(&m))
				g.terminator("scf.yield", nil)
			})
		})
		g.Line(`}, {`)
		g.Line(`}) : (i1) -> ()`)
		now := g.get(&m, at)
		g.vals = append(g.vals, value{old, m.elem}, value{now, m.elem})
	}
}

// get prints a load and returns it.
func (g *gen) get(m *memory, at []string) string {
	v, list, types := g.Name(), m.name, m.typ()
	for _, i := range at {
		list += ", " + i
		types += ", index"
	}
	g.Line(`%s = "memref.load"(%s) <{nontemporal = false}> : (%s) -> %s`, v, list, types, m.elem)
	return v
}

// keep makes a value visible, by a print or a store.
func (g *gen) keep(v value) {
	for _, m := range g.mems {
		if m.elem == v.typ && !m.constant && g.Chance(0.3) {
			g.put(v.name, &m, g.indices(&m))
			return
		}
	}
	if !g.cfg.NoPrint {
		g.Line(`"special.print"(%s) : (%s) -> ()`, v.name, v.typ)
	}
}

// split prints branches that both may use v.
func (g *gen) split(depth int, v value) {
	g.Line(`"scf.if"(%s) ({`, g.value("i1"))
	for i := range 2 {
		if i > 0 {
			g.Line(`}, {`)
		}
		g.inner(func() {
			g.safe = -1
			g.body(depth, 2, func() {
				if i == 0 || g.Chance(0.7) {
					g.keep(v)
				}
				g.terminator("scf.yield", nil)
			})
		})
	}
	g.Line(`}) : (i1) -> ()`)
}

// look prints something that reads m, maybe by another name.
func (g *gen) look(m memory) {
	switch g.IntN(4) {
	case 0:
		if m.origin != 0 {
			to := g.allocate(m.elem, m.dims...)
			g.Line(`"memref.copy"(%s, %s) : (%s, %s) -> ()`, m.name, to.name, m.typ(), to.typ())
			return
		}
		fallthrough
	case 1:
		g.view()
		g.load()
	case 2:
		g.call()
	default:
		g.keep(value{g.get(&m, g.indices(&m)), m.elem})
	}
}

func (g *gen) rounds(depth int, m memory, at []string) {
	other := m
	for _, x := range g.mems {
		if x.elem == m.elem && !x.constant && g.Chance(0.5) {
			other = x
		}
	}
	lo, hi, step := g.bounds("index")
	g.Line(`"scf.for"(%s, %s, %s) ({`, lo, hi, step)
	g.inner(func() {
		iv := g.block([]string{"index"})
		g.loops++
		g.body(depth, 2, func() {
			v := value{g.get(&m, at), m.elem}
			g.put(g.value(m.elem), &other, g.indices(&other))
			if g.Chance(0.5) {
				g.vals = append(g.vals, value{iv[0], "index"}, v)
				g.split(depth+1, v)
			} else {
				g.keep(v)
			}
			g.terminator("scf.yield", nil)
		})
		g.loops--
	})
	g.Line(`}) : (index, index, index) -> ()`)
}
