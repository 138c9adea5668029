package contraction

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/codegen"
)

// Tilings are those of a system.
type Tilings []*Tiling

// Of is the tiling of a mark; nil if it has none.
func (ts Tilings) Of(x *codegen.Mark) *Tiling {
	if x.Name != Mark {
		return nil
	}
	for _, t := range ts {
		if instanceOf(x.Body, t.st.Name) {
			return t
		}
	}
	return nil
}

// Initialised is the contraction that a mark names, if the code before it is that of the zeros which begin it.
func (ts Tilings) Initialised(before, mark codegen.Node) *Tiling {
	m, ok := mark.(*codegen.Mark)
	if !ok || before == mark {
		return nil
	}
	t := ts.Of(m)
	if t == nil || t.zeros == nil || onlyOf(before) != t.zeros.Name {
		return nil
	}
	return t
}

// onlyOf is the statement all of whose instances are in some code, which has no others; else it is empty.
func onlyOf(n codegen.Node) string {
	switch n := n.(type) {
	case *codegen.Block:
		if len(n.Nodes) == 1 {
			return onlyOf(n.Nodes[0])
		}
	case *codegen.If:
		if n.Else == nil || onlyOf(n.Then) == onlyOf(n.Else) {
			return onlyOf(n.Then)
		}
	case *codegen.For:
		return onlyOf(n.Body)
	case *codegen.User:
		return n.Statement
	}
	return ""
}

// Ending is the contraction that a mark names, if the code after it is that of its epilogue.
func (ts Tilings) Ending(mark, after codegen.Node) *Tiling {
	m, ok := mark.(*codegen.Mark)
	if !ok {
		return nil
	}
	t := ts.Of(m)
	if t == nil || t.epilogue == nil || onlyOf(after) != t.epilogue.st.Name {
		return nil
	}
	return t
}

// instanceOf reports code that has an instance of a statement.
func instanceOf(b *codegen.Block, name string) bool {
	return slices.ContainsFunc(b.Nodes, func(n codegen.Node) bool {
		switch n := n.(type) {
		case *codegen.Block:
			return instanceOf(n, name)
		case *codegen.Mark:
			return instanceOf(n.Body, name)
		case *codegen.If:
			return instanceOf(n.Then, name) || n.Else != nil && instanceOf(n.Else, name)
		case *codegen.For:
			return instanceOf(n.Body, name)
		case *codegen.User:
			return n.Statement == name
		}
		return false
	})
}
