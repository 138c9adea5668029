package built

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir/irtest"
)

// Nest writes a random function @f of loops that are affine, or nearly so, in MLIR's dialects affine
// or scf, and arguments for it. Loops are triangular, with minima, maxima and steps, under
// conditions and in them, carry values, and update what they read; a few accesses are outside
// of the memory or have an index that is computed. All numbers are integers.
func Nest(seed uint64) (text, args string) {
	r := irtest.NewWriter(seed, 41)
	r.Indent = 1
	m := &nest{Writer: r, affine: r.IntN(2) == 0, n: r.Int64N(6), k: 1 + r.Int64N(4), values: []string{"%x"}}
	fmt.Fprintf(m, "func.func @f(%%n: index, %%k: index, %%x: i64, %%A: memref<24xi64>%s, %%B: memref<?x?xi64>%s, %%C: memref<i64>%s) -> i64 {\n",
		m.apart(), m.apart(), m.apart())
	for i := range 4 {
		m.Line("%%c%d = arith.constant %d : index", i, i)
	}
	m.Line("%%one = arith.constant 1 : i64")
	m.Line("%%mask = arith.constant 7 : i64")
	m.body(2+r.IntN(2), 1+r.IntN(2))
	m.Line("return %s : i64\n}", m.value())
	list := func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprint(r.IntN(40) - 20)
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	var rows []string
	for range 10 {
		rows = append(rows, list(9))
	}
	return m.String(), fmt.Sprintf("[%d, %d, %d, %s, [%s], %d]", m.n, m.k, r.IntN(9), list(24), strings.Join(rows, ", "), r.IntN(9))
}

// A nest is a function that is being written.
type nest struct {
	*irtest.Writer
	affine bool
	n, k   int64
	ivs    []spread
	values []string
}

// A spread is an index as it is written for affine ops, for others, and what it may be.
type spread struct {
	inline    string
	value     string
	low, high int64
}

// sizes of the arrays.
var (
	sizesA = []int64{24}
	sizesB = []int64{10, 9}
)

func (m *nest) apart() string {
	if m.IntN(30) == 0 {
		return ""
	}
	return " {llvm.noalias}"
}

func (m *nest) value() string { return m.values[m.IntN(len(m.values))] }

// atom is an index of a loop, a parameter or a number.
func (m *nest) atom() spread {
	if len(m.ivs) > 0 && m.IntN(6) > 0 {
		return m.ivs[m.IntN(len(m.ivs))]
	}
	switch m.IntN(3) {
	case 0:
		return spread{"symbol(%n)", "%n", m.n, m.n}
	case 1:
		return spread{"symbol(%k)", "%k", m.k, m.k}
	}
	c := m.Int64N(4)
	return spread{fmt.Sprint(c), fmt.Sprintf("%%c%d", c), c, c}
}

// op2 writes an op of an index and a number for dialects other than affine.
func (m *nest) op2(op string, x string, c int64) string {
	if m.affine {
		return ""
	}
	k, v := m.Name(), m.Name()
	m.Line("%s = arith.constant %d : index", k, c)
	m.Line("%s = arith.%s %s, %s : index", v, op, x, k)
	return v
}

// index is an affine expression.
func (m *nest) index(depth int) spread {
	x := m.atom()
	for range m.IntN(depth + 1) {
		switch m.IntN(6) {
		case 0:
			c := m.Int64N(4) - 1
			x = spread{fmt.Sprintf("%s + %d", x.inline, c), m.op2("addi", x.value, c), x.low + c, x.high + c}
		case 1, 2:
			y := m.atom()
			v := ""
			op, sign := "addi", "+"
			low, high := x.low+y.low, x.high+y.high
			if m.IntN(2) == 0 {
				op, sign, low, high = "subi", "-", x.low-y.high, x.high-y.low
			}
			if !m.affine {
				v = m.Name()
				m.Line("%s = arith.%s %s, %s : index", v, op, x.value, y.value)
			}
			x = spread{fmt.Sprintf("%s %s (%s)", x.inline, sign, y.inline), v, low, high}
		case 3:
			x = spread{fmt.Sprintf("(%s) * 2", x.inline), m.op2("muli", x.value, 2), 2 * x.low, 2 * x.high}
		case 4:
			c := 2 + m.Int64N(2)
			x = spread{fmt.Sprintf("(%s) floordiv %d", x.inline, c), m.op2("floordivsi", x.value, c), floor(x.low, c), floor(x.high, c)}
		default:
			x = m.wrap(x, 2+m.Int64N(4))
		}
	}
	return x
}

func floor(x, c int64) int64 {
	if x < 0 {
		return -((-x + c - 1) / c)
	}
	return x / c
}

