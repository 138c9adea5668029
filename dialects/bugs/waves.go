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
	g := &instances{b: o.b, knot: k}
	g.count()
	if !g.edges() {
		return nil, &cycleError{tooMany: k}
	}
	levels := g.levels()
	if levels == 0 {
		return nil, &cycleError{path: g.cycle()}
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
	b     *builder
	knot  *knot
	place []int32 // of each statement of the model in the knot, from 1; 0 is none
	base  []int32 // the first instance of each statement, and the number of all
	first []int32 // of the readers of each instance
	next  []int32 // the readers
	waits []int32 // how many elements an instance waits for
	level []int32 // from 1; 0 is none
}

// count numbers the instances.
func (g *instances) count() {
	g.place = make([]int32, len(g.b.m.Statements))
	n := 0
	for i, s := range g.knot.stmts {
		if !g.b.m.cyclic || s.Sample == nil { // else nobody waits for it
			g.place[s.Index] = int32(i + 1)
		}
		g.base = append(g.base, int32(n))
		n += s.Iterations()
	}
	g.base = append(g.base, int32(n))
}

// A reader calls f for each element that a reference reads at values of the loop
// variables.
type reader func(at []int32, f func(v *Var, k int))

// readers are those of the references of a statement.
func (g *instances) readers(s *Statement) []reader {
	var out []reader
	for _, r := range g.b.nodeRefs(s) {
		fr, v := newFrame(g.b.m, s), g.b.m.bind[r].v
		part := func(at []int32, f func(v *Var, k int)) {
			fr.at = at
			_ = fr.each(r, v, true, func(k int) error { f(v, k); return nil }) // depend met its errors
		}
		if idx := fr.positions(r, v); idx != nil {
			out = append(out, func(at []int32, f func(v *Var, k int)) {
				k := 0
				for d, x := range idx {
					i, st := x(at)
					if st != valued || i < 1 || i > v.Dims[d] {
						part(at, f)
						return
					}
					k = k*v.Dims[d] + i - 1
				}
				f(v, k)
			})
			continue
		}
		out = append(out, part)
	}
	return out
}

// positions compiles the indices of a reference to one element; nil if it may be to more.
func (f *frame) positions(r *syntax.Ref, v *Var) []whole {
	c := &compiler{f: f}
	var out []whole
	for _, x := range r.Indices {
		if !single(x) || len(r.Indices) != len(v.Dims) {
			return nil
		}
		out = append(out, c.whole(x))
	}
	return out
}

// definer is the instance of the knot that defines an element, if one does.
func (g *instances) definer(v *Var, k int) (int32, bool) {
	if v.knownAt(k) {
		return 0, false
	}
	by := v.drawnBy(k)
	if by.stmt == 0 {
		by = v.assignedBy(k)
	}
	if by.stmt == 0 || g.place[by.stmt-1] == 0 {
		return 0, false
	}
	return g.base[g.place[by.stmt-1]-1] + by.iter, true
}

// maxEdges bounds how many reads of elements an order may be computed from.
var maxEdges = 1 << 26

// edges fills the arrays of who reads whom; false if there are too many.
func (g *instances) edges() bool {
	n := g.base[len(g.base)-1]
	g.first, g.waits = make([]int32, n+1), make([]int32, n)
	var read []int32 // what the instances read, one after the other
	for i, s := range g.knot.stmts {
		rs := g.readers(s)
		s.dom.each(func(iter int, at []int32) bool {
			to := g.base[i] + int32(iter)
			for _, r := range rs {
				r(at, func(v *Var, k int) {
					if from, ok := g.definer(v, k); ok {
						read = append(read, from)
						g.first[from+1]++
						g.waits[to]++
					}
				})
			}
			return len(read) <= maxEdges
		})
	}
	if len(read) > maxEdges {
		return false
	}
	for i := range n {
		g.first[i+1] += g.first[i]
	}
	g.next = make([]int32, len(read))
	at := append([]int32(nil), g.first[:n]...)
	for to, w := range g.waits {
		for _, from := range read[:w] {
			g.next[at[from]] = int32(to)
			at[from]++
		}
		read = read[w:]
	}
	return true
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
		s, found := g.knot.stmts[i], false
		at := s.at(int(x - g.base[i]))
		for _, r := range g.readers(s) {
			r(at, func(v *Var, k int) {
				if from, ok := g.definer(v, k); ok && !found && g.waits[from] > 0 {
					found, x = true, from
					path = append(path, element{v, k})
				}
			})
		}
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
