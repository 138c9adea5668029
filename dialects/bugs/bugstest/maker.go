package bugstest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Maker writes random models whose subscripts are affine, come from data, or
// from nodes. Arrays have S elements, or S by S, and mostly all of them are defined;
// loops over 1:N leave room for indices such as 2 * i.
type Maker struct {
	rng   *rand.Rand
	out   strings.Builder
	loops []loopText
	ready []string // variables defined so far
	wild  int      // one index in so many may be out of range
}

// NewMaker is a maker that draws from rng.
func NewMaker(rng *rand.Rand) *Maker { return &Maker{rng: rng} }

type loopText struct{ name, over string }

func (g *Maker) pick(xs ...string) string { return xs[g.rng.IntN(len(xs))] }

// index is a subscript.
func (g *Maker) index(depth int) string {
	if len(g.loops) == 0 || g.rng.IntN(8) == 0 {
		return g.pick("1", "2", "3", "N", "K", "S")
	}
	l := g.loops[g.rng.IntN(len(g.loops))]
	i := l.name
	wild := g.rng.IntN(g.wild) == 0
	small := wild || !strings.Contains(l.over, "S") && l.over != "i:N"
	switch n := g.rng.IntN(16); {
	case n == 0 && small:
		return g.pick(i+" + 1", i+" + N")
	case n <= 2 && (wild || l.over[0] == '2'):
		return i + " - 1"
	case n == 3 && small:
		return g.pick("2 * "+i, "2 * "+i+" - 1", i+" + "+g.loops[0].name)
	case n == 4:
		return "S + 1 - " + i
	case n <= 7:
		return g.pick("b["+i+"]", "b["+i+"]", "b["+i+"] + 1", "p["+i+"]", "round(("+i+" + 1) / 2)", "b[p["+i+"]]")
	case n == 8 && depth > 0:
		return g.pick(g.element(depth-1), "b["+i+"] + 0 * "+g.element(depth-1))
	case n == 9 && wild:
		return "c[" + i + "]"
	}
	return i
}

// part is a subscript or a range.
func (g *Maker) part() string {
	switch g.rng.IntN(8) {
	case 0:
		return g.pick("1:N", "2:K", "1:S", "", "1:0", "K:S")
	case 1:
		return "1:" + g.index(0)
	}
	return g.index(1)
}

func matrix(name string) bool { return name[0] < 'a' }

func (g *Maker) name() string {
	if g.rng.IntN(10) == 0 || len(g.ready) == 0 {
		return g.pick("x", "y", "z", "X", "Y", "t", "p", "b")
	}
	return g.ready[g.rng.IntN(len(g.ready))]
}

func (g *Maker) element(depth int) string {
	switch name := g.name(); {
	case name == "t":
		return name
	case matrix(name):
		return name + "[" + g.index(depth) + "," + g.index(depth) + "]"
	default:
		return name + "[" + g.index(depth) + "]"
	}
}

// ref is an element, or a part of an array in a sum.
func (g *Maker) ref() string {
	if g.rng.IntN(4) > 0 {
		return g.element(1)
	}
	switch name := g.name(); {
	case name == "t":
		return name
	case matrix(name):
		return "sum(" + name + "[" + g.part() + "," + g.part() + "])"
	default:
		return "sum(" + name + "[" + g.part() + "])"
	}
}

// statement defines what stands on the left, in loops.
func (g *Maker) statement(left string, loops ...loopText) {
	if g.rng.IntN(25) == 0 {
		return // something is missing
	}
	if g.loops = loops; g.rng.IntN(40) == 0 {
		left = strings.Replace(left, g.pick("i", "j"), g.pick("1", "i + 1"), 1)
	}
	for _, l := range loops {
		fmt.Fprintf(&g.out, "for (%s in %s) { ", l.name, l.over)
	}
	switch g.rng.IntN(4) {
	case 0, 1:
		fmt.Fprintf(&g.out, "%s <- %s + %s", left, g.ref(), g.pick("1", g.ref()))
	case 2:
		fmt.Fprintf(&g.out, "%s ~ dnorm(%s, 1)", left, g.ref())
	case 3:
		fmt.Fprintf(&g.out, "%s ~ dnorm(0, 1)", left)
	}
	g.out.WriteString(strings.Repeat(" }", len(loops)) + "\n")
}