// wrap is an index modulo a number.
func (m *nest) wrap(x spread, c int64) spread {
	v := ""
	if !m.affine {
		q := m.op2("floordivsi", x.value, c)
		p := m.op2("muli", q, c)
		v = m.Name()
		m.Line("%s = arith.subi %s, %s : index", v, x.value, p)
	}
	return spread{fmt.Sprintf("(%s) mod %d", x.inline, c), v, 0, c - 1}
}

// element writes an array and subscripts, which are nearly always in it.
func (m *nest) element() (array, inline, values, typ string) {
	var sizes []int64
	switch m.IntN(8) {
	case 0:
		return "%C", "", "", "memref<i64>"
	case 1, 2, 3:
		array, sizes, typ = "%A", sizesA, "memref<24xi64>"
	default:
		array, sizes, typ = "%B", sizesB, "memref<?x?xi64>"
	}
	var in, vs []string
	for _, size := range sizes {
		x := m.index(2)
		if (x.low < 0 || x.high >= size) && m.IntN(60) > 0 {
			x = m.wrap(x, size)
		}
		in, vs = append(in, x.inline), append(vs, x.value)
	}
	return array, strings.Join(in, ", "), strings.Join(vs, ", "), typ
}

func (m *nest) load(array, inline, values, typ string) string {
	v := m.Name()
	if m.affine {
		m.Line("%s = affine.load %s[%s] : %s", v, array, inline, typ)
	} else {
		m.Line("%s = memref.load %s[%s] : %s", v, array, values, typ)
	}
	return v
}

func (m *nest) store(x, array, inline, values, typ string) {
	if m.affine {
		m.Line("affine.store %s, %s[%s] : %s", x, array, inline, typ)
	} else {
		m.Line("memref.store %s, %s[%s] : %s", x, array, values, typ)
	}
}

var integerOps = []string{"addi", "addi", "subi", "muli", "xori", "maxsi", "minsi", "andi", "ori"}

// compute makes a value.
func (m *nest) compute() string {
	switch m.IntN(6) {
	case 0, 1, 2:
		return m.load(m.element())
	case 3:
		if len(m.ivs) > 0 {
			v := m.Name()
			m.Line("%s = arith.index_cast %s : index to i64", v, m.ivs[m.IntN(len(m.ivs))].value)
			return v
		}
	case 4:
		if m.IntN(3) == 0 { // an index that is computed
			a, i, v := m.Name(), m.Name(), m.Name()
			m.Line("%s = arith.andi %s, %%mask : i64", a, m.value())
			m.Line("%s = arith.index_cast %s : i64 to index", i, a)
			m.Line("%s = memref.load %%A[%s] : memref<24xi64>", v, i)
			return v
		}
	}
	v := m.Name()
	m.Line("%s = arith.%s %s, %s : i64", v, m.One(integerOps...), m.value(), m.value())
	return v
}

// body writes some ops.
func (m *nest) body(depth, n int) {
	for range n {
		m.op(depth)
	}
}

// inside writes ops whose values are not seen after them, and a value.
func (m *nest) inside(depth int, end func()) {
	values := len(m.values)
	m.Indent++
	m.body(depth, 1+m.IntN(2))
	end()
	m.Indent--
	m.values = m.values[:values]
}

func (m *nest) op(depth int) {
	kind := m.IntN(10)
	if depth == 0 {
		kind %= 4
	} else if len(m.ivs) == 0 {
		kind = 4 + kind%6
	}
	switch kind {
	case 0:
		m.values = append(m.values, m.compute())
	case 1, 2:
		x := m.compute()
		a, in, vs, t := m.element()
		m.store(x, a, in, vs, t)
	case 3:
		x := m.compute()
		a, in, vs, t := m.element()
		y, z := m.load(a, in, vs, t), m.Name()
		m.Line("%s = arith.%s %s, %s : i64", z, m.One(integerOps...), y, x)
		m.store(z, a, in, vs, t)
	case 4:
		m.branch(depth)
	default:
		m.loop(depth)
	}
}

func (m *nest) prefix() string {
	if m.affine {
		return "affine"
	}
	return "scf"
}

func (m *nest) branch(depth int) {
	x := m.index(1)
	cond := ""
	if m.affine {
		m.Line("%%w%d = affine.apply affine_map<(d0)[s0, s1] -> (d0)>(%s)[%%n, %%k]", m.Names+1, m.applied(x))
		m.Names++
		cond = fmt.Sprintf("affine_set<(d0) : (%s)>(%%w%d)", m.One("d0 - 2 >= 0", "-d0 + 1 >= 0", "d0 - 1 == 0", "d0 mod 2 == 0"), m.Names)
	} else {
		cond = m.Name()
		m.Line("%s = arith.cmpi %s, %s, %%c%d : index", cond, m.One("sge", "slt", "eq", "ne"), x.value, 1+m.IntN(2))
	}
	yields := m.IntN(3) == 0
	result, typ := "", ""
	if yields {
		result = m.Name()
		typ = " -> i64"
		m.Line("%s = %s.if %s%s {", result, m.prefix(), cond, typ)
	} else {
		m.Line("%s.if %s {", m.prefix(), cond)
	}
	end := func() {
		if yields {
			m.Line("%s.yield %s : i64", m.prefix(), m.value())
		}
	}
	m.inside(depth-1, end)
	if yields || m.IntN(2) == 0 {
		m.Line("} else {")
		m.inside(depth-1, end)
	}
	m.Line("}")
	if yields {
		m.values = append(m.values, result)
	}
}

