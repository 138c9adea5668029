package polyhedral_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tests/built"
)

// A writer makes random programs of equations that have no cycle: an array reads those before it,
// and itself at coordinates that come earlier in one direction.
type writer struct {
	*rand.Rand
	text   strings.Builder
	arrays []made
}

// made is an array and its sizes.
type made struct {
	name  string
	sizes []string
}

func (w *writer) one(of ...string) string { return of[w.IntN(len(of))] }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.text, "  "+format+"\n", args...) }

// program is a random program with its arguments.
func program(seed uint64) (text, args string) {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 14))}
	n, k := 1+w.IntN(6), 1+w.IntN(4)
	w.text.WriteString("program p(N, K) : N >= 1 and K >= 1 {\n")
	w.line("input w[N] : i64;")
	w.line("input m[N,K] : i64;")
	w.line("input Z[N] : i32;")
	w.arrays = []made{{"w", []string{"N"}}, {"m", []string{"N", "K"}}}
	var out []string
	for i := range 1 + w.IntN(4) {
		a := made{fmt.Sprintf("A%d", i), [][]string{{"N"}, {"K"}, {"N", "K"}, {"N", "N"}, {"K", "N"}, {}}[w.IntN(6)]}
		role := "local"
		if w.IntN(2) == 0 {
			role = "output"
		}
		w.line("%s %s : i64;", role, a.with(a.sizes))
		w.array(a)
		w.arrays = append(w.arrays, a)
		if role == "output" {
			out = append(out, zeros(a, n, k))
		}
	}
	last := made{"L", []string{"N"}}
	w.line("output L[N] : i64;")
	w.line("L[i] = %s : { [i] : 0 <= i < N };", w.expr([]string{"i"}, []string{"N"}, 2))
	out = append(out, zeros(last, n, k))
	w.text.WriteString("}\n")
	var ws, ms, zs []string
	for range n {
		ws, zs = append(ws, fmt.Sprint(w.IntN(20)-10)), append(zs, fmt.Sprint(w.IntN(n)))
		var row []string
		for range k {
			row = append(row, fmt.Sprint(w.IntN(20)-10))
		}
		ms = append(ms, "["+strings.Join(row, ",")+"]")
	}
	list := func(x []string) string { return "[" + strings.Join(x, ",") + "]" }
	return w.text.String(), list(append([]string{fmt.Sprint(n), fmt.Sprint(k), list(ws), list(ms), list(zs)}, out...))
}

func (a made) with(index []string) string {
	if len(index) == 0 {
		return a.name
	}
	return a.name + "[" + strings.Join(index, ",") + "]"
}

// zeros is room for an output.
func zeros(a made, n, k int) string {
	text := "0"
	for d := len(a.sizes) - 1; d >= 0; d-- {
		size := map[string]int{"N": n, "K": k}[a.sizes[d]]
		text = "[" + strings.TrimSuffix(strings.Repeat(text+",", size), ",") + "]"
	}
	return text
}

var coordinates = []string{"i", "j", "l"}

func box(coords, sizes []string) string {
	var out []string
	for d, c := range coords {
		out = append(out, fmt.Sprintf("0 <= %s < %s", c, sizes[d]))
	}
	return strings.Join(out, " and ")
}

// array writes equations that define all of an array.
func (w *writer) array(a made) {
	c := coordinates[:len(a.sizes)]
	if len(c) == 0 {
		w.line("%s %s %s : { [j] : 0 <= j < %s };", a.name, w.one("+=", "max=", "min="), w.expr([]string{"j"}, []string{"N"}, 2), "N")
		return
	}
	set := func(condition, body string) {
		w.line("%s = %s : { [%s] : %s };", a.with(c), body, strings.Join(c, ","), condition)
	}
	all := box(c, a.sizes)
	switch w.IntN(7) {
	case 0: // each by itself
		set(all, w.expr(c, a.sizes, 3))
	case 1: // two parts
		cut := w.one("i < 2", "i mod 2 = 0", "i + 1 < "+a.sizes[0], "2*i >= "+a.sizes[0])
		set(all+" and "+cut, w.expr(c, a.sizes, 2))
		set(all+" and not ("+cut+")", w.expr(c, a.sizes, 2))
	case 2: // a recurrence, up or down
		back := append([]string{"i-1"}, c[1:]...)
		first := "i = 0"
		if w.IntN(2) == 0 {
			back[0], first = "i+1", "i = "+a.sizes[0]+" - 1"
		}
		if len(c) > 1 && w.IntN(2) == 0 {
			back[1] = w.one("0", "j", a.sizes[1]+"-1-j")
		}
		set(all+" and "+first, w.expr(c, a.sizes, 1))
		set(all+" and not ("+first+")", a.with(back)+" "+w.one("+", "-")+" "+w.expr(c, a.sizes, 2))
	case 3, 4: // a reduction
		domain := all + " and 0 <= l < " + w.one("N", "K", "i + 1", "i")
		w.line("%s %s %s : { [%s,l] : %s };", a.with(c), w.one("+=", "max=", "min=", "*="), w.expr(append(c[:len(c):len(c)], "l"), append(a.sizes[:len(a.sizes):len(a.sizes)], ""), 2), strings.Join(c, ","), domain)
	case 5: // a reduction whose result is fed back (the paper's equation 4)
		if len(c) != 1 {
			set(all, w.expr(c, a.sizes, 3))
			return
		}
		s := a.name + "s"
		w.line("local %s[%s] : i64;", s, a.sizes[0])
		w.line("%s[0] = %s;", a.name, w.expr(nil, nil, 1))
		w.line("%s[i] += %s[l] : { [i,l] : 0 <= l <= i < %s };", s, a.name, a.sizes[0])
		w.line("%s[i+1] = %s[i] mod 7 + %s : { [i] : 0 <= i < %s - 1 };", a.name, s, w.expr([]string{"i"}, a.sizes, 1), a.sizes[0])
	case 6: // nested reductions
		set(all, w.one("sum", "max", "min", "prod")+"{l : 0 <= l < "+w.one("i", "K", "3")+"} "+w.term(append(c[:len(c):len(c)], "l"), append(a.sizes[:len(a.sizes):len(a.sizes)], ""), 1)+" + "+w.expr(c, a.sizes, 1))
	}
}

