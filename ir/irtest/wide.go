package irtest

import "fmt"

// pure prints an op without effects.
func (g *gen) pure() {
	switch g.IntN(5) {
	case 0:
		g.floatOp()
	case 1:
		g.compare()
	case 2:
		g.choose()
	case 3:
		if g.writes {
			g.intOp()
		} else {
			g.load()
		}
	default:
		g.intOp()
	}
}

// vectorOp prints an elementwise op.
func (g *gen) vectorOp() {
	t := g.One(g.vectors...)
	x, y := g.value(t), g.value(t)
	pred := func(op, flags string, n int) string {
		return g.def("vector<4xi1>", `"arith.%s"(%s, %s) <{%spredicate = %d : i64}> : (%s, %s) -> vector<4xi1>`, op, x, y, flags, g.IntN(n), t, t)
	}
	choose := func(c, bits string) {
		s := g.One(g.vectors...)
		g.def(s, `"arith.select"(%s, %s, %s) : (%s, %s, %s) -> %s`, c, g.value(s), g.value(s), bits, s, s, s)
	}
	none := " <{fastmath = #arith.fastmath<none>}>"
	if isFloat(elementOf(t)) {
		switch g.IntN(8) {
		case 0:
			g.resize(elementOf(t), elementOf(g.One(g.vectors[1:]...)), "vector<4x")
		case 1:
			choose(pred("cmpf", "fastmath = #arith.fastmath<none>, ", 16), "vector<4xi1>")
		case 2:
			g.def(t, `"math.fma"(%s, %s, %s)%s : (%s, %s, %s) -> %s`, x, y, g.value(t), none, t, t, t, t)
		default:
			g.binary("arith."+g.One("addf", "subf", "mulf", "divf", "maximumf", "minnumf"), none, t, x, y)
		}
		return
	}
	switch g.IntN(6) {
	case 0:
		choose(pred("cmpi", "", 10), "vector<4xi1>")
	case 1:
		f := g.One(g.vectors[1:]...)
		g.def(f, `"arith.%s"(%s) : (%s) -> %s`, g.One("sitofp", "uitofp"), x, t, f)
	case 2:
		choose(g.value("i1"), "i1")
	default:
		op, flags := g.One("addi", "subi", "muli", "xori", "andi", "ori", "maxsi", "minui"), ""
		if op == "addi" || op == "subi" || op == "muli" {
			flags = " <{overflowFlags = #arith.overflow<none>}>"
		}
		g.binary("arith."+op, flags, t, x, y)
	}
}

// extended prints ops with two results, and casts of bits.
func (g *gen) extended() {
	t := g.One(append([]string{"index"}, g.casts...)...)
	v := g.Name()
	switch op := g.One("mulsi_extended", "mului_extended", "addui_extended", "bitcast"); op {
	case "addui_extended":
		g.Line(`%s:2 = "arith.%s"(%s, %s) : (%s, %s) -> (%s, i1)`, v, op, g.value(t), g.value(t), t, t, t)
		g.bind(v, []string{t, "i1"})
	case "bitcast":
		f := g.One(g.floats...)
		n := fmt.Sprintf("i%d", floatWidth(f))
		if g.Chance(0.5) {
			g.def(f, `"arith.bitcast"(%s) : (%s) -> %s`, g.value(n), n, f)
		} else {
			g.def(n, `"arith.bitcast"(%s) : (%s) -> %s`, g.ordered(f, g.value(f)), f, n)
		}
	default:
		g.Line(`%s:2 = "arith.%s"(%s, %s) : (%s, %s) -> (%s, %s)`, v, op, g.value(t), g.value(t), t, t, t, t)
		g.bind(v, []string{t, t})
	}
}

// flagged prints ops with flags: of integers so small that they do not overflow,
// or not always; of floats that are small integers, so that all is exact.
func (g *gen) flagged() {
	t := g.One(g.many...)
	if g.Chance(0.5) {
		x, y := g.value(t), g.value(t)
		if !g.cfg.Poison || g.Chance(0.7) {
			c := g.def(t, `"arith.constant"() <{value = 63 : %s}> : () -> %s`, t, t)
			x, y = g.binary("arith.andi", "", t, x, c), g.binary("arith.andi", "", t, y, c)
		}
		flags, op := g.One("nsw", "nuw", "nsw, nuw"), g.One("addi", "muli", "subi", "shli")
		switch op {
		case "subi":
			flags = "nsw"
		case "shli":
			c := g.def(t, `"arith.constant"() <{value = 7 : %s}> : () -> %s`, t, t)
			y = g.binary("arith.andi", "", t, y, c)
		}
		g.binary("arith."+op, fmt.Sprintf(" <{overflowFlags = #arith.overflow<%s>}>", flags), t, x, y)
		return
	}
	f := g.One(g.floats...)
	x := g.def(f, `"arith.sitofp"(%s) : (i8) -> %s`, g.value("i8"), f)
	y := g.def(f, `"arith.sitofp"(%s) : (i8) -> %s`, g.value("i8"), f)
	flags := g.One("nnan,ninf", "reassoc", "nnan,ninf,reassoc,contract", "fast")
	g.binary("arith.addf", fmt.Sprintf(" <{fastmath = #arith.fastmath<%s>}>", flags), f, x, y)
}

// unknown prints an op of no dialect.
func (g *gen) unknown() {
	g.ids++
	switch g.IntN(3) {
	case 0:
		t := g.One(g.scalars...)
		x := g.value("i32")
		g.def(t, `"test.op"(%s) {id = %d : i64} : (i32) -> %s`, x, g.ids, t)
	case 1:
		if m, ok := g.memory(true); ok {
			g.Line(`"test.op"(%s) {id = %d : i64} : (%s) -> ()`, m.name, g.ids, m.typ())
			return
		}
		fallthrough
	default:
		g.Line(`"test.op"() {id = %d : i64} : () -> ()`, g.ids)
	}
}
