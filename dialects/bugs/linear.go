package bugs

import "container/heap"

// linear lists the knots of a scope so that each follows what it depends on.
//
// It is the order of Allen and Kennedy's loop distribution, chosen so that merge
// finds neighbours with equal loops: statements without a loop come first, and
// after a knot those that can share its loop.
func (o *orderer) linear(sc scope) ([]*knot, *cycleError) {
	ks, err := o.knots(sc)
	if err != nil {
		return nil, err
	}
	l := o.links(ks, sc)
	q := &queues{loops: map[string]*indexHeap{}}
	for i := range ks {
		if l.waits[i] == 0 {
			q.push(i, ks[i].key())
		}
	}
	var out []*knot
	done := make([]bool, len(ks))
	take := func(i int) {
		done[i] = true
		out = append(out, ks[i])
		for _, next := range l.succs[i] {
			o.work++
			if l.waits[next]--; l.waits[next] == 0 {
				q.push(next, ks[next].key())
			}
		}
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
			heap.Push(q.loops[key], i) // it still is among all
		}
	}
}

// knotLinks are the dependences between different knots.
type knotLinks struct {
	succs [][]int // each once
	waits []int   // how many before it are not done
	into  [][]*dep
}

func (o *orderer) links(ks []*knot, sc scope) knotLinks {
	of := map[*Statement]int{}
	for i, k := range ks {
		for _, s := range k.stmts {
			of[s] = i
		}
	}
	l := knotLinks{make([][]int, len(ks)), make([]int, len(ks)), make([][]*dep, len(ks))}
	seen := map[[2]int]bool{}
	for _, d := range sc.deps {
		o.work++
		x, y := of[d.from], of[d.to]
		if x == y {
			continue
		}
		l.into[y] = append(l.into[y], d)
		if !seen[[2]int{x, y}] {
			seen[[2]int{x, y}] = true
			l.succs[x] = append(l.succs[x], y)
			l.waits[y]++
		}
	}
	return l
}

// A group is knots that share a loop.
type group struct {
	knots []*knot
	in    map[*Statement]bool
	dirs  directions
	back  bool // one of them needs the loop to run backward
}

func newGroup(k *knot) *group {
	g := &group{in: map[*Statement]bool{}, dirs: either}
	g.add(k, k.dirs)
	return g
}

func (g *group) add(k *knot, dirs directions) {
	g.knots = append(g.knots, k)
	for _, s := range k.stmts {
		g.in[s] = true
	}
	g.dirs &= dirs
	g.back = g.back || k.dirs == backward
}

// join adds a knot to a group if one loop around all of them respects their
// dependences. No loop is turned round only for that.
func (o *orderer) join(g *group, k *knot, into []*dep) bool {
	dirs := g.dirs & k.dirs
	for _, d := range into {
		o.work++
		if g.in[d.from] {
			dirs &= d.directions(k.level)
		}
	}
	if dirs&forward == 0 && !(dirs == backward && (g.back || k.dirs == backward)) {
		return false
	}
	g.add(k, dirs)
	return true
}

// queues hold the knots that are ready, by index: those without a loop, and those
// with one, together and by loop. An entry that is done is skipped.
type queues struct {
	plain, all indexHeap
	loops      map[string]*indexHeap
}

func (q *queues) push(i int, key string) {
	if key == "" {
		heap.Push(&q.plain, i)
		return
	}
	if q.loops[key] == nil {
		q.loops[key] = &indexHeap{}
	}
	heap.Push(q.loops[key], i)
	heap.Push(&q.all, i)
}

func (q *queues) pop(done []bool) int {
	if i := q.plain.pop(done); i >= 0 {
		return i
	}
	return q.all.pop(done)
}

func (q *queues) popKey(key string, done []bool) int {
	if h := q.loops[key]; h != nil {
		return h.pop(done)
	}
	return -1
}

// indexHeap gives the least number first.
type indexHeap []int

func (h indexHeap) Len() int           { return len(h) }
func (h indexHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h indexHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *indexHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *indexHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

func (h *indexHeap) pop(done []bool) int {
	for h.Len() > 0 {
		if i := heap.Pop(h).(int); !done[i] {
			return i
		}
	}
	return -1
}
