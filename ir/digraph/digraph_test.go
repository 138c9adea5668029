package digraph

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestComponents(t *testing.T) {
	succs := [][]int{{2}, {0, 1}, {3, 0}, {4}, {}, {1}}
	if got := fmt.Sprint(Components(succs)); got != "[[4] [3] [0 2] [1] [5]]" {
		t.Error(got)
	}
	if got := fmt.Sprint(InOrder(6, func(v, w int) bool { return slices.Contains(succs[v], w) })); got != "[[5] [1] [0 2] [3] [4]]" {
		t.Error(got)
	}
	if got := fmt.Sprint(Numbers(Components(succs))); got != "[0 1 0 2 3 4]" {
		t.Error(got)
	}
	if got := fmt.Sprint(Sorted([][]int{{}, {0}, {3}, {}, {4}})); got != "[1 0 2 3]" {
		t.Error(got)
	}
	if Components(nil) != nil || Sorted(nil) != nil || len(Numbers(nil)) != 0 {
		t.Error("of nothing comes nothing")
	}
}

// Random graphs: two vertices are in one component if each reaches the other, and components stand in order.
func TestRandom(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := g.IntN(9)
		succs, reaches := make([][]int, n), make([][]bool, n)
		for v := range n {
			reaches[v] = make([]bool, n)
			reaches[v][v] = true
		}
		for range g.IntN(2*n + 1) {
			v, w := g.IntN(n), g.IntN(n)
			succs[v] = append(succs[v], w)
			reaches[v][w] = true
		}
		for k := range n {
			for v := range n {
				for w := range n {
					reaches[v][w] = reaches[v][w] || reaches[v][k] && reaches[k][w]
				}
			}
		}
		leads := func(v, w int) bool { return slices.Contains(succs[v], w) }
		got := Components(succs)
		if dense := ComponentsOf(n, leads); !sameComponents(got, dense) {
			t.Fatalf("%v: %v of the edges, %v of the relation", succs, got, dense)
		}
		inOrder := InOrder(n, leads)
		slices.Reverse(inOrder)
		check(t, succs, reaches, got)
		check(t, succs, reaches, inOrder)
		checkSorted(t, succs, reaches, Sorted(succs))
	}
}

// sameComponents compares sets of components: which of several comes first may differ.
func sameComponents(x, y [][]int) bool {
	x, y = slices.Clone(x), slices.Clone(y)
	slices.SortFunc(x, slices.Compare)
	slices.SortFunc(y, slices.Compare)
	return reflect.DeepEqual(x, y)
}

func check(t *testing.T, succs [][]int, reaches [][]bool, got [][]int) {
	t.Helper()
	place := map[int]int{}
	for i, c := range got {
		if !slices.IsSorted(c) {
			t.Fatalf("%v: %v", succs, got)
		}
		for _, v := range c {
			place[v] = i
		}
	}
	for v := range reaches {
		for w := range reaches {
			if (place[v] == place[w]) != (reaches[v][w] && reaches[w][v]) || reaches[v][w] && place[v] < place[w] {
				t.Fatalf("%v: %v: %d and %d", succs, got, v, w)
			}
		}
	}
}

func checkSorted(t *testing.T, succs [][]int, reaches [][]bool, got []int) {
	t.Helper()
	circle := func(v int) bool {
		for w := range reaches {
			if reaches[w][v] && (slices.Contains(succs[w], w) || w != v && reaches[v][w]) {
				return true
			}
			for x := range reaches {
				if w != x && reaches[w][x] && reaches[x][w] && reaches[w][v] {
					return true
				}
			}
		}
		return false
	}
	for v := range reaches {
		if circle(v) == slices.Contains(got, v) {
			t.Fatalf("%v: %v: %d", succs, got, v)
		}
	}
	for i, v := range got {
		for _, w := range got[:i] {
			if reaches[v][w] {
				t.Fatalf("%v: %v: %d and %d", succs, got, v, w)
			}
		}
	}
}
