package cores

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir/irtest"
)

// looper writes a random function of loops over collections: what they make is hashed in its order, so that a number tells
// all of it.
type looper struct {
	*irtest.Writer
	traps bool
	free  bool     // some sums of floats may be taken in any order
	sums  []string // results so far
}

// function writes @fN, of a size and a number.
func (m *looper) function(n int) {
	m.Line("func.func @f%d(%%n: index, %%k: i64) -> (i64, i64) {", n)
	for _, c := range []string{"0 : i64", "1 : i64", "2 : i64", "7 : i64", "31 : i64", "33 : i64", "977 : i64", "1103515245 : i64"} {
		m.Line("%%c%s = arith.constant %s", strings.Fields(c)[0], c)
	}
	m.Line("%%tenth = arith.constant 0.1 : f64\n%%text = loop.constant \"abcdefghijklmnopqrstuvwxyz\"")
	// The data: numbers of which many are equal.
	m.Line("%%xs = loop.for %%i < %%n -> collect(i64) {")
	m.Line("%%a = arith.index_cast %%i : index to i64\n%%b = arith.muli %%a, %%c1103515245 : i64\n%%c = arith.addi %%b, %%c977 : i64\n%%d = arith.muli %%c, %%c%s : i64", m.One("977", "31"))
	m.Line("%%e = arith.shrui %%d, %%c%s : i64\n%%f = arith.remui %%e, %%c%s : i64\nloop.yield %%f : i64\n}", m.One("7", "33"), m.One("7", "31", "977", "977"))
	m.sums = nil
	for range 1 + m.IntN(2) {
		m.loop()
	}
	m.Line("return %s, %s : i64, i64\n}", m.sums[len(m.sums)-1], m.One(m.sums...))
}

// made is what a generator makes: values to be hashed.
type made struct {
	generator string   // as text
	given     []string // types of a tuple
	results   []string // types
}

// loop writes a loop with some generators, and what hashes its results.
func (m *looper) loop() {
	var all []made
	for range 1 + m.IntN(3) {
		all = append(all, m.generator())
	}
	if m.IntN(3) == 0 {
		all = []made{m.bucket()}
	}
	var gens, results []string
	for _, g := range all {
		gens = append(gens, g.generator)
		for range g.results {
			results = append(results, m.Name())
		}
	}
	iv := m.Name()
	m.Line("%s = loop.for %s < %%n -> %s {", list(results), iv, list(gens))
	ints, reals := m.values(iv)
	conds := []string{m.condition(ints), m.condition(ints)}
	same := m.IntN(2) == 0
	var ys, ts []string
	for i, g := range all {
		var vs []string
		for _, t := range g.given {
			vs = append(vs, m.valueOf(t, ints, reals))
		}
		how := m.IntN(4)
		if same {
			how = 1
		}
		emit := fmt.Sprintf("!loop.emit<%s>", list(g.given))
		switch {
		case how == 0 && len(all) > 1 || how == 0 && m.IntN(3) == 0:
			e := m.Def("loop.emit %s : %s", list(vs), list(g.given))
			ys, ts = append(ys, e), append(ts, emit)
		default:
			cond := conds[i%2]
			if same {
				cond = conds[0]
			}
			v := m.Name()
			m.Line("%s = scf.if %s -> (%s) {", v, cond, emit)
			if m.IntN(3) == 0 {
				w := m.valueOf("i64", ints, reals)
				x := m.Def("arith.addi %s, %s : i64", w, m.valueOf("i64", ints, reals))
				for j, t := range g.given {
					if t == "i64" {
						vs[j] = x
					}
				}
			}
			if m.traps && m.IntN(2) == 0 {
				for j, t := range g.given {
					if t == "i64" {
						vs[j] = m.Def("arith.divsi %%c977, %s : i64", m.Def("arith.subi %s, %%k : i64", vs[j]))
					}
				}
			}
			x := m.Def("loop.emit %s : %s", list(vs), list(g.given))
			if how == 2 {
				y := m.Def("loop.seq %s, %s : %s", x, x, emit)
				m.Line("scf.yield %s : %s\n} else {", y, emit)
			} else {
				m.Line("scf.yield %s : %s\n} else {", x, emit)
			}
			none := m.Def("loop.none : %s", emit)
			m.Line("scf.yield %s : %s\n}", none, emit)
			ys, ts = append(ys, v), append(ts, emit)
		}
	}
	m.Line("loop.yield %s : %s\n}", list(ys), list(ts))
	at := 0
	for _, g := range all {
		for _, t := range g.results {
			m.hash(results[at], t)
			at++
		}
	}
}

