package cfg

import "testing"

// twoEntries is a loop of two blocks which a branch enters at either, and which both leave; copying them costs so much.
func twoEntries(cost int) *Graph {
	to := func(bs ...int) (out []Edge) {
		for _, b := range bs {
			out = append(out, Edge{To: b})
		}
		return out
	}
	return &Graph{Results: []int{0}, Blocks: []Block{
		{Writes: []int{0}, Succs: to(1, 2)},
		{Reads: []int{0}, Writes: []int{0}, Succs: to(2, Leave), Cost: cost},
		{Reads: []int{0}, Writes: []int{0}, Succs: to(1, Leave), Cost: cost},
	}}
}

// A loop that is entered at two blocks has a copy of one of them before it if that is small, and else a guard.
func TestWhatIsSmallIsCopied(t *testing.T) {
	for _, c := range []struct{ cost, runs int }{{1, 4}, {copyLimit - exitCost, 4}, {copyLimit - exitCost + 1, 3}, {0, 3}} {
		g := twoEntries(c.cost)
		tree := Structure(g)
		if runs, _, _ := measure(tree); runs != c.runs {
			t.Errorf("cost %d: %d blocks in the tree, want %d\n%s", c.cost, runs, c.runs, dump(tree))
		}
		if err := check(g); err != nil {
			t.Errorf("cost %d: %v", c.cost, err)
		}
	}
}

// The cheaper of two entries is copied.
func TestTheCheaperEntryIsCopied(t *testing.T) {
	for small := 1; small <= 2; small++ {
		g := twoEntries(10)
		g.Blocks[small].Cost = 2
		runs := map[int]int{}
		each(Structure(g).Body, func(n Node) {
			if r, ok := n.(*Run); ok {
				runs[r.Block]++
			}
		})
		if runs[small] != 2 || runs[3-small] != 1 {
			t.Errorf("block %d is the cheaper one: %v", small, runs)
		}
	}
}

// What is copied for several loops is linear in the graph, and so is the time.
func TestManyIrreducibleLoopsAreSplit(t *testing.T) {
	const n = 20000
	g := &Graph{}
	for i := range n {
		b := 3 * i
		g.Blocks = append(g.Blocks, Block{Succs: []Edge{{To: b + 1}, {To: b + 2}}, Cost: 1})
		next := b + 3
		if i == n-1 {
			next = Leave
		}
		g.Blocks = append(g.Blocks, Block{Succs: []Edge{{To: b + 2}, {To: next}}, Cost: 1}, Block{Succs: []Edge{{To: b + 1}}, Cost: 1})
	}
	tree := Structure(g)
	if runs, _, _ := measure(tree); runs != 4*n || len(tree.Guards) != 0 {
		t.Errorf("%d blocks in the tree, want %d; %d guards, want none", runs, 4*n, len(tree.Guards))
	}
}
