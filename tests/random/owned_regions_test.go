package random

import (
	"fmt"

	"github.com/irc-lang/irc/ir/irtest"
)

// What owners prints with regions: conditionals, loops and the rest, which hand memory on.

func (p *owners) conditional(depth int) {
	c, v, n := p.cond(), p.Name(), 1+p.IntN(2)
	p.Line("%s:%d = scf.if %s -> (%s) {", v, n, c, types(n))
	for i := range 2 {
		p.scoped(func() {
			p.body(p.IntN(4), depth)
			p.Line("scf.yield %s : %s", irtest.List(n, func(int) string { return p.mem() }), types(n))
		})
		p.Line("}%s", []string{" else {", ""}[i])
	}
	p.addResults(v, n)
}

// others prints an op with regions that is none of the usual: a choice among three, a region
// that runs once, or rounds in any order, which hand nothing on.
func (p *owners) others(depth int) {
	yield := func(end string) {
		p.scoped(func() {
			p.body(p.IntN(3), depth)
			p.Line("%s %s : memref<?xindex>", end, p.mem())
		})
	}
	switch v, at := p.Name(), p.num(); p.IntN(4) {
	case 0:
		p.Line("%s = scf.index_switch %s -> memref<?xindex>", v, at)
		for i := range 3 {
			p.Line("%s {", []string{"case 0", "case 2", "default"}[i])
			yield("scf.yield")
			p.Line("}")
		}
		p.add(v)
	case 1:
		p.Line("%s = scf.execute_region -> memref<?xindex> {", v)
		yield("scf.yield")
		p.Line("}")
		p.add(v)
	case 2:
		p.Line("%s = memref.alloca_scope -> (memref<?xindex>) {", v)
		yield("memref.alloca_scope.return")
		p.Line("}")
		p.add(v)
	default:
		p.Line("scf.parallel (%s) = (%%c0) to (%%n) step (%%c1) {", v)
		p.scoped(func() {
			p.body(1+p.IntN(3), 0)
			p.Line("scf.reduce")
		})
		p.Line("}")
	}
}

func (p *owners) loop(depth int) {
	v, n := p.Name(), 1+p.IntN(2)
	var params []string
	for range n {
		params = append(params, p.Name())
	}
	p.Line("%s:%d = scf.for %s = %%c0 to %s step %%c1 iter_args(%s) -> (%s) {", v, n, p.Name(), []string{"%n", "%c2"}[p.IntN(2)],
		irtest.List(n, func(i int) string { return params[i] + " = " + p.mem() }), types(n))
	p.scoped(func() {
		p.mems = append(p.mems, params...)
		p.body(1+p.IntN(4), depth)
		p.Line("scf.yield %s : %s", irtest.List(n, func(int) string { return p.mem() }), types(n))
	})
	p.Line("}")
	p.addResults(v, n)
}

// while counts down by a number that it carries.
func (p *owners) while(depth int) {
	v, k, l, n := p.Name(), p.Name(), p.Name(), 1+p.IntN(2)
	params := make([]string, 2*n)
	for i := range params {
		params[i] = p.Name()
	}
	p.Line("%s:%d = scf.while (%s = %%n, %s) : (index, %s) -> (index, %s) {", v, n+1, k,
		irtest.List(n, func(i int) string { return params[i] + " = " + p.mem() }), types(n), types(n))
	p.scoped(func() {
		p.mems = append(p.mems, params[:n]...)
		p.body(p.IntN(3), depth)
		c := p.Def("arith.cmpi ugt, %s, %%c0 : index", k)
		p.Line("scf.condition(%s) %s, %s : index, %s", c, k, irtest.List(n, func(int) string { return p.mem() }), types(n))
	})
	p.Line("} do {")
	p.Line("^bb0(%s: index, %s):", l, irtest.List(n, func(i int) string { return params[n+i] + ": memref<?xindex>" }))
	p.scoped(func() {
		p.mems = append(p.mems, params[n:]...)
		p.body(p.IntN(3), depth)
		d := p.Def("arith.subi %s, %%c1 : index", l)
		p.Line("scf.yield %s, %s : index, %s", d, irtest.List(n, func(int) string { return p.mem() }), types(n))
	})
	p.Line("}")
	for i := range n {
		p.add(fmt.Sprintf("%s#%d", v, i+1))
	}
}
