package dependence

import (
	"slices"
)

// A Group says what of the arguments of a call must not be uniform.
type Group struct {
	Op  GroupOp
	Arg int // of ArgOf and ItemsOf, counted from 1 (Access.Arg)
	Sub []*Group
}

// GroupOp is what a Group is.
type GroupOp uint8

// The groups.
const (
	ArgOf   GroupOp = iota // all updates of an argument
	ItemsOf                // any update of an argument (AnyItem)
	AllOf
	AnyOf
)

// A clause is satisfied by any of its nodes. isAny tells those that Any or AnyItem
// made from a single update; of the others read is all that their argument reads.
type clause struct {
	nodes, read []Node
	isAny       bool
}

// clauses normalises a group to All of Anys: a nested Any is flattened, and an Any
// that contains an All is multiplied out. An Any with an argument on which nothing
// depends disappears: that argument is never uniform.
func (g *Group) clauses(of func(arg int) []Node) []clause {
	switch g.Op {
	case ArgOf:
		var out []clause
		read := of(g.Arg)
		for _, n := range read {
			out = append(out, clause{nodes: []Node{n}, read: read})
		}
		return out
	case ItemsOf:
		if nodes := of(g.Arg); len(nodes) > 0 {
			return []clause{{nodes: nodes, isAny: true}}
		}
		return nil
	case AllOf:
		var out []clause
		for _, s := range g.Sub {
			out = append(out, s.clauses(of)...)
		}
		return out
	}
	out := []clause{{isAny: true}}
	for _, s := range g.Sub {
		var next []clause
		for _, c := range s.clauses(of) {
			for _, o := range out {
				next = append(next, clause{nodes: union(o.nodes, c.nodes), isAny: true})
			}
		}
		if out = next; out == nil {
			return nil
		}
	}
	return out
}

func union(a, b []Node) []Node {
	out := slices.Clone(a)
	for _, n := range b {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// minimal drops clauses that another one implies.
func minimal(cs []clause) (out []clause) {
	for i, c := range cs {
		implied := func(j int, d clause) bool {
			if j == i || len(d.nodes) > len(c.nodes) || len(d.nodes) == len(c.nodes) && j > i {
				return false
			}
			return !slices.ContainsFunc(d.nodes, func(n Node) bool { return !slices.Contains(c.nodes, n) })
		}
		drop := false
		for j, d := range cs {
			drop = drop || implied(j, d)
		}
		if !drop {
			out = append(out, c)
		}
	}
	return out
}
