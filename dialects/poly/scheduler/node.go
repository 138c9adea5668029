package scheduler

import (
	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
)

type kind uint8

const (
	band kind = iota
	sequence
	set
)

// A node is one of the schedule that is found, by numbers of statements; nil is a leaf.
type node struct {
	kind       kind
	members    []member
	permutable bool
	filters    [][]int // statements of the children
	children   []*node
}

// A member is one row for each statement.
type member struct {
	rows       map[int]row
	coincident bool
	loop       schedule.Loop
}

func newBand(members []member, permutable bool, child *node) *node {
	return &node{kind: band, members: members, permutable: permutable, children: []*node{child}}
}

// add adds a child of a sequence or set.
func (n *node) add(statements []int, child *node) {
	n.filters, n.children = append(n.filters, statements), append(n.children, child)
}

// inOrder executes statements one after the other.
func inOrder(statements []int) *node {
	if len(statements) == 1 {
		return nil
	}
	n := &node{kind: sequence}
	for _, i := range statements {
		n.add([]int{i}, nil)
	}
	return n
}

// tree makes the schedule tree.
func (s *search) tree(n *node) *schedule.Node {
	return schedule.NewDomain(s.domain, s.subtree(n))
}

func (s *search) subtree(n *node) *schedule.Node {
	if n == nil {
		return nil
	}
	if n.kind == band {
		b := schedule.BandData{Permutable: n.permutable}
		for _, m := range n.members {
			b.Members = append(b.Members, schedule.Member{Function: s.function(m.rows), Coincident: m.coincident, Loop: m.loop})
		}
		return schedule.NewBand(b, s.subtree(n.children[0]))
	}
	var filters []*schedule.Node
	for i, c := range n.children {
		filters = append(filters, schedule.NewFilter(s.universe(n.filters[i]), s.subtree(c)))
	}
	if n.kind == set {
		return schedule.NewSet(filters...)
	}
	return schedule.NewSequence(filters...)
}

// universe has all tuples of some statements.
func (s *search) universe(statements []int) p.Set {
	var bs []p.Basic
	for _, i := range statements {
		bs = append(bs, p.Basic{Params: s.params, Out: s.statements[i].tuple})
	}
	return p.SetOf(bs...)
}

// function relates instances to the values of rows.
func (s *search) function(rows map[int]row) p.Map {
	var bs []p.Basic
	for i, t := range s.statements {
		if r, ok := rows[i]; ok {
			bs = append(bs, p.Basic{Params: s.params, In: t.tuple, Out: p.NewTuple("", ""), Eq: [][]p.Int{append(append([]p.Int(nil), r...), p.NewInt(-1))}})
		}
	}
	return p.MapOf(bs...)
}
