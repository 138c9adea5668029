package polyhedral

import (
	"errors"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/unwind"
)

// shared is the schedule of a system of whose members those are coincident, and no others, that are the outermost
// loops that cores may share: of two instances that a member tells apart, and no loop around it does, neither
// writes memory that the other accesses. What a schedule says of coincidence does not suffice: it is about the order of
// instances, which updates of one element have not, and about elements, of which several may have one place in memory. Local arrays whose
// elements live no longer than an iteration are none in the way: each iteration has its own (Tu and Padua 1993, Automatic array privatization), on one core,
// too, where what is in them no longer looks as if it went from one iteration to the next.
func (p *Codegen) shared(sys *poly.System, t *target.Target) (_ *sharing, failed error) {
	defer unwind.To(&failed)
	var conflicts map[*poly.ArrayDecl]conflict
	known := p.Parallel && t.Kind == target.CPU && !has(sys.Schedule, schedule.Extension) && !has(sys.Schedule, schedule.Expansion)
	if known {
		var err error
		if conflicts, known, err = p.conflicts(sys); errors.Is(err, presburger.ErrBudget) {
			known = false
		} else if err != nil {
			return nil, err
		}
	}
	tree := sequential(sys.Schedule)
	s := &sharing{sys: sys, base: tree, tree: tree, conflicts: conflicts, own: map[*poly.ArrayDecl]bool{}, common: map[*poly.ArrayDecl]bool{}}
	if !known {
		return s, nil
	}
	if err := s.below(nil, tree, tree.Set()); err != nil && !errors.Is(err, presburger.ErrBudget) {
		return nil, err
	}
	if t.Cores == 1 && len(s.own) == 0 {
		s.tree = tree
	}
	return s, nil
}

// sequential is a tree without coincident members.
func sequential(tree *schedule.Node) *schedule.Node {
	return unwind.Must(tree.Rewrite(func(n *schedule.Node) (*schedule.Node, error) {
		if n.Kind() != schedule.Band {
			return n, nil
		}
		b := n.Band()
		out := schedule.NewBand(b, n.Child(0)) // with members of its own
		for i := range out.Band().Members {
			out.Band().Members[i].Coincident = false
		}
		return out, nil
	}))
}

// A sharing looks for the loops that cores may share.
type sharing struct {
	sys         *poly.System
	base, tree  *schedule.Node // without those that were found, and with them
	conflicts   map[*poly.ArrayDecl]conflict
	own, common map[*poly.ArrayDecl]bool // arrays in such loops of which each iteration has its own, and others
}

// A conflict relates instances of which one writes what the other accesses: a place of an array, or an element.
type conflict struct{ places, elements presburger.Map }

// below looks at a subtree, which path leads to, of some instances, from the outermost members inward.
func (s *sharing) below(path []int, n *schedule.Node, instances presburger.Set) (failed error) {
	defer unwind.To(&failed)
	if isContraction(n) {
		return nil
	}
	if n.Kind() == schedule.Filter {
		instances = unwind.Must(instances.Intersect(n.Set()))
	}
	if n.Kind() == schedule.Band {
		if inner := n.Child(0); len(s.own) == 0 && inner.Kind() == schedule.Band && len(n.Band().Members) == 1 && has(inner.Child(0), schedule.Band) {
			if ok, err := isWavefront(n.Band().Members[0], inner.Band().Members[0], s.places()); err != nil {
				return err
			} else if ok {
				s.tree = marked(s.tree, append(path[:len(path):len(path)], 0), 0, 0)
				for a := range s.conflicts {
					s.common[a] = true
				}
				return nil
			}
		}
		for i := range n.Band().Members {
			if s.isInnermost(path, n, i) {
				break
			}
			if s.share(path, i, instances) {
				return nil
			}
		}
	}
	for i, c := range n.Children() {
		unwind.Check(s.below(append(path[:len(path):len(path)], i), c, instances))
	}
	return nil
}

// places relates instances that access one place of any array.
func (s *sharing) places() (all presburger.Map) {
	for _, a := range s.sys.Arrays {
		if c, written := s.conflicts[a]; written {
			all = all.Union(c.places)
		}
	}
	return all
}