// expr is a sum of terms.
func (w *writer) expr(c, sizes []string, depth int) string {
	out := w.term(c, sizes, depth)
	for range w.IntN(2) {
		out += " " + w.one("+", "-") + " " + w.term(c, sizes, depth)
	}
	return "(" + out + ")"
}

// term: products are kept small by mod.
func (w *writer) term(c, sizes []string, depth int) string {
	if depth == 0 || w.IntN(5) == 0 {
		if len(c) > 0 && w.IntN(2) == 0 {
			return "i64(" + c[w.IntN(len(c))] + ")"
		}
		return fmt.Sprintf("i64(%d)", w.IntN(9)-4)
	}
	switch w.IntN(6) {
	case 0:
		return "(" + w.term(c, sizes, depth-1) + " mod 5) * (" + w.term(c, sizes, depth-1) + " mod 7)"
	case 1:
		return "select(" + w.expr(c, sizes, depth-1) + " < " + w.expr(c, sizes, depth-1) + ", " + w.expr(c, sizes, depth-1) + ", " + w.term(c, sizes, depth-1) + ")"
	case 2:
		return w.one("min", "max") + "(" + w.expr(c, sizes, depth-1) + ", " + w.term(c, sizes, depth-1) + ")"
	case 3:
		if len(c) > 0 && c[0] == "i" && sizes[0] == "N" {
			return "w[Z[i]]"
		}
	}
	return w.read(c, depth)
}

// read is an element of an array, under a condition that keeps the index inside.
func (w *writer) read(c []string, depth int) string {
	a := w.arrays[w.IntN(len(w.arrays))]
	var index, inside []string
	for _, size := range a.sizes {
		x := "0"
		if len(c) > 0 && w.IntN(4) > 0 {
			x = c[w.IntN(len(c))]
			x = w.one(x, x, x+" + 1", x+" - 1", size+" - 1 - "+x, "floor("+x+" / 2)", "2*"+x, x+" mod 2")
		} else {
			x = w.one("0", size+" - 1")
		}
		index = append(index, x)
		inside = append(inside, "0 <= "+x+" and "+x+" < "+size)
	}
	if len(a.sizes) == 0 {
		return a.name
	}
	return "select(" + strings.Join(inside, " and ") + ", " + a.with(index) + ", " + w.term(c, []string{"", "", "", ""}, depth-1) + ")"
}

var pipelines = []string{"poly-schedule", "poly-schedule{fuse=min}", "poly-schedule{alg=feautrier}", "poly-schedule{alg=pluto fuse=max}", "poly-schedule{alg=pluto fuse=min}"}

// Random equations: each schedule computes what they do by demand, bit for bit.
func TestRandomEquations(t *testing.T) {
	most := 150
	if testing.Short() {
		most = 20
	}
	for seed := range uint64(most) {
		text, args := program(seed)
		g, list := equations.Read(built.Context(), diag.NewSource("p.eq", text))
		if err := list.Err(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		want := built.After(t, g, "p", args)
		if !strings.HasPrefix(want, "[") {
			t.Fatalf("seed %d: %s\n%s", seed, want, text)
		}
		p := pipelines[seed%uint64(len(pipelines))]
		for _, q := range []string{p, p + ",poly-contract", p + ",poly-contract,poly-codegen"} {
			if got := built.After(t, through(t, g, q), "p", args); got != want {
				t.Fatalf("seed %d, %s: got %s, want %s\n%s", seed, q, got, want, text)
			}
		}
	}
}
