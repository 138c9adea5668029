package irtest

import (
	"fmt"
	"strings"
)

// body prints statements in a scope of their own, and a terminator.
func (g *gen) body(depth, most int, end func()) {
	vals, mems, vars, body0 := len(g.vals), len(g.mems), len(g.vars), g.body0
	g.body0 = mems
	g.Indent++
	for range 1 + g.IntN(most) {
		if g.budget <= 0 {
			break
		}
		g.statement(depth + 1)
	}
	end()
	g.Indent--
	g.vals, g.mems, g.vars, g.body0 = g.vals[:vals], g.mems[:mems], g.vars[:vars], body0
}

// results opens an op with results of random types and returns them.
func (g *gen) results() (types []string) {
	for range g.IntN(3) {
		types = append(types, g.One(g.scalars...))
	}
	if m, ok := g.memory(false); ok && g.cfg.Wide && g.Chance(0.15) {
		types = append(types, m.typ())
	}
	if g.cfg.Wide && g.Chance(0.05) {
		types = append(types, g.One(g.vectors...))
	}
	return g.exoticType(types, 0.3)
}

func (g *gen) bind(v string, types []string) {
	for i, t := range types {
		name := v
		if len(types) > 1 {
			name = fmt.Sprintf("%s#%d", v, i)
		}
		g.scope(name, t)
	}
}

// scope puts a result or parameter in scope.
func (g *gen) scope(name, t string) {
	if !isMemory(t) {
		g.vals = append(g.vals, value{name, t})
		return
	}
	for _, m := range g.mems {
		if m.typ() == t && !m.constant {
			m.name, m.origin, m.stack, m.heap = name, 0, true, false
			g.mems = append(g.mems, m)
			return
		}
	}
	panic("irtest: no memory of type " + t)
}

func head(v string, n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return v + " = "
	}
	return fmt.Sprintf("%s:%d = ", v, n)
}

// branch prints the body of a region that runs once or not at all.
func (g *gen) branch(depth, most int, types []string) {
	g.inner(func() {
		g.safe = -1
		g.body(depth, most, func() { g.terminator("scf.yield", types) })
	})
}

func (g *gen) cond(depth int) {
	c, types, v := g.value("i1"), g.results(), g.Name()
	g.Line(`%s"scf.if"(%s) ({`, head(v, len(types)), c)
	g.branch(depth, 4, types)
	g.Line(`}, {`)
	if len(types) > 0 || g.Chance(0.6) {
		g.branch(depth, 4, types)
	}
	g.Line(`}) : (i1) -> (%s)`, strings.Join(types, ", "))
	g.bind(v, types)
}

// inner prints what is in scope in it only.
func (g *gen) inner(do func()) {
	vals, mems, vars, safe := len(g.vals), len(g.mems), len(g.vars), g.safe
	do()
	g.vals, g.mems, g.vars, g.safe = g.vals[:vals], g.mems[:mems], g.vars[:vars], safe
}

// block prints the head of a loop's block and puts its parameters in scope.
func (g *gen) block(types []string) (names []string) {
	g.safe = len(g.mems)
	var params []string
	for _, t := range types {
		p := g.Name()
		names = append(names, p)
		params = append(params, p+": "+t)
		g.scope(p, t)
		if isMemory(t) {
			g.mems[len(g.mems)-1].stack = false // it is older than the iteration
		}
	}
	g.Line(`^bb0(%s):`, strings.Join(params, ", "))
	return names
}

// inits picks what a loop starts with.
func (g *gen) inits(types []string) (names []string) {
	g.inner(func() { g.safe = -1; names = g.values(types) })
	return names
}

func (g *gen) values(types []string) (names []string) {
	for _, t := range types {
		names = append(names, g.value(t))
	}
	return names
}

// bounds prints the lower bound, upper bound and step of a loop of few trips.
func (g *gen) bounds(t string) (lo, hi, step string) {
	bound := func(n int) string {
		return g.def(t, `"arith.constant"() <{value = %d : %s}> : () -> %s`, n, t, t)
	}
	if !g.cfg.Wide || g.Chance(0.6) {
		lo = bound(g.IntN(3))
	} else {
		lo = bound(g.IntN(7) - 4)
	}
	step = bound(1 + g.IntN(2))
	hi = bound(g.IntN(7))
	if g.Chance(0.3) {
		hi = g.binary("arith.andi", "", t, g.value(t), bound(7))
	}
	if g.cfg.Wide && g.Chance(0.2) {
		step = g.binary("arith.ori", "", t, g.binary("arith.andi", "", t, g.value(t), bound(2)), bound(1))
	}
	return lo, hi, step
}

