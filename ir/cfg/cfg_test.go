package cfg

import (
	"flag"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// random makes a graph; how wild says how many edges go anywhere.
func random(r *rand.Rand) *Graph {
	n, vars := 1+r.Intn(14), 1+r.Intn(5)
	wild, small := r.Float64(), r.Intn(3) // blocks have no cost, small ones or some that are large
	g := &Graph{}
	some := func(most int) (out []int) {
		for range r.Intn(most + 1) {
			if v := r.Intn(vars); !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
		return out
	}
	for b := range n {
		x := Block{Reads: some(2), Writes: some(2)}
		if small > 0 {
			x.Cost = 1 + r.Intn([]int{0, 4, 40}[small])
		}
		for range []int{0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 4}[r.Intn(11)] {
			e := Edge{To: r.Intn(n+1) - 1}
			if r.Float64() > wild {
				e.To = min(b+1+r.Intn(2), n)
				if r.Intn(5) == 0 {
					e.To = max(0, b-r.Intn(3))
				}
				if e.To == n {
					e.To = Leave
				}
			}
			for range r.Intn(3) / 2 * r.Intn(3) {
				if to := r.Intn(vars); !slices.ContainsFunc(e.Moves, func(m Move) bool { return m.To == to }) {
					e.Moves = append(e.Moves, Move{to, r.Intn(vars)})
				}
			}
			x.Succs = append(x.Succs, e)
		}
		g.Blocks = append(g.Blocks, x)
	}
	g.Results = some(2)
	return g
}

// dump shows a tree.
func dump(t *Tree) string {
	var b strings.Builder
	show(&b, t.Body, "")
	return b.String()
}

func show(b *strings.Builder, body []Node, in string) {
	for _, n := range body {
		switch n := n.(type) {
		case *Run:
			fmt.Fprintf(b, "%srun %d\n", in, n.Block)
		case *Assign:
			fmt.Fprintf(b, "%sassign %v\n", in, n.Moves)
		case *Set:
			fmt.Fprintf(b, "%sset g%d = %d\n", in, n.Guard, n.Value)
		case *If:
			fmt.Fprintf(b, "%sif %s yields %v\n", in, asked(n.Test), n.Yields)
			for i, a := range n.Arms {
				fmt.Fprintf(b, "%s arm %d undefined %v dead %t\n", in, i, a.Undefined, a.Dead)
				show(b, a.Body, in+"  ")
			}
		case *Loop:
			fmt.Fprintf(b, "%sloop carries %v undefined %v\n", in, n.Carries, n.Undefined)
			show(b, n.Before, in+"  ")
			fmt.Fprintf(b, "%s test %s passes %v\n", in, asked(n.Test), n.Passes)
			show(b, n.After, in+"  ")
		}
	}
}

func asked(t Test) string {
	switch t.Kind {
	case Branch:
		return fmt.Sprintf("branch of %d, negated %t", t.Of, t.Negated)
	case OnGuard:
		return fmt.Sprintf("g%d in %v", t.Of, t.Cases)
	}
	return "always"
}

// check compares both forms of a graph.
func check(g *Graph) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	t := Structure(g)
	split, _ := split(g)
	if runs, _, _ := measure(t); runs != len(depthFirst(split).byPre) || runs > 3*len(g.Blocks)+copyLimit {
		return fmt.Errorf("%d blocks in the tree\n%s", runs, dump(t))
	}
	const fuel = 60
	want, got := runGraph(g, fuel), runTree(g, t, fuel)
	if !slices.Equal(want, got) {
		return fmt.Errorf("graph %v\ntree  %v\n%s", want, got, dump(t))
	}
	return nil
}

var (
	graphs    = flag.Int("graphs", 1000, "how many random graphs are looked at")
	firstSeed = flag.Int64("seed", 0, "the first seed")
)

func TestRandomGraphsDoTheSameAsTrees(t *testing.T) {
	nodes, guards := 0, 0
	for i := range *graphs {
		seed := *firstSeed + int64(i)
		g := random(rand.New(rand.NewSource(seed)))
		if err := check(g); err != nil {
			t.Fatalf("seed %d: %v\n%+v", seed, err, *g)
		}
		tree := Structure(g)
		_, n, _ := measure(tree)
		nodes, guards = nodes+n, guards+len(tree.Guards)
	}
	t.Logf("%d graphs: %d nodes, %d guards", *graphs, nodes, guards)
}
