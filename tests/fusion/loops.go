package fusion

import (
	"fmt"
	"strings"
)

// loop writes a loop with one to three generators.
func (w *writer) loop() {
	size := pick(w, w.sizes)
	if w.IntN(3) > 0 {
		size = pick(w, w.arrays).size
	}
	i := w.name()
	var gens, names, ys, types, tail []string
	var made []array
	var sums []string
	outer := w.b
	w.b = strings.Builder{}
	arrays, scalars, sizes := w.arrays, w.scalars, w.sizes
	w.scalars = append(scalars[:len(scalars):len(scalars)], w.elements(i, size)...)
	if w.IntN(12) == 0 {
		w.line("special.print %s : i64", pick(w, w.scalars))
	}
	w.depth++
	if w.depth < 3 && w.IntN(4) == 0 {
		w.inner()
	}
	w.depth--
	x := pick(w, w.scalars)
	if w.IntN(4) > 0 {
		x = w.scalars[len(w.scalars)-1]
	}
	for range 1 + w.IntN(2)*w.IntN(3) {
		r := w.name()
		switch kind := w.IntN(8); kind {
		default: // collect
			names, gens = append(names, r), append(gens, "collect(i64)")
			y, t, one := w.given(x)
			ys, types = append(ys, y), append(types, t)
			a := array{name: r}
			if one {
				a.size = size
			}
			made = append(made, a)
		case 1, 2:
			names, gens = append(names, r), append(gens, fmt.Sprintf("reduce(%s : i64)", []string{"add", "mul", "min", "max", "xor"}[w.IntN(5)]))
			y, t, _ := w.given(x)
			ys, types, sums = append(ys, y), append(types, t), append(sums, r)
		case 3:
			names, gens = append(names, r), append(gens, fmt.Sprintf("reduce(%s : i64)", pick(w, scalars)))
			y, t, _ := w.given(x)
			ys, types, sums = append(ys, y), append(types, t), append(sums, r)
			tail = append(tail, fmt.Sprintf(" combine(%%a: i64, %%b: i64) {\n%%c = arith.subi %%a, %%b : i64\n%%d = arith.addi %%c, %s : i64\nloop.yield %%d : i64\n}", pick(w, scalars)))
		case 4:
			names, gens = append(names, r), append(gens, "scan(add : i64)")
			y, t, one := w.given(x)
			ys, types = append(ys, y), append(types, t)
			a := array{name: r}
			if one {
				a.size = size
			}
			made = append(made, a)
		case 5:
			key := w.name()
			w.line("%s = arith.remsi %s, %%k3 : i64", key, x)
			y := w.number(1, x)
			names = append(names, r, r+"_s", r+"_c")
			gens = append(gens, "bucket(i64, [reduce(add : i64), collect(i64)])")
			ys, types = append(ys, key, y, x), append(types, "i64", "i64", "i64")
			made = append(made, array{name: r + "_s"}, array{name: r + "_c", jagged: true})
		}
	}
	w.line("loop.yield %s : %s", strings.Join(ys, ", "), strings.Join(types, ", "))
	text := w.b.String()
	w.b = outer
	w.arrays, w.scalars, w.sizes = arrays, scalars, sizes
	w.line("%s = loop.for %s < %s -> %s {\n%s}%s", strings.Join(names, ", "), i, size, strings.Join(gens, ", "), text, strings.Join(tail, ""))
	for _, a := range made {
		w.measured(a)
	}
	w.scalars = append(w.scalars, sums...)
}

