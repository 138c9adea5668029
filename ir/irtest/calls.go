package irtest

import (
	"fmt"
	"strings"
)

func (g *gen) program(seed uint64) *Program {
	g.Line(`"builtin.module"() ({`)
	g.Indent++
	n := 1 + g.IntN(3)
	if g.cfg.Funcs > 0 {
		n = g.cfg.Funcs
	}
	if g.cfg.Wide {
		g.global()
		if g.Chance(0.3) {
			g.recursion(max(6, g.cfg.Ops/4))
		}
	}
	for i := range n {
		g.function(fmt.Sprintf("%sf%d", g.cfg.Name, i), max(6, g.cfg.Ops/n), i == n-1)
	}
	g.Indent--
	g.Line(`}) : () -> ()`)
	f := g.funcs[len(g.funcs)-1]
	p := &Program{Seed: seed, Text: g.String(), Entry: f.name, Types: f.types, IDs: g.ids, Sizes: g.cfg.Sizes}
	for i, t := range f.args {
		if isMemory(t) {
			p.Args = append(p.Args, g.memoryArg(f, i, p.Args))
		} else {
			p.Args = append(p.Args, Arg{Type: t, Bits: g.bits(t)})
		}
	}
	return p
}

// memoryArg makes the memory of an argument, maybe that of one before.
func (g *gen) memoryArg(f function, i int, before []Arg) Arg {
	m := f.mems[i]
	a := Arg{Type: f.args[i], Elem: m.elem, Sizes: m.dims, Strides: m.strides}
	if a.Strides == nil {
		a.Strides = []int{1 + g.IntN(2)}
		a.Offset = g.IntN(8 - 3*a.Strides[0])
	}
	for range 8 {
		a.Elems = append(a.Elems, g.bits(m.elem))
	}
	if g.cfg.Wide && !f.noalias && g.Chance(0.5) {
		for j, b := range before {
			if b.Elem == a.Elem && b.Same == 0 {
				a.Same, a.Elems = j+1, nil
				break
			}
		}
	}
	return a
}

// global prints globals, one of them constant.
func (g *gen) global() {
	for i := range g.IntN(3) {
		e := g.One(g.args...)
		m := identity(fmt.Sprintf("%sg%d", g.cfg.Name, i), e, 8)
		m.constant = g.Chance(0.5)
		unit := ""
		if m.constant {
			unit = "constant, "
		}
		var list []string
		for range 8 {
			list = append(list, g.element(e))
		}
		g.Line(`"memref.global"() <{%sinitial_value = dense<[%s]> : tensor<8x%s>, sym_name = %q, sym_visibility = "private", type = %s}> : () -> ()`,
			unit, strings.Join(list, ", "), e, m.name, m.typ())
		g.globals = append(g.globals, m)
	}
}

// element spells one element of a dense constant.
func (g *gen) element(t string) string {
	if w := floatWidth(t); w > 0 {
		return fmt.Sprintf("0x%0*X", w/4, g.bits(t))
	}
	n := g.integer(t)
	w := widths[t]
	return fmt.Sprint(n << (64 - w) >> (64 - w))
}

func (g *gen) dense(t string) string {
	e := elementOf(t)
	if g.Chance(0.4) {
		return fmt.Sprintf("dense<%s> : %s", g.element(e), t)
	}
	return fmt.Sprintf("dense<[%s, %s, %s, %s]> : %s", g.element(e), g.element(e), g.element(e), g.element(e), t)
}

// useGlobals puts the globals in scope.
func (g *gen) useGlobals() {
	for _, m := range g.globals {
		if g.Chance(0.6) {
			name := m.name
			m.name = g.Name()
			g.Line(`%s = "memref.get_global"() <{name = @%s}> : () -> %s`, m.name, name, m.typ())
			g.mems = append(g.mems, m)
		}
	}
}