// values are numbers of a round.
func (m *looper) values(iv string) (ints, reals []string) {
	x := m.Def("loop.at %%xs[%s] : !loop.array<i64>", iv)
	ints = []string{x, x, m.Def("arith.index_cast %s : index to i64", iv)}
	for range m.IntN(3) {
		ints = append(ints, m.Def("arith.%s %s, %s : i64", m.One("addi", "muli", "xori"), m.One(ints...), m.One(ints...)))
	}
	if m.traps && m.IntN(2) == 0 {
		ints = append(ints, m.Def("arith.divsi %%c977, %s : i64", m.Def("arith.subi %s, %%k : i64", m.One(ints...))))
	}
	reals = []string{m.Def("arith.mulf %s, %%tenth : f64", m.Def("arith.sitofp %s : i64 to f64", m.One(ints...)))}
	reals = append(reals, m.Def("arith.divf %%tenth, %s : f64", m.Def("arith.addf %s, %%tenth : f64", reals[0])))
	return ints, reals
}

func (m *looper) condition(ints []string) string {
	return m.Def("arith.cmpi %s, %s, %s : i64", m.One("slt", "sgt", "ne"), m.One(ints...), m.One("%c7", "%c31", "%k", m.One(ints...)))
}

// valueOf is a value of a type, as key or to be combined.
func (m *looper) valueOf(t string, ints, reals []string) string {
	switch t {
	case "f64":
		return m.One(reals...)
	case "i8":
		return m.Def("arith.trunci %s : i64 to i8", m.One(ints...))
	case "!loop.string":
		n := m.Def("arith.index_cast %s : i64 to index", m.Def("arith.remui %s, %%c%s : i64", m.One(ints...), m.One("7", "2")))
		return m.Def("loop.slice %%text[%s to %s] : !loop.string", m.Def("arith.subi %s, %s : index", n, n), n)
	}
	return m.One(ints...)
}

func (m *looper) generator() made {
	if m.free && m.IntN(2) == 0 {
		return made{generator: "reduce(" + m.One("add", "add", "mul") + " reassoc : f64)", given: []string{"f64"}, results: []string{"f64"}}
	}
	switch m.IntN(12) {
	case 0, 5, 6:
		return made{generator: "collect(i64)", given: []string{"i64"}, results: []string{"!loop.array<i64>"}}
	case 1, 7:
		return made{generator: "collect(f64, i8)", given: []string{"f64", "i8"}, results: []string{"!loop.array<f64>", "!loop.array<i8>"}}
	case 2, 3, 8, 9:
		return made{generator: "scan(" + m.One("add", "mul", "min", "max", "xor", "and") + " : i64)", given: []string{"i64"}, results: []string{"!loop.array<i64>"}}
	case 4, 10:
		return made{generator: "reduce(" + m.One("add", "mul", "min", "max", "or") + " : i64)", given: []string{"i64"}, results: []string{"i64"}}
	}
	return made{generator: "scan(add : f64)", given: []string{"f64"}, results: []string{"!loop.array<f64>"}}
}

