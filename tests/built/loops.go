package built

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir/irtest"
)

// Loops writes a random function @f of loops as passes over loops meet them, in MLIR's dialects affine or scf, and
// arguments for it: nests that are rectangular or triangular, perfect or with something between; one after
// the other with the same bounds; with accesses near to each other, updates and values that are carried.
// Nearly all accesses are inside of the memory. All numbers are integers.
func Loops(seed uint64) (text, args string) {
	r := irtest.NewWriter(seed, 16)
	r.Indent = 1
	m := &loopWriter{nest: nest{Writer: r, affine: r.IntN(2) == 0, n: r.Int64N(6), k: 1 + r.Int64N(3), values: []string{"%x"}}}
	noalias := " {llvm.noalias}"
	if r.IntN(40) == 0 {
		noalias = ""
	}
	fmt.Fprintf(m, "func.func @f(%%n: index, %%k: index, %%x: i64, %%A: memref<12x12xi64>%s, %%B: memref<?x12xi64>%s, %%C: memref<12xi64>%s) {\n", noalias, noalias, noalias)
	for i := range 8 {
		m.Line("%%c%d = arith.constant %d : index", i, i)
	}
	m.Line("%%two = arith.constant 2 : i64")
	m.bounds = m.someBounds(0)
	for range 1 + r.IntN(3) {
		m.nestOf(0, 1+r.IntN(3))
	}
	for _, v := range m.values[1:] { // what the loops give
		m.Line("memref.store %s, %%C[%%c%d] : memref<12xi64>", v, r.IntN(8))
	}
	m.Line("return\n}")
	list := func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprint(r.IntN(40) - 20)
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	rows := func() string {
		var out []string
		for range 12 {
			out = append(out, list(12))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	return m.String(), fmt.Sprintf("[%d, %d, %d, %s, %s, %s]", m.n, m.k, r.IntN(9), rows(), rows(), list(12))
}

type loopWriter struct {
	nest
	bounds [3]loopBounds // of the loops by their depth
}

// loopBounds are a lower and an upper bound, as affine and other dialects write them, and a step.
type loopBounds struct {
	affine string
	values [2]string
	step   int
	most   int64 // that the index is
}

// someBounds are those of loops at some depth and below: the upper bound may be the index of the loop around.
func (m *loopWriter) someBounds(depth int) (out [3]loopBounds) {
	for d := depth; d < 3; d++ {
		b := loopBounds{step: 1 + m.IntN(5)/4}
		low := m.IntN(3)
		high := low + m.IntN(6-low) + m.IntN(2)
		b.values = [2]string{fmt.Sprintf("%%c%d", low), fmt.Sprintf("%%c%d", high)}
		b.affine, b.most = fmt.Sprintf("%d to %d", low, high), int64(max(high-1, 0))
		if m.IntN(3) == 0 {
			b.affine, b.values[1], b.most = fmt.Sprintf("%d to %%n", low), "%n", 5
		} else if m.affine && m.IntN(4) == 0 {
			b.affine = fmt.Sprintf("%d to min affine_map<()[s0] -> (s0 + %d, %d)>()[%%n]", low, m.IntN(3), high)
		}
		out[d] = b
	}
	return out
}

// nestOf writes a loop at a depth, with others in it.
func (m *loopWriter) nestOf(depth, deepest int) {
	b := m.bounds[depth]
	if m.IntN(5) == 0 {
		b = m.someBounds(depth)[depth]
	}
	if depth > 0 && m.IntN(5) == 0 { // triangular
		around := m.ivs[len(m.ivs)-1]
		low := m.IntN(2)
		b.values, b.most = [2]string{fmt.Sprintf("%%c%d", low), around.value}, around.high
		b.affine = fmt.Sprintf("%d to affine_map<(d0) -> (d0 + 0)>(%s)", low, around.value)
	}
	i := fmt.Sprintf("%%i%03d", m.Names)
	v, a := m.Name(), m.Name()
	text := fmt.Sprintf("%s.for %s = ", m.prefix(), i)
	if m.affine {
		text += fmt.Sprintf("%s step %d", b.affine, b.step)
	} else {
		text += fmt.Sprintf("%s to %s step %%c%d", b.values[0], b.values[1], b.step)
	}
	carries := m.IntN(5) == 0
	outer := len(m.values)
	if carries {
		m.Line("%s = %s iter_args(%s = %s) -> (i64) {", v, text, a, m.value())
		m.values = append(m.values, a)
	} else {
		m.Line("%s {", text)
	}
	m.Indent++
	m.ivs = append(m.ivs, spread{i, i, 0, b.most})
	last := m.inLoop(depth, deepest)
	if carries {
		y := m.Name()
		if last == "" || m.IntN(2) == 0 {
			last = m.value()
		}
		m.Line("%s = arith.%s %s, %s : i64", y, m.One(integerOps...), a, last)
		m.Line("%s.yield %s : i64", m.prefix(), y)
	}
	m.Indent--
	m.ivs, m.values = m.ivs[:len(m.ivs)-1], m.values[:outer]
	m.Line("}")
	if carries {
		m.values = append(m.values, v)
	}
}

// inLoop writes what is in a loop.
func (m *loopWriter) inLoop(depth, deepest int) (last string) {
	if depth+1 < deepest {
		if m.IntN(5) == 0 {
			last = m.statement()
		} else if m.IntN(4) == 0 {
			last = m.near()
			m.values = append(m.values, last)
		}
		m.nestOf(depth+1, deepest)
		if m.IntN(7) == 0 {
			last = m.statement()
		}
		return last
	}
	for range 1 + m.IntN(3) {
		last = m.statement()
	}
	return last
}

// near reads an element.
func (m *loopWriter) near() string { return m.load(m.place()) }

// place is an element near the indices.
func (m *loopWriter) place() (array, inline, values, typ string) {
	n := 2
	switch m.IntN(4) {
	case 0:
		array, typ, n = "%C", "memref<12xi64>", 1
	case 1, 2:
		array, typ = "%A", "memref<12x12xi64>"
	default:
		array, typ = "%B", "memref<?x12xi64>"
	}
	var in, vs []string
	for range n {
		x := m.ivs[m.IntN(len(m.ivs))]
		if m.IntN(12) == 0 {
			x = m.atom()
		}
		if m.IntN(3) == 0 {
			c := m.Int64N(4)
			if m.IntN(40) == 0 {
				c = 9 // perhaps outside
			}
			x = spread{fmt.Sprintf("%s + %d", x.inline, c), m.op2("addi", x.value, c), x.low + c, x.high + c}
		} else if m.IntN(8) == 0 {
			x = m.wrap(spread{fmt.Sprintf("%s - 1", x.inline), m.op2("subi", x.value, 1), 0, 0}, 5)
		} else if len(m.ivs) > 1 && m.IntN(8) == 0 {
			y := m.ivs[m.IntN(len(m.ivs))]
			v := ""
			if !m.affine {
				v = m.Name()
				m.Line("%s = arith.addi %s, %s : index", v, x.value, y.value)
			}
			x = spread{fmt.Sprintf("%s + %s", x.inline, y.inline), v, 0, x.high + y.high}
		}
		in, vs = append(in, x.inline), append(vs, x.value)
	}
	return array, strings.Join(in, ", "), strings.Join(vs, ", "), typ
}

// statement writes to memory what it computes, perhaps under a condition, and gives that.
func (m *loopWriter) statement() string {
	if len(m.ivs) > 0 && m.IntN(10) == 0 {
		c, d := m.Name(), m.Name()
		m.Line("%s = arith.index_cast %s : index to i64", c, m.ivs[m.IntN(len(m.ivs))].value)
		m.Line("%s = arith.cmpi slt, %s, %%two : i64", d, c)
		m.Line("scf.if %s {", d)
		values := len(m.values)
		m.Indent++
		m.statement()
		m.Indent--
		m.values = m.values[:values]
		m.Line("}")
		return m.value()
	}
	a, in, vs, t := m.place()
	x, z := "", m.Name()
	if m.IntN(2) == 0 {
		x = m.near()
	} else {
		x = m.value()
	}
	switch m.IntN(3) {
	case 0: // an update
		y := m.load(a, in, vs, t)
		m.Line("%s = arith.%s %s, %s : i64", z, m.One(integerOps...), y, x)
	case 1:
		m.Line("%s = arith.%s %s, %%two : i64", z, m.One(integerOps...), x)
	default:
		c := m.Name()
		m.Line("%s = arith.index_cast %s : index to i64", c, m.ivs[m.IntN(len(m.ivs))].value)
		m.Line("%s = arith.addi %s, %s : i64", z, c, x)
	}
	m.store(z, a, in, vs, t)
	return z
}
