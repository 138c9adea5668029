package polyhedral

import (
	"errors"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// private has, for each parallel loop that is emitted, the local arrays of which each of its iterations has its own.
//
// A schedule does not tell which instances a loop executes: code generation takes statements apart, and what has a value of
// a member that a loop scans may stand before or behind that loop. So what a schedule promises, that nothing goes from one
// iteration to another, is a proof for an array only where one loop executes all instances that access an element.
type private map[*codegen.For][]*poly.ArrayDecl

// together relates the instances that are to stay in one loop: those that access an element of an array that is to be an
// iteration's own.
func (s *sharing) together() (out presburger.Map) {
	for _, a := range s.sys.Arrays {
		if s.own[a] {
			out = out.Union(s.conflicts[a].elements)
		}
	}
	return out
}

// private looks at the loops of a syntax tree. A loop that cannot have its own of an array that needs it is none for
// cores.
func (s *sharing) private(n codegen.Node) (_ private, err error) {
	defer unwind.To(&err)
	out := private{}
	if len(s.own) == 0 {
		return out, nil
	}
	s.judge(n, out)
	return out, nil
}

// judge asks the outermost parallel loops. One that cannot have its own arrays becomes sequential, and
// the loops in it are asked in its place.
func (s *sharing) judge(n codegen.Node, out private) {
	var inner []codegen.Node
	switch n := n.(type) {
	case *codegen.Block:
		inner = n.Nodes
	case *codegen.Mark:
		inner = n.Body.Nodes
	case *codegen.If:
		if inner = n.Then.Nodes; n.Else != nil {
			inner = append(inner[:len(inner):len(inner)], n.Else.Nodes...)
		}
	case *codegen.For:
		if n.Parallel {
			own, ok, err := s.ownOf(n)
			// A proof that takes too much work counts as none.
			if errors.Is(err, presburger.ErrBudget) {
				ok, err = false, nil
			}
			if err != nil {
				panic(unwind.Failed(err))
			}
			if out[n] = own; ok {
				return // loops in it are no parallel ones
			}
			n.Parallel = false
		}
		inner = n.Body.Nodes
	}
	for _, x := range inner {
		s.judge(x, out)
	}
}

// ownOf are the arrays of which each iteration of a loop has its own; ok is false if one that the loop
// writes would have to be.
func (s *sharing) ownOf(n *codegen.For) (own []*poly.ArrayDecl, ok bool, err error) {
	defer unwind.To(&err)
	used := map[*poly.ArrayDecl]bool{}
	accessed(s.sys, n.Body, used)
	for _, a := range s.sys.Arrays {
		if !used[a] || !s.own[a] {
			continue
		}
		if s.alone(a, n.Instances) {
			own = append(own, a)
			continue
		}
		written := unwind.Must(s.conflicts[a].elements.IntersectDomain(n.Instances))
		if !unwind.Must(written.IsEmpty()) {
			return nil, false, nil
		}
	}
	return own, true, nil
}

// alone reports that no element of an array which some instances access is accessed by others too, unless
// nothing writes it.
func (s *sharing) alone(a *poly.ArrayDecl, instances presburger.Set) bool {
	others := unwind.Must(s.base.Set().Subtract(instances))
	// The relation leads from what writes an element to what accesses it, so both directions are asked.
	pairs := s.conflicts[a].elements
	for _, m := range []presburger.Map{pairs, pairs.Inverse()} {
		m = unwind.Must(m.IntersectDomain(instances))
		m = unwind.Must(m.IntersectRange(others))
		if !unwind.Must(m.IsEmpty()) {
			return false
		}
	}
	return true
}

// accessed notes the arrays that instances in a block access.
func accessed(sys *poly.System, n *codegen.Block, used map[*poly.ArrayDecl]bool) {
	for _, x := range n.Nodes {
		switch x := x.(type) {
		case *codegen.Block:
			accessed(sys, x, used)
		case *codegen.Mark:
			accessed(sys, x.Body, used)
		case *codegen.If:
			accessed(sys, x.Then, used)
			if x.Else != nil {
				accessed(sys, x.Else, used)
			}
		case *codegen.For:
			accessed(sys, x.Body, used)
		case *codegen.User:
			if st := sys.Statement(x.Statement); st != nil {
				used[st.Target] = true
				for _, r := range st.Reads {
					used[r.Array] = true
				}
			}
		}
	}
}
