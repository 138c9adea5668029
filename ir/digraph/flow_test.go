package digraph

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestMinVertexCut compares with all sets of vertices of small random graphs.
func TestMinVertexCut(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		n := 2 + r.IntN(7)
		succs, capacity := make([][]int, n), make([]int64, n)
		for v := range n {
			capacity[v] = int64(r.IntN(5))
			if r.IntN(6) == 0 {
				capacity[v] = Endless
			}
			for w := range n {
				if w != v && r.IntN(3) == 0 {
					succs[v] = append(succs[v], w)
				}
			}
		}
		pick := func() (out []int) {
			for v := range n {
				if r.IntN(3) == 0 {
					out = append(out, v)
				}
			}
			return out
		}
		sources, sinks := pick(), pick()
		cut, ok := MinVertexCut(succs, capacity, sources, sinks)
		least := leastCut(succs, capacity, sources, sinks)
		if ok != (least < Endless) {
			t.Fatalf("seed %d: %v, and the least cut is %d", seed, ok, least)
		}
		if !ok {
			continue
		}
		set, sum := 0, int64(0)
		for _, v := range cut {
			set, sum = set|1<<v, sum+capacity[v]
		}
		if sum != least || !separates(succs, set, sources, sinks) {
			t.Fatalf("seed %d: %v of sum %d, but %d is enough", seed, cut, sum, least)
		}
	}
}

// leastCut tries all sets.
func leastCut(succs [][]int, capacity []int64, sources, sinks []int) int64 {
	least := Endless
	for set := range 1 << len(succs) {
		sum := int64(0)
		for rest := set; rest != 0; rest &= rest - 1 {
			sum += capacity[bits.TrailingZeros(uint(rest))]
		}
		if sum < least && separates(succs, set, sources, sinks) {
			least = sum
		}
	}
	return least
}

// separates reports a set without which no source leads to a sink.
func separates(succs [][]int, set int, sources, sinks []int) bool {
	seen := set
	var visit func(v int)
	visit = func(v int) {
		if seen>>v&1 == 1 {
			return
		}
		seen |= 1 << v
		for _, w := range succs[v] {
			visit(w)
		}
	}
	for _, v := range sources {
		visit(v)
	}
	for _, v := range sinks {
		if seen&^set>>v&1 == 1 {
			return false
		}
	}
	return true
}

func TestMinVertexCutNextToSinks(t *testing.T) {
	// A chain of equal capacities is cut at its end, and two that join where they are one.
	cut, ok := MinVertexCut([][]int{{1}, {2}, {}}, []int64{8, 8, 8}, []int{0}, []int{2})
	if !ok || fmt.Sprint(cut) != "[2]" {
		t.Error(cut, ok)
	}
	cut, ok = MinVertexCut([][]int{{2}, {2}, {3, 4}, {}, {}}, []int64{8, 8, 8, 8, 8}, []int{0, 1}, []int{3, 4})
	if !ok || fmt.Sprint(cut) != "[2]" {
		t.Error(cut, ok)
	}
	// What no source leads to is in no cut, whatever its capacity.
	if cut, ok = MinVertexCut([][]int{{}, {}}, []int64{8, 0}, []int{0}, []int{0, 1}); !ok || fmt.Sprint(cut) != "[0]" {
		t.Error(cut, ok)
	}
	// A long way asks for no deep stack.
	n := 100_000
	long, capacity := make([][]int, n), make([]int64, n)
	for v := range n - 1 {
		long[v], capacity[v] = []int{v + 1}, 8
	}
	if cut, ok = MinVertexCut(long, capacity, []int{0}, []int{n - 1}); !ok || len(cut) != 1 || cut[0] != n-1 {
		t.Error(cut, ok)
	}
}
