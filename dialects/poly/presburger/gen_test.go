package presburger

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A formula is a constraint as text and as what it says of the values of the
// variables: the parameter N first, then the dimensions, then what exists.
type formula struct {
	text  string
	holds func(x []int64) bool
}

// A rel is a random set or map: its text, and whether a tuple (both sides of a map
// one after the other) belongs to it at a value of N.
type rel struct {
	text     string
	in, out  int
	param    bool
	contains func(n int64, x []int64) bool
}

func (r rel) dims() int { return max(r.in, 0) + r.out }

// gen writes random sets and maps.
type gen struct {
	*rand.Rand
	names   []string // N, the dimensions, what exists
	bounded bool     // every dimension is in -5..5
	small   bool     // few dimensions, constraints and disjuncts
	param   bool
	integer bool // functions have integer values
}

// newGen is the generator of one case: most are small.
func newGen(seed, i uint64) *gen {
	return &gen{Rand: rand.New(rand.NewPCG(seed, i)), bounded: i%3 > 0, small: i%64 > 0}
}

func (g *gen) pick(xs ...string) string { return xs[g.IntN(len(xs))] }

// affine is a random affine expression.
func (g *gen) affine() (string, func(x []int64) int64) {
	var b strings.Builder
	width := 3
	if g.small {
		width = 2
	}
	coeffs := make([]int64, len(g.names))
	for i, v := range g.names {
		if c := g.IntN(2*width+1) - width; c != 0 && g.IntN(3) > 0 && (i > 0 || g.param) {
			coeffs[i] = int64(c)
			fmt.Fprintf(&b, " + %d%s", c, v)
		}
	}
	k := int64(g.IntN(13) - 6)
	fmt.Fprintf(&b, " + %d", k)
	return "(" + strings.ReplaceAll(b.String()[3:], "+ -", "- ") + ")", func(x []int64) int64 {
		s := k
		for i, c := range coeffs {
			if c != 0 {
				s += c * x[i]
			}
		}
		return s
	}
}

func floorDiv(a, b int64) int64 { return (a - mod(a, b)) / b }

func mod(a, b int64) int64 { return ((a % b) + b) % b }

// constraint is a random one; what exists in it is bounded by it.
func (g *gen) constraint(depth int) formula {
	at, af := g.affine()
	k := int64(2 + g.IntN(4))
	switch n := g.IntN(12); {
	case n < 4:
		return formula{at + " >= 0", func(x []int64) bool { return af(x) >= 0 }}
	case n < 6:
		return formula{at + " = 0", func(x []int64) bool { return af(x) == 0 }}
	case n < 8:
		r := int64(g.IntN(int(k)))
		return formula{fmt.Sprintf("%s mod %d = %d", at, k, r), func(x []int64) bool { return mod(af(x), k) == r }}
	case n < 9:
		bt, bf := g.affine()
		return formula{fmt.Sprintf("floor(%s/%d) >= %s", at, k, bt), func(x []int64) bool { return floorDiv(af(x), k) >= bf(x) }}
	case n < 11 && depth > 0:
		return g.exists(depth, at, af)
	case depth > 0:
		p, q := g.constraint(depth-1), g.constraint(depth-1)
		return formula{fmt.Sprintf("(%s or %s)", p.text, q.text), func(x []int64) bool { return p.holds(x) || q.holds(x) }}
	}
	return formula{at + " <= 3", func(x []int64) bool { return af(x) <= 3 }}
}

// exists is a constraint with a variable of its own, which is between two affine
// expressions after multiplication.
func (g *gen) exists(depth int, at string, af func([]int64) int64) formula {
	name := fmt.Sprintf("e%d%d", len(g.names), depth)
	lo, hi, c := -int64(g.IntN(2)), int64(g.IntN(4)), int64(1+g.IntN(5))
	g.names = append(g.names, name)
	body := formula{holds: func([]int64) bool { return true }}
	if g.IntN(2) == 0 {
		body = g.constraint(depth - 1)
		body.text = " and " + body.text
	}
	g.names = g.names[:len(g.names)-1]
	n := len(g.names)
	return formula{fmt.Sprintf("(exists %s : %d <= %s + %d%s <= %d%s)", name, lo, at, c, name, hi, body.text), func(x []int64) bool {
		a := af(x)
		y := append(x[:n:n], 0)
		for e := -floorDiv(a-lo, c); c*e <= hi-a; e++ { // lo <= a + c*e <= hi
			if y[n] = e; body.holds(y) {
				return true
			}
		}
		return false
	}}
}

