package digraph

import "slices"

// Endless is the capacity of a vertex that no cut may hold.
const Endless = int64(1) << 40

// MinVertexCut lists the vertices, in order, that separate the sources from the sinks at the least sum of capacities. Sources
// and sinks may be among them. Of several such cuts it is the one next to the sinks.
//
// There is no cut, and ok is false, where a way from a source to a sink has vertices of endless capacity alone.
//
// Source: E. A. Dinic, Algorithm for solution of a problem of maximum flow in networks (1970); each vertex is an edge from its
// entry to its exit, and a cut is read off the flow (Ford and Fulkerson 1956).
func MinVertexCut(succs [][]int, capacity []int64, sources, sinks []int) (cut []int, ok bool) {
	n := len(succs)
	f := &flow{out: make([][]int, 2*n+2)}
	entry, exit := func(v int) int { return 2 * v }, func(v int) int { return 2*v + 1 }
	source, sink := 2*n, 2*n+1
	for v, ws := range succs {
		f.edge(entry(v), exit(v), capacity[v])
		for _, w := range ws {
			f.edge(exit(v), entry(w), Endless)
		}
	}
	for _, v := range sources {
		f.edge(source, entry(v), Endless)
	}
	for _, v := range sinks {
		f.edge(exit(v), sink, Endless)
	}
	if f.most(source, sink) >= Endless {
		return nil, false
	}
	// A vertex of capacity 0 is full, also where no source leads to it.
	reaches, led := f.reaching(sink), led(succs, sources)
	for v := range n {
		if led[v] && !reaches[entry(v)] && reaches[exit(v)] {
			cut = append(cut, v)
		}
	}
	return cut, true
}

// flow is a network: edge i goes from ends[i^1] to ends[i], may take left[i] more, and i^1 is the way back.
type flow struct {
	ends  []int
	left  []int64
	out   [][]int // edges of each vertex
	level []int   // how far from the source, or -1
	next  []int   // the first edge of each vertex that may still lead on
}

// edge adds one and its way back.
func (f *flow) edge(v, w int, capacity int64) {
	f.out[v] = append(f.out[v], len(f.ends))
	f.out[w] = append(f.out[w], len(f.ends)+1)
	f.ends, f.left = append(f.ends, w, v), append(f.left, capacity, 0)
}

// most sends as much as goes from one vertex to another, and says how much that is; it ends early with what is endless.
func (f *flow) most(from, to int) (sum int64) {
	for sum < Endless && f.levels(from, to) {
		f.next = make([]int, len(f.out))
		for sum < Endless {
			sent := f.push(from, to)
			if sent == 0 {
				break
			}
			sum += sent
		}
	}
	return sum
}

// levels numbers the vertices by the fewest edges from one on, and reports whether another is reached.
func (f *flow) levels(from, to int) bool {
	f.level = slices.Repeat([]int{-1}, len(f.out))
	f.level[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		for _, e := range f.out[queue[0]] {
			if w := f.ends[e]; f.left[e] > 0 && f.level[w] < 0 {
				f.level[w] = f.level[queue[0]] + 1
				queue = append(queue, w)
			}
		}
	}
	return f.level[to] >= 0
}

// push sends something along one way that climbs a level with each edge, and says how much. It keeps the way so far in a list, since a
// way may be long.
func (f *flow) push(from, to int) int64 {
	var way []int
	for v := from; v != to; {
		if e, ok := f.climbs(v); ok {
			way, v = append(way, e), f.ends[e]
			continue
		}
		if v == from {
			return 0
		}
		last := way[len(way)-1]
		way, v = way[:len(way)-1], f.ends[last^1]
		f.next[v]++
	}
	least := f.left[way[0]]
	for _, e := range way {
		least = min(least, f.left[e])
	}
	for _, e := range way {
		f.left[e] -= least
		f.left[e^1] += least
	}
	return least
}

// climbs is the next edge of a vertex that leads to the next level and is not full.
func (f *flow) climbs(v int) (edge int, ok bool) {
	for ; f.next[v] < len(f.out[v]); f.next[v]++ {
		if e := f.out[v][f.next[v]]; f.left[e] > 0 && f.level[f.ends[e]] == f.level[v]+1 {
			return e, true
		}
	}
	return 0, false
}

// reaching are the vertices from which something more could be sent to one.
func (f *flow) reaching(to int) []bool {
	seen := make([]bool, len(f.out))
	seen[to] = true
	for queue := []int{to}; len(queue) > 0; queue = queue[1:] {
		for _, e := range f.out[queue[0]] {
			if v := f.ends[e]; f.left[e^1] > 0 && !seen[v] {
				seen[v] = true
				queue = append(queue, v)
			}
		}
	}
	return seen
}

// led are the vertices to which some lead, these among them.
func led(succs [][]int, from []int) []bool {
	seen := make([]bool, len(succs))
	for todo := slices.Clone(from); len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[v] {
			seen[v] = true
			todo = append(todo, succs[v]...)
		}
	}
	return seen
}
