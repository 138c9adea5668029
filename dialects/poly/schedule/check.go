package schedule

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// Check reports the first thing by which a tree is none: a root that is no domain; a child of a sequence that
// is no filter; filters that share an instance; an instance that no filter has, or that a member gives no
// value or several; a member that is not of one dimension; a contraction that is not the inverse of its
// expansion.
func (n *Node) Check() (err error) {
	defer unwind.To(&err)
	if n.kind != Domain {
		return fmt.Errorf("schedule: the root of a tree is a domain, not a %s", n.kind)
	}
	n.children[0].check(n.set, 0)
	return nil
}

// check looks at a subtree of some instances, below bands of outer members.
func (n *Node) check(instances presburger.Set, outer int) {
	switch n.kind {
	case Leaf:
		return
	case Domain, Filter:
		panic(unwind.Failed(fmt.Errorf("schedule: a %s stands where none may", n.kind)))
	case Context, Guard:
		if t := n.set.Tuple(); t.Len() != outer {
			panic(unwind.Failed(fmt.Errorf("schedule: a %s of %d dimensions below %d members of bands", n.kind, t.Len(), outer)))
		}
	case Band:
		n.bands.check(instances, outer)
		outer += len(n.bands.Members)
	case Sequence, Set:
		n.checkFilters(instances, outer)
		return
	case Extension:
		if in, _ := n.rel.Tuples(); in.Len() != outer {
			panic(unwind.Failed(fmt.Errorf("schedule: an extension of %d dimensions below %d members of bands", in.Len(), outer)))
		}
		instances = instances.Union(n.rel.Range())
	case Expansion:
		m := unwind.Must(n.rel.IntersectDomain(instances))
		same := unwind.Must(m.IsSubset(n.contraction.Inverse()))
		single := unwind.Must(n.contraction.IsSingleValued())
		if !same || !single {
			panic(unwind.Failed(fmt.Errorf("schedule: the contraction %s does not undo the expansion %s", n.contraction, n.rel)))
		}
		instances = m.Range()
	}
	n.children[0].check(instances, outer)
}

func (n *Node) checkFilters(instances presburger.Set, outer int) {
	rest := instances
	for i, c := range n.children {
		if c.kind != Filter {
			panic(unwind.Failed(fmt.Errorf("schedule: child %d of a %s is a %s, not a filter", i, n.kind, c.kind)))
		}
		kept := unwind.Must(instances.Intersect(c.set))
		left := unwind.Must(rest.Intersect(c.set))
		if ok, err := kept.IsSubset(left); err != nil || !ok {
			unwind.Check(firstError(err, fmt.Errorf("schedule: filter %d of a %s, %s, has instances of one before it", i, n.kind, c.set)))
			return
		}
		rest = unwind.Must(rest.Subtract(kept))
		c.children[0].check(kept, outer)
	}
	p, ok, err := rest.Sample()
	if err != nil || ok {
		unwind.Check(firstError(err, fmt.Errorf("schedule: no filter of a %s has %s", n.kind, p)))
		return
	}
}

func (b BandData) check(instances presburger.Set, outer int) {
	if t, ok := b.isolated(); ok {
		first, second, pair := t.Pair()
		if !pair || first.Len() != outer || second.Len() != len(b.Members) {
			panic(unwind.Failed(fmt.Errorf("schedule: a band of %d members below %d isolates %s", len(b.Members), outer, b.Isolate)))
		}
	}
	for i, x := range b.Members {
		for _, m := range x.Function.Maps() {
			if _, out := m.Tuples(); out.Len() != 1 {
				panic(unwind.Failed(fmt.Errorf("schedule: member %d of a band has values of %d dimensions: %s", i, out.Len(), m)))
			}
		}
		f, err := x.Function.IntersectDomain(instances)
		if err != nil {
			panic(unwind.Failed(err))
		}
		rest, err := instances.Subtract(f.Domain())
		if err != nil {
			panic(unwind.Failed(err))
		}
		p, ok, err := rest.Sample()
		if err != nil || ok {
			unwind.Check(firstError(err, fmt.Errorf("schedule: member %d of a band has no value for %s", i, p)))
			return
		}
		if ok, err := f.IsSingleValued(); err != nil || !ok {
			unwind.Check(firstError(err, fmt.Errorf("schedule: member %d of a band has more than one value for an instance: %s", i, f)))
			return
		}
	}
}

func (b BandData) isolated() (t presburger.Tuple, ok bool) {
	t = b.Isolate.Tuple()
	return t, !t.IsNone()
}

func firstError(errs ...error) error {
	for _, e := range errs {
		if e != nil {
			return e
		}
	}
	return nil
}
