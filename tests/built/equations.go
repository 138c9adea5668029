package built

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Equations is a random program of equations with reductions, of one parameter or two: over domains
// of up to four dimensions that are boxes, triangles, bands and what hyperplanes leave of them; with
// operators that have an inverse and others; of integers, floats and conditions; whose bodies
// read data along some directions and not along others; one or two into an array; some that read what
// others made, or what is made of it. args are sizes and data: floats of which sums and products are exact,
// so that no order of summation shows, and integers, of which in some programs they wrap around. Half of the programs of floats
// add nothing up, and have NaN and infinities among their data.
func Equations(seed uint64) (text, args string) {
	e := &equations{Rand: rand.New(rand.NewPCG(seed, 15)), sizes: map[string]int{"N": 0}, bounds: map[string]string{}}
	e.sizes["N"] = 1 + e.IntN(6)
	if e.IntN(4) == 0 {
		e.sizes["M"] = 1 + e.IntN(5)
	}
	e.params = slices.Sorted(maps.Keys(e.sizes))
	slices.Reverse(e.params)
	e.elem = pick(e, "i64", "i64", "i64", "f64")
	e.special = e.elem == "f64" && seed%2 == 0
	e.program()
	return e.text, e.args()
}

type equations struct {
	*rand.Rand
	text    string
	elem    string
	special bool // NaN and infinities are among the data
	params  []string
	sizes   map[string]int    // of the parameters
	bounds  map[string]string // of the variables of an equation: parameters
	outputs []output
	decls   strings.Builder
	body    strings.Builder
}

// An output is an array that is defined.
type output struct {
	name, elem string
	dims       []string // parameters
	sum        bool     // its elements are sums of data, which may be added and multiplied
}

