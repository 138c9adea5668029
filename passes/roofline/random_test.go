package roofline_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

var (
	programs  = flag.Int("programs", 200, "how many random nests are counted")
	firstSeed = flag.Uint64("seed", 0, "the first seed")
)

// A term is an affine function of the indices of loops and of n.
type term struct {
	of        []int // factors of the indices
	n, const_ int
}

func (e term) at(i []int, n int) int {
	x := e.n*n + e.const_
	for k, f := range e.of {
		x += f * i[k]
	}
	return x
}

// text spells a term as an index, or with a map as a bound.
func (e term) text(bound bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", e.const_)
	var dims, args []string
	for k, f := range e.of {
		name := fmt.Sprintf("%%i%d", k)
		if bound {
			name = fmt.Sprintf("d%d", k)
		}
		dims, args = append(dims, name), append(args, fmt.Sprintf("%%i%d", k))
		if f != 0 {
			fmt.Fprintf(&b, " + %d * %s", f, name)
		}
	}
	if !bound {
		return b.String()
	}
	if e.n != 0 {
		fmt.Fprintf(&b, " + %d * s0", e.n)
	}
	return fmt.Sprintf("affine_map<(%s)[s0] -> (%s)>(%s)[%%n]", strings.Join(dims, ", "), b.String(), strings.Join(args, ", "))
}

// A node is a loop, a condition, or a statement, which stores the product of what it reads first and second plus its third read.
type node struct {
	kind   string
	lo, hi term
	step   int
	cond   term
	body   []*node
	id     int
	reads  [3]access
	write  access
}

type access struct {
	array string
	at    [2]term
}

type nestGen struct {
	r          *rand.Rand
	statements int
	read       int
	arrays     []string
}

func (g *nestGen) index(depth int) term {
	e := term{of: make([]int, depth), const_: g.r.IntN(3)}
	if depth > 0 {
		e.of[g.r.IntN(depth)] = []int{0, 1, 1, 1, 2}[g.r.IntN(5)]
	}
	if depth > 0 && g.r.IntN(5) == 0 {
		e.of[g.r.IntN(depth)] = 1
	}
	return e
}

func (g *nestGen) bound(depth int) term {
	e := term{of: make([]int, depth), const_: g.r.IntN(3)}
	if depth > 0 && g.r.IntN(3) == 0 {
		e.of[g.r.IntN(depth)] = 1
		return e
	}
	e.n = 1 // a loop whose number of iterations is known may not stay one
	if depth > 0 && g.r.IntN(3) == 0 {
		e.of[g.r.IntN(depth)] = -1
	}
	return e
}

func (g *nestGen) access(depth int, array string) access {
	if array == "" { // one that nothing writes
		g.read++
		array = fmt.Sprintf("R%d", g.read)
		g.arrays = append(g.arrays, array)
	}
	return access{array, [2]term{g.index(depth), g.index(depth)}}
}

func (g *nestGen) nest(depth int) *node {
	l := &node{kind: "for", lo: term{of: make([]int, depth), const_: g.r.IntN(2)}, hi: g.bound(depth), step: []int{1, 1, 1, 2, 3}[g.r.IntN(5)]}
	if depth > 0 && g.r.IntN(4) == 0 {
		l.lo.of[g.r.IntN(depth)] = 1
	}
	for range 1 + g.r.IntN(2) {
		l.body = append(l.body, g.inside(depth+1))
	}
	return l
}

func (g *nestGen) inside(depth int) *node {
	switch x := g.r.IntN(6); {
	case x < 3 && depth < 3:
		return g.nest(depth)
	case x == 3:
		c := g.index(depth)
		c.n, c.const_ = -g.r.IntN(2), g.r.IntN(5)-2
		return &node{kind: "if", cond: c, body: []*node{g.inside(depth)}}
	}
	s := &node{kind: "do", id: g.statements, write: g.access(depth, fmt.Sprintf("W%d", g.statements))}
	g.statements++
	g.arrays = append(g.arrays, s.write.array)
	for k := range s.reads {
		array := ""
		if g.r.IntN(3) == 0 {
			array = fmt.Sprintf("W%d", g.r.IntN(g.statements))
		}
		s.reads[k] = g.access(depth, array)
	}
	return s
}

func (a access) text() string {
	return fmt.Sprintf("%%%s[%s, %s] : memref<?x?xf64>", a.array, a.at[0].text(false), a.at[1].text(false))
}

func (x *node) text(b *strings.Builder, depth int) {
	switch x.kind {
	case "for":
		fmt.Fprintf(b, "affine.for %%i%d = %s to %s step %d {\n", depth, x.lo.text(true), x.hi.text(true), x.step)
		depth++
	case "if":
		m := x.cond.text(true)
		m = strings.NewReplacer("affine_map", "affine_set", ")[s0] -> (", ")[s0] : (", ")>(", " >= 0)>(").Replace(m)
		fmt.Fprintf(b, "affine.if %s {\n", m)
	default:
		for k, a := range x.reads {
			fmt.Fprintf(b, "%%x%d_%d = affine.load %s\n", x.id, k, a.text())
		}
		fmt.Fprintf(b, "%%p%[1]d = arith.mulf %%x%[1]d_0, %%x%[1]d_1 : f64\n%%s%[1]d = arith.addf %%p%[1]d, %%x%[1]d_2 : f64\naffine.store %%s%[1]d, %s\n", x.id, x.write.text())
		return
	}
	for _, y := range x.body {
		y.text(b, depth)
	}
	b.WriteString("}\n")
}

