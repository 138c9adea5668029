package irtest

import (
	"fmt"
	"strings"
)

// body prints statements in a scope of their own, and a terminator.
func (g *gen) body(depth, most int, end func()) {
	vals, mems, body0 := len(g.vals), len(g.mems), g.body0
	g.body0 = mems
	g.indent++
	for range 1 + g.r.IntN(most) {
		if g.budget <= 0 {
			break
		}
		g.statement(depth + 1)
	}
	end()
	g.indent--
	g.vals, g.mems, g.body0 = g.vals[:vals], g.mems[:mems], body0
}

// results opens an op with results of random types and returns them.
func (g *gen) results() (types []string) {
	for range g.r.IntN(3) {
		types = append(types, g.pick(scalars))
	}
	if m, ok := g.memory(false); ok && g.cfg.Wide && g.chance(0.15) {
		types = append(types, m.typ())
	}
	if g.cfg.Wide && g.chance(0.05) {
		types = append(types, g.pick(vectors))
	}
	return types
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

func (g *gen) cond(depth int) {
	c, types, v := g.value("i1"), g.results(), g.name()
	g.line(`%s"scf.if"(%s) ({`, head(v, len(types)), c)
	g.body(depth, 4, func() { g.terminator("scf.yield", types) })
	g.line(`}, {`)
	if len(types) > 0 || g.chance(0.6) {
		g.body(depth, 4, func() { g.terminator("scf.yield", types) })
	}
	g.line(`}) : (i1) -> (%s)`, strings.Join(types, ", "))
	g.bind(v, types)
}

func (g *gen) loop(depth int) {
	types := g.results()
	var inits, params []string
	for _, t := range types {
		inits = append(inits, g.value(t))
	}
	bound := func(n int) string {
		return g.def("index", `"arith.constant"() <{value = %d : index}> : () -> index`, n)
	}
	lo, step := bound(g.r.IntN(3)), bound(1+g.r.IntN(2))
	hi := bound(g.r.IntN(7))
	if g.chance(0.3) {
		hi = g.binary("arith.andi", "", "index", g.value("index"), bound(7))
	}
	v, iv := g.name(), g.name()
	vals := len(g.vals)
	params = append(params, iv+": index")
	scope := []value{{iv, "index"}}
	for _, t := range types {
		p := g.name()
		params = append(params, p+": "+t)
		scope = append(scope, value{p, t})
	}
	g.line(`%s"scf.for"(%s) ({`, head(v, len(types)), strings.Join(append([]string{lo, hi, step}, inits...), ", "))
	g.line(`^bb0(%s):`, strings.Join(params, ", "))
	g.vals = append(g.vals, scope...)
	g.loops++
	g.body(depth, 5, func() { g.terminator("scf.yield", types) })
	g.loops--
	g.vals = g.vals[:vals]
	g.line(`}) : (%s) -> (%s)`, strings.Join(append([]string{"index", "index", "index"}, types...), ", "), strings.Join(types, ", "))
	g.bind(v, types)
}

// while counts down a first variable, so that it ends.
func (g *gen) while(depth int) {
	more := g.results()
	types := append([]string{"i32"}, more...)
	inits := []string{g.def("i32", `"arith.constant"() <{value = %d : i32}> : () -> i32`, g.r.IntN(6))}
	for _, t := range more {
		inits = append(inits, g.value(t))
	}
	v := g.name()
	block := func() (params []string, scope []value) {
		for _, t := range types {
			p := g.name()
			params = append(params, p+": "+t)
			scope = append(scope, value{p, t})
		}
		return params, scope
	}
	list := strings.Join(types, ", ")
	vals := len(g.vals)
	g.line(`%s"scf.while"(%s) ({`, head(v, len(types)), strings.Join(inits, ", "))
	params, scope := block()
	g.line(`^bb0(%s):`, strings.Join(params, ", "))
	g.vals = append(g.vals, scope...)
	g.loops++
	g.body(depth, 3, func() {
		zero := g.def("i32", `"arith.constant"() <{value = 0 : i32}> : () -> i32`)
		c := g.def("i1", `"arith.cmpi"(%s, %s) <{predicate = 4 : i64}> : (i32, i32) -> i1`, scope[0].name, zero)
		names := []string{c, scope[0].name}
		for _, t := range more {
			names = append(names, g.value(t))
		}
		g.line(`"scf.condition"(%s) : (i1, %s) -> ()`, strings.Join(names, ", "), list)
	})
	g.vals = g.vals[:vals]
	g.line(`}, {`)
	params, scope = block()
	g.line(`^bb0(%s):`, strings.Join(params, ", "))
	g.vals = append(g.vals, scope...)
	g.body(depth, 3, func() {
		one := g.def("i32", `"arith.constant"() <{value = 1 : i32}> : () -> i32`)
		names := []string{g.binary("arith.subi", " <{overflowFlags = #arith.overflow<none>}>", "i32", scope[0].name, one)}
		for _, t := range more {
			names = append(names, g.value(t))
		}
		g.line(`"scf.yield"(%s) : (%s) -> ()`, strings.Join(names, ", "), list)
	})
	g.loops--
	g.vals = g.vals[:vals]
	g.line(`}) : (%s) -> (%s)`, list, list)
	g.bind(v, types)
}

func (g *gen) switchOp(depth int) {
	types, v := g.results(), g.name()
	x := g.value("index")
	g.line(`%s"scf.index_switch"(%s) <{cases = array<i64: 0, 1, -1>}> ({`, head(v, len(types)), x)
	for i := range 4 {
		if i > 0 {
			g.line(`}, {`)
		}
		g.body(depth, 2, func() { g.terminator("scf.yield", types) })
	}
	g.line(`}) : (index) -> (%s)`, strings.Join(types, ", "))
	g.bind(v, types)
}

func (g *gen) execute(depth int) {
	types, v := g.results(), g.name()
	g.line(`%s"scf.execute_region"() ({`, head(v, len(types)))
	g.body(depth, 3, func() { g.terminator("scf.yield", types) })
	g.line(`}) : () -> (%s)`, strings.Join(types, ", "))
	g.bind(v, types)
}