// args has sizes, data, and room for outputs.
func (e *equations) args() string {
	var parts []string
	room := 8
	for _, p := range e.params {
		parts = append(parts, fmt.Sprint(e.sizes[p]))
		room += 4 * e.sizes[p]
	}
	wide := e.elem == "i64" && e.IntN(4) == 0
	list := func() string {
		var xs []string
		for range room {
			switch x := e.IntN(9) - 4; {
			case wide:
				xs = append(xs, fmt.Sprint(int64(e.Uint64())))
			case e.special && x%2 == 0:
				xs = append(xs, map[int]string{-4: `"-Infinity"`, -2: "0.5", 0: `"NaN"`, 2: "-1", 4: `"Infinity"`}[x])
			case e.elem == "f64":
				xs = append(xs, fmt.Sprint(float64(x)/2))
			default:
				xs = append(xs, fmt.Sprint(x))
			}
		}
		return "[" + strings.Join(xs, ", ") + "]"
	}
	parts = append(parts, list())
	var rows []string
	for range room {
		rows = append(rows, list())
	}
	parts = append(parts, "["+strings.Join(rows, ", ")+"]")
	for _, o := range e.outputs {
		var sizes []int
		for _, d := range o.dims {
			sizes = append(sizes, e.sizes[d])
		}
		parts = append(parts, zeros(sizes, map[bool]string{true: "false", false: "0"}[o.elem == "i1"]))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// zeros is room for an output.
func zeros(sizes []int, zero string) string {
	if len(sizes) == 0 {
		return zero
	}
	var xs []string
	for range sizes[0] {
		xs = append(xs, zeros(sizes[1:], zero))
	}
	return "[" + strings.Join(xs, ", ") + "]"
}

// pick is one of several.
func pick[T any](e *equations, xs ...T) T { return xs[e.IntN(len(xs))] }

func (e *equations) program() {
	for k := range 1 + e.IntN(2) {
		name := fmt.Sprintf("X%d", k)
		switch e.IntN(10) {
		case 0, 1:
			e.dependent(name)
		case 2:
			e.bothWays(name)
		case 3:
			e.window(name)
		default:
			e.independent(name)
		}
	}
	var context []string
	all := "8"
	for _, p := range e.params {
		context = append(context, p+" >= 1")
		all += " + 4*" + p
	}
	e.text = fmt.Sprintf("program p(%s) : %s {\n  input A[%s], B[%s, %s] : %s;\n%s%s}\n",
		strings.Join(e.params, ", "), strings.Join(context, " and "), all, all, all, e.elem, e.decls.String(), e.body.String())
}

func (e *equations) output(o output) {
	dims := ""
	if len(o.dims) > 0 {
		dims = "[" + strings.Join(o.dims, ", ") + "]"
	}
	fmt.Fprintf(&e.decls, "  output %s%s : %s;\n", o.name, dims, o.elem)
	e.outputs = append(e.outputs, o)
}

// define writes an equation.
func (e *equations) define(target, op, value string, vars []string, domain string) {
	fmt.Fprintf(&e.body, "  %s %s %s : { [%s] : %s };\n", target, op, value, strings.Join(vars, ", "), domain)
}

// variables have bounds that are parameters.
func (e *equations) variables(n int) []string {
	vars := []string{"i", "j", "k", "l"}[:n]
	for _, v := range vars {
		e.bounds[v] = pick(e, e.params...)
	}
	return vars
}

// independent is a reduction over data, or two into one array.
func (e *equations) independent(name string) {
	rank, inner := e.IntN(3), 1+e.IntN(2)
	vars := e.variables(rank + inner)
	elem, ops := e.elem, []string{"+=", "+=", "+=", "+=", "max=", "max=", "min=", "min="}
	switch {
	case e.IntN(10) == 0:
		elem, ops = "i1", []string{"and=", "or="}
	case elem == "i64":
		ops = append(ops, "*=")
	case e.special:
		ops = []string{"max=", "min="}
	}
	op := pick(e, ops...)
	var dims []string
	for _, v := range vars[:rank] {
		dims = append(dims, e.bounds[v])
	}
	sums, local := pick(e, 1, 1, 1, 2), e.IntN(5) == 0
	if local { // an array of the system alone, that two often accumulate in
		sums = pick(e, 1, 2, 2)
	}
	for range sums {
		value := e.value(vars, 2)
		if elem == "i1" {
			value = fmt.Sprintf("%s %s %s", e.value(vars, 1), pick(e, "<", ">=", "=="), e.value(vars, 1))
		}
		var at []string
		for _, v := range vars[:rank] {
			at = append(at, pick(e, v, v, v, e.bounds[v]+" - 1 - "+v))
		}
		target := name
		if local {
			target = "L" + name
		}
		e.define(element(target, at), op, value, vars, e.domain(vars))
	}
	if local {
		e.copyLocal(name, elem, vars[:rank], dims)
	}
	e.output(output{name, elem, dims, op == "+=" && elem == "i64"})
}

// window is a reduction over data in a row, as many for each answer; some reach beyond the data.
func (e *equations) window(name string) {
	vars := e.variables(1 + e.IntN(2))
	op := pick(e, "max=", "min=", "max=", "min=", "+=")
	switch {
	case e.elem == "i64" && op == "+=":
		op = "*="
	case e.special && op == "+=":
		op = "max="
	}
	var dims, box []string
	for _, v := range vars {
		dims, box = append(dims, e.bounds[v]), append(box, fmt.Sprintf("0 <= %s < %s", v, e.bounds[v]))
	}
	k := vars[len(vars)-1]
	begin, width := pick(e, "i", "i", "i + "+k, e.bounds["i"]+" - 1 - i", "i - 2", "2*i", k), pick(e, append(e.params, "13", "17")...)
	box = append(box, fmt.Sprintf("%s <= w < %s + %s and 0 <= w < 8 + 4*N", begin, begin, width))
	if e.IntN(4) == 0 {
		box = append(box, pick(e, "w >= "+k, "w <= i + N", "i <= "+k, "w > i - 2"))
	}
	value := pick(e, "A[w]", "A[w]", fmt.Sprintf("B[%s, w]", k), fmt.Sprintf("(A[w] %s B[%s, w])", pick(e, "-", "*"), k), fmt.Sprintf("(A[w] + %s(w))", e.elem))
	at := slices.Clone(vars)
	if e.IntN(3) == 0 {
		at[0] = e.bounds["i"] + " - 1 - i"
	}
	e.define(element(name, at), op, value, append(slices.Clone(vars), "w"), strings.Join(box, " and "))
	e.output(output{name, e.elem, dims, false})
}

// element is one of an array.
func element(array string, at []string) string {
	if len(at) == 0 {
		return array
	}
	return array + "[" + strings.Join(at, ", ") + "]"
}

// copyLocal makes an output of a local array.
func (e *equations) copyLocal(name, elem string, vars, dims []string) {
	fmt.Fprintf(&e.decls, "  local %s : %s;\n", element("L"+name, dims), elem)
	if len(vars) == 0 {
		fmt.Fprintf(&e.body, "  %s = L%s;\n", name, name)
		return
	}
	var box []string
	for i, v := range vars {
		box = append(box, fmt.Sprintf("0 <= %s < %s", v, dims[i]))
	}
	e.define(element(name, vars), "=", element("L"+name, vars), vars, strings.Join(box, " and "))
}

// dependent is a reduction over what is computed from it, in one order of its elements or the other.
func (e *equations) dependent(name string) {
	vars := e.variables(3)[:2]
	e.bounds["j"] = e.bounds["i"]
	op := pick(e, "+=", "+=", "max=", "min=")
	if e.special && op == "+=" {
		op = "min="
	}
	y := "Y" + name
	read, more, at := y+"[j]", "", ""
	dims := []string{e.bounds["i"]}
	strict := e.IntN(2) == 0
	switch e.IntN(6) {
	case 0, 1: // over another dimension, too
		vars, strict = append(vars, "k"), true
		more = pick(e, "", "k <= j", "k >= j", "k <= i", "k = j")
		read = pick(e, read, fmt.Sprintf("%s + %s", read, e.data(vars)), fmt.Sprintf("%s * %s", read, e.data([]string{"k"})))
	case 2: // for each of another dimension
		vars, strict = append(vars, "k"), true
		dims, at = append(dims, e.bounds["k"]), ", k"
		read = fmt.Sprintf("%s[j, k]", y)
		read = pick(e, read, fmt.Sprintf("%s * %s", read, e.data([]string{"j", "k"})))
	case 3:
		read = fmt.Sprintf("%s * %s", read, e.data([]string{"j"}))
	}
	// Where the element itself takes part, what it makes is the next one.
	forward := e.IntN(2) == 0
	order, shift, first := "j < i", "i", ""
	switch {
	case forward && !strict:
		order, shift, first = "j <= i", "i + 1", "0"
	case !forward && strict:
		order = "j > i"
	case !forward:
		order, shift, first = "j >= i", "i - 1", e.bounds["i"]+" - 1"
	}
	e.define(name+"[i"+at+"]", op, read, vars, e.domain(vars, order, more))
	own, domain := []string{"i"}, fmt.Sprintf("0 <= i < %s and 0 <= %s < %s", e.bounds["i"], shift, e.bounds["i"])
	if at != "" {
		own, domain = append(own, "k"), domain+" and 0 <= k < "+e.bounds["k"]
	}
	if first != "" {
		fmt.Fprintf(&e.body, "  %s[%s] = A[0];\n", y, first)
	}
	e.define(y+"["+shift+at+"]", "=", fmt.Sprintf("max(min(%s[i%s], 50), -50) - %s", name, at, e.data(own)), own, domain)
	e.output(output{name, e.elem, dims, false})
	e.output(output{y, e.elem, dims, false})
}

// bothWays is reductions into one array over what it was a step before, from one side and from the other.
func (e *equations) bothWays(name string) {
	vars := e.variables(3)
	e.bounds["k"] = e.bounds["j"]
	op := pick(e, "max=", "min=")
	if e.elem == "i64" {
		op = pick(e, "max=", "min=", "+=")
	}
	fmt.Fprintf(&e.body, "  %s[0, j] = %s : { [j] : 0 <= j < %s };\n", name, e.data([]string{"j"}), e.bounds["j"])
	for _, order := range [][]string{{"k <= j", "k < j", "k >= j - 2 and k <= j"}, {"k > j", "k >= j", "k <= j + 1"}} {
		value := fmt.Sprintf("%s[i - 1, k] %s %s", name, pick(e, "+", "-"), e.data([]string{"k"}))
		e.define(name+"[i, j]", op, value, vars, e.domain(vars, "i >= 1", pick(e, order...)))
	}
	e.output(output{name, e.elem, []string{e.bounds["i"], e.bounds["j"]}, false})
}

// domain is a box with some half spaces taken away.
func (e *equations) domain(vars []string, more ...string) string {
	var cs []string
	for _, v := range vars {
		cs = append(cs, fmt.Sprintf("0 <= %s < %s", v, e.bounds[v]))
	}
	for range e.IntN(3) {
		v, w := pick(e, vars...), pick(e, vars...)
		if v == w {
			continue
		}
		p := pick(e, e.params...)
		cs = append(cs, pick(e, v+" <= "+w, v+" < "+w, v+" + "+w+" < "+p, v+" <= 2*"+w, v+" >= "+w+" - 2", v+" + "+w+" >= "+p+" - 2",
			v+" <= "+w+" + 1", v+" > "+w+" - "+p))
	}
	for _, c := range more {
		if c != "" {
			cs = append(cs, c)
		}
	}
	return strings.Join(cs, " and ")
}

// value is what an instance computes.
func (e *equations) value(vars []string, depth int) string {
	if depth == 0 || e.IntN(3) == 0 {
		return e.read(vars)
	}
	x, y := e.value(vars, depth-1), e.value(vars, depth-1)
	switch e.IntN(7) {
	case 0:
		return fmt.Sprintf("(%s + %s)", x, y)
	case 1:
		return fmt.Sprintf("(%s - %s)", x, y)
	case 2:
		if e.elem == "f64" {
			return fmt.Sprintf("%s(%s, %s)", pick(e, "max", "min", "maximum", "minimum"), x, y)
		}
		return fmt.Sprintf("max(%s, %s)", x, y)
	case 3:
		if e.IntN(4) == 0 { // of integers in a sum of floats, too
			return fmt.Sprintf("%s(select(%s <= %s, i64(%s), 0))", e.elem, pick(e, vars...), pick(e, vars...), pick(e, vars...))
		}
		return fmt.Sprintf("select(%s <= %s, %s, %s)", pick(e, vars...), pick(e, vars...), x, y)
	case 4:
		return fmt.Sprintf("select(%s > %s, %s, 0)", x, y, pick(e, x, y))
	case 5:
		v, w := pick(e, vars...), pick(e, vars...)
		weight := fmt.Sprintf("%s(%s)", e.elem, pick(e, v, v, v+" - "+w, e.bounds[w]+" - "+w+" + "+v))
		return fmt.Sprintf(pick(e, "(%s * %s)", "(%s * %s)", "(%s - %s)"), x, weight)
	}
	return fmt.Sprintf("(%s * %s)", x, y)
}

// read is an element of the data, or of what is made of it.
func (e *equations) read(vars []string) string {
	for _, o := range e.outputs {
		if !o.sum || e.IntN(2) == 0 {
			continue
		}
		var at []string
		for _, d := range o.dims {
			if v := pick(e, vars...); e.bounds[v] == d {
				at = append(at, v)
			}
		}
		switch {
		case len(at) < len(o.dims):
		case len(at) == 0:
			return o.name
		default:
			return fmt.Sprintf("%s[%s]", o.name, strings.Join(at, ", "))
		}
	}
	return e.data(vars)
}

// data is an element of it.
func (e *equations) data(vars []string) string {
	if e.IntN(3) == 0 {
		return fmt.Sprintf("B[%s, %s]", e.index(vars), e.index(vars))
	}
	return fmt.Sprintf("A[%s]", e.index(vars))
}

func (e *equations) index(vars []string) string {
	v, w := pick(e, vars...), pick(e, vars...)
	switch e.IntN(6) {
	case 0:
		return fmt.Sprintf("%s + %s", v, w)
	case 1:
		return fmt.Sprintf("%s - %s + %s", v, w, e.bounds[w])
	case 2:
		return fmt.Sprintf("2*%s + 1", v)
	case 3:
		return fmt.Sprintf("floor(%s/2)", v)
	}
	return v
}
