// Package bugstest makes BUGS programs for tests.
package bugstest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// RandomProgram makes a small program whose statements stand in any order, with
// its data: vectors and matrices that are defined by loops over all, over even and
// odd, or over first and other elements, and read each other at affine and at
// data-dependent positions. Those from data follow a hidden order of all elements,
// so that many programs have one.
func RandomProgram(rng *rand.Rand) (model, data string) {
	g := &generator{rng: rng, n: 4 + rng.IntN(5), drawn: map[string][]bool{}}
	arrays := []string{"x", "y", "z", "w"}[:1+rng.IntN(4)]
	g.arrays = arrays
	g.rank = rng.Perm(len(arrays) * (g.n + 1))
	for _, a := range arrays {
		g.define(a)
	}
	g.observe()
	if rng.IntN(3) == 0 {
		g.matrix()
	}
	if rng.IntN(3) == 0 {
		g.series()
	}
	rng.Shuffle(len(g.stmts), func(i, j int) { g.stmts[i], g.stmts[j] = g.stmts[j], g.stmts[i] })
	return strings.Join(g.stmts, "\n"), "{" + strings.Join(append(g.data, fmt.Sprintf(`"n": %d`, g.n)), ", ") + "}"
}

type generator struct {
	rng    *rand.Rand
	n      int
	arrays []string
	rank   []int
	stmts  []string
	data   []string
	drawn  map[string][]bool // elements of the vectors that are stochastic
}

// define makes the statements of a vector.
func (g *generator) define(a string) {
	switch g.rng.IntN(5) {
	case 0:
		g.loop([]target{{a, "i", 1, 0}}, 1, g.n)
	case 1:
		g.loop([]target{{a, "2 * i", 2, 0}}, 1, g.n/2)
		g.loop([]target{{a, "2 * i - 1", 2, -1}}, 1, (g.n+1)/2)
	case 2:
		g.loop([]target{{a, "2 * i - 1", 2, -1}, {a, "2 * i", 2, 0}}, 1, g.n/2)
		if g.n%2 == 1 {
			g.loop([]target{{a, "n", 0, g.n}}, 0, 0)
		}
	case 3:
		g.loop([]target{{a, "1", 0, 1}}, 0, 0)
		g.loop([]target{{a, "i", 1, 0}}, 2, g.n)
	default:
		g.loop([]target{{a, "n", 0, g.n}}, 0, 0)
		g.loop([]target{{a, fmt.Sprintf("%d - i", g.n), -1, g.n}}, 1, g.n-1)
	}
}

// A target is an element that a statement defines: by*i + plus.
type target struct {
	array, index string
	by, plus     int
}

// loop makes a loop over i, or a statement if the bounds are 0.
func (g *generator) loop(ts []target, lo, hi int) {
	var body []string
	for _, t := range ts {
		left := t.array + "[" + t.index + "]"
		text := g.relation(left, g.reads(t, lo, hi))
		body = append(body, text)
		for i := lo; i <= hi && strings.Contains(text, "~"); i++ {
			if g.drawn[t.array] == nil {
				g.drawn[t.array] = make([]bool, g.n+1)
			}
			g.drawn[t.array][t.by*i+t.plus] = true
		}
	}
	g.rng.Shuffle(len(body), func(i, j int) { body[i], body[j] = body[j], body[i] })
	text := strings.Join(body, "\n")
	if hi > 0 {
		text = fmt.Sprintf("for (i in %d:%d) {\n%s\n}", lo, hi, text)
	}
	g.stmts = append(g.stmts, text)
}

func (g *generator) relation(left string, terms []string) string {
	sum := strings.Join(append(terms, fmt.Sprintf("0.%d", 1+g.rng.IntN(9))), " + ")
	if g.rng.IntN(3) == 0 {
		return left + " ~ dnorm(" + sum + ", 1)"
	}
	return left + " <- " + sum
}

