package cfg

import (
	"fmt"
	"slices"
)

// A program of these tests reads and writes numbers: what a block writes, and where it goes, depends on the block and on
// what it has read. Both forms give a trace of what was read where.

const undefined = -1

type trace struct {
	fuel  int
	steps []string
}

func (t *trace) spent() bool { return len(t.steps) >= t.fuel }

func mix(xs ...int) int {
	h := uint64(14695981039346656037)
	for _, x := range xs {
		h = (h ^ uint64(x)) * 1099511628211
		h ^= h >> 29
	}
	return int(h >> 40)
}

// execute runs a block on the variables and gives what decides its branch.
func (t *trace) execute(g *Graph, block int, vars map[int]int) int {
	b := g.Blocks[block]
	read := []int{block}
	for _, v := range b.Reads {
		x, ok := vars[v]
		if !ok {
			x = undefined
		}
		read = append(read, x)
	}
	t.steps = append(t.steps, fmt.Sprint(read))
	for i, v := range b.Writes {
		vars[v] = mix(append([]int{i}, read...)...)
	}
	if len(b.Succs) == 0 {
		return 0
	}
	return mix(read...) % len(b.Succs)
}

func assign(moves []Move, vars map[int]int) {
	old := make([]int, len(moves))
	for i, m := range moves {
		x, ok := vars[m.From]
		if !ok {
			x = undefined
		}
		old[i] = x
	}
	for i, m := range moves {
		vars[m.To] = old[i]
	}
}

func (t *trace) results(g *Graph, vars map[int]int) {
	out := []int{}
	for _, v := range g.Results {
		x, ok := vars[v]
		if !ok {
			x = undefined
		}
		out = append(out, x)
	}
	t.steps = append(t.steps, fmt.Sprint("leaves ", out))
}

// runGraph runs a graph for as many blocks as there is fuel.
func runGraph(g *Graph, fuel int) []string {
	t, vars := &trace{fuel: fuel}, map[int]int{}
	for at := 0; !t.spent(); {
		to := t.execute(g, at, vars)
		if len(g.Blocks[at].Succs) == 0 {
			t.steps = append(t.steps, "stops")
			break
		}
		e := g.Blocks[at].Succs[to]
		assign(e.Moves, vars)
		if e.To == Leave {
			t.results(g, vars)
			break
		}
		at = e.To
	}
	return t.steps
}

// machine runs a tree as a client emits it.
type machine struct {
	trace
	g    *Graph
	last map[int]int // what decided the branch of a block
}

type stopped struct{}

func runTree(g *Graph, tree *Tree, fuel int) (steps []string) {
	m := &machine{trace: trace{fuel: fuel}, g: g, last: map[int]int{}}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stopped); !ok {
				panic(r)
			}
		}
		steps = m.steps
	}()
	vars := map[int]int{}
	m.run(tree.Body, vars)
	for _, v := range g.Results {
		if _, ok := vars[v]; ok == slices.Contains(tree.Undefined, v) {
			panic(fmt.Sprintf("result %d: in the table: %t", v, ok))
		}
	}
	m.results(g, vars)
	return m.steps
}

func (m *machine) run(body []Node, vars map[int]int) {
	for _, n := range body {
		switch n := n.(type) {
		case *Run:
			if m.spent() {
				panic(stopped{})
			}
			m.last[n.Block] = m.execute(m.g, n.Block, vars)
			if len(m.g.Blocks[n.Block].Succs) == 0 && !m.spent() {
				m.steps = append(m.steps, "stops")
				panic(stopped{})
			}
		case *Assign:
			assign(n.Moves, vars)
		case *Set:
			vars[n.Guard] = n.Value
		case *If:
			m.branch(n, vars)
		case *Loop:
			m.loop(n, vars)
		}
	}
}

func copied(vars map[int]int) map[int]int {
	out := make(map[int]int, len(vars))
	for v, x := range vars {
		out[v] = x
	}
	return out
}

// decide gives the arm that a test takes.
func (m *machine) decide(t Test, vars map[int]int) int {
	if t.Kind == Branch {
		return m.last[t.Of]
	}
	x, ok := vars[t.Of]
	if !ok || x == undefined {
		panic(fmt.Sprintf("guard %d is tested without a value", t.Of))
	}
	if i := slices.Index(t.Cases, x); i >= 0 {
		return i
	}
	return len(t.Cases)
}

func (m *machine) branch(n *If, vars map[int]int) {
	arm := n.Arms[m.decide(n.Test, vars)]
	inner := copied(vars)
	m.run(arm.Body, inner)
	if arm.Dead {
		panic("the end of a dead arm is reached")
	}
	give(n.Yields, arm.Undefined, inner, vars)
}

// give copies variables into a table; those that are undefined must not be there, the others must.
func give(which, without []int, from, to map[int]int) {
	for _, v := range which {
		x, ok := from[v]
		if ok == slices.Contains(without, v) {
			panic(fmt.Sprintf("variable %d: in the table: %t", v, ok))
		}
		if !ok {
			x = undefined
		}
		to[v] = x
	}
}

func (m *machine) loop(n *Loop, vars map[int]int) {
	carried := map[int]int{}
	give(n.Carries, n.Undefined, vars, carried)
	for {
		before := copied(vars)
		give(n.Carries, nil, carried, before)
		m.run(n.Before, before)
		goes := true
		switch n.Test.Kind {
		case Branch:
			goes = (m.decide(n.Test, before) == 0) != n.Test.Negated
		case OnGuard:
			goes = m.decide(n.Test, before) == 0
		}
		passed := map[int]int{}
		give(n.Passes, nil, before, passed)
		if !goes {
			give(n.Passes, nil, passed, vars)
			return
		}
		after := copied(vars)
		give(n.Passes, nil, passed, after)
		m.run(n.After, after)
		carried = map[int]int{}
		give(n.Carries, nil, after, carried)
	}
}
