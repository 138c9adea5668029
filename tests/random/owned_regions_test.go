package random

import "fmt"

// What owners prints with regions: conditionals, loops and the rest, which hand memory on.

func (p *owners) conditional(depth int) {
	c, v, n := p.cond(), p.name(), 1+p.r.IntN(2)
	p.line("%s:%d = scf.if %s -> (%s) {", v, n, c, types(n))
	for i := range 2 {
		p.scoped(func() {
			p.body(p.r.IntN(4), depth)
			p.line("scf.yield %s : %s", many(n, func(int) string { return p.mem() }), types(n))
		})
		p.line("}%s", []string{" else {", ""}[i])
	}
	p.addResults(v, n)
}

// others prints an op with regions that is none of the usual: a choice among three, a region
// that runs once, or rounds in any order, which hand nothing on.
func (p *owners) others(depth int) {
	yield := func(end string) {
		p.scoped(func() {
			p.body(p.r.IntN(3), depth)
			p.line("%s %s : memref<?xindex>", end, p.mem())
		})
	}
	switch v, at := p.name(), p.num(); p.r.IntN(4) {
	case 0:
		p.line("%s = scf.index_switch %s -> memref<?xindex>", v, at)
		for i := range 3 {
			p.line("%s {", []string{"case 0", "case 2", "default"}[i])
			yield("scf.yield")
			p.line("}")
		}
		p.add(v)
	case 1:
		p.line("%s = scf.execute_region -> memref<?xindex> {", v)
		yield("scf.yield")
		p.line("}")
		p.add(v)
	case 2:
		p.line("%s = memref.alloca_scope -> (memref<?xindex>) {", v)
		yield("memref.alloca_scope.return")
		p.line("}")
		p.add(v)
	default:
		p.line("scf.parallel (%s) = (%%c0) to (%%n) step (%%c1) {", v)
		p.scoped(func() {
			p.body(1+p.r.IntN(3), 0)
			p.line("scf.reduce")
		})
		p.line("}")
	}
}

func (p *owners) loop(depth int) {
	v, n := p.name(), 1+p.r.IntN(2)
	var params []string
	for range n {
		params = append(params, p.name())
	}
	p.line("%s:%d = scf.for %s = %%c0 to %s step %%c1 iter_args(%s) -> (%s) {", v, n, p.name(), []string{"%n", "%c2"}[p.r.IntN(2)],
		many(n, func(i int) string { return params[i] + " = " + p.mem() }), types(n))
	p.scoped(func() {
		p.mems = append(p.mems, params...)
		p.body(1+p.r.IntN(4), depth)
		p.line("scf.yield %s : %s", many(n, func(int) string { return p.mem() }), types(n))
	})
	p.line("}")
	p.addResults(v, n)
}

// while counts down by a number that it carries.
func (p *owners) while(depth int) {
	v, k, l, n := p.name(), p.name(), p.name(), 1+p.r.IntN(2)
	params := make([]string, 2*n)
	for i := range params {
		params[i] = p.name()
	}
	p.line("%s:%d = scf.while (%s = %%n, %s) : (index, %s) -> (index, %s) {", v, n+1, k,
		many(n, func(i int) string { return params[i] + " = " + p.mem() }), types(n), types(n))
	p.scoped(func() {
		p.mems = append(p.mems, params[:n]...)
		p.body(p.r.IntN(3), depth)
		c := p.def("arith.cmpi ugt, %s, %%c0 : index", k)
		p.line("scf.condition(%s) %s, %s : index, %s", c, k, many(n, func(int) string { return p.mem() }), types(n))
	})
	p.line("} do {")
	p.line("^bb0(%s: index, %s):", l, many(n, func(i int) string { return params[n+i] + ": memref<?xindex>" }))
	p.scoped(func() {
		p.mems = append(p.mems, params[n:]...)
		p.body(p.r.IntN(3), depth)
		d := p.def("arith.subi %s, %%c1 : index", l)
		p.line("scf.yield %s, %s : index, %s", d, many(n, func(int) string { return p.mem() }), types(n))
	})
	p.line("}")
	for i := range n {
		p.add(fmt.Sprintf("%s#%d", v, i+1))
	}
}
