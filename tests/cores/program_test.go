package cores

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// maker writes a random function of parallel loops without races: an iteration writes the elements of its own
// number, in memory that no other loop of the statement reads.
type maker struct {
	*rand.Rand
	b     strings.Builder
	next  int
	ints  []string // i64 in scope
	reals []string // f64
	index []string
	out   string // what the loops of this statement write, %a or %b, and what they read
	in    string
	traps bool
}

func (m *maker) def(format string, args ...any) string {
	m.next++
	v := fmt.Sprintf("%%v%d", m.next)
	m.line("%s = %s", v, fmt.Sprintf(format, args...))
	return v
}

func (m *maker) line(format string, args ...any) { fmt.Fprintf(&m.b, format+"\n", args...) }

func pick[T any](m *maker, list []T) T { return list[m.IntN(len(list))] }

// scoped restores what is in scope.
func (m *maker) scoped(f func()) {
	i, r, x := len(m.ints), len(m.reals), len(m.index)
	f()
	m.ints, m.reals, m.index = m.ints[:i], m.reals[:r], m.index[:x]
}

// size is how many elements memory has.
const size = 400

// function writes @fN.
func (m *maker) function(n int) {
	m.line("func.func @f%d(%%a: memref<%dxi64>, %%b: memref<%dxi64>, %%n: index, %%k: i64) -> (i64, i64) {", n, size, size)
	for i := range 8 {
		m.line("%%c%d = arith.constant %d : index", i, i)
	}
	m.line("%%i7 = arith.constant 7 : i64\n%%r = arith.constant 1.1 : f64\n%%size = arith.constant %d : index", size)
	m.ints, m.reals, m.index = []string{"%k", "%i7"}, []string{"%r"}, []string{"%n", "%c3"}
	for range 1 + m.IntN(3) {
		m.out, m.in = "%a", "%b"
		if m.IntN(2) == 0 {
			m.out, m.in = m.in, m.out
		}
		if m.IntN(4) == 0 {
			m.line("scf.for %%s%d = %%c0 to %%c2 step %%c1 {", m.next)
			m.next++
			m.scoped(m.parallel)
			m.line("}")
		} else {
			m.parallel()
		}
	}
	m.line("return %s, %s : i64, i64\n}", m.ints[len(m.ints)-1], pick(m, m.ints))
}

// parallel writes a loop over a box of at most size points.
func (m *maker) parallel() {
	dims := 1 + m.IntN(3)
	extent := [][]string{{"%n"}, {"%c7", "%n"}, {"%c3", "%c5", "%n"}}[dims-1]
	var ivs, low, high, step []string
	for d := range dims {
		m.next++
		ivs = append(ivs, fmt.Sprintf("%%p%d", m.next))
		low = append(low, pick(m, []string{"%c0", "%c0", "%c1", "%c2"}))
		high = append(high, extent[d])
		step = append(step, pick(m, []string{"%c1", "%c1", "%c2", "%c3"}))
	}
	var inits, types []string
	if m.IntN(2) == 0 {
		for range 1 + m.IntN(2) {
			if m.IntN(2) == 0 {
				inits, types = append(inits, pick(m, m.ints)), append(types, "i64")
			} else {
				inits, types = append(inits, pick(m, m.reals)), append(types, "f64")
			}
		}
	}
	head := fmt.Sprintf("scf.parallel (%s) = (%s) to (%s) step (%s)", list(ivs), list(low), list(high), list(step))
	result := ""
	if len(inits) > 0 {
		m.next++
		result = fmt.Sprintf("%%w%d", m.next)
		head = fmt.Sprintf("%s:%d = %s init (%s) -> (%s)", result, len(inits), head, list(inits), list(types))
	}
	m.line("%s {", head)
	m.scoped(func() {
		at := "%c0"
		for d, iv := range ivs {
			at = m.def("arith.addi %s, %s : index", m.def("arith.muli %s, %s : index", at, extent[d]), iv)
		}
		m.index = append(m.index, ivs...)
		m.body(at, 2)
		m.combine(types)
	})
	m.line("}")
	for i, t := range types {
		x := fmt.Sprintf("%s#%d", result, i)
		if t == "f64" {
			m.reals = append(m.reals, x)
			x = m.def("arith.bitcast %s : f64 to i64", x)
		}
		m.ints = append(m.ints, x)
	}
}