// observe gives some of the stochastic elements: those from one on, or any.
func (g *generator) observe() {
	for _, a := range g.arrays {
		if g.drawn[a] == nil || g.rng.IntN(2) == 0 {
			continue
		}
		from, any := 1+g.rng.IntN(g.n), g.rng.IntN(2) == 0
		vals := make([]string, g.n)
		for k := range vals {
			vals[k] = "null"
			if g.drawn[a][k+1] && (any && g.rng.IntN(2) == 0 || !any && k+1 >= from) {
				vals[k] = fmt.Sprintf("0.%d", 1+g.rng.IntN(9))
			}
		}
		g.data = append(g.data, fmt.Sprintf("%q: [%s]", a, strings.Join(vals, ", ")))
	}
}

// reads makes up to two terms that read vectors.
func (g *generator) reads(t target, lo, hi int) []string {
	var out []string
	for range g.rng.IntN(3) {
		if term := g.read(t, lo, hi); term != "" {
			out = append(out, "0.3 * "+term)
		}
	}
	return out
}

func (g *generator) read(t target, lo, hi int) string {
	b := g.arrays[g.rng.IntN(len(g.arrays))]
	by, plus := 0, 1+g.rng.IntN(g.n)
	if hi > 0 && g.rng.IntN(4) > 0 {
		by, plus = []int{1, 1, 2, -1, t.by}[g.rng.IntN(5)], g.rng.IntN(5)-2
		if by < 0 {
			plus += g.n
		}
		if g.rng.IntN(2) == 0 {
			plus = t.plus + g.rng.IntN(3) - 1
			by = t.by
		}
	}
	first, last := by*lo+plus, by*hi+plus
	if min(first, last) < 1 || max(first, last) > g.n || g.rng.IntN(4) == 0 {
		return g.hidden(t, b, lo, hi)
	}
	index := fmt.Sprintf("%d * i + %d", by, plus)
	if by == 0 {
		index = fmt.Sprint(plus)
	}
	switch g.rng.IntN(8) {
	case 0:
		return fmt.Sprintf([]string{"sum(%s[1:(%s)])", "max(%s[1:(%s)])", "mean(%s[1:(%s)])"}[g.rng.IntN(3)], b, index)
	case 1:
		return fmt.Sprintf("mean(%s[(%s):n])", b, index)
	}
	return b + "[" + index + "]"
}

// hidden reads positions from data: elements that come earlier in the hidden order,
// or sometimes any.
func (g *generator) hidden(t target, b string, lo, hi int) string {
	from, to := slices.Index(g.arrays, b), slices.Index(g.arrays, t.array)
	if to < 0 {
		return ""
	}
	wild := g.rng.IntN(20) == 0
	vals := make([]string, max(hi, 1))
	for i := range vals {
		vals[i] = "1"
		if i+1 < lo {
			continue
		}
		at := t.by*(i+1) + t.plus
		if hi == 0 {
			at = t.plus
		}
		var fits []int
		for k := 1; k <= g.n; k++ {
			if wild || g.rank[from*(g.n+1)+k] < g.rank[to*(g.n+1)+at] {
				fits = append(fits, k)
			}
		}
		if len(fits) == 0 {
			return ""
		}
		vals[i] = fmt.Sprint(fits[g.rng.IntN(len(fits))])
	}
	name := fmt.Sprintf("p%d", len(g.data))
	g.data = append(g.data, fmt.Sprintf(`"%s": [%s]`, name, strings.Join(vals, ", ")))
	if hi == 0 {
		return fmt.Sprintf("%s[%s[1]]", b, name)
	}
	return fmt.Sprintf("%s[%s[i]]", b, name)
}

