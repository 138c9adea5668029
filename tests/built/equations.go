package built

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Equations is a random program of equations with reductions: over domains of up to four
// dimensions that are boxes, triangles, bands and what hyperplanes leave of them; with operators that have an
// inverse and others; whose bodies read data along some directions and not along others; and
// that depend on each other. args are a size and data of integers, so that no order of
// summation shows.
func Equations(seed uint64) (text, args string) {
	e := &equations{Rand: rand.New(rand.NewPCG(seed, 15))}
	n := 1 + e.IntN(6)
	e.program()
	var a strings.Builder
	fmt.Fprintf(&a, "[%d", n)
	list := func(n int) string {
		var xs []string
		for range n {
			xs = append(xs, fmt.Sprint(e.IntN(9)-4))
		}
		return "[" + strings.Join(xs, ", ") + "]"
	}
	var rows []string
	fmt.Fprintf(&a, ", %s", list(4*n+8))
	for range 4*n + 8 {
		rows = append(rows, list(4*n+8))
	}
	fmt.Fprintf(&a, ", [%s]", strings.Join(rows, ", "))
	for range e.outputs {
		fmt.Fprintf(&a, ", %s", zeros(e.ranks[0], n))
		e.ranks = e.ranks[1:]
	}
	return e.text.String(), a.String() + "]"
}

// zeros is room for an output of some rank.
func zeros(rank, n int) string {
	if rank == 0 {
		return "0"
	}
	var xs []string
	for range n {
		xs = append(xs, zeros(rank-1, n))
	}
	return "[" + strings.Join(xs, ", ") + "]"
}

type equations struct {
	*rand.Rand
	text    strings.Builder
	outputs []string
	ranks   []int
}

// pick is one of several.
func pick[T any](e *equations, xs ...T) T { return xs[e.IntN(len(xs))] }

func (e *equations) program() {
	var decls, body strings.Builder
	for k := range 1 + e.IntN(2) {
		name := fmt.Sprintf("X%d", k)
		if e.IntN(3) == 0 {
			e.dependent(name, &decls, &body)
		} else {
			e.independent(name, &decls, &body)
		}
	}
	fmt.Fprintf(&e.text, "program p(N) : N >= 1 {\n  input A[4*N + 8], B[4*N + 8, 4*N + 8] : i64;\n%s%s}\n", decls.String(), body.String())
}

func (e *equations) output(name string, rank int, decls *strings.Builder) {
	dims := strings.TrimSuffix(strings.Repeat("N, ", rank), ", ")
	if rank > 0 {
		dims = "[" + dims + "]"
	}
	fmt.Fprintf(decls, "  output %s%s : i64;\n", name, dims)
	e.outputs, e.ranks = append(e.outputs, name), append(e.ranks, rank)
}

// independent is a reduction over data.
func (e *equations) independent(name string, decls, body *strings.Builder) {
	rank, inner := e.IntN(3), 1+e.IntN(2)
	vars := []string{"i", "j", "k", "l"}[:rank+inner]
	e.output(name, rank, decls)
	op := pick(e, "+=", "+=", "+=", "max=", "min=", "max=")
	at := ""
	if rank > 0 {
		var where []string
		for _, v := range vars[:rank] {
			where = append(where, pick(e, v, v, v, "N - 1 - "+v))
		}
		at = "[" + strings.Join(where, ", ") + "]"
	}
	fmt.Fprintf(body, "  %s%s %s %s : { [%s] : %s };\n", name, at, op, e.value(vars, 2), strings.Join(vars, ", "), e.domain(vars, ""))
}

// dependent is a reduction over what is computed from it.
func (e *equations) dependent(name string, decls, body *strings.Builder) {
	e.output(name, 1, decls)
	y := "Y" + name
	e.output(y, 1, decls)
	op := pick(e, "+=", "+=", "max=", "min=")
	vars, inside := []string{"i", "j"}, ""
	forward := e.IntN(2) == 0
	strict := e.IntN(2) == 0
	read := fmt.Sprintf("%s[j]", y)
	if e.IntN(3) == 0 {
		vars = append(vars, "k")
		inside = pick(e, "", "k <= j", "k >= j", "k <= i", "k = j")
		read = pick(e, read, fmt.Sprintf("%s + %s", read, e.read(vars)), fmt.Sprintf("%s * %s", read, e.read([]string{"k"})))
	} else if e.IntN(3) == 0 {
		read = fmt.Sprintf("%s * %s", read, e.read([]string{"j"}))
	}
	order := map[bool]string{true: "j < i", false: "j > i"}[forward]
	domain := e.domain(vars, order)
	if inside != "" {
		domain += " and " + inside
	}
	if strict || len(vars) == 3 {
		fmt.Fprintf(body, "  %s[i] %s %s : { [%s] : %s };\n", name, op, read, strings.Join(vars, ", "), domain)
		fmt.Fprintf(body, "  %s[i] = max(min(%s[i], 50), -50) - A[i] : { [i] : 0 <= i < N };\n", y, name)
		return
	}
	// The element itself takes part: what it makes is the next one.
	shift, first := "i + 1", "0"
	domain = strings.Replace(domain, "j < i", "j <= i", 1)
	if !forward {
		shift, first = "i - 1", "N - 1"
		domain = strings.Replace(domain, "j > i", "j >= i", 1)
	}
	fmt.Fprintf(body, "  %s[i] %s %s : { [%s] : %s };\n", name, op, read, strings.Join(vars, ", "), domain)
	fmt.Fprintf(body, "  %s[%s] = A[0];\n", y, first)
	fmt.Fprintf(body, "  %s[%s] = max(min(%s[i], 50), -50) - A[i] : { [i] : 0 <= i < N and 0 <= %s < N };\n", y, shift, name, shift)
}

// domain is a box with some half spaces taken away.
func (e *equations) domain(vars []string, more string) string {
	var cs []string
	for _, v := range vars {
		cs = append(cs, fmt.Sprintf("0 <= %s < N", v))
	}
	if more != "" {
		cs = append(cs, more)
	}
	for range e.IntN(3) {
		v, w := pick(e, vars...), pick(e, vars...)
		if v == w {
			continue
		}
		c := pick(e, "%s <= %s", "%s < %s", "%s + %s < N", "%s <= 2*%s", "%s >= %s - 2", "%s + %s >= N - 2", "%s <= %s + 1")
		cs = append(cs, fmt.Sprintf(c, v, w))
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
		return fmt.Sprintf("max(%s, %s)", x, y)
	case 3:
		return fmt.Sprintf("select(%s <= %s, %s, %s)", pick(e, vars...), pick(e, vars...), x, y)
	case 4:
		return fmt.Sprintf("select(%s > %s, %s, 0)", x, y, pick(e, x, y))
	case 5:
		return fmt.Sprintf("(%s * i64(%s))", x, pick(e, vars...))
	}
	return fmt.Sprintf("(%s * %s)", x, y)
}

// read is an element of the data.
func (e *equations) read(vars []string) string {
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
		return fmt.Sprintf("%s - %s + N", v, w)
	case 2:
		return fmt.Sprintf("2*%s + 1", v)
	case 3:
		return fmt.Sprintf("floor(%s/2)", v)
	}
	return v
}
