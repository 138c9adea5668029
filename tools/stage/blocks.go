package stage

import (
	"slices"

	"github.com/irc-lang/irc/ir/cfg"
	"github.com/irc-lang/irc/ir/stage"
)

// blocks are the nodes of a function, or of a kernel, as a control-flow graph.
type blocks struct {
	s       *stage.Session
	end     stage.Value // the last node of a kernel, or 0
	into    []int32     // how many ways come to a node
	graph   *cfg.Graph
	nodes   [][]stage.Value         // of each block; a branch is the last
	in      map[stage.Value]int     // the block of a node
	slot    map[stage.Value]int     // the variables of the graph: of results that other blocks use
	vars    map[stage.Var]int       // and of variables of the program
	kinds   []code                  // of all: an op that gives such a value
	first   int                     // variable of the first result
	kernels map[stage.Value]*kernel // by the nodes with which they begin
}

// of is the op of a node, "" of one that this package did not make.
func of(s *stage.Session, v stage.Value) string {
	c, _ := s.Nodes[v].Code.(code)
	return c.op
}

// next are the nodes after one; a kernel is passed over.
func (b *blocks) next(v stage.Value) []stage.Value {
	switch k := b.kernels[v]; {
	case v == b.end:
		return nil
	case k != nil:
		return []stage.Value{k.end}
	}
	return b.s.After(v)
}

// args are the nodes whose results one uses; constants are made where they are used.
func (b *blocks) args(v stage.Value) (out []stage.Value) {
	list := b.s.Nodes[v].Args
	if k := b.kernels[v]; k != nil {
		list = append(list[:len(list):len(list)], k.values...)
	}
	for _, a := range list {
		if of(b.s, a) != "const" {
			out = append(out, a)
		}
	}
	return out
}

// reads are the variables of the program that a node reads.
func (b *blocks) reads(v stage.Value) []stage.Var {
	n := &b.s.Nodes[v]
	switch k := b.kernels[v]; {
	case k != nil:
		return k.vars
	case n.Kind == stage.Read:
		return []stage.Var{n.Var}
	}
	return nil
}

// elsewhere reports that a node is not in the block of another one.
func (b *blocks) elsewhere(a, v stage.Value) bool {
	block, ok := b.in[a]
	return !ok || block != b.in[v]
}

// whole are the blocks of a function.
func whole(s *stage.Session, results []code) (*blocks, error) {
	b := &blocks{s: s, into: make([]int32, len(s.Nodes))}
	for v := range s.Nodes {
		for _, next := range s.Nodes[v].Next {
			b.into[next]++
		}
	}
	return b, b.partition(s.Nodes[0].Next[0], results)
}

// partition makes blocks of straight-line code of what comes from a node on.
func (b *blocks) partition(from stage.Value, results []code) error {
	s := b.s
	b.graph, b.in, b.slot, b.vars, b.kernels = &cfg.Graph{}, map[stage.Value]int{}, map[stage.Value]int{}, map[stage.Var]int{}, map[stage.Value]*kernel{}
	var failed error
	b.nodes = s.Blocks(from, func(v stage.Value) []stage.Value {
		if of(s, v) == "kernel" && b.kernels[v] == nil && failed == nil {
			b.kernels[v], failed = b.outline(v)
		}
		if failed != nil {
			return nil
		}
		return b.next(v)
	})
	if failed != nil {
		return failed
	}
	number := map[stage.Value]int{}
	for k, nodes := range b.nodes {
		number[nodes[0]] = k
		for _, v := range nodes {
			b.in[v] = k
		}
	}
	b.variables(slices.Concat(b.nodes...))
	for k := range results {
		if k == 0 {
			b.first = len(b.kinds)
		}
		b.graph.Results = append(b.graph.Results, len(b.kinds))
		b.kinds = append(b.kinds, results[k])
	}
	for _, nodes := range b.nodes {
		b.graph.Blocks = append(b.graph.Blocks, b.block(nodes, number))
	}
	return nil
}

// variables numbers those of the program, and results that are used in other blocks than theirs.
func (b *blocks) variables(order []stage.Value) {
	for _, v := range order {
		n := &b.s.Nodes[v]
		if _, ok := b.vars[n.Var]; !ok && n.Kind == stage.Declare {
			b.vars[n.Var] = len(b.kinds)
			b.kinds = append(b.kinds, n.Code.(code))
		}
		for _, x := range b.reads(v) {
			if _, ok := b.vars[x]; !ok { // the host's
				b.vars[x] = len(b.kinds)
				b.kinds = append(b.kinds, code{})
			}
		}
		for _, a := range b.args(v) {
			if _, ok := b.slot[a]; !ok && b.elsewhere(a, v) {
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
		for _, a := range b.args(v) {
			if b.elsewhere(a, v) {
				read(b.slot[a])
			}
		}
		for _, x := range b.reads(v) {
			read(b.vars[x])
		}
		switch n.Kind {
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
	if out.Cost = len(nodes); slices.ContainsFunc(nodes, func(v stage.Value) bool { return b.kernels[v] != nil }) {
		out.Cost = 0 // a kernel has one place
	}
	next := b.next(nodes[len(nodes)-1])
	for _, v := range next {
		out.Succs = append(out.Succs, cfg.Edge{To: number[v]})
	}
	if len(next) == 0 {
		out.Succs = []cfg.Edge{{To: cfg.Leave}}
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
