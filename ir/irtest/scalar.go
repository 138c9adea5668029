package irtest

import "fmt"

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