// elements are numbers that a body has: elements at its index, some at another one, its index,
// and what is made of them.
func (w *writer) elements(i, size string) (out []string) {
	for n := w.IntN(3); n >= 0; n-- {
		a := pick(w, w.arrays)
		for range 8 {
			if a.size == size {
				break
			}
			a = pick(w, w.arrays)
		}
		switch {
		case a.size != size && w.IntN(20) > 0:
		case a.jagged:
			out = append(out, w.ofRow(a, i))
		default:
			v := w.name()
			w.line("%s = loop.at %s[%s] : %s", v, a.name, i, arrayType)
			out = append(out, v)
		}
	}
	if len(out) == 0 || w.IntN(4) == 0 {
		v := w.name()
		w.line("%s = arith.index_cast %s : index to i64", v, i)
		out = append(out, v)
	}
	if a := w.plain(); w.IntN(12) == 0 { // at another index
		n, c, v := w.name(), w.name(), w.name()
		w.line("%s = loop.len %s : %s", n, a.name, arrayType)
		w.line("%s = arith.cmpi ult, %%i1, %s : index", c, n)
		w.line("%s = scf.if %s -> (i64) {\n%%e = loop.at %s[%%i1] : %s\nscf.yield %%e : i64\n} else {\nscf.yield %%k : i64\n}", v, c, a.name, arrayType)
		out = append(out, v)
	}
	return append(out, w.number(w.IntN(3), out[w.IntN(len(out))]))
}

// ofRow reduces an array that is an element of another one.
func (w *writer) ofRow(a array, i string) string {
	row, n, v, j, x, y := w.name(), w.name(), w.name(), w.name(), w.name(), w.name()
	w.line("%s = loop.at %s[%s] : %s", row, a.name, i, jaggedType)
	w.line("%s = loop.len %s : %s", n, row, arrayType)
	w.line("%s = loop.for %s < %s -> reduce(%s : i64) {", v, j, n, []string{"add", "mul", "xor"}[w.IntN(3)])
	w.line("%s = loop.at %s[%s] : %s", x, row, j, arrayType)
	w.line("%s = arith.addi %s, %s : i64", y, x, pick(w, w.scalars))
	if w.IntN(3) == 0 {
		c := w.condition(x)
		w.line("%se = scf.if %s -> (%s) {\n%%o = loop.emit %s : i64\nscf.yield %%o : %s\n} else {\n%%o = loop.none : %s\nscf.yield %%o : %s\n}", y, c, emitType, y, emitType, emitType, emitType)
		w.line("loop.yield %se : %s\n}", y, emitType)
		return v
	}
	w.line("loop.yield %s : i64\n}", y)
	return v
}

// inner writes loops in a body.
func (w *writer) inner() {
	n := len(w.scalars)
	w.loop()
	w.loop()
	if len(w.scalars) == n { // their arrays' lengths
		v := w.name()
		w.line("%s = arith.index_cast %s : index to i64", v, w.arrays[len(w.arrays)-1].size)
		w.scalars = append(w.scalars, v)
	}
}

// given is what a generator is given: one number, or a sequence.
func (w *writer) given(x string) (y, typ string, one bool) {
	if w.IntN(2) == 0 {
		return w.number(w.IntN(2), x), "i64", true
	}
	return w.sequence(x, 0), emitType, false
}

func (w *writer) sequence(x string, depth int) string {
	v := w.name()
	switch k := w.IntN(6); {
	case k < 3 && depth < 3:
		c := w.condition(x)
		w.line("%s = scf.if %s -> (%s) {", v, c, emitType)
		w.line("scf.yield %s : %s\n} else {", w.sequence(w.number(w.IntN(2), x), depth+1), emitType)
		w.line("scf.yield %s : %s\n}", w.sequence(x, depth+2), emitType)
	case k == 3 && depth < 2:
		a, b := w.sequence(x, depth+1), w.sequence(x, depth+1)
		w.line("%s = loop.seq %s, %s : %s", v, a, b, emitType)
	case k == 4 && depth < 2:
		j, y, z := w.name(), w.name(), w.name()
		w.line("%s = loop.for %s < %s -> emit(i64) {", v, j, []string{"%m", "%i2", "%i3"}[w.IntN(3)])
		w.line("%s = arith.index_cast %s : index to i64\n%s = arith.addi %s, %s : i64", y, j, z, y, x)
		if w.IntN(2) == 0 {
			w.line("loop.yield %s : i64\n}", z)
		} else {
			w.line("loop.yield %s : %s\n}", w.sequence(z, depth+1), emitType)
		}
	case k == 5 && depth > 0:
		w.line("%s = loop.none : %s", v, emitType)
	default:
		w.line("%s = loop.emit %s : i64", v, x)
	}
	return v
}
