package irtest

import "strings"

// Variables are memory of one number. Programs with them have what optimistic
// analyses live on: values that no iteration changes although some branch would,
// counters in memory, writes that nobody reads.

func (g *gen) variable() value {
	if len(g.vars) == 0 || g.Chance(0.15) {
		t := g.One(g.counters...)
		v := value{g.Name(), t}
		g.Line(`%s = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<%s>`, v.name, t)
		g.write(v, g.small(t))
		g.vars = append(g.vars, v)
		return v
	}
	return g.vars[g.IntN(len(g.vars))]
}

// small prints a constant that others are likely to equal.
func (g *gen) small(t string) string {
	return g.def(t, `"arith.constant"() <{value = %d : %s}> : () -> %s`, []int{0, 1, 7, 10}[g.IntN(4)], t, t)
}

func (g *gen) write(v value, x string) {
	g.Line(`"memref.store"(%s, %s) <{nontemporal = false}> : (%s, memref<%s>) -> ()`, x, v.name, v.typ, v.typ)
}

func (g *gen) read(v value) string {
	return g.def(v.typ, `"memref.load"(%s) <{nontemporal = false}> : (memref<%s>) -> %s`, v.name, v.typ, v.typ)
}

func (g *gen) readVar() { g.read(g.variable()) }

// writeVar writes a constant, something, what another variable holds, or one more
// than there is.
func (g *gen) writeVar() {
	v := g.variable()
	switch g.IntN(5) {
	case 0, 1:
		g.write(v, g.small(v.typ))
	case 2:
		g.write(v, g.value(v.typ))
	case 3:
		for _, w := range g.vars {
			if w.typ == v.typ && g.Chance(0.5) {
				g.write(v, g.read(w))
				return
			}
		}
	default:
		g.write(v, g.more(v.typ, g.read(v)))
	}
}

func (g *gen) more(t, x string) string {
	return g.binary("arith.addi", " <{overflowFlags = #arith.overflow<none>}>", t, x, g.small(t))
}

// test prints a comparison of what a variable holds with a constant.
func (g *gen) test(t, x string) string {
	return g.def("i1", `"arith.cmpi"(%s, %s) <{predicate = %d : i64}> : (%s, %s) -> i1`, x, g.small(t), g.IntN(6), t, t)
}

// condVar prints a conditional on a variable that writes variables.
func (g *gen) condVar(depth int) {
	v := g.variable()
	c := g.test(v.typ, g.read(v))
	g.Line(`"scf.if"(%s) ({`, c)
	for i := range 2 {
		if i > 0 {
			g.Line(`}, {`)
		}
		g.inner(func() {
			g.safe = -1
			g.body(depth, 2, func() {
				for range g.IntN(3) {
					g.writeVar()
				}
				g.terminator("scf.yield", nil)
			})
		})
	}
	g.Line(`}) : (i1) -> ()`)
}

// counted prints a loop that counts in memory of its own.
func (g *gen) counted(depth int) {
	g.variable()
	n := value{g.Name(), "i64"}
	g.Line(`%s = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<i64>`, n.name)
	g.write(n, g.def("i64", `"arith.constant"() <{value = %d : i64}> : () -> i64`, g.IntN(2)))
	end := g.def("i64", `"arith.constant"() <{value = %d : i64}> : () -> i64`, g.IntN(4))
	g.loops++
	g.Line(`"scf.while"() ({`)
	g.inner(func() {
		g.block(nil)
		g.body(depth, 1, func() {
			c := g.def("i1", `"arith.cmpi"(%s, %s) <{predicate = 2 : i64}> : (i64, i64) -> i1`, g.read(n), end)
			g.Line(`"scf.condition"(%s) : (i1) -> ()`, c)
		})
	})
	g.Line(`}, {`)
	g.inner(func() {
		g.block(nil)
		g.body(depth, 4, func() {
			if g.Chance(0.7) {
				g.condVar(depth + 1)
			}
			one := g.def("i64", `"arith.constant"() <{value = 1 : i64}> : () -> i64`)
			g.write(n, g.binary("arith.addi", " <{overflowFlags = #arith.overflow<none>}>", "i64", g.read(n), one))
			g.terminator("scf.yield", nil)
		})
	})
	g.loops--
	g.Line(`}) : () -> ()`)
	if g.Chance(0.3) {
		g.read(n)
	}
}

// steady prints a loop whose carried values mostly stay what they are.
func (g *gen) steady(depth int) {
	t := g.One(g.counters...)
	a, b := g.small(t), g.small(t)
	lo, hi, step := g.bounds("index")
	v := g.Name()
	g.Line(`%s:2 = "scf.for"(%s) ({`, v, strings.Join([]string{lo, hi, step, a, b}, ", "))
	g.inner(func() {
		p := g.block([]string{"index", t, t})
		g.loops++
		g.body(depth, 3, func() {
			c := g.test(t, p[1])
			if g.Chance(0.3) {
				g.writeVar()
			}
			next := g.Name()
			g.Line(`%s = "scf.if"(%s) ({`, next, c)
			g.Line(`"scf.yield"(%s) : (%s) -> ()`, g.One(p[1], a, p[1], p[2]), t)
			g.Line(`}, {`)
			g.inner(func() { g.Line(`"scf.yield"(%s) : (%s) -> ()`, g.more(t, p[1]), t) })
			g.Line(`}) : (i1) -> %s`, t)
			other := g.One(p[2], b, p[1], "")
			if other == "" {
				other = g.more(t, p[2])
			}
			g.Line(`"scf.yield"(%s, %s) : (%s, %s) -> ()`, next, other, t, t)
		})
		g.loops--
	})
	g.Line(`}) : (index, index, index, %s, %s) -> (%s, %s)`, t, t, t, t)
	g.bind(v, []string{t, t})
}

// repeated prints conditionals on one condition, with something between them that
// may depend on one and on which another may depend.
func (g *gen) repeated(depth int) {
	c := g.value("i1")
	for range 2 + g.IntN(2) {
		t := g.One(g.counters...)
		v, results := g.Name(), g.Chance(0.4)
		types, list := []string(nil), ""
		if results {
			types, list = []string{t}, t
		}
		g.Line(`%s"scf.if"(%s) ({`, head(v, len(types)), c)
		for i := range 2 {
			if i > 0 {
				g.Line(`}, {`)
			}
			g.inner(func() {
				g.safe = -1
				g.body(depth, 1, func() {
					for range g.IntN(3) {
						g.writeVar()
					}
					if g.Chance(0.2) {
						g.print()
					}
					g.terminator("scf.yield", types)
				})
			})
		}
		g.Line(`}) : (i1) -> (%s)`, list)
		g.bind(v, types)
		switch g.IntN(4) {
		case 0:
			g.readVar()
		case 1:
			g.writeVar()
		case 2:
			g.print()
		}
	}
}
