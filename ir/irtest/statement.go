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

func (g *gen) intOp() {
	t := g.pick(ints)
	x, y := g.value(t), g.value(t)
	switch op := g.pick([]string{"addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui", "shli", "shrui", "shrsi",
		"divui", "remui", "divsi", "remsi", "ceildivui", "floordivsi", "ceildivsi", "addi", "subi", "muli"}); op {
	case "addi", "subi", "muli":
		g.binary("arith."+op, " <{overflowFlags = #arith.overflow<none>}>", t, x, y)
	case "shli", "shrui", "shrsi":
		mask := g.name()
		g.line(`%s = "arith.constant"() <{value = %s}> : () -> %s`, mask, g.mask(t), t)
		props := ""
		if op == "shli" {
			props = " <{overflowFlags = #arith.overflow<none>}>"
		}
		g.binary("arith."+op, props, t, x, g.binary("arith.andi", "", t, y, mask))
	case "divui", "remui", "ceildivui":
		g.binary("arith."+op, "", t, x, g.divisor(t, y))
	case "divsi", "remsi", "floordivsi", "ceildivsi":
		if t == "i1" {
			return // -1 / -1 overflows
		}
		g.binary("arith."+op, "", t, x, g.signedDivisor(t, y))
	default:
		g.binary("arith."+op, "", t, x, y)
	}
}

func (g *gen) mask(t string) string {
	if t == "i1" {
		return "false"
	}
	return fmt.Sprintf("%d : %s", widths[t]-1, t)
}

// divisor makes y nonzero unless traps are wanted.
func (g *gen) divisor(t, y string) string {
	if g.cfg.Traps && g.chance(0.3) {
		return y
	}
	one := "1 : " + t
	if t == "i1" {
		one = "true"
	}
	c := g.def(t, `"arith.constant"() <{value = %s}> : () -> %s`, one, t)
	return g.binary("arith.ori", "", t, y, c)
}

// signedDivisor makes y positive: neither 0 nor -1.
func (g *gen) signedDivisor(t, y string) string {
	if g.cfg.Traps && g.chance(0.3) {
		return y
	}
	c := g.def(t, `"arith.constant"() <{value = %d : %s}> : () -> %s`, 1+g.r.IntN(100), t, t)
	return g.binary("arith.maxsi", "", t, y, c)
}

func (g *gen) floatOp() {
	t := g.pick(floats)
	x, y := g.value(t), g.value(t)
	fm := " <{fastmath = #arith.fastmath<none>}>"
	switch op := g.pick([]string{"addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf", "negf", "absf", "sqrt", "fma", "floor", "ceil", "trunc"}); op {
	case "negf":
		g.def(t, `"arith.negf"(%s)%s : (%s) -> %s`, x, fm, t, t)
	case "absf", "sqrt", "floor", "ceil", "trunc":
		g.def(t, `"math.%s"(%s)%s : (%s) -> %s`, op, x, fm, t, t)
	case "fma":
		g.def(t, `"math.fma"(%s, %s, %s)%s : (%s, %s, %s) -> %s`, x, y, g.value(t), fm, t, t, t, t)
	default:
		g.binary("arith."+op, fm, t, x, y)
	}
}

func (g *gen) compare() {
	if g.chance(0.3) {
		t := g.pick(floats)
		g.def("i1", `"arith.cmpf"(%s, %s) <{fastmath = #arith.fastmath<none>, predicate = %d : i64}> : (%s, %s) -> i1`, g.value(t), g.value(t), g.r.IntN(16), t, t)
		return
	}
	t := g.pick(ints)
	g.def("i1", `"arith.cmpi"(%s, %s) <{predicate = %d : i64}> : (%s, %s) -> i1`, g.value(t), g.value(t), g.r.IntN(10), t, t)
}

func (g *gen) choose() {
	t := g.pick(scalars)
	g.def(t, `"arith.select"(%s, %s, %s) : (i1, %s, %s) -> %s`, g.value("i1"), g.value(t), g.value(t), t, t, t)
}

func (g *gen) convert() {
	sized := []string{"i1", "i8", "i16", "i32", "i64"}
	switch g.r.IntN(6) {
	case 0:
		from, to := g.pick(sized), g.pick(sized)
		op := ""
		switch {
		case widths[from] < widths[to]:
			op = g.pick([]string{"extsi", "extui"})
		case widths[from] > widths[to]:
			op = "trunci"
		default:
			return
		}
		props := ""
		g.def(to, `"arith.%s"(%s)%s : (%s) -> %s`, op, g.value(from), props, from, to)
	case 1:
		t := g.pick(sized[1:])
		g.def("index", `"arith.%s"(%s) : (%s) -> index`, g.pick([]string{"index_cast", "index_castui"}), g.value(t), t)
	case 2:
		t := g.pick(sized[1:])
		g.def(t, `"arith.index_cast"(%s) : (index) -> %s`, g.value("index"), t)
	case 3:
		f, t := g.pick(sized), g.pick(floats)
		g.def(t, `"arith.%s"(%s) : (%s) -> %s`, g.pick([]string{"sitofp", "uitofp"}), g.value(f), f, t)
	case 4:
		if g.chance(0.5) {
			g.def("f64", `"arith.extf"(%s) : (f32) -> f64`, g.value("f32"))
		} else {
			g.def("f32", `"arith.truncf"(%s) : (f64) -> f32`, g.value("f64"))
		}
	case 5: // out of range is poison, so clamp first; maxnumf takes NaN away
		fm := " <{fastmath = #arith.fastmath<none>}>"
		lo := g.def("f64", `"arith.constant"() <{value = -1.0e+02 : f64}> : () -> f64`)
		hi := g.def("f64", `"arith.constant"() <{value = 1.0e+02 : f64}> : () -> f64`)
		x := g.binary("arith.minnumf", fm, "f64", g.binary("arith.maxnumf", fm, "f64", g.value("f64"), lo), hi)
		t := g.pick([]string{"i8", "i32", "i64"})
		g.def(t, `"arith.fptosi"(%s) : (f64) -> %s`, x, t)
	}
}