// applied makes a value of an affine expression.
func (m *nest) applied(x spread) string {
	if x.value != "" {
		return x.value
	}
	// The text of subscripts has values where a map has dimensions.
	text, dims := x.inline, []string{}
	for i, iv := range m.ivs {
		text = strings.ReplaceAll(text, iv.inline, fmt.Sprintf("d%d", i))
		dims = append(dims, fmt.Sprintf("d%d", i))
	}
	text = strings.NewReplacer("symbol(%n)", "s0", "symbol(%k)", "s1").Replace(text)
	var args []string
	for _, iv := range m.ivs {
		args = append(args, iv.value)
	}
	v := m.Name()
	m.Line("%s = affine.apply affine_map<(%s)[s0, s1] -> (%s)>(%s)[%%n, %%k]", v, strings.Join(dims, ", "), text, strings.Join(args, ", "))
	return v
}

func (m *nest) loop(depth int) {
	bounds, low, high := m.bounds()
	step := 1 + m.Int64N(5)/3
	i, v, a := fmt.Sprintf("%%i%03d", m.Names), m.Name(), m.Name()
	carries := m.IntN(3) == 0
	text := m.head(i, bounds, step)
	var in, out []string // what a loop carries, in it and behind it
	switch {
	case carries && m.Names%2 == 0: // two, one of which may be what the other was
		b := m.Name()
		in, out = []string{a, b}, []string{v + "#0", v + "#1"}
		m.Line("%s:2 = %s iter_args(%s = %s, %s = %s) -> (i64, i64) {", v, text, a, m.value(), b, m.value())
	case carries:
		in, out = []string{a}, []string{v}
		m.Line("%s = %s iter_args(%s = %s) -> (i64) {", v, text, a, m.value())
	default:
		m.Line("%s {", text)
	}
	outer := len(m.values)
	m.ivs = append(m.ivs, spread{i, i, low, max(high, low)})
	m.values = append(m.values, in...)
	m.inside(depth-1, func() {
		if !carries {
			return
		}
		y := m.Name()
		m.Line("%s = arith.%s %s, %s : i64", y, m.One(integerOps...), a, m.value())
		if len(in) > 1 {
			m.Line("%s.yield %s, %s : i64, i64", m.prefix(), y, m.value())
			return
		}
		m.Line("%s.yield %s : i64", m.prefix(), y)
	})
	m.Line("}")
	m.ivs, m.values = m.ivs[:len(m.ivs)-1], append(m.values[:outer], out...)
}

// bounds are the lower and upper bounds of a loop, and between which numbers its index lies.
func (m *nest) bounds() (bounds [2][]string, low, high int64) {
	low, high = -100, 100
	for b := range 2 {
		for range 1 + m.IntN(4)/3 {
			x := m.index(1)
			if b == 1 && m.IntN(2) == 0 {
				x = spread{"symbol(%n)", "%n", m.n, m.n}
			}
			if b == 0 && m.IntN(2) == 0 {
				x = spread{"0", "%c0", 0, 0}
			}
			bounds[b] = append(bounds[b], m.applied(x))
			if b == 0 {
				low = max(low, x.low)
			} else {
				high = min(high, x.high-1)
			}
		}
	}
	return bounds, low, high
}

// head is how a loop begins.
func (m *nest) head(i string, bounds [2][]string, step int64) string {
	if m.affine {
		side := func(word string, list []string) string {
			var dims []string
			for k := range list {
				dims = append(dims, fmt.Sprintf("d%d", k))
			}
			d := strings.Join(dims, ", ")
			return fmt.Sprintf("%s affine_map<(%s) -> (%s)>(%s)", word, d, d, strings.Join(list, ", "))
		}
		return fmt.Sprintf("affine.for %s = %s to %s step %d", i, side("max", bounds[0]), side("min", bounds[1]), step)
	}
	for b, op := range []string{"maxsi", "minsi"} {
		for len(bounds[b]) > 1 {
			x := m.Name()
			m.Line("%s = arith.%s %s, %s : index", x, op, bounds[b][0], bounds[b][1])
			bounds[b] = append(bounds[b][2:], x)
		}
	}
	return fmt.Sprintf("scf.for %s = %s to %s step %%c%d", i, bounds[0][0], bounds[1][0], step)
}
