package built

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/irtest"
)

// EachLanes is EachNest with what Lanes writes.
func EachLanes(t *testing.T, n int, first uint64, f func(p *RandomNest) bool) (count int) {
	t.Helper()
	return each(t, n, first, Lanes, f)
}

// Lanes writes a random function @f of a loop as vectors are made of, and arguments for it: with sums,
// running sums and counts; elements near to each other, far apart and at places that are read; conditionals
// with and without results; inner loops that end early in some iterations; quotients, and numbers of several
// widths. Floats that are added up in any order are small integers.
func Lanes(seed uint64) (text, args string) {
	r := irtest.NewWriter(seed, 77)
	r.Indent = 1
	m := &laneWriter{Writer: r}
	m.Line("func.func @f(%%n: index, %%x: i64, %%K: memref<64xi64> {llvm.noalias}, %%J: memref<64xi64> {llvm.noalias}, %%F: memref<64xf64> {llvm.noalias}, %%G: memref<8x64xf64> {llvm.noalias}, %%O: memref<64xi64> {llvm.noalias}, %%P: memref<64xf64> {llvm.noalias}, %%S: memref<64xi32> {llvm.noalias}, %%R: memref<64xi64> {llvm.noalias}) {")
	for i := range 8 {
		m.Line("%%c%d = arith.constant %d : index", i, i)
		m.Line("%%i%d = arith.constant %d : i64", i, i)
	}
	m.Line("%%zero = arith.constant 0.0 : f64")
	m.Line("%%half = arith.constant 0.5 : f64")
	m.ints, m.floats = []string{"%x", "%i3"}, []string{"%half"}
	m.loop()
	m.Line("return")
	m.Indent = 0
	m.Line("}")
	list := func(n, low, high int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprint(low + r.IntN(high-low))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	var rows []string
	for range 8 {
		rows = append(rows, list(64, -9, 9))
	}
	high := 64
	if r.IntN(20) == 0 {
		high = 66 // perhaps outside
	}
	return m.String(), fmt.Sprintf("[%d, %d, %s, %s, %s, [%s], %s, %s, %s, %s]", r.IntN(25), r.IntN(9)-3, list(64, -9, 9), list(64, 0, high), list(64, -9, 9),
		strings.Join(rows, ", "), list(64, 0, 9), list(64, 0, 9), list(64, 0, 9), list(64, 0, 9))
}

type laneWriter struct {
	*irtest.Writer
	ints, floats []string // values
	loaded       string   // a float that is a small integer
	inside       int      // regions of the loop
}

func (m *laneWriter) int() string { return m.ints[m.IntN(len(m.ints))] }

func (m *laneWriter) float() string { return m.floats[m.IntN(len(m.floats))] }

// loop writes the loop, with what it carries.
func (m *laneWriter) loop() {
	kinds := []string{}
	for range m.IntN(3) {
		kinds = append(kinds, m.One("addi", "xori", "maxsi", "muli", "float", "running", "runningfloat", "count", "select", "some", "somefloat", "greatest"))
	}
	var inits, types, params, yields []string
	for i, k := range kinds {
		t, init := "i64", m.int()
		switch k {
		case "float", "runningfloat", "somefloat", "greatest":
			t, init = "f64", "%half"
		case "count", "select":
			t, init = "index", "%c"+fmt.Sprint(m.IntN(3))
		}
		params = append(params, fmt.Sprintf("%%p%d", i))
		inits, types = append(inits, params[i]+" = "+init), append(types, t)
	}
	head := fmt.Sprintf("scf.for %%i = %%c%d to %%n step %%c%d", m.IntN(2), 1+m.IntN(6)/5)
	if len(kinds) > 0 {
		head = fmt.Sprintf("%%r:%d = %s iter_args(%s) -> (%s)", len(kinds), head, strings.Join(inits, ", "), strings.Join(types, ", "))
	}
	m.Line("%s {", head)
	m.Indent++
	ints, floats := m.ints, m.floats
	m.inside = 1
	m.loads()
	for range 1 + m.IntN(4) {
		m.statement(2)
	}
	for i, k := range kinds {
		yields = append(yields, m.carried(k, params[i]))
	}
	if len(kinds) > 0 {
		m.Line("scf.yield %s : %s", strings.Join(yields, ", "), strings.Join(types, ", "))
	}
	m.Indent--
	m.ints, m.floats, m.inside = ints, floats, 0
	m.Line("}")
	m.kept(types)
}

// carried is what a round makes of a value that it carries, by kind, and passes on.
func (m *laneWriter) carried(k, from string) string {
	y := m.Name()
	switch k {
	case "float":
		m.Line("%s = arith.%s %s, %s fastmath<reassoc> : f64", y, m.One("addf", "subf"), from, m.loaded)
	case "running":
		m.Line("%s = arith.%s %s, %s : i64", y, m.One("addi", "maxsi"), m.int(), from)
		m.Line("memref.store %s, %%R[%%i] : memref<64xi64>", y)
	case "runningfloat":
		m.Line("%s = arith.addf %s, %s fastmath<reassoc> : f64", y, from, m.loaded)
		m.Line("memref.store %s, %%P[%%i] : memref<64xf64>", y)
	case "count":
		c := m.condition()
		m.Line("%s = scf.if %s -> (index) {", y, c)
		m.Line("  memref.store %s, %%R[%s] : memref<64xi64>", m.int(), from)
		m.Line("  %s_ = arith.addi %s, %%c1 : index", y, from)
		m.Line("  scf.yield %s_ : index", y)
		m.Line("} else {")
		m.Line("  scf.yield %s : index", from)
		m.Line("}")
	case "select":
		c := m.condition()
		m.Line("scf.if %s {", c)
		m.Line("  memref.store %s, %%P[%s] : memref<64xf64>", m.float(), from)
		m.Line("}")
		m.Line("%s_ = arith.addi %s, %%c1 : index", y, from)
		m.Line("%s = arith.select %s, %s_, %s : index", y, c, y, from)
	case "some":
		by := m.One("addi", "muli", "minui")
		m.some(y, from, "i64", 2, func(v, from string) { m.Line("%s = arith.%s %s, %s : i64", v, by, from, m.int()) })
	case "somefloat":
		by := m.One("addf %[3]s, %[2]s", "subf %[2]s, %[3]s")
		m.some(y, from, "f64", 2, func(v, from string) { m.Line("%[1]s = arith."+by+" fastmath<reassoc> : f64", v, from, m.loaded) })
	case "greatest":
		m.Line("%s = arith.%s %s, %s : f64", y, m.One("maximumf", "minimumf", "maxnumf", "minnumf"), from, m.float())
	default:
		m.Line("%s = arith.%s %s, %s : i64", y, k, from, m.int())
	}
	return y
}

// kept stores the results of a loop.
func (m *laneWriter) kept(types []string) {
	for i, t := range types {
		r := fmt.Sprintf("%%r#%d", i)
		switch t {
		case "index":
			v := m.Name()
			m.Line("%s = arith.index_cast %s : index to i64", v, r)
			m.Line("memref.store %s, %%O[%%c%d] : memref<64xi64>", v, i)
		case "i64":
			m.Line("memref.store %s, %%O[%%c%d] : memref<64xi64>", r, i)
		default:
			m.Line("memref.store %s, %%P[%%c%d] : memref<64xf64>", r, i)
		}
	}
}

// some writes a value that conditions combine with something, or leave as it is.
func (m *laneWriter) some(y, from, t string, deep int, combine func(v, from string)) {
	side := func(v string) string {
		switch k := m.IntN(4); {
		case k == 0:
			return from
		case k == 1 && deep > 0:
			m.some(v, from, t, deep-1, combine)
		default:
			combine(v, from)
		}
		return v
	}
	c := m.condition()
	ints, floats := m.ints, m.floats
	if m.IntN(3) == 0 {
		a, b := side(y+"a"), side(y+"b")
		m.Line("%s = arith.select %s, %s, %s : %s", y, c, a, b, t)
		return
	}
	m.Line("%s = scf.if %s -> (%s) {", y, c, t)
	m.Line("  scf.yield %s : %s", side(y+"a"), t)
	m.ints, m.floats = ints, floats
	m.Line("} else {")
	m.Line("  scf.yield %s : %s", side(y+"b"), t)
	m.ints, m.floats = ints, floats
	m.Line("}")
}

// loads reads what later statements use.
func (m *laneWriter) loads() {
	for range 2 + m.IntN(2) {
		m.load()
	}
	v := m.Name()
	m.Line("%s = memref.load %%F[%%i] : memref<64xf64>", v)
	m.loaded, m.floats = v, append(m.floats, v)
}

// place is an index near that of the loop, or far from it.
func (m *laneWriter) place() string {
	v := m.Name()
	switch m.IntN(7) {
	case 0:
		m.Line("%s = arith.addi %%i, %%c%d : index", v, m.IntN(8))
	case 1:
		w := m.Name()
		m.Line("%s = arith.constant %d : index", w, 40+m.IntN(20))
		m.Line("%s = arith.subi %s, %%i : index", v, w)
	case 2:
		m.Line("%s = arith.muli %%i, %%c2 : index", v)
	case 3:
		w := m.Name()
		m.Line("%s = memref.load %%J[%%i] : memref<64xi64>", w)
		m.Line("%s = arith.index_cast %s : i64 to index", v, w)
	case 4:
		return fmt.Sprintf("%%c%d", m.IntN(8))
	default:
		return "%i"
	}
	return v
}

func (m *laneWriter) load() {
	at, v := m.place(), m.Name()
	switch m.IntN(5) {
	case 0, 1:
		m.Line("%s = memref.load %%K[%s] : memref<64xi64>", v, at)
		m.ints = append(m.ints, v)
	case 2:
		m.Line("%s = memref.load %%F[%s] : memref<64xf64>", v, at)
		m.floats = append(m.floats, v)
	case 3:
		m.Line("%s = memref.load %%G[%%c%d, %s] : memref<8x64xf64>", v, m.IntN(8), at)
		m.floats = append(m.floats, v)
	default:
		w := m.Name()
		m.Line("%s = memref.load %%S[%s] : memref<64xi32>", w, at)
		m.Line("%s = arith.extsi %s : i32 to i64", v, w)
		m.ints = append(m.ints, v)
	}
}

func (m *laneWriter) condition() string {
	v := m.Name()
	if m.IntN(3) == 0 {
		m.Line("%s = arith.cmpf %s, %s, %s : f64", v, m.One("olt", "oge", "une"), m.float(), m.float())
	} else {
		m.Line("%s = arith.cmpi %s, %s, %s : i64", v, m.One("slt", "sge", "ne"), m.int(), m.int())
	}
	return v
}

func (m *laneWriter) statement(depth int) {
	v := m.Name()
	switch k := m.IntN(14); {
	case k < 2:
		m.load()
	case k < 4:
		m.Line("%s = arith.%s %s, %s : i64", v, m.One(integerOps...), m.int(), m.int())
		m.ints = append(m.ints, v)
	case k < 6:
		m.Line("%s = arith.%s %s, %s : f64", v, m.One("addf", "mulf", "subf", "maximumf"), m.float(), m.float())
		m.floats = append(m.floats, v)
	case k == 6:
		m.Line("%s = arith.%s %s, %%i%d : i64", v, m.One("divsi", "remsi", "floordivsi"), m.int(), 1+m.IntN(7))
		m.ints = append(m.ints, v)
	case k == 7:
		m.Line("%s = arith.index_cast %%i : index to i64", v)
		m.ints = append(m.ints, v)
	case k == 8 && depth > 0:
		m.branch(depth)
	case k == 9 && depth > 0:
		m.while()
	case k == 10 && depth > 0:
		m.inner(depth)
	case k == 11 && m.inside > 1: // what it divides by is not 0 where it is done
		c, d := m.Name(), m.Name()
		x := m.int()
		m.Line("%s = arith.cmpi ne, %s, %%i0 : i64", c, x)
		m.Line("%s = scf.if %s -> (i64) {", v, c)
		m.Line("  %s = arith.divsi %%x, %s : i64", d, x)
		m.Line("  scf.yield %s : i64", d)
		m.Line("} else {")
		m.Line("  scf.yield %s : i64", m.int())
		m.Line("}")
		m.ints = append(m.ints, v)
	default:
		if at := m.place(); m.IntN(2) == 0 {
			m.Line("memref.store %s, %%O[%s] : memref<64xi64>", m.int(), at)
		} else {
			m.Line("memref.store %s, %%P[%s] : memref<64xf64>", m.float(), at)
		}
	}
}

// within writes some statements in a region; values of them are not seen after it.
func (m *laneWriter) within(depth int, end func()) {
	ints, floats := m.ints, m.floats
	m.Indent++
	m.inside++
	for range 1 + m.IntN(2) {
		m.statement(depth - 1)
	}
	end()
	m.inside--
	m.Indent--
	m.ints, m.floats = ints[:len(ints):len(ints)], floats[:len(floats):len(floats)]
}

func (m *laneWriter) branch(depth int) {
	c, v := m.condition(), m.Name()
	if m.IntN(2) == 0 {
		m.Line("scf.if %s {", c)
		m.within(depth, func() {})
		m.Line("}")
		return
	}
	m.Line("%s:2 = scf.if %s -> (i64, f64) {", v, c)
	yield := func() { m.Line("scf.yield %s, %s : i64, f64", m.int(), m.float()) }
	m.within(depth, yield)
	m.Line("} else {")
	m.within(depth, yield)
	m.Line("}")
	m.ints, m.floats = append(m.ints, v+"#0"), append(m.floats, v+"#1")
}

// while counts a number down.
func (m *laneWriter) while() {
	v, s, f := m.Name(), m.Name(), m.float()
	m.Line("%s = arith.andi %s, %%i7 : i64", s, m.int())
	m.Line("%s:3 = scf.while (%s_y = %s, %s_k = %s, %s_f = %s) : (i64, i64, f64) -> (i64, i64, f64) {", v, v, s, v, m.int(), v, f)
	m.Line("  %s_c = arith.cmpi sgt, %s_y, %%i%d : i64", v, v, m.IntN(2))
	m.Line("  scf.condition(%s_c) %s_y, %s_k, %s_f : i64, i64, f64", v, v, v, v)
	m.Line("} do {")
	m.Line("^bb0(%s_z: i64, %s_l: i64, %s_g: f64):", v, v, v)
	m.Line("  %s_1 = arith.subi %s_z, %%i1 : i64", v, v)
	m.Line("  %s_2 = arith.addi %s_l, %s_z : i64", v, v, v)
	m.Line("  %s_3 = arith.addf %s_g, %s : f64", v, v, m.float())
	if m.IntN(2) == 0 {
		m.Line("  %s_4 = arith.index_cast %s_z : i64 to index", v, v)
		m.Line("  %s_5 = memref.load %%K[%s_4] : memref<64xi64>", v, v)
		m.Line("  scf.yield %s_1, %s_5, %s_3 : i64, i64, f64", v, v, v)
	} else {
		m.Line("  scf.yield %s_1, %s_2, %s_3 : i64, i64, f64", v, v, v)
	}
	m.Line("}")
	m.ints, m.floats = append(m.ints, v+"#1", v+"#0"), append(m.floats, v+"#2")
}

// inner is a loop that carries a number.
func (m *laneWriter) inner(depth int) {
	v, a := m.Name(), m.Name()
	m.Line("%s = scf.for %s_j = %%c%d to %%c%d step %%c1 iter_args(%s = %s) -> (i64) {", v, v, m.IntN(2), 1+m.IntN(4), a, m.int())
	m.within(depth, func() {
		y := m.Name()
		m.Line("%s = arith.%s %s, %s : i64", y, m.One(integerOps...), a, m.int())
		m.Line("scf.yield %s : i64", y)
	})
	m.Line("}")
	m.ints = append(m.ints, v)
}
