package irtest

import (
	"fmt"
	"slices"
)

// raw prints an op whose result nothing else may use.
func (g *gen) raw(format string, args ...any) string {
	v := g.Name()
	g.Line("%s = %s", v, fmt.Sprintf(format, args...))
	return v
}

func (g *gen) i32(n int) string {
	return g.raw(`"arith.constant"() <{value = %d : i32}> : () -> i32`, n)
}

// doubt is a number that may be poison, two more of which something is made, and at the top of a function
// the first as an index below 8, which affine ops take there alone.
type doubt struct{ s, x, y, symbol string }

// poisoned prints control by a number that is poison unless a condition holds: behind a guard that
// asks for that, so that the program is defined; or by the number once it is frozen, and then the
// condition chooses what is made of it.
func (g *gen) poisoned(depth int) {
	x, y := g.value("i32"), g.value("i32")
	s := g.raw(`"arith.addi"(%s, %s) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32`, x, g.i32(1<<31-1))
	ok := g.raw(`"arith.cmpi"(%s, %s) <{predicate = 3 : i64}> : (i32, i32) -> i1`, x, g.i32(0))
	if g.Chance(0.5) {
		s = g.raw(`"arith.xori"(%s, %s) : (i32, i32) -> i32`, s, y)
	}
	r, way := g.Name(), g.IntN(5)
	if way == 4 && g.cfg.NoPrint { // MLIR has no freeze
		way = 0
	} else if way == 4 {
		s = g.raw(`"ub.freeze"(%s) : (i32) -> i32`, s)
	}
	d := doubt{s: s, x: x, y: y}
	if depth == 0 {
		d.symbol = g.few(s, 8)
	}
	switch way {
	case 0, 1:
		g.Line(`%s = "scf.if"(%s) ({`, r, ok)
		g.nested(func() string { return g.inRounds(d) }, "scf.yield")
		g.Line(`}, {`)
		g.nested(func() string { return y }, "scf.yield")
		g.Line(`}) : (i1) -> i32`)
	case 2, 3:
		n := g.raw(`"arith.select"(%s, %s, %s) : (i1, index, index) -> index`, ok, g.unscoped(2), g.unscoped(0))
		g.carrying(r, n, y, func(p string) string {
			return g.raw(`"arith.xori"(%s, %s) : (i32, i32) -> i32`, p, g.inRounds(d))
		})
	default:
		g.Line(`%s = "arith.select"(%s, %s, %s) : (i1, i32, i32) -> i32`, r, ok, g.inRounds(d), y)
	}
	g.vals = append(g.vals, value{r, "i32"})
	g.keep(value{r, "i32"})
}

// nested prints the body of a region that yields a number.
func (g *gen) nested(body func() string, yield string) {
	g.Indent++
	g.Line(`%q(%s) : (i32) -> ()`, yield, body())
	g.Indent--
}

// carrying prints a loop that carries a number.
func (g *gen) carrying(name, n, init string, body func(p string) string) {
	i, p := g.Name(), g.Name()
	g.Line(`%s = "scf.for"(%s, %s, %s, %s) ({`, name, g.unscoped(0), n, g.unscoped(1), init)
	g.Line(`^bb0(%s: index, %s: i32):`, i, p)
	g.nested(func() string { return body(p) }, "scf.yield")
	g.Line(`}) : (index, index, index, i32) -> i32`)
}

// inRounds is control by s, in a loop that does not change it or not.
func (g *gen) inRounds(d doubt) string {
	if g.Chance(0.5) {
		return g.control(d)
	}
	r, n := g.Name(), g.unscoped(g.IntN(3))
	// What is made in the loop may be all that needs s, so control and the number leave it or stay.
	g.carrying(r, n, d.x, func(p string) string {
		return g.raw(`"arith.addi"(%s, %s) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32`, p, g.control(d))
	})
	return r
}

// few is s as an index below a power of two.
func (g *gen) few(s string, n int) string {
	return g.raw(`"arith.index_castui"(%s) : (i32) -> index`, g.raw(`"arith.andi"(%s, %s) : (i32, i32) -> i32`, s, g.i32(n-1)))
}

// control is a number that is made of x and y by control that s decides: a condition, a bound, a
// divisor or an index.
func (g *gen) control(d doubt) string {
	s, x, y := d.s, d.x, d.y
	times := func() string {
		return g.raw(`"arith.muli"(%s, %s) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32`, x, y)
	}
	plain := func() string { return y }
	r := g.Name
	kind := g.IntN(8)
	if d.symbol == "" && (kind == 4 || kind == 5) {
		kind = 0
	}
	switch kind {
	case 0, 1:
		c, v := g.raw(`"arith.cmpi"(%s, %s) <{predicate = %d : i64}> : (i32, i32) -> i1`, s, y, g.IntN(10)), r()
		g.Line(`%s = "scf.if"(%s) ({`, v, c)
		g.nested(times, "scf.yield")
		g.Line(`}, {`)
		g.nested(plain, "scf.yield")
		g.Line(`}) : (i1) -> i32`)
		return v
	case 2:
		u, v := g.few(s, 4), r()
		g.Line(`%s = "scf.index_switch"(%s) <{cases = array<i64: 1, 3>}> ({`, v, u)
		g.nested(plain, "scf.yield")
		g.Line(`}, {`)
		g.nested(times, "scf.yield")
		g.Line(`}, {`)
		g.nested(func() string { return x }, "scf.yield")
		g.Line(`}) : (index) -> i32`)
		return v
	case 3:
		v, n := r(), g.few(s, 4)
		g.carrying(v, n, x, func(p string) string {
			return g.raw(`"arith.muli"(%s, %s) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32`, p, y)
		})
		return v
	case 4:
		u, v, p := d.symbol, r(), r()
		g.Line(`%s = "affine.for"(%s, %s) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 1, 1>, step = 1 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({`, v, u, x)
		g.Line(`^bb0(%s: index, %s: i32):`, r(), p)
		g.nested(func() string { return g.raw(`"arith.xori"(%s, %s) : (i32, i32) -> i32`, p, y) }, "affine.yield")
		g.Line(`}) : (index, i32) -> i32`)
		return v
	case 5:
		u, v := d.symbol, r()
		g.Line(`%s = "affine.if"(%s) ({`, v, u)
		g.nested(times, "affine.yield")
		g.Line(`}, {`)
		g.nested(plain, "affine.yield")
		g.Line(`}) {condition = affine_set<()[s0] : (s0 - 3 >= 0)>} : (index) -> i32`)
		return v
	case 6:
		if i := slices.IndexFunc(g.mems, func(m memory) bool { return m.elem == "i32" && len(m.dims) == 1 }); i >= 0 {
			return g.get(&g.mems[i], []string{g.few(s, g.mems[i].dims[0])})
		}
	}
	divisor := g.raw(`"arith.ori"(%s, %s) : (i32, i32) -> i32`, s, g.i32(1))
	return g.raw(`"arith.%s"(%s, %s) : (i32, i32) -> i32`, g.One("divui", "remui"), x, divisor)
}
