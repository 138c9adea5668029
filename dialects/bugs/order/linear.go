package order

import (
	"container/heap"

	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/ir/digraph"
)

// Linear lists the components of a scope so that each follows what it depends on.
//
// It is the order of Allen and Kennedy's loop distribution, chosen so that merge
// finds neighbours with equal loops: statements without a loop come first, and
// after a component those that can share its loop.
func (o *Orderer) Linear(sc Scope) ([]*Component, *cycleError) {
	ks, err := o.Components(sc)
	if err != nil {
		return nil, err
	}
	l := o.links(ks, sc)
	q := &queues{loops: map[string]*digraph.Heap{}}
	push := func(i int) { q.push(i, ks[i].key()) }
	waits := digraph.NewWaits(l.succs, push)
	var out []*Component
	done := make([]bool, len(ks))
	take := func(i int) {
		done[i] = true
		out = append(out, ks[i])
		o.Work += len(l.succs[i])
		waits.Take(i, push)
	}
	for {
		first := q.pop(done)
		if first < 0 {
			return out, nil
		}
		take(first)
		key := ks[first].key()
		if key == "" {
			continue
		}
		g := newGroup(ks[first])
		var later []int
		for {
			next := q.popKey(key, done)
			if next < 0 {
				break
			}
			if !o.join(g, ks[next], l.into[next]) {
				later = append(later, next)
				continue
			}
			take(next)
		}
		for _, i := range later {
			heap.Push(q.loops[key], i) // popKey took it from there; q.all still has it
		}
	}
}

// componentLinks are the dependences between different components.
type componentLinks struct {
	succs [][]int // each once
	into  [][]*model.Dependence
}

func (o *Orderer) links(ks []*Component, sc Scope) componentLinks {
	of := map[*model.Statement]int{}
	for i, k := range ks {
		for _, s := range k.Stmts {
			of[s] = i
		}
	}
	l := componentLinks{make([][]int, len(ks)), make([][]*model.Dependence, len(ks))}
	seen := map[[2]int]bool{}
	for _, d := range sc.Deps {
		o.Work++
		x, y := of[d.From], of[d.To]
		if x == y {
			continue
		}
		l.into[y] = append(l.into[y], d)
		if !seen[[2]int{x, y}] {
			seen[[2]int{x, y}] = true
			l.succs[x] = append(l.succs[x], y)
		}
	}
	return l
}

// A group is components that share a loop.
type group struct {
	components []*Component
	in         map[*model.Statement]bool
	dirs       directions
	back       bool // one of them needs the loop to run backward
}

func newGroup(k *Component) *group {
	g := &group{in: map[*model.Statement]bool{}, dirs: either}
	g.add(k, k.Dirs)
	return g
}

func (g *group) add(k *Component, dirs directions) {
	g.components = append(g.components, k)
	for _, s := range k.Stmts {
		g.in[s] = true
	}
	g.dirs &= dirs
	g.back = g.back || k.Dirs == backward
}

// join adds a component to a group if one loop around all of them respects their
// dependences. No loop is turned round only for that.
func (o *Orderer) join(g *group, k *Component, into []*model.Dependence) bool {
	dirs := g.dirs & k.Dirs
	for _, d := range into {
		o.Work++
		if g.in[d.From] {
			dirs &= directionsOf(d, k.level)
		}
	}
	if dirs&forward == 0 && !(dirs == backward && (g.back || k.Dirs == backward)) {
		return false
	}
	g.add(k, dirs)
	return true
}

// queues hold the components that are ready, by index: those without a loop, and those
// with one, together and by loop. An entry that is done is skipped.
type queues struct {
	plain, all digraph.Heap
	loops      map[string]*digraph.Heap
}

func (q *queues) push(i int, key string) {
	if key == "" {
		heap.Push(&q.plain, i)
		return
	}
	if q.loops[key] == nil {
		q.loops[key] = &digraph.Heap{}
	}
	heap.Push(q.loops[key], i)
	heap.Push(&q.all, i)
}

func (q *queues) pop(done []bool) int {
	if i := pop(&q.plain, done); i >= 0 {
		return i
	}
	return pop(&q.all, done)
}

func (q *queues) popKey(key string, done []bool) int {
	if h := q.loops[key]; h != nil {
		return pop(h, done)
	}
	return -1
}

// pop gives the least number that is not done, or -1.
func pop(h *digraph.Heap, done []bool) int {
	for h.Len() > 0 {
		if i := heap.Pop(h).(int); !done[i] {
			return i
		}
	}
	return -1
}
