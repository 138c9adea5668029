package irtest

import "fmt"

// pure prints an op without effects.
func (g *gen) pure() {
	switch g.r.IntN(5) {
	case 0:
		g.floatOp()
	case 1:
		g.compare()
	case 2:
		g.choose()
	case 3:
		g.load()
	default:
		g.intOp()
	}
}

// vectorOp prints an elementwise op.
func (g *gen) vectorOp() {
	t := g.pick(vectors)
	x, y := g.value(t), g.value(t)
	if t == "vector<4xf32>" {
		g.binary("arith."+g.pick([]string{"addf", "subf", "mulf", "divf", "maximumf", "minnumf"}), " <{fastmath = #arith.fastmath<none>}>", t, x, y)
		return
	}
	switch g.r.IntN(6) {
	case 0:
		c := g.name()
		g.line(`%s = "arith.cmpi"(%s, %s) <{predicate = %d : i64}> : (%s, %s) -> vector<4xi1>`, c, x, y, g.r.IntN(10), t, t)
		s := g.pick(vectors)
		g.def(s, `"arith.select"(%s, %s, %s) : (vector<4xi1>, %s, %s) -> %s`, c, g.value(s), g.value(s), s, s, s)
	case 1:
		g.def("vector<4xf32>", `"arith.sitofp"(%s) : (%s) -> vector<4xf32>`, x, t)
	case 2:
		s := g.pick(vectors)
		g.def(s, `"arith.select"(%s, %s, %s) : (i1, %s, %s) -> %s`, g.value("i1"), g.value(s), g.value(s), s, s, s)
	default:
		op, flags := g.pick([]string{"addi", "subi", "muli", "xori", "andi", "ori", "maxsi", "minui"}), ""
		if op == "addi" || op == "subi" || op == "muli" {
			flags = " <{overflowFlags = #arith.overflow<none>}>"
		}
		g.binary("arith."+op, flags, t, x, y)
	}
}

// extended prints ops with two results, and casts of bits.
func (g *gen) extended() {
	t := g.pick([]string{"i8", "i16", "i32", "i64", "index"})
	v := g.name()
	switch op := g.pick([]string{"mulsi_extended", "mului_extended", "addui_extended", "bitcast", "fptoui"}); op {
	case "addui_extended":
		g.line(`%s:2 = "arith.%s"(%s, %s) : (%s, %s) -> (%s, i1)`, v, op, g.value(t), g.value(t), t, t, t)
		g.bind(v, []string{t, "i1"})
	case "bitcast":
		g.def("f32", `"arith.bitcast"(%s) : (i32) -> f32`, g.value("i32"))
	case "fptoui":
		x := g.def("f64", `"arith.uitofp"(%s) : (i8) -> f64`, g.value("i8"))
		g.def("i32", `"arith.fptoui"(%s) : (f64) -> i32`, x)
	default:
		g.line(`%s:2 = "arith.%s"(%s, %s) : (%s, %s) -> (%s, %s)`, v, op, g.value(t), g.value(t), t, t, t, t)
		g.bind(v, []string{t, t})
	}
}

// flagged prints ops with flags: of integers so small that they do not overflow,
// or not always; of floats that are small integers, so that all is exact.
func (g *gen) flagged() {
	t := g.pick([]string{"i16", "i32", "i64", "index"})
	if g.chance(0.5) {
		x, y := g.value(t), g.value(t)
		if !g.cfg.Poison || g.chance(0.7) {
			c := g.def(t, `"arith.constant"() <{value = 63 : %s}> : () -> %s`, t, t)
			x, y = g.binary("arith.andi", "", t, x, c), g.binary("arith.andi", "", t, y, c)
		}
		flags, op := g.pick([]string{"nsw", "nuw", "nsw, nuw"}), g.pick([]string{"addi", "muli", "subi", "shli"})
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
	f := g.pick(floats)
	x := g.def(f, `"arith.sitofp"(%s) : (i8) -> %s`, g.value("i8"), f)
	y := g.def(f, `"arith.sitofp"(%s) : (i8) -> %s`, g.value("i8"), f)
	flags := g.pick([]string{"nnan,ninf", "reassoc", "nnan,ninf,reassoc,contract", "fast"})
	g.binary("arith.addf", fmt.Sprintf(" <{fastmath = #arith.fastmath<%s>}>", flags), f, x, y)
}

// unknown prints an op of no dialect.
func (g *gen) unknown() {
	g.ids++
	switch g.r.IntN(3) {
	case 0:
		t := g.pick(scalars)
		x := g.value("i32")
		g.def(t, `"test.op"(%s) {id = %d : i64} : (i32) -> %s`, x, g.ids, t)
	case 1:
		if m, ok := g.memory(true); ok {
			g.line(`"test.op"(%s) {id = %d : i64} : (%s) -> ()`, m.name, g.ids, m.typ())
			return
		}
		fallthrough
	default:
		g.line(`"test.op"() {id = %d : i64} : () -> ()`, g.ids)
	}
}