// share makes a member coincident if its iterations are independent.
func (s *sharing) share(path []int, member int, instances presburger.Set) bool {
	next := marked(s.base, path, member, member)
	var own, common []*poly.ArrayDecl
	for _, a := range s.sys.Arrays {
		c, written := s.conflicts[a]
		if !written {
			continue
		}
		here := unwind.Must(c.places.IntersectDomain(instances))
		if unwind.Must(here.IsEmpty()) {
			continue
		}
		v := unwind.Must(schedule.Legal(next, schedule.Dependences{Coincidence: c.places, Context: s.sys.Context}))
		if v == nil && !s.own[a] {
			common = append(common, a)
			continue
		}
		if !s.ownable(a, path, member, instances) {
			return false
		}
		own = append(own, a)
	}
	for _, a := range own {
		s.own[a] = true
	}
	for _, a := range common {
		s.common[a] = true
	}
	s.tree = marked(s.tree, path, member, member)
	return true
}

// ownable reports a local array of which each iteration of a member may have its own: of what is in an element
// nothing goes from one iteration to another, nor from or to instances that are not in the loop.
func (s *sharing) ownable(a *poly.ArrayDecl, path []int, member int, instances presburger.Set) bool {
	if a.Role != poly.LocalRole || s.common[a] {
		return false
	}
	if !s.alone(a, instances) {
		return false
	}
	tree := marked(s.base, path, 0, member)
	for n := range path {
		if around := at(s.base, path[:n]); around.Kind() == schedule.Band {
			tree = marked(tree, path[:n], 0, len(around.Band().Members)-1)
		}
	}
	v := unwind.Must(schedule.Legal(tree, schedule.Dependences{Coincidence: s.conflicts[a].elements, Context: s.sys.Context}))
	return v == nil
}

// at is the node that a path leads to.
func at(n *schedule.Node, path []int) *schedule.Node {
	for _, i := range path {
		n = n.Child(i)
	}
	return n
}

// isInnermost reports a loop in others that has none in it: vectors make more of it.
func (s *sharing) isInnermost(path []int, n *schedule.Node, member int) bool {
	if member < len(n.Band().Members)-1 || has(n.Child(0), schedule.Band) {
		return false
	}
	around := s.base
	for _, i := range path {
		if around.Kind() == schedule.Band {
			return true
		}
		around = around.Child(i)
	}
	return member > 0
}

// marked is a tree where members from first to last of the band to which path leads are coincident.
func marked(n *schedule.Node, path []int, first, last int) *schedule.Node {
	if len(path) == 0 {
		out := schedule.NewBand(n.Band(), n.Child(0))
		for i := first; i <= last; i++ {
			out.Band().Members[i].Coincident = true
		}
		return out
	}
	children := make([]*schedule.Node, n.Len())
	for i, c := range n.Children() {
		if children[i] = c; i == path[0] {
			children[i] = marked(c, path[1:], first, last)
		}
	}
	return n.WithChildren(children...)
}

// conflicts relates instances that access one place or element of an array, of which one writes it. They are not known if a
// statement accesses places of what a system writes that are computed.
func (p *Codegen) conflicts(sys *poly.System) (out map[*poly.ArrayDecl]conflict, known bool, err error) {
	defer unwind.To(&err)
	found := map[*poly.ArrayDecl]*accesses{}
	for _, st := range sys.Statements {
		found[st.Target] = &accesses{}
		if st.Keyed {
			return nil, false, nil
		}
	}
	for _, st := range sys.Statements {
		for _, a := range st.Gathers {
			if found[a] != nil {
				return nil, false, nil
			}
		}
		found[st.Target].add(p, sys, st, st.Target, st.Write, true)
		for _, r := range st.Reads {
			if found[r.Array] != nil {
				found[r.Array].add(p, sys, st, r.Array, r.Map, false)
			}
		}
	}
	out = map[*poly.ArrayDecl]conflict{}
	for a, x := range found {
		var c conflict
		c.elements = unwind.Must(x.all[0].Inverse().Compose(x.writes[0]))
		c.places = unwind.Must(x.all[1].Inverse().Compose(x.writes[1]))
		out[a] = c
	}
	return out, true, nil
}

// accesses are what statements write of an array, and all that they access: elements, and places.
type accesses struct{ writes, all [2]presburger.Map }

// add adds an access of a statement.
func (x *accesses) add(p *Codegen, sys *poly.System, st *poly.Stmt, a *poly.ArrayDecl, m presburger.Map, write bool) {
	d := unwind.Must(st.Domain.WithBudget(int64(p.Budget)).IntersectParams(sys.Context))
	m = unwind.Must(m.WithBudget(int64(p.Budget)).IntersectDomain(d))
	places := m
	if a.IsStored {
		places = unwind.Must(a.Storage.Compose(m))
	}
	for i, m := range []presburger.Map{m, places} {
		x.all[i] = x.all[i].Union(m)
		if write {
			x.writes[i] = x.writes[i].Union(m)
		}
	}
}