// define defines all elements of a variable, mostly.
func (g *Maker) define(name string) {
	i := func(over string) loopText { return loopText{"i", over} }
	j := func(over string) loopText { return loopText{"j", over} }
	st := func(at string, loops ...loopText) { g.statement(name+"["+at+"]", loops...) }
	n := g.rng.IntN(7)
	switch {
	case name == "t":
		g.statement(name)
	case name == "u":
		st(g.pick("i", "i + 1", "2 * i", "p[i]", "N + 1 - i"), i(g.pick("1:N", "1:K", "2:N", "v")))
	case name == "U":
		st(g.pick("i,j", "j,i", "i,i+j", "i,b[j]"), i(g.pick("1:N", "1:K", "2:N", "v")), j(g.pick("1:N", "1:K", "1:i", "i:N", "2:K", "1:b[i]")))
	case matrix(name) && n == 0:
		st("i,1", i("1:S"))
		st("i,j", i("1:S"), j("2:S"))
	case matrix(name) && n == 1:
		st("j,i", i("1:S"), j("1:S"))
	case matrix(name) && n == 2:
		st("i,j", i("1:S"), j("1:i"))
		st("i,j", i("1:S"), j("(i+1):S"))
	case matrix(name) && n == 3:
		st("i,j", i("1:N"), j("1:S"))
		st("N+i,j", i("1:(S-N)"), j("1:S"))
	case matrix(name) && n == 4:
		st("p[i],S+1-j", i("1:S"), j("1:S"))
	case matrix(name):
		st("i,j", i("1:S"), j("1:S"))
	case n == 0:
		st("1")
		st("i", i("2:S"))
	case n == 1:
		st("S + 1 - i", i("1:S"))
	case n == 2:
		st("i", i("1:N"))
		st("i + N", i("1:(S-N)"))
	case n == 3:
		st("p[i]", i("1:S"))
	case n == 4:
		st("2 * i", i("1:N"))
		st("2 * i - 1", i("1:(N+1)"))
	default:
		st("i", i("1:S"))
	}
	g.ready = append(g.ready, name)
}

// Model is the text of a model.
func (g *Maker) Model() string {
	g.out.Reset()
	g.ready, g.wild = nil, 3+g.rng.IntN(40)
	names := []string{"x", "y", "z", "X", "Y", "t", "u", "U"}
	g.rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names[:2+g.rng.IntN(6)] {
		g.define(name)
	}
	lines := strings.SplitAfter(g.out.String(), "\n")
	g.rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return "model {\n" + strings.Join(lines, "") + "}"
}

// Data is JSON for it.
func (g *Maker) Data() string {
	list := func(n int, val func() string) string {
		s := make([]string, n)
		for i := range s {
			s[i] = val()
		}
		return "[" + strings.Join(s, ", ") + "]"
	}
	n, k := 2+g.rng.IntN(2), 1+g.rng.IntN(2)
	s := 2*n + 1
	some := func(m int) func() string { return func() string { return fmt.Sprint(1 + g.rng.IntN(m)) } }
	maybe := func() string { return g.pick("null", "1", "2", "3") }
	order := g.rng.Perm(s)
	next := func() string { i := order[0]; order = order[1:]; return fmt.Sprint(i + 1) }
	out := []string{fmt.Sprintf(`"N": %d, "K": %d, "S": %d`, n, k, s), `"v": [1, 2]`, `"b": ` + list(s, some(s-1)),
		`"p": ` + list(s, next), `"c": ` + list(n, maybe)}
	if g.rng.IntN(3) == 0 {
		out = append(out, `"y": `+list(s-g.rng.IntN(2), func() string { return g.pick("1", "2", g.pick("1", "null")) }))
	}
	if g.rng.IntN(3) == 0 {
		out = append(out, `"Y": `+list(s, func() string { return list(s, maybe) }))
	}
	if g.rng.IntN(4) == 0 {
		out = append(out, `"x": `+list(s, some(s)))
	}
	return "{" + strings.Join(out, ", ") + "}"
}