// matrix makes a matrix whose inside reads its neighbours.
func (g *generator) matrix() {
	near := []string{"M[i - 1, j]", "M[i, j - 1]", "M[i - 1, j - 1]", "M[i + 1, j - 1]", "M[i - 1, j + 1]", "M[i, j + 1]", "M[i + 1, j]", "v[i]", "v[j]", g.arrays[0] + "[i]"}
	var terms []string
	for range 1 + g.rng.IntN(3) {
		terms = append(terms, "0.2 * "+near[g.rng.IntN(len(near))])
	}
	v := "v[i] <- 0.5"
	if g.rng.IntN(3) == 0 {
		v = fmt.Sprintf("v[i] <- 0.1 * M[i, %d]", 1+g.rng.IntN(4))
	}
	bound := "1:4"
	if g.rng.IntN(4) == 0 {
		bound = "i:4"
		g.stmts = append(g.stmts, "for (i in 3:4) { for (j in 2:(i - 1)) { M[i, j] ~ dnorm(0, 1) } }")
	} else if g.rng.IntN(2) == 0 {
		bound = "2:4"
		g.stmts = append(g.stmts, "for (k in 2:4) { M[k, 1] ~ dnorm(0, 1) }")
	} else {
		g.stmts = append(g.stmts, "for (k in 2:4) { M[k, 1] <- v[k] }")
		bound = "2:4"
	}
	if bound == "i:4" {
		g.stmts = append(g.stmts, "for (k in 2:4) { M[k, 1] <- v[k] }")
	}
	inside := g.relation("M[i, j]", terms)
	body := fmt.Sprintf("for (j in %s) {\n%s\n}", bound, inside)
	if g.rng.IntN(2) == 0 {
		g.stmts = append(g.stmts, "for (i in 2:4) {\n"+v+"\n"+body+"\n}", "v[1] <- 0.25", "v[5] <- 0.75")
	} else {
		g.stmts = append(g.stmts, "for (i in 2:4) {\n"+body+"\n}", "for (i in 2:4) {\n"+v+"\n}", "v[1] <- 0.25", "v[5] <- 0.75")
	}
	g.stmts = append(g.stmts, "for (e in 1:5) { M[1, e] ~ dnorm(0, 1)  M[5, e] <- e }", "for (e in 2:4) { M[e, 5] <- 0.1 * e }")
}

// series makes two matrices, the second of which stands in several nests, that read
// each other's rows of about the same time.
func (g *generator) series() {
	row := func(by string) string { return by + []string{"", " - 1", " - 1", " + 1"}[g.rng.IntN(4)] }
	column := func() string { return []string{"r", "r", "2", "r - 1", "r + 1"}[g.rng.IntN(5)] }
	s := g.relation("S[t, r]", []string{"0.2 * S[t - 1, " + column() + "]", "0.2 * X[t, r]"})
	even := g.relation("X[2 * t, r]", []string{"0.2 * S[" + row("2 * t") + ", " + column() + "]", "0.1 * X[2 * t, " + []string{"r - 1", "r + 1", "4"}[g.rng.IntN(3)] + "]"})
	odd := g.relation("X[2 * t + 1, r]", []string{"0.2 * S[" + row("2 * t + 1") + ", " + column() + "]"})
	last := 2*(1+g.rng.IntN(3)) + g.rng.IntN(2)
	g.stmts = append(g.stmts,
		fmt.Sprintf("for (t in 2:%d) { for (r in 2:3) {\n%s\n} }", last, s),
		fmt.Sprintf("for (t in 1:%d) { for (r in 2:3) {\n%s\n} }", last/2, even),
		fmt.Sprintf("for (t in 1:%d) { for (r in 2:3) {\n%s\n} }", (last-1)/2, odd),
		"for (r in 2:3) { S[1, r] ~ dnorm(0, 1)  X[1, r] <- r }",
		fmt.Sprintf("for (t in 1:%d) { S[t, 1] <- t  S[t, 4] <- 1 }", last+1),
		fmt.Sprintf("for (t in 1:%d) { X[t, 1] ~ dnorm(t, 1)  X[t, 4] <- 1 }", last+1),
		fmt.Sprintf("for (r in 2:3) { S[%d, r] <- r }", last+1))
}
