package stage

import (
	"slices"

	"github.com/irc-lang/irc/ir/cfg"
	"github.com/irc-lang/irc/ir/stage"
)

// blocks are the nodes of a function as a control-flow graph.
type blocks struct {
	s     *stage.Session
	graph *cfg.Graph
	nodes [][]stage.Value     // of each block; a branch is the last
	in    map[stage.Value]int // the block of a node
	slot  map[stage.Value]int // the variables of the graph: of results that other blocks use
	vars  map[stage.Var]int   // and of variables of the program
	kinds []code              // of all: an op that gives such a value
	first int                 // variable of the first result
}

// partition makes blocks of straight-line code.
func partition(s *stage.Session, results []kind) *blocks {
	b := &blocks{s: s, graph: &cfg.Graph{}, in: map[stage.Value]int{}, slot: map[stage.Value]int{}, vars: map[stage.Var]int{}}
	before := map[stage.Value]int{}
	var order []stage.Value
	for todo := []stage.Value{s.Nodes[0].Next[0]}; len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if before[v]++; before[v] > 1 {
			continue
		}
		order = append(order, v)
		for _, next := range s.Nodes[v].Next {
			if next != 0 {
				todo = append(todo, next)
			}
		}
	}
	starts := map[stage.Value]bool{s.Nodes[0].Next[0]: true}
	for _, v := range order {
		n := &s.Nodes[v]
		for _, next := range n.Next {
			if next != 0 && (n.Kind == stage.Branch || before[next] > 1) {
				starts[next] = true
			}
		}
	}
	number := map[stage.Value]int{}
	for _, v := range order {
		if !starts[v] {
			continue
		}
		number[v] = len(b.nodes)
		var nodes []stage.Value
		for {
			nodes = append(nodes, v)
			b.in[v] = number[nodes[0]]
			n := &s.Nodes[v]
			if n.Kind == stage.Branch || n.Kind == stage.Leave || starts[n.Next[0]] {
				break
			}
			v = n.Next[0]
		}
		b.nodes = append(b.nodes, nodes)
	}
	b.variables(order)
	for k := range results {
		if k == 0 {
			b.first = len(b.kinds)
		}
		b.graph.Results = append(b.graph.Results, len(b.kinds))
		b.kinds = append(b.kinds, code{op: "var", to: results[k]})
	}
	for _, nodes := range b.nodes {
		b.graph.Blocks = append(b.graph.Blocks, b.block(nodes, number))
	}
	return b
}

// variables numbers those of the program, and results that are used in other blocks than theirs.
func (b *blocks) variables(order []stage.Value) {
	for _, v := range order {
		n := &b.s.Nodes[v]
		if _, ok := b.vars[n.Var]; !ok && n.Kind == stage.Declare {
			b.vars[n.Var] = len(b.kinds)
			b.kinds = append(b.kinds, n.Code.(code))
		}
		for _, a := range n.Args {
			if _, ok := b.slot[a]; !ok && b.in[a] != b.in[v] {
				b.slot[a] = len(b.kinds)
				b.kinds = append(b.kinds, b.s.Nodes[a].Code.(code))
			}
		}
	}
}

// block says what a block reads and writes.
func (b *blocks) block(nodes []stage.Value, number map[stage.Value]int) (out cfg.Block) {
	reads, writes := map[int]bool{}, map[int]bool{}
	read := func(slot int) {
		if !writes[slot] {
			reads[slot] = true
		}
	}
	for _, v := range nodes {
		n := &b.s.Nodes[v]
		for _, a := range n.Args {
			if b.in[a] != b.in[v] {
				read(b.slot[a])
			}
		}
		switch n.Kind {
		case stage.Read:
			read(b.vars[n.Var])
		case stage.Write:
			writes[b.vars[n.Var]] = true
		case stage.Leave:
			for k := range n.Args {
				writes[b.first+k] = true
			}
		}
		if slot, ok := b.slot[v]; ok {
			writes[slot] = true
		}
	}
	out.Reads, out.Writes = sorted(reads), sorted(writes)
	last := &b.s.Nodes[nodes[len(nodes)-1]]
	switch last.Kind {
	case stage.Leave:
		out.Succs = []cfg.Edge{{To: cfg.Leave}}
	case stage.Branch:
		out.Succs = []cfg.Edge{{To: number[last.Next[0]]}, {To: number[last.Next[1]]}}
	default:
		out.Succs = []cfg.Edge{{To: number[last.Next[0]]}}
	}
	return out
}

func sorted(set map[int]bool) (out []int) {
	for v := range set {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}