func (g *gen) loop(depth int) {
	types, iv := g.results(), "index"
	if g.cfg.Wide {
		iv = g.One(append([]string{"index", "index"}, g.counters...)...)
	}
	inits := g.inits(types)
	lo, hi, step := g.bounds(iv)
	v := g.Name()
	g.Line(`%s"scf.for"(%s) ({`, head(v, len(types)), strings.Join(append([]string{lo, hi, step}, inits...), ", "))
	g.inner(func() {
		g.block(append([]string{iv}, types...))
		g.loops++
		g.body(depth, 5, func() { g.terminator("scf.yield", types) })
		g.loops--
	})
	g.Line(`}) : (%s) -> (%s)`, strings.Join(append([]string{iv, iv, iv}, types...), ", "), strings.Join(types, ", "))
	g.bind(v, types)
}

// while counts down a first variable, so that it ends.
func (g *gen) while(depth int) {
	more := g.results()
	types := append([]string{"i32"}, more...)
	inits := append([]string{g.def("i32", `"arith.constant"() <{value = %d : i32}> : () -> i32`, g.IntN(6))}, g.inits(more)...)
	v := g.Name()
	list := strings.Join(types, ", ")
	g.Line(`%s"scf.while"(%s) ({`, head(v, len(types)), strings.Join(inits, ", "))
	g.loops++
	g.inner(func() {
		names := g.block(types)
		g.body(depth, 3, func() {
			zero := g.def("i32", `"arith.constant"() <{value = 0 : i32}> : () -> i32`)
			c := g.def("i1", `"arith.cmpi"(%s, %s) <{predicate = 4 : i64}> : (i32, i32) -> i1`, names[0], zero)
			g.Line(`"scf.condition"(%s) : (i1, %s) -> ()`, strings.Join(append([]string{c, names[0]}, g.values(more)...), ", "), list)
		})
	})
	g.Line(`}, {`)
	g.inner(func() {
		names := g.block(types)
		g.body(depth, 3, func() {
			one := g.def("i32", `"arith.constant"() <{value = 1 : i32}> : () -> i32`)
			next := g.binary("arith.subi", " <{overflowFlags = #arith.overflow<none>}>", "i32", names[0], one)
			g.Line(`"scf.yield"(%s) : (%s) -> ()`, strings.Join(append([]string{next}, g.values(more)...), ", "), list)
		})
	})
	g.loops--
	g.Line(`}) : (%s) -> (%s)`, list, list)
	g.bind(v, types)
}

// parallel reduces integers over a box: in any order that gives the same. Its
// body stores at most where only its own iteration does.
func (g *gen) parallel() {
	t := g.One(g.ints...)
	init := g.value(t)
	lo, hi, step := g.bounds("index")
	v := g.Name()
	g.Line(`%s = "scf.parallel"(%s, %s, %s, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({`, v, lo, hi, step, init)
	g.inner(func() {
		g.block([]string{"index"})
		g.Indent++
		for range 1 + g.IntN(4) {
			g.pure()
		}
		g.Line(`"scf.reduce"(%s) ({`, g.value(t))
		x, y, z := g.Name(), g.Name(), g.Name()
		g.Line(`^bb0(%s: %s, %s: %s):`, x, t, y, t)
		op, flags := g.One("addi", "muli", "xori", "maxsi", "minui", "andi"), ""
		if op == "addi" || op == "muli" {
			flags = " <{overflowFlags = #arith.overflow<none>}>"
		}
		g.Line(`%s = "arith.%s"(%s, %s)%s : (%s, %s) -> %s`, z, op, x, y, flags, t, t, t)
		g.Line(`"scf.reduce.return"(%s) : (%s) -> ()`, z, t)
		g.Line(`}) : (%s) -> ()`, t)
		g.Indent--
	})
	g.Line(`}) : (index, index, index, %s) -> %s`, t, t)
	g.bind(v, []string{t})
}

// forall stores at places that only one iteration each writes, and reads nothing that another may.
func (g *gen) forall() {
	m, ok := g.memory(false)
	if !ok || len(m.dims) != 1 {
		return
	}
	g.Line(`"scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: %d>}> ({`, m.dims[0])
	g.inner(func() {
		names := g.block([]string{"index"})
		g.Indent++
		g.writes = true
		for range 1 + g.IntN(4) {
			g.pure()
		}
		g.writes = false
		g.put(g.value(m.elem), &m, names)
		g.Line(`"scf.forall.in_parallel"() ({`)
		g.Line(`^bb0:`)
		g.Line(`}) : () -> ()`)
		g.Indent--
	})
	g.Line(`}) : () -> ()`)
}

func (g *gen) switchOp(depth int) {
	types, v := g.results(), g.Name()
	x := g.value("index")
	g.Line(`%s"scf.index_switch"(%s) <{cases = array<i64: 0, 1, -1>}> ({`, head(v, len(types)), x)
	for i := range 4 {
		if i > 0 {
			g.Line(`}, {`)
		}
		g.branch(depth, 2, types)
	}
	g.Line(`}) : (index) -> (%s)`, strings.Join(types, ", "))
	g.bind(v, types)
}

func (g *gen) execute(depth int) {
	types, v := g.results(), g.Name()
	g.Line(`%s"scf.execute_region"() ({`, head(v, len(types)))
	g.branch(depth, 3, types)
	g.Line(`}) : () -> (%s)`, strings.Join(types, ", "))
	g.bind(v, types)
}
