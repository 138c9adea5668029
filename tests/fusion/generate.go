// Package fusion runs random programs of data-parallel loops, fused and as they are written,
// and compares what they give.
package fusion

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Args are the arguments that programs are run with: two sizes, a number, an array.
var Args = []string{
	`[5, 3, 7, [3, -1, 4, 1, 5]]`,
	`[0, 1, -2, []]`,
	`[9, 9, 2, [2, 7, 1, 8, 2, 8, 1, 8, 2]]`,
}

// An array is one that the program has: its elements are numbers or arrays of such.
type array struct {
	name, size string // size is a value, its length
	jagged     bool
}

// writer writes a program.
type writer struct {
	*rand.Rand
	b       strings.Builder
	n       int
	arrays  []array
	scalars []string // i64
	sizes   []string // index
	depth   int
}

const (
	arrayType  = "!loop.array<i64>"
	jaggedType = "!loop.array<!loop.array<i64>>"
	emitType   = "!loop.emit<i64>"
)

func (a array) typ() string {
	if a.jagged {
		return jaggedType
	}
	return arrayType
}

// New writes a program of loops, @f(index, index, i64, array). Few of them trap.
func New(seed uint64, loops int) string {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 77))}
	w.b.WriteString("func.func @f(%n: index, %m: index, %k: i64, %in: !loop.array<i64>) -> (RESULTS) {\n")
	for i, v := range []string{"0", "1", "2", "3", "7"} {
		w.line("%%i%s = arith.constant %s : index", v, v)
		w.line("%%k%d = arith.constant %s : i64", i, v)
		w.scalars = append(w.scalars, fmt.Sprintf("%%k%d", i))
	}
	w.line("%%len = loop.len %%in : %s", arrayType)
	w.sizes = []string{"%n", "%n", "%n", "%m", "%i3", "%len"}
	w.scalars = append(w.scalars, "%k")
	w.arrays = []array{{"%in", "%len", false}}
	for range loops {
		w.statement()
	}
	w.end()
	return w.b.String()
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.b, format+"\n", args...)
}

func (w *writer) name() string {
	w.n++
	return fmt.Sprintf("%%v%d", w.n)
}

func pick[T any](w *writer, list []T) T { // mostly a late one
	if w.IntN(2) == 0 {
		return list[max(0, len(list)-1-w.IntN(3))]
	}
	return list[w.IntN(len(list))]
}

func (w *writer) statement() {
	switch w.IntN(12) {
	case 0:
		w.line("special.print %s : i64", pick(w, w.scalars))
	case 1:
		w.scalars = append(w.scalars, w.number(2, ""))
	case 2:
		w.branch()
	default:
		w.loop()
	}
}

// branch makes a loop or not, and gives a number and an array.
func (w *writer) branch() {
	c, s, a := w.condition(""), w.name(), w.name()
	arrays, scalars, sizes := w.arrays, w.scalars, w.sizes
	side := func() {
		if w.depth++; w.depth < 3 {
			w.loop()
			w.loop()
		}
		w.depth--
		w.line("scf.yield %s, %s : i64, %s", pick(w, w.scalars), w.plain().name, arrayType)
		w.arrays, w.scalars, w.sizes = arrays[:len(arrays):len(arrays)], scalars[:len(scalars):len(scalars)], sizes[:len(sizes):len(sizes)]
	}
	w.line("%s_0, %s_1 = scf.if %s -> (i64, %s) {", s, a, c, arrayType)
	side()
	w.line("} else {")
	side()
	w.line("}")
	w.scalars = append(w.scalars, s+"_0")
	w.measured(array{name: a + "_1"})
}

// plain is an array of numbers.
func (w *writer) plain() array {
	for range 20 {
		if a := pick(w, w.arrays); !a.jagged {
			return a
		}
	}
	return w.arrays[0]
}

// measured adds an array and its length.
func (w *writer) measured(a array) {
	if a.size == "" {
		a.size = w.name()
		w.line("%s = loop.len %s : %s", a.size, a.name, a.typ())
		w.sizes = append(w.sizes, a.size)
	}
	w.arrays = append(w.arrays, a)
}

// condition is a truth value, mostly of a number.
func (w *writer) condition(x string) string {
	if x == "" {
		x = pick(w, w.scalars)
	}
	c := w.name()
	w.line("%s = arith.cmpi %s, %s, %s : i64", c, []string{"slt", "sgt", "ne", "eq"}[w.IntN(4)], x, pick(w, w.scalars))
	return c
}

// number is one made of others by n operations; x, if not "", is among them.
func (w *writer) number(n int, x string) string {
	if x == "" {
		x = pick(w, w.scalars)
	}
	for range n {
		v, y := w.name(), pick(w, w.scalars)
		w.line("%s = arith.%s %s, %s : i64", v, []string{"addi", "subi", "muli", "xori", "andi"}[w.IntN(5)], x, y)
		x = v
	}
	return x
}

func (w *writer) end() {
	var types, vals []string
	for _, s := range w.scalars[max(0, len(w.scalars)-4):] {
		types, vals = append(types, "i64"), append(vals, s)
	}
	for _, a := range w.arrays[1:] {
		if w.IntN(3) == 0 {
			types, vals = append(types, a.typ()), append(vals, a.name)
		}
	}
	w.line("return %s : %s\n}", strings.Join(vals, ", "), strings.Join(types, ", "))
	text := strings.Replace(w.b.String(), "RESULTS", strings.Join(types, ", "), 1)
	w.b.Reset()
	w.b.WriteString(text)
}
