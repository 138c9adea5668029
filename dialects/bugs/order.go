package bugs

import (
	"slices"

	"github.com/dominikbraun/graph"
	"github.com/irc-lang/irc/ir/diag"
)

// An Item of an order is a statement or a loop around further items.
type Item struct {
	Stmt *Statement
	Loop *Block
}

// A Block is a loop of the sequential program. All statements in it run over the
// same values at this level, under names of their own.
type Block struct {
	Level int        // 0 is outermost
	Of    *Statement // one of the statements in it
	Body  []Item
}

// An unordered error says which statements depend on each other in a circle that
// no sequential order of loops respects.
type unordered struct {
	cycle []*dep
	why   string
}

// sequence puts the statements in a sequential order: each element is defined
// before it is read.
//
// It is the algorithm of Allen and Kennedy for loop distribution, run on the fully
// distributed program, with fusion on the way back: at each level the strongly
// connected components of what the outer loops do not already order must share the
// next loop, and the components are scheduled so that neighbours with equal loops
// go into one where no distance is negative. A program that is in order keeps its
// loops that way, which distribution alone would lose.
func (b *builder) sequence() {
	var stmts []*Statement
	for _, s := range b.m.Statements {
		if s.n > 0 && !(s.Assign != nil && s.left == 0) {
			stmts = append(stmts, s)
		}
	}
	deps := b.m.deps
	items, err := order(stmts, 0, deps)
	if err == nil {
		b.m.Order = items
		return
	}
	// Log densities need only logical nodes in order: every stochastic one has a value.
	logical := slices.DeleteFunc(slices.Clone(deps), func(d *dep) bool { return d.from.Sample != nil })
	items, err2 := order(stmts, 0, logical)
	if err2 != nil {
		b.refuse(err2)
		return
	}
	b.m.Order, b.m.cyclic = items, true
	path := b.elementCycle()
	switch {
	case path == nil:
		d := b.warn(err.cycle[0].to.Span(), "the model cannot be simulated forward: %s", err.why)
		b.addPath(d, err)
	case b.jags:
		b.addElements(b.errorAt(b.m.definer(path[0]).Span(), "directed cycle through %s", path[0].name()), path)
	default:
		d := b.warn(b.m.definer(path[0]).Span(), "%s depends on itself: the product of the conditional densities is computed, which is not a joint density", path[0].name())
		b.addElements(d, path)
	}
}

// refuse reports logical nodes that depend on themselves, or an order that only
// unrolled loops would have.
func (b *builder) refuse(err *unordered) {
	if path := b.elementCycle(); path != nil && b.allLogical(path) {
		d := b.errorAt(b.m.definer(path[0]).Span(), "%s depends on itself", path[0].name())
		b.addElements(d, path)
		d.WithFix("break the cycle: a logical node must follow from others")
		return
	}
	d := b.errorAt(err.cycle[0].to.Span(), "the statements cannot be put in a sequential order: %s", err.why)
	b.addPath(d, err)
	d.WithFix("put the statements of the cycle into one loop that goes forward, or write the elements out one by one")
}

func (b *builder) addPath(d *diag.Diagnostic, err *unordered) {
	for _, e := range err.cycle {
		d.WithNote(e.to.Span(), "this reads %s", e.via.Name)
		d.WithNote(e.from.LHS.Span(), "which is defined here")
	}
}

func order(stmts []*Statement, level int, deps []*dep) ([]Item, *unordered) {
	o := newOrderer(stmts, level, deps)
	if err := o.checkCycles(); err != nil {
		return nil, err
	}
	return o.schedule()
}

type orderer struct {
	stmts []*Statement
	level int
	deps  []*dep
	comp  map[*Statement]int
	comps [][]*Statement
	succs [][]int // of a component, each once
	waits []int   // how many components before it are not done
	done  []bool
}

func newOrderer(stmts []*Statement, level int, deps []*dep) *orderer {
	o := &orderer{stmts: stmts, level: level, comp: map[*Statement]int{}}
	in := map[*Statement]bool{}
	// Vertices are numbered from 1: the library's components lose a vertex whose
	// hash is the zero value (v0.23.0).
	g := graph.New(func(i int) int { return i }, graph.Directed())
	byIndex := map[int]*Statement{}
	for _, s := range stmts {
		in[s] = true
		byIndex[s.Index+1] = s
		_ = g.AddVertex(s.Index + 1) // each is added once
	}
	for _, d := range deps {
		if in[d.from] && in[d.to] {
			o.deps = append(o.deps, d)
			_ = g.AddEdge(d.from.Index+1, d.to.Index+1) // there already is no error for us
		}
	}
	sccs, _ := graph.StronglyConnectedComponents(g) // fails only for undirected graphs
	for _, c := range sccs {
		slices.Sort(c)
	}
	slices.SortFunc(sccs, func(a, b []int) int { return a[0] - b[0] })
	for i, c := range sccs {
		var members []*Statement
		for _, k := range c {
			members = append(members, byIndex[k])
			o.comp[byIndex[k]] = i
		}
		o.comps = append(o.comps, members)
	}
	n := len(o.comps)
	o.succs, o.waits, o.done = make([][]int, n), make([]int, n), make([]bool, n)
	seen := map[[2]int]bool{}
	for _, d := range o.deps {
		if x, y := o.comp[d.from], o.comp[d.to]; x != y && !seen[[2]int{x, y}] {
			seen[[2]int{x, y}] = true
			o.succs[x] = append(o.succs[x], y)
			o.waits[y]++
		}
	}
	return o
}

