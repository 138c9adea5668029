package polyhedral

import (
	"errors"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// shared is the schedule of a system of whose members those are coincident, and no others, that are the outermost
// loops that cores may share: of two instances that a member tells apart, and no loop around it does, neither
// writes memory that the other accesses. What a schedule says of coincidence does not suffice: it is about the order of
// instances, which updates of one element have not, and about elements, of which several may have one place in memory.
func (p *Codegen) shared(sys *poly.System, t *target.Target) (*schedule.Node, error) {
	var conflicts presburger.Map
	known := p.Parallel && t.Kind == target.CPU && t.Cores > 1 && !has(sys.Schedule, schedule.Extension) && !has(sys.Schedule, schedule.Expansion)
	if known {
		var err error
		if conflicts, known, err = p.conflicts(sys); errors.Is(err, presburger.ErrBudget) {
			known = false
		} else if err != nil {
			return nil, err
		}
	}
	tree, err := sequential(sys.Schedule)
	if err != nil || !known {
		return tree, err
	}
	s := &sharing{tree: tree, legal: schedule.Dependences{Coincidence: conflicts, Context: sys.Context}}
	if err := s.below(nil, tree); err != nil && !errors.Is(err, presburger.ErrBudget) {
		return nil, err
	}
	return s.tree, nil
}

// sequential is a tree without coincident members.
func sequential(tree *schedule.Node) (*schedule.Node, error) {
	return tree.Rewrite(func(n *schedule.Node) (*schedule.Node, error) {
		if n.Kind() != schedule.Band {
			return n, nil
		}
		b := n.Band()
		out := schedule.NewBand(b, n.Child(0)) // with members of its own
		for i := range out.Band().Members {
			out.Band().Members[i].Coincident = false
		}
		return out, nil
	})
}

// A sharing looks for the loops that cores may share.
type sharing struct {
	tree  *schedule.Node // with those that were found
	legal schedule.Dependences
}

// below looks at a subtree, which path leads to, from the outermost members inward.
func (s *sharing) below(path []int, n *schedule.Node) error {
	if n.Kind() == schedule.Mark && n.Name() == contractionMark {
		return nil
	}
	if n.Kind() == schedule.Band {
		if inner := n.Child(0); inner.Kind() == schedule.Band && len(n.Band().Members) == 1 && has(inner.Child(0), schedule.Band) {
			if ok, err := isWavefront(n.Band().Members[0], inner.Band().Members[0], s.legal.Coincidence); err != nil {
				return err
			} else if ok {
				s.tree = marked(s.tree, append(path[:len(path):len(path)], 0), 0)
				return nil
			}
		}
		for i := range n.Band().Members {
			if s.isInnermost(path, n, i) {
				break
			}
			next := marked(s.tree, path, i)
			v, err := schedule.Legal(next, s.legal)
			if err != nil {
				return err
			}
			if v == nil {
				s.tree = next
				return nil
			}
		}
	}
	for i, c := range n.Children() {
		if err := s.below(append(path[:len(path):len(path)], i), c); err != nil {
			return err
		}
	}
	return nil
}

// isInnermost reports a loop in others that has none in it: vectors make more of it.
func (s *sharing) isInnermost(path []int, n *schedule.Node, member int) bool {
	if member < len(n.Band().Members)-1 || has(n.Child(0), schedule.Band) {
		return false
	}
	around := s.tree
	for _, i := range path {
		if around.Kind() == schedule.Band {
			return true
		}
		around = around.Child(i)
	}
	return member > 0
}

// marked is a tree where a member of the band to which path leads is coincident.
func marked(n *schedule.Node, path []int, member int) *schedule.Node {
	if len(path) == 0 {
		out := schedule.NewBand(n.Band(), n.Child(0))
		out.Band().Members[member].Coincident = true
		return out
	}
	children := make([]*schedule.Node, n.Len())
	for i, c := range n.Children() {
		if children[i] = c; i == path[0] {
			children[i] = marked(c, path[1:], member)
		}
	}
	return n.WithChildren(children...)
}

// conflicts relates instances that access one place in memory, of which one writes it. They are not known if a
// statement accesses places of what a system writes that are computed.
func (p *Codegen) conflicts(sys *poly.System) (out presburger.Map, known bool, err error) {
	written := map[*poly.ArrayDecl]bool{}
	for _, st := range sys.Statements {
		written[st.Target] = true
		if st.Keyed {
			return out, false, nil
		}
	}
	writes, all := map[*poly.ArrayDecl]presburger.Map{}, map[*poly.ArrayDecl]presburger.Map{}
	add := func(st *poly.Stmt, a *poly.ArrayDecl, m presburger.Map) (presburger.Map, error) {
		d, err := st.Domain.WithBudget(int64(p.Budget)).IntersectParams(sys.Context)
		if err == nil {
			m, err = m.WithBudget(int64(p.Budget)).IntersectDomain(d)
		}
		if err == nil && a.IsStored {
			m, err = a.Storage.Compose(m)
		}
		if err == nil {
			all[a] = all[a].Union(m)
		}
		return m, err
	}
	for _, st := range sys.Statements {
		for _, a := range st.Gathers {
			if written[a] {
				return out, false, nil
			}
		}
		m, err := add(st, st.Target, st.Write)
		if err != nil {
			return out, false, err
		}
		writes[st.Target] = writes[st.Target].Union(m)
		for _, r := range st.Reads {
			if written[r.Array] {
				if _, err := add(st, r.Array, r.Map); err != nil {
					return out, false, err
				}
			}
		}
	}
	for _, a := range sys.Arrays {
		if !written[a] {
			continue
		}
		m, err := all[a].Inverse().Compose(writes[a])
		if err != nil {
			return out, false, err
		}
		out = out.Union(m)
	}
	return out, true, nil
}

// share makes a loop whose rounds cores may share.
func share(b *ir.Builder, s span, step ir.Value, body func(i ir.Value)) {
	scf.BuildParallel(b, s.from, s.end, step, body)
}