func list(xs []string) string { return strings.Join(xs, ", ") }

// combine ends a parallel loop.
func (m *maker) combine(types []string) {
	if len(types) == 0 {
		return
	}
	var values []string
	for _, t := range types {
		if t == "f64" {
			values = append(values, m.reals[len(m.reals)-1])
		} else {
			values = append(values, m.ints[len(m.ints)-1])
		}
	}
	var regions []string
	for _, t := range types {
		flags := ""
		op := pick(m, []string{"addi", "muli", "andi", "ori", "xori", "minsi", "maxui", "subi"})
		if t == "f64" {
			op = pick(m, []string{"addf", "addf", "mulf", "subf", "maximumf"})
			if (op == "addf" || op == "mulf") && m.IntN(2) == 0 {
				flags = " fastmath<" + pick(m, []string{"reassoc", "contract", "reassoc, contract"}) + ">"
			}
		}
		m.next++
		regions = append(regions, fmt.Sprintf("{\n^bb0(%%x%[1]d: %[2]s, %%y%[1]d: %[2]s):\n%%z%[1]d = arith.%[3]s %%x%[1]d, %%y%[1]d%[4]s : %[2]s\nscf.reduce.return %%z%[1]d : %[2]s\n}", m.next, t, op, flags))
	}
	m.line("scf.reduce(%s : %s) %s", list(values), list(types), list(regions))
}

// body writes statements of an iteration whose own element is at.
func (m *maker) body(at string, depth int) {
	for range 1 + m.IntN(3) {
		switch m.IntN(9) {
		case 0, 1:
			x := m.def("arith.remui %s, %%size : index", pick(m, m.index))
			m.ints = append(m.ints, m.def("memref.load %s[%s] : memref<%dxi64>", m.in, x, size))
		case 2:
			m.ints = append(m.ints, m.def("memref.load %s[%s] : memref<%dxi64>", m.out, at, size))
		case 3:
			m.ints = append(m.ints, m.def("arith.index_cast %s : index to i64", pick(m, m.index)))
		case 4:
			m.ints = append(m.ints, m.def("arith.%s %s, %s : i64", pick(m, []string{"addi", "subi", "muli", "xori"}), pick(m, m.ints), pick(m, m.ints)))
		case 5:
			m.reals = append(m.reals, m.def("arith.%s %s, %s : f64", pick(m, []string{"addf", "subf", "mulf", "divf"}), pick(m, m.reals), m.def("arith.sitofp %s : i64 to f64", pick(m, m.ints))))
		case 6:
			if m.traps {
				m.ints = append(m.ints, m.def("arith.divsi %%i7, %s : i64", m.def("arith.subi %s, %%k : i64", pick(m, m.ints))))
			}
		case 7:
			if depth > 0 {
				m.inner(at, depth)
			}
		case 8:
			if depth > 0 {
				m.line("scf.if %s {", m.def("arith.cmpi slt, %s, %s : i64", pick(m, m.ints), pick(m, m.ints)))
				m.scoped(func() { m.body(at, depth-1) })
				m.line("}")
			}
		}
	}
	m.line("memref.store %s, %s[%s] : memref<%dxi64>", pick(m, m.ints), m.out, at, size)
}

// inner writes a loop in an iteration, which is one of the iteration's own.
func (m *maker) inner(at string, depth int) {
	m.next++
	iv := fmt.Sprintf("%%q%d", m.next)
	m.line("scf.for %s = %%c0 to %s step %%c2 {", iv, pick(m, []string{"%c5", "%c3", pick(m, m.index)}))
	m.scoped(func() {
		m.index = append(m.index, iv)
		m.body(at, depth-1)
	})
	m.line("}")
}