// start opens a function with parameters of its types.
func (g *gen) start(f *function, budget int, attrs string) {
	g.vals, g.mems, g.vars, g.budget, g.safe, g.body0, g.loops = nil, nil, nil, budget, -1, 0, 0
	var params []string
	for i, t := range f.args {
		name := fmt.Sprintf("%%a%d", i)
		if isMemory(t) {
			m := f.mems[i]
			m.name = name
			g.mems = append(g.mems, m)
		} else {
			g.vals = append(g.vals, value{name, t})
		}
		params = append(params, name+": "+t)
	}
	g.Line(`"func.func"() <{%sfunction_type = (%s) -> (%s), sym_name = %q}> ({`, attrs, strings.Join(f.args, ", "), strings.Join(f.types, ", "), f.name)
	g.Line(`^bb0(%s):`, strings.Join(params, ", "))
	g.Indent++
	g.useGlobals()
}

func (g *gen) end() {
	g.Indent--
	g.Line(`}) : () -> ()`)
}

func (g *gen) take(f *function, m memory) {
	f.mems = append(f.mems, m)
	if m.elem != "" {
		f.args = append(f.args, m.typ())
	}
}

func (g *gen) function(name string, budget int, entry bool) {
	f := function{name: name}
	for range 2 + g.IntN(4) {
		if !g.cfg.NoMemory && (g.Chance(0.25) || g.cfg.Wide && g.Chance(0.3)) {
			kind := whole
			if g.cfg.Wide {
				kind = g.IntN(numKinds)
			}
			g.take(&f, parameter("", g.One(g.args...), kind))
			continue
		}
		g.take(&f, memory{})
		f.args = append(f.args, g.One(g.scalars...))
	}
	for range 1 + g.IntN(3) {
		f.types = append(f.types, g.One(g.scalars...))
	}
	attrs := ""
	if g.cfg.Wide {
		if g.Chance(0.2) {
			f.noalias = true
			attrs = "arg_attrs = [" + noalias(f.args) + "], "
		}
		if g.Chance(0.2) {
			f.types = append(f.types, g.One(g.vectors...))
		}
	}
	f.types = g.exoticType(f.types, 0.5)
	if !entry && g.cfg.Guarded && g.Chance(0.5) {
		attrs += `sym_visibility = "private", `
	}
	if !entry && !f.noalias && g.cfg.Wide && g.Chance(0.2) {
		for _, t := range f.args {
			if isMemory(t) { // one of that type is there
				f.types = append(f.types, t)
				break
			}
		}
	}
	g.start(&f, budget, attrs)
	params := len(g.mems)
	for g.budget > 0 {
		g.statement(0)
	}
	g.observe()
	for _, v := range g.vars {
		if g.Chance(0.5) && !g.cfg.NoPrint {
			g.Line(`"special.print"(%s) : (%s) -> ()`, g.read(v), v.typ)
		}
	}
	g.safe = params
	g.terminator("func.return", f.types)
	g.end()
	g.funcs = append(g.funcs, f)
}

func noalias(args []string) string {
	var out []string
	for _, t := range args {
		if isMemory(t) {
			out = append(out, "{llvm.noalias}")
		} else {
			out = append(out, "{}")
		}
	}
	return strings.Join(out, ", ")
}

// recursion prints one function that calls itself or two that call each other;
// their first argument counts down.
func (g *gen) recursion(budget int) {
	f := function{counter: true}
	g.take(&f, memory{})
	f.args = append(f.args, "i32")
	t := g.One(g.scalars...)
	g.take(&f, memory{})
	f.args = append(f.args, t)
	g.take(&f, parameter("", g.One(g.args...), g.IntN(numKinds)))
	f.types = []string{t, g.One(g.scalars...)}
	names := []string{g.cfg.Name + "r0"}
	if g.Chance(0.4) {
		names = append(names, g.cfg.Name+"r1")
	}
	var made []function
	for i, name := range names {
		f.name = name
		other := f
		other.name = names[len(names)-1-i]
		g.descend(&f, other, budget)
		made = append(made, f)
	}
	g.funcs = append(g.funcs, made...)
}

