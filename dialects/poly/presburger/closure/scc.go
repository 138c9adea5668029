package closure

import "slices"

// components are the strongly connected components of a graph, those that others lead
// to after these (Tarjan, "Depth-first search and linear graph algorithms", 1972).
func components(edges [][]int) [][]int {
	n := len(edges)
	index, low := make([]int, n), make([]int, n) // from 1; 0 is not seen yet
	on := make([]bool, n)
	var stack []int
	var out [][]int
	next := 0
	var visit func(v int)
	visit = func(v int) {
		next++
		index[v], low[v] = next, next
		stack, on[v] = append(stack, v), true
		for _, u := range edges[v] {
			if index[u] == 0 {
				visit(u)
				low[v] = min(low[v], low[u])
			} else if on[u] {
				low[v] = min(low[v], index[u])
			}
		}
		if low[v] < index[v] {
			return
		}
		at := slices.Index(stack, v)
		for _, u := range stack[at:] {
			on[u] = false
		}
		out = append(out, slices.Clone(stack[at:]))
		stack = stack[:at]
	}
	for v := range edges {
		if index[v] == 0 {
			visit(v)
		}
	}
	slices.Reverse(out)
	return out
}
