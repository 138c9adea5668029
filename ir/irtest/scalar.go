package irtest

import (
	"fmt"
	"strings"
)

func (g *gen) intOp() {
	t := g.One(g.ints...)
	x, y := g.value(t), g.value(t)
	switch op := g.One("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui", "shli", "shrui", "shrsi",
		"divui", "remui", "divsi", "remsi", "ceildivui", "floordivsi", "ceildivsi", "addi", "subi", "muli"); op {
	case "addi", "subi", "muli":
		g.binary("arith."+op, " <{overflowFlags = #arith.overflow<none>}>", t, x, y)
	case "shli", "shrui", "shrsi":
		mask := g.Name()
		g.Line(`%s = "arith.constant"() <{value = %s}> : () -> %s`, mask, g.mask(t), t)
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
	if g.cfg.Traps && g.Chance(0.3) {
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
	if g.cfg.Traps && g.Chance(0.3) {
		return y
	}
	c := g.def(t, `"arith.constant"() <{value = %d : %s}> : () -> %s`, 1+g.IntN(min(100, 1<<(widths[t]-1)-1)), t, t)
	return g.binary("arith.maxsi", "", t, y, c)
}

func (g *gen) floatOp() {
	t := g.One(g.floats...)
	x, y := g.value(t), g.value(t)
	fm := " <{fastmath = #arith.fastmath<none>}>"
	ops := []string{"addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf", "negf", "absf", "sqrt", "fma", "floor", "ceil", "trunc"}
	if g.cfg.Narrow {
		ops = append(ops, "remf", "copysign", "roundeven")
	}
	switch op := g.One(ops...); op {
	case "negf":
		g.def(t, `"arith.negf"(%s)%s : (%s) -> %s`, x, fm, t, t)
	case "copysign":
		g.def(t, `"math.copysign"(%s, %s)%s : (%s, %s) -> %s`, x, g.def(t, `"arith.negf"(%s)%s : (%s) -> %s`, g.ordered(t, y), fm, t, t), fm, t, t, t)
	case "absf", "sqrt", "floor", "ceil", "trunc", "roundeven":
		g.def(t, `"math.%s"(%s)%s : (%s) -> %s`, op, x, fm, t, t)
	case "fma":
		g.def(t, `"math.fma"(%s, %s, %s)%s : (%s, %s, %s) -> %s`, x, y, g.value(t), fm, t, t, t, t)
	default:
		g.binary("arith."+op, fm, t, x, y)
	}
}

func (g *gen) compare() {
	if g.Chance(0.3) {
		t := g.One(g.floats...)
		g.def("i1", `"arith.cmpf"(%s, %s) <{fastmath = #arith.fastmath<none>, predicate = %d : i64}> : (%s, %s) -> i1`, g.value(t), g.value(t), g.IntN(16), t, t)
		return
	}
	t := g.One(g.ints...)
	g.def("i1", `"arith.cmpi"(%s, %s) <{predicate = %d : i64}> : (%s, %s) -> i1`, g.value(t), g.value(t), g.IntN(10), t, t)
}

func (g *gen) choose() {
	t := g.One(g.scalars...)
	g.def(t, `"arith.select"(%s, %s, %s) : (i1, %s, %s) -> %s`, g.value("i1"), g.value(t), g.value(t), t, t, t)
}

func (g *gen) convert() {
	switch g.IntN(6) {
	case 0:
		from, to := g.One(g.sized...), g.One(g.sized...)
		op := ""
		switch {
		case widths[from] < widths[to]:
			op = g.One("extsi", "extui")
		case widths[from] > widths[to]:
			op = "trunci"
		default:
			return
		}
		g.def(to, `"arith.%s"(%s) : (%s) -> %s`, op, g.value(from), from, to)
	case 1:
		t := g.One(g.casts...)
		g.def("index", `"arith.%s"(%s) : (%s) -> index`, g.One("index_cast", "index_castui"), g.value(t), t)
	case 2:
		t := g.One(g.casts...)
		g.def(t, `"arith.index_cast"(%s) : (index) -> %s`, g.value("index"), t)
	case 3:
		f, t := g.One(g.sized...), g.One(g.floats...)
		g.def(t, `"arith.%s"(%s) : (%s) -> %s`, g.One("sitofp", "uitofp"), g.value(f), f, t)
	case 4:
		g.resize(g.One(g.floats...), g.One(g.floats...), "")
	case 5:
		g.toInteger(g.One(g.floats...), g.One(g.casts...))
	}
}

// resize prints a conversion between floats of different sizes, of vectors where shape
// is "vector<4x".
func (g *gen) resize(from, to, shape string) {
	if floatWidth(from) == floatWidth(to) {
		return
	}
	op := "extf"
	if floatWidth(from) > floatWidth(to) {
		op = "truncf"
	}
	close := strings.Repeat(">", min(1, len(shape)))
	from, to = shape+from+close, shape+to+close
	g.def(to, `"arith.%s"(%s) : (%s) -> %s`, op, g.value(from), from, to)
}

// toInteger converts a float. What is out of range is poison, so it is clamped first;
// maxnumf takes NaN away.
func (g *gen) toInteger(f, t string) {
	fm := " <{fastmath = #arith.fastmath<none>}>"
	most := min(100, 1<<(widths[t]-1)-1)
	lo := g.def(f, `"arith.constant"() <{value = -%d.0 : %s}> : () -> %s`, most, f, f)
	hi := g.def(f, `"arith.constant"() <{value = %d.0 : %s}> : () -> %s`, most, f, f)
	x := g.binary("arith.minnumf", fm, f, g.binary("arith.maxnumf", fm, f, g.value(f), lo), hi)
	op := "fptosi"
	if g.Chance(0.3) {
		op, x = "fptoui", g.def(f, `"math.absf"(%s)%s : (%s) -> %s`, x, fm, f, f)
	}
	g.def(t, `"arith.%s"(%s) : (%s) -> %s`, op, x, f, t)
}

// ordered is x, or 0 in place of NaN, whose sign and payload are free.
func (g *gen) ordered(t, x string) string {
	zero := g.def(t, `"arith.constant"() <{value = 0.0 : %s}> : () -> %s`, t, t)
	c := g.def("i1", `"arith.cmpf"(%s, %s) <{fastmath = #arith.fastmath<none>, predicate = 7 : i64}> : (%s, %s) -> i1`, x, x, t, t)
	return g.def(t, `"arith.select"(%s, %s, %s) : (i1, %s, %s) -> %s`, c, x, zero, t, t, t)
}
