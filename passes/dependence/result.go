package dependence

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// Kind is one of the seven kinds of dependences.
type Kind uint8

// The kinds, as the document names them.
const (
	Declaration Kind = iota
	Ordinary
	Requirement
	Trigger
	Fresh
	Initializer
	Parameter
	numKinds
)

var kindNames = [...]string{"declaration", "ordinary", "requirement", "trigger", "fresh", "initializer", "parameter"}

func (k Kind) String() string { return kindNames[k] }

// Letter is the kind in a table.
func (k Kind) Letter() string { return "DORTFIP"[k : k+1] }

// Kinds lists all kinds.
func Kinds() []Kind {
	return []Kind{Declaration, Ordinary, Requirement, Trigger, Fresh, Initializer, Parameter}
}

// Class is what a statement is to a variable that it writes.
type Class uint8

// The classes.
const (
	None       Class = iota // it does not write it
	Declares                // a declaration or allocation
	Initialize              // an initializer
	Update
)

func (c Class) String() string {
	return [...]string{"none", "declaration", "initializer", "update"}[c]
}

// A Node is what a dependence is on: a *Statement, a *Clique or, for the kind
// Parameter, a *Variable.
type Node interface{ Label() string }

// Label is the statement's ID.
func (s *Statement) Label() string { return s.ID }

// Label is the clique's ID.
func (c *Clique) Label() string { return c.ID }

// Label is the variable's name.
func (v *Variable) Label() string { return v.Name }

// A Clique is a maximal set of two or more updates of a variable that overlap each
// other, for which a dummy statement stands. It depends on all of its members.
type Clique struct {
	ID      string // K1, K2 ...
	Var     *Variable
	Text    string // the part of the variable that all of them write
	Members []*Statement
	Uniform bool // all members are
}

// A Dependence is an edge. On holds one node; of a Requirement it may hold several,
// of which any will do.
type Dependence struct {
	Kind    Kind
	On      []Node
	Offsets []Offset // of an Ordinary dependence within loops
}

// A dependenceOn is what tells dependences of one statement apart. Two nodes of one program differ, so that of
// several the labels say which they are.
type dependenceOn struct {
	kind Kind
	node Node // the only one
	of   string
}

// Label spells what the dependence is on: "S1", or "any(K1, K2)".
func (d *Dependence) Label() string {
	if len(d.On) == 1 {
		return d.On[0].Label()
	}
	names := lists.Map(d.On, func(n Node) string { return n.Label() })
	return "any(" + strings.Join(names, ", ") + ")"
}

// Info is what the analysis found of a statement.
type Info struct {
	*Statement
	Classes     map[*Variable]Class // of the variables that it writes
	Dependences []Dependence        // by kind, then in the order of the program
	IsOutput    bool
	IsUniform   bool // so is what it skips, or it is said to be

	needs []clause // all must be satisfied before it runs
	has   map[dependenceOn]bool
}

// Class is the class of the whole statement: Update if it is one for some variable or
// writes none, else Initialize if it is one for some, else Declares.
func (i *Info) Class() Class {
	best := None
	for _, c := range i.Classes {
		best = max(best, c)
	}
	if best == None {
		return Update
	}
	return best
}

// On lists the labels of what a statement depends on in a way.
func (i *Info) On(k Kind) []string {
	out := []string{}
	for _, d := range i.Dependences {
		if d.Kind == k {
			out = append(out, d.Label())
		}
	}
	return out
}

// Result is what the analysis found.
type Result struct {
	Program  *Program
	Infos    []*Info // of the statements, in order
	Cliques  []*Clique
	Problems diag.List // errors are against the rules, warnings likely mistakes
}

// Expand replaces cliques by their members.
func Expand(nodes []Node) []*Statement {
	var out []*Statement
	for _, n := range nodes {
		switch n := n.(type) {
		case *Statement:
			out = append(out, n)
		case *Clique:
			out = append(out, n.Members...)
		}
	}
	slices.SortFunc(out, func(a, b *Statement) int { return a.place - b.place })
	return slices.Compact(out)
}
