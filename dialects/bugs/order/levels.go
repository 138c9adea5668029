package order

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/bugs/bind"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// byInstance orders the instances of a component by Kahn's algorithm over packed arrays:
// the time is linear in the number of their reads.
func (o *Orderer) byInstance(k *Component) (*model.Wavefronts, *cycleError) {
	if w := o.wavefronts[k.Stmts[0]]; w != nil {
		return w, nil
	}
	g := &instances{b: o.Builder, known: o.known, component: k}
	g.count()
	if !g.edges() {
		return nil, &cycleError{tooMany: k}
	}
	levels := g.levels()
	if levels == 0 {
		return nil, &cycleError{path: g.cycle()}
	}
	w := &model.Wavefronts{Levels: levels}
	if o.known {
		return w, nil // nothing will run in this order
	}
	for i, s := range k.Stmts {
		w.Parts = append(w.Parts, g.wavefront(i, s, levels))
	}
	if o.wavefronts == nil {
		o.wavefronts = map[*model.Statement]*model.Wavefronts{}
	}
	o.wavefronts[k.Stmts[0]] = w
	return w, nil
}

// instances is the graph of the iterations of some statements, numbered statement
// by statement.
type instances struct {
	b         *bind.Builder
	known     bool // elements that have values have definers, too
	component *Component
	place     []int32 // of each statement of the model in the component, from 1; 0 is none
	base      []int32 // the first instance of each statement, and the number of all
	first     []int32 // where in next the readers of each instance begin
	next      []int32 // the readers
	waits     []int32 // how many reads of an instance are of instances without a level
	level     []int32 // from 1; 0 is none
}

// count numbers the instances.
func (g *instances) count() {
	g.place = make([]int32, len(g.b.Model.Statements))
	n := 0
	for i, s := range g.component.Stmts {
		if !g.b.Model.Cyclic || s.Sample == nil { // else nobody waits for it
			g.place[s.Index] = int32(i + 1)
		}
		g.base = append(g.base, int32(n))
		n += s.Iterations
	}
	g.base = append(g.base, int32(n))
}

// A reader calls f for each element that a reference reads at values of the loop
// variables.
type reader func(at []int32, f func(v *model.Var, k int))

// readers are those of the references of a statement.
func (g *instances) readers(s *model.Statement) []reader {
	var out []reader
	for _, r := range refsOf(g.b, s, g.known) {
		fr, v := eval.NewFrame(g.b.Model, s), g.b.Model.Bindings[r].Var
		part := func(at []int32, f func(v *model.Var, k int)) {
			fr.At = at
			_ = fr.Each(r, v, true, func(k int) error { f(v, k); return nil }) // depend met its errors
		}
		if idx := positions(fr, r, v); idx != nil {
			out = append(out, func(at []int32, f func(v *model.Var, k int)) {
				k := 0
				for d, x := range idx {
					i, st := x(at)
					if st != model.Valued || i < 1 || i > v.Dims[d] {
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
func positions(f *eval.Frame, r *syntax.Ref, v *model.Var) []model.IntNumber {
	c := &eval.Compiler{Frame: f}
	var out []model.IntNumber
	for _, x := range r.Indices {
		if !model.Single(x) || len(r.Indices) != len(v.Dims) {
			return nil
		}
		out = append(out, c.Whole(x))
	}
	return out
}

// definers calls f with the instances of the component that define an element: one, or
// also one that draws what another computed from data.
func (g *instances) definers(v *model.Var, k int, f func(from int32)) {
	if v.KnownAt(k) && !g.known {
		return
	}
	for _, by := range definers(g.b.Model, v, k) {
		if by.Stmt != 0 && g.place[by.Stmt-1] != 0 {
			f(g.base[g.place[by.Stmt-1]-1] + by.Iter)
		}
	}
}

// MaxEdges bounds how many reads of elements an order may be computed from.
var MaxEdges = 1 << 26

// edges fills the arrays of who reads whom; false if there are too many.
func (g *instances) edges() bool {
	n := g.base[len(g.base)-1]
	g.first, g.waits = make([]int32, n+1), make([]int32, n)
	var read []int32 // what the instances read, one after the other
	for i, s := range g.component.Stmts {
		rs := g.readers(s)
		s.Domain.Each(func(iter int, at []int32) bool {
			to := g.base[i] + int32(iter)
			for _, r := range rs {
				r(at, func(v *model.Var, k int) {
					g.definers(v, k, func(from int32) {
						read = append(read, from)
						g.first[from+1]++
						g.waits[to]++
					})
				})
			}
			return len(read) <= MaxEdges
		})
	}
	if len(read) > MaxEdges {
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
func (g *instances) cycle() []Element {
	x := int32(0)
	for g.waits[x] == 0 {
		x++
	}
	met := map[int32]int{}
	var path []Element
	for {
		if at, again := met[x]; again {
			return path[at:]
		}
		met[x] = len(path)
		i := 0
		for g.base[i+1] <= x {
			i++
		}
		s, found := g.component.Stmts[i], false
		at := s.At(int(x - g.base[i]))
		for _, r := range g.readers(s) {
			r(at, func(v *model.Var, k int) {
				g.definers(v, k, func(from int32) {
					if !found && g.waits[from] > 0 {
						found, x = true, from
						path = append(path, Element{v, k})
					}
				})
			})
		}
		if !found {
			panic("bugs: an instance waits for nothing")
		}
	}
}

// wavefront sorts the instances of a statement by level.
func (g *instances) wavefront(i int, s *model.Statement, levels int) model.Wavefront {
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
	w := model.Wavefront{Stmt: s, Start: table(g.b, s, "levels", start)}
	at := make([]int32, levels)
	for l := range at {
		at[l] = int32(start[l]) - 1
	}
	vals := make([][]float64, len(s.Loops))
	for d := range vals {
		vals[d] = make([]float64, len(level))
	}
	s.Domain.Each(func(iter int, vars []int32) bool {
		l := level[iter]
		for d, x := range vars {
			vals[d][at[l-1]] = float64(x)
		}
		at[l-1]++
		return true
	})
	for d, l := range s.Loops {
		w.At = append(w.At, table(g.b, s, fmt.Sprintf("%s.%d", l.Var, d+1), vals[d]))
	}
	return w
}

// table makes a variable of data for the order of a statement. No program can name
// it: there is a blank in it.
func table(b *bind.Builder, s *model.Statement, what string, vals []float64) *model.Var {
	name := fmt.Sprintf("order of %s (%d) %s", s.Var.Name, s.Index+1, what)
	v := b.Model.ByName[name]
	if v == nil {
		v = &model.Var{Name: name, ID: len(b.Model.Vars), Table: true}
		b.Model.Vars = append(b.Model.Vars, v)
		b.Model.ByName[name] = v
	}
	n := len(vals)
	v.Dims, v.Size, v.Value, v.Known = []int{n}, n, vals, model.FullMask(n)
	v.Counts[model.Known] = n
	return v
}