// descend prints one function of a recursion.
func (g *gen) descend(f *function, other function, budget int) {
	g.start(f, budget, "")
	zero := g.def("i32", `"arith.constant"() <{value = 0 : i32}> : () -> i32`)
	c := g.def("i1", `"arith.cmpi"(%%a0, %s) <{predicate = 4 : i64}> : (i32, i32) -> i1`, zero)
	v := g.Name()
	g.Line(`%s"scf.if"(%s) ({`, head(v, len(f.types)), c)
	g.inner(func() {
		g.body0 = len(g.mems)
		g.Indent++
		for range 1 + g.IntN(5) {
			g.statement(1)
		}
		one := g.def("i32", `"arith.constant"() <{value = 1 : i32}> : () -> i32`)
		n := g.binary("arith.subi", " <{overflowFlags = #arith.overflow<none>}>", "i32", "%a0", one)
		g.callOf(other, []string{n})
		for range g.IntN(4) {
			g.statement(1)
		}
		if g.Chance(0.3) {
			g.callOf(other, []string{n})
		}
		g.terminator("scf.yield", f.types)
		g.Indent--
	})
	g.Line(`}, {`)
	g.body(0, 4, func() { g.terminator("scf.yield", f.types) })
	g.Line(`}) : (i1) -> (%s)`, strings.Join(f.types, ", "))
	g.bind(v, f.types)
	g.body0 = len(g.mems)
	g.terminator("func.return", f.types)
	g.end()
}

func (g *gen) call() {
	if len(g.funcs) == 0 || g.loops > 0 && g.Chance(0.7) {
		return
	}
	f := g.funcs[g.IntN(len(g.funcs))]
	var args []string
	if f.counter {
		three := g.def("i32", `"arith.constant"() <{value = 3 : i32}> : () -> i32`)
		args = append(args, g.binary("arith.andi", "", "i32", g.value("i32"), three))
	}
	g.callOf(f, args)
}

// callOf prints a call; args are the first arguments.
func (g *gen) callOf(f function, args []string) {
	for i := len(args); i < len(f.args); i++ {
		switch {
		case !isMemory(f.args[i]):
			args = append(args, g.value(f.args[i]))
		case g.cfg.Wide:
			args = append(args, g.memoryFor(f.mems[i], f.noalias))
		default:
			found := ""
			for _, m := range g.mems {
				if m.typ() == f.args[i] {
					found = m.name
				}
			}
			if found == "" {
				return
			}
			args = append(args, found)
		}
	}
	v := g.Name()
	in, out := strings.Join(f.args, ", "), strings.Join(f.types, ", ")
	if g.cfg.Wide && g.Chance(0.2) {
		c := g.Name()
		g.Line(`%s = "func.constant"() <{value = @%s}> : () -> ((%s) -> (%s))`, c, f.name, in, out)
		g.Line(`%s"func.call_indirect"(%s) : (%s) -> (%s)`, head(v, len(f.types)), strings.Join(append([]string{c}, args...), ", "),
			strings.Join(append([]string{fmt.Sprintf("(%s) -> (%s)", in, out)}, f.args...), ", "), out)
	} else {
		g.Line(`%s"func.call"(%s) <{callee = @%s}> : (%s) -> (%s)`, head(v, len(f.types)), strings.Join(args, ", "), f.name, in, out)
	}
	for i, t := range f.types {
		name := v
		if len(f.types) > 1 {
			name = fmt.Sprintf("%s#%d", v, i)
		}
		if !isMemory(t) {
			g.vals = append(g.vals, value{name, t})
			continue
		}
		for j, a := range f.args {
			if a == t {
				m := f.mems[j]
				m.name, m.origin, m.stack = name, 0, true
				g.mems = append(g.mems, m)
				break
			}
		}
	}
}
