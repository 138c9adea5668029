package stage

import (
	"cmp"
	"slices"
)

// Where paths meet, the host may hold a result that only one of them made, although no static holds anything else any more. So
// it is looked whether each use of a result or a variable of a place comes after the same one on all paths.

// An event is that a block makes a result or a variable of a site, or uses one.
type event struct {
	block int32
	made  int32 // the result or the variable, or 0 of a use
	user  Value
}

// differ stands for different ones on different paths.
const differ = -2

// blocks are the nodes that can be reached, in blocks of straight-line code; the first is the entry.
type blocks struct {
	s     *Session
	nodes [][]Value
	in    []int32 // the block of a node, from 1
	at    []int32 // its place there
}

func (s *Session) blocks() *blocks {
	b := &blocks{s: s, in: make([]int32, len(s.Nodes)), at: make([]int32, len(s.Nodes)), nodes: s.Blocks(s.Nodes[0].Next[0], s.After)}
	for k, nodes := range b.nodes {
		for i, v := range nodes {
			b.in[v], b.at[v] = int32(k+1), int32(i)
		}
	}
	return b
}

// far reports that a node uses a result that another block made, or an earlier round of its own.
func (b *blocks) far(made, user Value) bool {
	return b.in[made] != b.in[user] || b.at[made] > b.at[user]
}

// uses is the variable that a node uses, but for the value that it has at first.
func (s *Session) uses(v Value) Var {
	n := &s.Nodes[v]
	if n.Kind == Read || n.Kind == Write && s.Nodes[n.Next[0]].Kind != Declare {
		return n.Var
	}
	return 0
}

// site is the place of the host that made a result.
func (s *Session) site(v Value) site {
	n := &s.Nodes[v]
	return site{n.Stack, int32(n.Sub), true}
}

// used are the events of places that made several results or variables, of which another block uses one.
func (b *blocks) used() map[site][]event {
	s := b.s
	declared := map[Var]Value{}
	list := map[site][]event{}
	b.each(func(v Value) {
		if n := &s.Nodes[v]; n.Kind == Declare {
			declared[n.Var] = v
		}
	})
	b.each(func(v Value) {
		for _, a := range s.Nodes[v].Args {
			if b.far(a, v) {
				list[s.site(a)] = nil
			}
		}
		if x := s.uses(v); x > 0 && b.far(declared[x], v) {
			list[s.at[x]] = nil
		}
	})
	first, several := map[site]int32{}, map[site]bool{}
	add := func(at site, e event) {
		events, ok := list[at]
		if !ok {
			return
		}
		list[at] = append(events, e)
		if e.made > 0 && first[at] == 0 {
			first[at] = e.made
		}
		several[at] = several[at] || e.made > 0 && e.made != first[at]
	}
	b.each(func(v Value) {
		n := &s.Nodes[v]
		for _, a := range n.Args {
			add(s.site(a), event{b.in[v], 0, v})
		}
		switch n.Kind {
		case Plain, Read:
			add(s.site(v), event{b.in[v], int32(v), v})
		case Declare:
			add(s.at[n.Var], event{b.in[v], int32(n.Var), v})
		}
		if x := s.uses(v); x > 0 {
			add(s.at[x], event{b.in[v], 0, v})
		}
	})
	for at := range list {
		if !several[at] {
			delete(list, at)
		}
	}
	return list
}

func (b *blocks) each(f func(v Value)) {
	for _, nodes := range b.nodes {
		for _, v := range nodes {
			f(v)
		}
	}
}

// mixed is a use after different results or variables of a site, or 0.
func (b *blocks) mixed(events []event) Value {
	last := make([]int32, len(b.nodes)+1)
	for _, e := range events {
		if e.made > 0 {
			last[e.block] = e.made
		}
	}
	in := make([]int32, len(b.nodes)+1)
	for i := range in {
		in[i] = -1 // not known
	}
	in[1] = 0
	for todo := []int32{1}; len(todo) > 0; {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		out := in[k]
		if last[k] > 0 {
			out = last[k]
		}
		nodes := b.nodes[k-1]
		for _, next := range b.s.After(nodes[len(nodes)-1]) {
			to := b.in[next]
			was := in[to]
			switch {
			case was == -1:
				in[to] = out
			case was != out:
				in[to] = differ
			}
			if in[to] != was {
				todo = append(todo, to)
			}
		}
	}
	block, now := int32(0), int32(0)
	for _, e := range events {
		if e.block != block {
			block, now = e.block, in[e.block]
		}
		switch {
		case e.made > 0:
			now = e.made
		case now == differ:
			return e.user
		}
	}
	return 0
}

// meet reports that places are to be told apart which were not, and has the program found again.
func (s *Session) meet() (again bool, err error) {
	b := s.blocks()
	if len(b.nodes) < 3 {
		return false, nil
	}
	var found []site
	for at, events := range b.used() {
		v := b.mixed(events)
		switch {
		case v == 0:
		case s.sites[at] > 0:
			return false, wrong(s.Nodes[v].Stack, at.stack, "make it a variable of the program", "a value is used here after paths have met on which the function made different ones")
		default:
			found = append(found, at)
		}
	}
	if len(found) == 0 {
		return false, nil
	}
	slices.SortFunc(found, func(a, b site) int {
		return cmp.Or(cmp.Compare(a.stack, b.stack), cmp.Compare(a.sub, b.sub))
	})
	for _, at := range found {
		s.sites[at] = int32(len(s.sites) + 1)
	}
	s.Stats.Splits++
	s.clear()
	return true, nil
}