// bucket is a generator of groups.
func (m *looper) bucket() made {
	keys := [][]string{{"i64"}, {"i64"}, {"i8"}, {"i8", "i8"}, {"i64", "i64"}, {"f64"}, {"!loop.string"}, {"!loop.string", "i64"}}[m.IntN(8)]
	g := made{given: keys}
	g.results = append(g.results, fmt.Sprintf("!loop.buckets<%s>", list(keys)))
	var inner []string
	for range 1 + m.IntN(3) {
		kind, t := "reduce("+m.One("add", "mul", "max"), "i64"
		switch m.IntN(6) {
		case 0, 1, 2:
			kind, t = "reduce("+m.One("add", "add", "mul", "max"), "f64"
		case 3:
			if m.IntN(3) == 0 {
				inner = append(inner, "collect(i64)")
				g.given, g.results = append(g.given[:len(g.given):len(g.given)], "i64"), append(g.results, "!loop.array<!loop.array<i64>>")
				continue
			}
		}
		inner = append(inner, kind+" : "+t+")")
		g.given, g.results = append(g.given[:len(g.given):len(g.given)], t), append(g.results, "!loop.array<"+t+">")
	}
	g.generator = fmt.Sprintf("bucket(%s, [%s])", list(keys), list(inner))
	return g
}

// hash makes a number of a result.
func (m *looper) hash(v, t string) {
	switch {
	case t == "i64":
		m.sum(v)
	case t == "f64":
		m.sum(m.bits(v))
	case strings.HasPrefix(t, "!loop.buckets<"):
		keys := strings.Split(strings.TrimSuffix(strings.TrimPrefix(t, "!loop.buckets<"), ">"), ", ")
		for i, k := range keys {
			m.hash(m.Def("loop.keys %s[%d] : %s", v, i, t), "!loop.array<"+k+">")
		}
	default:
		of := strings.TrimSuffix(strings.TrimPrefix(t, "!loop.array<"), ">")
		n := m.Def("loop.len %s : %s", v, t)
		i, out := m.Name(), m.Name()
		m.Line("%s = loop.for %s < %s -> reduce(%%c7 : i64) {", out, i, n)
		x := m.Def("loop.at %s[%s] : %s", v, i, t)
		switch of {
		case "f64":
			x = m.bits(x)
		case "i8":
			x = m.Def("arith.extsi %s : i8 to i64", x)
		case "!loop.string":
			x = m.Def("arith.index_cast %s : index to i64", m.Def("loop.len %s : !loop.string", x))
		case "!loop.array<i64>":
			j, in := m.Name(), m.Name()
			m.Line("%s = loop.for %s < %s -> reduce(%%c31 : i64) {", in, j, m.Def("loop.len %s : %s", x, of))
			y := m.Def("loop.at %s[%s] : %s", x, j, of)
			m.Line("loop.yield %s : i64", y)
			m.combine()
			x = in
		}
		m.Line("loop.yield %s : i64", x)
		m.combine()
		m.sum(out)
	}
}

// bits are those of a float.
func (m *looper) bits(x string) string {
	nan := m.Def("arith.cmpf uno, %s, %s : f64", x, x) // which it is is not said
	return m.Def("arith.select %s, %%c7, %s : i64", nan, m.Def("arith.bitcast %s : f64 to i64", x))
}

// combine is a hash, whose order matters.
func (m *looper) combine() {
	a, b := m.Name(), m.Name()
	m.Line("} combine(%s: i64, %s: i64) {", a, b)
	m.Line("loop.yield %s : i64\n}", m.Def("arith.addi %s, %s : i64", m.Def("arith.muli %s, %%c31 : i64", a), b))
}

// sum adds a number to the results.
func (m *looper) sum(v string) {
	if len(m.sums) > 0 {
		v = m.Def("arith.addi %s, %s : i64", m.Def("arith.muli %s, %%c977 : i64", m.sums[len(m.sums)-1]), v)
	}
	m.sums = append(m.sums, v)
}