// disjunct is a conjunction of random constraints.
func (g *gen) disjunct() formula {
	var fs []formula
	for i, v := range g.names[1:] {
		if g.bounded || g.IntN(3) > 0 {
			lo, hi := -int64(g.IntN(6)), int64(g.IntN(6))
			fs = append(fs, formula{fmt.Sprintf("%d <= %s <= %d", lo, v, hi), func(x []int64) bool { return lo <= x[1+i] && x[1+i] <= hi }})
		}
	}
	n, depth := g.IntN(4), 2
	if g.small {
		n, depth = g.IntN(3), 1
	}
	for range n {
		fs = append(fs, g.constraint(depth))
	}
	texts := []string{"true"}
	for _, f := range fs {
		texts = append(texts, f.text)
	}
	return formula{strings.Join(texts, " and "), func(x []int64) bool {
		for _, f := range fs {
			if !f.holds(x) {
				return false
			}
		}
		return true
	}}
}

// relation makes one with the given numbers of dimensions; in < 0 is a set.
func (g *gen) relation(in, out int) rel {
	g.param = g.IntN(2) == 0
	params := ""
	if g.param {
		params = "N"
	}
	ins, outs := []string{"i", "j", "k"}[:max(in, 0)], []string{"a", "b", "c"}[:out]
	head := fmt.Sprintf("[%s] : ", strings.Join(outs, ", "))
	if in >= 0 {
		head = fmt.Sprintf("[%s] -> %s", strings.Join(ins, ", "), head)
	}
	var ds []formula
	var texts []string
	many := 3
	if g.small {
		many = 2
	}
	for range 1 + g.IntN(many) {
		g.names = append(append([]string{"N"}, ins...), outs...)
		d := g.disjunct()
		ds, texts = append(ds, d), append(texts, head+d.text)
	}
	text := fmt.Sprintf("[%s] -> { %s }", params, strings.Join(texts, "; "))
	return rel{text, in, out, g.param, func(n int64, x []int64) bool {
		y := append([]int64{n}, x...)
		for _, d := range ds {
			if d.holds(y) {
				return true
			}
		}
		return false
	}}
}

// A trial is a random operation: an operation of isl_oracle.c, its operands, and the
// dimensions that project removes.
type trial struct {
	op       string
	in       []rel
	first, n int
}

var trialOps = []string{"intersect", "union", "subtract", "is_subset", "is_equal", "is_empty", "range", "domain", "inverse",
	"deltas", "apply", "compose", "project", "lexmin", "lexmax", "coalesce", "gist", "detect_equalities", "complement", "product",
	"lex_lt", "lex_le", "identity", "is_single_valued", "is_injective", "is_bounded", "is_disjoint"}

// trial makes a random operation.
func (g *gen) trial() trial {
	c := trial{op: g.pick(trialOps...)}
	n, m := 1+g.IntN(3), 1+g.IntN(2)
	if g.small {
		n, m = 1+g.IntN(2), 1
	}
	add := func(in, out int) { c.in = append(c.in, g.relation(in, out)) }
	switch c.op {
	case "intersect", "union", "subtract", "is_subset", "is_equal":
		in := g.IntN(2) - 1
		add(in, n)
		add(in, n)
	case "product", "lex_lt", "lex_le", "is_disjoint", "gist":
		add(-1, n)
		add(-1, n)
	case "complement", "identity", "is_bounded", "coalesce", "detect_equalities":
		add(-1, n)
	case "is_empty", "lexmin", "lexmax":
		add([]int{-1, m}[g.IntN(2)], n)
	case "is_single_valued", "is_injective", "range", "domain", "inverse":
		add(m, n)
	case "deltas":
		add(m, m)
	case "apply":
		add(-1, m)
		add(m, n)
	case "compose":
		add(m, n)
		add(n, m)
	case "project":
		c.first = g.IntN(n)
		c.n = 1 + g.IntN(n-c.first)
		add(-1, n)
	}
	return c
}

// setCase is the operation as the calls of this package and isl's oracle take it.
func (c trial) setCase() setCase {
	s := setCase{Op: c.op}
	for _, r := range c.in {
		s.Inputs = append(s.Inputs, r.text)
	}
	if c.op == "project" {
		x := fmt.Sprintf("set,%d,%d", c.first, c.n)
		s.Extra = &x
	}
	return s
}
