package cfg

import (
	"testing"
	"time"
)

// shapes are graphs of some n blocks that are deep, wide or tangled.
var shapes = map[string]func(n int) *Graph{
	"chain":        func(n int) *Graph { return blocks(n, func(b int) []int { return []int{b + 1} }) },
	"ifs":          func(n int) *Graph { return blocks(n, diamonds) },
	"else-ifs":     func(n int) *Graph { return blocks(n, func(b int) []int { return []int{n - 1, b + 1} }) },
	"nested loops": func(n int) *Graph { return blocks(n, nested(n)) },
	"loops":        func(n int) *Graph { return blocks(n, func(b int) []int { return []int{b, b + 1} }) },
	"early exits":  func(n int) *Graph { return blocks(n, func(b int) []int { return []int{b + 1, Leave} }) },
	"exits of one loop": func(n int) *Graph {
		return blocks(n, func(b int) []int {
			if b == n-2 {
				return []int{0}
			}
			return []int{b + 1, n - 1}
		})
	},
	"irreducible pairs": func(n int) *Graph { return blocks(n, pairs) },
	"tangle":            func(n int) *Graph { return blocks(n, func(b int) []int { return []int{b + 1, (b * 7919) % n} }) },
	"skips":             func(n int) *Graph { return blocks(n, func(b int) []int { return []int{b + 1, b + 3} }) },
}

func blocks(n int, succs func(b int) []int) *Graph {
	g := &Graph{Results: []int{0}}
	for b := range n {
		x := Block{Reads: []int{b % 7, b + 10}, Writes: []int{b % 5, b + 11}}
		for _, to := range succs(b) {
			if to >= n {
				to = Leave
			}
			x.Succs = append(x.Succs, Edge{To: to})
		}
		g.Blocks = append(g.Blocks, x)
	}
	return g
}

func diamonds(b int) []int {
	switch b % 4 {
	case 0:
		return []int{b + 1, b + 2}
	case 1:
		return []int{b + 2}
	}
	return []int{b + 1}
}

func nested(n int) func(b int) []int {
	return func(b int) []int {
		if b < n/2 {
			return []int{b + 1}
		}
		return []int{n - 1 - b, b + 1}
	}
}

func pairs(b int) []int {
	switch b % 3 {
	case 0:
		return []int{b + 1, b + 2}
	case 1:
		return []int{b + 1, b + 2}
	}
	return []int{b - 1, b + 1}
}

// measure counts the nodes of a tree, and the variables that it hands on.
func measure(t *Tree) (runs, nodes, handed int) {
	each(t.Body, func(n Node) {
		nodes++
		switch n := n.(type) {
		case *Run:
			runs++
		case *If:
			handed += len(n.Yields)
		case *Loop:
			handed += len(n.Carries) + len(n.Passes)
		}
	})
	return runs, nodes, handed
}

func TestSizeAndTimeGrowAsTheGraph(t *testing.T) {
	for name, shape := range shapes {
		const n = 20_000
		g := shape(n)
		start := time.Now()
		tree := Structure(g)
		took := time.Since(start)
		runs, nodes, handed := measure(tree)
		t.Logf("%-20s %8d runs %8d nodes %9d variables %4d guards %v", name, runs, nodes, handed, len(tree.Guards), took)
		if runs > n || nodes > 8*n {
			t.Errorf("%s: %d blocks became %d nodes", name, n, nodes)
		}
		if took > 10*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}
