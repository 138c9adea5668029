package schedule

import (
	"iter"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// A Kind says what a node does.
type Kind uint8

// The kinds of nodes; see the comment of the package.
const (
	Leaf Kind = iota
	Domain
	Context
	Guard
	Band
	Sequence
	Set
	Filter
	Mark
	Extension
	Expansion
)

var kindNames = [...]string{"leaf", "domain", "context", "guard", "schedule", "sequence", "set", "filter", "mark", "extension", "expansion"}

// String is the key of the node in YAML; that of a band is schedule.
func (k Kind) String() string { return kindNames[k] }

// A Node is the root of a schedule tree. It does not change.
type Node struct {
	kind        Kind
	set         presburger.Set // of a domain, a context, a guard or a filter
	rel         presburger.Map // of an extension or an expansion
	contraction presburger.Map
	name        string // of a mark
	bands       BandData
	children    []*Node
}

// BandData is what a band node holds.
type BandData struct {
	Members []Member
	// Permutable says that the members may be exchanged and tiled.
	Permutable bool
	// Isolate has the values of the members that get code of their own, with the
	// members' Isolated options: a set of pairs [[outer members] -> [members]]. The zero
	// Set isolates nothing.
	Isolate presburger.Set
}

// A Member of a band orders instances by an integer.
type Member struct {
	// Function relates each instance to one integer.
	Function presburger.Map
	// Coincident says that the instances of different values do not depend on each
	// other, for fixed values of what is outside of the band.
	Coincident bool
	// Loop says how code for the member is made, and Isolated how where it is isolated.
	Loop, Isolated Loop
}

// A Loop is how code for a member of a band is made.
type Loop uint8

const (
	Default  Loop = iota
	Atomic        // one loop, with conditions inside
	Separate      // a loop for each set of statements that is executed together
	Unroll        // no loop, a copy for each value
)

var loopNames = [...]string{"none", "atomic", "separate", "unroll"}

// String is the name of the option.
func (l Loop) String() string { return loopNames[l] }

var leaf = &Node{}

// NewLeaf is the end of a branch.
func NewLeaf() *Node { return leaf }

func withChild(n Node, child *Node) *Node {
	if child == nil {
		child = leaf
	}
	n.children = []*Node{child}
	return &n
}

// NewDomain is the root of a tree that orders some instances. Of all functions that make
// nodes, a child that is nil is a leaf.
func NewDomain(instances presburger.Set, child *Node) *Node {
	return withChild(Node{kind: Domain, set: instances}, child)
}

// NewContext states what holds of parameters and the values of outer members, which are
// the dimensions of the set.
func NewContext(s presburger.Set, child *Node) *Node {
	return withChild(Node{kind: Context, set: s}, child)
}

// NewGuard states what code has to test of parameters and the values of outer members,
// which are the dimensions of the set.
func NewGuard(s presburger.Set, child *Node) *Node {
	return withChild(Node{kind: Guard, set: s}, child)
}

// NewBand orders instances by the values of members.
func NewBand(b BandData, child *Node) *Node {
	b.Members = slices.Clone(b.Members)
	return withChild(Node{kind: Band, bands: b}, child)
}

// NewSequence orders instances by which of the filters they pass.
func NewSequence(filters ...*Node) *Node {
	return &Node{kind: Sequence, children: slices.Clone(filters)}
}

// NewSet leaves the order of its filters open.
func NewSet(filters ...*Node) *Node { return &Node{kind: Set, children: slices.Clone(filters)} }

// NewFilter is a child of a sequence or set: it has the instances that are in s.
func NewFilter(s presburger.Set, child *Node) *Node {
	return withChild(Node{kind: Filter, set: s}, child)
}

// NewMark gives a subtree a name.
func NewMark(name string, child *Node) *Node {
	return withChild(Node{kind: Mark, name: name}, child)
}

// NewExtension adds instances: those that m relates the values of outer members to.
func NewExtension(m presburger.Map, child *Node) *Node {
	return withChild(Node{kind: Extension, rel: m}, child)
}

// NewExpansion replaces each instance by those that the expansion relates it to, which
// the contraction maps back to it.
func NewExpansion(contraction, expansion presburger.Map, child *Node) *Node {
	return withChild(Node{kind: Expansion, contraction: contraction, rel: expansion}, child)
}

// Kind says what the node does.
func (n *Node) Kind() Kind { return n.kind }

// Set is that of a domain, a context, a guard or a filter.
func (n *Node) Set() presburger.Set { return n.set }

// Extension is what an extension relates the values of outer members to.
func (n *Node) Extension() presburger.Map { return n.rel }

// Expansion is what an expansion relates instances to, and the contraction back.
func (n *Node) Expansion() (contraction, expansion presburger.Map) { return n.contraction, n.rel }

// Name is that of a mark.
func (n *Node) Name() string { return n.name }

// Band is what a band holds. The members must not be changed.
func (n *Node) Band() BandData { return n.bands }

// Len is the number of children.
func (n *Node) Len() int { return len(n.children) }

// Child is child i.
func (n *Node) Child(i int) *Node { return n.children[i] }

// Children lists the children.
func (n *Node) Children() iter.Seq2[int, *Node] { return slices.All(n.children) }

// WithChildren is the node with other children, as many.
func (n *Node) WithChildren(children ...*Node) *Node {
	if len(children) != len(n.children) {
		panic("schedule: a node keeps the number of its children")
	}
	out := *n
	out.children = slices.Clone(children)
	return &out
}

// All lists a tree in preorder, each node with its depth.
func (n *Node) All() iter.Seq2[int, *Node] {
	return func(yield func(int, *Node) bool) { n.walk(0, yield) }
}

func (n *Node) walk(depth int, yield func(int, *Node) bool) bool {
	if !yield(depth, n) {
		return false
	}
	return lists.All(n.children, func(c *Node) bool { return c.walk(depth+1, yield) })
}

// Rewrite replaces the nodes of a tree from the leaves up: f gets each node with its new
// children.
func (n *Node) Rewrite(f func(*Node) (*Node, error)) (_ *Node, err error) {
	defer unwind.To(&err)
	out := n
	for i, c := range n.children {
		d := unwind.Must(c.Rewrite(f))
		if d == c {
			continue
		}
		if out == n {
			out = n.WithChildren(n.children...)
		}
		out.children[i] = d
	}
	return f(out)
}