// key is the loop of a component at this level; "" is none.
func (o *orderer) key(c int) string {
	s := o.comps[c][0]
	if o.level < len(s.keys) {
		return s.keys[o.level]
	}
	return ""
}

// checkCycles checks that a cycle shares the loop at this level, and that the loop
// runs in the direction of its dependences.
func (o *orderer) checkCycles() *unordered {
	for _, d := range o.deps {
		c := o.comp[d.from]
		if c != o.comp[d.to] {
			continue
		}
		switch {
		case o.level >= len(d.from.keys) || o.level >= len(d.to.keys) || sharedLoops(d.from, d.to) <= o.level:
			return &unordered{o.cycle(d), "it would need several loops to take turns"}
		case !o.legal(d):
			return &unordered{o.cycle(d), "an iteration needs what a later one defines"}
		}
	}
	return nil
}

// legal reports that a dependence is respected by a loop around both statements.
func (o *orderer) legal(d *dep) bool {
	for _, v := range d.vectors {
		if len(v) <= o.level || v[o.level] < 0 {
			return false
		}
	}
	return true
}

// cycle finds a way from the sink of a dependence back to its source.
func (o *orderer) cycle(first *dep) []*dep {
	if first.from == first.to {
		return []*dep{first}
	}
	via := map[*Statement]*dep{first.to: nil}
	for queue := []*Statement{first.to}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == first.from {
			break
		}
		for _, d := range o.deps {
			if _, met := via[d.to]; d.from == queue[0] && !met {
				via[d.to] = d
				queue = append(queue, d.to)
			}
		}
	}
	path := []*dep{first}
	for s := first.from; via[s] != nil; s = via[s].from {
		path = append(path, via[s])
	}
	return path
}

// schedule lists the components in order, neighbours fused where that is legal.
func (o *orderer) schedule() ([]Item, *unordered) {
	var items []Item
	for range o.comps {
		first := o.pick(func(c int) bool { return o.key(c) == "" })
		if first < 0 {
			first = o.pick(func(int) bool { return true })
		}
		if first < 0 {
			break
		}
		key, group := o.key(first), slices.Clone(o.comps[first])
		if key == "" {
			items = append(items, Item{Stmt: group[0]})
			continue
		}
		for {
			next := o.pick(func(c int) bool { return o.key(c) == key && o.fits(group, c) })
			if next < 0 {
				break
			}
			group = append(group, o.comps[next]...)
		}
		body, err := order(sorted(group), o.level+1, o.inner(group))
		if err != nil {
			return nil, err
		}
		items = append(items, Item{Loop: &Block{Level: o.level, Of: group[0], Body: body}})
	}
	return items, nil
}

func sorted(ss []*Statement) []*Statement {
	slices.SortFunc(ss, func(a, b *Statement) int { return a.Index - b.Index })
	return ss
}

// pick takes the first component that is ready and wanted; -1 if there is none.
func (o *orderer) pick(wanted func(c int) bool) int {
	for c := range o.comps {
		if o.done[c] || o.waits[c] > 0 || !wanted(c) {
			continue
		}
		o.done[c] = true
		for _, next := range o.succs[c] {
			o.waits[next]--
		}
		return c
	}
	return -1
}

// fits reports that a component may join the loop of a group.
func (o *orderer) fits(group []*Statement, c int) bool {
	for _, d := range o.deps {
		if o.comp[d.to] == c && o.comp[d.from] != c && slices.Contains(group, d.from) && !o.legal(d) {
			return false
		}
	}
	return true
}

// inner lists the dependences within a group that the loop at this level leaves:
// those of one iteration.
func (o *orderer) inner(group []*Statement) []*dep {
	var out []*dep
	for _, d := range o.deps {
		if !slices.Contains(group, d.from) || !slices.Contains(group, d.to) {
			continue
		}
		var left [][]int8
		for _, v := range d.vectors {
			if v[o.level] == 0 {
				left = append(left, v)
			}
		}
		if left != nil {
			out = append(out, &dep{from: d.from, to: d.to, via: d.via, vectors: left})
		}
	}
	return out
}
