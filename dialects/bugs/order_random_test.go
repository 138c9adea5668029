package bugs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// A RandomProgram makes a small program whose statements stand in any order, with
// its data: vectors and matrices that are defined by loops over all, over even and
// odd, or over first and other elements, and read each other at affine and at
// data-dependent positions. Those from data follow a hidden order of all elements,
// so that many programs have one.
func RandomProgram(rng *rand.Rand) (model, data string) {
	g := &generator{rng: rng, n: 4 + rng.IntN(5)}
	arrays := []string{"x", "y", "z", "w"}[:1+rng.IntN(4)]
	g.arrays = arrays
	g.rank = rng.Perm(len(arrays) * (g.n + 1))
	for _, a := range arrays {
		g.define(a)
	}
	if rng.IntN(3) == 0 {
		g.matrix()
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
		body = append(body, g.relation(left, g.reads(t, lo, hi)))
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
		return fmt.Sprintf("sum(%s[1:(%s)])", b, index)
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

// naive evaluates a model by elements: what is read is computed first. It knows only
// what RandomProgram writes.
type naive struct {
	m     *Model
	val   map[element]float64
	state map[element]int // 1 being computed, 2 done
	logp  float64
	cycle bool
	logic bool // only logical nodes are followed
}

// instance is what defines an element, found by running over all iterations.
type instance struct {
	s  *Statement
	at []int32
}

func definitions(m *Model) map[element]instance {
	out := map[element]instance{}
	for _, s := range m.Statements {
		for i := range s.Iterations() {
			m.elements(s, i, func(k int) { out[element{s.v, k}] = instance{s, s.at(i)} })
		}
	}
	return out
}

func (n *naive) get(defs map[element]instance, e element) float64 {
	def, ok := defs[e]
	if !ok {
		return e.v.Value[e.k] // data
	}
	if n.logic && def.s.Sample != nil {
		return n.val[e]
	}
	switch n.state[e] {
	case 1:
		n.cycle = true
		return 0
	case 2:
		return n.val[e]
	}
	n.state[e] = 1
	if def.s.Assign != nil {
		n.val[e] = n.eval(defs, def.at, def.s.Assign.RHS)
	} else {
		n.eval(defs, def.at, def.s.Sample.Args[0])
	}
	n.state[e] = 2
	return n.val[e]
}

func (n *naive) eval(defs map[element]instance, at []int32, e syntax.Expr) float64 {
	switch e := e.(type) {
	case *syntax.Num:
		return e.Value
	case *syntax.Ref:
		bd := n.m.bind[e]
		if bd.level > 0 {
			return float64(at[bd.level-1])
		}
		k := 0
		for d, x := range e.Indices {
			k = k*bd.v.Dims[d] + int(n.eval(defs, at, x)) - 1
		}
		return n.get(defs, element{bd.v, k})
	case *syntax.Binary:
		x, y := n.eval(defs, at, e.X), n.eval(defs, at, e.Y)
		switch e.Op {
		case syntax.OpAdd:
			return x + y
		case syntax.OpSub:
			return x - y
		}
		return x * y
	case *syntax.Unary:
		return -n.eval(defs, at, e.X)
	case *syntax.Call: // sum or mean of a part
		r := e.Args[0].(*syntax.Ref)
		span := r.Indices[0].(*syntax.Range)
		lo, hi := int(n.eval(defs, at, span.From)), int(n.eval(defs, at, span.To))
		x := 0.0
		for i := lo; i <= hi; i++ {
			x += n.get(defs, element{n.m.bind[r].v, i - 1})
		}
		if e.Name == "mean" {
			x /= float64(hi - lo + 1)
		}
		return x
	}
	panic("not an expression of a random program")
}

// run evaluates everything; parameters have values in val.
func (n *naive) run() {
	defs := definitions(n.m)
	for e := range defs {
		n.get(defs, e)
	}
	if n.cycle {
		return
	}
	for e, def := range defs {
		if def.s.Sample != nil {
			d := n.val[e] - n.eval(defs, def.at, def.s.Sample.Args[0])
			n.logp += -d*d/2 - 0.5*math.Log(2*math.Pi)
		}
	}
}

func newNaive(m *Model, logic bool) *naive {
	n := &naive{m: m, val: map[element]float64{}, state: map[element]int{}, logic: logic}
	for _, v := range m.Vars {
		for k := range v.Len() {
			if v.ClassAt(k) == Parameter {
				n.val[element{v, k}] = math.Sin(float64(7*v.ID + k))
			}
		}
	}
	return n
}

// valid runs over an order and checks that every instance runs once, and reads
// nothing that is defined later. Items are followed here by their documentation.
func valid(t *testing.T, m *Model) error {
	b := &builder{m: m}
	ran, defined := map[string]bool{}, map[element]bool{}
	var bad error
	fail := func(format string, args ...any) {
		if bad == nil {
			bad = fmt.Errorf(format, args...)
		}
	}
	run := func(s *Statement, at []int32) {
		key := fmt.Sprint(s.Index, at)
		if ran[key] {
			fail("statement %d runs twice at %v", s.Index+1, at)
		}
		ran[key] = true
		f := b.frame(s)
		f.at = at
		for _, r := range b.nodeRefs(s) {
			v := m.bind[r].v
			_ = f.each(r, v, true, func(k int) error {
				e := element{v, k}
				if c := v.ClassAt(k); (c == Logical || c == Parameter && !m.cyclic) && !defined[e] {
					fail("statement %d at %v reads %s too early", s.Index+1, at, e.name())
				}
				return nil
			})
		}
		_ = f.each(s.LHS, s.v, false, func(k int) error { defined[element{s.v, k}] = true; return nil })
	}
	var walk func(items []Item, at []int32)
	walk = func(items []Item, at []int32) {
		for _, it := range items {
			switch {
			case it.Stmt != nil:
				run(it.Stmt, at)
			case it.Loop != nil:
				f := b.frame(it.Loop.Of)
				f.at = at
				lo, hi, err := f.bounds(it.Loop.Of.Loops[it.Loop.Level])
				if err != nil {
					t.Fatal(err)
				}
				var vals []int
				for i := lo; i <= hi; i++ {
					vals = append(vals, i)
				}
				if it.Loop.Reverse {
					slices.Reverse(vals)
				}
				for _, i := range vals {
					walk(it.Loop.Body, append(slices.Clone(at), int32(i)))
				}
			case it.Turns != nil:
				for u := it.Turns.Lo; u <= it.Turns.Hi; u++ {
					for _, x := range it.Turns.Body {
						if x.Once {
							walk(x.Body, at)
						} else {
							walk(x.Body, append(slices.Clone(at), int32(x.Scale*u+x.Shift)))
						}
					}
				}
			case it.Waves != nil:
				for l := 1; l <= it.Waves.Levels; l++ {
					for _, w := range it.Waves.Parts {
						for p := w.Start.Value[l-1]; p < w.Start.Value[l]; p++ {
							var vals []int32
							for _, v := range w.At {
								vals = append(vals, int32(v.Value[int(p)-1]))
							}
							run(w.Stmt, vals)
						}
					}
				}
			}
		}
	}
	walk(m.Order, nil)
	want := 0
	for _, s := range m.running() {
		want += s.Iterations()
	}
	if len(ran) != want {
		fail("%d instances of %d run", len(ran), want)
	}
	return bad
}

// kinds counts what an order is made of.
func kinds(items []Item, n map[string]int) {
	for _, it := range items {
		switch {
		case it.Loop != nil && it.Loop.Reverse:
			n["reverse"]++
			kinds(it.Loop.Body, n)
		case it.Loop != nil:
			kinds(it.Loop.Body, n)
		case it.Turns != nil:
			n["turns"]++
		case it.Waves != nil:
			n["waves"]++
		}
	}
}

// Random programs: the order found is valid, there is one unless elements depend on
// themselves, and the density is that of a naive evaluation.
func TestRandomOrders(t *testing.T) {
	count := 4000
	if testing.Short() {
		count = 600
	}
	met := map[string]int{}
	for seed := range count {
		model, data := RandomProgram(rand.New(rand.NewPCG(uint64(seed), 5)))
		m, list := analyze(t, model, data, syntax.BUGS)
		if list.Err() != nil && !strings.Contains(list.Error(), "depends on itself") {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, list, model, data)
		}
		all, logical := newNaive(m, false), newNaive(m, true)
		all.run()
		logical.run()
		if refused := list.Err() != nil; refused != logical.cycle || m.cyclic != all.cycle {
			t.Fatalf("seed %d: refused %v, cyclic %v; naive: logical cycle %v, cycle %v\n%v\n%s\n%s", seed, refused, m.cyclic, logical.cycle, all.cycle, list, model, data)
		}
		if list.Err() != nil {
			met["refused"]++
			continue
		}
		if err := valid(t, m); err != nil {
			t.Fatalf("seed %d: %v\n%s\n%s\n%s", seed, err, model, data, strings.Join(m.Sequence(), "\n"))
		}
		st := m.NewState()
		for e, x := range all.val {
			if e.v.ClassAt(e.k) == Parameter {
				st[e.v.ID][e.k] = x
			}
		}
		logp := 0.0
		if err := m.Visit(st, func(f Factor) { logp += f.Logp }); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if math.Abs(logp-logical.logp) > 1e-9*(1+math.Abs(logp)) {
			t.Fatalf("seed %d: log density %v, naive %v\n%s\n%s\n%s", seed, logp, logical.logp, model, data, strings.Join(m.Sequence(), "\n"))
		}
		kinds(m.Order, met)
		met["ordered"]++
	}
	t.Log(met)
	for _, k := range []string{"refused", "ordered", "reverse", "turns", "waves"} {
		if met[k] < count/200 {
			t.Errorf("%d programs have %s", met[k], k)
		}
	}
}
