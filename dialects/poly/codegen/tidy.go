package codegen

import (
	"slices"

	"github.com/irc-lang/irc/ir/lists"
)

// unrepeated leaves out conditions that one around them has, and ifs without any.
func unrepeated(nodes []Node, held map[string]bool) (out []Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *Block:
			n.Nodes = unrepeated(n.Nodes, held)
		case *Mark:
			n.Body.Nodes = unrepeated(n.Body.Nodes, held)
		case *For:
			n.Body.Nodes = unrepeated(n.Body.Nodes, held)
		case *If:
			if n.Else != nil {
				n.Then.Nodes, n.Else.Nodes = unrepeated(n.Then.Nodes, held), unrepeated(n.Else.Nodes, held)
				break
			}
			var cond []Expr
			var added []string
			for _, e := range conjuncts(n.Cond) {
				if s := Text(e); !held[s] {
					cond, added, held[s] = append(cond, e), append(added, s), true
				}
			}
			body := unrepeated(n.Then.Nodes, held)
			for _, s := range added {
				delete(held, s)
			}
			out = append(out, conditional(cond, body)...)
			continue
		}
		out = append(out, n)
	}
	return out
}

// tidy moves conditions outward: those of all that a loop executes, where they do not
// depend on its iterator, and those that neighbours share become one.
func tidy(nodes []Node) []Node {
	for i, n := range nodes {
		nodes[i] = tidyNode(n)
	}
	return joined(nodes)
}

func tidyNode(n Node) Node {
	switch n := n.(type) {
	case *For:
		n.Body.Nodes = tidy(n.Body.Nodes)
		if len(n.Body.Nodes) != 1 {
			return n
		}
		c, ok := n.Body.Nodes[0].(*If)
		if !ok || c.Else != nil {
			return n
		}
		var out, in []Expr
		for _, e := range conjuncts(c.Cond) {
			if uses(e, n.Iterator) {
				in = append(in, e)
			} else {
				out = append(out, e)
			}
		}
		n.Body.Nodes = conditional(in, c.Then.Nodes)
		if len(out) > 0 {
			return &If{Cond: apply(And, out...), Then: &Block{[]Node{n}}}
		}
	case *If:
		n.Then.Nodes = tidy(n.Then.Nodes)
		if n.Else != nil {
			n.Else.Nodes = tidy(n.Else.Nodes)
			return n
		}
		if len(n.Then.Nodes) == 1 {
			if c, ok := n.Then.Nodes[0].(*If); ok && c.Else == nil {
				return &If{Cond: apply(And, slices.Concat(conjuncts(n.Cond), conjuncts(c.Cond))...), Then: c.Then}
			}
		}
	case *Mark:
		n.Body.Nodes = tidy(n.Body.Nodes)
	case *Block:
		n.Nodes = tidy(n.Nodes)
	}
	return n
}

func conditional(cond []Expr, nodes []Node) []Node {
	if len(cond) == 0 {
		return nodes
	}
	return []Node{&If{Cond: apply(And, cond...), Then: &Block{nodes}}}
}

func conjuncts(e Expr) []Expr {
	if o, ok := e.(*Op); ok && o.Operator == And {
		return o.Args
	}
	return []Expr{e}
}

func uses(e Expr, name string) bool {
	switch e := e.(type) {
	case Name:
		return string(e) == name
	case *Op:
		return slices.ContainsFunc(e.Args, func(a Expr) bool { return uses(a, name) })
	}
	return false
}

// joined makes neighbours that share conditions one.
func joined(nodes []Node) (out []Node) {
	for _, n := range nodes {
		b, ok := n.(*If)
		if !ok || len(out) == 0 || b.Else != nil {
			out = append(out, n)
			continue
		}
		a, ok := out[len(out)-1].(*If)
		if !ok || a.Else != nil {
			out = append(out, n)
			continue
		}
		shared, left, right := common(conjuncts(a.Cond), conjuncts(b.Cond))
		if len(shared) == 0 {
			out = append(out, n)
			continue
		}
		body := append(conditional(left, a.Then.Nodes), conditional(right, b.Then.Nodes)...)
		if len(left) > 0 || len(right) > 0 {
			body = joined(body)
		}
		out[len(out)-1] = &If{Cond: apply(And, shared...), Then: &Block{body}}
	}
	return out
}

// common divides two conjunctions into what they share and what is left of each.
func common(a, b []Expr) (shared, left, right []Expr) {
	texts := lists.Map(b, Text)
	right = slices.Clone(b)
	for _, e := range a {
		if i := slices.Index(texts, Text(e)); i >= 0 {
			shared = append(shared, e)
			texts, right = slices.Delete(texts, i, i+1), slices.Delete(right, i, i+1)
		} else {
			left = append(left, e)
		}
	}
	return shared, left, right
}

// groupGuards brings those with equal conditions together, of nodes in any order.
func groupGuards(nodes []Node) []Node {
	key := func(n Node) string {
		if c, ok := n.(*If); ok {
			return Text(c.Cond)
		}
		return ""
	}
	first := map[string]int{}
	for i, n := range nodes {
		if _, ok := first[key(n)]; !ok {
			first[key(n)] = i
		}
	}
	slices.SortStableFunc(nodes, func(a, b Node) int { return first[key(a)] - first[key(b)] })
	return nodes
}