// A run counts what a nest does.
type run struct {
	n             int
	at            []int
	operations    map[string]bool
	read, written map[string]bool
	writers       map[string][][]*node // by array, the loops around each statement that writes it
	around        []*node
}

// depends are the indices that a read depends on: those of its own, and of the loops in which its array is written.
func (c *run) depends(a access, of map[int]bool) {
	for _, e := range a.at {
		for k, f := range e.of {
			if f != 0 {
				of[k] = true
			}
		}
	}
	for _, loops := range c.writers[a.array] {
		for k, l := range c.around {
			if slices.Contains(loops, l) {
				of[k] = true
			}
		}
	}
}

func (c *run) operation(name string, of map[int]bool) {
	for k, i := range c.at {
		if of[k] {
			name += fmt.Sprintf(" %d=%d", k, i)
		}
	}
	c.operations[name] = true
}

func (c *run) element(a access) string {
	return fmt.Sprint(a.array, "@", a.at[0].at(c.at, c.n), a.at[1].at(c.at, c.n))
}

// constant reports a term without indices and n.
func (e term) constant() bool {
	return e.n == 0 && !slices.ContainsFunc(e.of, func(f int) bool { return f != 0 })
}

// find lists the loops around statements, but those that can never run.
func (c *run) find(x *node, around []*node) {
	if x.kind == "if" && x.cond.constant() && x.cond.const_ < 0 || x.kind == "for" && x.lo.constant() && x.hi.constant() && x.lo.const_ >= x.hi.const_ {
		return
	}
	switch x.kind {
	case "do":
		c.writers[x.write.array] = append(c.writers[x.write.array], around)
	case "for":
		around = append(slices.Clone(around), x)
	}
	for _, y := range x.body {
		c.find(y, around)
	}
}

func (c *run) do(x *node) {
	switch x.kind {
	case "for":
		for i := x.lo.at(c.at, c.n); i < x.hi.at(c.at, c.n); i += x.step {
			outer, around := c.at, c.around
			c.at, c.around = append(slices.Clone(outer), i), append(slices.Clone(around), x)
			for _, y := range x.body {
				c.do(y)
			}
			c.at, c.around = outer, around
		}
	case "if":
		if x.cond.at(c.at, c.n) >= 0 {
			c.do(x.body[0])
		}
	default:
		of := map[int]bool{}
		for k, a := range x.reads {
			if e := c.element(a); !c.written[e] {
				c.read[e] = true
			}
			c.depends(a, of)
			if k > 0 {
				c.operation(fmt.Sprint("op", x.id, k), of)
			}
		}
		c.written[c.element(x.write)] = true
	}
}

// The operations of random nests are those that a run does, each once for the indices that it depends on, and their bytes those of the
// elements that it reads before it writes them, and of those that it writes.
func TestRandomWork(t *testing.T) {
	t.Parallel()
	counted, all := 0, 0
	for seed := *firstSeed; seed < *firstSeed+uint64(*programs) && !t.Failed(); seed++ {
		g := &nestGen{r: rand.New(rand.NewPCG(seed, 0x900f))}
		top := g.nest(0)
		top.hi = term{n: 1, const_: g.r.IntN(3)}
		var b strings.Builder
		b.WriteString("func.func @f(%n: index")
		for _, a := range g.arrays {
			fmt.Fprintf(&b, ", %%%s: memref<?x?xf64> {llvm.noalias}", a)
		}
		b.WriteString(") {\n")
		top.text(&b, 0)
		b.WriteString("return\n}\n")
		list := nests(t, b.String())
		if len(list) == 1 && list[0].Err != nil && strings.Contains(list[0].Err.Error(), "more work than its budget allows") {
			continue
		}
		if len(list) == 0 { // the loop is empty
			continue
		}
		all++
		if len(list) != 1 || list[0].Err != nil {
			t.Fatalf("seed %d: %d nests, %v\n%s", seed, len(list), list[0].Err, b.String())
		}
		w := list[0].Work
		if w.NotCounted != "" {
			t.Fatalf("seed %d: %s\n%s", seed, w.NotCounted, b.String())
		}
		for n := range 6 {
			c := &run{n: n, operations: map[string]bool{}, read: map[string]bool{}, written: map[string]bool{}, writers: map[string][][]*node{}}
			c.find(top, nil)
			c.do(top)
			params := map[string]presburger.Int{}
			for _, p := range w.Params {
				params[p] = presburger.NewInt(int64(n))
			}
			operations := 0.0
			for _, o := range w.Operations {
				x, err := o.Number.At(params)
				if err != nil {
					t.Fatal(err)
				}
				operations += x
			}
			read, err := w.Read.At(params)
			if err != nil {
				t.Fatal(err)
			}
			written, err := w.Written.At(params)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := [3]float64{operations, read, written}, [3]float64{float64(len(c.operations)), float64(8 * len(c.read)), float64(8 * len(c.written))}; got != want {
				t.Fatalf("seed %d: for n = %d %v operations, bytes read, bytes written, and a run has %v\n%s", seed, n, got, want, b.String())
			}
			counted += len(c.operations)
		}
	}
	t.Logf("%d of %d nests, %d operations", all, *programs, counted)
	if counted < 10**programs || all < *programs/2 {
		t.Errorf("%d operations of %d programs: the test tests little", counted, *programs)
	}
}