func (g *gen) alloc() {
	m := memory{g.name(), g.pick([]string{"i32", "f64", "i8", "index", "f32", "i64"}), 1 << g.r.IntN(4)}
	t := fmt.Sprintf("memref<%dx%s>", m.size, m.elem)
	op := g.pick([]string{"memref.alloc", "memref.alloca"})
	g.line(`%s = %q() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> %s`, m.name, op, t)
	// Every element is written: what an allocation holds at first is not defined.
	zero := g.value(m.elem)
	for i := range m.size {
		g.line(`%s = "arith.constant"() <{value = %d : index}> : () -> index`, g.name(), i)
		g.line(`"memref.store"(%s, %s, %%v%d) <{nontemporal = false}> : (%s, %s, index) -> ()`, zero, m.name, g.next, m.elem, t)
	}
	g.mems = append(g.mems, m)
}

// index returns an index below a power of two.
func (g *gen) index(size int) string {
	if g.chance(0.4) {
		return g.def("index", `"arith.constant"() <{value = %d : index}> : () -> index`, g.r.IntN(size))
	}
	v := g.value("index")
	if g.cfg.Traps && g.chance(0.2) {
		return v
	}
	c := g.def("index", `"arith.constant"() <{value = %d : index}> : () -> index`, size-1)
	return g.binary("arith.andi", "", "index", v, c)
}

func (g *gen) memory() (memory, bool) {
	if len(g.mems) == 0 {
		return memory{}, false
	}
	return g.mems[g.r.IntN(len(g.mems))], true
}

func (g *gen) load() {
	if m, ok := g.memory(); ok {
		g.def(m.elem, `"memref.load"(%s, %s) <{nontemporal = false}> : (memref<%dx%s>, index) -> %s`, m.name, g.index(m.size), m.size, m.elem, m.elem)
	}
}

func (g *gen) store() {
	if m, ok := g.memory(); ok {
		i := g.index(m.size)
		g.line(`"memref.store"(%s, %s, %s) <{nontemporal = false}> : (%s, memref<%dx%s>, index) -> ()`, g.value(m.elem), m.name, i, m.elem, m.size, m.elem)
	}
}

func (g *gen) print() {
	t := g.pick(scalars)
	if g.cfg.NoPrint {
		return
	}
	g.line(`"special.print"(%s) : (%s) -> ()`, g.value(t), t)
}

func (g *gen) call() {
	if len(g.funcs) == 0 || g.loops > 0 && g.chance(0.7) {
		return
	}
	f := g.funcs[g.r.IntN(len(g.funcs))]
	var args []string
	for _, t := range f.args {
		if strings.HasPrefix(t, "memref") {
			name := ""
			for _, m := range g.mems {
				if fmt.Sprintf("memref<%dx%s>", m.size, m.elem) == t {
					name = m.name
				}
			}
			if name == "" {
				return
			}
			args = append(args, name)
		} else {
			args = append(args, g.value(t))
		}
	}
	v := g.name()
	g.line(`%s:%d = "func.call"(%s) <{callee = @%s}> : (%s) -> (%s)`, v, len(f.types), strings.Join(args, ", "), f.name,
		strings.Join(f.args, ", "), strings.Join(f.types, ", "))
	for i, t := range f.types {
		g.vals = append(g.vals, value{fmt.Sprintf("%s#%d", v, i), t})
	}
}

// body prints statements in a scope of their own, and a terminator.
func (g *gen) body(depth, most int, end func()) {
	vals, mems := len(g.vals), len(g.mems)
	g.indent++
	for range 1 + g.r.IntN(most) {
		if g.budget <= 0 {
			break
		}
		g.statement(depth + 1)
	}
	end()
	g.indent--
	g.vals, g.mems = g.vals[:vals], g.mems[:mems]
}

// results opens an op with results of random types and returns them.
func (g *gen) results() (types []string) {
	for range g.r.IntN(3) {
		types = append(types, g.pick(scalars))
	}
	return types
}

func (g *gen) bind(v string, types []string) {
	for i, t := range types {
		if len(types) == 1 {
			g.vals = append(g.vals, value{v, t})
		} else {
			g.vals = append(g.vals, value{fmt.Sprintf("%s#%d", v, i), t})
		}
	}
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
