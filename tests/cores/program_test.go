package cores

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir/irtest"
)

// maker writes a random function of parallel loops without races: an iteration writes the elements of its own
// number, in memory that no other loop of the statement reads.
type maker struct {
	*irtest.Writer
	ints  []string // i64 in scope
	reals []string // f64
	index []string
	out   string // what the loops of this statement write, %a or %b, and what they read
	in    string
	traps bool
}

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
	m.Line("func.func @f%d(%%a: memref<%dxi64>, %%b: memref<%dxi64>, %%n: index, %%k: i64) -> (i64, i64) {", n, size, size)
	for i := range 8 {
		m.Line("%%c%d = arith.constant %d : index", i, i)
	}
	m.Line("%%i7 = arith.constant 7 : i64\n%%r = arith.constant 1.1 : f64\n%%size = arith.constant %d : index", size)
	m.ints, m.reals, m.index = []string{"%k", "%i7"}, []string{"%r"}, []string{"%n", "%c3"}
	for range 1 + m.IntN(3) {
		m.out, m.in = "%a", "%b"
		if m.IntN(2) == 0 {
			m.out, m.in = m.in, m.out
		}
		if m.IntN(4) == 0 {
			m.Line("scf.for %s = %%c0 to %%c2 step %%c1 {", m.Name())
			m.scoped(m.parallel)
			m.Line("}")
		} else {
			m.parallel()
		}
	}
	m.Line("return %s, %s : i64, i64\n}", m.ints[len(m.ints)-1], m.One(m.ints...))
}

// parallel writes a loop over a box of at most size points.
func (m *maker) parallel() {
	dims := 1 + m.IntN(3)
	extent := [][]string{{"%n"}, {"%c7", "%n"}, {"%c3", "%c5", "%n"}}[dims-1]
	var ivs, low, high, step []string
	for d := range dims {
		ivs = append(ivs, m.Name())
		low = append(low, m.One("%c0", "%c0", "%c1", "%c2"))
		high = append(high, extent[d])
		step = append(step, m.One("%c1", "%c1", "%c2", "%c3"))
	}
	var inits, types []string
	if m.IntN(2) == 0 {
		for range 1 + m.IntN(2) {
			if m.IntN(2) == 0 {
				inits, types = append(inits, m.One(m.ints...)), append(types, "i64")
			} else {
				inits, types = append(inits, m.One(m.reals...)), append(types, "f64")
			}
		}
	}
	head := fmt.Sprintf("scf.parallel (%s) = (%s) to (%s) step (%s)", list(ivs), list(low), list(high), list(step))
	result := ""
	if len(inits) > 0 {
		result = m.Name()
		head = fmt.Sprintf("%s:%d = %s init (%s) -> (%s)", result, len(inits), head, list(inits), list(types))
	}
	m.Line("%s {", head)
	m.scoped(func() {
		at := "%c0"
		for d, iv := range ivs {
			at = m.Def("arith.addi %s, %s : index", m.Def("arith.muli %s, %s : index", at, extent[d]), iv)
		}
		m.index = append(m.index, ivs...)
		m.body(at, 2)
		m.combine(types)
	})
	m.Line("}")
	for i, t := range types {
		x := fmt.Sprintf("%s#%d", result, i)
		if t == "f64" {
			m.reals = append(m.reals, x)
			x = m.Def("arith.bitcast %s : f64 to i64", x)
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
		op := m.One("addi", "muli", "andi", "ori", "xori", "minsi", "maxui", "subi")
		if t == "f64" {
			op = m.One("addf", "addf", "mulf", "subf", "maximumf")
			if (op == "addf" || op == "mulf") && m.IntN(2) == 0 {
				flags = " fastmath<" + m.One("reassoc", "contract", "reassoc, contract") + ">"
			}
		}
		regions = append(regions, fmt.Sprintf("{\n^bb0(%[1]sx: %[2]s, %[1]sy: %[2]s):\n%[1]s = arith.%[3]s %[1]sx, %[1]sy%[4]s : %[2]s\nscf.reduce.return %[1]s : %[2]s\n}", m.Name(), t, op, flags))
	}
	m.Line("scf.reduce(%s : %s) %s", list(values), list(types), list(regions))
}

// body writes statements of an iteration whose own element is at.
func (m *maker) body(at string, depth int) {
	for range 1 + m.IntN(3) {
		switch m.IntN(9) {
		case 0, 1:
			x := m.Def("arith.remui %s, %%size : index", m.One(m.index...))
			m.ints = append(m.ints, m.Def("memref.load %s[%s] : memref<%dxi64>", m.in, x, size))
		case 2:
			m.ints = append(m.ints, m.Def("memref.load %s[%s] : memref<%dxi64>", m.out, at, size))
		case 3:
			m.ints = append(m.ints, m.Def("arith.index_cast %s : index to i64", m.One(m.index...)))
		case 4:
			m.ints = append(m.ints, m.Def("arith.%s %s, %s : i64", m.One("addi", "subi", "muli", "xori"), m.One(m.ints...), m.One(m.ints...)))
		case 5:
			m.reals = append(m.reals, m.Def("arith.%s %s, %s : f64", m.One("addf", "subf", "mulf", "divf"), m.One(m.reals...), m.Def("arith.sitofp %s : i64 to f64", m.One(m.ints...))))
		case 6:
			if m.traps {
				m.ints = append(m.ints, m.Def("arith.divsi %%i7, %s : i64", m.Def("arith.subi %s, %%k : i64", m.One(m.ints...))))
			}
		case 7:
			if depth > 0 {
				m.inner(at, depth)
			}
		case 8:
			if depth > 0 {
				m.Line("scf.if %s {", m.Def("arith.cmpi slt, %s, %s : i64", m.One(m.ints...), m.One(m.ints...)))
				m.scoped(func() { m.body(at, depth-1) })
				m.Line("}")
			}
		}
	}
	m.Line("memref.store %s, %s[%s] : memref<%dxi64>", m.One(m.ints...), m.out, at, size)
}

// inner writes a loop in an iteration, which is one of the iteration's own.
func (m *maker) inner(at string, depth int) {
	iv := m.Name()
	m.Line("scf.for %s = %%c0 to %s step %%c2 {", iv, m.One("%c5", "%c3", m.One(m.index...)))
	m.scoped(func() {
		m.index = append(m.index, iv)
		m.body(at, depth-1)
	})
	m.Line("}")
}
