package bugs

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// Waves are instances of statements by level: those of a level need only those of
// the levels before it. It is a loop over the levels and in it one for each
// statement, so the code is as long as the statements, whatever they run over.
type Waves struct {
	Levels int
	Parts  []Wave
}

// A Wave holds the instances of a statement, the levels in order. Those of level w,
// counted from 1, are from Start[w] to Start[w+1]-1, and At[d] holds the values of
// loop variable d, all counted from 1.
type Wave struct {
	Stmt  *Statement
	Start *Var
	At    []*Var
}

// byInstance orders the instances of a knot by Kahn's algorithm over packed arrays:
// the time is linear in the number of their reads.
func (o *orderer) byInstance(k *knot) (*Waves, *cycleError) {
	if w := o.waves[k.stmts[0]]; w != nil {
		return w, nil
	}
	g := &instances{b: o.b, knot: k, pos: numbered(k.stmts)}
	g.follow = map[[2]int]bool{}
	for _, d := range k.deps {
		g.follow[[2]int{d.from.Index, d.to.Index}] = true
	}
	g.count()
	g.edges()
	levels := g.levels()
	if levels == 0 {
		return nil, &cycleError{g.cycle()}
	}
	w := &Waves{Levels: levels}
	for i, s := range k.stmts {
		w.Parts = append(w.Parts, g.wave(i, s, levels))
	}
	if o.waves == nil {
		o.waves = map[*Statement]*Waves{}
	}
	o.waves[k.stmts[0]] = w
	return w, nil
}

// instances is the graph of the iterations of some statements, numbered statement
// by statement.
type instances struct {
	b      *builder
	knot   *knot
	pos    map[*Statement]int
	follow map[[2]int]bool // the dependences of the knot, by the indices of statements
	base   []int32         // the first instance of each statement, and the number of all
	first  []int32         // of the readers of each instance
	next   []int32         // the readers
	waits  []int32         // how many elements an instance waits for
	level  []int32         // from 1; 0 is none
}

func (g *instances) count() {
	n := 0
	for _, s := range g.knot.stmts {
		g.base = append(g.base, int32(n))
		n += s.Iterations()
	}
	g.base = append(g.base, int32(n))
}

// reads calls f for each instance in the knot that the instance of its statement i
// at a frame reads, and the element that it does.
func (g *instances) reads(fr *frame, refs []*syntax.Ref, i int, f func(from int32, e element)) {
	to := g.knot.stmts[i]
	for _, r := range refs {
		v := g.b.m.bind[r].v
		_ = fr.each(r, v, true, func(k int) error { // depend met its errors
			var by origin
			switch v.ClassAt(k) {
			case Logical:
				by = v.assignedBy(k)
			case Parameter:
				by = v.drawnBy(k)
			default:
				return nil
			}
			s := g.b.m.Statements[by.stmt-1]
			if p, ok := g.pos[s]; ok && g.follow[[2]int{s.Index, to.Index}] {
				f(g.base[p]+by.iter, element{v, k})
			}
			return nil
		})
	}
}

// visit calls f for each pair of an instance and one that it reads.
func (g *instances) visit(f func(from, to int32)) {
	for i, s := range g.knot.stmts {
		fr, refs := g.b.frame(s), g.b.nodeRefs(s)
		s.dom.each(func(iter int, at []int32) bool {
			fr.at = at
			to := g.base[i] + int32(iter)
			g.reads(fr, refs, i, func(from int32, _ element) { f(from, to) })
			return true
		})
	}
}

// edges fills the arrays of who reads whom.
func (g *instances) edges() {
	n := g.base[len(g.base)-1]
	g.first, g.waits = make([]int32, n+1), make([]int32, n)
	g.visit(func(from, to int32) {
		g.first[from+1]++
		g.waits[to]++
	})
	for i := range n {
		g.first[i+1] += g.first[i]
	}
	g.next = make([]int32, g.first[n])
	at := append([]int32(nil), g.first[:n]...)
	g.visit(func(from, to int32) {
		g.next[at[from]] = to
		at[from]++
	})
}

// levels gives each instance the length of the longest chain up to it, and returns
// the largest; 0 if some instances wait for each other.
func (g *instances) levels() int {
	n := len(g.waits)
	g.level = make([]int32, n)
	queue := make([]int32, 0, n)
	for i, w := range g.waits {
		if w == 0 {
			g.level[i] = 1
			queue = append(queue, int32(i))
		}
	}
	top := int32(0)
	for at := 0; at < len(queue); at++ {
		x := queue[at]
		top = max(top, g.level[x])
		for _, y := range g.next[g.first[x]:g.first[x+1]] {
			g.level[y] = max(g.level[y], g.level[x]+1)
			if g.waits[y]--; g.waits[y] == 0 {
				queue = append(queue, y)
			}
		}
	}
	if len(queue) < n {
		return 0
	}
	return int(top)
}

// cycle follows instances that wait from one to another that it waits for, until
// one is met again. It is the path of elements, each with one that it depends on.
func (g *instances) cycle() []element {
	x := int32(0)
	for g.waits[x] == 0 {
		x++
	}
	met := map[int32]int{}
	var path []element
	for {
		if at, again := met[x]; again {
			return path[at:]
		}
		met[x] = len(path)
		i := 0
		for g.base[i+1] <= x {
			i++
		}
		s := g.knot.stmts[i]
		found, fr := false, g.b.frame(s)
		fr.at = s.at(int(x - g.base[i]))
		g.reads(fr, g.b.nodeRefs(s), i, func(from int32, e element) {
			if !found && g.waits[from] > 0 {
				found, x = true, from
				path = append(path, e)
			}
		})
		if !found {
			panic("bugs: an instance waits for nothing")
		}
	}
}

// wave sorts the instances of a statement by level.
func (g *instances) wave(i int, s *Statement, levels int) Wave {
	level := g.level[g.base[i]:g.base[i+1]]
	start := make([]float64, levels+1)
	for _, l := range level {
		start[l]++
	}
	start[0] = 1 // counted from 1, as all indices
	for l := 1; l <= levels; l++ {
		start[l] += start[l-1]
	}
	// start[l-1] is now where level l begins, and start[levels] the end.
	w := Wave{Stmt: s, Start: g.b.table(s, "levels", start)}
	at := make([]int32, levels)
	for l := range at {
		at[l] = int32(start[l]) - 1
	}
	vals := make([][]float64, len(s.Loops))
	for d := range vals {
		vals[d] = make([]float64, len(level))
	}
	s.dom.each(func(iter int, vars []int32) bool {
		l := level[iter]
		for d, x := range vars {
			vals[d][at[l-1]] = float64(x)
		}
		at[l-1]++
		return true
	})
	for d, l := range s.Loops {
		w.At = append(w.At, g.b.table(s, fmt.Sprintf("%s.%d", l.Var, d+1), vals[d]))
	}
	return w
}

// table makes a variable of data for the order of a statement. No program can name
// it: there is a blank in it.
func (b *builder) table(s *Statement, what string, vals []float64) *Var {
	name := fmt.Sprintf("order of %s (%d) %s", s.v.Name, s.Index+1, what)
	v := b.m.byName[name]
	if v == nil {
		v = &Var{Name: name, ID: len(b.m.Vars), table: true}
		b.m.Vars = append(b.m.Vars, v)
		b.m.byName[name] = v
	}
	n := len(vals)
	v.Dims, v.size, v.Value, v.known = []int{n}, n, vals, fullMask(n)
	v.count[Known] = n
	return v
}
